"""Scenarios: a matrix of choices and cases for the group on screen."""
