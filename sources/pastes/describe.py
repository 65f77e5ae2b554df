"""``kafka-consumer-groups --describe`` of all releases: one row per partition.

Also tables that differ only by names: ``ConsumerOffsetChecker``, ``ConsumerGroupLag``,
``rpk group describe``, ``rpk cluster offsets``.
"""

import re
from typing import Final

from evaluation.wording import plural
from sources import cells
from sources.columns import Field
from sources.pastes.cut_rows import whole_rows, with_unknown_owner
from sources.pastes.headers import TableKind
from sources.pastes.layout import Cells, Columns
from sources.pastes.page import Page, is_decoration
from sources.pastes.parsed import (
    OWNER,
    GroupKey,
    MemberRow,
    Parsed,
    at_lines,
    owner_of,
    row_of,
)
from sources.pastes.sections import TableSection
from sources.pastes.wrapped_rows import rows_in

FORMAT: Final = "kafka-consumer-groups --describe"
_BETWEEN: Final = re.compile(r"[\s|]+")
_NUMBER: Final = re.compile(r"\d[\d.,]*[kKMGTB]?")
_CLOCK: Final = re.compile(r"\d{1,2}:\d\d:\d\d")
_SUMS: Final = frozenset({"total", "total:", "sum", "sum:"})
_SUSPICIOUS_NUMBERS: Final = 2


def read_offsets(page: Page, section: TableSection, parsed: Parsed, group: str = "") -> None:
    """Add the rows of one table of offsets.

    Rows of dashes with a CONSUMER-ID become members without partitions. A group named above the
    table replaces a missing GROUP column.
    """
    header = section.header
    is_per_topic = header.kind == TableKind.TOPIC_LAGS
    keys = {"": GroupKey(group, "" if group else section.hint)}
    blank = dict.fromkeys(header.fields, "")
    before = parsed.record_count
    previous: Cells = {}
    columns = Columns(header, section.topic)
    whole = whole_rows(page, section.body, list(rows_in(page, section.body, columns)), header)
    for lines, own in whole.rows:
        row = _filled(own, previous) if header.delimiter else own
        if row is None:
            continue
        parsed.used.update(lines)
        previous = row
        name = row.get(Field.GROUP, "")
        key = keys.setdefault(name, GroupKey(name))
        if Field.TOPIC in row and not cells.is_nothing(row[Field.TOPIC]):
            if header.kind is TableKind.SHARED:
                row.pop(Field.BEGIN, None)  # where reading starts, neither the log nor a commit
            partition = 0 if is_per_topic else int(row[Field.PARTITION])
            named = (row[Field.TOPIC], partition)
            read = row_of(lines[0], key, named, blank | row, cells.number)
            is_cut = whole.cut == lines[-1]
            parsed.rows.append(with_unknown_owner(read, row) if is_cut else read)
        elif owner_of(row)[0]:
            parsed.members.append(MemberRow(lines[0], key, *owner_of(row), partitions=0))
    if parsed.record_count > before:
        parsed.used.update(section.names)
        parsed.note_cut(whole.cut, {row.group for row in parsed.rows[-1:]})
        if _names_clients_and_hosts(page, section):
            _split_owners(parsed)
        _note_unread_lines(page, section, parsed)
        above = page.lines[section.names.start].strip() if section.topic else "topic"
        if "topic" not in above.lower() and not above.endswith(":"):
            parsed.notes.append(
                f"{at_lines(section.names[:1])}: {section.topic!r} is read as the topic of the "
                "table below."
            )


def _names_clients_and_hosts(page: Page, section: TableSection) -> bool:
    """Return whether the table is of Kafka 0.9 or 0.10, whose OWNER is client id and host."""
    fields = section.header.fields
    words = page.lines[section.names.start].upper() if section.names else ""
    return "OWNER" in words and Field.MEMBER in fields and Field.HOST not in fields


def _split_owners(parsed: Parsed) -> None:
    """Give each row the client id and host in its owner, ``CLIENT_/HOST``."""
    owners: dict[str, None] = {}
    for place, row in enumerate(parsed.rows):
        client, slash, host = row.member.rpartition("/")
        if slash and client and not row.client:
            parsed.rows[place] = row._replace(client=client.removesuffix("_"), host=host)
            owners[row.member] = None
    if owners:
        parsed.merged |= {row.group for row in parsed.rows if row.member in owners}
        parsed.notes.append(
            f"OWNER names client id and host: consumers of one client id on one host look alike, "
            f"so that {plural(len(owners), 'owner')} may be more consumers."
        )


def _filled(row: Cells, above: Cells) -> Cells | None:
    """Return the row of a partition with what merged cells say above it; None without a topic."""
    if cells.is_nothing(row.get(Field.PARTITION, "")):
        return row
    kept = {f: above[f] for f in (Field.GROUP, Field.TOPIC) if f in above}
    row = kept | row if Field.TOPIC in row or Field.TOPIC in kept else {}
    return row or None


def _note_unread_lines(page: Page, section: TableSection, parsed: Parsed) -> None:
    """Note unreadable lines that look like rows, and elisions."""
    unread = [number for number in section.body if number not in parsed.used]
    parsed.note_unreadable("a row", (n for n in unread if _looks_like_row(page.lines[n], section)))
    elided = [n for n in unread if page.lines[n].strip() in {"...", "…", "[...]", "....", ".."}]
    if elided:
        parsed.notes.append(
            f"{at_lines(elided)}: rows were left out here; only the rows shown are read."
        )


def _looks_like_row(line: str, section: TableSection) -> bool:
    words = [word for word in _BETWEEN.split(line) if word]
    numbers = sum(map(bool, map(_NUMBER.fullmatch, words)))
    wanted = len(section.header.columns)
    is_time = section.header.prefix == 0 and any(map(_CLOCK.fullmatch, words))
    return (
        not is_decoration(line)
        and not is_time
        and words[0].lower() not in _SUMS
        and numbers >= _SUSPICIOUS_NUMBERS
        and wanted - len(OWNER) <= len(words) <= wanted + _SUSPICIOUS_NUMBERS
    )
