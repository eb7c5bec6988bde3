"""A position as plain data: compared, hashed, written as one line or as JSON, and read back."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from teufelswerk.base.texts import Text

if TYPE_CHECKING:
    from teufelswerk.interpreter.machine import Layout


class Unreadable(ValueError):
    """A text that is no position, move or record of this game; says what is wrong with it."""

    def __init__(self, message: Text) -> None:
        super().__init__(str(message))
        self.message = message


class Move(NamedTuple):
    """A player's decision: the verb, and what was chosen, in the order of the move's choices, as numbers."""

    player: int
    verb: str
    picks: tuple[Any, ...]


class State(NamedTuple):
    """Everything about a position, the place in the flow included. Seats, cards, places and names are numbers."""

    pc: int
    slots: tuple[Any, ...]
    places: tuple[tuple[int, ...], ...]
    owners: tuple[int, ...]
    keeps: tuple[int | None, ...]
    pending: tuple[Move, ...]
    winners: tuple[int, ...] | None
    passing: bool
    rng: int


def to_text(state: State, layout: Layout) -> str:
    """The position as one line: `4@17 … points=0/0/3/5 hand=1,2/3/4,5/… table=22:0,30:1 chance=…`."""
    model = layout.model
    flow = "~".join(_number(value) for value in state.slots)
    fields = [f"{layout.players}@{state.pc}", f"at={flow}"]
    for name, base in layout.keep_base.items():
        size = len(layout.keys(model.remembered[name].key))
        fields.append(f"{name}={'/'.join(_number(value) for value in state.keeps[base : base + size])}")
    for name, base in layout.place_base.items():
        size = len(layout.keys(model.places[name].key))
        lying = [state.places[base + i] for i in range(size)]
        if name == "box":  # of what is out of play, only what was somebody's
            lying = [tuple(card for card in lying[0] if state.owners[card] >= 0)]
        groups = [",".join(_card(state, layout, base + i, card) for card in cards) for i, cards in enumerate(lying)]
        if any(groups):
            fields.append(f"{name}={'/'.join(groups)}")
    if state.pending:
        fields.append("pending=" + ";".join(f"{m.player}.{m.verb}.{_picks(m.picks)}" for m in state.pending))
    if state.winners is not None:
        fields.append("winners=" + ",".join(map(str, state.winners)))
    if not state.passing:
        fields.append("moved=1")
    fields.append(f"chance={state.rng:x}")
    return " ".join(fields)


def _number(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, tuple):
        return "+" + "+".join(map(str, value))
    return str(value)


def _picks(picks: tuple[Any, ...]) -> str:
    return ",".join(_number(pick) for pick in picks)


def _card(state: State, layout: Layout, place: int, card: int) -> str:
    """A card's id (those of identical cards numbered), with its last owner where the place itself does not say."""
    id, owner = layout.model.cards[card].own_id, state.owners[card]
    return id if owner == layout.owner[place] else f"{id}:{owner if owner >= 0 else '-'}"


def from_text(text: str, layout: Layout, slots: int) -> State:
    """The position that a line describes. Whatever the line does not place lies in the box."""
    head, *rest = text.split()
    match = re.fullmatch(r"(\d+)@(\d+)", head) if text.split() else None
    if not match or int(match[1]) != layout.players:
        raise Unreadable(Text("the position does not begin with {example}", example=f"`{layout.players}@…`"))
    fields = dict(part.split("=", 1) for part in rest if "=" in part)
    try:
        flow = tuple(_value(part) for part in fields.pop("at").split("~")) if slots else ()
        if len(flow) != slots:
            raise ValueError(fields)
        keeps: list[int | None] = []
        for name in layout.keep_base:
            keeps += [_value(part) for part in fields.pop(name).split("/")]
        pending = tuple(_pending(part) for part in fields.pop("pending", "").split(";") if part)
        winners = fields.pop("winners", None)
        moved = fields.pop("moved", None)
        rng = int(fields.pop("chance"), 16)
        places, owners = _places(fields, layout)
    except (KeyError, ValueError, IndexError) as problem:
        raise Unreadable(Text("the position cannot be read: {what}", what=str(problem))) from None
    won = tuple(int(seat) for seat in winners.split(",") if seat) if winners is not None else None
    return State(int(match[2]), flow, places, owners, tuple(keeps), pending, won, moved is None, rng)


def _value(text: str) -> Any:
    if text == "-":
        return None
    if text.startswith("+"):
        return tuple(int(item) for item in text[1:].split("+") if item)
    return int(text)


def _pending(text: str) -> Move:
    player, verb, picks = text.split(".")
    return Move(int(player), verb, tuple(_value(pick) for pick in picks.split(",") if pick))


def _places(fields: dict[str, str], layout: Layout) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    cards = {card.own_id: card.index for card in layout.model.cards}
    places: list[list[int]] = [[] for _ in layout.place_names]
    owners = [-1] * len(cards)
    placed: set[int] = set()
    for name, value in fields.items():
        base = layout.place_base[name]
        for offset, group in enumerate(value.split("/")):
            for part in filter(None, group.split(",")):
                id, _, owner = part.partition(":")
                card, place = cards[id], base + offset
                if card in placed:
                    raise ValueError(id)
                placed.add(card)
                places[place].append(card)
                lies = layout.owner[place]
                owners[card] = lies if lies >= 0 or not owner else -1 if owner == "-" else int(owner)
    places[0] = sorted([*places[0], *(card for card in range(len(cards)) if card not in placed)])
    for index, ordered in enumerate(layout.ordered):
        if not ordered:
            places[index].sort()
    return tuple(map(tuple, places)), tuple(owners)


def to_json(state: State) -> str:
    """The position as JSON, in the engine's own numbers."""
    return json.dumps(state._asdict())


def from_json(text: str) -> State:
    """The position that `to_json` wrote."""
    try:
        data = json.loads(text)
        return State(
            int(data["pc"]),
            _tuples(data["slots"]),
            _tuples(data["places"]),
            _tuples(data["owners"]),
            _tuples(data["keeps"]),
            tuple(Move(int(p), str(v), _tuples(c)) for p, v, c in data["pending"]),
            _tuples(data["winners"]) if data["winners"] is not None else None,
            bool(data["passing"]),
            int(data["rng"]),
        )
    except (KeyError, TypeError, ValueError) as problem:
        raise Unreadable(Text("the position cannot be read: {what}", what=str(problem))) from None


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value
