"""Telemetry on its way to the replay: rows of many groups in one Arrow message, names as numbers.

Spark moves a packet as one value. Its JVM neither takes rows apart nor puts them together,
which for the width of telemetry costs several times what the replay does.
"""
