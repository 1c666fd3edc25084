"""What `rc --help` says of the commands: in groups, with the choice between those of a group, and examples of each."""

from __future__ import annotations

GROUPS = {
    "Play": {
        "play": "play in the terminal against bots, or solo against Ivan",
        "watch": "watch bots play against each other in the terminal",
        "serve": "play, watch and study games in the browser",
    },
    "Records of games": {
        "record": "let bots play, and write their games to files",
        "replay": "check a recorded game and show it",
        "analyse": "say how good the decisions of recorded games were, and how lucky the rolls",
    },
    "Bots": {
        "bots": "list the bots",
        "arena": "let bots play against each other, and rate them",
        "evaluate": "play a trained network, or any bot, against others",
        "benchmark": "let a bot play a fixed protocol of games, by which bots can be compared",
        "tune": "tune the weights of a scripted bot by playing games",
    },
    "Train": {
        "train": "train a policy by self-play, then evaluate it against the bots",
        "curve": "draw the learning curves of runs",
        "calibration": "compare the value of a network with the results of its games",
        "card": "write a model card: how a network was trained and how strong it is",
        "average": "average the weights of networks that were trained from the same start",
        "export": "write a trained network in the ONNX format, or with weights of 8 bits",
    },
    "Study the game": {
        "stats": "measure how long games are, which actions are legal and used, and where points come from",
        "first-player": "measure what each seat is worth, and which starting rubles make the seats equal",
        "guilds": "measure how each guild of the expansion changes the game and the strength of the bots",
        "uncertainty": "measure what holds for all cards that are possible, and which unknown numbers matter",
    },
    "Data and machine": {
        "data": "check a data file against all that is known of the cards, or draw one at random",
        "bench": "measure the speed of the engine, the environments, the bots and the training",
        "warmup": "compile the rules before they are needed, for an image or a shared folder",
        "completion": "print a script with which a shell completes commands and options",
    },
}
"""The commands in groups, each with its line of help."""

WHICH = {
    "Play": "play has you at the table, watch only bots; serve has both, with pictures.",
    "Records of games": "record makes files, replay shows what one holds, analyse says how good its decisions were.",
    "Bots": "arena ranks several bots that meet in all seatings; evaluate measures one bot against each opponent by "
    "itself; benchmark gives the one figure that compares bots of different people and versions.",
    "Train": "curve shows how a run went, calibration whether the network's values are right, card how strong it is.",
    "Study the game": "stats looks into games, first-player at the seats, guilds at the expansion; uncertainty repeats "
    "such measurements with other possible cards.",
    "Data and machine": "bench measures speed; for strength see benchmark and evaluate.",
}
"""For each group, which of its commands does what."""

EXAMPLES = {
    "play": ("rc play", "rc play --players 3 --bots greedy random --seed 7"),
    "watch": ("rc watch rush greedy", "rc watch greedy --players 4 --pace 0.2"),
    "serve": ("rc serve", "rc serve --port 8080 --bots net:runs/mine search:simulations=200"),
    "record": (
        "rc record --games 100 --bots greedy random --out games",
        "rc record --players 3 --legal --state --out games",
    ),
    "replay": ("rc replay games/2-basic-greedy-random-0-00001.rcr", "rc replay game.rcr --html game.html"),
    "analyse": (
        "rc analyse game.rcr",
        "rc analyse games --sample 2 --playouts 16 --results errors",
    ),
    "bots": ("rc bots", "rc bots --json"),
    "arena": ("rc arena greedy rush random", "rc arena greedy mybots:Clever --players 4 --until 2 --out results"),
    "evaluate": ("rc evaluate runs/mine", "rc evaluate search:simulations=50 --against greedy rush --games 1000"),
    "benchmark": ("rc benchmark greedy --quick", "rc benchmark mybots:Clever --json clever.json"),
    "tune": (
        "rc tune --out plan.toml --generations 10",
        "rc tune --out plan.toml --players 2 3 --against greedy rush --games 1e4",
    ),
    "train": ("rc train", "rc train --preset standard --decisions 1e8 --out runs/mine"),
    "curve": ("rc curve runs/mine --out curve.svg", "rc curve runs/seed0 runs/seed1 runs/seed2 --out curve.svg"),
    "calibration": ("rc calibration shipped", "rc calibration runs/mine --games 1e4 --out diagram.svg"),
    "card": ("rc card runs/mine --out card.md", "rc card runs/mine --against greedy rush --games 1000 --out card.md"),
    "average": (
        "rc average runs/seed0 runs/seed1 --out mean.npz",
        "rc average first.npz second.npz third.npz --out mean.npz",
    ),
    "export": ("rc export runs/mine --onnx mine.onnx", "rc export mine.npz --int8 small.npz"),
    "stats": ("rc stats greedy", "rc stats greedy rush --players 3 --games 1e4 --out results"),
    "first-player": ("rc first-player --bots greedy rush", "rc first-player --players 4 --handicap --out results"),
    "guilds": ("rc guilds", "rc guilds --bot greedy --players 2 3 4 --games 2000 --out results"),
    "uncertainty": ("rc uncertainty --sets sample:0-7 --numbers none --games 200", "rc uncertainty --out results"),
    "data": ("rc data check my_cards.toml", "rc data sample --seed 17 --out sample.toml"),
    "bench": ("rc bench --only engine", "rc bench --json speed.json"),
    "warmup": ("rc warmup", "rc warmup --games base solo full --bots greedy net"),
    "completion": ("rc completion bash > ~/.rc.completion.bash", "rc completion zsh > ~/.zfunc/_rc"),
}
"""Two command lines of each command."""
