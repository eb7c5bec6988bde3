"""`dataclass` for modules with dozens of them: made in a fifth of the time, which would be a part of every start.

Python spends most of that time on compiling methods that come to the same for all classes. Here only `__init__` is
compiled. That nobody sets an attribute of a frozen one is left to the type checker, to which they are like others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    import dataclasses
    from operator import attrgetter
    from reprlib import recursive_repr

    def dataclass(cls=None, /, *, frozen=False, eq=True):
        """The decorator. A method that a class has of its own stays."""
        if cls is None:
            return lambda cls: dataclass(cls, frozen=frozen, eq=eq)
        made = dataclasses.dataclass(repr=False, eq=False)(cls)
        for name, method in {"__repr__": _shown, **(_compared(made, frozen) if eq else {})}.items():
            if name not in cls.__dict__:
                setattr(cls, name, method)
        return made

    def _compared(cls, frozen):
        names = [field.name for field in dataclasses.fields(cls) if field.compare]
        values = attrgetter(*names) if names else lambda _: ()

        def equal(self, other):
            return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

        def hashed(self):
            return hash(values(self))

        return {"__eq__": equal, "__hash__": hashed if frozen else None}

    @recursive_repr()
    def _shown(self):
        values = [f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr]
        return f"{type(self).__qualname__}({', '.join(values)})"
