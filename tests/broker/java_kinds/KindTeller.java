import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.StreamsGroupDescription;
import org.apache.kafka.clients.admin.StreamsGroupMemberDescription;
import org.apache.kafka.tools.consumer.group.ShareGroupCommand;
import org.apache.kafka.tools.streams.StreamsGroupCommand;

/**
 * Kafka's tools without a start of Java for each call. Argument: the servers. Each line of standard
 * input is "streams GROUP" or "share GROUP", for what the tool prints on the group's members, or
 * "offsets GROUP", for the offsets that members of a streams group report of their tasks; the answer
 * ends with a line of a single dot.
 */
public final class KindTeller {
    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", arguments[0]))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ");
                try {
                    if (words[0].equals("offsets")) {
                        offsets(admin, words[1]);
                    } else {
                        members(words[0].equals("share"), arguments[0], words[1]);
                    }
                } catch (Exception error) {
                    System.err.println(error);
                }
                System.out.println(".");
                System.out.flush();
            }
        }
    }

    private static void members(boolean isShare, String servers, String group) {
        String[] words = {"--bootstrap-server", servers, "--describe", "--group", group,
            "--members", "--verbose"};
        if (isShare) {
            ShareGroupCommand.main(words);
        } else {
            StreamsGroupCommand.execute(words);
        }
    }

    private static void offsets(Admin admin, String group) throws Exception {
        StreamsGroupDescription described =
            admin.describeStreamsGroups(List.of(group)).describedGroups().get(group).get();
        for (StreamsGroupMemberDescription member : described.members()) {
            System.out.println(member.memberId() + " " + member.taskOffsets().stream()
                .map(each -> each.subtopologyId() + "_" + each.partition() + "=" + each.offset())
                .collect(Collectors.joining(",")));
        }
    }
}
