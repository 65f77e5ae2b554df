"""The login to a server of metrics, from a file in Prometheus' own format."""

import base64
import time
from pathlib import Path

import pytest

from live.errors import PropertyError
from live.prometheus.http_config import read_http_config
from tests.metrics.collected import collect
from tests.metrics.stub import prometheus


def file_of(folder: Path, text: str) -> Path:
    """Write the file, beside one with a secret."""
    (folder / "secret").write_text("s3cret\n")
    file = folder / "http.yml"
    file.write_text(text)
    return file


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("{}", None),
        ("bearer_token: abc", "Bearer abc"),
        ("bearer_token_file: secret", "Bearer s3cret"),
        ("authorization: {credentials: abc}", "Bearer abc"),
        ("authorization: {type: Token, credentials_file: secret}", "Token s3cret"),
        (
            "basic_auth: {username: u, password_file: secret}",
            f"Basic {base64.b64encode(b'u:s3cret').decode()}",
        ),
    ],
)
def test_each_login_becomes_its_header(text: str, header: str | None, tmp_path: Path) -> None:
    assert read_http_config(file_of(tmp_path, text)).authorization == header


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("proxy_url: http://p:1", "proxy_url"),
        ("basic_auth: {user: u}", "username"),
        ("authorization: {type: Basic, credentials: s3cret}", "basic_auth"),
        ("bearer_token: s3cret\nbasic_auth: {username: u}", "exclude each other"),
        ("bearer_token: s3cret\nbearer_token_file: secret", "exclude each other"),
        ("bearer_token: 's3cret\n\n  x'", "one line"),
        ("bearer_token_file: missing", "cannot be read"),
        ("tls_config: {min_version: SSL3}", "TLS12"),
        ("tls_config: {insecure_skip_verify: maybe}", "true or false"),
        ("tls_config: {ca_pem: x}", "ca_file"),
        ("follow_redirects: true", "not followed"),
        ("- s3cret", "must be keys"),
        ("bearer_token: [s3cret", "line"),
    ],
)
def test_what_is_wrong_is_named_without_the_secret(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(PropertyError, match=said) as caught:
        read_http_config(file_of(tmp_path, text))

    assert "s3cret" not in str(caught.value)


def test_a_certificate_that_is_none_is_named(tmp_path: Path) -> None:
    config = read_http_config(file_of(tmp_path, "tls_config: {ca_file: secret}"))

    with pytest.raises(PropertyError, match="certificates cannot be used"):
        config.context()


def test_every_query_carries_the_login(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[dict[str, str]] = []
    now = int(time.time()) // 60 * 60 - 600
    table = {
        'kafka_consumergroup_current_offset{consumergroup="g",topic="t",partition="0"}': {now: 1},
        'kafka_topic_partition_current_offset{topic="t",partition="0"}': {now: 2},
    }
    file = file_of(tmp_path, "bearer_token_file: secret")

    with prometheus(table, asked) as url:
        words = ("--prometheus", url, "--since", "1h", "--http-config", str(file))
        _, said = collect(tmp_path / "out", *words, capsys=capsys)

    assert {each["authorization"] for each in asked} == {"Bearer s3cret"}
    assert "s3cret" not in said


@pytest.mark.parametrize(
    "place", ["bearer_token: {}", "basic_auth:\n  username: {}", "tls_config:\n  min_version: {}"]
)
def test_aliases_are_refused_before_they_multiply(tmp_path: Path, place: str) -> None:
    bomb = "&a0 [x]"
    for level in range(9):
        bomb = f"&a{level + 1} [{bomb}{f', *a{level}' * 9}]"
    file = tmp_path / "http.yml"
    file.write_text(place.format(bomb))

    with pytest.raises(PropertyError, match=r"line \d is not YAML"):
        read_http_config(file)


def test_a_key_that_stands_twice_is_refused(tmp_path: Path) -> None:
    file = file_of(tmp_path, "basic_auth:\n  username: a\n  username: b\n")

    with pytest.raises(PropertyError, match="line 3"):
        read_http_config(file)
