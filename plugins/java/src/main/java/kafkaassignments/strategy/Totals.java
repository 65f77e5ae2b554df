package kafkaassignments.strategy;

/** A sum of weights for each member, exact however large: a high word counts the overflows. */
final class Totals {
    private final long[] high;
    private final long[] low;

    Totals(int members) {
        high = new long[members];
        low = new long[members];
    }

    /** Adds a weight, which is not negative. */
    void add(int member, long weight) {
        low[member] += weight;
        if (low[member] < 0) {
            low[member] &= Long.MAX_VALUE;
            high[member]++;
        }
    }

    /** Compares the totals of two members. */
    int compare(int one, int other) {
        int byHigh = Long.compare(high[one], high[other]);
        return byHigh != 0 ? byHigh : Long.compare(low[one], low[other]);
    }
}
