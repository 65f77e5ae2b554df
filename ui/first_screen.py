"""What the first visitor would wait for, begun when the server starts.

Streamlit imports a page when it is first opened.
"""

import ast
import inspect
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module, util
from pathlib import Path
from threading import Thread
from typing import Final

from processes.calls import StoppedError
from ui import browser_files

_ROOT: Final = Path(__file__).resolve().parents[1]


def prepare() -> None:
    """Import what the Group page imports; then answer, beside visitors, on its examples.

    The server answers nobody before the imports: both at once would take longer than either.
    """
    packing = Thread(target=browser_files.pack_first, daemon=True)  # gzip lets imports go on
    packing.start()
    for name in modules_of("compare"):
        import_module(name)
    # Streamlit looks once who started it, for which inspect asks every module for its file.
    inspect.stack()
    packing.join()
    Thread(target=_answer_examples, daemon=True).start()


def _answer_examples() -> None:
    """Answer on the first example and the largest; then simulate what their pages would."""
    answers, samples = import_module("ui.answers"), import_module("sources.samples")
    with suppress(StoppedError):  # whoever opens the page is told
        groups = [samples.load(id_) for id_ in (samples.SAMPLES[0].id, samples.LARGE)]
        for answer in [answers.answer_before_visits(group) for group in groups]:
            answers.refine_before_visits(answer)


def modules_of(page: str) -> Iterator[str]:
    """Yield the names of the modules that the script of a page imports."""
    for node in ast.walk(ast.parse((_ROOT / "pages" / f"{page}.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            within = (f"{node.module}.{name.name}" for name in node.names)
            yield from (name for name in within if _is_module(name))


def _is_module(name: str) -> bool:
    try:
        return util.find_spec(name) is not None
    except ModuleNotFoundError:  # its parent is a module without parts
        return False
