"""The oracle alone: random games of the expansion to their ends, in which no component is gained or lost."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from oracle.deal import allowed_cards
from oracle.game import Game
from oracle.names import MATERIALS
from oracle.record import lines, random_action, random_game, replay, tables
from variants import half_of

BASE, X = tables("base"), tables("contractors")
MAIN = ("move", "claim", "deliver", "adorn", "hire")
GUILDS = ["clergy", *X["guilds"]]
VARIANTS = [
    (guild, players, workshop, special, module)
    for module in (False, True)
    for i, guild in enumerate(GUILDS)
    if module or X["guilds_with_contractors_only"].get(guild) != [1, 2, 3]
    for players in (1, 2, 3, 4)
    for workshop, special in [(("basic", "advanced")[(i + players) % 2], bool((i + players // 2) % 2))]
]
MOST_DECISIONS_IN_A_TURN = 200
DEEPEST = 25  # the most coroutines that wait for one another


class Watch:
    """Checks after each decision that nothing was gained or lost."""

    def __init__(self, game: Game) -> None:
        self.game, self.turn, self.decisions = game, 0, 0
        self.dismissed = self.gone = 0
        self.tiles = self._workshop_tiles()
        self.closed: dict[str, list[int]] = {}

    def _workshop_tiles(self) -> Counter:
        game = self.game
        tiles = [section.tile for section in game.sections() if section.tile]
        tiles += [tile for p in game.players for tile, _ in p.slots.values() if not tile.startswith("special")]
        return Counter(tiles)

    def before(self, action: str) -> None:
        game = self.game
        if game.point == "start":
            main = any(words.split()[0] in MAIN for words in game.legal())
            assert ("pass" in game.legal()) == (not main)
        self.dismissed += action.startswith("dismiss")
        self.decisions = self.decisions + 1 if game.turn == self.turn else 1
        self.turn = game.turn
        assert self.decisions < MOST_DECISIONS_IN_A_TURN
        assert game.depth() < DEEPEST

    def after(self) -> None:
        game, players = self.game, self.game.players
        goods = Counter(game.supply)
        for player in players:
            goods.update(player.hand)
            goods["permits"] += player.permits
            held = sum(player.hand.values()) + player.banners["inventory"]
            assert held <= 10 or (game.solo and player is players[1])
            assert min(player.track, player.rubles, player.permits, *player.hand.values()) >= 0
        for section in game.sections():
            goods.update(section.delivered)
        if game.solo:
            goods.update(game.inventory)
            goods.update(game.construction)
        assert +goods == Counter(game.box)
        tiles = self._workshop_tiles()
        assert tiles <= self.tiles  # tiles leave the game, and never return
        self.tiles = tiles
        site = {section.card for section in game.sections()}
        assert len(site) + len(game.card_deck) + len(game.card_discard) + len(game.drawn_cards) == 40
        specials = [p.special for p in players if p.special]
        specials += [t.split(":")[1] for p in players for t, _ in p.slots.values() if t.startswith("special")]
        assert len(specials) == len(set(specials)) <= game.players_asked
        if game.fourth == "archivists":
            contracts = [n for p in players for n in p.contracts] + game.contract_deck + game.drawn_contracts
            assert sorted(contracts) == list(range(1, 16))
            assert all(len(p.contracts) <= 3 + (game.point == "return" and p is game.me) for p in players)
        if game.fourth == "brickmakers":
            held = [tile for p in players for tile in p.reinforcements] + game.reinforcements
            assert len(held) == len(set(held))
        if game.module:
            self._after_with_module()

    def _after_with_module(self) -> None:
        game = self.game
        tiles = [tile for tile in game.slots if tile] + sorted(game.bag)
        tiles += [n for p in game.players for n in (*p.tools, *([p.specialist] if p.specialist else []))]
        gone = 24 - len(tiles)  # a dismissal without a choice is no decision, so it is not counted
        assert len(tiles) == len(set(tiles)) and gone >= max(self.gone, self.dismissed)
        self.gone = gone
        for seat, player in enumerate(game.players):
            assert player.row + sum(there[seat] for there in game.sent.values()) == 6
            assert player.permits <= 6
        for city, contractors in game.sent.items():
            if city in self.closed:
                assert contractors == self.closed[city] and not game.open[city]
            elif not game.open[city]:
                self.closed[city] = list(contractors)


def play(seed: int, **variant) -> Game:
    """Play a random game to its end and check it after each decision."""
    game, rng = random_game(seed, turn_limit=250, **variant)
    watch = Watch(game)
    watch.after()
    while game.question:
        action = random_action(game, rng)
        watch.before(action)
        game.play(action)
        watch.after()
    result = game.result()
    assert game.over and result["winners"]
    assert all(sum(map(lambda part: sum(part) if isinstance(part, list) else part, seat.values())) == prestige
               for seat, prestige in zip(result["breakdown"], result["prestige"], strict=True))  # fmt: skip
    return game


@pytest.mark.parametrize(("guild", "players", "workshop", "special", "module"), VARIANTS)
def test_random_games(guild: str, players: int, workshop: str, special: bool, module: bool) -> None:
    play(7, players=players, workshop=workshop, guild=guild, special_tiles=special, contractors=module)


@pytest.mark.slow
@pytest.mark.parametrize("guild", half_of(GUILDS))
def test_many_random_games(guild: str) -> None:
    """Random games use every card of the guild, every number of players, both workshop sides, and special tiles or
    none.
    """
    for module in (False, True):
        for card in allowed_cards(BASE, X, module, promos=True).get(guild, []):
            for players in (1, 2, 3, 4):
                workshop, special = ("basic", "advanced")[(card + players) % 2], (card + players) // 2 % 2 == 1
                variant = {"players": players, "workshop": workshop, "special_tiles": special}
                play(card, guild=f"{guild}:{card}", contractors=module, **variant)


def test_games_reach_every_point_and_every_action() -> None:
    """Random games with all switches on reach every point and action that the expansion adds."""
    points, verbs = set(), set()
    for guild in GUILDS:
        for seed in range(3):
            game, rng = random_game(seed, players=2 + seed % 3, guild=guild, special_tiles=True, contractors=True)
            while game.question:
                action = random_action(game, rng)
                points.add(game.point)
                verbs.add(action.split()[0])
                game.play(action)
    assert points >= {  # without `claim` and `return`, which are rarely reached
        *("start", "place", "take", "market", "pay", "gain", "tile", "swap", "build", "gems", "end"),
        *("special", "hire", "both", "spend", "discard", "resource", "influence", "foreman", "player"),
        *("extra", "card", "section", "keep", "reinforcement"),
    }
    assert verbs >= {"engage", "dismiss", "permit", "reinforce", "borrow", "specialist", "contract", "adorn"}


@pytest.mark.parametrize("guild", ["clergy", "archivists", "master_builders", "managers"])
def test_a_record_can_be_played_again(guild: str) -> None:
    """Replaying the rolls and draws of a record leads to the positions in that record."""
    for players in (1, 1, 3):
        for seed, module in ((3, True), (4, False)):
            variant = {"players": players, "guild": guild, "special_tiles": module, "contractors": module}
            game, rng = random_game(seed, turn_limit=90, **variant)
            shown = json.loads(json.dumps(list(lines(game, rng, seed))))
            replay(shown, BASE, X)


def test_a_changed_record_is_noticed() -> None:
    game, rng = random_game(5, players=1, guild="managers", contractors=True, turn_limit=60)
    shown = json.loads(json.dumps(list(lines(game, rng, 5))))
    places = [n for n, line in enumerate(shown) if line.get("rolls") and "state" in line][:3]
    for place in places:
        changed = json.loads(json.dumps(shown))
        changed[place]["state"]["track"][0] += 1
        with pytest.raises(AssertionError, match=f"line {place + 1}"):
            replay(changed, BASE, X)
    turn = next(n for n, line in enumerate(shown) if line.get("point") == "ivan turn")
    shown[turn]["events"].append("recognition 1")
    with pytest.raises(AssertionError, match=f"line {turn}"):
        replay(shown, BASE, X)


def test_the_script_writes_a_record(tmp_path: Path) -> None:
    script, out = Path(sys.modules["oracle"].__file__).parent, tmp_path / "game.rcr"
    command = [sys.executable, script, "--guild", "jewelers:2", "--players", "3", "--seed", "5", "--out", out]
    subprocess.run([*command, "--turn-limit", "40"], check=True, timeout=60)
    shown = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert shown[0]["record"] == "red-cathedral/2" and shown[0]["contractors"] is False
    assert {"guild": "jewelers", "card": 2} in shown[0]["guilds"]
    assert all(line["action"] in line["legal"] for line in shown[1:-1])
    assert set(shown[1]["state"]["supply"]) == {*MATERIALS, "diamond"}
    assert set(shown[-1]) == {"result"}
    subprocess.run([sys.executable, script, "--check", out], check=True, timeout=60)
    out.write_text(out.read_text(encoding="utf-8").replace('"turn": 9', '"turn": 8'), encoding="utf-8")
    checked = subprocess.run([sys.executable, script, "--check", out], capture_output=True, text=True, timeout=60)
    assert checked.returncode == 1 and "line" in checked.stdout and not checked.stderr
    bad = subprocess.run([sys.executable, script, "--guild", "lawyers", "--out", out], capture_output=True, text=True)
    assert bad.returncode and bad.stderr.startswith("guild: lawyers found, expected") and bad.stderr.count("\n") == 1
