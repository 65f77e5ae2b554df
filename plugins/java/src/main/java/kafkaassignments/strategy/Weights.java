package kafkaassignments.strategy;

import java.math.BigInteger;
import java.util.Arrays;

/** Weights of partitions, such as lags, as the strategies compare and add them. */
final class Weights {
    private static final int ROOM_BITS = 62;

    private Weights() {}

    /** Returns the weights with unknown and negative ones as 0. */
    static long[] counted(long[] weights) {
        long[] counted = new long[weights.length];
        Arrays.setAll(counted, each -> Math.max(weights[each], 0));
        return counted;
    }

    /**
     * Returns weights whose total fits 64 bits: the same ones wherever possible, else in the smallest
     * power of two that fits.
     */
    static long[] comparable(long[] counted) {
        long largest = Arrays.stream(counted).max().orElse(0);
        if (bits(largest) + bits(counted.length) <= ROOM_BITS) {
            return counted;
        }
        BigInteger total = BigInteger.ZERO;
        for (long weight : counted) {
            total = total.add(BigInteger.valueOf(weight));
        }
        int shift = Math.max(total.bitLength() - ROOM_BITS, 0);
        return Arrays.stream(counted).map(weight -> weight >> shift).toArray();
    }

    /** Returns the partitions from start to end, most weight first, ties by number. */
    static int[] heaviestFirst(long[] weights, int start, int end) {
        Integer[] order = new Integer[end - start];
        Arrays.setAll(order, place -> start + place);
        Arrays.sort(order, (one, other) -> Long.compare(weights[other], weights[one]));
        return Arrays.stream(order).mapToInt(Integer::intValue).toArray();
    }

    private static int bits(long value) {
        return Long.SIZE - Long.numberOfLeadingZeros(value);
    }
}
