"""What the group's page draws: its verdict, its one large picture, and its snapshots."""
