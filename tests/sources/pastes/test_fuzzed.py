"""Any text yields a reading or one sentence, with every line accounted for, never a crash."""

from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from sources.errors import SourceError
from sources.pastes.page import Page, is_decoration
from sources.text import PASTES as PARSERS
from sources.text import read_text
from tests.groups import tried
from tests.sources.pastes.test_burrow import PRETTY
from tests.sources.pastes.test_consumer_log import LOG, OTHERS
from tests.sources.pastes.test_describe import GENERATIONS
from tests.sources.pastes.test_json_rows import AKHQ, KAFBAT, REST
from tests.sources.pastes.test_json_rows import TEXT as LAG_JSON
from tests.sources.pastes.test_members import KAFKA_4, OFFSETS, VERBOSE
from tests.sources.pastes.test_noise import DISGUISES, FRAMES, ONE_TOPIC, WRAPS
from tests.sources.pastes.test_other_tools import CELLS
from tests.sources.pastes.test_prometheus import GRAFANA_CSV, KAFKA_EXPORTER, KMINION, LAG_EXPORTER
from tests.sources.pastes.test_rpk import EMPTY, KAF, KAFKACTL, STABLE
from tests.sources.pastes.test_state import KAFKA_3, KAFKA_4_VERBOSE
from tests.sources.pastes.test_topics import KCAT, OLD

PASTES: Final = [
    *GENERATIONS.values(),
    *DISGUISES.values(),
    *WRAPS.values(),
    *OTHERS.values(),
    *FRAMES.values(),
    *(KAF, KAFKACTL, CELLS, GRAFANA_CSV),
    *(OFFSETS, VERBOSE, KAFKA_4, KAFKA_3, KAFKA_4_VERBOSE, EMPTY, STABLE, KCAT, OLD),
    *(LOG, ONE_TOPIC, PRETTY, LAG_JSON, REST, KAFBAT, AKHQ, KAFKA_EXPORTER, KMINION, LAG_EXPORTER),
]
_FRAGMENTS: Final = sorted({word for paste in PASTES for word in paste.split()})
_GLUE: Final = st.sampled_from(
    [" ", "  ", "\n", "\t", "", ",", "|", "/", ":", "(", ")", '"', "{", "}", "-"]
)


@st.composite
def _mutated(draw: st.DrawFn) -> str:
    """Cut pieces out of real pastes, shuffle them, and insert odd text between them."""
    pieces = []
    for _ in range(draw(st.integers(1, 4))):
        paste = draw(st.sampled_from(PASTES))
        first = draw(st.integers(0, len(paste)))
        pieces.append(paste[first : first + draw(st.integers(0, 600))])
        pieces.append(draw(st.one_of(_GLUE, st.text(max_size=5), st.sampled_from(_FRAGMENTS))))
    return "".join(pieces)


_WORDS: Final = st.lists(st.tuples(st.sampled_from(_FRAGMENTS), _GLUE), max_size=60).map(
    lambda pairs: "".join(word + glue for word, glue in pairs)
)


@given(st.one_of(_mutated(), _WORDS, st.text(max_size=300)))
@tried(400)
def test_any_text_gives_readings_or_one_sentence(text: str) -> None:
    try:
        found = read_text(text)
    except SourceError as error:
        assert "\n" not in str(error)  # noqa: PT017 -- either outcome is right, both are checked
        return

    assert found
    for reading in found:
        assert reading.rows >= 0
        assert len(set(reading.group.members)) == reading.group.member_count


@given(_mutated())
@tried(300)
def test_every_line_is_used_or_ignored_or_empty_of_content(text: str) -> None:
    page = Page(text)

    for found in [parse(page) for parse in PARSERS.values()]:
        ignored = {number - 1 for number, _ in page.ignored(found.used)}
        silent = set(range(len(page.lines))) - found.used - ignored
        assert found.used.isdisjoint(ignored)
        assert found.used <= set(range(len(page.lines)))
        assert all(is_decoration(page.lines[n]) or _is_comment(page.lines[n]) for n in silent)


def _is_comment(line: str) -> bool:
    return any(word in line for word in ("HELP", "TYPE", "Note: ", "onsumer group '"))


@given(
    st.sampled_from(PASTES), st.integers(0, 40), st.text(alphabet='abc 012/-,:|{}"', max_size=40)
)
@tried(200)
def test_a_strange_line_anywhere_never_crashes(paste: str, place: int, strange: str) -> None:
    lines = paste.splitlines()
    lines.insert(place, strange)

    try:
        found = read_text("\n".join(lines))
    except SourceError:
        return

    assert found
