"""A table → its moves and positions as Python shows them to whoever looks at them: with the names of cards."""

from __future__ import annotations

from typing import Any, Protocol

from teufelswerk.interpreter.state import Move, State

WIDTH = 160


class Table(Protocol):
    """What a game can tell of its moves and positions."""

    def choice(self, move: Move) -> dict[str, Any]: ...
    def player(self, state: State) -> int | None: ...
    def text(self, state: State) -> str: ...


def of_table(table: Table) -> tuple[type[Move], type[State]]:
    """The tuples that moves and positions are, which know their table when they are shown and nowhere else."""

    class TableMove(Move):
        __slots__ = ()

        def __repr__(self) -> str:
            values = table.choice(self).values()
            chosen = [each for value in values for each in (value if isinstance(value, list) else [value])]
            return f"<Move: player {self.player} {self.verb}{' ' if chosen else ''}{', '.join(map(str, chosen))}>"

        def __reduce__(self) -> tuple[type[Move], tuple[Any, ...]]:
            return Move, tuple(self)

    class TableState(State):
        __slots__ = ()

        def __repr__(self) -> str:
            player = table.player(self)
            head = "over" if player is None else f"player {player} to move"
            shown = " ".join(part for part in table.text(self).split()[1:] if not part.startswith(("at=", "chance=")))
            return f"<State: {head}; {shown if len(shown) <= WIDTH else shown[: WIDTH - 1] + '…'}>"

        def __reduce__(self) -> tuple[type[State], tuple[Any, ...]]:
            return State, tuple(self)

    return TableMove, TableState
