import pytest
from confluent_kafka import KafkaError

from live.access import Access, access_to
from live.error_messages import ConnectionErrors, error_of
from live.errors import (
    ConnectWorkersError,
    DeniedError,
    LiveError,
    LoginError,
    UnknownGroupError,
    UnknownTopicError,
    UnreachableError,
)


def _no_response() -> LiveError:
    return UnreachableError("nothing was heard")


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        (KafkaError.GROUP_AUTHORIZATION_FAILED, DeniedError, "DESCRIBE permission on the group"),
        (
            KafkaError.TOPIC_AUTHORIZATION_FAILED,
            DeniedError,
            "DESCRIBE permission on one of its topics",
        ),
        (
            KafkaError.CLUSTER_AUTHORIZATION_FAILED,
            DeniedError,
            "DESCRIBE permission on the cluster",
        ),
        (KafkaError.GROUP_ID_NOT_FOUND, UnknownGroupError, "does not know the group 'g'"),
        (KafkaError.UNKNOWN_TOPIC_OR_PART, UnknownTopicError, "does not know the group 'g'"),
        (KafkaError.UNSUPPORTED_VERSION, LiveError, "too old"),
        (KafkaError._UNSUPPORTED_FEATURE, LiveError, "too old"),
        (KafkaError.SASL_AUTHENTICATION_FAILED, LoginError, "sasl.password"),
        (KafkaError._SSL, LoginError, "ssl.ca.location"),
        (KafkaError._TIMED_OUT, UnreachableError, "nothing was heard"),
        (KafkaError._TRANSPORT, UnreachableError, "nothing was heard"),
        (KafkaError.NOT_COORDINATOR, UnreachableError, "nothing was heard"),
        (KafkaError.INVALID_REQUEST, LiveError, "INVALID_REQUEST"),
    ],
)
def test_each_kind_of_failure_gives_one_sentence(
    code: int, kind: type[LiveError], words: str
) -> None:
    found = error_of(KafkaError(code), "the group 'g'", _no_response)

    assert type(found) is kind
    assert words in str(found)
    assert "\n" not in str(found)


def test_a_group_of_connects_workers_is_told_as_one() -> None:
    refused = KafkaError(KafkaError._INVALID_ARG, "GroupId c is not a consumer group (connect).")

    found = error_of(refused, "the group 'c'", _no_response)

    assert type(found) is ConnectWorkersError
    assert "GET /connectors" in str(found)


def test_a_missing_permission_on_a_topic_is_named_with_the_topic() -> None:
    found = error_of(
        KafkaError(KafkaError.TOPIC_AUTHORIZATION_FAILED), "the topic 't'", _no_response
    )

    assert "the topic 't': it lacks the DESCRIBE permission on the topic;" in str(found)


def _reported(*reports: tuple[int, str], access: Access | None = None) -> ConnectionErrors:
    errors = ConnectionErrors("b:9092", access or Access())
    for code, text in reports:
        errors.note(KafkaError(code, text))
    return errors


CLOSED = (KafkaError._TRANSPORT, "ssl://b:9092: Disconnected: SSL connection closed by peer (aft")
DOWN = (KafkaError._ALL_BROKERS_DOWN, "1/1 brokers are down")
REFUSED = (KafkaError._TRANSPORT, "b:9092: Connect failed: Connection refused (after 0ms in state)")
LOGIN = (KafkaError._AUTHENTICATION, "b:9092: Authentication failed (after 300ms in state AUTH)")
TLS = (KafkaError._TRANSPORT, "ssl://b:9092: SSL handshake failed: closed by peer (after 3ms)")


def test_a_sentence_names_a_server_once_as_it_was_given() -> None:
    unresolved = "ssl://b:9092/bootstrap: Failed to resolve 'b:9092': Name unknown (after 2ms)"

    errors = _reported((KafkaError._RESOLVE, unresolved), DOWN)

    expected = "No broker could be reached at b:9092: Failed to resolve 'b:9092': Name unknown."
    assert str(errors.no_response()) == expected


def test_a_timeout_names_the_cause_that_connections_reported() -> None:
    assert "Connection refused." in str(_reported(REFUSED, DOWN).no_response())
    assert "Authentication failed;" in str(_reported(REFUSED, LOGIN, DOWN).no_response())
    assert "handshake failed" in str(_reported(TLS, DOWN).no_response())
    assert str(_reported().no_response()).startswith("No response from b:9092 in time")


def test_a_tls_connection_that_the_broker_closes_has_its_sentence() -> None:
    errors = _reported(CLOSED, DOWN)

    assert errors.is_hopeless(has_answered=False)
    assert isinstance(errors.no_response(), LoginError)
    assert "its port may be one without TLS" in str(errors.no_response())


def test_a_broker_that_closes_a_tls_connection_after_its_answer_may_be_restarting() -> None:
    errors = _reported(CLOSED, DOWN)

    assert not errors.is_hopeless(has_answered=True)
    assert isinstance(errors.no_response(has_answered=True), UnreachableError)


def test_waiting_ends_where_it_cannot_help() -> None:
    assert _reported(LOGIN).is_hopeless(has_answered=True)
    assert _reported(TLS).is_hopeless(has_answered=False)
    assert _reported(REFUSED, DOWN).is_hopeless(has_answered=False)


def test_a_broker_that_has_answered_before_may_come_back() -> None:
    assert not _reported(REFUSED, DOWN).is_hopeless(has_answered=True)
    assert not _reported(TLS, DOWN).is_hopeless(has_answered=True)
    assert not _reported(REFUSED).is_hopeless(has_answered=False)


def test_an_address_that_is_not_listed_is_named_however_the_broker_answered_before() -> None:
    refused = "1/1: Failed to resolve 'stranger:9093': Non-recoverable failure in name resolution"

    errors = _reported((KafkaError._RESOLVE, refused), access=access_to(["b:9092"]))

    assert errors.is_hopeless(has_answered=True)
    assert "sends clients on to stranger:9093, which is not among" in str(errors.no_response())
