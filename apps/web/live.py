"""Open games: the task that owns each table, and the tabs that show it.

One task owns a table: its engine, its history and its pace. Everything else sends it messages: the requests of tabs,
the decisions of bots, questions of the server. So nothing of a game is ever touched by two, and a tab that comes, goes
or stops reading changes nothing for the others.

Messages of a tab, which connects to `/api/games/ID/live?layout=wide|narrow&pace=SECONDS|step&after=VERSION&key=KEY`
(`pace` is that of the bots from now on, before any of them moves; `after` if the tab shows the game already: it is then
sent only what it lacks; a `key` for each seat of a game of several people that it may act for), are JSON objects:

- `{"do": "play", "action": NUMBER, "at": DECISIONS}`, `undo`, `redo`, `new_dice`, `resign`; in a game that is entered
  from a real table `play` has "fell" too, what fell so far (`falling.fell_of`), and is answered by `ask` while there is
  more to enter; "read" in `play` is the decision of the lesson whose card the tab has shown for a while, which is then
  left as it is;
- `{"do": "sit"}`: the person of the seat that is "awaited" is in front of the screen;
- `{"do": "preview", "action": NUMBER, "version": VERSION}`: answered unless the game has gone on, of several the last;
- `{"do": "hint", "level": 1 | 2 | 3 | 4}`;
- `{"do": "coach", "level": "off" | "mistakes" | "blunders"}`: of what the coach speaks to the person here;
- `{"do": "lesson", "at": DECISIONS, "answer": "back" | "on"}`: take back the decision of which it speaks, or go on;
- in a variation of a study `{"do": "let", "whole": true | false}`: a bot decides for the seat, once or for the turn;
  `{"do": "describe", "name": NAME, "comment": WORDS}`;
- `{"do": "retry"}` after a bot has failed, or `{"do": "retry", "bot": NAME}` for another one on its seat;
- `{"do": "pace", "seconds": S}`, `pause`, `step`; `{"do": "layout", "layout": "wide" | "narrow"}`.

Messages to a tab, by "type":

- `position` after each change: see `Table.message`; "version" is the number to connect again with, "broken" the
  sentence of a bot that has failed, after which the game waits;
- `preview` and `hint` with "at", the decision that they are about, and "version" of the position;
- `ask` with "action", "at", "fell" and "question" (`falling.Question`): what has to be entered next;
- `coach` with "coach", what the coach shows (`Table.coach`), when that changes without a change of the game;
- `so_far` with "so_far", what luck and decisions have come to (`Table.reckoning`), when another decision was judged;
- `refused` with a "sentence" for the person; nothing has changed;
- `present` with "seats", those of the people who show the game now, when that changes in a game of several people;
- `again` with "id", the game that was dealt to the same players anew;
- `gone` with a "sentence": the game is not shown any more, and the connection ends.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import anyio
from starlette.websockets import WebSocket, WebSocketDisconnect

from rc_env.apps.table.falling import Fell
from rc_env.apps.web.board import LAYOUTS
from rc_env.apps.web.budgets import Refused
from rc_env.apps.web.hints import BEST
from rc_env.apps.web.so_far import Wanted
from rc_env.apps.web.store import Store, kept_game
from rc_env.apps.web.table import Looker, Snapshot, Table
from rc_env.apps.web.teaching import Asked
from rc_env.apps.web.workers import Thought, WorkerPool, advise, reckoned
from rc_env.arena.jobs import variant_of
from rc_env.ruleset import Ruleset

GRACE = 60.0
"""Seconds for which a game stays open without a connected tab, so that a page can be reloaded."""
USUAL_PACE = 0.7
"""Seconds between two decisions of bots until a tab names others."""
SLOWEST = 10.0
"""Seconds between two decisions of bots, at most."""
UNREAD = 64
"""The most messages that wait for a tab. One that does not read them is closed; it may connect again."""
SEND_SECONDS = 20.0
"""The longest that a tab takes for one message."""
LOOK_SECONDS = 6.0
"""The longest that bots wait while the coach looks at a decision of a person."""
ANSWER_SECONDS = 30.0
"""The longest that they wait for that person in a game of several people; alone, one takes all the time one wants."""
_KEPT_SECONDS = 2.0
"""The longest that decisions of bots are not kept while none is awaited of a person."""
_WAITING = 64  # the most messages that wait for an owner; those who send more wait
T = TypeVar("T")


class Connection:
    """A tab that shows a game.

    Args:
        socket: where it is sent its messages.
        layout: of its board.
        seen: the version of the game that it shows already, if it was connected before.
        keys: of the seats that it may act for, in a game of several people.
        pace: of the bots once it shows the game, seconds or "step"; anything else leaves the pace as it is.

    Attributes:
        looker: who looks at the game, once it is shown.
        wanted: the latest preview and hint that it waits for, by name.
        pace: the request for its pace, if it named one.
    """

    def __init__(
        self, socket: WebSocket, layout: str, seen: int | None = None, keys: Sequence[str] = (), pace: str = ""
    ) -> None:
        self.layout, self.seen, self.keys = layout, seen, keys
        self.pace = _pace_request(pace)
        self.looker = Looker()
        self.wanted: dict[str, Callable[[], Awaitable[dict[str, Any]]]] = {}
        self.looking: set[str] = set()
        self._socket = socket
        self._queue, self._messages = anyio.create_memory_object_stream[Mapping[str, Any]](UNREAD)

    def put(self, message: Mapping[str, Any]) -> None:
        """Queue a message; if too many wait, the connection is closed instead."""
        try:
            self._queue.send_nowait(message)
        except anyio.WouldBlock:
            self.end()
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            pass  # it is closed already

    def end(self) -> None:
        """Close the connection once what is queued has been sent."""
        self._queue.close()

    def close(self) -> None:
        """Close it now; what is queued is lost."""
        self._queue.close()
        self._messages.close()

    def show(self, table: Table) -> None:
        """Queue what the tab does not show yet."""
        self.put(table.update(self.layout, self.seen, self.looker))
        self.seen = table.version

    async def send(self) -> None:
        """Send what is queued until the connection ends."""
        with suppress(TimeoutError, RuntimeError, OSError, WebSocketDisconnect):
            async for message in self._messages:
                with anyio.fail_after(SEND_SECONDS):
                    await self._socket.send_text(json.dumps(message, separators=(",", ":")))
        self._messages.close()
        with suppress(RuntimeError, OSError, WebSocketDisconnect), anyio.move_on_after(1):
            await self._socket.close(1001)


def _pace_request(word: str) -> Mapping[str, Any] | None:
    """The request for a pace as the address of a connection names it; None if it names none.

    >>> _pace_request("step"), _pace_request("0.7"), _pace_request("nan"), _pace_request("soon")
    ({'do': 'pause'}, {'do': 'pace', 'seconds': 0.7}, None, None)
    """
    if word == "step":
        return {"do": "pause"}
    try:
        seconds = float(word)
    except ValueError:
        return None
    return {"do": "pace", "seconds": seconds} if 0 <= seconds <= SLOWEST else None


class Closed(Exception):
    """The owner has closed its table."""


class Owner:
    """The task of an open game.

    Args:
        name: the id of the game.
        table: the game; nobody else uses it from now on.
        store: where it is kept.
        workers: where bots think.
        check: awaited with the name of a bot and the variant, before it takes a seat; refuses it by a `Refused`.
        grace: seconds for which it goes on without a tab.

    Attributes:
        connections: the tabs that show the game.
    """

    def __init__(
        self, name: str, table: Table, store: Store, workers: WorkerPool,
        check: Callable[[str, Ruleset], Awaitable[None]], grace: float,
    ) -> None:  # fmt: skip
        self.name, self.table = name, table
        self.connections: set[Connection] = set()
        self._store, self._workers, self._check, self._grace = store, workers, check, grace
        self._send, self._messages = anyio.create_memory_object_stream[Callable[[], Any]](_WAITING)
        self._pace, self._stepping, self._steps = USUAL_PACE, False, 0
        self._thought: Thought | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._changed = self._unseen = anyio.current_time()  # when it was changed, and shown, for the last time
        self._kept_version, self._kept_at, self._unkept = -1, -math.inf, ""
        self._answers: set[asyncio.Future[Any]] = set()
        self._closed = asyncio.Event()

    # --- what others call

    async def tell(self, act: Callable[[], Any]) -> None:
        """Send a message: what the owner is to do.

        Raises:
            Closed: the table was closed.
        """
        try:
            await self._send.send(act)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            raise Closed from None

    async def ask(self, question: Callable[[Table], T]) -> T:
        """Wait for an answer about the table.

        Raises:
            Closed: the table was closed.
            Exception: what the question raises.
        """
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def act() -> None:
            if answer.cancelled():
                return
            try:
                answer.set_result(question(self.table))
            except Exception as error:
                answer.set_exception(error)

        await self.tell(act)
        self._answers.add(answer)
        try:
            return await answer
        finally:
            self._answers.discard(answer)

    async def enter(self, connection: Connection) -> None:
        """Add a tab."""

        def act() -> None:
            try:
                connection.looker = self.table.looker(connection.keys)
            except Refused as refusal:
                connection.put({"type": "gone", "sentence": f"{refusal}."})
                connection.end()
                return
            alone = self.table.game.entered or self.table.branch is not None  # whoever shows it decides for all seats
            if connection.pace is not None and self.table.steers(connection.looker) and not alone:
                self._request(connection, connection.pace)
            self.connections.add(connection)
            connection.show(self.table)
            self._tell_present()

        await self.tell(act)

    async def leave(self, connection: Connection) -> None:
        """Remove a tab that is closed; without any tab the bots pause."""

        def act() -> None:
            self.connections.discard(connection)
            self._unseen = anyio.current_time()
            self._tell_present()

        with suppress(Closed):
            await self.tell(act)

    async def receive(self, connection: Connection, asked: Mapping[str, Any]) -> None:
        """Hand on a tab's request; the tab is told if it is refused."""
        if asked.get("do") == "retry" and isinstance(asked.get("bot"), str):
            try:
                await self._check(asked["bot"], self.table.game.ruleset)
            except Refused as refusal:
                connection.put({"type": "refused", "sentence": str(refusal)})
                return

        def act() -> None:
            try:
                self._request(connection, asked)
            except ValueError as refusal:
                connection.put({"type": "refused", "sentence": str(refusal)})

        await self.tell(act)

    async def again(self, name: str) -> None:
        """Tell all tabs that the players go on in another game."""

        def act() -> None:
            for connection in self.connections:
                connection.put({"type": "again", "id": name})

        with suppress(Closed):
            await self.tell(act)

    async def close(self, sentence: str = "", *, forget: bool = False) -> None:
        """Close the table, and wait until it is.

        Args:
            sentence: for the tabs that show the game.
            forget: do not keep the game any more.
        """

        def act() -> None:
            for connection in self.connections:
                connection.put({"type": "gone", "sentence": sentence})
                connection.end()
            self.connections.clear()
            self._unseen = -math.inf
            if forget:
                self._kept_version = self.table.version

        with suppress(Closed):
            await self.tell(act)
        await self._closed.wait()

    # --- the task

    async def run(self, closed: Callable[[], None]) -> None:
        """Own the table until no tab has shown it for a while; `closed` is called once nothing more is answered."""
        try:
            for asked in self.table.teaching.asked:  # before the game was closed
                asked.since = anyio.current_time()
                self._look_at_decision(asked)
            while True:
                try:  # without a pause nothing would be received below
                    act = self._messages.receive_nowait()
                except anyio.WouldBlock:
                    with anyio.move_on_after(self._pause()):
                        act = await self._messages.receive()
                        act()
                else:
                    act()
                await asyncio.sleep(0)  # the tabs are sent what has changed before the rest is done
                self._advance()
                self._reckon()
                if self._is_time_to_keep():
                    await self._keep()
                if self._is_unused() and not self._is_dirty() and not self._messages.statistics().current_buffer_used:
                    return
        finally:
            closed()
            self._send.close()
            self._messages.close()
            self._drop()
            for task in self._tasks:
                task.cancel()
            for answer in self._answers:
                answer.set_exception(Closed())
            self._answers.clear()
            for connection in self.connections:
                connection.end()
            self._closed.set()

    def _is_unused(self) -> bool:
        return not self.connections and anyio.current_time() >= self._unseen + self._grace

    def _is_dirty(self) -> bool:
        return self.table.version != self._kept_version

    def _pause(self) -> float:
        """Seconds until there is something to do without a message."""
        now = anyio.current_time()
        times = [math.inf]
        if self.connections and self._thought is not None and self._thought.action is not None and not self._stepping:
            times.append(max(self._changed + self._pace, self._coached_until()))
        if not self.connections:
            times.append(max(self._unseen + self._grace, now + 1.0 if self._unkept else 0.0))
        if self._is_dirty():
            times.append(self._kept_at + _KEPT_SECONDS)
        return max(0.0, min(times) - now)

    def _advance(self) -> None:
        """Let a bot think, or play what it has chosen, as far as its pace allows."""
        if not (self.connections and self.table.waits_for_bot):
            return
        if self._thought is None:
            self._thought = Thought(self._decide(self.table.snapshot(), self.table.game.ruleset), self._thought_over)
        now = anyio.current_time()
        may = self._steps > 0 if self._stepping else now >= self._changed + self._pace
        may = may and now >= self._coached_until()
        thought = self._thought
        if thought.failure:
            self._change(lambda: self.table.fail(f"{thought.failure}."))
        elif thought.action is not None and may:
            action = thought.action
            self._change(lambda: self.table.play_bot(action))
            self._advance()

    def _coached_until(self) -> float:
        """When bots may go on, as far as the coach is concerned."""
        teaching = self.table.teaching
        looks = [asked.since + LOOK_SECONDS for asked in teaching.asked]
        lessons = [asked.since + ANSWER_SECONDS if self.table.keys else math.inf for asked, _ in teaching.lessons]
        return max([*looks, *lessons], default=-math.inf)

    def _play(self, action: int, at: int, fell: Fell | None, read: int | None) -> None:
        """Play a person's decision, who leaves the mistake of the decision `read` as it is; the coach looks at it in
        the background."""
        seat = self.table.game.seat

        def play() -> None:
            self.table.play(action, at, fell)
            self.table.teaching.go_on(seat, read)

        self._ask_change(play)
        self._ask_coach(at, seat)

    def _ask_coach(self, at: int, seat: int) -> None:
        """Let the coach look at a decision that a person has made, where it is on for the person."""
        asked = self.table.teaching.ask(at, seat, anyio.current_time())
        if asked is not None:
            self._look_at_decision(asked)

    def _look_at_decision(self, asked: Asked) -> None:
        """Let the coach look at a decision in the background."""
        before, action, after = self.table.decision(asked.at)

        async def look() -> None:
            try:
                found = await self._workers.lesson(before, action, after, asked.least)
            except Refused:
                found = None  # the game goes on without it
            with suppress(Closed):
                await self.tell(lambda: self._taught(asked, found))

        self._begin(look())

    def _taught(self, asked: Asked, found: Mapping[str, Any] | None) -> None:
        """Take what the coach has found of a decision."""
        if self.table.teaching.answered(asked, found, stops=not self.table.over):
            self._tell_coach()

    def _tell_coach(self) -> None:
        """Show the tabs what the coach says, which is kept with the game."""
        self._kept_version = -1
        for connection in self.connections:
            connection.put({"type": "coach", "coach": self.table.coach(connection.looker)})

    def _let(self, turn: int | None) -> None:
        """Let a bot decide for the person; go on as long as this turn lasts, unless that is None."""
        position, version = self.table.snapshot(), self.table.version

        async def think() -> None:
            try:
                best = (await self._workers.work("the bot", advise, position, BEST))["best"]
            except Refused as refusal:
                for connection in self.connections:
                    connection.put({"type": "refused", "sentence": f"{refusal}."})
                return
            with suppress(Closed):
                await self.tell(lambda: self._let_play(best, version, turn))

        self._begin(think())

    def _let_play(self, action: int, version: int, turn: int | None) -> None:
        """Play what the bot has chosen for the person, unless the game has gone on in the meantime."""
        table = self.table
        if table.version != version:
            return
        self._ask_change(lambda: table.play(action, table.game.played))
        if turn is not None and not table.over and table.game.turn == turn:
            self._let(turn)

    def _reckon(self) -> None:
        """Let the next decision of a game that is entered be judged, one after the other."""
        table = self.table
        if not (table.game.entered and self.connections):
            return
        wanted = table.so_far.next(table.game.played)
        if wanted is None:
            return
        variant = variant_of(table.game.ruleset)
        before, action, after = table.game.decision_at(wanted.at)

        async def judge() -> None:
            try:
                found = await self._workers.work("the luck so far", reckoned, variant, before, action, after)
            except Refused:
                found = None  # this one is left out
            with suppress(Closed):
                await self.tell(lambda: self._judged(wanted, found))

        self._begin(judge())

    def _judged(self, wanted: Wanted, found: Mapping[str, Any] | None) -> None:
        """Take what was found of a decision, which is kept with the game."""
        if self.table.so_far.take(wanted, found):
            self._kept_version = -1
            for connection in self.connections:
                connection.put({"type": "so_far", "so_far": self.table.reckoning()})

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin a task that ends with the table."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _decide(self, position: Snapshot, ruleset: Ruleset) -> int:
        name = position.seats[position.seat]
        await self._check(name, ruleset)  # a kept game may be a stranger's
        return await self._workers.decide(name, position)

    async def _thought_over(self, thought: Thought) -> None:
        with suppress(Closed):
            await self.tell(lambda: None)  # the owner looks at its thought after each message

    def _drop(self) -> None:
        if self._thought is not None:
            self._thought.drop()
            self._thought = None

    def _change(self, do: Callable[[], object]) -> None:
        """Change the table, and show it to all tabs; what was thought about the position before is dropped."""
        do()
        self._drop()
        self._steps = 0
        self._changed = anyio.current_time()
        for connection in self.connections:
            connection.wanted.clear()
            connection.show(self.table)

    def _ask_change(self, do: Callable[[], object]) -> None:
        """Change the table as a person has asked for, which is kept at once."""
        self._change(do)
        self._kept_at = -math.inf

    def _tell_present(self) -> None:
        if self.table.keys:
            seats = sorted(frozenset[int]().union(*(one.looker.seats for one in self.connections)))
            for connection in self.connections:
                connection.put({"type": "present", "seats": seats})

    def _request(self, connection: Connection, asked: Mapping[str, Any]) -> None:
        table, looker = self.table, connection.looker
        if not table.steers(looker) and asked.get("do") != "layout":
            raise Refused("You look on here, and play no seat: open the address of a seat to play it.")
        if table.waits_for_person and not table.decides(looker) and asked.get("do") in ("play", "hint"):
            raise Refused("It is not your decision now: wait for the others.")
        match asked:
            case {"do": "play", "action": int(action), "at": int(at)}:
                fell, question = table.ask(action, at, asked.get("fell", {}))
                if question is None:
                    self._play(action, at, fell, asked.get("read"))
                else:
                    assert fell is not None
                    words = fell.words(table.game.ruleset)
                    connection.put({"type": "ask", "action": action, "at": at, "fell": words, "question": question})
            case {"do": "redo"}:
                at, seat = table.game.played, table.game.seat
                self._ask_change(lambda: table.redo(looker))
                self._ask_coach(at, seat)
            case {"do": "undo" | "new_dice" | "resign" as name}:
                asked_for = {"undo": table.undo, "new_dice": table.new_dice, "resign": table.resign}
                self._ask_change(lambda: asked_for[name](looker))
            case {"do": "sit"}:
                connection.looker = looker._replace(sat=table.awaited(looker))
                connection.show(table)
            case {"do": "let", "whole": bool(whole)} if table.branch is not None:
                if not table.waits_for_person:
                    raise Refused("The game is over here: nobody is to decide.")
                self._let(table.game.turn if whole else None)
            case {"do": "describe", "name": str(name), "comment": str(comment)} if table.branch is not None:
                table.branch.describe(name, comment)
                self._kept_version = -1
            case {"do": "coach", "level": str(level)}:
                table.set_coach(looker, level)
                self._tell_coach()
            case {"do": "lesson", "at": int(at), "answer": "back"}:
                self._ask_change(lambda: table.take_back(looker, at))
            case {"do": "lesson", "at": int(at), "answer": "on"}:
                table.go_on(looker, at)
                self._tell_coach()
            case {"do": "retry", "bot": str(bot)}:
                self._ask_change(lambda: table.retry(bot))
            case {"do": "retry"}:
                self._ask_change(table.retry)
            case {"do": "preview", "action": int(action)}:
                legal = table.decides(looker) and any(one["number"] == action for one in table.actions())
                if legal and asked.get("version", table.version) == table.version:
                    snapshot = table.snapshot()
                    preview = self._workers.preview
                    self._look(
                        connection, "preview", lambda: preview(snapshot, action, connection.layout), action=action
                    )
            case {"do": "hint", "level": 1 | 2 | 3 | 4 as level}:
                if not table.waits_for_person:
                    raise Refused("It is not your decision now: wait for the bots.")
                position = table.snapshot()
                self._look(connection, "hint", lambda: self._workers.work("the hint", advise, position, level))
            case {"do": "pace", "seconds": int(seconds) | float(seconds)} if 0 <= seconds <= SLOWEST:
                self._pace, self._stepping = seconds, False
            case {"do": "pause"}:
                self._stepping, self._steps = True, 0
            case {"do": "step"}:
                self._stepping, self._steps = True, 1
            case {"do": "layout", "layout": str(layout)} if layout in LAYOUTS:
                connection.layout, connection.seen = layout, None
                connection.show(table)
            case _:
                raise Refused("This server does not know the page's request: reload the page.")

    def _look(
        self, connection: Connection, kind: str, work: Callable[[], Awaitable[dict[str, Any]]], **more: Any
    ) -> None:
        """Let a worker look at this position for a tab; of several such requests the last is answered."""
        version, at = self.table.version, self.table.game.played

        async def answer() -> dict[str, Any]:
            try:
                return {"type": kind, "at": at, "version": version, **more, **(await work())}
            except Refused as refusal:
                return {"type": "refused", "sentence": f"{refusal}."}

        async def look() -> None:
            connection.looking.add(kind)
            while kind in connection.wanted:
                connection.put(await connection.wanted.pop(kind)())
            connection.looking.discard(kind)

        connection.wanted[kind] = answer
        if kind not in connection.looking:
            self._begin(look())

    # --- keeping

    def _is_time_to_keep(self) -> bool:
        waits = not self.table.waits_for_bot or not self.connections
        return self._is_dirty() and (
            (waits and not self._unkept) or anyio.current_time() >= self._kept_at + _KEPT_SECONDS
        )

    async def _keep(self) -> None:
        """Keep the game, and tell the tabs once where that is not possible."""
        version, before = self.table.version, self._unkept
        self._kept_at, self._unkept = anyio.current_time(), ""
        try:
            await self._store.keep(kept_game(self.name, self.table), self.table.game.ruleset)
            self._kept_version = version
        except (OSError, ValueError) as error:
            self._unkept = f"The game could not be kept: {error}. It goes on, and is kept once that is possible again."
            if not before:
                for connection in self.connections:
                    connection.put({"type": "refused", "sentence": self._unkept})
