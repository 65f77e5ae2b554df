"""Outputs at which something goes wrong; Spark's workers import this module."""

from collections.abc import Sequence

from deltalake.transaction import AddAction

from pipeline.lake import Lake


class FailingLake(Lake):
    """Loses its connection when a table is about to be committed."""

    def commit(self, table: str, files: Sequence[AddAction], *, after: int | None = None) -> int:
        if table == "member_load":
            message = "the disk is full"
            raise OSError(message)
        return super().commit(table, files, after=after)


class SharedLake(Lake):
    """Somebody else commits to a table first."""

    def commit(self, table: str, files: Sequence[AddAction], *, after: int | None = None) -> int:
        if table == "group_summary":
            Lake(self.output).commit(table, [])
        return super().commit(table, files, after=after)
