"""Measures how strong the bots are: one of a kind among others of another, the same deals in every seat, a round each.

    python tests/benchmarks/bots.py [--against careful] [--deals 1000] [--seconds 60] [GAME…]
    python tests/benchmarks/bots.py --playouts
    python tests/benchmarks/bots.py --write

What was played is written to `bot_results.json`, so that more deals can be added at any time: so many, or for so many
seconds of CPU time for each pair; `--until-sure` stops as soon as it is known who plays better. `--write` writes the
table in `docs/bots.md`. `careful-0` is the careful player of before, who thinks on the reference interpreter.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import math
import sys
import time
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent), str(ROOT / "interpreter"), str(ROOT / "cli")]

from careful_0 import Careful0  # noqa: E402
from teufelswerk.base.find_files import bases, shipped  # noqa: E402
from teufelswerk.bots.company import Company, make_bot  # noqa: E402
from teufelswerk.bots.judge import Judge  # noqa: E402
from teufelswerk.core.lower_game import core_of  # noqa: E402
from teufelswerk.core.rounds import round_slot  # noqa: E402
from teufelswerk.engines.steps import Steps  # noqa: E402
from teufelswerk.interpreter.game import Game  # noqa: E402
from teufelswerk.loading.model_cache import load_game  # noqa: E402
from teufelswerk_cli.many.tournament import Sums  # noqa: E402

RESULTS, PAGE = HERE / "bot_results.json", ROOT / "docs" / "bots.md"
Found: TypeAlias = dict[str, Any]
FIRST, LAST = "<!-- measured -->", "<!-- until here -->"
PAIRS = (("expert", "careful"), ("careful", "random"))
FIRST_SEED = 1_000
LEAST = 8
"""So many deals are played of each pair, however long they take."""
USUAL = 4
CAREFUL_0 = "careful-0"


class Deal(NamedTuple):
    """What came of a deal, played once in every seat: the means over the seats."""

    ahead: float
    """How far ahead of the mean of the others it came, in what decides the end; more is better."""
    better: float
    """How often it came further than one of the others; as far counts half."""
    won: float


class Table:
    """A game for so many players, in which two kinds of bots are compared."""

    def __init__(self, name: str, whole: bool) -> None:
        self.rules = load_game(name)
        self.players = max(self.rules.min_players, min(USUAL, self.rules.max_players))
        self.game = Game(self.rules, self.players)
        self.judge = Judge(self.game)
        core = core_of(self.rules)
        slot = round_slot(core)
        self.slot = None if slot is None or whole else core.persistent.index(slot)
        self.seconds = [0.0, 0.0]
        self.decisions = [0, 0]

    def deal(self, one: str, other: str, seed: int) -> Deal:
        games = [self.played(one, other, seat, seed) for seat in range(self.players)]
        n = len(games)
        return Deal(*(sum(column) / n for column in zip(*games, strict=True)))

    def played(self, one: str, other: str, own: int, seed: int) -> Deal:
        """The first round of a game, or all of it where there are none."""
        game = self.game
        company = Company(game, {}, seed)
        for seat in range(self.players):
            kind = one if seat == own else other
            company.bots[seat] = (
                Careful0(game, seat, seed, company.sight)
                if kind == CAREFUL_0
                else make_bot(kind, game, seat, seed, company.sight)
            )
        events: list[Any] = []
        state = game.start(seed, events)
        company.tell(state, events)
        first = None if self.slot is None else state.slots[self.slot]
        while (to_move := game.player(state)) is not None:
            if self.slot is not None and state.slots[self.slot] != first:
                break
            state = game.apply(state, company.chosen(state, to_move), events := [])
            company.tell(state, events)
        for seat in range(self.players):
            self.seconds[seat != own] += company.seconds[seat]
            self.decisions[seat != own] += company.decisions[seat]
        return self.judged(state, own)

    def judged(self, state: Any, own: int) -> Deal:
        machine, sign = self.game.thaw(state), 1 if self.judge.highest else -1
        winners = state.winners or ()
        reached = [float(sign * (self.judge.result(machine, seat) or 0)) for seat in range(self.players)]
        if self.judge.aim is None:
            reached = [float(seat in winners) for seat in range(self.players)]
        mine = next(seats for seats in self.rules.together(self.players) if own in seats)
        others = [seat for seat in range(self.players) if seat not in mine] or [own]
        better = sum((reached[own] > reached[seat]) + (reached[own] == reached[seat]) / 2 for seat in others)
        ahead = reached[own] - sum(reached[seat] for seat in others) / len(others)
        return Deal(ahead, better / len(others), 1 / len(winners) if own in winners else 0.0)


def measure(name: str, one: str, other: str, args: argparse.Namespace) -> Found:
    """Plays on where it was left, and writes down every deal."""
    key = f"{name}: {one} among {other}" + (", whole games" if args.whole else "")
    found = results().get(key, {"deals": [], "seconds": [0.0, 0.0], "decisions": [0, 0]})
    table, begun = Table(name, args.whole), time.process_time()
    found["players"] = table.players
    before = {part: found[part] for part in ("seconds", "decisions")}
    while len(found["deals"]) < args.deals:
        deals = [Deal(*deal) for deal in found["deals"]]
        played = len(deals) >= LEAST
        if played and time.process_time() - begun > args.seconds:
            break
        if played and args.until_sure and not sums(deals, "ahead").at_any_time.holds(0):
            break
        found["deals"].append([round(part, 4) for part in table.deal(one, other, FIRST_SEED + len(deals))])
        for part, so_far in before.items():
            found[part] = [round(a + b, 4) for a, b in zip(so_far, getattr(table, part), strict=True)]
        keep(key, found)
    return found


def results() -> dict[str, Found]:
    found: dict[str, Found] = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    return found


def keep(key: str, found: Found) -> None:
    with RESULTS.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        known = results() | {key: found}
        lines = (f"{json.dumps(name)}: {json.dumps(known[name])}" for name in sorted(known))
        part = RESULTS.with_suffix(".part")
        part.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        part.replace(RESULTS)  # whoever reads it meanwhile finds it whole


def sums(deals: list[Deal], part: str) -> Sums:
    found = Sums()
    for deal in deals:
        found.add(getattr(deal, part))
    return found


def told(key: str, found: dict[str, Any]) -> str:
    deals = [Deal(*deal) for deal in found["deals"]]
    ahead, better, won = (sums(deals, part).estimate for part in ("ahead", "better", "won"))
    times = [1000 * s / max(n, 1) for s, n in zip(found["seconds"], found["decisions"], strict=True)]
    return (
        f"| {key} | {found['players']} | {len(deals)} | {ahead.value:+.2f} ± {ahead.high - ahead.value:.2f}"
        f" | {100 * better.value:.0f} % ({100 * max(0, better.low):.0f} to {100 * min(1, better.high):.0f})"
        f" | {f'{100 * won.value:.0f} % ± {100 * (won.high - won.value):.0f}' if 'whole' in key else '–'}"
        f" | {times[0]:.1f} ms, {times[1]:.1f} ms |"
    )


def playouts(name: str) -> str:
    """Random games from the first decision of a round to its end."""
    rules = load_game(name)
    steps = Steps(rules, max(rules.min_players, min(USUAL, rules.max_players)), "native")
    position, best = steps.start(1), math.inf
    for _ in range(5):
        begun = time.process_time()
        steps.playouts(position, 1, 20_000, "round")
        best = min(best, time.process_time() - begun)
    return f"{name}: {20_000 / best:,.0f} playouts a second from the first decision"


def write() -> None:
    known = results()
    lines = [
        FIRST, "",
        "| one among the others | players | deals | ahead by | does better | wins | CPU a decision of each |",
        "|" + " --- |" * 7,
        *(told(key, found) for key, found in sorted(known.items()) if len(found["deals"]) > 1), "",
        f"Measured on {date.today():%Y-%m-%d} by `python tests/benchmarks/bots.py`.", "",
    ]  # fmt: skip
    text = PAGE.read_text(encoding="utf-8")
    head, _, rest = text.partition(FIRST)
    PAGE.write_text(head + "\n".join(lines) + LAST + rest.partition(LAST)[2], encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--one", default=None)
    parser.add_argument("--against", default=None)
    parser.add_argument("--deals", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--until-sure", action="store_true")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--playouts", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("games", nargs="*")
    args = parser.parse_args()
    if args.write:
        write()
        return
    names = args.games or [name for name, path in shipped().items() if not bases(path)]
    for name in names:
        if args.playouts:
            sys.stdout.write(playouts(name) + "\n")
            continue
        pairs = [(args.one or "expert", args.against)] if args.against else PAIRS
        for one, other in pairs:
            found = measure(name, one, other, args)
            sys.stdout.write(told(f"{name}: {one} among {other}", found) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
