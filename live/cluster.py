"""A connection to a cluster: requests go out, answers or one clear error come back."""

from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient

from live.access import Access
from live.errors import LiveError, PropertyError, UnreachableError
from live.patience import Patience
from live.properties import Properties
from live.troubles import Troubles, error_of

_Key = TypeVar("_Key", bound=Hashable)
_OURS: Final = {"client.id": "kafka-assignments", "log_level": "0"}
"""Unless the properties say otherwise. The client's own log goes to standard error, where a
server keeps it; what matters of it comes back as our errors."""


class Cluster:
    """A cluster that answered; ``with connect(...) as cluster:`` ends the connection."""

    def __init__(self, properties: Properties, patience: Patience) -> None:
        self._properties = properties
        self.patience = patience
        self._troubles = Troubles(properties.servers)
        self._has_answered = False
        conf: dict[str, Any] = {**_OURS, **properties, "error_cb": self._troubles.note}
        try:
            self.admin = AdminClient(conf)
        except KafkaException as error:
            reason = properties.scrub(error.args[0].str())
            message = f"The client properties do not work: {reason}."
        except (TypeError, ValueError) as error:
            message = f"The client properties do not work: {properties.scrub(str(error))}."
        else:
            return
        raise PropertyError(message)  # outside: the client's own error may quote a value

    def __enter__(self) -> Self:
        """Return the connection itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the connection."""
        self.admin.__exit__(kind, error, trace)

    def __repr__(self) -> str:
        """Return which cluster this is, without its properties."""
        return f"Cluster({self._properties.servers!r})"

    @property
    def servers(self) -> str:
        """The bootstrap servers, as given."""
        return self._properties.servers

    def check_brokers(self, access: Access) -> None:
        """Raise PropertyError if the cluster sends us on to a broker that is not allowed.

        The client goes to such a broker only when asked for something that it leads, so
        nothing has been said to it before this check.
        """
        nodes = self.answer(
            {0: self.admin.describe_cluster(request_timeout=self.patience.timeout_s)}, "the cluster"
        )[0].nodes
        strangers = [f"{n.host}:{n.port}" for n in nodes if not access.allows(n.host, n.port)]
        if strangers:
            message = (
                f"The cluster at {self.servers} sends clients on to {strangers[0]}, which is not "
                "among the servers that may be connected to; whoever runs this page can list it."
            )
            raise PropertyError(message)

    def answer(
        self, futures: Mapping[_Key, "Future[Any]"], what: str | Callable[[_Key], str]
    ) -> dict[_Key, Any]:
        """Return every answer, or raise the LiveError for the first that failed."""
        found = self.answers(futures, what)
        for value in found.values():
            if isinstance(value, LiveError):
                raise value
        return found

    def answers(
        self, futures: Mapping[_Key, "Future[Any]"], what: str | Callable[[_Key], str]
    ) -> dict[_Key, Any]:
        """Return every answer, a LiveError where there is none; ``what`` names what was asked.

        Raises UnreachableError or LoginError if nothing came back at all, and CancelledError.
        """
        self._troubles.forget()
        if not self.patience.wait(futures.values(), self._look):
            raise self.silence()
        found: dict[_Key, Any] = {}
        for key, future in futures.items():
            name = what if isinstance(what, str) else what(key)
            error = future.exception()
            found[key] = future.result() if error is None else self._explained(error, name)
        self._has_answered = True
        return found

    def error(self, error: KafkaError, what: str) -> LiveError:
        """Return the error for what a broker reported on ``what``."""
        found = error_of(error, what, self.silence)
        return type(found)(self._properties.scrub(str(found)))

    def silence(self) -> LiveError:
        """Return the error for no answer at all."""
        found = self._troubles.silence()
        return type(found)(self._properties.scrub(str(found)))

    def _look(self) -> None:
        """Hear of the connections' troubles; give up at once where waiting cannot help."""
        self.admin.poll(0)
        if self._troubles.is_hopeless(has_answered=self._has_answered):
            raise self.silence()

    def _explained(self, error: BaseException, what: str) -> LiveError:
        if not isinstance(error, KafkaException):
            raise error
        found = self.error(error.args[0], what)
        if isinstance(found, UnreachableError) and self._has_answered:
            return UnreachableError(f"{str(found).rstrip('.')}; it stopped while {what} was read.")
        return found


def connect(
    properties: Properties, patience: Patience | None = None, access: Access | None = None
) -> Cluster:
    """Return the cluster these properties lead to, once it has answered.

    With ``access``, properties and servers are held to it, and so are the brokers that the
    servers send us on to. Raises PropertyError for properties that do not work or lead
    elsewhere than allowed, UnreachableError and LoginError.
    """
    if not properties.servers.strip():
        message = "There are no bootstrap servers; give at least one as host:port."
        raise PropertyError(message)
    access = access or Access(limits_properties=False)
    cluster = Cluster(access.check(properties), patience or Patience())
    cluster.check_brokers(access)
    return cluster
