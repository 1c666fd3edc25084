"""Tests of the arena: the pairings, the figures, repeatable results, and bots that fail."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest
from misbehaving import First, Hangs, Slow
from threadpoolctl import threadpool_info, threadpool_limits

from rc_env import Ruleset, agents
from rc_env.apps.cli import rc
from rc_env.arena import intervals, jobs, lineups, match, ratings, referee, results, standings, tournament
from rc_env.arena.pages import page, report
from rc_env.arena.seeds import part_seed

pytestmark = pytest.mark.slow


def run(
    *bots: str, players: int = 2, games: int = 40, workers: int | None = None, **settings
) -> tournament.TournamentResult:
    schedule = tournament.Schedule(bots, Ruleset(players=players, turn_limit=120), games, **settings)
    if workers is None:
        return tournament.run(schedule)
    with jobs.Workers(workers) as pool:
        return tournament.run(schedule, pool)


def shown(played: tournament.TournamentResult) -> dict:
    return measured(played).as_json()


def measured(played: tournament.TournamentResult) -> results.ArenaResult:
    found = results.measured(played)
    assert found is not None
    return found


def command(*words: str) -> int:
    return rc.main(["arena", *words])


# --- the pairings of a tournament


@pytest.mark.parametrize("players", (2, 3, 4))
@pytest.mark.parametrize("bots", range(2, 15))
def test_lineups_are_balanced(players: int, bots: int) -> None:
    found = lineups.lineups(bots, players)
    assert len(set(found)) == len(found)
    seats = Counter(bot for lineup in found for bot in lineup)
    assert len(set(seats.values())) == 1 and len(seats) == bots
    met = Counter(frozenset(pair) for lineup in found for pair in combinations(sorted(set(lineup)), 2))
    assert len(met) == comb(bots, 2), "every bot has to meet every other one"
    if bots < players:
        assert all(len(set(lineup)) > 1 for lineup in found)
    elif players == 2 or comb(bots, players) <= lineups.MOST:
        assert len(found) == comb(bots, players)
    else:
        assert len(found) < comb(bots, players) and max(met.values()) <= 3 * min(met.values())


def test_the_same_bot_twice_is_named_apart() -> None:
    assert lineups.labels(("greedy", "random", "greedy", "greedy")) == ("greedy", "random", "greedy#2", "greedy#3")
    assert set(lineups.orders((0, 1, 2))) == {(0, 1, 2), (0, 2, 1)}
    assert len(lineups.orders((0, 1, 2, 3))) == 6


@pytest.mark.parametrize("batch", (1, 32))
@pytest.mark.parametrize("deals", (1, 2, 7, 100, 5000))
def test_chunks_cover_all_deals(deals: int, batch: int) -> None:
    parts = tournament.chunks(deals, batch)
    assert [deal for first, count in parts for deal in range(first, first + count)] == list(range(deals))
    assert parts[0][1] == 1 and max(count for _, count in parts) <= tournament.CHUNK


def test_a_study_plays_few_deals_together() -> None:
    assert [count for _, count in tournament.chunks(40, 32)] == [1, 2, 4, 8, 16, 9]
    assert tournament.chunks(5000, 32) == tournament.chunks(5000)


@pytest.mark.parametrize(("bots", "players"), [(("greedy", "random"), 4), (("greedy", "random", "random"), 3)])
def test_every_deal_is_played_in_all_rotations(bots: tuple[str, ...], players: int) -> None:
    played = run(*bots, players=players, games=10)
    games, deals = played.games, -(-10 // players)
    assert len(games) == deals * players * len(played.schedule.lineups)
    for deal in range(deals):
        for seat in range(players):
            at_seat = np.bincount(games.bot[games.deal == deal, seat], minlength=len(bots))
            appearances = np.bincount(games.bot[games.deal == deal].ravel(), minlength=len(bots))
            np.testing.assert_array_equal(players * at_seat, appearances)


# --- the figures of a tournament


def test_ratings_against_known_values() -> None:
    rated = ratings.ratings(np.array([[0, 1000.0], [100.0, 0]]))
    assert rated[0] - rated[1] == pytest.approx(400, abs=2) and rated.sum() == pytest.approx(0)
    assert ratings.ratings(np.full((3, 3), 50.0)) == pytest.approx(0)
    shut_out = ratings.ratings(np.array([[0, 500.0, 500], [0, 0, 500], [0, 0, 0]]))
    assert np.isfinite(shut_out).all() and shut_out[0] > shut_out[1] > shut_out[2]


def test_ratings_find_the_strengths_that_games_were_drawn_from() -> None:
    generator, true = np.random.default_rng(0), np.array([150.0, 50, 0, -200])
    before = np.zeros((4, 4))
    for i, j in combinations(range(4), 2):
        before[i, j] = generator.binomial(20_000, 1 / (1 + 10 ** ((true[j] - true[i]) / 400)))
        before[j, i] = 20_000 - before[i, j]
    assert ratings.ratings(before) == pytest.approx(true, abs=8)


def drawn_games(deals: int, chance: float, seed: int = 0) -> standings.FinishedGames:
    """Return games of two bots; the first wins with this chance, and otherwise loses or ties equally often.

    Both games of a deal end alike.
    """
    outcome = np.repeat(np.random.default_rng(seed).choice(3, deals, p=[chance, (1 - chance) / 2, (1 - chance) / 2]), 2)
    bot = np.tile([[0, 1], [1, 0]], (deals, 1))
    place = np.where(outcome[:, None] == 2, 0, np.where(outcome[:, None] == 0, bot, 1 - bot))
    prestige = np.where(place == 0, 30, 20)
    return standings.FinishedGames(
        np.arange(2 * deals) // 2,
        bot,
        prestige.astype(np.int32),
        place.astype(np.int32),
        np.full(2 * deals, 40, np.int32),
        np.zeros(2 * deals, bool),
    )


def test_standings_by_hand() -> None:
    games = drawn_games(200, 0.5)
    table = standings.standings(games, ("a", "b"))
    mine = np.where(games.bot == 0, games.place, 0).sum(1)
    ties = (games.place == 0).all(1)
    share = ((mine == 0) - 0.5 * ties).mean()
    assert table.win_share.mean == pytest.approx([share, 1 - share])
    assert table.rank.mean == pytest.approx([2 - share, 1 + share])
    assert table.crosstable.mean[0, 1] == pytest.approx(share) and np.isnan(table.crosstable.mean[0, 0])
    decided = np.where(ties, 0, np.where(mine == 0, 10, -10)).mean()
    assert table.margin.mean == pytest.approx([decided, -decided])
    assert table.prestige.mean[0] == pytest.approx(np.where(ties | (mine == 0), 30, 20).mean())
    same = intervals.share_interval(((mine == 0) - 0.5 * ties)[::2], 2)
    assert table.win_share.low[0] == pytest.approx(same.low, abs=0.01)
    assert table.win_share.high[0] == pytest.approx(same.high, abs=0.01)
    assert table.rating.low[0] < table.rating.mean[0] < table.rating.high[0]


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    inside = 0
    for seed in range(200):
        table = standings.standings(drawn_games(80, 0.4, seed), ("a", "b"), seed, rated=0)
        inside += table.win_share.low[0] <= 0.55 <= table.win_share.high[0]
    assert 178 <= inside <= 199


def test_a_shut_out_leaves_doubt() -> None:
    share = standings.standings(drawn_games(100, 1.0), ("a", "b")).win_share
    assert share.high[0] == 1 and share.low[0] == pytest.approx(1 - 0.0362, abs=1e-3)
    assert share.low[1] == 0 and share.high[1] == pytest.approx(0.0362, abs=1e-3)


def test_results_agree_with_the_match_loop() -> None:
    played = run("greedy", "random", games=2)
    one = match.play_match(
        [agents.make("greedy"), agents.make("random")], 1, played.schedule.ruleset, seed=part_seed(0, 0)
    )
    np.testing.assert_array_equal(played.games.prestige, one.prestige)
    np.testing.assert_array_equal(played.games.bot, one.entrant)


# --- results are repeatable


def test_networks_compute_on_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where processes share the processors, threads that wait for each other would take five times as long."""
    threads = []

    def play_match(*arguments, **settings):
        threads.extend(pool["num_threads"] for pool in threadpool_info())

    monkeypatch.setattr(match, "play_match", play_match)
    with threadpool_limits(2):
        jobs.play_job(jobs.Job(("one", "other"), ("random", "random"), jobs.variant_of(Ruleset()), 1, 0))
    assert set(threads) == {1}


def test_results_repeat_in_bytes_whatever_the_number_of_workers(tmp_path) -> None:
    words = "greedy", "random", "misbehaving:First", "--players", "3", "--games", "24", "--turn-limit", "60"
    for name, workers in (("a", "1"), ("b", "3")):
        assert command(*words, "--workers", workers, "--out", str(tmp_path / name)) == 0
    files = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert {"results.json", "report.md", "report.html"} < set(files)
    for file in files:
        assert len({(tmp_path / name / file).read_bytes() for name in "ab"}) == 1, file


def test_another_seed_gives_other_games() -> None:
    one, other = run("greedy", "random", games=20), run("greedy", "random", games=20, seed=1)
    assert not np.array_equal(one.games.prestige, other.games.prestige)


def test_stops_when_the_intervals_are_narrow_enough() -> None:
    played = run("greedy", "greedy", games=4000, until=20)
    assert tournament.FEWEST <= len(np.unique(played.games.deal)) < 600
    assert not played.stopped
    assert len(run("greedy", "random", games=20, until=0.1).games) == 20


# --- bots that fail


def test_the_sentences_name_the_bot() -> None:
    for bot, what in (
        ("misbehaving:Raises", r"KeyError raised \('lost\\nits way'\)"),
        ("misbehaving:Illegal", r"action \d+ is not legal here"),
        (
            "misbehaving:Shape",
            r"it answered a float64 array of shape \(1, 2\) instead of whole numbers of shape \(1,\)",
        ),
        ("misbehaving:Exits", r"SystemExit raised \(3\)"),
        ("misbehaving:SlowByAnHour", "it took more than 30 s a decision, which is the limit"),
        ("misbehaving:HangsForHours", "it took more than 30 s a decision, which is the limit"),
    ):
        (failure,) = run("random", bot, games=4, limit=30).failures
        assert failure.name == bot
        assert "\n" not in failure.sentence
        with pytest.raises(ValueError, match=f"^bot {bot}: {what}"):
            raise ValueError(failure.sentence)


def test_a_match_in_parts_is_the_whole_match() -> None:
    """This holds for deterministic bots; others draw different numbers in each part."""
    bots, ruleset = ["greedy", "majority"], Ruleset(turn_limit=60)
    whole = match.play_match(bots, 9, ruleset, seed=7)
    parts = [match.play_match(bots, count, ruleset, seed=7, first=first) for first, count in ((0, 4), (4, 5))]
    for name in ("entrant", "prestige", "place", "turns", "truncated"):
        np.testing.assert_array_equal(np.concatenate([getattr(part, name) for part in parts]), getattr(whole, name))
    with pytest.raises(ValueError, match=r"first must be .*, not -1"):
        match.play_match(bots, 1, ruleset, first=-1)


@pytest.mark.long
def test_the_tournament_goes_on_without_those_that_fail(tmp_path) -> None:
    bots = [
        "greedy",
        *(f"misbehaving:{name}" for name in ("Raises", "HangsForHours", "Dies")),
        "random",
    ]
    for workers in ("1", "2"):
        out = tmp_path / workers
        assert command(*bots, "--games", "12", "--limit", "30", "--workers", workers, "--out", str(out)) == 0
    one, two = ((tmp_path / workers / "results.json").read_bytes() for workers in "12")
    assert one == two
    found = json.loads(one)
    assert [failure["bot"] for failure in found["failures"] if failure["bot"]] == bots[1:3]
    died = {failure["sentence"] for failure in found["failures"] if failure["bot"] is None}
    assert f"the process that played {bots[0]} against {bots[3]} died" in died
    assert found["games"] >= 12 and found["bots"]["greedy"]["win_share"] == 1
    assert found["bots"]["misbehaving:HangsForHours"]["win_share"] is None
    assert "Hangs" in (tmp_path / "1" / "report.html").read_text(encoding="utf-8")


def test_deals_that_were_over_before_a_failure_count(monkeypatch) -> None:
    monkeypatch.setattr(match, "ROWS", 4)

    class Wrong(First):
        name = "wrong"

        def fail(self, position):
            return position.mask.argmin(1)

    with pytest.raises(match.BrokenMatch) as raised:
        match.play_match([First(), Wrong(after=400)], 20, Ruleset(turn_limit=60), seed=1)
    part = raised.value.match
    assert raised.value.entrant == 1 and part is not None
    whole = match.play_match([First(), First()], 20, Ruleset(turn_limit=60), seed=1)
    assert 0 < len(part.turns) < len(whole.turns) and len(part.turns) % 2 == 0
    games = {tuple(row) for row in np.column_stack([whole.prestige, whole.turns]).tolist()}
    assert {tuple(row) for row in np.column_stack([part.prestige, part.turns]).tolist()} <= games


def test_time_to_compile_does_not_count() -> None:
    from numba import njit

    class Compiles(First):
        def act(self, position):
            @njit
            def first(mask):
                return np.argmax(mask)

            return np.array([first(row) for row in position.mask])

    engine_position = agents.Position.of(match.Engine(Ruleset(), 1))
    assert len(referee.ask(Compiles(), engine_position, 0.02)) == 1


def test_alarms_are_put_back() -> None:
    before = signal.getsignal(signal.SIGALRM)
    position = agents.Position.of(match.Engine(Ruleset(), 1))
    for bot in (Slow(), Hangs()):
        with pytest.raises(referee.BotError, match=f"bot {bot.name}: it took more than 0.01 s"):
            referee.ask(bot, position, 0.01)
    for _ in range(500):  # the alarm comes while it is being set
        with pytest.raises(referee.BotError, match="more than 1e-06 s"):
            referee.ask(First(), position, 1e-6)
    assert signal.getsignal(signal.SIGALRM) is before and signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_what_was_played_before_an_interruption_is_kept() -> None:
    played = run("misbehaving:First", "misbehaving:Stops", games=400)
    assert played.stopped and 0 < len(played.games) < 400
    assert shown(played)["stopped"] is True


# --- handicaps


def test_rubles_are_added_after_the_deal() -> None:
    seen = []

    class Looks(First):
        def act(self, position):
            seen.append(position.games()["rubles"][0, :3].tolist())
            return super().act(position)

    own = Ruleset(players=3).rules[0].starting_rubles[:3].tolist()
    bots = [Looks(), First(), First()]
    match.play_match(bots, 1, Ruleset(players=3, turn_limit=3), rubles=(0, 2, -1), rotate=False)
    assert seen[0] == [own[0], own[1] + 2, own[2] - 1]


def test_no_rubles_change_nothing_and_some_change_all_games(monkeypatch) -> None:
    def play(rubles=None):
        return match.play_match([agents.make("greedy")] * 2, 12, seed=3, rubles=rubles).prestige

    plain = play()
    np.testing.assert_array_equal(play((0, 0)), plain)
    rich = play((0, 3))
    assert not np.array_equal(rich, plain)
    monkeypatch.setattr(match, "ROWS", 5)  # games dealt later get their rubles, too
    np.testing.assert_array_equal(play((0, 3)), rich)


@pytest.mark.parametrize(
    ("rubles", "words"),
    [
        ((1,), "must be 2 whole numbers"),
        ((0, -5), "rubles must leave every seat with 0"),
        ((0, 0.5), "must be 2 whole numbers"),
    ],
)
def test_rubles_that_do_not_fit_are_refused(rubles, words) -> None:
    with pytest.raises(ValueError, match=words):
        match.play_match([First(), First()], 1, rubles=rubles)


# --- the command


@pytest.mark.usefixtures("in_process")
def test_json_is_all_that_is_printed(capsys) -> None:
    assert command("greedy", "greedy", "random", "--games", "10", "--seed", "3", "--workers", "1", "--json") == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert printed.err == ""
    assert found["players"] == 2 and found["games"] == 30 and found["seed"] == 3 and found["deals"] == 5
    assert set(found["bots"]) == {"greedy", "greedy#2", "random"}
    for bot in found["bots"].values():
        assert {"win_share", "low", "high", "prestige", "rating", "margin", "rank", "games"} <= set(bot)
        assert 0 <= bot["low"] <= bot["win_share"] <= bot["high"] <= 1
    assert sum(bot["win_share"] for bot in found["bots"].values()) == pytest.approx(1.5)
    assert found["command"] == "rc arena greedy greedy random --players 2 --games 10 --workshop basic --seed 3"
    assert {"rc_env", "rules", "numpy", "numba", "choix"} <= set(found["versions"])


@pytest.mark.usefixtures("in_process")
def test_the_table_fits_a_terminal(capsys, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert command("greedy", "random", "misbehaving:First", "--games", "4", "--workers", "1") == 0
    out = capsys.readouterr().out
    assert "…" not in out and "rating" in out and "How often the row finished before the column" in out


def test_torch_is_not_imported() -> None:
    program = (
        "import sys; from rc_env.apps.cli import rc;"
        "code = rc.main('arena greedy random --games 2 --json'.split());"
        "sys.exit(code or 'torch' in sys.modules or 'matplotlib' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", f"if __name__ == '__main__':\n {program}"], check=True, capture_output=True)


# --- the page


def test_a_page_in_both_forms() -> None:
    one = page.Page("A <title>")
    one.text("**bold** `x < y`")
    one.table(("a", "b"), [("1|2", "3")])
    one.plot("p", "Plot", "<svg></svg>")
    assert "| 1/2 | 3 |" in one.markdown() and "](x-p.svg)" in one.markdown("x-") and "svg" not in one.markdown()
    html = one.html()
    assert "<h1>A &lt;title&gt;</h1>" in html and "<code>x &lt; y</code>" in html and 'aria-label="Plot"' in html


def test_the_report_needs_nothing_else(tmp_path) -> None:
    found = measured(run("greedy", "random", games=6))
    report.write(tmp_path, found, report.build(found))
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert html.count("<svg") == 4 and "src=" not in html and "<script" not in html
    links = [part for part in html.split('href="')[1:] if not part.startswith("#")]
    assert not links, "the page must not load a style sheet, font or picture from elsewhere"
    for line in (tmp_path / "report.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("!["):
            assert (tmp_path / line.split("](")[1].rstrip(")")).exists()
