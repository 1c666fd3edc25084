"""Error rates and luck by player, of one analysed game or of a thousand, and what an error rate is worth in words.

Shape letters: G games, P players, R resamples.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env import agents, checks
from rc_env.arena import jobs
from rc_env.arena.figures import Figure, rounded
from rc_env.arena.intervals import Interval, bounds, mean_interval, resampled_sums, share_interval
from rc_env.arena.journal import Journal, key_of
from rc_env.arena.results import about, versions
from rc_env.arena.studies.analysis import DIGITS, MISTAKES, Judgement, evaluator, judgements
from rc_env.arena.studies.balance import balance, result_chances
from rc_env.record import PERSON, Record, parse, positions
from rc_env.rules.printed.sizes import COLOURS
from rc_env.ruleset import Ruleset

LEAST_RATED = 20
"""The fewest decisions that give a rating."""
LUCKIEST = 5
"""The number of rolls that are listed, those first that changed the chances most."""


@dataclass(frozen=True)
class SeatInGame:
    """A player in one game: what the decisions lost, and what the rolls brought.

    Attributes:
        name: who played, a bot or a person; the colour of the seat if the record does not say.
        seat: the seat.
        decisions, turns: how many the player took.
        judged: how many of the decisions were judged. Where that is a sample, each sum over the decisions is the
            sample's times `decisions / judged`, which is right on average over all samples.
        lost: the sum of what the decisions lost, in win chance; chance alone may make it less than 0.
        prestige: the sum of what they lost of the lead in prestige.
        best: the number of decisions at which the best action was played.
        blunders, mistakes, inaccuracies: those beyond doubt.
        start, luck, skill, others, rest: see `balance.Balance`; None of a sample, and `start` and `rest` are None
            without decisions.
        end: what these five add up to: the result, or in an unfinished game an estimate, the last win chance; None of a
            sample.
        result: the share of the victory; None in an unfinished game.
    """

    name: str
    seat: int
    decisions: int
    turns: int
    judged: int
    lost: float
    prestige: float
    best: float
    blunders: float
    mistakes: float
    inaccuracies: float
    start: float | None
    luck: float | None
    skill: float | None
    others: float | None
    rest: float | None
    end: float | None
    result: float | None


@dataclass(frozen=True)
class GameReport:
    """An analysed game.

    Attributes:
        name: of the record.
        finished: whether the game was played to its end.
        seats: one entry for each player.
        mistakes: those beyond doubt, in order, each with "decision" (from 1), "seat", "size", "action", "better",
            "lost" and "error".
        luckiest: the rolls that changed the chances most, each with "decision", "seat", "rolled", "luck" by seat and
            "errors".
    """

    name: str
    finished: bool
    seats: tuple[SeatInGame, ...]
    mistakes: tuple[dict[str, Any], ...]
    luckiest: tuple[dict[str, Any], ...]

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> GameReport:
        """The inverse of `dataclasses.asdict`, also after JSON made lists of tuples.

        Raises:
            ValueError: it is not the report of a game.
        """
        with checks.reading("journal", "reports of games that this version of rc_env wrote: remove it, and begin anew"):
            seats = tuple(SeatInGame(**seat) for seat in found["seats"])
            mistakes, luckiest = tuple(found["mistakes"]), tuple(found["luckiest"])
            return cls(found["name"], found["finished"], seats, mistakes, luckiest)


def players_of_record(record: Record) -> list[str]:
    """Who played each seat: the bots that the record names, and "you" for a person who left; else the colours.

    Several people have their colours as well, since the record calls all of them "you". Characters that cannot be
    printed are spelled out.
    """
    players, colours = record.ruleset.players, list(COLOURS[: record.ruleset.players])
    bots = record.meta.get("bots")
    if record.unfinished is not None:
        bots = record.seated
    if not isinstance(bots, list) or len(bots) != players:
        return colours
    if not all(isinstance(name, str) and name.strip() for name in bots):
        return colours
    several = bots.count(PERSON) > 1
    return [
        colour if several and name == PERSON else checks.cut(checks.spelled_out(name))
        for name, colour in zip(bots, colours, strict=True)
    ]


def sampled(record: Record, sample: int, seed: int = 0) -> list[int]:
    """The numbers of decisions that are drawn from a game, from 0, in order: so many of each player, or all.

    They are drawn without repetition, each with equal probability, by the seed, the seed of the game and the seat. A
    larger sample holds the smaller one.

    Args:
        record: the game.
        sample: how many of each player, 1 or more.
        seed: of the draw.

    Raises:
        ValueError: an argument is out of range.

    Example:
        >>> from rc_env import Ruleset, play_match
        >>> from rc_env.arena.studies.error_rates import sampled
        >>> from rc_env.record import Recorder, parse
        >>> texts = {}
        >>> _ = play_match(["greedy", "random"], 1, seed=1, rotate=False, recorder=Recorder(texts.__setitem__))
        >>> record = parse(texts[0])
        >>> sorted(record.decisions[number]["seat"] for number in sampled(record, 2))
        [0, 0, 1, 1]
    """
    checks.instance("record", record, Record, "a Record, as read or parse gives one")
    sample, seed = checks.whole_number("sample", sample, 1), checks.seed("seed", seed)
    chosen: list[int] = []
    for seat in range(record.ruleset.players):
        own = [number for number, line in enumerate(record.decisions) if line["seat"] == seat]
        drawn = np.random.default_rng([seed, record.header["seed"], seat]).permutation(len(own))[:sample]
        chosen += [own[i] for i in drawn]
    return sorted(chosen)


def game_report(record: Record, found: Mapping[int, Judgement], names: Sequence[str] | None = None) -> GameReport:
    """What an analysis of a game comes to.

    Args:
        record: the game.
        found: the judgements of its decisions by number, from 0: of all, or of a sample, as `sampled` draws it.
        names: who played each seat; by default what the record says.

    Raises:
        ValueError: there is a judgement of no decision, or there are not as many names as players.
    """
    checks.instance("record", record, Record, "a Record, as read or parse gives one")
    names = players_of_record(record) if names is None else names
    if len(names) != record.ruleset.players:
        raise ValueError(f"names must be {record.ruleset.players}, one for each player, not {checks.shown(names)}")
    result = result_chances(record)
    sums = balance(found, len(record.decisions), record.ruleset.players, result)
    whole = len(found) == len(record.decisions) and (not found or bool(found[0].start))
    turns: list[set[int]] = [set() for _ in names]
    for line, table in zip(record.decisions, positions(record), strict=False):
        turns[line["seat"]].add(int(table.games.turn[0]))
    seats = []
    for seat, name in enumerate(names):
        own = [one for one in found.values() if one.seat == seat]
        count = sum(line["seat"] == seat for line in record.decisions)
        times = count / len(own) if 0 < len(own) < count else 1  # a whole number of decisions stays one
        losses = sum(one.lost for one in own), sum(one.loss.prestige for one in own)
        counts = sum(not one.loss.pairs for one in own), *(sum(one.size == size for one in own) for size in MISTAKES)
        parts = (sums.start, sums.luck, sums.skill, sums.others, sums.rest, sums.result)
        figures = [
            *(round(times * number, DIGITS) for number in counts),
            *(part[seat] if whole and part else None for part in parts),
            None if result is None else result[seat],
        ]
        seats.append(
            SeatInGame(
                name,
                seat,
                count,
                len(turns[seat]),
                len(own),
                round(times * losses[0], DIGITS),
                round(times * losses[1], 2),
                *figures,  # type: ignore[arg-type]  # a float each, and None only where one may be
            )
        )
    judged = [(number + 1, one) for number, one in sorted(found.items())]
    mistakes = [
        {
            "decision": number,
            "seat": one.seat,
            "size": one.size,
            "action": record.decisions[number - 1]["action"],
            "better": one.best,
            "lost": one.lost,
            "error": one.loss.error,
            "prestige": one.loss.prestige,
            "hopeless": one.loss.hopeless,
        }
        for number, one in judged
        if one.size
    ]
    rolls = [(number, one, one.roll) for number, one in judged if one.roll is not None]
    rolls.sort(key=lambda entry: -max(map(abs, entry[2].luck)))
    luckiest = [
        {"decision": number, "seat": one.seat, "rolled": roll.rolled, "luck": roll.luck, "errors": roll.errors}
        for number, one, roll in rolls[:LUCKIEST]
    ]
    return GameReport(record.name, result is not None, tuple(seats), tuple(mistakes), tuple(luckiest))


@dataclass(frozen=True)
class Player:
    """A bot or a person over all games.

    Attributes:
        games, seats, decisions, turns: how many; a bot on two seats of a game has two seats and one game.
        judged: how many of the decisions were judged, all or a sample.
        loss_decision, loss_turn: the mean loss in win chance, of a decision and of a turn.
        prestige_decision, prestige_turn: that in prestige.
        accuracy: the share of decisions at which the best action was played.
        blunders, mistakes, inaccuracies: of a seat of a game, on average.
        luck: what the rolls brought a seat of a game, in win chance; None of samples.
        result: the share of the victory of a seat, over the games that were played to their end.
        rating: the error rate in words; None where it is not calibrated, or after fewer than `LEAST_RATED` decisions
            that were judged.

    Figures are None where there is nothing to divide by, and their bounds where that is in fewer than two games.
    """

    games: int
    seats: int
    decisions: int
    turns: int
    judged: int
    loss_decision: Figure
    loss_turn: Figure
    prestige_decision: Figure
    prestige_turn: Figure
    accuracy: Figure
    blunders: float
    mistakes: float
    inaccuracies: float
    luck: Figure
    result: Figure
    rating: str | None

    def as_json(self) -> dict[str, Any]:
        """As entries for JSON."""
        found: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            found |= value.as_json(field.name) if isinstance(value, Figure) else {field.name: value}
        return found


@dataclass(frozen=True)
class AnalysisResult:
    """All analysed games.

    Attributes:
        ruleset: the variant, that of the first game.
        seed, playouts, bot: how they were analysed.
        sample: how many decisions of each player in a game were judged; None for all.
        games: the report of each game.
        players: by name.
    """

    ruleset: Ruleset
    seed: int
    playouts: int
    bot: str
    games: tuple[GameReport, ...]
    sample: int | None = None

    @property
    def players(self) -> dict[str, Player]:
        """Each bot or person, the one with the lowest error rate first."""
        by_name: dict[str, list[list[SeatInGame]]] = {}
        for game in self.games:
            for name in dict.fromkeys(seat.name for seat in game.seats):
                by_name.setdefault(name, []).append([seat for seat in game.seats if seat.name == name])
        found = {name: _player(games, self.ruleset) for name, games in by_name.items()}
        rates = {name: player.prestige_turn.mean for name, player in found.items()}
        return dict(sorted(found.items(), key=lambda entry: np.inf if (rate := rates[entry[0]]) is None else rate))

    def as_json(self) -> dict[str, Any]:
        """The results as a dictionary for JSON; docs/coach.md describes each entry."""
        return {
            **about(self.ruleset, len(self.games), self.seed),
            "playouts": self.playouts,
            "sample": self.sample,
            "bot": self.bot,
            "versions": versions(self.ruleset),
            "by_player": {name: player.as_json() for name, player in self.players.items()},
            "by_game": [asdict(game) for game in self.games],
        }


SUMMED = ("seats", "decisions", "turns", "judged", "lost", "prestige", "best", "blunders", "mistakes", "inaccuracies")


def _player(games: Sequence[Sequence[SeatInGame]], ruleset: Ruleset) -> Player:
    """A player over G games, each given by the seats that the player had; games are resampled, with all their seats."""
    sums = np.array(
        [[len(seats), *(sum(getattr(seat, name) for seat in seats) for name in SUMMED[1:])] for seats in games]
    )
    total, drawn = sums.sum(0), resampled_sums(sums, 0)

    def ratio(top: str, bottom: str) -> Figure:
        """The ratio of two sums over all games, with its interval."""
        upper, lower = SUMMED.index(top), SUMMED.index(bottom)
        if not total[lower]:
            return Figure(None, None, None)
        mean = rounded(total[upper] / total[lower], DIGITS)
        if np.count_nonzero(sums[:, lower]) < 2:
            return Figure(mean, None, None)
        some = drawn[:, lower] > 0
        low, high = bounds(drawn[some, upper] / drawn[some, lower])
        return Figure(mean, rounded(float(low), DIGITS), rounded(float(high), DIGITS))

    def a_game(name: str) -> float:
        return round(float(total[SUMMED.index(name)] / total[0]), 2)

    decisions, turns, judged = (int(total[SUMMED.index(name)]) for name in ("decisions", "turns", "judged"))
    prestige = ratio("prestige", "turns")
    luck = [[seat.luck for seat in seats if seat.luck is not None] for seats in games]
    finished = [[seat.result for seat in seats if seat.result is not None] for seats in games]
    return Player(
        games=len(games),
        seats=int(total[0]),
        decisions=decisions,
        turns=turns,
        judged=judged,
        loss_decision=ratio("lost", "decisions"),
        loss_turn=ratio("lost", "turns"),
        prestige_decision=ratio("prestige", "decisions"),
        prestige_turn=prestige,
        accuracy=ratio("best", "decisions"),
        blunders=a_game("blunders"),
        mistakes=a_game("mistakes"),
        inaccuracies=a_game("inaccuracies"),
        luck=_over_games(luck, mean_interval),
        result=_over_games(finished, share_interval),
        rating=rating(prestige.mean, ruleset) if judged >= LEAST_RATED else None,
    )


def _over_games(games: Sequence[Sequence[float]], interval: Callable[[NDArray[np.float64]], Interval]) -> Figure:
    """The mean over games of the mean over their seats; games without any are left out."""
    means = np.array([np.mean(seats) for seats in games if seats])
    if len(means) < 2:
        return Figure(rounded(float(means[0])) if len(means) else None, None, None)
    return Figure.of(interval(means))


RATINGS = {"random play": 3.2, "beginner": 1.9, "advanced": 0.8, "expert": -np.inf}
"""Words for an error rate, in prestige a turn, with the least that is called so, the largest first. Each begins in the
middle between two bots, see docs/coach.md."""


def rating(prestige_turn: float | None, ruleset: Ruleset) -> str | None:
    """An error rate in words; None for variants in which the words were not calibrated."""
    if prestige_turn is None or ruleset.players != 2 or ruleset.full or ruleset.workshop != "basic":
        return None
    return next((word for word, least in RATINGS.items() if prestige_turn >= least), None)


@dataclass(frozen=True)
class Work:
    """A game to analyse, in words that can be sent to another process.

    Attributes:
        name: of the record, in messages and results.
        text: the record.
        folder: where its data files are looked for.
        data, expansion_data: its data files, as for `rc_env.record.read`.
        bot: as `rc_env.agents.from_text` takes it; by default `analysis.evaluator`.
        simulations: of that default.
        playouts, seed: as for `analysis.judgements`.
        names: who played each seat; by default what the record says.
        sample: how many decisions of each player are judged; by default all. Of a sample no luck is measured.
    """

    name: str
    text: str
    folder: str
    data: str | None
    expansion_data: str | None
    bot: str | None
    simulations: int
    playouts: int
    seed: int
    names: tuple[str, ...] | None = None
    sample: int | None = None

    def record(self) -> Record:
        """The record.

        Raises:
            RecordError: it is none.
        """
        return parse(
            self.text,
            self.name,
            data=self.data,
            expansion_data=self.expansion_data,
            beside=self.folder,
            unfinished=True,
        )

    @property
    def key(self) -> str:
        """The key in a journal."""
        return key_of(asdict(self))


def analysed(work: Work) -> dict[str, Any]:
    """The report of a game, as values for JSON.

    Raises:
        ValueError: the record breaks the rules, or the bot does not offer its thoughts.
    """
    record = work.record()
    bot = evaluator(record.ruleset, work.simulations) if work.bot is None else agents.from_text(work.bot)
    if work.sample is None:
        found = dict(enumerate(judgements(record, bot, playouts=work.playouts, seed=work.seed)))
    else:
        numbers = sampled(record, work.sample, work.seed)
        some = judgements(record, bot, playouts=work.playouts, seed=work.seed, numbers=numbers, luck=False)
        found = dict(zip(numbers, some, strict=True))
    return asdict(game_report(record, found, work.names))


def analyse_all(
    work: Sequence[Work],
    journal: Journal | None = None,
    pool: jobs.Workers | None = None,
    progress: Callable[[int], object] = lambda games: None,
) -> tuple[GameReport, ...]:
    """The reports of many games, in order.

    Args:
        work: the games.
        journal: has what was done before, and keeps what is done now.
        pool: worker processes; by default this process. They change nothing but the time it takes.
        progress: called with the number of games just analysed, or taken from the journal.

    Raises:
        ValueError: a record breaks the rules, or the bot does not offer its thoughts.
    """
    done = {} if journal is None else journal.done
    left = [one for one in work if one.key not in done]
    progress(len(work) - len(left))
    coming = map(analysed, left) if pool is None else pool.apply(analysed, left)
    found = dict(done)
    for one, report in zip(left, coming, strict=True):
        found[one.key] = report
        if journal is not None:
            journal.add(one.key, report)
        progress(1)
    return tuple(GameReport.from_json(found[one.key]) for one in work)
