"""What a seat may see of a position: the only thing that screens and bots are given."""

from __future__ import annotations

from typing import Any

from teufelswerk.base.quick_dataclass import dataclass
from teufelswerk.core.statements import Core
from teufelswerk.interpreter.program import Program
from teufelswerk.interpreter.state import Move, State
from teufelswerk.model import UP


@dataclass(frozen=True)
class SeenPlace:
    """A place as a player sees it: its cards in order, or their backs, or only how many there are."""

    name: str
    count: int
    cards: tuple[str, ...] | None
    owners: tuple[int | None, ...] | None
    """Who played each of the cards, where somebody did."""
    backs: tuple[str, ...] | None
    """What the backs show, sorted, since the order of a hand tells nothing."""
    faces: tuple[str | None, ...] | None = None
    """Where cards are turned, and the player does not see all of them: the cards in order, None where one lies face
    down; `backs` are those of these."""
    up: tuple[bool, ...] | None = None
    """Where cards are turned: which of them lie face up."""

    @property
    def lying(self) -> tuple[str | None, ...] | None:
        """The cards in order, None for one that lies face down; nothing if the player sees only how many there are."""
        return self.faces if self.cards is None else self.cards

    @property
    def visible(self) -> tuple[str, ...]:
        """The cards that the player sees there."""
        return self.cards or tuple(id for id in self.faces or () if id is not None)


@dataclass(frozen=True)
class Flow:
    """Where the game stands, in the engine's own numbers. Everyone knows whose turn it is."""

    pcs: tuple[int, ...]
    """The points where it may stand, as far as the seat can tell: as a rule a single one."""
    slots: tuple[Any, ...]
    """What is carried there and known to everyone; None where it is not."""
    keeps: tuple[int | None, ...]
    """What is kept; None where the seat does not know it."""
    passing: bool
    """Whether in a lap whoever has had this turn so far has passed; True where that is secret or does not matter."""


@dataclass(frozen=True)
class View:
    """A position as one player sees it."""

    seat: int
    players: int
    to_move: int | None
    places: dict[str, SeenPlace]
    keeps: dict[str, Any]
    moves: tuple[Move, ...]
    """The player's own legal moves, if it is their turn."""
    own_pending: tuple[Move, ...]
    winners: tuple[int, ...] | None
    flow: Flow

    def __hash__(self) -> int:
        return hash((self.seat, self.to_move, self.moves, self.winners))


def make_view(program: Program, state: State, seat: int, to_move: int | None, moves: tuple[Move, ...]) -> View:
    """The one function that decides who sees what; the moves are those of the seat itself."""
    places = enumerate(program.layout.place_names)
    return View(
        seat,
        program.layout.players,
        to_move,
        {name: _place(program, state, seat, index) for index, name in places if index > 0},
        _keeps(program, state, seat),
        tuple(as_seen(program.core, move) for move in moves),
        tuple(as_seen(program.core, move) for move in state.pending if move.player == seat),
        state.winners,
        _flow(program, state, seat, moves),
    )


def as_seen(core: Core, move: Move) -> Move:
    """The move as players know it, to whom identical cards are one: the first of them stand for any."""
    rules, made = core.rules, core.moves.get(move.verb)
    if not rules.has_copies or made is None or len(made.choices) != len(move.picks):
        return move
    picks: list[Any] = []
    for choice, pick in zip(made.choices, move.picks, strict=True):
        if not choice.alike:
            picks.append(pick)
            continue
        several = pick if isinstance(pick, tuple) else (pick,)
        if any(card not in range(len(rules.cards)) for card in several):
            return move  # whoever made it up
        faces = [rules.cards[card].face for card in several]
        named = tuple(face + faces[:at].count(face) for at, face in enumerate(faces))
        picks.append(named if isinstance(pick, tuple) else named[0])
    return Move(move.player, move.verb, tuple(picks))


def _flow(program: Program, state: State, seat: int, moves: tuple[Move, ...]) -> Flow:
    """Where hidden cards decide which way the game goes, a player knows no more than what they are asked for."""
    frames, keeps = program.frames, _kept(program, state, seat)
    if state.winners is not None:
        return Flow((state.pc,), (None,) * len(state.slots), keeps, True)
    pcs: tuple[int, ...] = (state.pc,)
    if frames.secret_ways:
        verbs = {move.verb for move in moves}
        turns = program.turns
        pcs = tuple(pc for pc in turns if any(verbs.issubset(group) for group in turns[pc].groups))
    known = frozenset.intersection(*(frames.at(pc).known for pc in pcs))
    if program.core.rules.has_copies:  # which of identical cards it is, nobody knows
        known -= {slot for pc in pcs for carried in frames.at(pc).carried if carried.is_card for slot in carried.slots}
    slots = tuple(
        value if slot in known else None for slot, value in zip(program.core.persistent, state.slots, strict=True)
    )
    laps = [carried.known for carried in frames.at(state.pc).carried if carried.kind == "idle"]
    open_passes = len(pcs) == 1 and bool(laps) and all(laps)
    return Flow(pcs, slots, keeps, state.passing or not open_passes)


def _kept(program: Program, state: State, seat: int) -> tuple[int | None, ...]:
    """What is kept, as far as the seat knows it."""
    layout, cards = program.layout, program.core.rules.cards
    kept = [value if layout.keep_seen_by(seat, index) else None for index, value in enumerate(state.keeps)]
    for index, keep in enumerate(layout.keep_of):
        if keep.type.kind == "card" and (value := kept[index]) is not None:
            kept[index] = cards[value].face
    return tuple(kept)


def _place(program: Program, state: State, seat: int, index: int) -> SeenPlace:
    place, contents = program.layout.place_of[index], state.places[index]
    name, cards = program.layout.place_names[index], program.core.rules.cards
    up: tuple[bool, ...] | None = None
    if place.turned:
        assert program.layout.faces is not None
        up = tuple((state.keeps[program.layout.faces + card] or 0) >= UP for card in contents)
    if program.layout.seen_by(seat, index):
        if not program.layout.ordered[index]:  # nor does the order of identical cards tell anything
            contents = tuple(sorted(contents, key=lambda card: (cards[card].face, state.owners[card])))
        owners = tuple(None if state.owners[c] < 0 else state.owners[c] for c in contents)
        return SeenPlace(name, len(contents), tuple(cards[c].id for c in contents), owners, None, None, up)
    if up is not None:
        faces = tuple(cards[c].id if is_up else None for c, is_up in zip(contents, up, strict=True))
        owned = zip(contents, up, strict=True)
        owners = tuple(None if state.owners[c] < 0 or not is_up else state.owners[c] for c, is_up in owned)
        down = sorted(cards[c].back for c, is_up in zip(contents, up, strict=True) if not is_up)
        return SeenPlace(name, len(contents), None, owners, tuple(down) if place.backs_by == "all" else None, faces, up)
    if place.backs_by == "all":
        return SeenPlace(name, len(contents), None, None, tuple(sorted(cards[c].back for c in contents)))
    return SeenPlace(name, len(contents), None, None, None)


def _keeps(program: Program, state: State, seat: int) -> dict[str, Any]:
    """What the game remembers; None where it is secret."""
    teller, known = program.teller, _kept(program, state, seat)
    kept: dict[str, Any] = {}
    for name, keep in program.core.rules.keeps.items():
        base = program.layout.keep_base[name]
        values = [teller.raw(keep.type, known[base + i]) for i in range(len(program.layout.keys(keep.key)))]
        kept[name] = values[0] if keep.key is None else tuple(values)
    return kept
