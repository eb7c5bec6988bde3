"""Tournaments: who sits where, what is compared, and when it is known."""

from __future__ import annotations

import math
from random import Random

import pytest
from teufelswerk_cli.many.simulation import pace
from teufelswerk_cli.many.tournament import Played, Sums, Tournament, elo, games_of, interval, seatings, wider


def test_everyone_sits_everywhere() -> None:
    assert len(seatings(["a", "b", "b", "b"])) == 4
    assert len(seatings(["a", "a", "b", "b"])) == 6
    assert len(seatings(["a", "b", "c"])) == 6
    assert len(seatings(["a", "a"])) == 1
    many = seatings(["a", "b", "c", "d", "e", "f"])
    assert len(many) == 6 and all({seating[seat] for seating in many} == set(range(6)) for seat in range(6))
    assert games_of(["a", "b"], 7) == 8


def test_a_kind_is_compared_with_each_other_kind() -> None:
    found = Tournament(["a", "b", "b"])
    game = Played((1,), [5.0, 7.0, 5.0], {"points": [5, 7, 5]}, [0.5, 0.0, 0.0], [10, 0, 0])
    found.add([game])
    assert found.standings["a"].wins.total == 0 and found.standings["b"].wins.total == 0.5
    assert found.against["b"].total == 0.25, "worse than one of them, as good as the other"
    assert found.standings["b"].keeps["points"].total == 6
    assert found.standings["a"].milliseconds == 50
    assert math.isinf(found.standings["a"].wins.estimate.high), "one deal tells nothing about others"


def test_whoever_stops_when_it_is_sure_is_seldom_wrong() -> None:
    """Looked at after each of 300 deals between equals, the interval may leave out the truth once in twenty times."""
    wrong = 0
    for seed in range(200):
        rng, sums = Random(seed), Sums()
        for _ in range(300):
            sums.add(rng.choice((0.0, 0.25, 0.5, 0.75, 1.0)))
            if not sums.at_any_time.holds(0.5):
                wrong += 1
                break
    assert wrong <= 10
    sure = Sums()
    for number in range(60):
        sure.add(0.7 + 0.1 * (-1) ** number)
    assert sure.at_any_time.low > 0.5


def test_points_of_chess() -> None:
    assert elo(0.5, 100) == 0
    assert elo(10 / 11, 1000) == pytest.approx(400)
    assert elo(1.0, 10) == pytest.approx(-elo(0.0, 10)) and elo(1.0, 10) < 1000
    assert wider(3) == pytest.approx(3.182 / 1.96, rel=0.02) and wider(30) == pytest.approx(2.042 / 1.96, rel=0.001)


def test_intervals() -> None:
    low, high = interval(0.5, 100)
    assert 0.40 < low < 0.41 < 0.59 < high < 0.60
    assert interval(0.0, 10)[0] == 0.0


def test_a_bar_promises_no_more_than_was_played() -> None:
    assert pace(0, 5.0, 10) == ""
    assert pace(1, 20.0, 100) == "0.05 games a second, 0:33:00 left"
    assert pace(5000, 2.0, 10000).startswith("2,500 games a second")
