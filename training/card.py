"""Writes a model card: a network's purpose, training and strength. The command `rc card`."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from rc_env.agents import net
from rc_env.card_sets import source
from rc_env.ruleset import SWITCHES
from rc_env.training import settings
from rc_env.training.evaluation import IVAN, OpponentScore
from rc_env.training.settings import PRESETS

AGAINST = ("random", "greedy", "rush", "guilds", "majority", "all_rounder")
GAMES = 2000


def training_section(trained: net.Net) -> str:
    """The training of a network, from its file, in Markdown.

    Raises:
        ValueError: its file does not say how it was trained.
    """
    try:
        return _training_section(trained)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise ValueError("the network has no settings to write down: name one that `rc train` wrote") from None


def _training_section(trained: net.Net) -> str:
    about = trained.about
    stored = {**settings.LATER, **about["settings"]}
    how = {name: stored[name] for name in settings.TYPES}
    decisions = int(about["decisions"])
    each = how["envs"] * how["steps"]  # budgets are rounded up to whole iterations
    imitated = min(-(-how["imitation"] // each) * each, decisions)
    solo = trained.ruleset.solo
    others = "" if solo or how["learner"] == "sb3" else ", those of opponents included"
    learned = [f"{imitated:,} decisions of imitation of `{how['teacher']}`"] if imitated else []
    if decisions > imitated:
        searching = f"self-play with search ({how['simulations']} simulations)"
        name = {"ppo": "PPO", "sb3": "MaskablePPO", "gumbel": searching}[how["learner"]]
        learned.append(f"{decisions - imitated:,} decisions of {name}{others}")
    game = "the solo game" if solo else f"{trained.ruleset.players} players"
    opponents = ", ".join(f"{name} {share:g}" for name, share in how["opponents"].items())
    switches = [
        f"fourth guild {how['fourth_guild']}",
        *(name.replace("_", " ") for name in SWITCHES if how[name] is True),
    ]
    expansion = f"| expansion | {', '.join(switches)} |\n" if trained.ruleset.full else ""
    count = sum(weight.size + bias.size for weight, bias in trained.layers.values())
    full = ", the full game" if trained.ruleset.full else ""
    sets = source.seeds_of("data", about["data"])
    averaged = ""
    if seeds := about.get("averaged"):
        runs = f"{len(seeds)} such runs, with the seeds {', '.join(map(str, seeds))}"
        averaged = f"| averaged | the mean of the weights of {runs} (`rc average`) |\n"
    fitted = ""
    if fit := about.get("value"):
        what = f"{fit['games']:,} games" if "games" in fit else f"{fit['positions']:,} positions of games"
        games = f"{what} of the network {'against Ivan' if solo else 'with itself'}, seed {fit['seed']}"
        if "layer" in fit:
            fitted = f"| value | its last layer fitted to {games}, after the training |\n"
        else:
            how_fitted = "`rc calibration --fit`" + (" of earlier versions" if "games" in fit else "")
            fitted = f"| value | fitted to {games}, after the training ({how_fitted}) |\n"
    rewarded = ", ".join(f"{_shortest(reward)} for `{word}`" for word, reward in how["bonus"].items())
    bonus = f"; {rewarded} at first, nothing after {100 * how['bonus_until']:g} % of PPO" if rewarded else ""
    if bonus and decisions < imitated + how["bonus_until"] * how["decisions"]:
        bonus += ", which was not reached: the value counts these rewards"
    guided = ""
    if how["guide"] != "none" and decisions > imitated:
        seats = f"{100 * how['guide_share']:g} % of its seats"
        turns = f"1 to {how['guide_turns']} at first, none after {100 * how['guide_until']:g} % of PPO"
        guided = f"| guide | `{how['guide']}` played the first turns of {seats}: {turns} |\n"
    begun = ""
    if digest := about.get("start_sha256"):
        begun = f"| began with | `{how['start']}`, SHA-256 {bytes.fromhex(digest).hex()} |\n"
    raised = ""
    if how["raised"]:
        numbers = ", ".join(f"`{word}` by {_shortest(number)}" for word, number in how["raised"].items())
        raised = f"| raised | {numbers}, in the logits of the network that it began with |\n"
    cards = ", any cards" if sets is not None and len(sets) > 1 else ""
    return f"""# A network for {game}, {how["workshop"]} workshops{full}{cards}

| | |
| --- | --- |
| trained by | `{training_command(how)}` |
| trained for | {", then ".join(learned)} |
| opponents | {"Ivan" if solo else f"{opponents} (shares of the other seats, drawn for each game)"} |
{begun}{raised}{guided}| reward | {how["reward"]}, at the end{bonus} |
| data file | {about["data"]} |
{averaged}{fitted}{expansion}| rules, layouts | {about["rules_version"]}, {about["layout_hash"]} |
| weights | {count:,}, {"of 8 bits" if about.get("bits") == 8 else "in half precision"} |
"""


def training_command(how: dict[str, Any]) -> str:
    """`rc train` with the preset that is nearest to these settings, and what differs from it."""
    used = {name: value for name, value in how.items() if how["learner"] == "gumbel" or name not in settings.OF_SEARCH}
    differs = {
        preset: {
            name: value
            for name, value in used.items()
            # With a network to start from nothing is imitated unless it is named.
            if value != _plain(getattr(base, name)) or (name == "imitation" and how["start"] != "none")
        }
        for preset, base in PRESETS.items()
    }
    preset = min(differs, key=lambda name: len(differs[name]))
    words = [f"rc train --preset {preset}"]
    for name, value in differs[preset].items():
        if isinstance(value, dict):
            value = ",".join(f"{key}={_shortest(share)}" for key, share in value.items())
        elif isinstance(value, list):
            value = ",".join(value)
        words.append(f"--{name.replace('_', '-')}" + ("" if value is True else f" {shlex.quote(str(value))}"))
    return " ".join(words)


def _shortest(number: float) -> str:
    """A number in as few digits as give it back."""
    return f"{number:g}" if float(f"{number:g}") == number else repr(number)


def _plain(value: Any) -> Any:
    """A setting's value after a round trip through JSON."""
    return list(value) if isinstance(value, tuple) else value


def strength_section(scores: Sequence[OpponentScore], seed: int, sets: str | None = None) -> str:
    """The results of games against bots, as Markdown; `sets` names the sets of cards if they were played on several."""
    seats = "" if scores[0].opponent == IVAN else "\nEvery deal in all seatings, with the opponent on all other seats."
    intervals = "intervals are of 95 %, by\nbootstrap over deals."
    if sets is not None:
        intervals = (
            f"it is the mean\nover drawn sets of cards (`{sets}`), with a 95 % interval of the mean over all sets that "
            "might be drawn."
        )
    lines = [
        f"""## Strength

The most probable action is played; seed {seed}. A share is that of games won, ties are split; {intervals}{seats}

| against | games | won | 95 % | fair share | prestige | theirs |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |"""
    ]
    for score in scores:
        share = score.share
        lines.append(
            f"| {score.opponent} | {share.games:,} | {share.mean:.1%} | {share.low:.1%} to {share.high:.1%} "
            f"| {score.fair:.1%} | {score.prestige:.1f} | {score.theirs:.1f} |".replace("%", " %")
        )
    return "\n".join(lines) + "\n"
