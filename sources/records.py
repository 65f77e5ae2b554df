"""Records as files keep them: one row a type, which both writes and reads it."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Generic, NamedTuple, TypeVar

from msgspec import Struct


class Form(NamedTuple):
    """How one field is kept: what is written of a value, and the value that is read of that."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


_Kept = TypeVar("_Kept")
_Written = TypeVar("_Written", bound=Struct)


class Record(Generic[_Kept, _Written]):
    """A type of the product, and the object that files have of it.

    Fields are kept under their own names, and as they are, but for those ``renamed`` (name in the
    file -> name in the type) and those with a form (by the name in the file). What only the file
    or only the type has is left out.
    """

    def __init__(
        self,
        kept: type[_Kept],
        written: type[_Written],
        forms: Mapping[str, Form] | None = None,
        renamed: Mapping[str, str] | None = None,
    ) -> None:
        """Match the fields of a named tuple or a dataclass with those of a struct."""
        self._kept, self._written, self._forms = kept, written, forms or {}
        names = {name: (renamed or {}).get(name, name) for name in written.__struct_fields__}
        self._names = {name: own for name, own in names.items() if own in kept.__annotations__}

    def write(self, value: _Kept) -> _Written:
        """Return the object to write."""
        fields = {name: getattr(value, own) for name, own in self._names.items()}
        forms = self._forms
        return self._written(
            **{name: forms[name].write(v) if name in forms else v for name, v in fields.items()}
        )

    def read(self, document: _Written) -> _Kept:
        """Return the value that was read; errors are those of its type."""
        fields = {own: (name, getattr(document, name)) for name, own in self._names.items()}
        forms = self._forms
        return self._kept(
            **{own: forms[n].read(v) if n in forms else v for own, (n, v) in fields.items()}
        )

    @property
    def alone(self) -> Form:
        """One such record."""
        return Form(self.write, self.read)

    @property
    def listed(self) -> Form:
        """A list of such records."""
        return Form(
            lambda values: [self.write(each) for each in values],
            lambda documents: [self.read(each) for each in documents],
        )

    @property
    def by_name(self) -> Form:
        """Such records by name."""
        return Form(
            lambda values: {name: self.write(each) for name, each in values.items()},
            lambda documents: {name: self.read(each) for name, each in documents.items()},
        )


def if_any(form: Form) -> Form:
    """Return the form of a field that may be None."""
    return Form(
        lambda value: None if value is None else form.write(value),
        lambda value: None if value is None else form.read(value),
    )


LISTED: Final = Form(list, list)
AS_TUPLE: Final = Form(list, tuple)
AS_SET: Final = Form(sorted, frozenset)
AS_MAPPING: Final = Form(dict, dict)
