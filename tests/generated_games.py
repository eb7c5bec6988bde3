"""A seed → a small rule file that can be played: hidden places, names for hidden cards, secret choices, sentences.

The files are made to be looked at from each seat. Whatever the machine carries from one decision to the next is in
them somewhere: local names of every kind, steps that are called for somebody, loops in loops, laps, decisions made at
once, cards that go from sight and come back. To add a statement, write a method of `Author` and name it in `STATEMENTS`
or `DECISIONS`; to add a move, one of `MOVES`.
"""

from __future__ import annotations

from random import Random

SEEN = (
    "seen by all",
    "seen by owner",
    "seen by nobody",
    "seen by owner, backs seen by all",
    "seen by nobody, backs seen by all",
)
NUMBERS = 6
"""The highest number on the cards."""
DEPTH = 3

HEAD = """# Generated

For {{min-players}} to {{max-players}} players.

    players 2 to 3

## Cards

Cards have colours and numbers.

    cards
        colour: red, blue, gold
        number: 1 to {numbers}
{back}        "{{colour}} {{number}}"

## Places

Some see more than others.

    place deck, {deck}
    place vault, {vault}
    place table, seen by all
    place hand of each player, {hand}
    place pile of each player, {pile}
    place row of each colour, {row}, with two ends

## Memory

Something is remembered.

    keep score of each player: 0
    keep guess of each player: 0{secret}
    keep leader: player
    keep called: colour
    keep shown: card

## Game

The highest score wins.

    game:
        cards go to deck
        shuffle deck
        deal 3 from deck to each hand
        shown becomes first of deck
            "{{shown}} is shown."
        leader becomes random player
        called becomes red
        repeat {rounds} times
            round
            clearing
        highest score wins
            "{{winners}} {{winners:wins|win}}."
    clearing:
        hands go to deck
        piles go to deck
        rows go to deck
        table goes to deck
        vault goes to deck
        shuffle deck
        deal 3 from deck to each hand
        leader becomes left of leader
"""

MOVES = {
    "guesses": """
        "What number is it?"
        choose tip from 1 to 6
        guess becomes tip
            "{player} guesses {guess}."
""",
    "calls": """
        "Call a colour."
        choose colour
        called becomes colour
            "{player} calls {called}."
""",
    "gives": """
        "Give a card to {left}."
        choose card from hand
        card goes to hand of left
            "{player} gives {card} to {left}."
""",
    "hides": """
        "Hide a card."
        choose card from hand
        number of card must be above 2 if able
            "{card} is too low to be hidden."
        card goes to vault
            "{player} hides {card}."
""",
    "keeps": """
        "Put cards onto your pile."
        choose 2 cards from hand
        cards go to pile
            "{player} puts {cards} onto the pile."
""",
    "sheds": """
        "Put cards of one colour away."
        choose 1 to 2 cards from hand
        shade = colour of first of cards
        there must be no cards where colour is not shade
            "{cards} are not all {shade}."
        high = highest number in cards
        if shade is called
            number of high must be above 1 if able
                "{high} is too low."
            score becomes score + 1
        cards go to vault
        called becomes shade
            "{player} puts {cards} away."
""",
    "swaps": """
        "Take or give cards."
        choose up to 1 cards from hand or table
        cards go to pile
            "{player} takes {cards}."
""",
    "steals": """
        "Take a card of {left}."
        choose card blindly from hand of left
        card goes to hand
            "{player} takes {card}."
""",
    "bets": """
        "Bet."
        choose tip from 1, 3 to 4, 6
        guess becomes tip
            "{player} bets {guess}."
""",
    "shows": """
        "Show a card."
        choose card from hand
        card goes to table
            "{player} shows {card}."
""",
    "lays": """
        "Lay a card."
        choose card from hand
        card goes to row of colour of card
            "{player} lays {card}."
""",
    "points": """
        "Point at somebody."
        choose friend from players
        score of friend becomes score of friend + 1
            "{player} points at {friend}."
""",
    "draws": """
        "Draw a card."
        there must be some cards in deck
            "There is none."
        deal 1 from deck to hand
            "{player} draws."
""",
    "bluffs": """
        "Bluff."
        choose card from hand
        if number of card is above 4
            score becomes score + 1
                "{player} scores."
""",
    "waits": """
        "Wait."
""",
    "passes": """
        "Pass."
        "{player} passes."
""",
}


TURNING = {
    "opens": """
        "Turn over a card of the vault."
        choose card blindly from vault where it is face down
        card turns up
            "{player} turns over {card}."
""",
    "closes": """
        "Turn a card down."
        choose card from vault where it is face up
        card turns down
            "{player} turns down {card}."
""",
    "grabs": """
        "Take the last card of the vault."
        there must be some cards in vault
            "There is none."
        there must be no cards in vault where it is face up and number of it is 6
            "There is a high card."
        last of vault goes to hand
            "{player} takes the last card."
""",
}
"""Moves that need a vault in which cards are turned."""


class Author:
    """Writes one file."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.names = 0
        self.helpers: list[str] = []
        self.turned: dict[str, str] = {}
        """The places whose cards are turned, by name, and how they are named."""

    def turning(self, name: str, words: str, seen: str) -> str:
        """Who sees a place, now and then only until its cards are turned up."""
        first, *rest = seen.split(", ")
        if first == "seen by all" or self.rng.random() < 0.6:
            return seen
        self.turned[name] = words
        return ", ".join([f"{first} until turned up", *rest])

    def file(self) -> str:
        one_of = self.rng.choice
        by_name = [seen for seen in SEEN if "owner" not in seen]
        seen = {
            "vault": one_of([seen for seen in by_name if "all" not in seen.split(",")[0]]),
            "pile": one_of([*SEEN, "seen by others"]),
            "row": one_of(by_name),
        }
        words = {"vault": "vault", "pile": "pile of {who}", "row": "row of called"}
        seen = {name: self.turning(name, words[name], who) for name, who in seen.items()}
        head = HEAD.format(
            numbers=NUMBERS,
            back="        back shows colour\n" if self.rng.random() < 0.5 else "",
            deck=one_of([seen for seen in by_name if "all" not in seen.split(",")[0]]),
            hand=one_of([seen for seen in SEEN if seen.startswith("seen by owner")]),
            secret=one_of(["", ", seen by owner", ", seen by nobody, not shown"]),
            **seen,
            rounds=one_of((1, 2)),
        )
        asked = self.turn({}, "        ", 0)
        body = self.block({}, "    ", 0)
        lines = ["    round:", *asked, *body, *self.helpers]
        for verb, text in {**MOVES, **(TURNING if "vault" in self.turned else {})}.items():
            lines += [f"    player {verb}:", *text.strip("\n").split("\n")]
        return head + "\n".join(lines) + "\n"

    # ---- things -----------------------------------------------------------------------------------------------------

    def named(self, scope: dict[str, str], kind: str) -> list[str]:
        return [name for name, its_kind in scope.items() if its_kind == kind]

    def new(self) -> str:
        self.names += 1
        return f"thing-{'abcdefghijklmnopqrstuvwxyz'[self.names % 26]}{self.names}"

    def player(self, scope: dict[str, str]) -> str:
        return self.rng.choice(["leader", "left of leader", "right of leader", *self.named(scope, "player") * 2])

    def card(self, scope: dict[str, str], lots: bool = True) -> str:
        """A card that is surely there; with `lots`, it may be drawn."""
        who = self.player(scope)
        drawn: list[str] = [
            "random card in deck", "(random card in deck where colour of it is called else first of deck)",
            f"(random card in hand of {who} else last of deck)",
        ]  # fmt: skip
        things: list[str] = (
            [
                *(f"(last of {place} where it is face up else first of deck)" for place in self.open(scope)),
                "first of deck", "last of deck", "highest number in deck", *(drawn if lots else ()),
                f"(highest number in hand of {who} else first of deck)",
                "(last of vault else first of deck)", "(last of table else last of deck)", "shown",
                *self.named(scope, "card") * 3,
            ]
        )  # fmt: skip
        return self.rng.choice(things)

    def number(self, scope: dict[str, str], lots: bool = True) -> str:
        card, who = self.card(scope, lots), self.player(scope)
        return self.rng.choice(
            [
                f"number of {card}", f"number of {card}", f"guess of {who}", "count cards in table",
                f"count cards in hand of {who}", f"(count cards in hand of {who} where colour of it is called)",
                f"score of {who}", *self.named(scope, "number") * 2,
            ]
        )  # fmt: skip

    def condition(self, scope: dict[str, str]) -> str:
        who = self.player(scope)
        places = self.open(scope)
        return self.rng.choice(
            [
                *(f"last of {place} is face {self.rng.choice(('up', 'down'))}" for place in places),
                *(f"(count cards in {place} where it is face down) is above 1" for place in places),
                *(f"some cards in {place} where it is face up and number of it is above 3" for place in places),
                f"{self.number(scope, lots=False)} is above {self.rng.randint(1, 4)}",
                f"colour of {self.card(scope, lots=False)} is called",
                f"some cards in hand of {who} where number of it is above {self.rng.randint(2, 5)}",
                f"guess of {who} is {self.number(scope, lots=False)}",
                "some cards in table", "count cards in vault is above 1",
            ]
        )  # fmt: skip

    def open(self, scope: dict[str, str]) -> list[str]:
        """Places in which cards are turned."""
        return [words.format(who=self.player(scope)) for words in self.turned.values()]

    def turn_over(self, scope: dict[str, str], indent: str, depth: int) -> list[str]:
        places = self.open(scope)
        if not places:
            return self.move_a_card(scope, indent, depth)
        place, way = self.rng.choice(places), self.rng.choice(("up", "up", "down"))
        lines = self.move_a_card(scope, indent, depth) if self.rng.random() < 0.5 else []
        what = self.rng.choice((f"last of {place} turns", f"cards in {place} turn", f"first of {place} turns"))
        told = [f'{indent}    "Something turns {way}."'] if self.rng.random() < 0.5 else []
        return [*lines, f"{indent}{what} {way}", *told]

    def somewhere(self, scope: dict[str, str]) -> str:
        who = self.player(scope)
        return self.rng.choice(["vault", "table", f"hand of {who}", f"pile of {who}", "row of called", "box"])

    # ---- statements -------------------------------------------------------------------------------------------------

    def block(self, scope: dict[str, str], indent: str, depth: int) -> list[str]:
        """Some statements with at least one decision among them; names given in it are known to its end."""
        scope, indent, lines = dict(scope), indent + "    ", []
        for number in range(self.rng.randint(2, 4)):
            decides = number > 0 and self.rng.random() < 0.6
            method = self.rng.choice(DECISIONS[:4] if depth >= DEPTH else DECISIONS) if decides else None
            lines += getattr(self, method or self.rng.choice(STATEMENTS))(scope, indent, depth)
        return lines + self.turn(scope, indent, depth)

    def name_a_card(self, scope: dict[str, str], indent: str, depth: int) -> list[str]:
        value, name = self.card(scope), self.new()
        scope[name] = "card"
        told = [f'{indent}    "It is {{{name}}}."'] if self.rng.random() < 0.3 else []
        return [f"{indent}{name} = {value}", *told]

    def name_a_number(self, scope: dict[str, str], indent: str, depth: int) -> list[str]:
        value, name = self.number(scope), self.new()
        scope[name] = "number"
        return [f"{indent}{name} = {value}"]

    def name_a_player(self, scope: dict[str, str], indent: str, depth: int) -> list[str]:
        value, name = self.rng.choice(["random player", self.player(scope), "leader"]), self.new()
        if self.rng.random() < 0.3:
            value = f"player of {self.card(scope)} else leader"
        scope[name] = "player"
        told = [f'{indent}    "Look at {{{name}}}."'] if self.rng.random() < 0.2 else []
        return [f"{indent}{name} = {value}", *told]

    def move_a_card(self, scope: dict[str, str], indent: str, depth: int) -> list[str]:
        cards = self.named(scope, "card")
        if not cards:
            return self.name_a_card(scope, indent, depth)
        name = self.rng.choice(cards)
        told = [f'{indent}    "There goes {{{name}}}."'] if self.rng.random() < 0.5 else []
        return [f"{indent}{name} goes to {self.somewhere(scope)}", *told]

    def score(self, scope: dict[str, str], indent: str, depth: int) -> list[str]:
        who = self.player(scope)
        line = f"score of {who} becomes score of {who} + 1"
        return [f"{indent}if {self.condition(scope)}", f"{indent}    {line}", f'{indent}        "Well done."']

    def set_aside(self, scope: dict[str, str], indent: str, depth: int) -> list[str]:
        """A name in a block without a decision, which nobody can read later."""
        inner = dict(scope)
        lines = self.name_a_number(inner, indent + "    ", depth) + self.move_a_card(inner, indent + "    ", depth)
        return [f"{indent}if {self.condition(scope)}", *lines]

    # ---- decisions --------------------------------------------------------------------------------------------------

    def moves(self) -> str:
        able: tuple[str, ...] = ("gives", "hides", "shows", "lays", "keeps", "draws", "sheds", "swaps", "steals")
        able += (*TURNING, "hides") if "vault" in self.turned else ()
        first = self.rng.choice(["guesses", "calls", "points", "bets", *(f"{verb} else passes" for verb in able)])
        return first if self.rng.random() < 0.6 else f"{self.rng.choice(able)} or guesses or passes"

    def secret_moves(self) -> str:
        """A bluff may come to nothing: then nobody else can tell it from waiting, which is a pass."""
        return self.rng.choice([self.moves(), "hides or passes", "bluffs or waits", "bluffs or waits"])

    def turn(self, scope: dict[str, str], indent: str, depth: int) -> list[str]:
        return [f"{indent}{self.player(scope)} {self.moves()}"]

    def asked_after(self, scope: dict[str, str], indent: str, depth: int) -> list[str]:
        """A turn, after which it matters what was chosen; others may decide in between."""
        who, between = self.player(scope), self.turn(scope, indent, depth) if self.rng.random() < 0.5 else []
        negation = self.rng.choice(["", "not "])
        return [
            f"{indent}{who} draws or bets or passes", *between, f"{indent}if bets was {negation}chosen",
            *self.score(scope, indent + "    ", depth),
        ]  # fmt: skip

    def everyone(self, scope: dict[str, str], indent: str, depth: int) -> list[str]:
        bounds = self.rng.choice(
            ["", f" from {self.player(scope)}", f" from {self.player(scope)} to {self.player(scope)}"]
        )
        return [f"{indent}each player{bounds}", f"{indent}    player {self.moves()}"]

    def at_once(self, scope: dict[str, str], indent: str, depth: int) -> list[str]:
        return [f"{indent}each player at once", f"{indent}    player {self.secret_moves()}"]

    def either(self, scope: dict[str, str], indent: str, depth: int) -> list[str]:
        lines = [f"{indent}if {self.condition(scope)}", *self.block(scope, indent, depth + 1)]
        if self.rng.random() < 0.6:
            lines += [f"{indent}else", *self.block(scope, indent, depth + 1)]
        return lines

    def alike(self, scope: dict[str, str], indent: str, depth: int) -> list[str]:
        """Whichever way it goes, for a hidden reason, it begins with the same question."""
        hidden = [*self.named(scope, "card") * 2, "first of deck", "last of deck", "highest number in deck"]
        asked = f"{indent}    {self.player(scope)} {self.moves()}"
        rest = [self.block(scope, indent, DEPTH) for _ in range(2)]
        condition = f"number of {self.rng.choice(hidden)} is above {self.rng.randint(2, 4)}"
        return [f"{indent}if {condition}", asked, *rest[0], f"{indent}else", asked, *rest[1]]

    def a_secret_lap(self, scope: dict[str, str], indent: str, depth: int) -> list[str]:
        return [
            f"{indent}go round from {self.player(scope)} until all pass or no cards in some hand",
            f"{indent}    each player at once",
            f"{indent}        player {self.secret_moves()}",
            f"{indent}    player {self.moves()}",
        ]

    def repeated(self, scope: dict[str, str], indent: str, depth: int) -> list[str]:
        times = self.rng.choice(["2", self.number(scope)])
        return [f"{indent}repeat {times} times", *self.block(scope, indent, DEPTH)]

    def a_lap(self, scope: dict[str, str], indent: str, depth: int) -> list[str]:
        verbs = self.rng.choice(["shows or passes", "hides or passes", "gives or guesses or passes"])
        lines = [f"{indent}go round from {self.player(scope)} until all pass or no cards in some hand"]
        return [*lines, f"{indent}    player {verbs}"]

    def in_a_loop(self, scope: dict[str, str], indent: str, depth: int) -> list[str]:
        return [
            f"{indent}each player from {self.player(scope)}",
            *self.block(scope | {"player": "player"}, indent, DEPTH),
        ]

    def helper(self, scope: dict[str, str], indent: str, depth: int) -> list[str]:
        """A step for somebody, or for some card."""
        kind = self.rng.choice(("player", "card"))
        name = f"step-{self.new()}"
        body = self.block({kind: kind}, "    ", DEPTH)
        self.helpers += [f"    {name} of {kind}:", *body]
        return [f"{indent}{name} of {self.player(scope) if kind == 'player' else self.card(scope)}"]


STATEMENTS = (
    "name_a_card", "name_a_card", "name_a_number", "name_a_player", "move_a_card", "score", "set_aside",
    "turn_over", "turn_over",
)  # fmt: skip
DECISIONS = (
    "turn", "everyone", "at_once", "asked_after",
    "either", "alike", "alike", "alike", "repeated", "a_lap", "a_secret_lap", "in_a_loop", "helper",
)  # fmt: skip
"""The first four stand in the innermost blocks, too."""


def rule_file(seed: int) -> str:
    """The file that a seed makes."""
    return Author(seed).file()
