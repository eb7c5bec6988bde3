"""Legal moves in words, and typed words → moves: a card's name, its beginning, or a number from the list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from rich.text import Text as Styled
from teufelswerk.base.texts import Text
from teufelswerk.core.statements import Choice
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import END_NAMES, RuleError
from teufelswerk.interpreter.state import Move, State
from teufelswerk.interpreter.view import View
from teufelswerk.model import Card, Choose
from teufelswerk.model.types import NOTHING
from teufelswerk.rulebook.exact.whole import words_of_part
from teufelswerk.rulebook.words import heading, move_term, term, verb_term
from teufelswerk.sessions.glance import Glance

from teufelswerk_cli.console.speech import _, say
from teufelswerk_cli.table.card_drawing import Drawer, ink

MOST_LISTED = 60


class Moves:
    """The words for the moves of one game at one table."""

    def __init__(self, game: Game, names: Sequence[str], drawer: Drawer, arrows: bool) -> None:
        self.game = game
        self.names = list(names)
        self.drawer = drawer
        self.arrows = arrows
        """Whether ends are shown as in the drawing of a row: the bottom on the left, the top on the right."""
        self.glance = Glance(game)
        self._drawn: dict[tuple[str, str, Any], Styled] = {}
        self._called: dict[tuple[str, str, Any], list[str]] = {}
        self._verbs: dict[str, list[str]] = {}
        """What is asked again and again, since a few things can be put together in thousands of ways."""

    # ---- in words ---------------------------------------------------------------------------------------------------

    def is_simple(self, moves: Sequence[Move]) -> bool:
        """Whether naming a card is all there is to choose."""
        verbs = {move.verb for move in moves}
        if len(verbs) != 1:
            return False
        choices = self.game.rules.moves[next(iter(verbs))].choices
        return len(choices) == 1 and choices[0].source.type.kind == "card" and choices[0].amount is None

    def invitation(self, verb: str, state: State, seat: int) -> str:
        """What a move invites to; without such a sentence, what it is called."""
        sentence = self.game.program.teller.invitation(self.game.thaw(state), verb, seat)
        return self.called(verb) if sentence is None else say(sentence.to(seat), self.names)

    def pick(self, choice: Choose, pick: Any, view: View) -> Styled:
        """What was or may be chosen."""
        if isinstance(pick, tuple):
            if not pick:
                return ink(_("nothing"))
            return ink(", ").join(self.one(choice, item, view) for item in pick)
        return self.one(choice, pick, view)

    def one(self, choice: Choose, pick: Any, view: View) -> Styled:
        kind = choice.source.type.kind
        if kind == "end":
            return self.drawn(kind, choice, pick, view)
        asked = kind, choice.source.type.of, pick
        if asked not in self._drawn:
            self._drawn[asked] = self.drawn(kind, choice, pick, view)
        return self._drawn[asked]

    def drawn(self, kind: str, choice: Choose, pick: Any, view: View) -> Styled:
        if kind == "card":
            return ink(self.drawer.title(self.game.rules.cards[pick].id), self.drawer.tint(self.game.rules.cards[pick]))
        if kind == "end":
            cards = view.places[self.game.layout.place_names[pick >> 1]].cards or ()
            word = say(Text("top") if pick & 1 else Text("bottom"))
            if not cards:
                return ink(word)
            there = cards[-1] if pick & 1 else cards[0]
            if not self.arrows:
                return ink(_("{end}, beside {card}", card=self.drawer.title(there), end=word))
            arrow = ink(self.drawer.look.sign("▶", ">") if pick & 1 else self.drawer.look.sign("◀", "<"))
            parts = [self.drawer.small(there), arrow]
            return ink(" ").join(parts if pick & 1 else parts[::-1])
        shown = self.game.program.teller.shown(choice.source.type.one(), pick)
        return ink(say(Text("{value}", value=shown), self.names))

    def called(self, verb: str) -> str:
        """A move by its heading or, where that is about more, by its verb."""
        words = say(move_term(self.game.rules, self.game.rules.moves[verb]))
        return words[:1].upper() + words[1:]

    def words(self, move: Move, view: View) -> Styled:
        """All that a move chooses, in one line."""
        choices = self.game.rules.moves[move.verb].choices
        parts = [self.pick(choice, pick, view) for choice, pick in zip(choices, move.picks, strict=True)]
        if not parts:
            return ink(self.called(move.verb))
        return ink("  ").join(parts)

    def price(self, move: Move, view: View) -> Styled:
        """What a move costs and who gets it, in brackets; nothing if it costs nothing."""
        words = []
        changes = self.glance.price(view, move)
        for change in changes:
            payees = [self.names[seat] for seat in change.seats] or [
                say(term(self.game.rules, change.keep.name, "keep"))
            ]
            if move.player not in change.seats:
                words.append(f"{self.drawer.look.sign('→', '->')} {', '.join(payees)}")
            elif len(changes) == 1:
                words.append(f"{change.by:+} {say(term(self.game.rules, change.keep.name, 'keep'))}")
            else:
                words.append(f"{change.by:+}")
        return ink(f" ({' '.join(words)})" if words else "", "yellow")

    def is_marked(self, moves: Sequence[Move]) -> bool:
        """Whether numbers of the list are written `#3`, since a bare number is the name of something, or part of it."""
        if self.is_simple(moves) or len(moves) > MOST_LISTED:
            return True
        things = self.things(moves)
        return any(name.isdigit() for choice, items in things for item in items for name in self.names_in(choice, item))

    def things(self, moves: Sequence[Move]) -> list[tuple[Choose, list[Any]]]:
        """What some moves choose, each thing once."""
        found: dict[tuple[str, int], dict[Any, None]] = {}
        for move in moves:
            for number, pick in enumerate(move.picks):
                there = found.setdefault((move.verb, number), {})
                there.update(dict.fromkeys(pick if isinstance(pick, tuple) else (pick,)))
        return [(self.game.rules.moves[verb].choices[number], list(items)) for (verb, number), items in found.items()]

    def listed(
        self, moves: Sequence[Move], state: State, view: View, width: int, room: int, most: int = MOST_LISTED
    ) -> list[Styled]:
        """The moves under their invitations, numbered, in columns; as many as there is room for."""
        verbs = dict.fromkeys(move.verb for move in moves)
        heads = {verb: ink(self.invitation(verb, state, view.seat), "italic") for verb in verbs}
        if len(moves) > most:
            return [*heads.values(), *self.begun_set(moves, view), self.so_many(moves)]
        entries: dict[str, list[Styled]] = {}
        mark = "#" if self.is_marked(moves) else ""
        for number, move in enumerate(moves, 1):
            entry = ink(f"{mark + str(number):>3} ", "bold green")
            entry.append_text(self.words(move, view)).append_text(self.price(move, view))
            entries.setdefault(move.verb, []).append(entry)
        groups = {verb: in_columns(group, width) for verb, group in entries.items()}
        length = len(heads) + sum(map(len, groups.values()))
        if length > 2 * room > 0:
            return [*heads.values(), *self.begun_set(moves, view), self.so_many(moves)]
        if length <= room or not room:
            return [line for verb, head in heads.items() for line in (head, *groups[verb])]
        shown = shared({verb: len(group) for verb, group in groups.items()}, room - len(heads) - 1)
        lines = [line for verb, head in heads.items() for line in (head, *groups[verb][: shown[verb]])]
        return [*lines, ink(_("… and more: name a card, or `choices` lists all"), "dim")]

    def begun_set(self, moves: Sequence[Move], view: View) -> list[Styled]:
        """Where several things are chosen and some of them are certain: these, and what can go with them."""
        things = self.things(moves)
        if len(things) != 1 or not all(isinstance(move.picks[0], tuple) for move in moves):
            return []
        (choice, items), certain = things[0], set(moves[0].picks[0]).intersection(*(move.picks[0] for move in moves))
        if not certain:
            return []
        so_far, others = (
            [self.one(choice, item, view).plain for item in items if (item in certain) is wanted]
            for wanted in (True, False)
        )
        return [
            ink(_("So far: {things}.", things=", ".join(so_far)), "bold"),
            ink(_("With that goes: {things}.", things=", ".join(others))),
        ]

    def so_many(self, moves: Sequence[Move]) -> Styled:
        return ink(_("There are {n} ways to do this: name a card.", n=len(moves)), "dim")

    # ---- what was meant ---------------------------------------------------------------------------------------------

    def names_of(self, move: Move) -> list[str]:
        """Everything that a move may be called by."""
        alone, together = self._split_names(move)
        return [*alone, *(name for names in together for name in names)]

    def _split_names(self, move: Move) -> tuple[list[str], list[list[str]]]:
        """The names of a move, and those of each of the things that it chooses together."""
        alone, together = list(self.verb_names(move.verb)), []
        for choice, pick in zip(self.game.rules.moves[move.verb].choices, move.picks, strict=True):
            if isinstance(pick, tuple):
                together += [self.names_in(choice, item) for item in pick]
                together += [[NOTHING, _("nothing").lower()]] if not pick else []
            else:
                alone += self.names_in(choice, pick)
        return alone, together

    def verb_names(self, verb: str) -> list[str]:
        """What a move may be called, whatever is chosen for it."""
        if verb not in self._verbs:
            section = self.game.rules.moves[verb].section
            names = verb, say(verb_term(self.game.rules, verb)), say(heading(self.game.rules, section))
            self._verbs[verb] = [name.lower() for name in names]
        return self._verbs[verb]

    def names_in(self, choice: Choose, pick: Any) -> list[str]:
        """What one thing that is chosen may be called."""
        asked = choice.source.type.kind, choice.source.type.of, pick
        if asked not in self._called:
            self._called[asked] = [name.lower() for name in self._names(choice, pick)]
        return self._called[asked]

    def _names(self, choice: Choose, pick: Any) -> list[str]:
        kind = choice.source.type.kind
        if kind == "card":
            card = self.game.rules.cards[pick]
            return [*self.card_names(card), *self.drawer.title(card.id).split()]
        if kind == "end":
            return [END_NAMES[pick & 1], say(Text("top") if pick & 1 else Text("bottom"))]
        shown = self.game.program.teller.shown(choice.source.type.one(), pick)
        raw = self.game.program.teller.raw(choice.source.type.one(), pick)
        whole = say(Text("{value}", value=shown), self.names)
        if not isinstance(raw, list):
            return [str(raw), whole]
        return [whole, *map(str, raw), *(say(Text("{value}", value=part), self.names) for part in shown)]

    def card_names(self, card: Card) -> list[str]:
        """What one card alone is called: its name, `4♠`, `4s`."""
        face, rank = self.drawer.face(card.id), self.drawer.upper(card)
        signs = [self.drawer.suit(card), *(face.emblem or "")[:1]] if face.suited else []
        suited = [name for sign in dict.fromkeys(signs) for name in (rank + sign, sign + rank)]
        return [card.id, self.drawer.title(card.id), *suited]

    def is_a_card(self, typed: str) -> bool:
        """Whether some card of the game is called just so."""
        name = typed.lower()
        return any(name == each.lower() for card in self.game.rules.cards for each in self.card_names(card))

    def names_a_card(self, typed: str) -> bool:
        """Whether some card of the game is called so, or begins so: it may not be there, but it was meant."""
        start = typed.lower()
        titles = (self.drawer.title(card.id).lower() for card in self.game.rules.cards)
        return any(begins(word, start) for title in titles for word in (title, *title.split()))

    def completions(self, moves: Sequence[Move]) -> list[str]:
        """Single words that name something in these moves."""
        words: dict[str, None] = {}
        for choice, items in self.things(moves):
            words |= dict.fromkeys(name for item in items for name in self._names(choice, item)[:2] if " " not in name)
        return list(words)

    def meant(self, typed: str, moves: Sequence[Move]) -> list[Move]:
        """The moves that the words fit: a number of the list, else a name, else beginnings of names."""
        return self.numbered(typed, moves) or self.as_many(typed, self.named(typed, moves) or self.begun(typed, moves))

    def numbered(self, typed: str, moves: Sequence[Move]) -> list[Move]:
        match = re.fullmatch(r"#(\d{1,5})" if self.is_marked(moves) else r"#?(\d{1,5})", typed)
        return [moves[int(match[1]) - 1]] if match and 1 <= int(match[1]) <= len(moves) else []

    def copied(self, typed: str, moves: Sequence[Move], view: View) -> list[Move]:
        """Whoever types a move as a list or a hint writes it means that one."""
        words = typed.lower().split()
        found = [move for move in moves if self.words(move, view).plain.lower().split() == words]
        priced = [] if found or not typed.endswith(")") else moves
        return found or [
            m for m in priced if (self.words(m, view) + self.price(m, view)).plain.lower().split() == words
        ]

    def named(self, typed: str, moves: Sequence[Move]) -> list[Move]:
        return [move for move in moves if typed.lower() in self.names_of(move)]

    def begun(self, typed: str, moves: Sequence[Move]) -> list[Move]:
        left = list(moves)
        for word in re.split(r"[\s,]+", typed.lower()):
            exact = [move for move in left if word in self.names_of(move)]
            start = word.removesuffix(".")  # as names are cut short on the screen
            left = exact or [move for move in left if any(begins(name, start) for name in self.names_of(move))]
        return left

    def as_many(self, typed: str, moves: list[Move]) -> list[Move]:
        """Of moves that choose several things, those that choose just what the words name, or at least that."""
        words = re.split(r"[\s,]+", typed.lower())
        unnamed = [(move, self.unnamed(words, move)) for move in moves]
        return [move for move, n in unnamed if n == 0] or [move for move, n in unnamed if n is not None]

    def unnamed(self, words: list[str], move: Move) -> int | None:
        """How many things that a move chooses together have no word of their own; None if a word is left over."""
        alone, together = self._split_names(move)
        if not together:
            return 0
        for word in sorted(words, key=len, reverse=True):  # the plainest names first
            start = word.removesuffix(".")
            found = next((names for names in together if any(begins(name, start) for name in names)), None)
            if found is not None:
                together.remove(found)
            elif not any(begins(part, start) for name in alone for part in (name, *name.split())):
                return None
        return len(together)

    # ---- why not ----------------------------------------------------------------------------------------------------

    def refused(self, typed: str, state: State, view: View) -> list[Move]:
        """What could be played now if the rules allowed it; of too many sets of cards, those of cards named here."""
        machine = self.game.thaw(state)
        player, found = self.game.mover(machine), []
        for group in self.game.turn(machine).groups:
            for verb in group:
                code = self.game.code(verb)
                machine.slots[code.move.slot] = player
                for meant in (None, partial(self.is_named, re.split(r"[\s,]+", typed.lower()), verb)):
                    with suppress(RuleError):
                        found += [Move(player, verb, picks) for picks in code.combinations(machine, meant)]
                        break
        offered = set(view.moves)
        return [move for move in dict.fromkeys(map(self.game.as_seen, found)) if move not in offered]

    def is_named(self, words: Sequence[str], verb: str, choice: Choice, thing: Any) -> bool:
        """Whether one of some words begins what a thing is called that a move can choose."""
        chosen = next(own for own in self.game.rules.moves[verb].choices if own.slot == choice.slot)
        names = self.names_in(chosen, thing)
        return any(begins(name, word.removesuffix(".")) for word in words for name in names)

    def tried(self, typed: str, state: State, view: View) -> list[Move]:
        """What the words would have meant if the rules allowed it; nothing if they would fit everything."""
        refused = self.refused(typed, state, view)
        meant = self.as_many(typed, self.named(typed, refused) or self.begun(typed, refused))
        return meant if len(meant) < len(refused) + len(view.moves) else []

    def reasons(self, refused: Sequence[Move], state: State) -> list[str]:
        """Why each of these is refused: the heading of the rule and its sentence, each once."""
        found: dict[str, None] = {}
        for move in refused:
            refusal = self.game.refusal(state, move)
            section = self.game.rules.moves[move.verb].section
            title = say(heading(self.game.rules, section))
            found[f"{title}: {say(refusal.reason, self.names)}"] = None
        return list(found)

    def exactly(self, refused: Sequence[Move], state: State) -> list[str]:
        """What must hold for these, as the lines of the rules say it, each once."""
        rules, found = self.game.rules, dict[str, None]()
        for move in refused:
            must = self.game.refusal(state, move).rule
            if must is not None:
                found[say(words_of_part(rules, move.verb, must))] = None
        return list(found)

    def would_do(self, moves: Sequence[Move], view: View) -> str:
        """What may be played instead, in short."""
        cards: dict[str, None] = {}
        for move in sorted(moves, key=self.as_held):
            choices = self.game.rules.moves[move.verb].choices
            if choices:
                cards[self.pick(choices[0], move.picks[0], view).plain] = None
        return _("This would do: {moves}.", moves=", ".join(cards)) if cards else ""

    def as_held(self, move: Move) -> tuple[str | int, ...]:
        """Where the card that a move begins with stands in the hand as it is drawn; other moves keep their order."""
        choices = self.game.rules.moves[move.verb].choices
        if not choices or choices[0].source.type.kind != "card" or not isinstance(move.picks[0], int):
            return ()
        return self.drawer.sort_key(self.game.rules.cards[move.picks[0]].id)


def begins(name: str, start: str) -> bool:
    """Whether a name begins so. Half a number is none: `1` does not mean 10."""
    cut = start[-1:].isdigit() and name[len(start) : len(start) + 1].isdigit()
    return name.startswith(start) and not cut


def in_columns(entries: Sequence[Styled], width: int) -> list[Styled]:
    column = max(entry.cell_len for entry in entries) + 2
    columns = max(1, width // column)
    lines = []
    for start in range(0, len(entries), columns):
        line = Styled()
        for entry in entries[start : start + columns]:
            line.append_text(entry)
            line.append(" " * (column - entry.cell_len))
        line.rstrip()
        lines.append(line)
    return lines


def shared(wanted: dict[str, int], room: int) -> dict[str, int]:
    """How many lines each gets of those that there are: in turn one each, as long as it wants more."""
    given = dict.fromkeys(wanted, 0)
    while room > 0:
        for name in wanted:
            if room > 0 and given[name] < wanted[name]:
                given[name] += 1
                room -= 1
        if given == wanted:
            break
    return given
