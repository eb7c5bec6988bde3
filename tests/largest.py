"""Rule files that are as large as the checker lets them be, one for each thing that can grow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

HOSTILE = Path(__file__).parent / "hostile"


def game(
    players: str = "2",
    cards: str = "number: 1 to 40",
    hand: int = 5,
    rules: Sequence[str] = (),
    round: Sequence[str] = ("each player", "    player shows"),
    rounds: str = "repeat hand-size times",
    shows: Sequence[str] = ("choose card from hand", "card goes to table"),
    before: Sequence[str] = (),
    after: str = "",
    prose: str = "Play with {hand-size}.",
) -> str:
    """A small game in which cards are shown, with something that grows."""
    lines = [
        "# Large", "", "For {min-players} to {max-players}.", "", f"    players {players}", "",
        "## Cards", "", "Numbers.", "", "    cards", f"        {cards}", "",
        "## The game", "", prose, "", f"    hand-size = {hand}",
        "    place deck, seen by nobody",
        "    place hand of each player, seen by owner",
        "    place table of each player, seen by all",
        "    keep score of each player: 0",
        *(f"    {line}" for line in rules),
        "    game:",
        "        cards go to deck",
        "        shuffle deck",
        "        deal hand-size from deck to each hand",
        *(f"        {line}" for line in before),
        f"        {rounds}",
        *(f"            {line}" for line in round),
        "        finish",
        "    finish:",
        "        highest score wins",
        '            "{winners} {winners:wins|win}."',
        "    player shows:",
        '        "Show."',
        *(f"        {line}" for line in shows),
    ]  # fmt: skip
    return "\n".join(lines) + "\n" + after


def scenes(
    count: int, lines: Sequence[str] = (), step: str = "finish", people: Sequence[str] = ("PlayerA", "PlayerB")
) -> str:
    """So many examples."""
    who = ", ".join(people)
    each = "".join(f"    {line}\n" for line in (f"scene {step}: {who}", *lines))
    return "".join(f"\n## Example {chr(97 + i % 26)}{_letters(i)}\n\nLook.\n\n{each}" for i in range(count))


def example(lines: Sequence[str], step: str = "finish", people: Sequence[str] = ("Ann", "Ben")) -> str:
    return scenes(1, lines, step, people)


def _letters(number: int) -> str:
    return "".join(chr(97 + int(digit)) for digit in str(number))


def verbs(count: int, choices: Sequence[str]) -> list[str]:
    """So many moves with the same choices."""
    lines: list[str] = []
    for n in range(count):
        lines += [f"player does{_letters(n)}:", '    "Do."', *(f"    {line}" for line in choices)]
    return lines


def any_of(count: int) -> str:
    return "player " + " or ".join(f"does{_letters(n)}" for n in range(count))


TIPS = ("choose card from hand", "choose tip from 1 to 250", "card goes to table", "score becomes score + tip")
FOUR = ("Ann", "Ben", "Cleo", "Dan")
PEOPLE = tuple(f"Player{chr(65 + n)}" for n in range(20))
LARGEST: dict[str, Callable[[], str]] = {
    "choices": lambda: (HOSTILE / "q-choices.rules.md").read_text(encoding="utf-8"),
    "values": lambda: (HOSTILE / "values-endless.rules.md").read_text(encoding="utf-8"),
    "choices-of-many-moves": lambda: game(
        cards="number: 1 to 150", hand=70, rules=verbs(50, TIPS), round=("each player", f"    {any_of(50)}")
    ),
    "choices-several": lambda: game(
        cards="number: 1 to 100",
        hand=48,
        shows=("choose 3 cards from hand", "cards go to table"),
        rounds="repeat 16 times",
    ),
    "choices-judged": lambda: game(
        cards="number: 1 to 150",
        hand=70,
        rounds="repeat 50 times",
        shows=(
            "choose card from hand",
            "choose tip from 1 to 20",
            "(count cards in hand where number of it is above tip) must be at least 1 if able",
            '    "No."',
            "card goes to table",
            "score becomes score + tip",
        ),
    ),
    "moves-in-a-game": lambda: game(
        round=("repeat 20 times", "    each player", "        player shows"),
        rounds="repeat 1000 times",
        shows=("choose tip from 1 to 20", "score becomes tip"),
    ),
    "moves-with-many-choices": lambda: game(
        cards="number: 1 to 150",
        hand=70,
        rounds="repeat 1000 times",
        round=("repeat 20 times", "    each player", "        player shows"),
        shows=("choose card from hand", "choose tip from 1 to 250", "score becomes tip"),
    ),
    "steps-without-a-decision": lambda: game(
        rounds="repeat 1000 times",
        round=("repeat 40 times", "    each player", "        score becomes 1", "each player", "    player shows"),
        shows=("choose tip from 1 to 20", "score becomes tip"),
    ),
    "work-without-a-decision": lambda: game(
        cards="number: 1 to 1000",
        hand=400,
        rounds="repeat 1000 times",
        round=(
            "each player",
            "    score becomes sum number in hand where number is above 3",
            "each player",
            "    score becomes count cards where number is above 3",
            "each player",
            "    player shows",
        ),
        shows=("choose tip from 1 to 20", "score becomes tip"),
    ),
    "players": lambda: game(players="2 to 20", cards="number: 1 to 1000", hand=50),
    "cards": lambda: game(
        players="2 to 20", cards="number: 1 to 1000", hand=50, after=scenes(50, ("now score of PlayerA is 0",))
    ),
    "places": lambda: game(
        players="2 to 20",
        cards="number: 1 to 1000",
        hand=40,
        rules=["place heap of each 1 to 900, seen by all"],
        before=["first of deck goes to heap of 1"],
    ),
    "scenes": lambda: game(after=scenes(1_900)),
    "scenes-with-lines": lambda: game(
        after=scenes(600, ("given hand of PlayerA: 1, 2, 3, 4, 5", "now sum number in hand of PlayerA is 15"))
    ),
    "scenes-of-twenty": lambda: game(
        players="20",
        cards="number: 1 to 1000",
        hand=50,
        after=scenes(600, ("now score of PlayerA is 0",), people=PEOPLE),
    ),
    "scenes-late-in-the-game": lambda: game(
        cards="number: 1 to 150", hand=70, shows=TIPS, after=scenes(600, ("now score of PlayerA is 0",))
    ),
    "lines-in-a-scene": lambda: game(after=example(["now score of Ann is 0"] * 1_900)),
    "open-worlds": lambda: game(
        players="4",
        cards="number: 1 to 200",
        hand=40,
        after=example(["now (sum number in hand of Ann where number is below 9) is at least 0"] * 500, people=FOUR),
    ),
    "futures": lambda: game(
        players="4",
        rules=["turning:", "    each player", "        player shows"],
        round=("turning",),
        after=example(["always score of Ann is 0"] * 500, "turning", FOUR),
    ),
    "sections": lambda: game(after="".join(f"\n## Part {_letters(n)}\n\nWords.\n" for n in range(4_000))),
    "paragraph": lambda: game(prose="\n".join(["Play with {hand-size}, " + "word " * 190] * 900)),
    "figures": lambda: game(prose="\n".join(["{hand-size} " * 80] * 900)),
    "lines": lambda: game(after="\n## More\n\n" + "Words.\n\n" * 9_900),
    "definitions": lambda: game(rules=[f"d{_letters(n)} of player = score + {n}" for n in range(1_900)]),
    "deep-definitions": lambda: game(
        rules=["d0 of player = score", *(f"d{n} of player = d{n - 1} + 1" for n in range(1, 30))],
        shows=("choose card from hand", "score becomes d29", "card goes to table"),
    ),
    "wide-definitions": lambda: game(
        rules=[
            "a0 of player = score",
            *(f"a{n} of player = a{n - 1} + a{n - 1}" for n in range(1, 9)),
            *(f"b{_letters(n)} of player = a8 + {n}" for n in range(1_500)),
        ],
    ),
    "instructions": lambda: game(before=["each player", *["    score becomes score + 1"] * 1_900]),
    "steps": lambda: game(
        rules=[line for n in range(600) for line in (f"s{_letters(n)}:", "    shuffle deck")],
        before=[f"s{_letters(n)}" for n in range(600)],
    ),
    "keeps": lambda: game(rules=[f"keep k{_letters(n)} of each player: 0" for n in range(470)]),
    "table": lambda: game(
        cards="number: 1 to 1000\n        worth by number:\n"
        + "\n".join(f"            {n}: {n}" for n in range(1, 1001)),
        hand=5,
    ),
    "ifs": lambda: game(before=["if some players where score is 1", "    shuffle deck"] * 900),
}
