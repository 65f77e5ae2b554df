"""Fetch what the tests download, once, before they start: ``python -m tests.downloads``.

Without it the first test that needs a thing would fetch it, within that test's time. What cannot be
had here is told; the tests that need it are left out, or fetch it themselves.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import pyspark

from pipeline.errors import PipelineError
from pipeline.java import java_home
from pipeline.session import EXCLUDED, KAFKA, S3
from plugins import kafka_jars
from tests.metrics import real_prometheus
from tests.oracles import toolchains
from tests.pipeline.hdfs import mini_dfs_jars

_RELEASES: Final = ("4.0.0", "4.0.1", "4.1.0", "4.1.1")
"""Of Kafka, whose coordinators are compared with ``uniform``."""
_CLIENTS: Final = ("3.4.1", "3.9.2")
"""Releases of Kafka's clients in which the plug-in is run."""


class Download(NamedTuple):
    """One thing that tests need."""

    what: str
    fetch: Callable[[], object]


def main(downloads: Sequence[Download]) -> None:
    """Fetch everything, with a line of progress for each."""
    for number, (what, fetch) in enumerate(downloads, 1):
        sys.stderr.write(f"[{number}/{len(downloads)}] {what}\n")
        try:
            fetch()
        except (PipelineError, RuntimeError, OSError, subprocess.SubprocessError) as error:
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            sys.stderr.write(f"      not to be had here: {reason}\n")


def _coordinator(release: str) -> None:
    kafka_jars.coordinator(release)


def _clients(release: str) -> None:
    kafka_jars.clients(release)


def _connectors() -> None:
    """Let Spark fetch the jars of its connectors into its own cache, for an empty program."""
    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    environ = {**os.environ, "JAVA_HOME": str(java_home()), "PYSPARK_PYTHON": sys.executable}
    with tempfile.NamedTemporaryFile(suffix=".py") as empty:
        words = [str(submit), "--packages", f"{S3},{KAFKA}", "--exclude-packages", EXCLUDED]
        subprocess.run(  # noqa: S603 -- Spark's own
            [*words, "--master", "local[1]", empty.name],
            env=environ,
            check=True,
            capture_output=True,
            timeout=1_800,
        )


DOWNLOADS: Final = (
    Download("Apache Kafka's jars (47 MB)", kafka_jars.classpath),
    *(
        Download(f"the group coordinator of Kafka {release} (2 MB)", partial(_coordinator, release))
        for release in _RELEASES
    ),
    Download("a logger for Kafka's programs", kafka_jars.logger),
    Download("Kafka Streams (2 MB)", kafka_jars.streams),
    Download("Connect's workers (33 MB)", kafka_jars.connect),
    *(
        Download(f"the clients of Kafka {release} (5 MB)", partial(_clients, release))
        for release in _CLIENTS
    ),
    Download("Spark's connectors for S3 and Kafka", _connectors),
    Download("Debian's Prometheus (19 MB)", real_prometheus.programs),
    Download("Hadoop's mini cluster", mini_dfs_jars),
    Download("Go libraries: kafka-go, Sarama, franz-go", toolchains.go_oracle),
    Download("KafkaJS", toolchains.kafkajs_oracle),
    Download("KEDA's scaler", toolchains.keda_oracle),
)

if __name__ == "__main__":
    main(DOWNLOADS)
