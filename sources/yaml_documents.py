"""YAML from outside: its documents, within limits, and the keys that stand twice in them."""

from typing import Final, NamedTuple

import yaml

_MOST_KEYS: Final = 1_000
"""The most keys of a mapping, including merged ones."""
_MOST_MERGED: Final = 10_000
"""The most keys of all mappings that have merged ones."""
_DEEPEST: Final = 50
"""The most brackets inside each other; PyYAML's time grows with the square of their number."""


class RepeatedKey(NamedTuple):
    """A key that stands a second time in one mapping; the loader keeps its last value."""

    key: str
    line: int
    """Of the second one, from 1."""


def yaml_documents(text: str) -> tuple[list[object], list[RepeatedKey]]:
    r"""Return the documents of a text, and the keys that stand twice in one of their mappings.

    Raises what PyYAML raises: YAMLError, and errors of Python for values that are none.

    >>> yaml_documents("a: 1\nb: {c: 2}\na: 3")
    ([{'a': 3, 'b': {'c': 2}}], [RepeatedKey(key='a', line=3)])
    """
    loader = _Loader(text)
    documents: list[object] = []
    try:
        while loader.check_data():  # type: ignore[no-untyped-call]  # PyYAML has no types here
            documents.append(loader.get_data())
    finally:
        loader.dispose()
    return documents, loader.repeated


class _Loader(yaml.SafeLoader):
    """PyYAML's pure Python loader, because deep nesting crashes the one in C."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.repeated: Final[list[RepeatedKey]] = []
        self._seen: Final[dict[int, yaml.MappingNode]] = {}
        self._merged = 0

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """Merge mappings under ``<<`` up to a limit, because each level multiplies the keys."""
        if (
            id(node) not in self._seen
        ):  # once merged, it may have keys of theirs that it states itself
            self._seen[id(node)] = node
            self._find_repeated(node)
        stated = len(node.value)
        super().flatten_mapping(node)
        self._merged += len(node.value) if len(node.value) > stated else 0
        if len(node.value) > _MOST_KEYS or self._merged > _MOST_MERGED:
            message = f"a mapping has more than {_MOST_KEYS:,} keys"
            if self._merged > _MOST_MERGED:
                message = f"mappings with merged keys have more than {_MOST_MERGED:,} together"
            raise yaml.constructor.ConstructorError(None, None, message, node.start_mark)

    def fetch_flow_collection_start(self, TokenClass: type[yaml.Token]) -> None:  # noqa: N803 -- PyYAML's name
        """Refuse brackets that are nested beyond any configuration."""
        if self.flow_level >= _DEEPEST:
            message = f"more than {_DEEPEST} brackets inside each other"
            raise yaml.scanner.ScannerError(None, None, message, self.get_mark())
        super().fetch_flow_collection_start(TokenClass)

    def _find_repeated(self, node: yaml.MappingNode) -> None:
        keys: set[tuple[str, str]] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if (key.tag, key.value) in keys:
                    self.repeated.append(RepeatedKey(key.value, key.start_mark.line + 1))
                keys.add((key.tag, key.value))
