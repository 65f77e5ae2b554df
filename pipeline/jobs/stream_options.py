"""Read telemetry as it arrives in a folder or a Kafka topic; update the tables exactly once.

Stop it at any time; the next start continues from there. For schedulers, --available-now processes
what has arrived since the last start and ends.
"""

from argparse import ArgumentParser

from live.arguments import count, duration, properties_text
from pipeline.jobs.options import add_judge_by, add_output, add_spark, add_strategies


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's options."""
    source = parser.add_mutually_exclusive_group(required=True)
    what = "a folder that receives complete files of telemetry"
    source.add_argument("--input", metavar="DIR", help=what)
    source.add_argument("--topic", help="a Kafka topic whose values are telemetry, as JSON objects")
    what = "brokers of the topic's cluster"
    parser.add_argument("--bootstrap-server", metavar="HOST:PORT", help=what)
    what = "a file of client properties for that cluster, such as SASL and SSL"
    parser.add_argument("--kafka-properties", type=properties_text, metavar="FILE", help=what)
    add_output(parser)
    add_strategies(parser)
    add_judge_by(parser)
    times = {
        "lateness": ("2m", "how far the watermark of a cluster stays behind its latest snapshot"),
        "window": ("7d", "how far back recommendations look"),
        "trigger": ("30s", "how often to look for new telemetry"),
    }
    for name, (usual, does) in times.items():
        what = f"{does} (default: {usual})"
        parser.add_argument(
            f"--{name}", type=duration, default=duration(usual), metavar="TIME", help=what
        )
    what = "json: Spark's progress of each batch as one object per line, for programs"
    parser.add_argument("--progress", choices=("text", "json"), default="text", help=what)
    what = "process what has arrived, then stop"
    parser.add_argument("--available-now", "--once", action="store_true", help=what)
    for name, most in {"files": 1_000, "records": 2_000_000}.items():
        what = f"the most {name} in a batch (default: {most})"
        parser.add_argument(f"--{name}-per-batch", type=count, default=most, metavar="N", help=what)
    add_spark(parser)
