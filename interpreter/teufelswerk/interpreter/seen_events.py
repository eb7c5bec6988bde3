"""Events as one seat sees them: whose cards it can tell, which backs it sees, how many it can only count.

A seat knows which cards move if it sees the place that they leave or the one that they reach, or if the rules name
them ("all cards go to the deck"). Of others' moves it knows what was chosen, except cards that go out of sight, and
except all that everyone decides at once. Sentences are not part of it, since they are for people, nor are the steps of
the game: which of them comes next may be the secret of a hidden card.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from teufelswerk import model
from teufelswerk.core import statements as core
from teufelswerk.core.walk import happening
from teufelswerk.interpreter.machine import Event
from teufelswerk.model.walk import all_statements

if TYPE_CHECKING:
    from teufelswerk.interpreter.game import Game

Seen: TypeAlias = dict[str, Any]
"""A record as a seat sees it. Cards that it cannot tell are None, with `count` and perhaps `backs` beside them."""


class Sight:
    """What each seat of a game sees of what happens."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.layout = game.layout
        self.backs = {card.id: card.back for card in game.rules.cards}
        everything = list(all_statements(game.rules))
        self.named = {s.id for s in everything if isinstance(s, model.Goes) and _names_cards(s.what)}
        moves = game.program.core.moves.values()
        self.whispered = {move.name for move in moves if any(map(_in_secret, happening(move.effects)))}
        """Moves that change something secret: what was chosen for it is as secret."""
        self.secret = {s.body[0].id for s in everything if isinstance(s, model.Each) and s.at_once}

    def sees_place(self, seat: int, index: int) -> bool:
        """Whether a seat sees the fronts of the cards in a place."""
        return self.layout.seen_by(seat, index)

    def sees_keep(self, seat: int, record: Seen) -> bool:
        """Whether a seat knows what is kept there."""
        keep, layout = self.game.rules.keeps[record["name"]], self.layout
        return layout.keep_seen_by(seat, layout.keep_numbers[keep.name, str(record.get("of"))])

    def events(self, events: Sequence[Event], seat: int) -> list[Seen]:
        """What of one move and its consequences the seat sees."""
        seen: list[Seen] = []
        recognised: dict[int, bool] = {}
        """Of each card that moves, whether the seat saw which one it was when it first did."""
        for event in events:
            record = event.record
            match record["event"]:
                case "cards":
                    seen.append(self.cards(event, seat))
                    for card in event.cards:
                        recognised.setdefault(card, seen[-1]["cards"] is not None)
                case "move" if record["player"] != seat and event.cause in self.secret:
                    seen.append({**record, "move": None, "choice": None})
                case "keep" if not self.sees_keep(seat, record):
                    pass
                case "end":
                    seen.append({**record, "keeps": self.final(record["keeps"], seat)})
                case "turn":
                    seen.append(dict(record))
                    recognised.update(dict.fromkeys(event.cards, True))
                case "move" | "keep":
                    seen.append(dict(record))
        ids = self.game.rules.cards
        unknown = {ids[card].id for card, known in recognised.items() if not known}
        named = {ids[card].id for card in recognised} - unknown
        for record in seen:
            if record["event"] == "move" and record["move"] is not None and record["player"] != seat:
                record["choice"] = self.choice(record, named)
        return seen

    def final(self, keeps: dict[str, list[Any]], seat: int) -> dict[str, list[Any]]:
        """What everyone has at the end, as far as the seat knows it."""
        layout = self.layout
        indices = {name: layout.of_seats(self.game.rules.keeps[name]) for name in keeps}
        return {
            name: [v if layout.keep_seen_by(seat, i) else None for v, i in zip(values, indices[name], strict=True)]
            for name, values in keeps.items()
        }

    def cards(self, event: Event, seat: int) -> Seen:
        record = event.record
        origin, target = self.layout.by_name[record["from"]], self.layout.by_name[record["to"]]
        ids: list[str] = record["cards"]
        seen = {**record, "count": len(ids), "backs": None}
        in_sight = event.cause in self.named or record.get("face") == "up"
        if in_sight or self.sees_place(seat, origin) or self.sees_place(seat, target):
            return seen
        seen["cards"] = None
        if "all" in (self.layout.place_of[origin].backs_by, self.layout.place_of[target].backs_by):
            seen["backs"] = sorted(self.backs[id] for id in ids)
        return seen

    def choice(self, record: Seen, known: set[str]) -> dict[str, Any] | None:
        """What was chosen, if all of it can be told."""
        chosen: dict[str, Any] = record["choice"]
        if record["move"] in self.whispered:
            return None
        for choose in self.game.rules.moves[record["move"]].choices:
            if choose.source.type.kind == "card":
                value = chosen[choose.name]
                if not known.issuperset(value if isinstance(value, list) else [value]):
                    return None
        return chosen


def _in_secret(statement: core.Doing) -> bool:
    """Whether something secret changes."""
    match statement:
        case core.Becomes():
            return statement.target.keep.seen_by != "all"
        case core.Pays():
            return statement.payer.keep.seen_by != "all" or statement.receiver.keep.seen_by != "all"
    return False


def _names_cards(what: model.Expr) -> bool:
    """Whether the rules say which cards these are, whoever holds them."""
    if isinstance(what, model.Members):
        what = what.base
    return isinstance(what, model.Everything) and what.type.kind == "card"
