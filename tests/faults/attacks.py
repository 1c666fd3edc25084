"""The form of an attack: a call with one wrong value, and the checks that follow it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rc_env import Engine

Reason = str | None


@dataclass
class Call:
    """A call that works, until an attack changes one of its arguments.

    Attributes:
        function: the function that is called.
        arguments: its arguments by name; those of `*arguments` and `**settings` do not occur.
        engines: the engines that the call reads or changes. A refused call leaves them as they were; after any call
            they play their games to the end, and copies of them do the same.
        check: a function of the result of an accepted call; raises AssertionError where the result cannot be right.
        wording: words of a refusal besides the names of the arguments, where a sentence calls the value otherwise.
        owner: the object whose method is called, if any.
    """

    function: Callable[..., Any]
    arguments: dict[str, Any] = field(default_factory=dict)
    engines: Sequence[Engine] = ()
    check: Callable[[Any], object] = lambda result: None
    wording: tuple[str, ...] = ()
    owner: Any = None


@dataclass(frozen=True)
class Attack:
    """An attack: a call with one wrong value, and the reason why it may be accepted, if there is one.

    Attributes:
        target: the public name that is called, such as `rc_env.engine.Engine.step`; `rc record` on the command line.
        group: the class of the attack, a row of the table.
        what: the argument, and the fault of its value.
        make: the call with the wrong value in it.
        reason: a function of the finished call: why it may be accepted, None where it may not.
        control: a call with nothing wrong, which has to be accepted.
    """

    target: str
    group: str
    what: str
    make: Callable[[], Call]
    reason: Callable[[Call], Reason] = lambda call: None
    control: bool = False

    @property
    def argument(self) -> tuple[str, str]:
        """What is attacked: the target, and the argument if it is one."""
        return self.target, self.what.partition(" is ")[0]

    @property
    def name(self) -> str:
        """The attack's name in reports and for the option `--only`."""
        return f"{self.target}: {self.what}"
