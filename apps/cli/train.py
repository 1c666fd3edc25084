"""Train a network. The command `rc train`."""

from __future__ import annotations

import argparse
import dataclasses
import shlex
import time
from collections.abc import Collection
from pathlib import Path
from typing import Any

from tqdm import tqdm

from rc_env import files
from rc_env.agents.command_line import as_count
from rc_env.agents.net import NetBot
from rc_env.apps.cli.evaluate import print_scores
from rc_env.apps.cli.options import add_trust, add_variant, check_switches, named, players_of
from rc_env.arena import jobs
from rc_env.training import checkpoint, parallel, settings
from rc_env.training.evaluation import GAMES, check_games, evaluate
from rc_env.training.run import Run, command_to_resume, first_network, settings_of, train
from rc_env.training.settings import PRESETS, TrainingSettings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc train`."""
    parser.add_argument("--preset", choices=sorted(PRESETS), help="preset of the settings (default: quick)")
    parser.add_argument(
        "--config", type=named, metavar="FILE", help="JSON or TOML file with settings that replace those of the preset"
    )
    parser.add_argument("--out", type=named, metavar="DIR", help="folder for the run (default: a new one in runs/)")
    parser.add_argument(
        "--resume", type=named, metavar="DIR", help="continue the stopped run in this folder, with its own settings"
    )
    parser.add_argument(
        "--games",
        type=as_count,
        default=GAMES,
        help=f"number of games against each anchor after the training (default: {GAMES})",
    )
    add_trust(parser)
    add_variant(parser, players="that of the preset", others="that of the preset")
    settings.add_arguments(parser)


def _chosen(args: argparse.Namespace) -> tuple[TrainingSettings, Path]:
    """Settings and folder that the command line asks for."""
    given = settings.given(args)
    players = players_of(args)
    if players is not None:
        given["players"] = players
    if args.resume is not None:
        if given or args.preset or args.config or args.out:
            raise ValueError("--resume takes no other settings: a run goes on with its own")
        return settings_of(args.resume, args.trust), args.resume
    preset = args.preset or "quick"
    words = given
    if args.config is not None:
        of_config = {name: value for name, value in settings.read_named(args.config).items() if name not in given}
        words = {**settings.checked_named(of_config, str(args.config), args.trust), **given}
    chosen = settings.from_dict(words, PRESETS[preset])
    if unused := [f"--{name.replace('_', '-')}" for name in given if name in settings.OF_SEARCH]:
        if chosen.learner != "gumbel":
            raise ValueError(
                f"{unused[0]} is a setting of --learner gumbel; --learner {chosen.learner} does not search"
            )
    if chosen.start != "none":
        # It has been trained, so that a warm start has to be named: where the start is, or on the command line.
        if "imitation" not in (given if "start" in given else words):
            chosen = settings.from_dict({"imitation": 0}, chosen)
        chosen = _sized(chosen, words)
    check_switches(args, chosen.ruleset)
    for option in ("opponents", "anchors"):
        if chosen.players == 1 and option in given:
            raise ValueError(f"--{option} has no meaning in the solo game, where the opponent is Ivan")
    name = preset if args.config is None else args.config.stem
    if args.out is not None:
        return chosen, _free(args.out, asked=True)
    return chosen, _free(Path("runs") / f"{name}-{chosen.players}p-{chosen.workshop}-seed{chosen.seed}", asked=False)


def _sized(chosen: TrainingSettings, named: Collection[str]) -> TrainingSettings:
    """Settings of a network that can begin with the one that the training starts from.

    Its sizes are those of that network, or of the preset where they are larger, but those that the user named stay.
    """
    layers = first_network(chosen).layers
    width = {name: weight.shape[1] for name, (weight, _) in layers.items()}
    own = {"trunk": width["trunk.0"], "heads": width["policy.0"], "object": width["objects.moves.0"]}
    sizes = {name: max(size, getattr(chosen, name)) for name, size in own.items()}
    sizes["layers"] = sum(name.startswith("trunk.") for name in layers)
    return settings.from_dict({name: size for name, size in sizes.items() if name not in named}, chosen)


def _has_fitted_value(chosen: TrainingSettings) -> bool:
    """Whether the network that training starts from has a network of its own for the value."""
    return any(name.startswith("value_net.") for name in first_network(chosen).layers)


def _free(folder: Path, *, asked: bool, number: int = 1) -> Path:
    """Return the folder, refusing one that holds a run, so that hours of training are not overwritten.

    If the user named no folder, and it holds a finished run or one of another version, a number is added to its name.
    """
    place = folder if number == 1 else folder.with_name(f"{folder.name}-{number}")
    if not (place / checkpoint.FILE).is_file():
        return place
    try:
        state = checkpoint.load(place)
    except ValueError:
        state = None
    if state is not None and not state["finished"]:
        if not state["decisions"]:  # the run ended before its first iteration
            return place
        raise ValueError(
            f"--out: {place} holds a run that stopped after {state['decisions']:,} decisions: go on with it by "
            f"`{command_to_resume(place, 1 + len(state['others']))}`, or choose another folder"
        )
    if asked:
        held = "a run of another version" if state is None else "a finished run"
        raise ValueError(f"--out: {place} holds {held}; choose another folder")
    return _free(folder, asked=asked, number=number + 1)


def main(args: argparse.Namespace) -> int:
    """`rc train`: train, then play the best network against the anchors."""
    start = time.monotonic()
    check_games(args.games)
    try:
        parallel.join()
        writes, processes = parallel.rank() == 0, parallel.size()
        run = _train(args)
    except RuntimeError as error:
        if "gloo" not in str(error):
            raise
        raise ValueError("another process of this training ended, so that it cannot go on: see its message") from None
    finally:
        parallel.leave()
    if run is None:
        return 2
    if not writes:
        return 0 if run.finished else 130
    folder, ruleset, anchors = run.folder, run.ruleset, run.settings.anchors
    if not run.finished:
        games = "" if args.games == GAMES else f" --games {args.games}"
        print(f"Stopped after {run.decisions:,} decisions. To go on: {command_to_resume(folder, processes)}{games}")
        return 130
    whom = "Ivan" if ruleset.solo else "each anchor"
    print(f"Trained in {time.monotonic() - start:.0f} s. Playing {args.games:,} games against {whom} ...", flush=True)
    scores = evaluate(NetBot(folder), dataclasses.replace(ruleset, turn_limit=1000), anchors, args.games)
    print_scores(folder.name, scores, ruleset, 0)
    bot = shlex.quote(f"net:{folder}")
    print(f"Its bot is {bot}; rc evaluate {bot} plays it again. {time.monotonic() - start:.0f} s in all.")
    if not ruleset.solo:
        print(f"Play against it in the browser: rc serve --bots {bot}")
    return 0


def _train(args: argparse.Namespace) -> Run | None:
    """Train as the command line asks for; None where the first of several processes refuses to."""
    writes = parallel.rank() == 0
    agreed: tuple[TrainingSettings, Path] | None = None
    refusal: ValueError | OSError | None = None
    if writes:
        try:
            agreed = _chosen(args)
            files.make_folder(agreed[1])  # what cannot be written is refused now, not after the training
        except (ValueError, OSError) as error:
            refusal = error
    agreed = parallel.of_first(agreed)
    if refusal is not None:
        raise refusal
    if agreed is None:
        return None
    chosen, folder = agreed

    if writes:
        print("Compiling the rules (a minute or two the first time; kept for later) ...", flush=True)
    jobs.warm(chosen.ruleset)
    total = chosen.imitation + chosen.decisions
    samples: list[float] = []
    if writes:
        if args.resume is None and chosen.start != "none" and _has_fitted_value(chosen):
            print(f"The value that was fitted to {chosen.start} is left out: training changes the policy it is about.")
        print(f"Training in {folder}: {total:,} decisions, {chosen.imitation:,} of them imitation ...", flush=True)
    with tqdm(total=total, unit=" decisions", unit_scale=True, desc="Training", disable=not writes) as bar:

        def tell(row: dict[str, Any]) -> None:
            samples.append(row.get("samples", 1.0))  # self-play with search alone says how many it has
            bar.update(min(row["decisions"], total) - bar.n)
            shown = {name.split("/")[1]: f"{row[name]:.0%}" for name in row if name.startswith("won/")}
            if shown:
                bar.set_postfix(shown, refresh=False)

        try:
            run = train(chosen, folder, tell, resume=args.resume is not None)
        except (MemoryError, RuntimeError) as error:  # PyTorch reports memory in RuntimeErrors
            if isinstance(error, MemoryError) or "memory" in str(error):
                wanted = f"{chosen.envs} games of {chosen.steps} decisions, layers of {chosen.trunk}"
                raise ValueError(
                    f"there is too little memory for {wanted}: choose a smaller --envs, --steps or --trunk"
                ) from None
            raise
    if writes and run.finished and args.resume is None and not any(samples):
        print("No game ended within so many decisions, so nothing was learned: give more, or a smaller --envs.")
    return run
