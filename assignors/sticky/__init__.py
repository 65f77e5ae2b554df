"""The sticky strategies of Kafka's clients: the current algorithm and its predecessors."""
