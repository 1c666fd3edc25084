"""Conservation: whatever is played, nothing is lost, nothing appears, and every cached number is right.

`Ledger` counts everything once more from the records and the data file, in plain NumPy, without the compiled rules. The
tests below play some hundred random games of each variant under its eyes. The full run, 100,000 games of each of the
eight variants (about ten minutes on one core), is a command:

    python tests/test_conservation.py            # or 5,000 of the solo game: python tests/test_conservation.py 5000 1
"""

import sys
import time
from functools import cache

import numpy as np
import pytest

from rc_env import Engine, Ruleset
from rc_env.rules import ivan
from rc_env.rules.points import A, Point
from rc_env.rules.sizes import DIE_NAMES, MATERIAL_NAMES
from rc_env.rules.state import PLAYING, TERMINATED

VARIANTS = [(players, workshop) for players in (1, 2, 3, 4) for workshop in ("basic", "advanced")]
KINDS = ("base", "middle", "dome")
ORNAMENTS = ("door", "arch", "cross")
COUNTS = ("doors", "arches", "crosses")


@cache
def shares(worth: int, presence: tuple[int, ...]) -> tuple[int, ...]:
    """What each seat gets of a tower (R-26; R-27 with two seats), by listing the places."""
    present = sorted((n for n in presence if n), reverse=True)
    if len(presence) == 2:
        if presence[0] == presence[1]:
            return (0, 0)
        return tuple(worth if n == present[0] else worth // 3 if n else 0 for n in presence)
    places = [worth // 2**place for place in range(len(present))]
    covered = {n: [places[i] for i, m in enumerate(present) if m == n] for n in present}
    return tuple(sum(covered[n]) // len(covered[n]) if n else 0 for n in presence)


class Ledger:
    """All that must hold of the games of one variant, at any decision."""

    def __init__(self, ruleset: Ruleset) -> None:
        tables = ruleset.tables
        self.players, self.seats, self.solo = ruleset.players, ruleset.seats, ruleset.solo
        self.advanced = ruleset.workshop == "advanced"
        self.sections, self.towers = 6 * ruleset.seats, ruleset.seats + 2
        self.limit = ruleset.turn_limit
        self.supply = np.array([tables["supply"][m] for m in MATERIAL_NAMES])
        faces = [card for kind in KINDS for card in tables["cards"][kind]]
        self.cost = np.array([[card["cost"].get(m, 0) for m in MATERIAL_NAMES] for card in faces], np.int8)
        self.pays = np.array([[card["rubles"], card["recognition"]] for card in faces], np.int8)
        self.deck = np.repeat(np.arange(3), [len(tables["cards"][kind]) for kind in KINDS])
        heights = np.array(tables["plans"][str(self.seats)])
        self.height = np.zeros((len(heights), 6), np.int8)
        self.height[:, : self.towers] = heights
        self.tower = np.array([np.repeat(np.arange(self.towers), row) for row in heights])
        self.level = np.array([np.concatenate([np.arange(h) for h in row]) for row in heights])
        top = np.take_along_axis(heights, self.tower, 1) - 1
        self.kind = np.where(self.level == 0, 0, np.where(self.level == top, 2, 1))
        self.spaces = tables["player"]["inventory_spaces"]
        self.ornaments = np.array([tables["player"][count] for count in COUNTS])
        self.copies = np.array([t["count"] if self.players > 2 else 1 for t in tables["workshop"]["tile"]])
        around = ("own", "next1", "next2", "next3")
        kept = tables["workshop"]["advanced"]["ornament"]
        self.slot_ornament = np.full((self.players, 6), -1, np.int8)
        if self.advanced:
            for seat in range(self.players):
                self.slot_ornament[seat, :4] = [ORNAMENTS.index(kept[around[(c - seat) % 4]]) for c in range(4)]
        self.influences = np.repeat(np.arange(4), [len(tables["guilds"][guild]) for guild in tables["guilds"]])
        track = tables["track"]
        laps = np.arange(40)[:, None] * track["length"]
        self.prestige = (laps + np.array(track["prestige"])).ravel()
        self.dealt: tuple[np.ndarray, np.ndarray] | None = None

    def check(self, games: np.ndarray, mask: np.ndarray) -> None:
        """Assert everything of every game, and that `mask` offers something to whoever has to decide."""
        playing = games["status"] == PLAYING
        assert (mask.any(1) == playing).all()
        self._turn(games, playing)
        self._market(games)
        self._cathedral(games)
        self._boards(games, playing)
        self._materials(games)
        self._standings(games)
        if self.solo:
            self._ivan(games, playing)

    def _ivan(self, g: np.ndarray, playing: np.ndarray) -> None:
        """His cards and tiles are those of the box; a tile is turned each turn of his, and they are laid anew."""
        for field in ("ivan_card", "ivan_tile"):
            assert (np.sort(g[field], 1) == np.arange(5)).all()
        assert (np.diff(g["ivan_up"].astype(int), axis=1) >= 0).all() and (g["ivan_up"] <= 1).all()
        frame = g["stack"][np.arange(len(g)), g["depth"] - 1]
        chooses = playing & (frame[:, 0] == Point.IVAN)
        turned = g["ivan_turns"].astype(int) + (chooses & (frame[:, A] == ivan.CLAIMS))
        adorned = chooses & (frame[:, A] == ivan.ADORNS)
        assert (g["ivan_up"].sum(1) == np.where(turned == 0, 5, -turned % 5)).all()
        assert (g["ivan_up"][adorned] == 0).all()
        assert (g["turn"] - 2 * g["ivan_turns"] == np.where(chooses, 2, 1))[playing].all()
        assert (g["ivan_goods"] >= 0).all() and (g["ivan_goods"][:, :, 6:] == 0).all()
        assert (g["ivan_forced"] == -1).all()
        him = g["goods"][:, 1]
        assert (him[:, :7] == 0).all() and (g["works"][:, 1, 6:] == 0).all()

    def _turn(self, g: np.ndarray, playing: np.ndarray) -> None:
        assert (g["turn"] >= 1).all() and (g["turn"] <= self.limit).all()
        assert (g["seat"] >= 0).all() and (g["seat"] < self.players).all()
        assert ((g["depth"] >= 1) == playing).all() and (g["depth"] <= 4).all()
        point = g["stack"][np.arange(len(g)), g["depth"] - 1]
        building = playing & (point[:, 0] == Point.BUILD)
        assert (point[building, A] >= 1).all() and (point[building, A] <= 3).all()
        assert (g["forced_count"] == 0).all()
        assert (g["track"] >= 0).all() and (g["rubles"] >= 0).all()
        assert (g["track"][:, self.seats :] == 0).all() and (g["rubles"][:, self.players :] == 0).all()

    def _market(self, g: np.ndarray) -> None:
        space, value = g["die_space"][:, :5], g["die_value"][:, :5]
        crowd = (space[:, :, None] == np.arange(8)).sum(1)
        assert (crowd.sum(1) == len(DIE_NAMES)).all() and (crowd == g["crowd"]).all() and crowd.max() <= 3
        assert value.min() >= 1 and value.max() <= 6
        assert (np.sort(g["market"], 1) == np.arange(8)).all()
        assert (np.sort(g["guild"], 1) == np.arange(4)).all()
        assert (self.influences[g["influence"]] == g["guild"]).all()

    def _cathedral(self, g: np.ndarray) -> None:
        n, plan = self.sections, g["plan"]
        number, owner, finished = g["number"][:, :n], g["owner"][:, :n], g["finished"][:, :n]
        assert (g["height"] == self.height[plan]).all()
        assert (g["tower"][:, :n] == self.tower[plan]).all() and (g["level"][:, :n] == self.level[plan]).all()
        assert (g["kind"][:, :n] == self.kind[plan]).all() and (self.deck[number] == self.kind[plan]).all()
        assert (np.diff(np.sort(number, 1), axis=1) > 0).all()  # no card twice
        # Banners stand from the base upwards; only what is claimed is finished, only what is finished is adorned.
        claimed = np.take_along_axis(g["claimed"], self.tower[plan], 1)
        assert ((owner >= 0) == (self.level[plan] < claimed)).all() and owner.max() < self.seats
        assert (g["claimed"] <= g["height"]).all()
        assert (owner[finished == 1] >= 0).all() and (finished <= 1).all()
        assert (g["ornament"][:, :n][finished == 0] == -1).all() and g["ornament"].max() < self.seats
        for field, empty in (("owner", -1), ("tile", -1), ("ornament", -1), ("finished", 0), ("card", 0)):
            assert (g[field][:, n:] == empty).all()
        # A card misses its cost until it is claimed, nothing once it is finished; then it has paid.
        missing, cost = g["card"][:, :n, :6].copy(), self.cost[number]
        pays = self.pays[number] * (finished == 0)[:, :, None]
        if (
            self.solo
        ):  # on Ivan's cards lies any material, up to as many as it costs; the rest is told instead of rubles
            his = owner == 1
            lying, rest = missing[his].sum(1), g["card"][:, :n, 6][his]
            assert (missing[his] >= 0).all() and (rest >= 0).all()
            assert ((lying + rest == cost[his].sum(1)) | (finished[his] == 1)).all()
            assert ((rest == 0) == (finished[his] == 1)).all() and (lying[finished[his] == 1] == 0).all()
            pays[:, :, 0][his] = rest
            missing[his] = cost[his] * (finished[his] == 0)[:, None]
        assert (missing >= 0).all() and (missing <= cost).all()
        assert (missing == cost)[owner < 0].all()
        assert ((missing.sum(2) == 0) == (finished == 1)).all()
        assert (g["card"][:, :n, 6:] == pays).all()

    def _boards(self, g: np.ndarray, playing: np.ndarray) -> None:
        n, seats = self.sections, np.arange(self.seats)
        owner, finished, tile = g["owner"][:, :n], g["finished"][:, :n], g["tile"][:, :n]
        goods, works = g["goods"][:, : self.seats], g["works"][:, : self.seats]
        players = slice(self.players)  # of those who have boards: all but Ivan
        own = owner[:, :, None] == seats
        claims = own.sum(1)
        # Banners: six a seat.
        assert (goods[:, :, 6:] >= 0).all() and (goods[:, :, 6] <= 4).all() and (goods[:, players, 7] <= 2).all()
        assert (works[:, :, 6:] >= 0).all() and (works[:, :, 6:] <= 1).all()
        assert (goods[:, :, 6] + goods[:, :, 7] + works[:, :, 6] + works[:, :, 7] + claims == 6).all()
        assert (works[:, :, 6:] == 0).all() if not self.advanced else (goods[:, players, 7] == 0).all()
        # Counts of what was claimed and finished.
        done = (own & (finished == 1)[:, :, None]).sum(1)
        assert (works[:, :, 4] == done).all() and (works[:, :, 3] == claims - done).all()
        assert ((g["ending"] >= 0) == (done.max(1) == 6)).all()
        # Room: materials only on open spaces.
        materials = goods[:, :, :6]
        assert (materials >= 0).all()
        assert (materials.sum(2) + goods[:, :, 6] <= self.spaces).all()
        # Tiles: on every unclaimed card (and on one just claimed, at `place`), else in the slots of who claimed.
        point = g["stack"][np.arange(len(g)), g["depth"] - 1]
        placing = playing & (point[:, 0] == Point.PLACE)
        waits = placing[:, None] & (np.arange(n) == point[:, A, None])
        assert ((tile >= 0) == ((owner < 0) | waits)).all()
        assert (owner[waits] == g["seat"][placing]).all()
        slots, up = g["slot_tile"][:, : self.players], g["slot_up"][:, : self.players]
        turn = placing[:, None] & (g["seat"][:, None] == seats[players])
        assert ((slots >= 0).sum(2) + turn == claims[:, players]).all()
        assert (up[slots < 0] == 0).all() and (up <= 1).all()
        assert (works[:, players, 6:][slots[:, :, 4:] >= 0] == 0).all()  # no tile under a banner
        everywhere = np.concatenate([tile, slots.reshape(len(g), -1)], 1)
        gone = claims[:, 1] if self.solo else 0  # tiles that Ivan met
        assert ((everywhere >= 0).sum(1) == n - gone).all()
        kinds = np.stack([(everywhere == kind).sum(1) for kind in range(len(self.copies))], 1)
        assert (kinds <= self.copies).all()  # the rest was left out
        if self.dealt is not None and len(self.dealt[0]) == len(g):
            same = self.dealt[0] == g["key"]
            assert (kinds <= self.dealt[1])[same].all()  # of one game, always the same ones
            assert self.solo or (kinds == self.dealt[1])[same].all()
        self.dealt = g["key"].copy(), kinds
        # Ornaments: to hand, placed, and on the advanced board still on its slot or lost with a tile face down.
        placed, kind = g["ornament"][:, :n], g["kind"][:, :n]
        mine = placed[:, :, None] == seats
        assert (works[:, :, 5] == mine.sum(1)).all()
        left = np.where(slots < 0, self.slot_ornament, -1)
        assert (g["slot_ornament"][:, : self.players] == left).all()
        lost = np.where((slots >= 0) & (up == 0), self.slot_ornament, -1)
        for k in range(3):
            somewhere = works[:, :, k] + (mine & (kind == k)[:, :, None]).sum(1)
            assert (works[:, :, k] >= 0).all()
            assert (somewhere[:, self.players :] == self.ornaments[k]).all()  # Ivan's
            somewhere = somewhere[:, players]
            assert (somewhere + (left == k).sum(2) + (lost == k).sum(2) == self.ornaments[k]).all()
        for field, end in (("goods", self.seats), ("works", self.seats), ("slot_up", self.players)):
            assert (g[field][:, end:] == 0).all()
        # Gems are asked for right after the ornament.
        gems = playing & (point[:, 0] == Point.GEMS)
        assert (placed[gems, point[gems, A]] == g["seat"][gems]).all()

    def _materials(self, g: np.ndarray) -> None:
        """Supply, hands and unfinished sections hold what the box held."""
        n = self.sections
        delivered = self.cost[g["number"][:, :n]] - g["card"][:, :n, :6]
        if self.solo:
            his = g["owner"][:, :n] == 1
            delivered[his] = g["card"][:, :n, :6][his]
        on_cards = (delivered * (g["finished"][:, :n] == 0)[:, :, None]).sum(1) + g["ivan_goods"][:, :, :6].sum(1)
        assert (g["supply"][:, :6] >= 0).all()
        assert (g["supply"][:, :6] + g["goods"][:, :, :6].sum(1) + on_cards == self.supply).all()

    def _standings(self, g: np.ndarray) -> None:
        """The cached value, presence and shares of every tower, and their sums (R-26, R-27)."""
        n, seats = self.sections, np.arange(self.seats)
        done = g["finished"][:, :n] == 1
        adorned = g["ornament"][:, :n] >= 0
        in_tower = g["tower"][:, :n, None] == np.arange(self.towers)
        worth = (in_tower * (2 * done + adorned)[:, :, None]).sum(1)
        pieces = (g["owner"][:, :n, None] == seats) & done[:, :, None]
        pieces = pieces.astype(np.int8) + (g["ornament"][:, :n, None] == seats)
        presence = np.einsum("bst,bsp->btp", in_tower.astype(np.int8), pieces)
        assert (g["worth"][:, : self.towers] == worth).all()
        assert (g["presence"][:, : self.towers, : self.seats] == presence).all()
        rows = np.concatenate([worth[:, :, None], presence], 2).reshape(-1, self.seats + 1)
        code = (rows * 64 ** np.arange(self.seats + 1)).sum(1)
        _, first, back = np.unique(code, return_index=True, return_inverse=True)
        table = np.array([shares(int(row[0]), tuple(row[1:].tolist())) for row in rows[first]])
        expected = table[back].reshape(presence.shape)
        assert (g["share"][:, : self.towers, : self.seats] == expected).all()
        assert (g["towers"][:, : self.seats] == expected.sum(1)).all()

    def score(self, g: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Prestige of the markers, of goods and of the towers, (N, S) each (R-25)."""
        track = np.searchsorted(self.prestige, g["track"][:, : self.seats], side="right")
        goods = (g["goods"][:, : self.seats, :6].sum(2) + g["rubles"][:, : self.seats]) // 5
        return track, goods, g["share"][:, :, : self.seats].sum(1)

    def check_results(self, engine: Engine, rows: np.ndarray) -> None:
        """Final scores, places and the "win" reward of games that are over (R-25 to R-28)."""
        g = engine.games[rows].view(np.ndarray)
        assert (g["status"] != PLAYING).all()
        track, goods, towers = self.score(g)
        results = engine.results(rows)
        assert (results.track == track).all() and (results.goods == goods).all()
        assert (results.towers.sum(2) == towers).all() and (results.prestige == track + goods + towers).all()
        works = g["works"][:, : self.seats].astype(int)
        order = (track + goods + towers) * 10_000 + works[:, :, 4] * 100 + works[:, :, 5]
        ahead = (order[:, None, :] > order[:, :, None]).sum(2)
        assert (results.place == ahead).all() and (results.winners == (ahead == 0)).all()
        behind = (order[:, None, :] < order[:, :, None]).sum(2)
        expected = (behind - ahead)[:, : self.players] / (self.seats - 1)
        assert np.allclose(engine.rewards[rows], expected, atol=1e-6)
        terminated = g["status"] == TERMINATED
        assert (terminated == engine.terminated[rows]).all()
        last = (g["turn"] - 1) % 2 if self.solo else g["seat"]
        assert (g["ending"][terminated] == (last[terminated] + 1) % self.seats).all()  # the last seat has moved
        assert (g["turn"][~terminated] == self.limit).all()


def play_each_decision(ruleset: Ruleset, rows: int, decisions: int, seed: int) -> int:
    """Random games through `step`, everything checked after every decision; returns how many ended."""
    engine, ledger, rng = Engine(ruleset, rows, seed), Ledger(ruleset), np.random.default_rng(seed)
    ended = 0
    for _ in range(decisions):
        mask = engine.legal_mask()
        ledger.check(engine.games.view(np.ndarray), mask)
        engine.step((rng.random(mask.shape) * mask).argmax(1))
        assert not engine.illegal.any()
        if len(engine.ended):
            ledger.check_results(engine, engine.ended)
            ended += len(engine.ended)
            engine.reset(engine.ended)
    return ended


def play_bursts(ruleset: Ruleset, rows: int, games_per_row: int, burst: int, seed: int) -> dict[str, int]:
    """Random play inside the engine until every row has ended that many games, all rows checked every `burst`."""
    engine, ledger = Engine(ruleset, rows, seed), Ledger(ruleset)
    total = {"decisions": 0, "games": 0, "truncated": 0, "stuck": 0, "checks": 0}
    begun, last = np.zeros(rows, int), engine.games.key.copy()  # of a burst that begins several games one is counted
    while begun.min() < games_per_row:
        for key, count in engine.play_random(burst, seed).items():
            total[key] += count
        begun, last = begun + (engine.games.key != last), engine.games.key.copy()
        ledger.check(engine.games.view(np.ndarray), engine.legal_mask())
        total["checks"] += rows
    assert total["stuck"] == 0
    assert total["games"] >= begun.sum()
    return total


@pytest.mark.parametrize(("players", "workshop"), VARIANTS)
def test_every_decision_of_some_random_games(players: int, workshop: str) -> None:
    """To the ending of R-25, and to a turn limit."""
    assert play_each_decision(Ruleset(players=players, workshop=workshop), 25, 1300, seed=players) > 10
    limit = 40 if players > 1 else 20
    assert play_each_decision(Ruleset(players=players, workshop=workshop, turn_limit=limit), 25, 200, seed=players) > 25


@pytest.mark.parametrize(("players", "workshop"), VARIANTS)
def test_hundreds_of_random_games_end(players: int, workshop: str) -> None:
    total = play_bursts(Ruleset(players=players, workshop=workshop), 200, 2, 40, seed=7)
    assert total["truncated"] < total["games"] // 10


FRAUDS = {
    "a material from nowhere": lambda g: g.goods[0].__setitem__(2, g.goods[0, 2] + 1),
    "a material too few in the supply": lambda g: g.supply.__setitem__(3, g.supply[3] - 1),
    "a seventh banner": lambda g: g.goods[1].__setitem__(7, g.goods[1, 7] + 1),
    "a banner on a section": lambda g: g.owner.__setitem__(g.claimed[0], 1),
    "an ornament more": lambda g: g.works[0].__setitem__(1, g.works[0, 1] + 1),
    "an ornament in the air": lambda g: g.ornament.__setitem__(np.argmin(g.finished), 1),
    "a tile twice": lambda g: g.tile.__setitem__(np.argmin(g.owner), 20),
    "a tile lost": lambda g: g.tile.__setitem__(np.argmin(g.owner), -1),
    "a tile turned": lambda g: g.slot_up[0].__setitem__(np.argmin(g.slot_tile[0]), 1),
    "a die beside its space": lambda g: g.die_space.__setitem__(0, (g.die_space[0] + 1) % 8),
    "a die of seven": lambda g: g.die_value.__setitem__(2, 7),
    "a market tile twice": lambda g: g.market.__setitem__(0, g.market[1]),
    "a card with one material less": lambda g: g.card[np.argmin(g.owner)].__setitem__(
        0, g.card[np.argmin(g.owner), 0] - 1
    ),
    "a card that pays more": lambda g: g.card[np.argmin(g.owner)].__setitem__(7, 9),
    "rubles owed": lambda g: g.rubles.__setitem__(0, -1),
    "a tower worth more": lambda g: g.worth.__setitem__(0, g.worth[0] + 1),
    "presence of nobody": lambda g: g.presence[0].__setitem__(1, g.presence[0, 1] + 1),
    "a larger share": lambda g: g.share[1].__setitem__(0, g.share[1, 0] + 1),
    "a larger sum": lambda g: g.towers.__setitem__(0, g.towers[0] + 1),
    "a seat too many": lambda g: g.__setattr__("seat", 3),
}


@pytest.mark.parametrize("fraud", FRAUDS)
def test_the_ledger_notices(fraud: str) -> None:
    """Each of the checks can fail."""
    engine = Engine(Ruleset(players=2), 8, seed=3)
    ledger = Ledger(engine.ruleset)
    engine.play_random(30)
    ledger.check(engine.games.view(np.ndarray), engine.legal_mask())
    FRAUDS[fraud](engine.games[4])
    with pytest.raises(AssertionError):
        ledger.check(engine.games.view(np.ndarray), engine.legal_mask())


def main(games: int = 100_000, *only: int) -> None:
    """The full run: that many games of each variant at least, some thousand of them checked at every decision.

    `only`: numbers of players; all by default.
    """
    rows, started = min(2000, games), time.perf_counter()
    for players, workshop in [variant for variant in VARIANTS if not only or variant[0] in only]:
        begun = time.perf_counter()
        ruleset = Ruleset(players=players, workshop=workshop)
        total = play_bursts(ruleset, rows, -(-games // rows), 24, seed=1)
        watched = play_each_decision(ruleset, max(1, rows // 4), 2500, seed=2)
        print(
            f"{players} players, {workshop}: {total['games']:,} games in {total['decisions']:,} decisions, "
            f"{total['truncated']:,} at the turn limit, {total['stuck']} without a legal action; "
            f"{total['checks']:,} positions checked, and every decision of {watched:,} games more; "
            f"{time.perf_counter() - begun:.0f} s",
            flush=True,
        )
    print(f"everything holds; {time.perf_counter() - started:.0f} s in all")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
