"""Games that begin where an example or a rule stands: they fit what is said there, and they go on."""

from __future__ import annotations

from pathlib import Path

import pytest
from shipped import NAMES, SAMPLE, loaded, rules
from teufelswerk import Game
from teufelswerk.bots.company import make_bot
from teufelswerk.examples.begin_here import Moment, NoBeginning, come_to, found_at, go_on_from
from teufelswerk.interpreter.state import State
from teufelswerk.loading.library import load
from teufelswerk.model import PlaceOf
from teufelswerk.model.scenes import GivenIs, SceneModel
from wrong_files import BASE

OVER = "the game is over there"
REFUSED = {
    OVER,
    "the cards that the example leaves open could not be dealt so that the game goes on",
}


def at(name: str, where: str, seed: int = 1) -> tuple[Game, State]:
    moment = found_at(rules(name), loaded(name).scenes, where)
    assert isinstance(moment, Moment)
    return go_on_from(rules(name), moment, seed)


def moments(name: str) -> list[tuple[SceneModel, str]]:
    """The beginning and the end of each scene of a game."""
    ends = [(scene, max(at.span.line for at in (scene, *scene.lines))) for scene in loaded(name).scenes]
    return [(scene, str(number)) for scene, last in ends for number in sorted({scene.span.line, last})]


def judge(name: str) -> float:
    """In which share of its examples a game can begin, if it is not over there. What is refused has a reason, and every
    card lies somewhere, once."""
    begun = over = 0
    found, refused = moments(name), set[str]()
    for scene, where in found:
        try:
            game, state = at(name, where)
        except NoBeginning as problem:
            refused.add(str(problem))
            over += str(problem) == OVER
            continue
        begun += 1
        lying = sorted(card for place in state.places for card in place)
        assert lying == list(range(len(game.rules.cards)))
        assert game.legal_moves(state) and game.players == len(scene.people)
        assert game.parse(game.text(state)) == state
    assert refused <= REFUSED
    return begun / (len(found) - over)


@pytest.mark.parametrize("name", SAMPLE)
def test_a_game_can_begin_in_nearly_all_examples(name: str) -> None:
    assert judge(name) > 0.8


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_game_can_begin_in_most_examples(name: str) -> None:
    assert judge(name) > 0.4


@pytest.mark.parametrize("name", SAMPLE)
def test_what_is_given_lies_there_and_nothing_beside_it(name: str) -> None:
    looked_at = 0
    for scene in loaded(name).scenes:
        leading = Moment(scene, scene.span.line).lines
        given = [line for line in leading if isinstance(line, GivenIs) and isinstance(line.target, PlaceOf)]
        try:
            game, state = at(name, str(scene.span.line))
        except NoBeginning:
            continue
        for line in given:
            words = line.span.source.lines[line.span.line - 1].split(":")[0].split()
            if words[1:3] != ["hand", "of"] or words[3] not in scene.people:
                continue
            hand = state.places[game.layout.by_name[f"hand[{scene.people.index(words[3])}]"]]
            assert sorted(game.rules.cards[card].id for card in hand) == sorted(value.text for value in line.values)
            looked_at += 1
    assert looked_at > 1


def test_what_is_open_is_dealt_by_the_seed() -> None:
    first, again, other = (at("little-devils", "Example 3", seed)[1] for seed in (1, 1, 2))
    assert first == again != other
    assert first.places[2] == other.places[2]  # what was given


def test_others_have_as_many_cards_as_the_one_whose_hand_is_given() -> None:
    """So the round comes to its end, in as many tricks."""
    game, state = at("little-devils", "Example 3")
    hands = [len(state.places[place]) for place in game.layout.family("hand")]
    assert hands == [3] * 4
    played = game.playout(state, 5, to_round=True)
    assert not any(played.places[place] for place in game.layout.family("hand")) or played.winners is None


def test_a_line_inside_of_an_example_comes_after_its_moves() -> None:
    lines = rules("little-devils").source.lines
    number = next(n for n, line in enumerate(lines, 1) if line == "    David answers 30")
    game, state = at("little-devils", str(number))
    trick = state.places[game.layout.by_name["trick"]]
    assert [game.rules.cards[card].id for card in trick] == ["22", "30"]
    assert game.player(state) == 2  # Susan, who follows


@pytest.mark.parametrize(("where", "verb"), [("playing", "leads"), ("follows", "follows"), ("leads", "leads")])
def test_a_step_and_a_move_are_come_to(where: str, verb: str) -> None:
    found = found_at(rules("little-devils"), [], where)
    by_line = found_at(rules("little-devils"), [], str(found.span.line + 1))  # type: ignore[union-attr]
    assert not isinstance(found, Moment) and by_line is found
    game = Game(rules("little-devils"), 4)
    state = come_to(game, found, 3)
    assert {move.verb for move in game.legal_moves(state)} == {verb}


@pytest.mark.parametrize(
    ("where", "why"),
    [
        ("1", "no example, no step and no move stands in line 1"),
        ("999999", "no example, no step and no move stands in line 999999"),
        ("nowhere", "`nowhere` is no line, no example, no step and no move of this game"),
    ],
)
def test_a_place_where_nothing_is_played_is_refused(where: str, why: str) -> None:
    with pytest.raises(NoBeginning) as refused:
        found_at(rules("little-devils"), loaded("little-devils").scenes, where)
    assert str(refused.value) == why


def test_an_example_that_does_not_hold_says_so(tmp_path: Path) -> None:
    path = tmp_path / "game.rules.md"
    path.write_text(BASE.replace("    Ida plays red-2", "    Tom plays red-2"), encoding="utf-8")
    wrong = load(path)
    assert wrong.model
    last = max(line.span.line for line in wrong.scenes[0].lines)
    moment = found_at(wrong.model, wrong.scenes, str(last))
    assert isinstance(moment, Moment)
    with pytest.raises(NoBeginning, match="the example does not hold up to there: "):
        go_on_from(wrong.model, moment, 1)


def test_a_bot_that_sits_down_in_the_middle_deals_the_unseen_cards_to_the_others() -> None:
    game, state = at("little-devils", "Example 3")
    for seat in range(game.players):
        bot = make_bot("careful", game, seat, 1)
        bot.watch(game.view(state, seat), [])
        possible = bot.knowledge.possible  # type: ignore[attr-defined]
        for card in range(len(possible)):
            place = next(index for index, cards in enumerate(state.places) if card in cards)
            assert possible[card] >> place & 1
    mover = game.player(state)
    assert mover is not None
    bot = make_bot("careful", game, mover, 1)
    bot.watch(game.view(state, mover), [])
    assert bot.choose(game.view(state, mover)) in game.legal_moves(state)
