"""The outer world to groups: samples, pastes, files."""
