"""The outcomes of an attack: refused in a sentence, accepted for a reason, or one of the ways to fail."""

from __future__ import annotations

import copy
import re
import traceback
from pathlib import Path
from typing import Any

import numpy as np
from attacks import Attack, Call
from gymnasium.error import ResetNeeded
from numba.core import event
from wrong import Hostile

import rc_env
from rc_env import Engine
from rc_env.jit import Direct
from rc_env.rules.state import PLAYING

HOME = str(Path(rc_env.__file__).parent)
FOLDERS = (HOME, *(str(Path(HOME).parent / name) for name in ("agents", "arena", "training", "apps")))
NEIGHBOURS = ("gymnasium", "pettingzoo")
"""Packages that check arguments before they call this one, each with a class of exceptions of its own."""
MOST = 3000
"""The most decisions that games may take to their ends."""
LONGEST = 2000
"""The most characters that a sentence may have."""
PLAIN = (ValueError, TypeError, RuntimeError, OSError, NotImplementedError, ResetNeeded)
"""The exceptions that count as refusals. Others mean a mistake in the code, not in the value."""
RAW = (UnicodeError, RecursionError)
"""Subclasses of these exceptions that do not count as refusals."""

NOT_TO_BE_SET = ("has no setter", "cannot assign to field")
"""The words with which Python refuses to set a read-only attribute: a property, or a field of a frozen class."""

REFUSED, ACCEPTED = "refused in a sentence", "accepted for a reason"
GOOD = (REFUSED, ACCEPTED)
RAW_EXCEPTION, NO_SENTENCE = "raw exception", "no sentence"
WITHOUT_REASON, CHANGED, WRONG_RESULT = "accepted without a reason", "changed by a refused call", "wrong result"
COMPILES, HANGS, CRASHES, BROKEN = "compiles", "hangs", "crashes", "the attack itself is broken"
BAD = (CRASHES, HANGS, CHANGED, WRONG_RESULT, RAW_EXCEPTION, NO_SENTENCE, WITHOUT_REASON, COMPILES, BROKEN)


class Compiled(BaseException):
    """Raised at the beginning of a compilation, which the type of an argument made necessary."""


class NoCompilation(event.Listener):
    """Refuses to compile while `closed`; what correct calls need is compiled before."""

    closed = False

    def on_start(self, event: Any) -> None:
        if self.closed:
            raise Compiled(str(event.data)[:200])

    def on_end(self, event: Any) -> None:
        pass


class PLAY_ON:
    """How long engines play on: in short, three decisions; games that no engine made go to their ends all the same."""

    short = False


def _looking(direct: Direct, kernel: Any) -> None:
    """Make a `Direct` that looks at the types of its arguments in every call, so that a wrong one would compile."""
    direct.kernel = direct.call = kernel


Direct.__init__ = _looking  # type: ignore[method-assign]
COMPILATION = NoCompilation()
event.register("numba:compile", COMPILATION)


def judge(attack: Attack) -> tuple[str, str]:
    """Make the call of an attack; return its outcome and a line that describes it."""
    COMPILATION.closed = False
    try:
        call = attack.make()
        before = [state(engine) for engine in call.engines]
    except Exception:
        return BROKEN, last_line(traceback.format_exc())
    COMPILATION.closed = not attack.control
    try:
        result = call.function(**call.arguments)
    except Compiled as error:
        return COMPILES, str(error)
    except BaseException as error:
        outcome, wording = of_exception(error, call)
        if attack.control and outcome in GOOD:
            outcome, wording = BROKEN, f"a call with nothing wrong: {wording}"
        changed = [state(engine) for engine in call.engines] != before
        if changed and outcome == REFUSED:
            outcome, wording = CHANGED, f"after: {wording}"
    else:
        why = attack.reason(call)
        outcome, wording = (ACCEPTED, why) if why else (WITHOUT_REASON, f"returned {type(result).__name__}")
        try:
            call.check(result)
        except AssertionError as error:
            outcome, wording = WRONG_RESULT, f"{wording}; {one_line(error)}"
        except BaseException as error:
            late, words = of_exception(error, call)
            outcome, wording = (REFUSED, f"when it is used: {words}") if late == REFUSED else (WRONG_RESULT, words)
    finally:
        COMPILATION.closed = False
    # An engine that a refusal left as it was need not play on to its end.
    short = PLAY_ON.short or (outcome != ACCEPTED and [state(engine) for engine in call.engines] == before)
    most = 3 if short and "state" not in attack.group else MOST
    for engine in call.engines:
        try:
            plays_on(engine, most)
        except BaseException as error:
            return WRONG_RESULT, f"{wording}; the engine does not play on: {type(error).__name__}: {one_line(error)}"
    return outcome, wording


def of_exception(error: BaseException, call: Call) -> tuple[str, str]:
    """Return whether an exception is a refusal, and its sentence."""
    wording = f"{type(error).__name__}: {one_line(error)}"
    if isinstance(error, Hostile):
        return REFUSED, f"the object's own exception comes out as it is: {wording}"
    frames = traceback.extract_tb(error.__traceback__)
    where = frames[-1].filename if frames else ""
    wording_at = f"{wording} ({Path(where).name}:{frames[-1].lineno})" if frames else wording
    if len(frames) <= 1 and isinstance(error, TypeError) and "argument" in str(error):
        return REFUSED, wording  # Python itself refuses an unknown or a missing argument
    if isinstance(error, AttributeError) and any(words in str(error) for words in NOT_TO_BE_SET):
        return REFUSED, wording  # Python itself names the attribute
    if isinstance(error, MemoryError) and "allocate" in str(error):
        return REFUSED, wording  # too little memory; NumPy says how much it would take
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return REFUSED, wording  # the operating system's own sentence, with the file's name
    if any(f"/{package}/" in where for package in NEIGHBOURS):
        return REFUSED, f"by {Path(where).name}: {wording}"
    if not isinstance(error, PLAIN) or isinstance(error, RAW):
        return RAW_EXCEPTION, wording_at
    if not where.startswith(FOLDERS) and not names_argument(str(error), call):
        return RAW_EXCEPTION, wording_at
    if not is_sentence(str(error)) or not (names_argument(str(error), call) or says_what_holds(str(error))):
        return NO_SENTENCE, wording_at
    return REFUSED, wording


def is_sentence(words: str) -> bool:
    """Return whether the words are one printable line of a sensible length."""
    return 8 <= len(words) <= LONGEST and words.isprintable()


def names_argument(words: str, call: Call) -> bool:
    """Return whether the words say which argument is meant, or quote a text that was given."""
    values = (value for value in call.arguments.values() if isinstance(value, str) and value)
    return any(name.strip("*") in words for name in (*call.arguments, *call.wording, *values))


def says_what_holds(words: str) -> bool:
    """Return whether the words say what has to be, or why it cannot be so: no bare name of an error or a value."""
    return re.search(r"\b(must|may|can|cannot|needs?|needed|choose|give|call|but|not|no)\b", words) is not None


def one_line(error: BaseException) -> str:
    """Return the message of an exception on one line, shortened."""
    try:
        words = str(error)
    except BaseException as worse:
        words = f"no words: {type(worse).__name__}"
    return words.encode("unicode_escape").decode()[:300]


def last_line(text: str) -> str:
    """Return the last line of a traceback."""
    return text.strip().splitlines()[-1][:300]


# --- engines


def state(engine: Engine) -> bytes:
    """Return the state of an engine, which a refused call must not change."""
    parts = (engine.games, engine.legal_mask(), engine.rewards, engine.ended)
    return b"".join(np.ascontiguousarray(part).tobytes() for part in parts)


def plays_on(engine: Engine, most: int = MOST) -> None:
    """Play an engine and a copy so many decisions; check that both do the same, and that by default all games end."""
    engine.recorder = None
    other = copy.deepcopy(engine)
    generator = np.random.default_rng(1)
    for _ in range(most):
        rows = np.flatnonzero(engine.games.status == PLAYING)
        if not len(rows):
            break
        mask = engine.legal_mask()[rows]
        assert set(np.unique(mask)) <= {0, 1}, "a mask holds numbers other than 0 and 1"
        assert mask.any(1).all(), "a game that is not over has no legal action"
        actions = (generator.random(mask.shape) * mask).argmax(1)
        for one in (engine, other):
            one.step(actions, rows)
        assert not engine.illegal[rows].any(), "a legal action was refused"
    assert state(engine) == state(other), "a copy of the engine played differently"
    if most == MOST:
        assert (engine.games.status != PLAYING).all(), f"games go on after {most} decisions"
        engine.results()
