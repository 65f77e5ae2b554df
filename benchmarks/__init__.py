"""What is measured, against whom, runnable by anyone."""
