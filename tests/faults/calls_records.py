"""Attacks on records, data files, pictures and words."""

from __future__ import annotations

from functools import cache
from typing import Any

from attacks import Call
from calls_engine import BASE, FULL, B, engine_of, games_of
from kinds import (
    Kind,
    anything,
    array,
    empty,
    flag,
    folder_to_write,
    function,
    instance,
    mapping,
    source,
    text,
    whole,
    word,
)
from recipes import call_of, recipe, simple
from wrong import FEW, SCALARS, TEXTS

from rc_env import Engine, Ruleset, record, render
from rc_env.arena.match import play_match
from rc_env.record import reading, recorder
from rc_env.render import html, view
from rc_env.rules import setup
from rc_env.rules.printed import data_file, expansion_file
from rc_env.words import facts, notation

RULESET = {"ruleset": instance(Ruleset)}


@cache
def recorded() -> str:
    """Return the record of a short game."""
    texts: list[str] = []
    play_match(
        ["random"] * 2, 1, BASE, rotate=False, recorder=record.Recorder(lambda number, words: texts.append(words))
    )
    return texts[0]


def parsed() -> reading.Record:
    """Return the record of a short game, parsed."""
    return record.parse(recorded())


# --- records


def _begin_of_a_name(value: Any, call: Call) -> str | None:
    fits = isinstance(value, str) and "/" not in value and "\0" not in value and value.isprintable()
    return "the begin of a file's name" if fits else None


simple(
    "rc_env.record.recorder.Recorder",
    record.Recorder,
    {"sink": print, "rows": None, "seat": None, "meta": {"bots": ["greedy"]}},
    sink=function(),
    rows=empty("no rows").or_none(),
    legal=flag(),
    state=flag(),
    thoughts=flag(),
    seat=whole(0, 3).or_none(),
    meta=mapping("any keys of one's own").or_none(),
)


@recipe("rc_env.record.recorder.Recorder.attach", engine=instance(Engine))
def _() -> Call:
    made = engine_of()
    return call_of(record.Recorder(print).attach, engine=made)


simple(
    "rc_env.record.recorder.Recorder.note",
    record.Recorder(print).note,
    {"row": 0, "thoughts": {"value": [0.5, -0.5]}},
    row=whole(0, 10**40),  # a recorder that follows no game keeps nothing
    thoughts=Kind(FEW, lambda value, call: "no thoughts" if value == {} else None),
)
recipe("rc_env.record.recorder.Recorder.detach")(lambda: call_of(record.Recorder(print).detach))
for _name, _more in (("dealt", {}), ("played", {"actions": None}), ("restored", {})):
    recipe(
        f"rc_env.record.recorder.Recorder.{_name}",
        **dict.fromkeys(["rows", *_more], anything("called by the engine with rows of its own", ())),
    )(lambda: call_of(record.Recorder(print).detach))
simple(
    "rc_env.record.recorder.folder",
    record.folder,
    {"path": "records", "prefix": "game"},
    path=folder_to_write(),
    prefix=Kind((*FEW, *TEXTS), _begin_of_a_name),
)
simple(
    "rc_env.record.recorder.keep_data",
    record.keep_data,
    {"ruleset": BASE, "path": "."},
    ruleset=instance(Ruleset),
    path=anything("nothing is written for the base game"),
)
simple(
    "rc_env.record.recorder.deal_line",
    recorder.deal_line,
    {"ruleset": BASE, "game": Engine(BASE, 1).clone().tobytes(), "view": None},
    **dict.fromkeys(("ruleset", "game", "view"), anything("called by Recorder with bytes of its own", ())),
)
simple("rc_env.record.recorder.seed_of", recorder.seed_of, {"key": 5}, key=whole(0, 2**64 - 1))
recipe("rc_env.record.recorder.result_line", engine=instance(Engine), row=whole(0, B - 1))(
    lambda: call_of(recorder.result_line, engine=engine_of(), row=1)
)
simple(
    "rc_env.record.reading.parse",
    record.parse,
    {"text": recorded(), "name": "record", "data": None, "expansion_data": None, "beside": "."},
    text=Kind((*SCALARS, *TEXTS), lambda value, call: None),
    name=anything("how sentences call the record", TEXTS),
    data=source().or_none(),
    expansion_data=anything("not read for the base game", TEXTS),
    beside=anything("not looked at for the base game", TEXTS),
    unfinished=anything("whether it is true is all that is asked", ()),
)
recipe("rc_env.record.reading.write", record=instance(reading.Record), path=folder_to_write())(
    lambda: call_of(record.write, record=parsed(), path="written.rcr")
)


def _written() -> str:
    record.write(parsed(), "game.rcr")
    return "game.rcr"


recipe(
    "rc_env.record.reading.read",
    path=source(),
    data=source().or_none(),
    expansion_data=anything("not read for the base game", TEXTS),
    unfinished=anything("whether it is true is all that is asked", ()),
)(lambda: call_of(record.read, path=_written(), data=None))
recipe("rc_env.record.reading.Record.line", number=whole(0, 10**4))(lambda: call_of(parsed().line, number=1))
recipe("rc_env.record.reading.Record.text")(lambda: call_of(parsed().text))
for _name in ("expanded", "view"):
    recipe(f"rc_env.record.reading.Record.{_name}")(lambda name=_name: call_of(lambda: getattr(parsed(), name)))
_OF_RECORD = anything("made by `parse`, which checks; this one keeps what it is given", ())
recipe(
    "rc_env.record.reading.Record",
    **dict.fromkeys(("header", "decisions", "result", "ruleset", "name", "ivan", "unfinished", "new_dice"), _OF_RECORD),
)(lambda: call_of(parsed))
for _name, _function in (("replay", record.replay), ("positions", lambda **k: list(record.positions(**k)))):
    _more = {"upto": whole(0, len(recorded().splitlines()) - 2).or_none()} if _name == "replay" else {}
    recipe(
        f"rc_env.record.replaying.{_name}",
        record=instance(reading.Record),
        engine=instance(Engine).or_none(),
        row=whole(0, 1),
        **_more,
    )(lambda function=_function: call_of(function, record=parsed(), engine=Engine(BASE, 2), row=1))

# --- data files

simple("rc_env.rules.printed.data_file.load", data_file.load, {"source": "base"}, source=source("base"))
simple(
    "rc_env.rules.printed.expansion_file.load",
    expansion_file.load,
    {"source": "contractors"},
    source=source("contractors"),
)
for _module in (data_file, expansion_file):
    simple(f"{_module.__name__}.check", _module.check, {"tables": _module.load().tables}, tables=instance())
recipe("rc_env.rules.printed.data_file.DataFile.guilds")(lambda: call_of(lambda: BASE.data_file.guilds))
simple(
    "rc_env.rules.printed.data_file.DataFile",
    data_file.DataFile,
    {"name": "a", "sha256": "b", "tables": {}},
    **dict.fromkeys(("name", "sha256", "tables"), anything("made by `load`, which checks", ())),
)
recipe("rc_env.rules.setup.open_deal")(lambda: call_of(setup.open_deal))
recipe(
    "rc_env.rules.setup.checked_deals",
    deals=Kind(FEW, lambda value, call: None),
    c=anything("the record of a ruleset", ()),
)(lambda: call_of(setup.checked_deals, deals=setup.open_deal(), c=BASE.rules[0]))

# --- games in words

GAME = Kind(FEW, lambda value, call: None)
"""One GAME record."""


def _game(chosen: Ruleset = BASE) -> Any:
    return games_of(chosen)[0]


SEAT = whole(0, 1)
VECTOR = array("a vector of numbers", lambda value: value.shape == (BASE.observations.size,))
for _rules in (BASE, FULL):
    _words = "full" if _rules.full else ""
    simple(
        "rc_env.words.notation.deal_to_dict",
        notation.deal_to_dict,
        {"ruleset": _rules, "game": Engine(_rules, 1).games[0]},
        _words,
        **RULESET,
        game=GAME,
    )
    simple(
        "rc_env.words.notation.state_to_dict",
        notation.state_to_dict,
        {"ruleset": _rules, "game": _game(_rules), "view": None},
        _words,
        **RULESET,
        game=GAME,
        view=whole(0, _rules.players - 1).few().or_none(),
    )
simple(
    "rc_env.words.notation.dict_to_deal",
    notation.dict_to_deal,
    {"ruleset": BASE, "deal": notation.deal_to_dict(BASE, Engine(BASE, 1).games[0])},
    **RULESET,
    deal=Kind(FEW, lambda value, call: "a deal with nothing fixed" if value == {} else None),
)
simple(
    "rc_env.words.facts.game_facts",
    facts.game_facts,
    {"ruleset": BASE, "game": _game(), "seat": 0},
    **RULESET,
    game=GAME,
    seat=SEAT,
)
for _name in ("observation_facts", "describe"):
    simple(
        f"rc_env.words.facts.{_name}",
        getattr(facts, _name),
        {"ruleset": BASE, "vector": engine_of().observe(0)[0], "seat": 0},
        **RULESET,
        vector=VECTOR,
        seat=SEAT,
    )
simple("rc_env.words.facts.facts_text", facts.facts_text, {"facts": facts.game_facts(BASE, _game(), 0)}, facts=GAME)


def _an_effect() -> Any:
    """Return an action of a guild card, as the facts describe it."""
    return facts.game_facts(BASE, _game(), 0)["guild_actions"][0][0]


simple(
    "rc_env.words.facts.effect_text",
    facts.effect_text,
    {"action": _an_effect()},
    action=anything("an entry of the facts, which `facts_text` hands on", ()),
)

# --- pictures

THEME = word("light", "dark", "auto")
WIDTH = whole(20, 1000, FEW)
simple(
    "rc_env.render.check_mode", render.check_mode, {"mode": "ansi"}, mode=word("ansi", "human", "rgb_array").or_none()
)
simple(
    "rc_env.render.frame",
    render.frame,
    {"ruleset": BASE, "game": _game(), "mode": "ansi"},
    **RULESET,
    game=GAME,
    mode=word("ansi", "human", "rgb_array"),
)
recipe("rc_env.render.Board", engine=instance(Engine), row=whole(0, B - 1), theme=THEME, seat=whole(0, 1).or_none())(
    lambda: call_of(lambda **given: render.Board(**given).svg(), engine=engine_of(), row=1, theme="light", seat=0)
)
recipe("rc_env.render.Board.svg")(lambda: call_of(render.Board(engine_of()).svg))
simple(
    "rc_env.render.board_svg",
    render.board_svg,
    {"ruleset": BASE, "game": _game(), "theme": "light"},
    **RULESET,
    game=GAME,
    theme=THEME,
)
simple(
    "rc_env.render.board_text",
    render.board_text,
    {"ruleset": BASE, "game": _game(), "colour": False, "width": 100},
    **RULESET,
    game=GAME,
    colour=flag(),
    width=WIDTH,
)
simple(
    "rc_env.render.board_image",
    render.board_image,
    {"ruleset": BASE, "game": _game(), "theme": "light", "width": 200},
    **RULESET,
    game=GAME,
    theme=THEME,
    width=WIDTH,
)
simple("rc_env.render.view.view", view.view, {"ruleset": BASE, "game": _game()}, **RULESET, game=GAME)
simple(
    "rc_env.render.html.replay_html",
    html.replay_html,
    {"ruleset": BASE, "start": _game(), "moments": [], "title": "A"},
    **RULESET,
    start=GAME,
    moments=empty("no moments"),
    title=text("any title, made harmless", (*FEW, *TEXTS)),
)
recipe(
    "rc_env.render.html.record_html", record=instance(reading.Record), title=text("any title", (*FEW, *TEXTS)).or_none()
)(lambda: call_of(html.record_html, record=parsed(), title="A"))
recipe("rc_env.render.html.record_data", record=instance(reading.Record))(
    lambda: call_of(html.record_data, record=parsed())
)
