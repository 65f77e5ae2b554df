"""Telemetry files to checked rows and rejected ones; nothing is lost silently."""

from pipeline.reading.errors import ReadingError
from pipeline.reading.files import InputFile
from pipeline.reading.telemetry import Telemetry
from pipeline.reading.text_rows import with_telemetry

__all__ = ["InputFile", "ReadingError", "Telemetry", "with_telemetry"]
