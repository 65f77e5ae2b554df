"""The assignors of clients other than Java's, each as its own library computes it."""
