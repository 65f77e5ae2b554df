"""A broker with a second listener that requires logins and rights."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.dashboard import HOST, free_port
from tests.broker.kafka_node import Cluster, formatted_cluster


@dataclass(frozen=True)
class Guarded:
    """The broker, the address of that listener, and the end of its users' passwords.

    ``alice`` may do everything, ``mallory`` nothing; a password is ``NAME-SECRET``.
    """

    cluster: Cluster
    login: str
    secret: str


@contextmanager
def guarded_cluster(folder: Path, secret: str) -> Iterator[Guarded]:
    """Run the broker in a folder."""
    cluster = formatted_cluster(folder, 1, {})
    login = _add_login(cluster.nodes[0].folder / "server.properties", secret)
    cluster.start()
    try:
        yield Guarded(cluster, login, secret)
    finally:
        cluster.stop()


def _add_login(file: Path, secret: str) -> str:
    """Add the listener and its two users to a broker's properties; return its address."""
    address = f"{HOST}:{free_port()}"
    text = file.read_text()
    known = dict(line.partition("=")[::2] for line in text.splitlines())
    module = "org.apache.kafka.common.security.plain.PlainLoginModule required"
    users = f'user_alice="alice-{secret}" user_mallory="mallory-{secret}"'
    added = {
        "listeners": f"{known['listeners']},SASL_PLAINTEXT://{address}",
        "advertised.listeners": f"{known['advertised.listeners']},SASL_PLAINTEXT://{address}",
        "sasl.enabled.mechanisms": "PLAIN",
        "listener.name.sasl_plaintext.plain.sasl.jaas.config": f"{module} {users};",
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": "User:ANONYMOUS;User:alice",
    }
    file.write_text(text + "".join(f"{name}={value}\n" for name, value in added.items()))
    return address
