"""Tests of networks of the base game that become networks of the full game."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch
from tiny import TINY, positions

from rc_env import Ruleset
from rc_env.agents import net
from rc_env.agents.inputs import Inputs
from rc_env.rules.verbs import Verb
from rc_env.training import checkpoint, transfer
from rc_env.training.network import Network
from rc_env.training.run import Run

pytestmark = pytest.mark.usefixtures("one_thread")

FULL = {"fourth_guild": "jewelers", "special_tiles": True, "contractors": True}


def in_the_full_game(x: np.ndarray, old: Inputs, new: Inputs) -> np.ndarray:
    """Inputs of positions of the base game, as those of the full game in which everything else is 0."""
    place = {name: k for k, name in enumerate(new.names)}
    found = np.tile(new.zero, (len(x), 1))
    found[:, [place[name] for name in old.names]] = x
    return found


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_each_input_has_a_name_and_the_full_game_has_all_of_the_base_game(players):
    old, new = Inputs(Ruleset(players)), Inputs(Ruleset(players, **FULL))
    for one in (old, new):
        assert len(set(one.names)) == len(one.names) == one.size
    place = {name: k for k, name in enumerate(new.names)}
    at = [place[name] for name in old.names]
    np.testing.assert_array_equal(new.divisors[at], old.divisors)
    np.testing.assert_array_equal(new.zero[at], old.zero)
    assert (np.array(at) < new.shared).tolist() == [k < old.shared for k in range(old.size)]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_what_both_games_have_is_played_as_before(players):
    torch.manual_seed(1)
    chosen = dataclasses.replace(TINY, players=players, opponents={"self": 1.0})
    small = Network(chosen)
    with torch.no_grad():
        for tensor in small.parameters():
            tensor += 0.05 * torch.randn_like(tensor)
    trained = net.Net(small.layers(), net.describe(chosen.ruleset))
    large = Network(dataclasses.replace(chosen, **FULL))
    large.start_from(trained)
    old, new = small.inputs, large.inputs
    x = old(positions(40, players=players).numbers)
    with torch.no_grad():
        logits, values = small(torch.from_numpy(x))
        wide_logits, wide_values = large(torch.from_numpy(in_the_full_game(x, old, new)))
    np.testing.assert_allclose(wide_values, values, atol=1e-4)
    place = {(one.verb, one.argument): k for k, one in enumerate(large.ruleset.actions.actions)}
    known = [(one.verb, one.argument) for one in chosen.ruleset.actions.actions]
    np.testing.assert_allclose(wide_logits[:, [place[action] for action in known]], logits, atol=1e-4)
    # What leads to new actions of objects that both games have, or of none, is a bias alone. Moves of the black die
    # are judged as other moves are, and kinds of objects that are new keep the small weights that they were drawn with.
    fresh = {action for action in place if action not in known and action[0] != Verb.MOVE_BLACK}
    above = {action for action in fresh if (wide_logits[:, place[action]] > transfer.NEW_ACTION + 1).any()}
    assert not above


def test_a_run_for_the_full_game_begins_with_a_network_of_the_base_game(tmp_path):
    torch.manual_seed(2)
    file = tmp_path / "base.npz"
    checkpoint.export(Network(TINY), TINY.ruleset, file, decisions=0)
    chosen = dataclasses.replace(TINY, **FULL, workshop="advanced", start=str(file), imitation=0, trunk=TINY.trunk + 16)
    run = Run(chosen, tmp_path / "run")
    assert run.network.trunk[0].weight.shape == (TINY.trunk + 16, run.network.inputs.shared)
    run.iterate()
    assert run.decisions > 0


def test_only_the_base_game_leads_to_the_full_game():
    base, full = Ruleset(2), Ruleset(2, **FULL)
    assert transfer.can_carry(base, full) and transfer.can_carry(Ruleset(2, "advanced"), full)
    for trained, ruleset in ((full, base), (base, base), (full, full), (Ruleset(3), full)):
        assert not transfer.can_carry(trained, ruleset)
