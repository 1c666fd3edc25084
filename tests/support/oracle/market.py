"""The market visit (R-19 to R-22, R-51, R-52, R-72)."""

from __future__ import annotations

from .claim import ClaimAndBuild
from .names import COLOURS, Play
from .position import Visit


class Market(ClaimAndBuild):
    """The main action of acquiring resources from the market."""

    def _moves(self) -> set[str]:
        options = set()
        step, most = self.tables["market"]["rubles_per_extra_step"], self.tables["market"]["dice_per_space"]
        for die in self.dice:
            for extra in range(8):
                free = die in (COLOURS[self.seat], "white", "black")
                if extra and not (free and extra * step <= self.me.rubles):
                    continue
                target = (self.space[die] + self.value[die] + extra) % 8
                if sum(self.space[other] == target for other in self.dice if other != die) < most:
                    options.add(f"move {die}" + (f" +{extra}" if extra else ""))
        return options

    def _acquire(self, choice: str) -> Play:
        words = choice.split()
        die, extra = words[1], int(words[2]) if len(words) > 2 else 0
        self.me.rubles -= extra * self.tables["market"]["rubles_per_extra_step"]
        here = self.space[die] = (self.space[die] + self.value[die] + extra) % 8
        self.visit = visit = Visit(die, here)
        while True:
            choice = yield from self._moment("market", self._market_actions)
            if choice == "done":
                break
            if choice.startswith("guild"):
                visit.side = int(choice.split()[1]) - 1
                action = self.guilds[here // 2][visit.side]
                visit.repeatable = action.get("unlimited", False)
                yield from self._influence(action, here // 2)
            else:
                visit.repeatable = False
                visit.obtained |= choice == "obtain"
                visit.worked |= choice != "obtain"
                yield from self._market_action(choice)
        self.visit = None
        self._roll(here)

    def _market_actions(self) -> set[str]:
        visit, options = self.visit, {"done"}
        if not visit.obtained:
            options |= self._obtains()
        if not visit.worked:
            options |= self._workshops()
        for side, action in enumerate(self.guilds[visit.here // 2]):
            fresh = visit.side is None or (visit.side == side and visit.repeatable)
            if fresh and self._possible(action, visit.here // 2):
                options.add(f"guild {side + 1}")
        return options

    # --- the actions that wholesalers repeat

    def _obtains(self) -> set[str]:
        kind, amount = self._at(self.visit.here)
        return {"obtain"} if self._most(kind, amount * self.dice_on(self.visit.here)) > 0 else set()

    def _workshops(self) -> set[str]:
        """Activate the tile of the moved die's slot, or a specialist after the black die (R-52)."""
        die = self.visit.die
        if die == "black":
            return {"specialist"} if self._specialist_useful() else set()
        slots = ("white1", "white2") if die == "white" else (die,)
        return {f"workshop {slot}" for slot in self._useful_slots(self.seat, slots)}

    def _market_action(self, choice: str) -> Play:
        if choice == "obtain":
            kind, amount = self._at(self.visit.here)
            yield from self._receive(kind, amount * self.dice_on(self.visit.here))
        elif choice == "specialist":
            yield from self._use_specialist()
        else:
            yield from self._activate(self.me.slots[choice.split()[1]][0])
