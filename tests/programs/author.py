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
from programs.world import Definition, Founder, World


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
        for block in (*self.flow.helpers, *moves):
            lines += block
        return "# Generated\n\nRules.\n\n" + "\n".join(indented(lines)) + "\n"

    # ---- definitions ------------------------------------------------------------------------------------------------

    def definitions(self) -> Lines:
        lines = ["few = 2"] if self.rng.random() < 0.3 else []
        if lines:
            self.world.definitions["few"] = Definition("few", None, Phrase("few", NUMBER, low=2, high=2))
        if self.rng.random() < 0.3:
            self.world.offers = True
            lines.append("offers = 1, 3, 5 to 7")
        names = sorted(name for name in self.world.names if name in self.world.attributes)
        if names and self.rng.random() < 0.3:
            by = self.rng.choice(names)
            first = self.world.names[by][0]
            lines += [
                f"fee by {by}:",
                f"    {self.rng.randint(0, 5)}: {first}",
                f"    {self.rng.randint(0, 5)}: others",
            ]
            self.world.definitions["fee"] = Definition("fee", Type("name", by), Phrase("fee", NUMBER, low=0, high=5))
        for number in range(self.rng.randint(0, 4)):
            try:
                lines += self.definition(f"value-{chr(97 + number)}")
            except Impossible:
                continue
        return lines

    def who_is_out(self) -> Lines:
        """It is asked before anything else is, so it names nothing that is not there from the beginning."""
        if self.rng.random() > 0.2:
            return []
        for _ in range(20):
            lines = self.definition("out", PLAYER, TRUTH)
            if not any(word in " ".join(lines) for word in ("leader", "shown", "called", "spot", "rival")):
                return lines
        return ["out of player = score is above 4 or no cards in hand and some cards in table"]

    def definition(self, name: str, parameter: Type | None = None, wanted: Type | None = None) -> Lines:
        rng, world = self.rng, self.world
        named = [Type("name", name) for name in world.names]
        families = [Type("place", name) for name, place in world.places.items() if place.key]
        parameter = parameter or rng.choice([None, PLAYER, PLAYER, CARD, CARD, *named, *families])
        wanted = wanted or rng.choice(
            [NUMBER, NUMBER, NUMBER, TRUTH, TRUTH, CARD, PLAYER, CARD.all(), PLAYER.all(), *named, *families]
        )
        scope, word = Scope(), ""
        if parameter is not None:
            word = parameter.of or parameter.kind
            scope = scope.with_local(word, Phrase(word, parameter, kinds=frozenset(world.kinds)))
        value = self.say.phrase(wanted, scope, self.flow.depth)
        if name == "out" and rng.random() < 0.9:  # nobody is at the beginning
            value = conjunction("and", Phrase(f"score is above {rng.randint(0, 5)}", TRUTH, PLAIN), value)
        head = f"{name} of {word} =" if word else f"{name} ="
        lines = [f"{head} {value.at(CHOICE)}"]
        if value.level <= OPEN_OR and value.sure and rng.random() < 0.3:
            lines = [head, *indented(self.flow.written_out([value, value], scope))]
        if name != "out":
            world.definitions[name] = Definition(name, parameter, value)
        return lines

    # ---- the flow ---------------------------------------------------------------------------------------------------

    def game(self) -> Lines:
        rng, world = self.rng, self.world
        scope = Scope(chance=True)
        hand = min(rng.randint(1, 5), len(world.cards) // (world.players[1] + 1))
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
                inner = bare.with_local("player", Phrase("player", PLAYER))
                value = self.say.plain(keep.value.type, inner, kept=False)
                lines += ["each player", f"    {keep.name} becomes {value.text}"]
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
