"""A connection to a cluster: requests go out, responses or one clear error come back."""

from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Future
from typing import Any, Final, Self, TypeVar

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient, DescribeClusterResult

from live.access import Access
from live.connection_guard import confine
from live.error_messages import ConnectionErrors, error_of, not_allowed
from live.errors import LiveError, PropertyError, UnreachableError, value_of
from live.properties import Properties
from live.read_options import ReadOptions
from live.subscriptions import Subscription, subscriptions

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")
_DEFAULTS: Final = {"client.id": "kafka-assignments", "log_level": "0"}
"""Defaults that the properties override. The client's own log goes to standard error; what matters
of it is raised as a LiveError."""


class Cluster:
    """A cluster that answered; ``with connect(...) as cluster:`` closes the connection."""

    def __init__(self, properties: Properties, read_options: ReadOptions, access: Access) -> None:
        self._properties = properties
        self._access = access
        self.read_options = read_options
        self._errors = ConnectionErrors(properties.servers, access)
        self._has_answered = False
        self.admin = self._client()
        """Replaced after a timeout: keep no reference to it."""

    def _client(self) -> AdminClient:
        conf: dict[str, Any] = {**_DEFAULTS, **self._properties, "error_cb": self._errors.note}
        if self._access.servers is not None:
            del conf["bootstrap.servers"]  # until it is confined it has nowhere to connect to
        try:
            admin = AdminClient(conf)
        except KafkaException as error:
            reason = error.args[0].str()
        except (TypeError, ValueError) as error:
            reason = str(error)
        else:
            if self._access.servers is not None:
                confine(admin, self.servers, self._access)
            return admin
        message = f"The client properties do not work: {self._properties.scrub(reason)}."
        raise PropertyError(message)  # outside: the client's own error may quote a value

    def __enter__(self) -> Self:
        """Return the connection itself."""
        return self

    def __exit__(self, *error: object) -> None:
        """End the connection."""
        self.admin.__exit__(*error)

    @property
    def servers(self) -> str:
        """The bootstrap servers, as given."""
        return self._properties.servers

    def subscriptions(self, group: str, coordinator: tuple[str, int]) -> Mapping[str, Subscription]:
        """Return what members of the ``consumer`` protocol subscribe to; see live.subscriptions."""
        if not self._access.allows(*coordinator):
            return {}
        return subscriptions(self._properties, coordinator, group, self.read_options.timeout_s)

    def check_brokers(self) -> None:
        """Raise PropertyError if the cluster names a broker that is not allowed.

        The client never connects to such a broker (see connection_guard); this names it before any
        request is sent.
        """
        for node in self._described().nodes:
            if not self._access.allows(node.host, node.port):
                raise not_allowed(self.servers, f"{node.host}:{node.port}")

    def id(self) -> str:
        """Return the id that the cluster was formatted with; it never changes.

        Raises UnreachableError or another LiveError.
        """
        return str(self._described().cluster_id)

    def response(self, future: "Future[Any]", what: str) -> Any:  # noqa: ANN401 -- as the client's
        """Return the response, or raise a LiveError with the reason."""
        return value_of(self.responses({what: future}, str, lambda response: response)[what])

    def responses(
        self,
        futures: Mapping[_Key, "Future[Any]"],
        what: Callable[[_Key], str],
        read: Callable[[Any], _Value],
    ) -> dict[_Key, _Value | LiveError]:
        """Return the value of every response, or a LiveError in its place.

        ``what`` names the subject. Raises UnreachableError or LoginError if nothing came back at
        all, and CancelledError.
        """
        self._errors.forget()
        names = {key: what(key) for key in futures}
        if not self.read_options.wait(futures.values(), self._poll):
            self.admin = self._client()  # see ReadOptions.client_timeout_s
            if not any(future.done() for future in futures.values()):
                raise self.no_response(next(iter(names.values())))
        responses = {key: self._value(future, names[key]) for key, future in futures.items()}
        self._has_answered = True
        return {
            key: each if isinstance(each, LiveError) else read(each)
            for key, each in responses.items()
        }

    def error(self, error: KafkaError, what: str) -> LiveError:
        """Return the error for what a broker reported on ``what``."""
        return self._scrubbed(error_of(error, what, lambda: self.no_response(what)))

    def no_response(self, what: str) -> LiveError:
        """Return the error for no response on ``what``."""
        error = self._errors.no_response(has_answered=self._has_answered)
        if self._has_answered and isinstance(error, UnreachableError):
            error = UnreachableError(
                f"{str(error).rstrip('.')}; it stopped while {what} was being read."
            )
        return self._scrubbed(error)

    def _poll(self) -> None:
        """Collect the connections' errors; give up immediately if waiting cannot help."""
        self.admin.poll(0)
        if self._errors.is_hopeless(has_answered=self._has_answered):
            raise self._scrubbed(self._errors.no_response())

    def _described(self) -> DescribeClusterResult:
        future = self.admin.describe_cluster(request_timeout=self.read_options.client_timeout_s)
        result: DescribeClusterResult = self.response(future, "the cluster")
        return result

    def _value(self, future: "Future[Any]", what: str) -> Any:  # noqa: ANN401 -- whatever the client returns
        if not future.done():
            return self.no_response(what)
        error = future.exception()
        if error is None:
            return future.result()
        if not isinstance(error, KafkaException):
            raise error
        return self.error(error.args[0], what)

    def _scrubbed(self, error: LiveError) -> LiveError:
        return type(error)(self._properties.scrub(str(error)))


def connected(
    read: Callable[..., _Value],
    properties: Mapping[str, str],
    read_options: ReadOptions,
    access: Access | None,
    *arguments: object,
) -> _Value:
    """Return ``read(cluster, *arguments)`` over a connection of its own.

    To be called in a process of its own, as librdkafka may crash it (see live.errors.BROKE_OFF); so
    the properties are a plain dictionary, for the pipe to that process and nowhere else.
    """
    with connect(Properties(properties), read_options, access) as cluster:
        return read(cluster, *arguments)


def connect(
    properties: Properties, read_options: ReadOptions | None = None, access: Access | None = None
) -> Cluster:
    """Connect to the cluster of these properties and return it once it has answered.

    ``access`` restricts the properties, the servers, and the brokers that the servers name. Raises
    PropertyError for properties that do not work or are not allowed, UnreachableError and
    LoginError.
    """
    if not properties.servers.strip():
        message = "There are no bootstrap servers; give at least one as host:port."
        raise PropertyError(message)
    if access is not None:
        properties = access.check(properties)
    cluster = Cluster(properties, read_options or ReadOptions(), access or Access())
    cluster.check_brokers()
    return cluster
