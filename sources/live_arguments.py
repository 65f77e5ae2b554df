"""The command line's options for a running cluster, and the groups read from it.

The Kafka client takes as long to load as all the rest of the command line, and most runs have
no use for it, so it is loaded where it is needed.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from sources.errors import SourceError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from live.client_config import ClientConfig
    from live.patience import Patience
    from sources.reading import Reading


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the options, named as Kafka's own tools name them."""
    cluster = parser.add_argument_group("instead of a FILE, a running cluster")
    cluster.add_argument("--bootstrap-server", metavar="HOST:PORT", help="one or more, by commas")
    cluster.add_argument("--group", action="append", default=[], metavar="G", help="may repeat")
    cluster.add_argument(
        "--command-config",
        metavar="PROPERTIES",
        help="a client.properties file as Kafka's tools take it: SASL, TLS, auto.offset.reset",
    )
    cluster.add_argument(
        "--list-groups",
        action="store_true",
        help="list the groups of the cluster, and nothing else",
    )
    cluster.add_argument(
        "--timeout",
        type=seconds,
        default=15.0,
        metavar="SECONDS",
        help="how long to wait for each answer (15)",
    )


def are_in(options: argparse.Namespace) -> bool:
    """Tell whether the options ask for a cluster."""
    return bool(options.bootstrap_server or options.group or options.command_config)


def readings(options: argparse.Namespace, file: str, stderr: TextIO) -> Iterator[Reading]:
    """Yield the named groups as they are on the cluster now. Raises SourceError."""
    from sources import live  # noqa: PLC0415 -- see above

    if file != "-":
        message = (
            f"give either a file or --bootstrap-server; found the file {file!r} beside the options"
        )
        raise SourceError(message)
    if not options.group:
        message = "name a group with --group; --list-groups lists them"
        raise SourceError(message)
    config = _config(options)
    for name in options.group:
        yield live.read_group(config, name, _patience(options, stderr))


def groups(options: argparse.Namespace, stderr: TextIO) -> Iterator[dict[str, object]]:
    """Yield the groups of the cluster; report brokers that did not answer on ``stderr``."""
    from sources import live  # noqa: PLC0415 -- see above

    found = live.list_groups(_config(options), _patience(options, stderr))
    stderr.writelines(f"assign.py: {trouble}\n" for trouble in found.troubles)
    for group in found.groups:
        yield {"id": group.id, "state": group.state, "protocol": group.protocol}


def _config(options: argparse.Namespace) -> ClientConfig:
    """Return the client's configuration; the file may also name the servers."""
    from sources import live  # noqa: PLC0415 -- see above

    text = ""
    if options.command_config:
        try:
            text = Path(options.command_config).read_text(errors="replace")
        except OSError as error:
            message = f"{options.command_config} cannot be read: {error.strerror}"
            raise SourceError(message) from error
    return live.config_of(text, options.bootstrap_server)


def _patience(options: argparse.Namespace, stderr: TextIO) -> Patience:
    """Return the timeout, with a progress line where ``stderr`` is a terminal."""
    from live.patience import Patience  # noqa: PLC0415 -- see above

    def show(what: str, done: int, total: int) -> None:
        if stderr.isatty():
            stderr.write(f"\r{what}: {done:,} of {total:,}\x1b[K" + ("\n" * (done >= total)))

    return Patience(timeout_s=options.timeout, progress=show)


def seconds(text: str) -> float:
    """Return a time above zero; argparse puts this function's name into its error."""
    value = float(text)
    if not value > 0:
        raise ValueError
    return value
