"""Read values printed by Java and Python, and YAML, like JSON."""

import json
import re
from typing import Final

import yaml

from sources.pastes.documents import COLON, Document, Json, Tree, documents_in, objects_in
from sources.yaml_documents import yaml_documents

_JSON_KEY: Final = re.compile(r'"\s*:')
_PRINTED_OPENING: Final = re.compile(r"\(\w{1,60}=|\{'\w{1,60}':")
_PRINTED: Final = re.compile(
    r"""
    (?P<quote>['"])(?P<text>(?:(?!(?P=quote))[^\\\n]|\\.){0,9999})(?P=quote)
    | (?P<bare>[^()\[\]{}='"\n]*)(?P<mark>[=()\[\]{}])
    | (?P<last>[^()\[\]{}='"\n]+)
    """,
    re.VERBOSE,
)
"""Keys before "=", bare words, and class names before brackets."""
_YAML_LINE: Final = re.compile(r"(?:- )?[A-Za-z_]\w*:(?: |$)|- |---|\s+\S|\s*$")
_YAML_KEY: Final = re.compile(r"(?:- )?[A-Za-z_]\w*:(?: |$)")
_MOST_YAML: Final = 100_000
"""The most characters; PyYAML's Python loader takes seconds for more."""


def values_in(text: str) -> list[Document]:
    """Return every object or list in a text: JSON, printed values, YAML."""
    documents = documents_in(text) if _JSON_KEY.search(text) else []
    return documents or _printed_in(text) or _yaml_in(text)


def _printed_in(text: str) -> list[Document]:
    """Return every value that Java's ``toString`` or Python's ``repr`` printed, in order."""
    documents: list[Document] = []
    line = done = 0
    while (opening := _PRINTED_OPENING.search(text, done)) is not None:
        first = line + text.count("\n", done, opening.start())
        tree, end = Tree(), opening.end()
        for token in _PRINTED.finditer(text, opening.start()):
            end = token.end()
            if token["text"] is None:
                _take(tree, token)
            elif COLON.match(text, end):
                tree.name(token["text"])
            else:
                tree.put(token["text"])
            if tree.is_closed:
                break
        line = first + text.count("\n", opening.start(), end)
        documents.append(Document(tree.roots, range(first, line + 1), tree.repeated))
        done = end
    return documents


def _take(tree: Tree, token: re.Match[str]) -> None:
    """Consume bare words before a key's "=" or a bracket."""
    mark = token["mark"] or ""
    words, _, word = (token["bare"] if mark else token["last"]).strip(" :").rpartition(",")
    is_value = mark not in {"=", "(", "[", "{"}
    values = [words, word] if is_value else [words]
    text = ",".join(values).strip(" ,")
    for value in text.split(",") if tree.is_in_list else [text]:
        if value:
            tree.put(value.strip())
    if mark == "=":
        tree.name(word.strip())
    elif mark:
        tree.mark({"(": "{", ")": "}"}.get(mark, mark))


def _yaml_in(text: str) -> list[Document]:
    """Return the first block of YAML in a text, if it has one."""
    lines = text.split("\n")
    first = next((n for n, line in enumerate(lines) if _YAML_KEY.match(line)), len(lines))
    last = next((n for n in range(first, len(lines)) if not _YAML_LINE.match(lines[n])), len(lines))
    block = "\n".join(lines[first:last])
    if not block or len(block) > _MOST_YAML or "&" in block:  # an anchor can expand to any size
        return []
    try:
        loaded, repeated = yaml_documents(block)
        value: Json = json.loads(json.dumps(loaded, default=str))  # makes every key a text
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        return []
    keys = tuple(dict.fromkeys(each.key for each in repeated))
    return [Document(value, range(first, last), keys)] if any(objects_in(value)) else []
