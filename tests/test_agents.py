"""Tests of the bots, of what they observe, and of the match loop."""

from __future__ import annotations

import json

import numpy as np
import pytest
from variants import SAMPLE, VARIANTS
from writeable import writeable

from rc_env import Engine, Ruleset, agents
from rc_env.agents import net
from rc_env.agents.random import RandomBot
from rc_env.apps.cli.rc import main
from rc_env.arena import intervals, match, referee
from rc_env.bot import Position
from rc_env.rules.state import GAME

pytestmark = pytest.mark.slow


def engine_at(decisions: int, games: int = 64, seed: int = 5, **ruleset) -> Engine:
    """Return an engine after some random decisions."""
    engine = Engine(Ruleset(**ruleset), games, seed)
    engine.play_random(decisions)
    return engine


class First:
    """A bot that plays the first legal action."""

    name = "first"

    def reset(self, seed: int) -> None:
        pass

    def act(self, position: Position) -> np.ndarray:
        return position.mask.argmax(1)


def test_a_position_may_name_a_row_several_times() -> None:
    engine = engine_at(30, games=4)
    once, rows = Position.of(engine), [3, 0, 3, 3, 1, 2, 3]
    several = Position.of(engine, rows)
    assert len(several) == len(several.games()) == 7
    for name in ("seat", "mask", "observation", "numbers"):
        np.testing.assert_array_equal(getattr(several, name), getattr(once, name)[rows])


# --- the registry


class Failing(First):
    def __init__(self, words):
        super().__init__()
        self.words = words

    def act(self, position):
        raise RuntimeError(self.words)


class Chooser(First):
    """A bot with settings that is not registered."""

    def __init__(self, path: str = "here", width: int = 1) -> None:
        self.path, self.width = path, width


@pytest.mark.parametrize(
    ("text", "path", "width"),
    [
        ("chooser", "here", 1),
        ("chooser:a/b.zip", "a/b.zip", 1),
        ("chooser:x,width=3", "x", 3),
        ("chooser:width=2", "here", 2),
        ("chooser:width=2e3", "here", 2000),
        ("chooser:width=2.5", "here", 2.5),
    ],
)
def test_a_bot_is_named_with_its_settings_in_one_word(text, path, width, monkeypatch):
    monkeypatch.setitem(agents.registry._FACTORIES, "chooser", Chooser)
    bot = agents.from_text(text)
    assert (bot.path, bot.width, type(bot.width)) == (path, width, type(width))


def test_the_error_of_a_bot_is_repeated_whole_unless_it_is_very_long(tmp_path, monkeypatch):
    monkeypatch.setattr(net, "SHIPPED", tmp_path)
    with pytest.raises(
        referee.BotError, match=r"^bot net:shipped: net: the package has no weights for 3 .* \(it has none\)$"
    ):
        referee.ask(agents.make("net"), Position.of(Engine(Ruleset(3, contractors=True))))
    with pytest.raises(referee.BotError, match=r"raised \(x{600} …\) at"):
        referee.ask(Failing("x" * 601), Position.of(Engine()))
    with pytest.raises(referee.BotError, match=r"raised \(x{600}\) at"):
        referee.ask(Failing("x" * 600), Position.of(Engine()))


def test_what_names_a_folder_is_the_first_setting(tmp_path, monkeypatch):
    monkeypatch.setitem(agents.registry._FACTORIES, "chooser", Chooser)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lr=3e-4,wide").mkdir()
    for text in ("lr=3e-4,wide", "2026"):
        bot = agents.from_text(f"chooser:{text}")
        assert (bot.path, bot.width) == (text, 1)
    (tmp_path / "5").mkdir()
    assert agents.from_text("random:5") and agents.from_text("search:5").simulations == 5, (
        "the number in the name is a setting, not a folder"
    )


def test_a_bot_of_ones_own_is_named_by_module_and_factory():
    assert isinstance(agents.from_text(f"{__name__}:First"), First)


def test_unknown_bot_is_refused_with_the_list():
    with pytest.raises(ValueError, match=r"unknown bot 'gready': did you mean greedy\? .*greedy.*random"):
        agents.make("gready")


def test_unknown_setting_is_refused_with_the_list():
    with pytest.raises(ValueError, match=r"bot random: .*'speed'; its settings are seed"):
        agents.make("random", speed=3)


def test_users_register_bots_of_their_own(monkeypatch):
    monkeypatch.setattr("rc_env.agents.registry._FACTORIES", {})
    agents.register("first", First)
    assert agents.names() == ("first",)
    assert isinstance(agents.make("first"), First)
    with pytest.raises(ValueError, match="a bot 'first' is registered already; choose another name"):
        agents.register("first", RandomBot)


# --- the observations of a bot


def test_position_tells_what_the_engine_shows():
    engine = engine_at(40)
    rows = np.array([3, 1, 60])
    position = Position.of(engine, rows)
    assert len(position) == 3 and position.ruleset is engine.ruleset
    np.testing.assert_array_equal(position.seat, engine.seat[rows])
    np.testing.assert_array_equal(position.mask, engine.legal_mask()[rows])
    np.testing.assert_array_equal(position.observation, engine.observe(rows))
    assert position.seat.dtype == np.int8 and position.mask.dtype == np.int8
    assert position.observation.dtype == np.float32 and position.observation is position.observation
    assert len(Position.of(engine)) == 64


def test_position_refuses_a_game_that_is_over():
    engine = Engine(Ruleset(turn_limit=1), 2)
    while engine.truncated[0] == 0:
        engine.step(engine.legal_mask()[:1].argmax(1), [0])
    with pytest.raises(ValueError, match="the game of row 0 is over"):
        Position.of(engine, [1, 0])


@pytest.mark.parametrize("rows", [None, [3, 1]])
def test_a_position_of_games_that_were_played_on_is_refused(rows):
    """Its mask and seats are those of another moment: a search would play illegal actions in compiled code."""
    engine = Engine(num_games=5, seed=4)
    position, kept = Position.of(engine, rows), Position.of(engine, [0, 2])
    seen = kept.numbers
    engine.step(engine.legal_mask()[1:2].argmax(1), which=[1])
    for ask in (position.games, position.writeable_games, lambda: position.numbers, lambda: position.observation):
        with pytest.raises(ValueError, match="position is an old one: the game of row 1 has been played on since"):
            ask()
    for name in ("search", "search:net=shipped,simulations=2", "net", "greedy"):
        with pytest.raises(ValueError, match="has been played on since"):
            agents.from_text(name).act(position)
    assert kept.numbers is seen, "a position of other rows is still that of now"
    assert len(kept.games()) == 2


@pytest.mark.parametrize("name", ["search:simulations=2", "search:net=shipped,simulations=2", "all_rounder"])
def test_a_mask_may_be_narrowed_but_not_widened(name):
    engine = Engine(num_games=4, seed=4)
    position, narrow = Position.of(engine, [2, 3]), Position.of(engine)
    narrow.mask[:] = 0
    last = engine.legal_mask().shape[1] - 1 - engine.legal_mask()[:, ::-1].argmax(1)
    narrow.mask[np.arange(4), last] = 1
    assert agents.from_text(name).act(narrow).tolist() == last.tolist()
    illegal = int(position.mask[1].argmin())
    position.mask[1, illegal] = 1
    with pytest.raises(ValueError, match=f"^mask holds action {illegal} at index 1, .* of row 3$"):
        agents.from_text(name).act(position)
    for mask, found in (
        (np.zeros_like(narrow.mask), "mask holds no action at index 0, but at least one must be legal"),
        (narrow.mask[:2], r"mask must be an int8 array of shape \(4, .*, not an int8 "),
        (narrow.mask.astype(bool), "mask must be an int8 array of shape .*, not a bool"),
        (-narrow.mask, r"mask holds action \d+ at index 0, which is not legal in the game"),
    ):
        narrow.mask = mask
        with pytest.raises(ValueError, match=f"^{found}"):
            agents.from_text(name).act(narrow)


def test_games_handed_to_bots_have_fresh_keys():
    engine = engine_at(40)
    before = engine.games.tobytes()
    position = Position.of(engine)
    first, second = position.games(), position.games()
    assert engine.games.tobytes() == before
    for field in GAME.names:
        same = bool((first[field] == engine.games[field]).all())
        assert same == (field not in ("key", "origin")), field
    keys = np.concatenate([engine.games.key, first["key"], second["key"]])
    assert len(np.unique(keys)) == 3 * 64
    other = Engine(engine.ruleset, 64)
    other.restore(first)
    bots = RandomBot(1), RandomBot(1)
    for _ in range(30):
        for one, bot in zip((engine, other), bots, strict=True):
            if (one.seat >= 0).all():
                one.step(bot.act(Position.of(one)))
    assert not np.array_equal(engine.games.die_value, other.games.die_value)


# --- every bot


def plays(name: str, players: int, workshop: str) -> bool:
    """Return whether the bot knows the variant; the package has networks for some variants only."""
    return name != "net" or (agents.net.SHIPPED / f"{players}p-{workshop}.npz").is_file()


@pytest.mark.parametrize(
    ("name", "players", "workshop"),
    [
        pytest.param(name, *variant, marks=pytest.mark.long if name == "search" and variant not in SAMPLE else ())
        for name in agents.names()
        for variant in VARIANTS
        if plays(name, *variant)
    ],
)
def test_every_bot_plays_whole_games_legally(name, players, workshop):
    bot = agents.make(name, simulations=3) if name == "search" else agents.make(name)
    bot.reset(1)
    played = match.play_match(
        [bot] * players, 2 if name == "search" else 8, Ruleset(players=players, workshop=workshop), seed=3
    )
    assert (played.turns > 10).all()
    engine = Engine(Ruleset(players=players, workshop=workshop), 5)
    actions = bot.act(Position.of(engine))
    assert actions.shape == (5,) and actions.dtype == np.int64


def rolls(engine: Engine, bot, decisions: int) -> list[list[list[int]]]:
    """Return the values of each die of each game, in order."""
    seen: list[list[list[int]]] = [[[] for _ in range(5)] for _ in range(engine.num_games)]
    for _ in range(decisions):
        engine.step(bot.act(Position.of(engine)))
        for row, game in enumerate(engine.games):
            for rolled in game.rolled[: game.rolled_count] % 60:
                seen[row][rolled // 10].append(int(rolled % 10))
    return seen


def test_what_bots_draw_never_moves_the_dice():
    seeds = np.arange(16) + 100
    runs = []
    for seed in (1, 2):
        engine = Engine(Ruleset(), 16)
        engine.reset(deal_seeds=seeds)
        deal = engine.games.copy()
        runs.append((deal, rolls(engine, RandomBot(seed), 150), engine.games.track.copy()))
    (deal, one, track), (same_deal, other, other_track) = runs
    for field in GAME.names:
        if field not in ("key", "origin"):
            np.testing.assert_array_equal(deal[field], same_deal[field])
    assert not np.array_equal(track, other_track), "the bots should play differently"
    compared = 0
    for game, again in zip(one, other, strict=True):
        for die, die_again in zip(game, again, strict=True):
            count = min(len(die), len(die_again))
            assert die[:count] == die_again[:count]
            compared += count
    assert compared > 500


# --- random


def test_random_is_uniform_over_legal_actions():
    engine = Engine(Ruleset(), 1, 3)
    position = Position.of(engine, [0])
    position.mask = np.repeat(position.mask, 50_000, 0)
    position.seat = np.repeat(position.seat, 50_000)
    counts = np.bincount(RandomBot(4).act(position), minlength=engine.num_actions)
    legal = position.mask[0] == 1
    assert counts[~legal].sum() == 0
    expected = 50_000 / legal.sum()
    assert (np.abs(counts[legal] - expected) < 6 * np.sqrt(expected)).all()


def test_random_repeats_with_its_seed():
    position = Position.of(engine_at(40))
    bot = RandomBot(1)
    first = bot.act(position)
    bot.reset(1)
    np.testing.assert_array_equal(bot.act(position), first)
    bot.reset(2)
    assert not np.array_equal(bot.act(position), first)


# --- greedy


@pytest.mark.parametrize(("players", "workshop"), [variant for variant in VARIANTS if variant[0] > 1])
def test_greedy_beats_random_and_finishes_games(players, workshop):
    bots = [agents.make("greedy")] + [agents.make("random")] * (players - 1)
    played = match.play_match(bots, 200 // players, Ruleset(players=players, workshop=workshop), seed=1)
    assert played.share(0).mean > 0.97
    assert not played.truncated.any()
    assert 15 < played.turns.mean() / players < 35


@pytest.mark.parametrize("workshop", ["basic", "advanced"])
def test_bots_play_against_ivan(workshop):
    """Random loses and greedy wins many of its solo games; both play them to the end."""
    shares = []
    for name in ("random", "greedy"):
        played = match.play_match([agents.make(name)], 200, Ruleset(players=1, workshop=workshop), seed=1)
        assert played.prestige.shape == (200, 2) and not played.truncated.any()
        shares.append(played.share(0).mean)
    assert shares[0] < 0.01 and 0.2 < shares[1] < 0.9


@pytest.mark.parametrize("name", [name for name in agents.names() if name != "random"])
def test_no_bot_looks_at_dice_to_come(name):
    engine = engine_at(120)
    bot = agents.make(name, simulations=20) if name == "search" else agents.make(name)
    before = bot.act(Position.of(engine))
    for shift in (1, 12345):
        writeable(engine).key[:] += np.uint64(shift)
        np.testing.assert_array_equal(bot.act(Position.of(engine)), before)


def test_the_registry_tells_what_bots_do(capsys):
    for name in agents.names():
        text, settings = agents.about(name)
        assert text and all(isinstance(key, str) for key in settings)
    assert agents.about("search")[1]["simulations"] == agents.search.SearchBot().simulations
    assert main(["bots", "--json"]) == 0
    sentence = json.loads(capsys.readouterr().out)
    assert tuple(sorted(sentence["bots"])) == agents.names() and sentence["all_rounder"] in sentence["bots"]
    assert main(["bots"]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in agents.names())


# --- the match loop


def test_deals_are_played_in_all_seatings_with_equal_dice():
    greedy = agents.make("greedy")
    played = match.play_match([greedy, agents.make("greedy")], 30, seed=2)
    assert played.entrant.tolist() == [[0, 1], [1, 0]] * 30
    # Two bots that play alike play the same game in both seatings, so only the seats make a difference.
    np.testing.assert_array_equal(played.prestige[::2], played.prestige[1::2])
    assert played.share(0).mean == played.share(1).mean == 0.5
    assert len(np.unique(played.prestige[::2], axis=0)) > 15, "different deals should differ"


def test_a_match_repeats_with_its_seed():
    def run(seed: int) -> match.Match:
        bots = [agents.make("random"), agents.make("greedy"), agents.make("random")]
        return match.play_match(bots, 20, Ruleset(players=3), seed=seed)

    first, again, other = run(1), run(1), run(2)
    for field in ("entrant", "prestige", "place", "turns", "truncated"):
        np.testing.assert_array_equal(getattr(first, field), getattr(again, field))
    assert first.decisions == again.decisions
    assert not np.array_equal(first.prestige, other.prestige)


def test_wins_are_split_and_sum_to_one():
    first = First()
    played = match.play_match([first] * 4, 10, Ruleset(players=4, turn_limit=4))
    assert played.truncated.all() and (played.turns == 4).all()
    np.testing.assert_allclose(played.wins.sum(1), 1)
    assert (played.wins[(played.place == 0).sum(1) > 1].max(initial=0)) <= 0.5
    assert sum(played.share(entrant).mean for entrant in range(4)) == pytest.approx(1)


def test_a_rows_place_is_taken_by_the_next_game(monkeypatch):
    def run() -> match.Match:
        return match.play_match([agents.make("greedy"), First()], 12, Ruleset(turn_limit=60), seed=4)

    whole = run()
    monkeypatch.setattr(match, "ROWS", 5)
    np.testing.assert_array_equal(run().prestige, whole.prestige)


@pytest.mark.parametrize(
    ("bots", "deals", "words"),
    [(1, 5, "a match of 2 players needs as many bots, one per seat; got 1"), (2, 0, "from 1 to")],
)
def test_a_match_that_cannot_be_played_is_refused(bots, deals, words):
    with pytest.raises(ValueError, match=words):
        match.play_match([First()] * bots, deals)


def test_an_illegal_action_names_the_bot():
    class Wrong(First):
        name = "wrong"

        def act(self, position):
            return position.mask.argmin(1)

    with pytest.raises(ValueError, match=r"bot wrong: action .* is not legal here"):
        match.play_match([First(), Wrong()], 2)


def test_interval_covers_the_mean_and_knows_doubt():
    sample = np.random.default_rng(0).choice([0.0, 0.5, 1.0], 400, p=[0.2, 0.3, 0.5])
    share = intervals.share_interval(sample, 2)
    error = 1.96 * sample.std() / 20
    assert share.games == 800 and share.deals == 400 and share.mean == pytest.approx(sample.mean())
    assert share.low == pytest.approx(sample.mean() - error, abs=0.01)
    assert share.high == pytest.approx(sample.mean() + error, abs=0.01)
    certain = intervals.share_interval(np.ones(500))
    assert certain.high == 1 and certain.low == pytest.approx(1 - 0.0074, abs=1e-3)
    assert intervals.share_interval(np.zeros(500)).high == pytest.approx(0.0074, abs=1e-3)
