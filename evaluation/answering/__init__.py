"""The answer on a group, composed once: what is the matter, what could be done, what to do."""
