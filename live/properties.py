"""Client properties that never show their secrets."""

from collections.abc import Iterator, Mapping
from typing import Final

_SECRET_WORDS: Final = ("password", "secret", "token", "jaas", "credential")
_SECRET_VALUES: Final = ("ssl.key.pem", "sasl.oauthbearer.config", "sasl.oauthbearer.extensions")
_MASK: Final = "********"
_SHORTEST_MASKED: Final = 3
"""A secret of one or two characters would mask half of every sentence."""


class Properties(Mapping[str, str]):
    """Properties as librdkafka names them; what is printed of them is masked.

    Only ``live`` looks the values up, to hand them to the client.
    """

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> str:
        """Return a property's value, secret or not."""
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        """Return the names."""
        return iter(self._values)

    def __len__(self) -> int:
        """Return how many properties there are."""
        return len(self._values)

    def __repr__(self) -> str:
        """Return the properties with every secret masked."""
        shown = {name: _MASK if is_secret(name) else value for name, value in self.items()}
        return f"Properties({shown})"

    def __reduce__(self) -> str:
        """Refuse to be pickled."""
        message = "properties hold secrets and are not written anywhere"
        raise TypeError(message)

    @property
    def servers(self) -> str:
        """The bootstrap servers, as given."""
        return self.get("bootstrap.servers", "")

    def scrub(self, text: str) -> str:
        """Return the text with every secret of these properties masked."""
        for name, value in self.items():
            if is_secret(name) and len(value) >= _SHORTEST_MASKED:
                text = text.replace(value, _MASK)
        return text


def is_secret(name: str) -> bool:
    """Tell whether a property's value must not be shown."""
    plain = name.lower()
    return plain in _SECRET_VALUES or any(word in plain for word in _SECRET_WORDS)
