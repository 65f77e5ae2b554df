"""The command ``kafka-assignments``; the library is ``assignors``."""
