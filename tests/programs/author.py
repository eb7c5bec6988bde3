"""A seed → a whole rule file."""

from __future__ import annotations

from random import Random

from programs.doing import Lines
from programs.flowing import Flow
from programs.moving import VERBS, Moves
from programs.speaking import Impossible
from programs.words import (
    CARD,
    CHOICE,
    NUMBER,
    OPEN_OR,
    PLAIN,
    PLAYER,
    TRUTH,
    Phrase,
    Scope,
    Type,
    conjunction,
    indented,
)
from programs.world import ANY_NUMBER, OFFERED, Definition, Founder, World


class Author:
    """Writes one file; a small one takes machine code a tenth of a second."""

    def __init__(self, seed: int, small: bool) -> None:
        self.rng = Random(seed)
        self.small = small
        founder = Founder(self.rng, small)
        self.declared = founder.lines()
        self.world: World = founder.world
        self.moves = Moves(self.rng, self.world)
        self.flow = Flow(self.rng, self.world)
        self.flow.room, self.flow.depth = (6, 2) if small else (45, 3)
        self.moves.depth = self.flow.depth
        self.say = self.flow.say

    def file(self) -> str:
        rng = self.rng
        definitions = [*self.who_is_out(), *self.definitions()]
        verbs = rng.sample(VERBS, rng.randint(1, 2 if self.small else 4))
        moves = [self.moves.move(verb, generous=verb == verbs[0]) for verb in verbs]
        moves.append(self.moves.passes())
        game = self.game()
        counters = [f"keep {name}: 0" for name in self.flow.counters]
        lines = [*self.declared, *counters, *definitions, *game]
        for block in (*self.flow.helpers, *self.flow.hops.values(), *self.moves.helpers.values(), *moves):
            lines += block
        return "# Generated\n\nRules.\n\n" + "\n".join(indented(lines)) + "\n"

    # ---- definitions ------------------------------------------------------------------------------------------------

    def definitions(self) -> Lines:
        lines = ["few = 2"] if self.rng.random() < 0.3 else []
        if lines:
            self.world.definitions["few"] = Definition("few", None, Phrase("few", NUMBER, low=2, high=2))
        if self.rng.random() < 0.4:
            offers = Phrase("offers", NUMBER.all(), low=OFFERED[0], high=OFFERED[-1])
            self.world.definitions["offers"] = Definition("offers", None, offers)
            lines.append("offers = 1, 7, 3 to 5")
        lines += [*self.table(), *self.list_of_names(), *self.seen()]
        if self.rng.random() < 0.3:
            lines += self.say.group_lines()
            self.world.groups = True
        for number in range(self.rng.randint(0, 4)):
            try:
                lines += self.definition(f"value-{chr(97 + number)}")
            except Impossible:
                continue
        return lines

    def table(self) -> Lines:
        """A number, or a name, for each of some names or for each number."""
        rng, world = self.rng, self.world
        names = sorted(name for name in world.names if name in world.attributes)
        if rng.random() > 0.4:
            return []
        by = rng.choice(["number", "number", *names])
        parameter = NUMBER if by == "number" else Type("name", by)
        first = world.names[by][0] if by in world.names else rng.choice(("1", "2 to 3", "1, 3"))
        if rng.random() < 0.3:
            worths, value = ["cheap", "dear"], Phrase("fee", Type("name", "fee"))
            world.names["fee"] = ("cheap", "dear")
        elif names and rng.random() < 0.3:
            of = rng.choice(names)
            worths = [word for word in world.names[of] if not word.isdigit()][:2]
            value = Phrase("fee", Type("name", of))
        elif rng.random() < 0.4:
            low, keys = rng.randint(-3, 2), world.names.get(by, ("1", "2", "3"))
            last = low + len(keys) - 1
            value = Phrase("fee", NUMBER, low=min(low, 0), high=max(last, 0))
            world.definitions["fee"] = Definition("fee", parameter, value)
            if by in world.names:
                return [f"fee by {by}:", f"    {low} to {last}: others"]
            return [f"fee by {by}:", f"    {low} to {last}: 1 to 3", "    0: others"]
        else:
            worths = [str(rng.randint(-3, 5)) for _ in range(2)]
            value = Phrase("fee", NUMBER, low=-3, high=5)
        world.definitions["fee"] = Definition("fee", parameter, value)
        return [f"fee by {by}:", f"    {worths[0]}: {first}", f"    {worths[-1]}: others"]

    def list_of_names(self) -> Lines:
        names = sorted(name for name in self.world.names if name in self.world.attributes)
        if not names or self.rng.random() > 0.3:
            return []
        of = self.rng.choice(names)
        listed = self.rng.sample([name for name in self.world.names[of] if not name.isdigit()], 2)
        self.world.definitions["favours"] = Definition("favours", None, Phrase("favours", Type("name", of, many=True)))
        return [f"favours = {', '.join(listed)}"]

    def seen(self) -> Lines:
        """A name for cards that a player sees, who can choose from them."""
        if self.rng.random() > 0.2:
            return []
        kinds = frozenset(self.world.kinds)
        self.world.definitions["seen"] = Definition("seen", PLAYER, Phrase("seen", CARD.all(), kinds=kinds))
        scope = Scope().with_local("player", Phrase("player", PLAYER))
        condition = self.say.looking(CARD, kinds, scope, 1)
        return [f"seen of player = {self.rng.choice(('cards in hand', 'hand', 'hand or table'))} where {condition}"]

    def who_is_out(self) -> Lines:
        """It is asked before anything else is, so it names nothing that is not there from the beginning."""
        if self.rng.random() > 0.2:
            return []
        for _ in range(20):
            lines = self.definition("out", PLAYER, TRUTH)
            if not any(word in " ".join(lines) for word in ("leader", "shown", "called", "spot", "rival", "camp")):
                return lines
        return ["out of player = score is above 4 or no cards in hand and some cards in table"]

    def definition(self, name: str, parameter: Type | None = None, wanted: Type | None = None) -> Lines:
        rng, world = self.rng, self.world
        named = [Type("name", name) for name in world.names]
        families = [Type("place", name) for name, place in world.places.items() if place.key]
        parameter = parameter or rng.choice([None, PLAYER, PLAYER, CARD, CARD, NUMBER, *named, *families])
        others = [PLAYER, CARD, NUMBER, *named, *families]
        second = rng.choice(others) if parameter and name != "out" and rng.random() < 0.25 else None
        wanted = wanted or rng.choice(
            [NUMBER, NUMBER, NUMBER, TRUTH, TRUTH, CARD, PLAYER, CARD.all(), PLAYER.all(), *named, *families]
        )
        scope, words, (low, high) = Scope(), list[str](), ANY_NUMBER
        for type in filter(None, (parameter, second)):
            words.append(f"{'other-' * bool(words and type == parameter)}{type.of or type.kind}")
            local = Phrase(words[-1], type, low=low, high=high, kinds=frozenset(world.kinds))
            scope = scope.with_local(words[-1], local)
        value = self.say.phrase(wanted, scope, self.flow.depth)
        if name == "out" and rng.random() < 0.9:  # nobody is at the beginning
            value = conjunction("and", Phrase(f"score is above {rng.randint(0, 5)}", TRUTH, PLAIN), value)
        head = f"{name} of {' and '.join(words)} =" if words else f"{name} ="
        lines = [f"{head} {value.at(CHOICE)}"]
        if value.level <= OPEN_OR and value.sure and rng.random() < 0.3:
            lines = [head, *indented(self.flow.written_out([value, value], scope))]
        if name != "out":
            world.definitions[name] = Definition(name, parameter, value, second)
        return lines

    # ---- the flow ---------------------------------------------------------------------------------------------------

    def game(self) -> Lines:
        rng, world = self.rng, self.world
        scope = Scope(chance=True)
        hand = min(rng.randint(1, 5), world.size // (world.players[1] + 1))
        lines = ["cards go to deck", *(["shuffle deck"] if rng.random() < 0.9 else [])]
        lines += [f"deal {hand} from deck to each hand"]
        lines += self.beginnings()
        for number in range(1 if self.small else rng.randint(1, 3)):
            if number == 0 or rng.random() < 0.3:
                lines += self.flow.some((self.flow.turns, self.flow.go_round, self.flow.at_once), scope, 2)[0]
            lines += self.flow.block(scope, 2 if self.small else 3)
            if rng.random() < 0.08:
                lines += self.flow.early_end()
        lines += self.ledger()
        lines += self.flow.wins() if rng.random() < 0.95 else self.flow.early_end()
        return ["game:", *indented(lines)]

    def beginnings(self) -> Lines:
        """What is kept and is no number gets its first value."""
        lines = []
        bare = Scope(chance=True)
        for keep in self.world.keeps.values():
            if keep.value.type == NUMBER or keep.value.type.of == "mood" or self.rng.random() < 0.002:
                continue
            if keep.value.type == PLAYER and keep.key is None:
                lines.append(f"{keep.name} becomes random player")
            elif keep.key is None:
                lines.append(f"{keep.name} becomes {self.say.plain(keep.value.type, bare, kept=False).text}")
            else:
                word = keep.key.words
                inner = bare.with_local(word, Phrase(word, keep.key.type))
                value = self.say.plain(keep.value.type, inner, kept=False)
                lines += [f"each {word}", f"    {keep.name} becomes {value.text}"]
        return lines

    def ledger(self) -> Lines:
        """What lies where at the end goes into the scores, so that it is compared too."""
        rng, lines = self.rng, list[str]()
        number = rng.choice([name for name, attribute in self.world.attributes.items() if attribute.type == NUMBER])
        for place in self.world.places.values():
            if place.name == "box" or rng.random() < 0.4:
                continue
            measure = rng.choice((f"sum {number} in", "count cards in", f"sum {number} in"))
            if place.key is None:
                lines += [f"score of leader becomes score of leader + {measure} {place.name}"]
            elif place.key.type == PLAYER:
                lines += ["each player", f"    score becomes score + {measure} {place.name}"]
            else:
                lines += [
                    f"each {place.name}",
                    f"    score of leader becomes score of leader * 2 + {measure} {place.name}",
                ]
            if place.ordered and place.key is None:
                last = f"({number} of last of {place.name} else 0)"
                lines += [f"score of leader becomes score of leader * 2 + {last}"]
        return lines


def program(seed: int, small: bool = False) -> str:
    """The file that a seed makes."""
    return Author(seed, small).file()
