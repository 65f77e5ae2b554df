"""The report on a group that is no consumer group: the page's answer, on paper."""

from collections.abc import Iterator
from datetime import UTC, date, datetime

import streamlit as st

from assignors import __version__
from charts.report import FirstPage, Part, ReportTable, Section, TermList, report
from evaluation.kinds.board import Board
from evaluation.kinds.said import KindWords
from evaluation.kinds.view import KindView
from evaluation.kinds.words import size_said
from ui import downloads
from ui.kinds.drawn import picture_of
from ui.picture.model import FactTable


def kind_report_button(view: KindView, words: KindWords, title: str) -> None:
    """Offer the report on what is asked of the group, built when the button is pressed."""
    st.download_button(
        "Report",
        lambda: kind_report(view, words, title, datetime.now(UTC).date()).encode(),
        file_name=downloads.file_name(view.read.id, "-report.html"),
        mime="text/html",
        on_click="ignore",
        help="The answer on one page to print, then what it rests on, in one file that opens "
        "offline",
    )


def kind_report(view: KindView, words: KindWords, title: str, made_on: date) -> str:
    """Return the report as HTML; nothing but its date varies between runs."""
    page = FirstPage(
        title=title,
        made=f"{', '.join(size_said(view))}. Made on {made_on:%d %B %Y} by {__version__}.",
        headline=words.finding,
        evidence=words.evidence,
        action=words.action,
    )
    advice = [[each.setting, each.value, each.why] for each in words.advice]
    basis = [("Prediction", f"{view.found.certainty.text}. {view.found.certainty.why}".strip())]
    basis += [("Assumed", each) for each in view.found.assumptions]
    sections = [Section("What this rests on", [TermList(basis)])]
    if advice:
        table = ReportTable("Settings", ("Setting", "Set to", "Brings"), advice, texts=3)
        sections.insert(0, Section("Settings that matter here", [table]))
    return report(page, _first(view), sections)


def _first(view: KindView) -> Iterator[Part]:
    if view.is_changed:
        yield _members(view.now, "Now")
        yield _members(view.then, "At rest again")
    else:
        yield _members(view.now, "Who runs what")
    drawn = picture_of(view, view.then if view.is_changed else view.now)
    for table in (drawn.beside, drawn.below):
        if isinstance(table, FactTable):
            heads = [head.label for head in table.heads]
            texts = next((at for at, head in enumerate(table.heads) if head.is_number), len(heads))
            yield ReportTable(table.title, heads, table.rows, texts=texts)


def _members(board: Board, caption: str) -> ReportTable:
    rows = [
        (
            f"{each.home} {each.label}".strip(),
            "left" if each.is_gone else ", ".join(block.name for block in each.runs) or "idle",
            "" if each.is_gone else ", ".join(block.name for block in each.copies),
        )
        for each in board.holders
    ]
    has_copies = any(row[2] for row in rows)
    heads = ("Member", "Runs", "Copies") if has_copies else ("Member", "Runs")
    return ReportTable(caption, heads, [row[: len(heads)] for row in rows], texts=len(heads))
