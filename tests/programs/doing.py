"""Lines for what can happen, in steps and in moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import TypeAlias

from programs.sets_of_cards import SetsOfCards
from programs.speaking import RISK, Impossible
from programs.words import (
    CARD,
    CHOICE,
    CLOSED,
    NUMBER,
    OPEN_OR,
    PLAYER,
    SIZED,
    SUM,
    TRUTH,
    Phrase,
    Scope,
    Type,
    indented,
    plural,
)  # fmt: skip
from programs.world import LOW_AND_HIGH, Keep, World

Lines: TypeAlias = list[str]
Doing: TypeAlias = Callable[[Scope, int], tuple[Lines, Scope]]
COUNTING = "count-"
"""What is kept to count the passes of a loop, which nothing else changes."""


class Happening:
    """Writes what moves and steps alike can do; each line with the scope for those behind it."""

    def __init__(self, rng: Random, world: World) -> None:
        self.rng = rng
        self.world = world
        self.say = SetsOfCards(rng, world)
        self.names = 0
        self.depth = 3
        """How deep phrases go in one another."""

    def ways(self) -> Sequence[Doing]:
        return (
            self.name, self.name, self.go, self.go, self.go, self.become, self.become, self.become, self.pay,
            self.deal, self.branch, self.each, self.turn_over,
        )  # fmt: skip

    def some(self, ways: Sequence[Doing], scope: Scope, level: int) -> tuple[Lines, Scope]:
        """One of the ways, as soon as one of them is possible."""
        for _ in range(12):
            try:
                return self.rng.choice(ways)(scope, level)
            except Impossible:
                continue
        return ["score of leader becomes score of leader + 1"], scope

    def block(self, scope: Scope, level: int, most: int = 3) -> Lines:
        lines: Lines = []
        for _ in range(self.rng.randint(1, most)):
            more, scope = self.some(self.ways(), scope, level)
            lines += more
        return lines

    def new_name(self) -> str:
        self.names += 1
        return f"thing-{chr(96 + self.names % 26 or 122)}{chr(97 + self.names // 26)}"

    def told(self, scope: Scope, words: str = "") -> Lines:
        """A sentence below a line, now and then."""
        if self.rng.random() > 0.2:
            return []
        figures = [name for name, phrase in scope.locals.items() if phrase.type.kind not in ("truth", "place", "end")]
        figures = [name for name in figures if name != "it"]
        players = [phrase.text for phrase in scope.of_type(PLAYER) if phrase.text != "it"]
        figures += [f"score of {words}{player}" for player in players for words in ("", "left of right of ")]
        named = f" {{{self.rng.choice(figures)}}}" if figures else ""
        return [f'    "It happens{words}{named}."']

    # ---- plain things -----------------------------------------------------------------------------------------------

    def name(self, scope: Scope, level: int) -> tuple[Lines, Scope]:
        """A name for something."""
        ended = [Type("end", name) for name, place in self.world.places.items() if place.two_ended]
        families = [Type("place", name) for name, place in self.world.places.items() if place.key]
        named = [Type("name", name) for name in self.world.names]
        wanted = self.rng.choice(
            [NUMBER, NUMBER, CARD, CARD, PLAYER, TRUTH, CARD.all(), PLAYER.all(), *ended, *families, *named]
        )
        if wanted.kind == "end":
            return self.name_an_end(wanted, scope, level)
        value, name = self.say.sure(wanted, scope, self.depth), self.new_name()
        local = replace(value, text=name, level=0, sure=True, follows=False)
        inner = scope.with_local(name, local, in_sight=False)
        return [f"{name} = {value.at(CHOICE)}", *self.told(inner)], inner

    def name_an_end(self, wanted: Type, scope: Scope, level: int) -> tuple[Lines, Scope]:
        """An end is there only where a card lies."""
        if not scope.chance or scope.in_move:
            raise Impossible
        place, name = self.say.plain(Type("place", wanted.of), scope), self.new_name()
        inner = scope.with_local(name, Phrase(name, wanted), in_sight=False)
        then = [f"{name} = random end in {place.at(CLOSED)}"]
        card = self.say.sure(CARD, inner, 1).at(OPEN_OR)
        then.append(self.rng.choice((f"{card} goes to {name}", f"{name} goes to deck", f"{card} goes to {name}")))
        return [f"if there is first of {place.at(CLOSED)}", *indented(then)], scope

    def go(self, scope: Scope, level: int) -> tuple[Lines, Scope]:
        rng, world = self.rng, self.world
        families = [name for name, place in world.places.items() if place.key]
        match rng.randrange(6):
            case 0:
                what = self.say.phrase(CARD.all(), scope, self.depth).at(OPEN_OR)
            case 1:
                what = self.say.sure(self.some_place(), scope, 2).at(OPEN_OR)
            case 2 if level > 0:
                what = plural(rng.choice(families))
            case _:
                what = self.say.sure(CARD, scope, self.depth).at(OPEN_OR)
        ends = [phrase for phrase in scope.locals.values() if phrase.type.kind == "end" and not phrase.type.many]
        to = rng.choice(ends) if ends and rng.random() < 0.7 else self.say.sure(self.some_place(), scope, 2)
        if not ends and to.type.kind == "place" and world.places[to.type.of].two_ended and rng.random() < 0.6:
            to = replace(to, text=f"{rng.choice(('bottom', 'top'))} of {to.at(CLOSED)}", level=CLOSED)
        return [f"{what} {rng.choice(('goes', 'go'))} to {to.at(CLOSED)}", *self.told(scope)], scope

    def turn_over(self, scope: Scope, level: int) -> tuple[Lines, Scope]:
        """Cards are turned where they lie."""
        place, way = self.say.turned(scope), self.rng.choice(("up", "up", "down"))
        what = self.rng.choice(
            (f"last of {place}", f"first of {place}", f"cards in {place}", f"random card in {place}")
        )
        if what.startswith("random") and (not scope.chance or scope.in_move):
            what = place
        return [f"{what} {self.rng.choice(('turns', 'turn'))} {way}", *self.told(scope)], scope

    def some_place(self) -> Type:
        return Type("place", self.rng.choice([*self.world.places]))

    def become(self, scope: Scope, level: int) -> tuple[Lines, Scope]:
        """What is kept becomes something else."""
        keep = self.rng.choice([k for k in self.world.keeps.values() if not k.name.startswith(COUNTING)])
        target, own = self.target(keep, scope), keep.value.type
        if not keep.value.sure:
            value = self.say.phrase(own, scope, self.depth)
            condition = self.say.phrase(TRUTH, scope.without_chance(), 1).at(OPEN_OR)
            words = self.rng.choice(("nobody", value.at(CHOICE), f"{value.at(OPEN_OR)} if {condition} else nobody"))
            return [f"{target} becomes {words}", *self.told(scope)], scope
        number = own == NUMBER
        value = self.new_number(keep, target, scope) if number else self.say.sure(own, scope, self.depth)
        if value.level <= OPEN_OR and self.rng.random() < 0.3:
            other = self.new_number(keep, target, scope) if number else self.say.sure(own, scope, 1)
            if other.level <= OPEN_OR:
                return [f"{target} becomes", *indented(self.written_out([value, other], scope))], scope
        return [f"{target} becomes {value.at(CHOICE)}", *self.told(scope)], scope

    def target(self, keep: Keep, scope: Scope) -> str:
        if keep.key is None:
            if keep.name in scope.locals:
                raise Impossible
            return keep.name
        if self.say.bare(keep.name, keep.key.type, scope) and self.rng.random() < 0.6:
            return keep.name
        owner = self.say.key(keep.key, scope, 1)
        if not owner.sure and self.rng.random() > RISK:
            owner = self.say.plain_key(keep.key, scope)
        return f"{keep.name} of {owner.at(CLOSED)}"

    def new_number(self, keep: Keep, target: str, scope: Scope) -> Phrase:
        """It grows by a little, or becomes something that is not too large."""
        least = 0 if keep.value.low == 0 else -LOW_AND_HIGH // 3
        if self.rng.random() < 0.5:
            step = self.say.within(0, 12, scope, 2)
            sign = "+" if least == 0 else self.rng.choice("+-")
            return Phrase(f"{target} {sign} {step.at(CLOSED)}", NUMBER, SUM)
        return self.say.within(least, LOW_AND_HIGH // 3, scope, self.depth)

    def written_out(self, values: list[Phrase], scope: Scope) -> Lines:
        """Alternatives one below the other, with their reasons, or whole groups of them below an `if`."""
        first, second = (value.at(OPEN_OR) for value in values)
        condition = self.say.phrase(TRUTH, scope.without_chance(), 2).at(OPEN_OR)
        match self.rng.randrange(3):
            case 0:
                reason = ['    "So it is."'] if self.rng.random() < 0.6 else []
                return [f"{first} if {condition}", *reason, f"else {second}", *reason]
            case 1:
                return [f"if {condition}", f"    {first}", "else", f"    {second}"]
            case _:
                again = self.say.phrase(TRUTH, scope.without_chance(), 1).at(OPEN_OR)
                return [
                    f"if {condition}", f"    {first}", f"else if {again}", f"    {second} if {again}",
                    f"    else {first}", "else", f"    {second}",
                ]  # fmt: skip

    def pay(self, scope: Scope, level: int) -> tuple[Lines, Scope]:
        keeps = self.world.keeps
        if "coins" not in keeps:
            raise Impossible
        amount = self.say.within(0, 12, scope, 2)
        parties = [self.say.sure(PLAYER, scope, 2).at(CLOSED) for _ in range(2)]
        if "pot" in keeps and self.rng.random() < 0.5:
            parties[self.rng.randrange(2)] = "pot"
        kept = [k for k in keeps.values() if k.key and k.key.type != PLAYER and k.value.type == NUMBER]
        kept = [k for k in kept if not k.name.startswith(COUNTING) and k.value.low == 0]
        if kept and self.rng.random() < 0.5:
            parties[self.rng.randrange(2)] = self.target(self.rng.choice(kept), scope)
        inner = scope.with_local("paid", Phrase("paid", NUMBER, high=12), in_sight=False)
        line = f"{parties[0]} pays {amount.at(SIZED)} {self.rng.choice(('coins', 'coin'))} to {parties[1]}"
        return [line, *self.told(inner)], scope

    def deal(self, scope: Scope, level: int) -> tuple[Lines, Scope]:
        rng, families = self.rng, [name for name, place in self.world.places.items() if place.key]
        each = rng.random() < 0.5
        to = f"each {rng.choice(families)}" if each else self.say.sure(self.some_place(), scope, 2).at(CLOSED)
        source = "deck" if rng.random() < 0.6 else self.say.sure(self.some_place(), scope, 2).at(CLOSED)
        portion = f"up to {self.say.within(0, 4, scope, 2).at(SIZED)}"
        if each and rng.random() < 0.15:
            portion = "evenly"
        elif rng.random() < 0.1:
            portion = rng.choice(("0", "count cards in box - count cards in box"))
        return [f"deal {portion} from {source} to {to}", *self.told(scope)], scope

    # ---- what has lines below it ------------------------------------------------------------------------------------

    def branch(self, scope: Scope, level: int) -> tuple[Lines, Scope]:
        if level <= 0:
            raise Impossible
        condition = self.say.phrase(TRUTH, scope.without_chance(), self.depth)
        lines = [f"if {condition.at(OPEN_OR)}", *indented(self.block(scope, level - 1, 2))]
        if self.rng.random() < 0.3:
            again = self.say.phrase(TRUTH, scope.without_chance(), 2)
            lines += [f"else if {again.at(OPEN_OR)}", *indented(self.block(scope, level - 1, 1))]
        if self.rng.random() < 0.5:
            lines += ["else", *indented(self.block(scope, level - 1, 2))]
        return lines, scope

    def each(self, scope: Scope, level: int) -> tuple[Lines, Scope]:
        """Something for each of some things, one after the other."""
        if level <= 0:
            raise Impossible
        head, inner = self.each_line(scope)
        return [head, *indented(self.block(inner, level - 1, 2))], scope

    def each_line(self, scope: Scope) -> tuple[str, Scope]:
        rng, draw = self.rng, self.rng.random()
        if draw < 0.15:
            return self.each_number(scope)
        if draw < 0.45:
            return self.each_in(scope)
        things = [Type("name", name) for name in self.world.names]
        things += [Type("place", name) for name, place in self.world.places.items() if place.key]
        if draw < 0.7:
            return self.each_player(scope)
        thing = rng.choice(things)
        where = f" where {self.say.looking(thing, frozenset(), scope, 2)}" if rng.random() < 0.2 else ""
        return f"each {thing.of}{where}", scope.with_local(thing.of, Phrase(thing.of, thing))

    def each_player(self, scope: Scope) -> tuple[str, Scope]:
        rng, line = self.rng, "each player" + self.say.seated(PLAYER)
        if rng.random() < 0.5:
            line += f" from {self.say.sure(PLAYER, scope, 2).at(CLOSED)}"
            if rng.random() < 0.5:
                line += f" to {self.say.sure(PLAYER, scope, 2).at(CLOSED)}"
        if rng.random() < 0.15:
            line += f" where {self.say.looking(PLAYER, frozenset(), scope, 2)}"
        return line, scope.with_local("player", Phrase("player", PLAYER))

    def each_in(self, scope: Scope) -> tuple[str, Scope]:
        """Each of those that are somewhere when the loop begins."""
        thing = NUMBER if self.say.offers() and self.rng.random() < 0.2 else self.say.thing(ends=True)
        word, kinds = self.say.noun(thing, singular=True)
        source = self.say.among(thing, scope, 2)
        kinds = kinds & source.kinds if thing == CARD else source.kinds
        if thing == CARD and not kinds:
            raise Impossible
        line = f"each {word} in {source.at(CLOSED)}"
        if self.rng.random() < 0.4:
            line += f" where {self.say.looking(thing, kinds, scope, 2)}"
        low, high = self.say.span(thing)
        return line, scope.with_local(word, Phrase(word, thing, low=low, high=high, kinds=kinds))

    def each_number(self, scope: Scope) -> tuple[str, Scope]:
        """Each number from one to another, under a name."""
        low, high, name = self.say.within(-2, 2, scope, 1), self.say.within(-3, 4, scope, 2), self.new_name()
        line = f"each {name} from {low.at(SIZED)} to {high.at(SIZED)}"
        if self.rng.random() < 0.3:
            line = f"each {name} from {high.at(SIZED)} down to {low.at(SIZED)}"
        local = Phrase(name, NUMBER, low=low.low, high=max(high.high, low.low))
        if self.rng.random() < 0.3:
            line += f" where {self.say.looking(NUMBER, frozenset(), scope, 2)}"
        return line, scope.with_local(name, local)
