"""What happens to a group from one assignment to the next: events, rounds, time and lag."""
