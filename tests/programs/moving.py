"""Lines of moves: choices, conditions and what happens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from programs.doing import Doing, Happening, Lines
from programs.speaking import Impossible
from programs.words import (
    CARD,
    CLOSED,
    NUMBER,
    OPEN,
    OPEN_OR,
    PLAYER,
    SIDE,
    SIZED,
    TRUTH,
    Phrase,
    Scope,
    Type,
    indented,
    plural,
)
from programs.world import World

VERBS = ("plays", "lays", "draws", "gives", "calls", "bids", "swaps")


class Moves(Happening):
    """Writes moves."""

    seen_names: dict[str, Phrase]
    """Names of cards that the player sees, given in this move."""

    def __init__(self, rng: Random, world: World) -> None:
        super().__init__(rng, world)
        self.helpers: dict[str, Lines] = {}
        """Steps that moves call."""
        self.in_step = False

    def ways(self) -> Sequence[Doing]:
        return (*super().ways(), self.call)

    def call(self, scope: Scope, level: int) -> tuple[Lines, Scope]:
        """A step in which nobody chooses: one that has been written, or a new one."""
        rng, steps = self.rng, self.world.steps
        if not self.in_step and level > 0 and len(self.helpers) < 2:
            self.step(level)
        if not self.helpers:
            raise Impossible
        name = rng.choice([*self.helpers])
        parameter = steps[name]
        if parameter is None:
            return [name, *self.told(scope)], scope
        return [f"{name} of {self.say.sure(parameter, scope, 2).at(CLOSED)}", *self.told(scope)], scope

    def step(self, level: int) -> None:
        parameter = self.rng.choice([None, PLAYER, PLAYER, CARD])
        name, scope, word = f"aside-{chr(97 + len(self.helpers))}", Scope(in_move=True), ""
        if parameter is not None:
            word = parameter.kind
            scope = scope.with_local(word, Phrase(word, parameter, kinds=frozenset(self.world.kinds)))
        self.in_step = True
        lines = self.block(scope, level - 1, 2)
        self.in_step = False
        self.helpers[name] = [f"{name}{' of ' + word if word else ''}:", *indented(lines)]
        self.world.steps[name] = parameter

    def move(self, verb: str, generous: bool) -> Lines:
        """The lines of a move; whether it can always be made is noted in the world. A generous one refuses nothing to
        whoever holds a card."""
        rng = self.rng
        scope = Scope(in_move=True).with_local("player", Phrase("player", PLAYER))
        lines, safe = [f'"Now {verb}."'] if rng.random() < 0.5 else [], True
        if generous:
            amount = rng.choice(("1 to 2", "up to 2", "1 to 3", "some")) if rng.random() < 0.15 else ""
            name, type = ("cards", CARD.all()) if amount else ("card", CARD)
            lines.append(f"choose {amount} {name} from hand".replace("  ", " "))
            scope = scope.with_local(name, Phrase(name, type, kinds=frozenset(self.world.kinds)))
        self.seen_names = {}
        for _ in range(0 if generous else rng.choice((0, 1, 1, 1, 1, 1, 1, 2, 2, 3))):
            more, scope = self.names_between(scope)
            line, scope, sure = self.choice(scope)
            lines += [*more, line]
            safe = safe and sure
        more, scope = self.names_between(scope)
        lines += more
        for _ in range(rng.choice((0, 0, 0, 0, 1, 1, 2))):
            more, sure = self.must(scope, generous)
            lines += more
            safe = safe and sure
        self.world.moves[verb] = safe and not generous
        lines += self.block(scope, self.depth - 1, self.depth)
        return [f"player {verb}:", *indented(lines)]

    def names_between(self, scope: Scope) -> tuple[Lines, Scope]:
        """Names that choices and conditions can use, now and then."""
        draw, name = self.rng.random(), self.new_name()
        if draw < 0.08:
            source = self.cards_of(scope)
            self.seen_names[name] = replace(source, text=name, level=0)
            words = f"cards in {source.text}" if source.level <= CLOSED else source.text
            return [f"{name} = {words}"], scope.with_local(name, self.seen_names[name], in_sight=False)
        return self.some((self.name,), scope, 0) if draw < 0.25 else ([], scope)

    def passes(self) -> Lines:
        self.world.moves["passes"] = True
        extra = self.block(Scope(in_move=True).with_local("player", Phrase("player", PLAYER)), 0, 1)
        lines = ['"Pass."', *(['"{player} passes."'] if self.rng.random() < 0.5 else [])]
        return ["player passes:", *indented([*lines, *(extra if self.rng.random() < 0.2 else [])])]

    # ---- choices ----------------------------------------------------------------------------------------------------

    def choice(self, scope: Scope) -> tuple[str, Scope, bool]:
        """A choice, the scope behind it, and whether there is always something to choose."""
        rng, world = self.rng, self.world
        named = [name for name in world.names if name not in scope.locals]
        families = [name for name, place in world.places.items() if place.key and name not in scope.locals]
        ended = [n for n, p in world.places.items() if (p.two_ended and p.seen == "seen by all") or n == "hand"]
        match rng.randrange(12):
            case _ if world.groups and "group" not in scope.locals and rng.random() < 0.3:
                return self.one_group(scope)
            case 0 | 9:
                return self.number(scope)
            case 1 | 8 if named:
                name = rng.choice(named)
                local = Phrase(name, Type("name", name))
                if name != SIDE.of and rng.random() < 0.5:
                    listed = ", ".join(rng.sample(world.names[name], 2))
                    return f"choose {name} from {listed}", scope.with_local(name, local), True
                return self.from_all(name, local, scope)
            case 2 if families:
                name = rng.choice(families)
                return self.from_all(name, Phrase(name, Type("place", name)), scope)
            case 3:
                source = self.say.phrase(PLAYER.all(), scope, 2)
                name = self.free("friend", scope)
                return f"choose {name} from {source.at(OPEN_OR)}", scope.with_local(name, Phrase(name, PLAYER)), False
            case 4 if any(world.places[name].two_ended for name in ended) and "end" not in scope.locals:
                name = rng.choice([name for name in ended if world.places[name].two_ended])
                place = self.say.sure(Type("place", name), scope, 2).at(OPEN_OR)
                local = Phrase("end", Type("end", name), kinds=frozenset(world.kinds))
                return f"choose end from {place}", scope.with_local("end", local), False
            case 5 | 7 if "cards" not in scope.locals:
                return self.several(scope)
            case 6:
                return self.blindly(scope)
        return self.card(scope)

    def free(self, name: str, scope: Scope) -> str:
        return name if name not in scope.locals else self.new_name()

    def number(self, scope: Scope) -> tuple[str, Scope, bool]:
        low, high = self.say.within(-2, 3, scope, 1), self.say.within(0, 9, scope, 2)
        name = self.free("tip", scope)
        if self.rng.random() < (0.6 if self.say.offers() else 0.3):
            local = Phrase(name, NUMBER, low=0, high=9)
            if self.say.offers() and self.rng.random() < 0.6:
                condition = self.say.looking(NUMBER, frozenset(), scope, 2)
                return f"choose {name} from offers where {condition}", scope.with_local(name, local), False
            words = self.rng.choice(("1, 3, 5 to 7", "0, 9", *(["offers"] if self.say.offers() else [])))
            return f"choose {name} from {words}", scope.with_local(name, local), True
        local = Phrase(name, NUMBER, low=low.low, high=max(high.high, low.low))
        line = f"choose {name} from {low.at(SIZED)} to {high.at(SIZED)}"
        return line, scope.with_local(name, local), low.high <= high.low

    def from_all(self, name: str, local: Phrase, scope: Scope) -> tuple[str, Scope, bool]:
        line, inner = f"choose {name}", scope.with_local(name, local)
        if self.rng.random() < 0.5:
            return line, inner, True
        return f"{line} where {self.say.looking(local.type, local.kinds, scope, 2)}", inner, False

    def seen(self) -> list[str]:
        """Words for the cards that a player sees and may choose."""
        places = self.world.places.values()
        own = [p.name for p in places if p.key and p.key.type == PLAYER and p.seen in ("seen by owner", "seen by all")]
        return [*own, *own, *own, *(p.name for p in places if p.seen == "seen by all" and p.name not in own)]

    def cards_of(self, scope: Scope) -> Phrase:
        """Cards in sight of the player."""
        rng, world = self.rng, self.world
        if self.seen_names and rng.random() < 0.5:
            return rng.choice([*self.seen_names.values()])
        if "seen" in world.definitions and self.say.bare("seen", PLAYER, scope) and rng.random() < 0.2:
            return replace(world.definitions["seen"].value, text="seen", level=0)
        turned = [name for name, place in world.places.items() if place.turned]
        if turned and rng.random() < 0.3:
            place = self.say.turned(scope)
            return Phrase(f"cards in {place} where it is face up", CARD.all(), OPEN, kinds=frozenset(world.kinds))
        name = rng.choice(self.seen())
        key, kinds = world.places[name].key, frozenset(world.kinds)
        others = [p for p in scope.of_type(PLAYER) if p.text != "player"]
        if name in scope.locals and world.places[name].seen != "seen by all":
            place = "table"
        elif name in scope.locals or key is None or (key.type == PLAYER and not others):
            place = name
        elif key.type == PLAYER:
            place = f"{name} of player"
        else:
            place = f"{name} of {self.say.plain_key(key, replace(scope, locals={}, sight=())).text}"
        if rng.random() < 0.15 and place != "table" and key is not None and key.type == PLAYER:
            return Phrase(f"{place} or table", CARD.all(), OPEN, kinds=kinds)
        if rng.random() < 0.7:
            return Phrase(place, CARD.all(), CLOSED, kinds=kinds)
        noun, kinds = self.say.noun(CARD)
        if rng.random() < 0.4:
            return Phrase(f"{noun} in {place}", CARD.all(), CLOSED, kinds=kinds)
        condition = self.say.looking(CARD, kinds, scope, 2)
        return Phrase(f"{noun} in {place} where {condition}", CARD.all(), OPEN, kinds=kinds)

    def card(self, scope: Scope) -> tuple[str, Scope, bool]:
        kinds = [kind for kind in self.world.kinds if kind != "card" and kind not in scope.locals]
        if kinds and self.rng.random() < 0.3:
            kind = self.rng.choice(kinds)
            local = Phrase(kind, CARD, kinds=frozenset({kind}))
            return f"choose {kind} from hand of player", scope.with_local(kind, local), False
        source, name = self.cards_of(scope), self.free("card", scope)
        local = Phrase(name, CARD, kinds=source.kinds)
        return f"choose {name} from {source.text}", scope.with_local(name, local), False

    def blindly(self, scope: Scope) -> tuple[str, Scope, bool]:
        """A card by its position, from wherever cards lie."""
        source = self.say.source(CARD, scope, 2)
        if not source.sure:
            source = Phrase("hand of left of player", CARD.all(), CLOSED, kinds=frozenset(self.world.kinds))
        name = self.free("card", scope)
        local = Phrase(name, CARD, kinds=source.kinds)
        return f"choose {name} blindly from {source.at(OPEN_OR)}", scope.with_local(name, local), False

    def several(self, scope: Scope) -> tuple[str, Scope, bool]:
        """Some cards together, or some players, or some names."""
        rng = self.rng
        plain = [d.name for d in self.world.definitions.values() if d.parameter is None and d.value.text == "few"]
        few = rng.randint(0, 2)
        amount = rng.choice([*plain, str(few), "2", *[f"{few} to {few + 1}", f"up to {few}"] * 2, "some"])
        if rng.random() < 0.2 and "players" not in scope.locals:
            local = Phrase("players", PLAYER.all())
            return f"choose {amount} players from players", scope.with_local("players", local), False
        named = [name for name in self.world.names if plural(name) not in scope.locals]
        if rng.random() < 0.2 and named:
            name = rng.choice(named)
            local = Phrase(plural(name), Type("name", name, many=True))
            return f"choose {amount} {plural(name)}", scope.with_local(plural(name), local), False
        source = self.cards_of(scope)
        local = Phrase("cards", CARD.all(), kinds=source.kinds)
        return f"choose {amount} cards from {source.text}", scope.with_local("cards", local), False

    def one_group(self, scope: Scope) -> tuple[str, Scope, bool]:
        """One of the sets that fit a definition."""
        rng, source = self.rng, self.cards_of(scope)
        local = Phrase("group", CARD.all(), kinds=frozenset(self.world.kinds))
        cards = f"cards in {source.text}" if source.level <= CLOSED else source.text
        noun, number = rng.choice(("groups", "packs")), rng.randint(3, 6)
        where = f" where size of it is {rng.choice(('above', 'below'))} {rng.randint(1, 4)}"
        line = f"choose group from {noun} in (first {number} cards in ({cards}))"
        return line + (where if rng.random() < 0.4 else ""), scope.with_local("group", local), False

    # ---- conditions -------------------------------------------------------------------------------------------------

    def together(self, scope: Scope) -> str:
        """What cards that are chosen together must have in common, or must not exceed."""
        rng = self.rng
        word, most = rng.choice(["number", *self.world.attributes]), rng.randint(1, 12)
        few, amount = (
            rng.choice(("at most", "exactly", "at least")),
            rng.choice(("", "at most ", "below ", "at least ")),
        )
        less = rng.choice(("", "below ", "at most "))
        ways = [
            f"there must be no cards where {word} is not {word} of first of cards",
            f"there must be {few} 2 cards where {word} is {word} of first of cards",
            f"sum number in cards must be {amount}{most}",
            f"{most} must not be {less}count cards + sum number in cards",
            f"(sum number in cards is {most} or number of first of cards is {most // 2}) must hold",
        ]
        if self.world.groups:
            ways += [f"{way} of cards must hold" for way in ("pack", "group")] * 8
        return rng.choice(ways)

    def must(self, scope: Scope, generous: bool) -> tuple[Lines, bool]:
        rng = self.rng
        able = " if able" if generous or rng.random() < 0.6 else ""
        flags = [d for d in self.world.definitions.values() if d.value.type == TRUTH and d.parameter is None]
        match rng.randrange(4):
            case _ if "cards" in scope.locals and rng.random() < 0.7:
                line = self.together(scope)
            case 0:
                quantity = self.say.quantity(TRUTH, scope, 2)
                line = f"there must be {quantity.text}" if quantity else "there must be some players"
            case 1 if rng.random() < 0.3:
                thing, source = self.say.one_of_several(scope, 2)
                line = f"{thing} must {rng.choice(('be', 'not be'))} in {source}"
            case 1:
                flag = (
                    rng.choice(flags).name
                    if flags and rng.random() < 0.5
                    else self.say.phrase(TRUTH, scope, 2).at(SIZED)
                )
                line = f"{flag} must hold"
            case _:
                for _ in range(8):
                    try:
                        left, relation, right = self.say.compared(scope, self.depth, musts=True)
                        break
                    except Impossible:
                        left, relation, right = "score of player", "above", "0"
                line = f"{left} must {rng.choice(('be', 'be', 'not be'))} {relation} {right}".replace("  ", " ")
        lines = [f"{line}{able}", '    "You must not."']
        if rng.random() < 0.2:
            condition = self.say.phrase(TRUTH, scope, 2).at(OPEN_OR)
            lines = [f"if {condition}", *indented(lines)]
            if not generous and rng.random() < 0.4:
                lines += ["else", *indented(["player of (first of deck) must not be player", '    "Nor this."'])]
        return lines, bool(able)
