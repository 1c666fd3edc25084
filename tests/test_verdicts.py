"""Tests of what the page of a study says of a decision: the sum behind a loss, few play-outs, and the question."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations

import pytest

from rc_env.apps.web.verdicts import answers, verdict
from rc_env.arena.studies.analysis import Judgement, Loss

PHRASES = {"obtain": "take what space 7 gives", "done": "end the visit to the market", "guild 1": "use the guild"}


def judgement(best: float, played: float, regained: float, certain: bool, prestige: float = 1.2) -> Judgement:
    """Return a judgement of red's "done", by 64 pairs, where "obtain" was named as best."""
    lost = round(best - played - regained, 4)
    loss = Loss(lost, 0.06, prestige, (lost, -lost), regained, (best, 1 - best), (played, 1 - played), 64, certain)
    actions = {"obtain": (64, [0.9, 0.1]), "guild 1": (4, [0.874, 0.126]), "done": (2, [0.011, 0.989])}
    return Judgement(0, "obtain", {"obtain": 0.8, "done": 0.2}, [0.8, -0.8], actions, [], loss=loss)


def sentences(one: Judgement) -> str:
    found = verdict(one, "done", PHRASES, ["done", "obtain"])
    return f"{found['sentence']} {found['loss']}"


@pytest.mark.parametrize(
    ("best", "played", "regained", "certain", "words"),
    [
        (0.449, 0.227, 0.0, True, "loses 22 ± 12 points of a hundred. That is beyond doubt, and takes 1.2 prestige"),
        (0.52, 0.47, 0.0, False, "loses 5 ± 12 points of a hundred. That is not beyond doubt: the two count as even"),
        (0.734, 0.273, 0.229, False, "loses 46.1 points of a hundred, of which the next decision of this turn can still"
         " win back 22.9. What counts is a loss of 23.2 ± 12. That is not beyond doubt"),
        (0.5, 0.5, 0.0, False, "loses 0 ± 12 points of a hundred. So it is at least as good"),
        (0.688, 0.797, 0.0, False, "gains 11 ± 12 points of a hundred. So it is at least as good"),
        (0.5, 0.45, 0.1, False, "loses 5.0 points of a hundred, of which the next decision of this turn can still win "
         "back 10.0. What counts is a gain of 5.0 ± 12. So it is at least as good"),
        (0.5, 0.45, -0.1, True, "loses 5.0 points of a hundred; the next decision of this turn adds 10.0 to that"),
    ],
)  # fmt: skip
def test_a_sentence_says_by_what_the_loss_is_measured_and_what_can_be_won_back(
    best: float, played: float, regained: float, certain: bool, words: str
) -> None:
    said = sentences(judgement(best, played, regained, certain))
    assert "By 64 pairs of play-outs with the same dice what was played " + words in said
    assert "which" not in said.split("By 64")[0] and said.endswith(".")


def test_where_hardly_a_game_is_won_the_sentence_speaks_of_prestige() -> None:
    one = judgement(0.04, 0.03, 0.0, True)
    lost = replace(one.loss, hopeless=True, prestige=3.2, prestige_error=0.6)
    said = sentences(replace(one, loss=lost))
    assert "what was played loses 3.2 ± 1.2 prestige of the lead, which is beyond doubt" in said
    assert said.endswith("since only 4 of 100 games are won even after the action named best.")
    gained = sentences(replace(one, loss=replace(lost, prestige=-5.2, certain=False)))
    assert "gains 5.2 ± 1.2 prestige of the lead, so it is at least as good, as far as that can be measured." in gained
    assert "beyond doubt" not in gained


def test_where_prestige_counts_the_sum_is_of_prestige() -> None:
    one = judgement(0.04, 0.03, 0.0, True)
    lost = replace(one.loss, hopeless=True, prestige=5.8, prestige_error=0.4)
    (*_, last) = verdict(replace(one, loss=lost), "done", PHRASES, [])["measured"]
    assert last == ("lost by what was played, in prestige of the lead", "5.8 ± 0.8")
    rest = replace(lost, prestige_regained=1.1)
    rows = verdict(replace(one, loss=rest), "done", PHRASES, [])["measured"][2:]
    assert [row[1] for row in rows] == ["6.9", "−1.1", "5.8 ± 0.8"]


@pytest.mark.parametrize("regained", [0.0, 0.229, -0.03])
def test_the_sum_beside_the_sentence_adds_up(regained: float) -> None:
    rows = verdict(judgement(0.734, 0.273, regained, True), "done", PHRASES, [])["measured"]
    numbers = [float(re.split("[% ]", number.replace("−", "-"))[0]) for _, number in rows]
    best, played, *between, lost = numbers
    if regained:
        assert between[0] == pytest.approx(best - played) and "win back" in rows[3][0]
        assert lost == pytest.approx(sum(between))
    else:
        assert between == [] and lost == pytest.approx(best - played)
    assert all("±" in number for _, number in (*rows[:2], rows[-1])), "each chance has its error"


def test_only_a_loss_beyond_doubt_makes_an_action_the_best() -> None:
    for certain, note in ((True, "(best)"), (False, "(named best by the search)")):
        rows = verdict(judgement(0.688, 0.797, 0.0, certain), "done", PHRASES, [])["measured"]
        assert [row[0] for row in rows[:2]] == [f"{PHRASES['obtain']} {note}", f"{PHRASES['done']} (played)"]


def test_a_chance_from_few_play_outs_is_not_shown() -> None:
    rows = verdict(judgement(0.7, 0.3, 0.0, True), "done", PHRASES, [])["searched"]
    assert [(row[0], row[2], row[3]) for row in rows] == [
        ("take what space 7 gives (named best)", 64, "90.0% ± 8"),
        ("end the visit to the market (played)", 2, "–"),
        ("use the guild", 4, "–"),
    ]
    assert rows[0][4] == "" and rows[2][4] == "It was played out too seldom to say."
    three = Judgement(0, "obtain", {}, [0.0] * 3, {"obtain": (64, [0.9, 0.3, 0.3])}, [])
    (row,) = verdict(three, "obtain", PHRASES, [])["searched"]
    assert row[3] == "–" and "more than two players" in row[4]


def test_the_best_action_that_was_played_is_measured_by_nothing() -> None:
    found = verdict(Judgement(0, "done", {}, [0.0, 0.0], {"done": (64, [0.5, 0.5])}, []), "done", PHRASES, [])
    assert (found["loss"], found["measured"]) == ("", []) and "names as the best action" in found["sentence"]
    assert found["searched"][0][0].endswith("(named best, played)")


def test_answers_have_the_best_action_and_the_played_one_only_where_there_are_few() -> None:
    legal = ["done", "guild 1", "guild 2", "obtain", "workshop red", "workshop blue"]
    one = judgement(0.7, 0.3, 0.0, True)
    for count in range(2, len(legal) + 1):
        for some in combinations(legal, count):
            if not {"obtain", "done"} <= set(some):
                continue
            known = {words: number for words, number in one.actions.items() if words in some}
            found = answers(Judgement(0, "obtain", {}, [0.0, 0.0], known, []), "done", some)
            assert "obtain" in found and set(found) <= set(some) and found == sorted(set(found))
            assert min(3, count) <= len(found) <= 4
            assert ("done" in found) == (count < 4)
            if "guild 1" in some:
                assert "guild 1" in found, "what the search tried comes first"
    claims = ["claim 1 from inventory", "claim 2 from inventory"]
    sure = Judgement(0, claims[0], {claims[0]: 1.0}, [0.0, 0.0], {}, [])
    few = answers(sure, "done", ["done", "guild 1", "move red", "move red +1", "move red +2", *claims])
    assert set(claims) <= set(few), "where nothing was tried, those of the kind of the best come first"
    assert answers(sure, claims[0], claims) == [], "no question where the best action was played"
    questions = [verdict(one, "done", PHRASES, offered)["question"] for offered in (["done", "obtain"], ["obtain"])]
    assert "One of these was played, and another one is better" in questions[0]
    assert "was played, and" not in questions[1] and "better than what was played" in questions[1]
