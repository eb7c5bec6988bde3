"""Lines of steps: whose turn it is, what is done again and again, steps that are called, and how the game ends."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from programs.doing import COUNTING, Doing, Happening, Lines
from programs.speaking import Impossible
from programs.words import (
    CHOICE,
    CLOSED,
    NUMBER,
    OPEN_OR,
    PLAIN,
    PLAYER,
    SIDE,
    SIZED,
    TRUTH,
    Phrase,
    Scope,
    Type,
    conjunction,
    indented,
)
from programs.world import Keep, World

OWNERS = (PLAYER, SIDE)
"""What everybody has, they have of their own or with their side."""


class Flow(Happening):
    """Writes the bodies of steps."""

    def __init__(self, rng: Random, world: World) -> None:
        super().__init__(rng, world)
        self.helpers: list[Lines] = []
        """Steps that were asked for on the way."""
        self.counters: list[str] = []
        """What is kept to count the passes of loops."""
        self.hops: dict[int, Lines] = {}
        """A step and a move that say who is next, once they have been asked for."""
        self.says_next = False
        """Whether a step is being written, or a lap in which it is said who is next: no other one may stand there."""
        self.room = 0
        """After so many lines no further blocks are opened."""

    def ways(self) -> Sequence[Doing]:
        plain = super().ways()
        return (
            *plain, self.turn, self.turn, self.turn, self.turn, self.turns, self.turns, self.at_once, self.repeat,
            self.until, self.go_round, self.call, self.shuffle, self.tell, self.throw,
        )  # fmt: skip

    def block(self, scope: Scope, level: int, most: int = 3) -> Lines:
        lines = super().block(scope, level if self.room > 0 else 0, most)
        self.room -= len(lines)
        return lines

    # ---- decisions --------------------------------------------------------------------------------------------------

    @staticmethod
    def among_verbs(verbs: str) -> list[str]:
        """The moves of a turn, one by one."""
        return [word for word in verbs.split() if word not in ("or", "else")]

    def verbs(self) -> str:
        """Some moves, the last of which can always be made, or nearly."""
        rng, moves = self.rng, [verb for verb in self.world.moves if verb != "passes"]
        generous = moves[0]
        safe = [verb for verb in moves if self.world.moves[verb]]
        groups = [
            " or ".join(rng.sample(moves, min(len(moves), rng.randint(1, 2))))
            for _ in range(rng.randint(1, self.depth - 1))
        ]
        if rng.random() < 0.4 and generous not in groups[0]:
            groups[0] = f"{generous} or {groups[0]}"
        if rng.random() < 0.2:
            groups[-1] = f"{groups[-1]} or passes"
        elif rng.random() < 0.99:
            groups.append(rng.choice([*safe, "passes", "passes"]))
        return " else ".join(groups)

    def turn(self, scope: Scope, level: int) -> tuple[Lines, Scope]:
        player, verbs = self.say.sure(PLAYER, scope, 2).at(CLOSED), self.verbs()
        return [f"{player} {verbs}", *self.told(scope), *self.then(verbs, scope)], scope

    def then(self, verbs: str, scope: Scope) -> Lines:
        """Something that depends on which of the moves was chosen, now and then."""
        rng = self.rng
        if rng.random() > 0.2:
            return []
        chosen = f"{rng.choice([verb for verb in verbs.split() if verb not in ('or', 'else')])} was"
        asked = Phrase(f"{chosen} {rng.choice(('', 'not '))}chosen", TRUTH, PLAIN)
        if rng.random() < 0.3:
            other = self.say.phrase(TRUTH, scope.without_chance(), 1)
            asked = conjunction(rng.choice(("and", "or")), asked, other)
        return [f"if {asked.at(OPEN_OR)}", *indented(self.block(scope, 0, 1))]

    def turns(self, scope: Scope, level: int) -> tuple[Lines, Scope]:
        head, inner = self.each_player(scope) if self.rng.random() < 0.6 else self.each_line(scope)
        who = "player" if head.startswith("each player") else self.say.plain(PLAYER, inner).at(CLOSED)
        verbs = self.verbs()
        return [head, *indented([f"{who} {verbs}", *self.then(verbs, inner)])], scope

    def at_once(self, scope: Scope, level: int) -> tuple[Lines, Scope]:
        bounds = ""
        if self.rng.random() < 0.3:
            bounds = f" from {self.say.sure(PLAYER, scope.without_chance(), 2).at(CLOSED)}"
        if self.rng.random() < 0.1:
            bounds += f" where {self.say.looking(PLAYER, frozenset(), scope.without_chance(), 2)}"
        who = "player" if self.rng.random() < 0.9 else self.rng.choice(("left", "right of player", "random player"))
        return [f"each player{bounds} at once", f"    {who} {self.verbs()}"], scope

    # ---- again and again --------------------------------------------------------------------------------------------

    def repeat(self, scope: Scope, level: int) -> tuple[Lines, Scope]:
        if level <= 0:
            raise Impossible
        times = self.say.within(0, 4, scope, 2)
        if self.rng.random() < 0.1:
            times = self.say.within(-3, 4, scope, 2)
        return [f"repeat {times.at(SIZED)} times", *indented(self.block(scope, level - 1))], scope

    def counter(self) -> str:
        name = f"{COUNTING}{chr(97 + len(self.counters))}"
        self.counters.append(name)
        self.world.keeps[name] = Keep(name, None, Phrase("0", NUMBER, high=9))
        return name

    def until(self, scope: Scope, level: int) -> tuple[Lines, Scope]:
        if level <= 0 or len(self.counters) > 20:
            raise Impossible
        counter = self.counter()
        condition = f"{counter} is at least {self.rng.randint(0, 4)}"
        if self.rng.random() < 0.5:
            condition += f" or {self.say.phrase(TRUTH, scope.without_chance(), 2).at(OPEN_OR)}"
        body = [f"{counter} becomes {counter} + 1", *self.block(scope, level - 1)]
        if self.rng.random() < 0.3:
            verbs = self.verbs()
            condition = f"{self.rng.choice(self.among_verbs(verbs))} was chosen or {condition}"
            body.append(f"{self.say.sure(PLAYER, scope.without_chance(), 1).at(CLOSED)} {verbs}")
        return [f"{counter} becomes 0", f"repeat until {condition}", *indented(body)], scope

    def go_round(self, scope: Scope, level: int) -> tuple[Lines, Scope]:
        if level <= 0 or len(self.counters) > 20:
            raise Impossible
        counter = self.counter()
        parts = [f"{counter} is at least {self.rng.randint(2, 9)}"]
        if self.rng.random() < 0.6:
            parts.append("all pass")
        if self.rng.random() < 0.4:
            parts.append(self.say.phrase(TRUTH, scope.without_chance(), 2).at(PLAIN))
        inner = scope.without("next").with_local("player", Phrase("player", PLAYER))
        body = [f"{counter} becomes {counter} + 1"]
        outer, says_next = self.says_next, not self.says_next and self.rng.random() < 0.4
        if says_next:
            self.says_next, inner = True, inner.with_local("next", Phrase("next", PLAYER), in_sight=False)
            body += self.who_is_next(inner)
        if self.rng.random() < 0.8:
            verbs = self.verbs()
            body += [f"player {verbs}", *self.then(verbs, inner)]
            if self.rng.random() < 0.3:
                parts.append(f"{self.rng.choice(self.among_verbs(verbs))} was chosen")
        body += self.block(inner, level - 1, 2)
        if says_next:
            body += self.who_is_next(inner)
        self.says_next = outer
        self.rng.shuffle(parts)
        first = self.say.sure(PLAYER, scope, 2).at(CLOSED)
        head = f"go round from {first} until {' or '.join(parts)}"
        return [f"{counter} becomes 0", head, *indented(body)], scope

    def who_is_next(self, scope: Scope) -> Lines:
        """Lines of a lap that say whose turn comes then."""
        match self.rng.randrange(6):
            case 0:
                return ["next becomes left of next", *self.told(scope)]
            case 1 | 2 as way:
                step = ["hop of player:", "    next becomes left of player", '        "Then comes {next}."']
                move = ["player hops:", "    choose friend from players", "    next becomes friend"]
                self.hops[way] = step if way == 1 else move
                return ["hop of player"] if way == 1 else ["player hops else passes"]
            case 3:
                return ["if next is leader", "    next becomes right of player"]
        value = self.say.sure(PLAYER, scope, 2)
        return [f"next becomes {value.at(CHOICE)}", *self.told(scope)]

    # ---- steps ------------------------------------------------------------------------------------------------------

    def call(self, scope: Scope, level: int) -> tuple[Lines, Scope]:
        """A step that has been written, or a new one."""
        rng, steps = self.rng, self.world.steps
        if level > 0 and len(steps) < 5 and rng.random() < 0.6:
            self.step(level)
        if not steps:
            raise Impossible
        name = rng.choice([*steps])
        parameter = steps[name]
        if parameter is None:
            return [name, *self.told(scope)], scope
        return [f"{name} of {self.say.sure(parameter, scope, 2).at(CLOSED)}", *self.told(scope)], scope

    def step(self, level: int) -> None:
        rng = self.rng
        named = [Type("name", name) for name in self.world.names]
        families = [Type("place", name) for name, place in self.world.places.items() if place.key]
        parameter = rng.choice([None, None, PLAYER, PLAYER, Type("card"), *named, *families])
        name, scope = f"step-{chr(97 + len(self.helpers))}", Scope(chance=True)
        word = ""
        if parameter is not None:
            word = parameter.of or parameter.kind
            scope = scope.with_local(word, Phrase(word, parameter, kinds=frozenset(self.world.kinds)))
        at = len(self.helpers)
        self.helpers.append([])
        outer, self.says_next = self.says_next, True
        lines = self.block(scope, level - 1)
        self.says_next = outer
        self.helpers[at] = [f"{name}{' of ' + word if word else ''}:", *indented(lines)]
        self.world.steps[name] = parameter

    def shuffle(self, scope: Scope, level: int) -> tuple[Lines, Scope]:
        return [f"shuffle {self.say.sure(self.some_place(), scope, 2).at(CLOSED)}", *self.told(scope)], scope

    def tell(self, scope: Scope, level: int) -> tuple[Lines, Scope]:
        figures = [name for name, phrase in scope.locals.items() if phrase.type in (NUMBER, PLAYER)]
        return ['"Look at {leader}."' if not figures else f'"Look at {{{self.rng.choice(figures)}}}."'], scope

    def throw(self, scope: Scope, level: int) -> tuple[Lines, Scope]:
        """A die is cast."""
        name, low, high = self.new_name(), self.rng.randint(0, 3), self.rng.randint(3, 6)
        inner = scope.with_local(name, Phrase(name, NUMBER, low=low, high=high), in_sight=False)
        return [f"{name} = random {low} to {high}", f"score of leader becomes score of leader + {name}"], inner

    # ---- the end ----------------------------------------------------------------------------------------------------

    def wins(self) -> Lines:
        """Somebody wins, now and then only if something holds."""
        rng, world = self.rng, self.world
        outcome = rng.choice(("wins", "wins", "win", "loses", "lose"))
        told = [
            '    "{winners} {winners:wins|win}."'
            if outcome.startswith("win")
            else '    "{losers} {losers:loses|lose}."'
        ]
        told = told if rng.random() < 0.5 else []
        match rng.randrange(6 if world.sides else 12):
            case 0:
                return [f"{rng.choice(('everyone', 'nobody'))} {rng.choice(('wins', 'win'))}"]
            case 1 | 2 as number:
                who = SIDE if world.sides and rng.random() < 0.7 else PLAYER
                words = self.say.sure(who if number == 1 else who.all(), Scope(chance=True), 2)
                return [f"{words.at(OPEN_OR)} {outcome}", *told]
        numbers = [k.name for k in world.keeps.values() if k.key and k.key.type in OWNERS and k.value.type == NUMBER]
        numbers += [
            d.name for d in world.definitions.values()
            if d.parameter in OWNERS and d.second is None and d.value.type == NUMBER and d.value.sure
        ]  # fmt: skip
        by = [f"{rng.choice(('highest', 'lowest'))} {name}" for name in rng.sample(numbers, min(len(numbers), 3))]
        line = f"{by[0]} {outcome}" + "".join(f", then {more}" for more in by[1 : rng.randint(1, 3)])
        return [line, *told]

    def early_end(self) -> Lines:
        condition = self.say.phrase(TRUTH, Scope(), self.depth)
        return [f"if {condition.at(OPEN_OR)}", *indented(self.wins())]
