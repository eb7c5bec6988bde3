"""A scene → the positions that fit it: where it begins, what is given, which choices an act stands for."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any

from teufelswerk import model
from teufelswerk.base.texts import Seat, Text
from teufelswerk.core import statements as s
from teufelswerk.core.lower_game import asked_of
from teufelswerk.examples.open_cards import exclude
from teufelswerk.examples.open_games import OpenGame
from teufelswerk.examples.scene_start import begin_of, run_until, seat_argument
from teufelswerk.interpreter.legal import Picks
from teufelswerk.interpreter.machine import BOX, END_NAMES, Machine, in_words
from teufelswerk.interpreter.state import Move
from teufelswerk.interpreter.values import Function
from teufelswerk.model import SIDE
from teufelswerk.model.scenes import Act, Argument, GivenIs, SceneModel
from teufelswerk.model.types import NOTHING
from teufelswerk.syntax.build import is_whole, whole


class Failed(Exception):
    """A line that does not hold, and what was found instead."""

    def __init__(self, found: Text) -> None:
        super().__init__(str(found))
        self.found = found


class SceneTable:
    """The table of one scene: its people, its program, and what can be done to its positions."""

    def __init__(self, rules: model.Model, scene: SceneModel, game: OpenGame | None = None) -> None:
        self.rules = rules
        self.scene = scene
        self.game = game or OpenGame(rules, scene.people)
        self.seats = self.game.seats
        self.program = self.game.program
        self.moves = self.game.open_moves
        self.layout = self.game.layout
        self.begin = begin_of(self.program, scene.step)
        self.end = self.program.ends[self.begin] if self.begin is not None else -1

    # ---- how a scene begins -----------------------------------------------------------------------------------------

    def first_world(self) -> Machine:
        """The position where the step first begins: hidden cards open, what has a start value at that value."""
        if self.begin is None:
            raise Failed(Text("the game never comes to the step `{name}`", name=self.scene.step))
        m = self.game.first(self.begin)
        if m is None:
            raise Failed(Text("no game that was tried came to the step `{name}`", name=self.scene.step))
        m.fired = []
        self.game.set_initial_keeps(m)
        hidden = sum(1 << i for i, p in enumerate(self.layout.place_of) if i != BOX and p.seen_by != "all")
        m.open = {card: hidden for card, place in enumerate(m.where) if place != BOX}
        if not hidden and m.open:
            m.open = {}
            return m
        for place in range(1, len(m.places)):
            m.places[place].clear()
        for card in m.open:
            m.where[card] = hidden.bit_length() - 1 if hidden & (hidden - 1) == 0 else -1
            m.owners[card] = -1
        return m

    def advance(self, m: Machine) -> None:
        """Plays on by itself to the next decision, pausing at the end of the step."""
        if m.winners is None and m.pc == self.begin and self.scene.argument is not None:
            seat = self.seats[self.scene.argument]
            seat_argument(self.rules, self.program, m, self.scene.step, seat)
        if m.winners is None and m.pc not in self.program.turns:
            run_until(self.program, m, {self.end})

    def resume(self, m: Machine) -> None:
        """Leaves the pause at the end of the step, if the scene goes on after it."""
        if m.winners is None and m.pc == self.end:
            m.pc = self.program.step(m)
            run_until(self.program, m, set())

    # ---- what is given ----------------------------------------------------------------------------------------------

    def give(self, m: Machine, line: GivenIs) -> None:
        target = line.target
        if isinstance(target, model.KeepOf):
            index = self.kept_at(target)(m)
            if (
                [argument.text for argument in line.values] == ["nobody"]
                and target.keep.type.optional
                and index is not None
            ):
                m.keeps[index] = None
                return
            values = [self.value(a, target.keep.type) for a in line.values]
            if index is None or len(values) != 1:
                raise Failed(Text("one value is needed here"))
            m.keeps[index] = values[0]
            return
        place = self.game.question(target)(m)
        cards = self.lying(m, place, [self.value(a, model.Type("card")) for a in line.values])
        for other in list(m.places[place]):
            if other not in cards:
                raise Failed(Text("`{card}` lies there already", card=self.rules.cards[other].id))
        m.sizes.pop(place, None)
        for other in list(m.open or {}):
            if other not in cards and not exclude(m, other, place):
                found = Text(
                    "then `{card}` could lie nowhere: leave a place for the rest", card=self.rules.cards[other].id
                )
                raise Failed(found)
        for card, argument in zip(cards, line.values, strict=True):
            self.put(m, card, place)
            if argument.up:
                assert self.layout.faces is not None
                m.keeps[self.layout.faces + card] = model.UP
        m.places[place] = cards if self.layout.ordered[place] else sorted(cards)

    def lying(self, m: Machine, place: int, named: list[int]) -> list[int]:
        """The cards that are to lie in a place: of identical ones those that lie there, then any that may."""
        found: list[int] = []
        for card in named if self.rules.has_copies else ():
            found.append(min(self.others(card, found), key=partial(self.unlikely, m, place)))
        return found or named

    def others(self, card: int, named: Collection[int]) -> list[int]:
        """The cards that are identical with one, itself included, and not named yet."""
        alike = self.rules.alike(card)
        free = [other for other in alike if other not in named]
        if not free:
            raise Failed(Text("there {n:is|are} only {n} `{card}`", n=len(alike), card=self.rules.cards[card].id))
        return free

    @staticmethod
    def unlikely(m: Machine, place: int, card: int) -> int:
        """How far a card is from lying in a place."""
        if m.open is None or card not in m.open:
            return 0 if m.where[card] == place else 3
        return 1 if m.open[card] >> place & 1 else 2

    def kept_at(self, target: model.KeepOf) -> Function:
        """Which of the things kept under a name is meant."""
        return self.program.evaluator.kept_at(asked_of(self.rules, self.seats).kept(target))

    def put(self, m: Machine, card: int, place: int) -> None:
        id = self.rules.cards[card].id
        if m.open is not None and card in m.open:
            visible = self.layout.place_of[place].seen_by == "all"
            if not visible and not m.open[card] >> place & 1:
                raise Failed(Text("`{card}` cannot lie there", card=id))
            del m.open[card]
            m.where[card] = place
            m.owners[card] = self.layout.owner[place]
            self.layout.lie(m.keeps, place, [card])
        elif m.where[card] == BOX:
            raise Failed(self.in_the_box(id))
        elif m.where[card] != place:
            raise Failed(Text("`{card}` lies somewhere else", card=id))

    def in_the_box(self, id: str) -> Text:
        players = self.game.players
        return Text(
            "`{card}` lies in the box here: not in play with {n} {n:player|players}, or not dealt yet",
            card=id,
            n=players,
        )

    def value(self, argument: Argument, type: model.Type) -> int:
        """What an argument names, as a value of the type that is needed."""
        text = argument.text
        if type.kind == "card":
            for card in self.rules.cards:
                if card.id == text:
                    return card.index
        elif type.kind == "player" and text in self.seats:
            return self.seats[text]
        elif type.same(SIDE) and text in self.seats:
            return self.seats[text] % self.rules.sides
        elif type.kind == "number" and is_whole(text):
            return whole(text)
        elif type.kind == "name" and text in self.rules.names[type.of]:
            return self.rules.names[type.of].index(text)
        elif type.kind == "place":
            name = type.of + "".join(f"[{self.seats.get(word, word)}]" for word in text.split(" and "))
            if name in self.layout.by_name:
                return self.layout.by_name[name]
        raise Failed(Text("there is no `{thing}`", thing=text))

    def place_in_words(self, index: int) -> str:
        """A place as a rule file would name it: `hand of Ida`, `row of red`."""
        return in_words(self.layout, index, self.scene.people)

    # ---- moves ------------------------------------------------------------------------------------------------------

    def fitting(self, m: Machine, act: Act, arguments: tuple[Argument, ...]) -> list[tuple[Picks, list[Any]]]:
        """The choices that an act stands for: one, or each that fits where something is left out."""
        code = self.program.moves[act.verb]
        player = self.seats[act.person]
        choices = code.move.choices
        wanted: list[set[Any] | None] = [None] * len(choices)
        together: frozenset[int] | None = None
        several = max((index for index, choice in enumerate(choices) if choice.several), default=len(arguments))
        if len(arguments) > several:
            # All arguments belong to that one choice, but for those that the others need.
            end = max(len(arguments) - (len(choices) - 1 - several), several + 1)
            together = self.together(arguments[several:end], choices[several].type)
            arguments = (*arguments[:several], arguments[several], *arguments[end:])
        for index, argument in enumerate(arguments):
            if index != several:
                wanted[index] = self.meant(m, argument, choices[index])
        return [
            (picks, doubts)
            for picks, doubts in self.moves.possible(m, act.verb, player, together, refused=True)
            if all(w is None or self.is_meant(pick, w, c) for pick, w, c in zip(picks, wanted, choices, strict=True))
        ]

    def together(self, arguments: tuple[Argument, ...], type: model.Type) -> frozenset[int]:
        """Several things that are chosen together, or `nothing`."""
        if [argument.text for argument in arguments] == [NOTHING]:
            return frozenset()
        found: set[int] = set()
        for argument in arguments:
            value = self.value(argument, type)
            found.add(self.others(value, found)[0] if type.kind == "card" and self.rules.has_copies else value)
        return frozenset(found)

    def meant(self, m: Machine, argument: Argument, choice: s.Choice) -> set[Any]:
        type = choice.type
        if argument.members is not None:
            return set(self.game.question(argument.members)(m))
        if type.kind == "end":
            if argument.text not in END_NAMES:
                raise Failed(Text("there is no `{thing}`", thing=argument.text))
            return {END_NAMES.index(argument.text)}
        value = self.value(argument, type)
        return set(self.rules.alike(value)) if type.kind == "card" else {value}

    @staticmethod
    def is_meant(pick: Any, wanted: set[Any], choice: s.Choice) -> bool:
        return (pick & 1 if choice.type.kind == "end" else pick) in wanted

    def is_offered(self, m: Machine, act: Act) -> bool:
        """False if the person is the one to decide, and this is none of the moves in question."""
        self.resume(m)
        if m.winners is not None or self.game.mover(m) != self.seats[act.person]:
            return True
        return any(act.verb in group for group in self.program.turns[m.pc].groups)

    def at_turn(self, m: Machine, act: Act) -> None:
        """The person must be the one to decide, and the verb one of the moves in question."""
        self.resume(m)
        if m.winners is not None:
            raise Failed(Text("the game is over"))
        mover = self.game.mover(m)
        if mover != self.seats[act.person]:
            raise Failed(Text("it is the turn of {player}", player=Seat(mover)))
        verbs = [verb for group in self.program.turns[m.pc].groups for verb in group]
        if act.verb not in verbs:
            if len(verbs) == 1:
                raise Failed(Text("now only `{move}` can be done", move=verbs[0]))
            raise Failed(Text("now one of these can be done: {moves:or}", moves=[f"`{verb}`" for verb in verbs]))

    def make(self, m: Machine, move: Move) -> None:
        """Makes a legal move and plays on, pausing at the end of the step."""
        if self.game.make_only(m, move):
            run_until(self.program, m, {self.end})
