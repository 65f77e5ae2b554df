"""The sticky strategies of Kafka's clients: today's algorithm and its predecessors."""
