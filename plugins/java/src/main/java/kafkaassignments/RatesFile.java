package kafkaassignments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** Records per second of partitions, out of a file: a topic, a partition and a rate in each line. */
final class RatesFile {
    private RatesFile() {}

    /**
     * Returns the rates of a file; empty lines and those that begin with # count for nothing.
     *
     * @throws IllegalArgumentException naming the first wrong line
     */
    static Map<TopicPartition, Double> read(Path file) throws IOException {
        Map<TopicPartition, Double> rates = new HashMap<>();
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            String[] words = line.trim().split("\\s+");
            if (line.isBlank() || line.trim().startsWith("#")) {
                continue;
            }
            try {
                double rate = Double.parseDouble(words[2]);
                if (words.length != 3 || !(rate >= 0) || Double.isInfinite(rate)) {
                    throw new IllegalArgumentException();
                }
                rates.put(new TopicPartition(words[0], Integer.parseInt(words[1])), rate);
            } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException wrong) {
                throw new IllegalArgumentException("line " + number
                    + ": expected a topic, a partition and records per second, found \"" + line.trim() + "\"");
            }
        }
        return rates;
    }
}
