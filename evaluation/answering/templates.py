"""Sentences as templates: the first whose figures are all known is said."""

from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Final, TypeAlias

from evaluation.consumer_labels import CONSUMER

_NOUNS: Final = (CONSUMER, f"{CONSUMER.rstrip()}s ")
Sentence: TypeAlias = tuple[str, ...]
"""Templates, the most telling first."""


def said(sentence: Sentence, fields: Mapping[str, object]) -> str:
    """Return the first template whose figures are all known, filled in; "" without one.

    A field in capitals is the one in small letters, as the beginning of a sentence; one behind a
    question mark has to be known, and is not said. A name begins a sentence as it is written; the
    noun before it does not.

    >>> said(("{Who} read {lag}.", "Nothing is known."), {"who": "three of them"})
    'Nothing is known.'
    >>> said(("{Who} stopped.{?dated}",), {"who": "three of them", "dated": "yes"})
    'Three of them stopped.'
    >>> said(("{who} stopped.",), {"who": "consumer orders-4"})
    'Consumer orders-4 stopped.'
    >>> said(("{who} stopped.",), {"who": "consumers orders-4 and orders-5"})
    'Consumers orders-4 and orders-5 stopped.'
    """
    for template in sentence:
        if named_in(template) <= fields.keys():
            text = template.format_map({n: _field(n, fields) for n in _written(template)})
            is_noun = template.startswith("{") and text.startswith(_NOUNS)
            return text[0].upper() + text[1:] if is_noun else text
    return ""


def joined(sentences: Sequence[Sentence], fields: Mapping[str, object], besides: str = "") -> str:
    """Return what is said of these sentences, one after another, without one that is said above."""
    every = (said(sentence, fields) for sentence in sentences)
    return " ".join(each for each in every if each and each != besides)


def named_in(template: str) -> frozenset[str]:
    """Return the figures that a template names, and those that have to be known for it.

    >>> sorted(named_in("{Who} stopped.{?dated}"))
    ['dated', 'who']
    """
    return frozenset(map(_key, _written(template)))


def _written(template: str) -> list[str]:
    return [name for _, name, _, _ in Formatter().parse(template) if name]


def _key(name: str) -> str:
    name = name.removeprefix("?")
    return name[0].lower() + name[1:]


def _field(name: str, fields: Mapping[str, object]) -> str:
    if name.startswith("?"):
        return ""
    value = str(fields[_key(name)])
    return value if name[0].islower() else value[:1].upper() + value[1:]
