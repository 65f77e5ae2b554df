"""Raw telemetry to rows of the tables ``telemetry`` and ``rejected``, by Spark alone."""
