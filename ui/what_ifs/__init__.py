"""Scenarios side by side: up to four what-ifs of the group on screen."""
