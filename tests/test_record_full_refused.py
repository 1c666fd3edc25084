"""Tests of invalid records of the full game, with guilds and with the module: each is refused in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import pytest
from cross import record_of
from edits import Edit, change, drop, edited, put

from rc_env.record import Record, RecordError, parse, replay
from rc_env.rules.printed.sizes import CITY_NAMES

pytestmark = pytest.mark.full


def seed_with_draws(guild: str) -> int:
    """Return the first seed of a game in which seat 1 draws cards."""
    for seed in range(100):
        decisions = record_of(guild, 60, seed=seed).decisions
        if any("draws" in decision and decision["seat"] == 1 for decision in decisions):
            return seed
    raise AssertionError(f"{guild}: no game with a draw found")


def line_of(record: Record, key: str, **also: Any) -> int:
    """Return the place, from 0, of the first line with that key and these values."""
    return 1 + next(
        number
        for number, decision in enumerate(record.decisions)
        if key in decision and all(decision.get(name) == value for name, value in also.items())
    )


def guild(name: str, **other: Any) -> Edit:
    """Return an edit that replaces that guild by another guild, or by another card."""

    def change(lines: list[dict[str, Any]]) -> None:
        next(entry for entry in lines[0]["guilds"] if entry["guild"] == name).update(other)

    return change


class Samples:
    """Games whose records are damaged, and places in them: made when a test first needs them, not on import."""

    @cached_property
    def good(self) -> Record:
        return record_of("archivists", 60, seed=seed_with_draws("archivists"))

    @cached_property
    def builders(self) -> Record:
        return record_of("master_builders", 60, seed=seed_with_draws("master_builders"))

    @cached_property
    def seen(self) -> Record:
        """The valid record as seat 0 may know it."""
        return record_of("archivists", 60, seed=seed_with_draws("archivists"), seat=0)

    @cached_property
    def draw(self) -> int:
        return line_of(self.good, "draws")

    @cached_property
    def cards_draw(self) -> int:
        return line_of(self.builders, "draws")

    @cached_property
    def unseen(self) -> int:
        return line_of(self.seen, "draws", seat=1)

    @cached_property
    def hidden(self) -> int:
        return line_of(self.seen, "seat", action="contract ?")

    @cached_property
    def other(self) -> list[int]:
        """Contracts other than those that were drawn."""
        return [3, 2, 1] if self.good.decisions[self.draw - 1]["draws"] != [{"contracts": [3, 2, 1]}] else [1, 2, 3]

    @cached_property
    def hired(self) -> Record:
        """The record of a game with the module in which a slot is refilled."""
        return module_record(seed=seed_with('"slot"'))

    @cached_property
    def solo(self) -> Record:
        """The record of a game with the module in which Ivan gives a pair of tiles back."""
        return module_record(players=1, seed=seed_with('"return ', players=1))

    @cached_property
    def filled(self) -> int:
        return line_of(self.hired, "draws", point="hire")

    @property
    def _after(self) -> dict[str, Any]:
        return self.hired.decisions[self.filled - 1]

    @cached_property
    def refill(self) -> dict[str, int]:
        return self._after["draws"][0]

    @cached_property
    def in_bag(self) -> int:
        return self._after["state"]["bag"][0]

    @cached_property
    def offered(self) -> int:
        return next(tile for tile in self._after["state"]["specialists"] if tile != self.refill["specialist"])

    @cached_property
    def open(self) -> str:
        return self.hired.header["cities"][0]

    @cached_property
    def market(self) -> int:
        return self.hired.header["market"].index("permits:1")

    def turn(self, word: str) -> int:
        """Return the decision after which Ivan's first turn with such an event follows."""
        turns = self.solo.ivan.items()
        return next(number for number, turn in turns if any(event.startswith(word) for event in turn["events"]))

    @cached_property
    def returns(self) -> int:
        """The line, from 0, of the turn in which a pair goes back."""
        return self.solo.line(self.turn("return"))

    @cached_property
    def events(self) -> list[str]:
        return self.solo.ivan[self.turn("return")]["events"]

    def place(self, word: str) -> int:
        """Return the place of such an event in that turn."""
        return next(i for i, event in enumerate(self.events) if event.startswith(word))

    @cached_property
    def sent(self) -> int:
        return self.place("hire")

    @cached_property
    def back(self) -> int:
        return self.place("return")

    @cached_property
    def laid(self) -> int:
        """The line of a turn in which Ivan lays his tiles anew."""
        return self.solo.line(self.turn("shuffle"))

    @cached_property
    def shuffle(self) -> int:
        events = self.solo.ivan[self.turn("shuffle")]["events"]
        return next(i for i, event in enumerate(events) if event.startswith("shuffle"))

    @cached_property
    def idle(self) -> int:
        """The line of a turn in which Ivan draws nothing."""
        return self.solo.line(next(number for number, turn in self.solo.ivan.items() if "draws" not in turn))


its = Samples()


# The name of a sample (or a function that makes a record), a function that makes the edit, and words of the refusal.
REFUSED: dict[str, tuple[str | Callable[[], Record], Callable[[], Edit], str]] = {
    "format 1 with keys of format 2": ("good", lambda: put(0, "record", "red-cathedral/1"), 'unknown key "expansion"'),
    "format 3": ("good", lambda: put(0, "record", "red-cathedral/3"), 'record must be .*, not "red-cathedral/3"'),
    "no expansion": ("good", lambda: drop(0, "expansion"), 'has no "expansion"'),
    "another expansion": ("good", lambda: put(0, "expansion_sha256", "0" * 64), "expansion_sha256 is"),
    "a path": ("good", lambda: put(0, "expansion", "a/b.toml"), "expansion must be contractors or the name of"),
    "a file that is not there": ("good", lambda: put(0, "expansion", "mine.toml"), "no such file|no file"),
    "with the module, but without its parts": ("good", lambda: put(0, "contractors", True), 'has no "cities"'),
    "cities without the module": ("good", lambda: put(0, "cities", ["moscow"]), 'unknown key "cities"'),
    "special tiles in a word": (
        "good",
        lambda: put(0, "special_tiles", "yes"),
        "special_tiles must be true or false, not",
    ),
    "no special tiles": ("good", lambda: put(0, "special_tiles", True), "line 2: seat is 0, but must be 1"),
    "no order of the contracts": ("good", lambda: drop(0, "contracts"), "deal has no contracts"),
    "14 contracts": (
        "good",
        lambda: lambda lines: lines[0]["contracts"].pop(),
        r"deal\.contracts: there must be 15 numbers,",
    ),
    "a contract twice": ("good", lambda: put(0, "contracts", 0, its.good.header["contracts"][1]), "deal.contracts: "),
    "contract 16": ("good", lambda: put(0, "contracts", 0, 16), "deal.contracts must be .*, not 16"),
    "another order": (
        "good",
        lambda: lambda lines: lines[0]["contracts"].reverse(),
        "draws: |drawn_contracts|contract_deck",
    ),
    "contracts without archivists": (
        "builders",
        lambda: put(0, "contracts", its.good.header["contracts"]),
        "deal has contracts",
    ),
    "two new guilds": ("good", lambda: guild("merchants", guild="thieves"), "unknown guild"),
    "only base guilds": (
        "builders",
        lambda: guild("master_builders", guild="clergy"),
        'record is "red-cathedral/2", but without a',
    ),
    "a card of the module": (
        lambda: record_of("jewelers"),
        lambda: guild("jewelers", card=3),
        "card 3 of the jewelers cannot be in this game",
    ),
    "a view with a seed": ("good", lambda: put(0, "view", 0), 'unknown key "seed"'),
    "a view of nobody": ("seen", lambda: put(0, "view", 2), "view must be .*, not 2"),
    "a view in format 1": (lambda: record_of("clergy"), lambda: put(0, "view", 0), 'unknown key "view"'),
    "no draws": ("good", lambda: drop(its.draw, "draws"), r"draws has none, but must have \[{"),
    "empty draws": ("good", lambda: put(its.draw, "draws", []), r"draws must be left out where nothing was drawn"),
    "other draws": (
        "good",
        lambda: put(its.draw, "draws", 0, "contracts", its.other),
        r'draws has \[\{"contracts": \[3, 2, 1\]\}\], but',
    ),
    "draws of two kinds": ("good", lambda: put(its.draw, "draws", 0, "cards", ["base/1"]), "contracts or cards"),
    "a number of contracts": (
        "good",
        lambda: put(its.draw, "draws", [{"contracts": 3}]),
        r"draws\.contracts must be a list of 3",
    ),
    "draws where nothing is drawn": (
        "good",
        lambda: put(1, "draws", [{"contracts": [1, 2, 3]}]),
        r'draws has \[\{"contracts": \[1, 2, 3\]\}\], but',
    ),
    "draws of specialists": ("good", lambda: put(its.draw, "draws", [{"slot": 1}]), 'unknown key "slot"'),
    "no cards drawn": ("builders", lambda: drop(its.cards_draw, "draws"), "draws has none"),
    "an unknown card": (
        "builders",
        lambda: put(its.cards_draw, "draws", 0, "cards", ["attic/1"]),
        r"draws\.cards must hold cathedral cards, say",
    ),
    "a card that is in the game": (
        "builders",
        lambda: put(its.cards_draw, "draws", 0, "cards", 0, its.builders.header["towers"][0][0]["card"]),
        r'draws has \[\{"cards": \["base/8"\]\}\], but must',
    ),
    "an unseen contract": (
        "good",
        lambda: put(its.hidden, "action", "contract ?"),
        r'action must be .*, not "contract \?"',
    ),
    "a contract that a seat cannot see": (
        "seen",
        lambda: put(its.hidden, "action", "contract 3"),
        'action is "contract 3", but must be',
    ),
    "legal actions that a seat cannot see": (
        "seen",
        lambda: put(its.hidden, "legal", ["contract 3"]),
        r'legal is \["contract 3"\], which seat 0 cannot',
    ),
    "drawn contracts that a seat cannot see": (
        "seen",
        lambda: put(its.unseen, "draws", [{"contracts": [1, 2, 3]}]),
        r"draws\.contracts is \[1, 2, 3\], but must be 3",
    ),
    "a contract that nobody holds": (
        "good",
        lambda: put(its.draw, "state", "contracts", 0, [1]),
        r"state.contracts\[0\]",
    ),
    "a state without its deck": (
        "good",
        lambda: drop(1, "state", "contract_deck"),
        "state.contract_deck is nothing",
    ),
    "a state of another guild": ("good", lambda: put(1, "state", "foreman", 1), "state.foreman is 1"),
    "no contracts in the result": (
        "good",
        lambda: drop(-1, "result", "breakdown", 0, "contracts"),
        'has no "contracts"',
    ),
    "contracts in another result": (
        "builders",
        lambda: put(-1, "result", "breakdown", 0, "contracts", 0),
        'unknown key "contracts"',
    ),
    "a wrong sum": (
        "good",
        lambda: put(-1, "result", "breakdown", 0, "contracts", 99),
        r"result\.breakdown\[0\]\.contracts is 99, but",
    ),
    "draws in format 1": (lambda: record_of("clergy"), lambda: put(1, "draws", []), 'unknown key "draws"'),
}


# --- invalid records with the module Contractors


def seed_with(wanted: str, **switches: Any) -> int:
    """Return the first seed of a game with the module whose text contains this."""
    return next(seed for seed in range(200) if wanted in module_record(seed=seed, **switches).text())


def module_record(**more: Any) -> Record:
    return record_of("archivists", 120, contractors=True, **more)


def event(number: int, text: str) -> Edit:
    """Return an edit of the solo game: another event in the turn in which a pair goes back."""
    return put(its.returns, "events", number, text)


REFUSED |= {
    "the module in a word": (
        "hired",
        lambda: put(0, "contractors", "yes"),
        'contractors must be true or false, not "yes"',
    ),
    "the module left out": ("hired", lambda: put(0, "contractors", False), 'unknown key "cities"'),
    "no cities": ("hired", lambda: drop(0, "cities"), 'has no "cities"'),
    "no specialists": ("hired", lambda: drop(0, "specialists"), 'has no "specialists"'),
    "an unknown city": ("hired", lambda: put(0, "cities", 0, "kiev"), "deal.cities, tower 1: unknown city 'kiev'"),
    "a city over two towers": (
        "hired",
        lambda: change(0, "cities", lambda c: [c[0], c[0], *c[2:]]),
        "occurs more than",
    ),
    "a tower without a city": (
        "hired",
        lambda: change(0, "cities", lambda c: c[:-1]),
        "deal.cities: there must be 4 cities, not 3",
    ),
    "a city for no tower": (
        "hired",
        lambda: change(0, "cities", lambda c: [*c, c[0]]),
        "deal.cities: there must be 4 cities, not 5",
    ),
    "cities that are closed": (
        "hired",
        lambda: change(0, "cities", lambda c: [x for x in CITY_NAMES if x not in c] + c[2:]),
        "cities|hire",
    ),
    "six slots": (
        "hired",
        lambda: change(0, "specialists", lambda s: [*s, its.in_bag]),
        r"deal\.specialists: there must be 5 numbers,",
    ),
    "specialist 25": ("hired", lambda: put(0, "specialists", 0, 25), "deal.specialists.* must be .*, not 25"),
    "a specialist twice": (
        "hired",
        lambda: change(0, "specialists", lambda s: [s[1], *s[1:]]),
        r"deal\.specialists: the numbers must be",
    ),
    "an empty slot": ("hired", lambda: put(0, "specialists", 0, None), "deal.specialists.* must be .*, not None"),
    "no permit tile": ("hired", lambda: put(0, "market", its.market, "recognition:1"), "market"),
    "no black die": ("hired", lambda: drop(0, "dice", "black"), "deal.dice: black is missing"),
    "a black die without the module": (
        "good",
        lambda: put(0, "dice", "black", {"space": 0, "value": 1}),
        "deal.dice: unknown key 'black'",
    ),
    "a guild that needs the module": (
        "good",
        lambda: guild("archivists", guild="lawyers", card=1),
        "fourth_guild lawyers needs the module",
    ),
    "no draw": ("hired", lambda: drop(its.filled, "draws"), r"draws has none, but must have \[{\"slot"),
    "another slot": (
        "hired",
        lambda: put(its.filled, "draws", 0, "slot", (its.refill["slot"] + 1) % 5),
        r'draws has \[\{"slot": 1, "specialist": 17\}\],',
    ),
    "another specialist": ("hired", lambda: put(its.filled, "draws", 0, "specialist", its.in_bag), "specialists|bag"),
    "a specialist on another slot": (
        "hired",
        lambda: put(its.filled, "draws", 0, "specialist", its.offered),
        r'draws has \[\{"slot": 0, "specialist": 22\}\],',
    ),
    "an empty bag": (
        "hired",
        lambda: put(its.filled, "draws", 0, "specialist", None),
        r'draws has \[\{"slot": 0, "specialist": null\}\],',
    ),
    "two refills": (
        "hired",
        lambda: change(its.filled, "draws", lambda d: d * 2),
        r'draws has \[\{"slot": 0, "specialist": 17\},',
    ),
    "twenty refills": (
        "hired",
        lambda: change(its.filled, "draws", lambda d: d * 20),
        r'draws has \[\{"slot": 0, "specialist": 17\},',
    ),
    "a slot without a specialist": (
        "hired",
        lambda: drop(its.filled, "draws", 0, "specialist"),
        'has no "specialist"',
    ),
    "a specialist without a slot": ("hired", lambda: drop(its.filled, "draws", 0, "slot"), 'unknown key "specialist"'),
    "slot 5": ("hired", lambda: put(its.filled, "draws", 0, "slot", 5), "draws.slot must be .*, not 5"),
    "a slot that is true": (
        "hired",
        lambda: put(its.filled, "draws", 0, "slot", True),
        "draws.slot must be .*, not true",
    ),
    "a draw of specialist 25": (
        "hired",
        lambda: put(its.filled, "draws", 0, "specialist", 25),
        r"draws\.specialist must be a whole number from",
    ),
    "a draw of specialist 0": (
        "hired",
        lambda: put(its.filled, "draws", 0, "specialist", 0),
        r"draws\.specialist must be a whole number from",
    ),
    "a refill with cards": ("hired", lambda: put(its.filled, "draws", 0, "cards", []), 'unknown key "cards"'),
    "a refill that nobody waits for": (
        "hired",
        lambda: put(1, "draws", [{"slot": 1, "specialist": 1}]),
        r'draws has \[\{"slot": 1, "specialist": 1\}\],',
    ),
    "a draw of nothing": (
        "hired",
        lambda: put(its.filled, "draws", [{}]),
        "must have contracts, cards or a refilled slot",
    ),
    "permits in the state": (
        "hired",
        lambda: put(its.filled, "state", "permits", 0, 7),
        r"state.permits\[0\] is 7",
    ),
    "contractors in the state": (
        "hired",
        lambda: put(its.filled, "state", "contractors", 1, 9),
        r"state.contractors\[1\]",
    ),
    "an open city": (
        "hired",
        lambda: change(its.filled, "state", "cities", its.open, "open", lambda o: not o),
        f"state.cities.{its.open}.open",
    ),
    "contractors in a city": (
        "hired",
        lambda: put(its.filled, "state", "cities", "tver", "contractors", [3, 3]),
        "state.cities.tver.contractors",
    ),
    "a city left out": (
        "hired",
        lambda: drop(its.filled, "state", "cities", "tver"),
        "state.cities.tver is nothing",
    ),
    "the bag": (
        "hired",
        lambda: change(its.filled, "state", "bag", lambda b: b[1:]),
        r"state\.bag is \[2, 3, 4, 5, 6, 7, 9, 10, 11,",
    ),
    "the slots": ("hired", lambda: change(its.filled, "state", "specialists", lambda s: s[::-1]), "state.specialists"),
    "a specialist held": ("hired", lambda: put(its.filled, "state", "specialist", [1, 1]), "state.specialist"),
    "tools": ("hired", lambda: put(its.filled, "state", "tools", [[1], [2]]), "state.tools"),
    "no permits in the supply": (
        "hired",
        lambda: drop(its.filled, "state", "supply", "permits"),
        "state.supply.permits",
    ),
    "no tools in the result": ("hired", lambda: drop(-1, "result", "breakdown", 0, "tools"), 'has no "tools"'),
    "tools in another result": ("good", lambda: put(-1, "result", "breakdown", 0, "tools", 0), 'unknown key "tools"'),
    "a wrong score of tools": ("hired", lambda: put(-1, "result", "breakdown", 1, "tools", 99), "tools is 99"),
    "five cards of Ivan's": (
        "solo",
        lambda: change(0, "ivan", "cards", lambda c: c[:5]),
        r"deal\.ivan\.cards: there must be 6 cards, not 5",
    ),
    "no black tile of Ivan's": (
        "solo",
        lambda: change(0, "ivan", "tiles", lambda t: [*t[:5], t[0]]),
        "deal.ivan.tiles: ",
    ),
    "another city of Ivan's": (
        "solo",
        lambda: event(its.sent, "hire kiev"),
        r"ivan turn.events\[\d+\] is \"hire kiev\"",
    ),
    "a hire that is left out": (
        "solo",
        lambda: change(its.returns, "events", lambda e: [x for x in e if x[:5] != "hire "]),
        "ivan turn.events",
    ),
    "other specialists": ("solo", lambda: event(its.sent + 1, "specialists 1 2 3"), "ivan turn.events"),
    "a specialist in the words of the log": (
        "solo",
        lambda: event(its.sent + 1, "specialist 1"),
        "events must hold events",
    ),
    "another pair that goes back": ("solo", lambda: event(its.back, "return 24 24"), "ivan turn.events"),
    "half a pair": ("solo", lambda: event(its.back, its.events[its.back].rsplit(" ", 1)[0]), "ivan turn.events"),
    "prestige in another city": ("solo", lambda: event(its.back, "prestige 1"), "ivan turn.events"),
    "a shuffle of five dice": (
        "solo",
        lambda: change(its.laid, "events", its.shuffle, lambda e: e.replace(" black", "")),
        "must hold shuffle with",
    ),
    "no draws of Ivan's": ("solo", lambda: drop(its.returns, "draws"), "draws|specialists|bag"),
    "no list of Ivan's draws": ("solo", lambda: put(its.returns, "draws", {}), r"draws must .*, not \{\}"),
    "empty draws of Ivan's": (
        "solo",
        lambda: put(its.returns, "draws", []),
        r"draws must be left out where nothing was drawn",
    ),
    "contracts that Ivan draws": (
        "solo",
        lambda: put(its.returns, "draws", [{"contracts": [1, 2, 3]}]),
        'draws: unknown key "contracts"',
    ),
    "his draws the other way round": (
        "solo",
        lambda: change(its.returns, "draws", lambda d: [{**d[0], "slot": (d[0]["slot"] + 1) % 5}, *d[1:]]),
        "draws",
    ),
    "a draw where he hires nobody": (
        "solo",
        lambda: put(its.idle, "draws", [{"slot": 0, "specialist": 1}]),
        r'ivan turn\.draws is \[\{"slot": 0,',
    ),
    "his city marker": ("solo", lambda: put(1, "state", "ivan", "tower", 9), "state.ivan.tower is 9"),
}


def test_the_good_ones_are_taken() -> None:
    for record in (its.good, its.builders, its.hired, its.solo):
        replay(parse(record.text()))
    assert parse(its.seen.text()).view == 0


@pytest.mark.parametrize("fault", REFUSED)
def test_what_does_not_hold_is_refused_in_a_sentence(fault: str) -> None:
    sample, edit, words = REFUSED[fault]
    record = getattr(its, sample) if isinstance(sample, str) else sample()
    with pytest.raises(RecordError, match=words) as refused:
        replay(parse(edited(record, edit())))
    message = str(refused.value)
    assert message.startswith("record, line ") and "\n" not in message, message
