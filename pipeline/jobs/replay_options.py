"""Replay the stored telemetry for more strategies, without its original files."""

from pipeline.jobs.options import add_run

add_arguments = add_run
