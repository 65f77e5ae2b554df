"""A pasted text as lines: verbatim ones to quote, and cleaned ones to read."""

import re
from functools import cached_property
from typing import Final

from evaluation.wording import listed
from sources.budget import LIMITS, Limits
from sources.pastes.cleaning import as_read, cleaned, with_line_breaks
from sources.pastes.documents import MOST_BROKEN, Document
from sources.pastes.parsed import at_lines
from sources.pastes.printed import values_in
from sources.pastes.wrapped_logs import whole_lines

_WORD: Final = re.compile(r"\w+")
_MARKUP: Final = ("code", "noformat", "quote")
"""Jira's macros for blocks of text."""
_COMMENTARY: Final = re.compile(
    r"\W*(?:Note: This will (?:only|not) show information about"
    r"|(?:Warning: )?(?:Consumer|Share|Streams) group '.*' (?:has no active members|is rebalancing)"
    r"|HELP \w+ |TYPE \w+ \w+\s*$)"
)
_COMMAND: Final = re.compile(
    r"(?:^|[\s/\\])(?:kafka-consumer-groups(?:\.sh|\.bat)?\s.{0,200}?-\w"
    r"|rpk (?:-\S+ )?group \w|kafka-groups(?:\.sh|\.bat)?\s+--\w)"
)
"""The call of a tool whose output follows, behind any prompt."""
_BARE_PROMPT: Final = re.compile(
    r"\s*(?:\[[^\]]{1,80}\]|[\w.-]{1,64}@[\w.-]{1,64}(?::\S{0,200}?)?|PS [^>]{1,200}?)\s?"
    r"[#$%>\u276f]\s*$"
)

_ALTERED: Final = re.compile(
    r"[\x00\x1b\xad\u061c\u200b-\u200f\u2010-\u2015\u202a-\u202e\u2060-\u2069\u2212\ufeff]|(?![0-9])\d"
)
"""What ``cleaned`` removes from a word or replaces in it."""
_APART: Final = re.compile(r"""(?:\x1b\[[\d;]*m|[\s"',;|=(){}\]]|(?<!\x1b)\[)+""")
"""What stands between the names of a table, of JSON and of printed values, colours included."""
_MOST_MERGED: Final = 4
_MOST_SHOWN: Final = 2_000
"""The most characters of a line to quote."""


class Page:
    """The lines of one text, numbered from 0 here and from 1 for users."""

    def __init__(self, text: str, limits: Limits = LIMITS) -> None:
        self.source: Final = text
        self.limits: Final = limits

    @cached_property
    def raw(self) -> list[str]:
        """The verbatim lines. Raises SourceError for too many."""
        text = with_line_breaks(self.source)
        self.limits.check("lines", text.count("\n"))
        return text.split("\n")

    @cached_property
    def _cleaned(self) -> list[str]:
        return cleaned("\n".join("" if self._is_no_row(line) else line for line in self.raw))

    def _is_no_row(self, line: str) -> bool:
        """Return whether a line is too long for a row and no JSON: reading it would take long."""
        return len(line) > self.limits.characters and not ("{" in line or "[" in line)

    @cached_property
    def text(self) -> str:
        """The cleaned lines as one text, including long ones, since JSON may be on one line."""
        return "\n".join(self._cleaned)

    @cached_property
    def overlong(self) -> list[int]:
        """Numbers of the lines beyond the limit."""
        most = self.limits.characters
        both = enumerate(zip(self.raw, self._cleaned, strict=False))
        return [n for n, (raw, line) in both if len(line) > most or self._is_no_row(raw)]

    @cached_property
    def lines(self) -> list[str]:
        """The cleaned lines, in which tables are read; those beyond the limit are blank."""
        lines = list(self._cleaned)
        for number in self.overlong:
            lines[number] = ""
        return lines

    @cached_property
    def logged(self) -> list[str]:
        """The same lines of a consumer's log, whole where they were wrapped."""
        return whole_lines(self.lines)

    def of_logged(self, number: int) -> range:
        """Return the lines on which one of ``logged`` stands."""
        after = number + 1
        while after < len(self.lines) and self.lines[after] and not self.logged[after]:
            after += 1
        return range(number, after)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on lines that are too long to be read as rows, and on invisible characters."""
        notes = []
        if self.overlong:
            notes.append(
                f"{at_lines(self.overlong)}: more than {self.limits.characters:,} characters are "
                "too many for a row of a table; assign.py --limit characters=N raises the limit."
            )
        if merged := self._merged():
            notes.append(
                "Names that differ in invisible or lookalike characters alone are read as one: "
                f"{listed(merged, _MOST_MERGED)}."
            )
        return tuple(notes)

    def _merged(self) -> list[str]:
        """Return the words that are written in several ways, which reading makes one."""
        if not _ALTERED.search(self.source):
            return []
        forms: dict[str, set[str]] = {}
        for line in self.raw:
            if _ALTERED.search(line):
                for word in _APART.split(line):
                    forms.setdefault(as_read(word), set()).add(word)
        for line in self.raw:
            for word in forms.keys() & set(_APART.split(line)):
                forms[word].add(word)
        return [
            ascii(each) for each in forms if any(map(str.isalnum, each)) and len(forms[each]) > 1
        ]

    @cached_property
    def documents(self) -> list[Document]:
        """Every JSON object or list in the text, valid or broken, in order.

        Without any: values printed by Java and Python, or YAML.
        """
        return values_in(self.text)

    def notes_on_documents(self, used: set[int]) -> tuple[str, ...]:
        """Return notes on the documents on these lines: keys that stand twice, and a cut end."""
        documents: list[Document] = vars(self).get("documents", [])  # no table is searched for any
        read = [each for each in documents if not used.isdisjoint(each.lines)]
        notes = []
        if cut := [each.lines.start for each in read if each.is_cut]:
            notes.append(
                f"{at_lines(cut)}: this JSON is broken, and what lies beyond its first "
                f"{MOST_BROKEN:,} characters was not read; mend it to read all of it."
            )
        if opened := [each.lines.stop - 1 for each in read if each.is_open]:
            notes.append(
                f"{at_lines(opened)}: the text ends within this JSON; what is missing of it is "
                "unknown."
            )
        if repeated := [each for each in read if each.repeated]:
            keys = list(dict.fromkeys(repr(key) for each in repeated for key in each.repeated))
            verb = "stands" if len(keys) == 1 else "stand"
            lines = at_lines(each.lines.start for each in repeated)
            named = listed(keys, _MOST_MERGED)
            notes.append(f"{lines}: {named} {verb} twice in one object; the last value counts.")
        return tuple(notes)

    def ignored(self, used: set[int]) -> tuple[tuple[int, str], ...]:
        """Return number and text of every unused line with content."""
        overlong = set(self.overlong)
        return tuple(
            (number + 1, _shortened(self.raw[number].rstrip()))
            for number, line in enumerate(self.lines)
            if number not in used
            and (number in overlong or not (is_decoration(line) or _COMMENTARY.match(line)))
        )


def is_command(line: str) -> bool:
    """Return whether a line is a prompt, or the call of a tool whose output was pasted.

    >>> is_command("$ kafka-consumer-groups.sh --describe --group pay"), is_command("pay orders 0")
    (True, False)
    """
    return bool(_COMMAND.search(line) or _BARE_PROMPT.match(line))


def _shortened(line: str) -> str:
    if len(line) <= _MOST_SHOWN:
        return line
    return f"{line[:_MOST_SHOWN]}… ({len(line):,} characters)"


def is_decoration(line: str) -> bool:
    """Return whether a line is blank, a rule, a fence or an elision: no word and no number."""
    return not any(map(str.isalnum, line)) or _is_fence(line) or _is_braced(line)


def _is_fence(line: str) -> bool:
    """Return whether a line is a Markdown fence, with or without the name of a language."""
    if "```" not in line and "~~~" not in line:
        return False
    words = _WORD.findall(line)
    before = line.rstrip().removesuffix(words[-1]).rstrip()
    return len(words) == 1 and before.endswith(("```", "~~~"))


def _is_braced(line: str) -> bool:
    """Return whether a line is Jira's ``{code:sql}`` and nothing else."""
    first = _WORD.search(line) if "{" in line else None
    if first is None or line[: first.start()][-1:] != "{" or not first[0].startswith(_MARKUP):
        return False
    inside, closed, after = line[first.start() :].partition("}")
    return bool(closed) and "{" not in inside and not _WORD.search(after)
