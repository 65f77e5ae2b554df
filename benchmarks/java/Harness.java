import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;

import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.clients.consumer.RoundRobinAssignor;
import org.apache.kafka.clients.consumer.StickyAssignor;
import org.apache.kafka.clients.consumer.internals.AbstractPartitionAssignor;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/**
 * Runs Kafka's own assignors on groups read from files and reports their costs.
 *
 * <p>One job per line on standard input: {@code strategy input output runs budgetMs}. One result per line
 * on standard output: {@code cpuMs wallMs}, medians; the owner of every partition goes to the output
 * file as a big-endian int. The assignor runs until the JIT compiler has warmed up,
 * before anything is measured. CPU time is that of the assigning thread: neither the compiler's
 * nor the garbage collector's threads count.
 */
public final class Harness {
    private static final int WARM_UP_RUNS = 2;
    private static final double WARM_UP_MS = 1000;
    private static final int FEWEST_RUNS = 3;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private Harness() {
    }

    public static void main(String[] args) throws IOException {
        System.out.println(kafkaVersion() + " " + System.getProperty("java.version"));
        BufferedReader jobs = new BufferedReader(new InputStreamReader(System.in));
        for (String job = jobs.readLine(); job != null; job = jobs.readLine()) {
            String[] words = job.split("\t");
            WireGroup group = read(Path.of(words[1]));
            System.out.println(measure(words[0], group, Path.of(words[2]),
                Integer.parseInt(words[3]), Double.parseDouble(words[4])));
        }
    }

    private static String kafkaVersion() throws IOException {
        Properties properties = new Properties();
        try (var in = StickyAssignor.class.getResourceAsStream("/kafka/kafka-version.properties")) {
            properties.load(in);
        }
        return properties.getProperty("version");
    }

    private static String measure(
            String strategy, WireGroup group, Path output, int runs, double budgetMs) throws IOException {
        Map<String, List<PartitionInfo>> partitions = group.partitionInfos();
        double spent = 0;
        for (int run = 0; run < WARM_UP_RUNS || spent < Math.min(WARM_UP_MS, budgetMs); run++) {
            Run warmUp = run(strategy, group, partitions);
            spent += warmUp.wallMs;
            if (run == 0) {
                write(group.owners(warmUp.assignment), output);
            }
        }
        double[] cpu = new double[runs];
        double[] wall = new double[runs];
        int done = 0;
        for (spent = 0; done < runs && (done < FEWEST_RUNS || spent < budgetMs); done++) {
            System.gc();
            Run measured = run(strategy, group, partitions);
            cpu[done] = measured.cpuMs;
            wall[done] = measured.wallMs;
            spent += measured.wallMs;
        }
        return median(Arrays.copyOf(cpu, done)) + " " + median(Arrays.copyOf(wall, done));
    }

    /** One rebalance with a new assignor and new subscriptions; only the assignment is timed. */
    private static Run run(
            String strategy, WireGroup group, Map<String, List<PartitionInfo>> partitions) {
        AbstractPartitionAssignor assignor = assignor(strategy);
        var subscriptions = group.subscriptions(assignor instanceof StickyAssignor);
        Run run = new Run();
        long cpu = THREADS.getCurrentThreadCpuTime();
        long wall = System.nanoTime();
        run.assignment = assignor.assignPartitions(partitions, subscriptions);
        run.wallMs = (System.nanoTime() - wall) / 1e6;
        run.cpuMs = (THREADS.getCurrentThreadCpuTime() - cpu) / 1e6;
        return run;
    }

    private static AbstractPartitionAssignor assignor(String strategy) {
        switch (strategy) {
            case "range": return new RangeAssignor();
            case "roundrobin": return new RoundRobinAssignor();
            case "sticky": return new StickyAssignor();
            case "cooperative-sticky": return new CooperativeStickyAssignor();
            default: throw new IllegalArgumentException("Kafka's clients have no strategy " + strategy);
        }
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        int middle = values.length / 2;
        return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    }

    private static WireGroup read(Path path) throws IOException {
        try (var in = new DataInputStream(new BufferedInputStream(Files.newInputStream(path), 1 << 16))) {
            return new WireGroup(in);
        }
    }

    private static void write(int[] owners, Path path) throws IOException {
        try (var out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(path), 1 << 16))) {
            for (int owner : owners) {
                out.writeInt(owner);
            }
        }
    }

    private static final class Run {
        private Map<String, List<TopicPartition>> assignment;
        private double cpuMs;
        private double wallMs;
    }
}
