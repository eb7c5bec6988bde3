"""A view → what lies where, what is kept, and what its seat may choose: plain data, no more than the view has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from teufelswerk.base.texts import Text
from teufelswerk.interpreter.seen_events import Seen
from teufelswerk.interpreter.state import Move, State
from teufelswerk.interpreter.view import SeenPlace, View
from teufelswerk.model import SIDE, Keep
from teufelswerk.rulebook.words import term
from teufelswerk.sessions.heaps import Heaps

from teufelswerk_web.wire.lexicon import Lexicon, thing

Message = dict[str, Any]


def plan(lexicon: Lexicon, names: Sequence[str]) -> Message:
    """What does not change while a game goes on: its cards and its places."""
    layout = lexicon.game.layout
    places = []
    for index, name in enumerate(layout.place_names):
        place = layout.place_of[index]
        if index > 0:
            places.append(
                {
                    "name": name,
                    "label": lexicon.place(index, names),
                    "family": place.name,
                    "heading": lexicon.family(place.name),
                    "owner": layout.owner[index],
                    "row": place.two_ended or (place.key is not None and layout.owner[index] < 0),
                    "ends": place.two_ended,
                    "hidden": place.is_hidden,
                    "private": place.seen_by == "owner" and layout.owner[index] >= 0,
                }
            )
    return {"title": lexicon.title, "cards": lexicon.cards, "backs": lexicon.backs, "places": places}


def scene(lexicon: Lexicon, view: View, heaps: Heaps, names: Sequence[str]) -> Message:
    """The table at a moment."""
    places = {name: lying(seen) for name, seen in view.places.items() if seen.count}
    for name in places:
        if told := facts(lexicon, view, name, names):
            places[name]["facts"] = told
    common, seats, sides = kept(lexicon, view, names)
    common = [*course(lexicon, view), *common]
    for seat, number in enumerate(lexicon.glance.collected(view, heaps)):
        if number is not None:
            seats[seat].append([lexicon.capital(lexicon.say(Text("taken"))), lexicon.translator.show(number)])
    return {"turn": view.to_move, "places": places, "keeps": common, "seats": seats, "sides": sides}


def course(lexicon: Lexicon, view: View) -> Iterator[list[str]]:
    """How far the game has come, and at what it ends."""
    if found := lexicon.glance.round(view):
        number, of = found
        said = str(number) if of is None else Text("{n} of {all}", n=number, all=of)
        yield [lexicon.say(Text("Round")), lexicon.say(said)]
    if target := lexicon.glance.target(view):
        yield [lexicon.say(Text("{what} to {n}", what=lexicon.keep(target[0]), n=target[1])), ""]


def facts(lexicon: Lexicon, view: View, place: str, names: Sequence[str]) -> list[list[str]]:
    """What the cards in a place come to, in words: who takes them as they lie, what they ask of the next one."""
    found = []
    for declared, value in lexicon.glance.counts(
        view, lexicon.game.layout.place_of[lexicon.game.layout.by_name[place]].name
    ):
        shown = lexicon.game.program.teller.shown(declared.value.type, value)
        if declared.value.type.kind == "truth":
            shown = Text("yes") if value else Text("no")
        words = lexicon.capital(lexicon.say(term(lexicon.rules, declared.name, "figure")))
        found.append([words, lexicon.say(Text("{value}", value=shown), names)])
    return found


def lying(seen: SeenPlace) -> Message:
    """What is seen of a place."""
    found: Message = {"count": seen.count}
    if seen.lying is not None:
        found["cards"] = list(seen.lying)
        if seen.owners is not None and any(owner is not None for owner in seen.owners):
            found["owners"] = list(seen.owners)
    if seen.backs is not None and any(seen.backs):
        found["backs"] = {back: seen.backs.count(back) for back in dict.fromkeys(seen.backs)}
    return found


def kept(lexicon: Lexicon, view: View, names: Sequence[str]) -> tuple[list[Any], list[list[Any]], list[list[Any]]]:
    """What is kept and shown: once, of each player, and of each side; each with its name and its value."""
    game, common, seats = lexicon.game, list[Any](), [list[Any]() for _ in range(view.players)]
    sides: list[list[Any]] = [[] for _ in range(game.rules.sides)]
    for name, keep in game.rules.keeps.items():
        if not keep.shown:
            continue
        values, key = view.keeps[name], keep.key
        if key is None:
            if values is not None:
                common.append([lexicon.keep(keep), lexicon.kept(keep, values, names)])
        elif key.kind == "player" or key.type == SIDE:
            for holder, value in enumerate(values):
                if value is not None:
                    of = seats if key.kind == "player" else sides
                    of[holder].append([lexicon.keep(keep), lexicon.kept(keep, value, names)])
        elif key.kind == "pair" and key.owner is not None:
            for seat, words, value in of_two(lexicon, keep, values, names):
                seats[seat].append([f"{lexicon.keep(keep)} {words}", lexicon.kept(keep, value, names)])
    return common, seats, sides


def of_two(lexicon: Lexicon, keep: Keep, values: Sequence[Any], names: Sequence[str]) -> Iterator[tuple[int, str, Any]]:
    """What is kept of each player together with each of something else."""
    layout, teller = lexicon.game.layout, lexicon.game.program.teller
    assert keep.key is not None
    for number, value in enumerate(values):
        if value is not None:
            part, one = layout.split(keep.key, number)[1]
            words = lexicon.say(Text("{value}", value=teller.member(part, one)), names)
            for seat in layout.holders(keep, number):
                yield seat, words, value


def flights(lexicon: Lexicon, seen: Sequence[Seen]) -> list[Any]:
    """Which cards went from where to where, as far as the seat can tell: their ids or nothing, and how many."""
    return [[record["cards"], record["count"], record["from"], record["to"]] for record in seen if "count" in record]


def choices(lexicon: Lexicon, view: View, state: State, names: Sequence[str]) -> Message:
    """What the seat of the view may do: every move by its place in this list, with the things that it points at."""
    game, verbs, moves = lexicon.game, dict[str, int](), []
    for move in view.moves:
        picked = game.rules.moves[move.verb].choices
        things = [
            [thing(game, choice, one) for one in pick] if isinstance(pick, tuple) else thing(game, choice, pick)
            for choice, pick in zip(picked, move.picks, strict=True)
        ]
        moves.append(
            [
                verbs.setdefault(move.verb, len(verbs)),
                things,
                lexicon.move(move, names) + price(lexicon, view, move, names),
            ]
        )
    asked = []
    for verb in verbs:
        sentence = game.program.teller.invitation(game.thaw(state), verb, view.seat)
        words = lexicon.called(verb) if sentence is None else lexicon.say(sentence.to(view.seat), names)
        asked.append({"called": lexicon.called(verb), "invitation": words})
    return {"verbs": asked, "moves": moves}


def price(lexicon: Lexicon, view: View, move: Move, names: Sequence[str]) -> str:
    """What a move costs and who gets it, in brackets; nothing if it costs nothing."""
    words = []
    for change in lexicon.glance.price(view, move):
        kept = lexicon.say(term(lexicon.rules, change.keep.name, "keep"))
        if move.player in change.seats:
            words.append(f"{change.by:+} {kept}")
        else:
            words.append(f"→ {', '.join(names[seat] for seat in change.seats) or kept}")
    return f" ({' '.join(words)})" if words else ""
