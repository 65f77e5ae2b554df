"""The Group page: the answer, a picture of every strategy, and the details."""
