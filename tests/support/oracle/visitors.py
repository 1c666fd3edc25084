"""The new guilds whose actions reach further than paying and receiving: artisans, foremen, contractors, wholesalers,
archivists, master builders (R-69 to R-72, R-75, R-76, R-78)."""

from __future__ import annotations

from .guilds import Action, Guilds
from .names import MATERIALS, SLOTS, Play
from .position import Section

VISITORS = {
    "activate_other_workshop": "artisans",
    "activate_same_twice": "artisans",
    "activate_two_different": "artisans",
    "foreman": "foremen",
    "die": "contractors",
    "per_contractor": "contractors",
    "market_actions": "wholesalers",
    "draw_contracts": "archivists",
    "space_times_dice": "archivists",
    "other_guild_action": "archivists",
    "resource_tile": "archivists",
    "draw_cards": "master_builders",
    "section_rubles": "master_builders",
    "section_recognition_divisor": "master_builders",
}


class Visitors(Guilds):
    """The legality and the effect of each of these actions."""

    def _is_visitor(self, action: Action) -> bool:
        return any(key in VISITORS for key in action)

    def _visitor_has_effect(self, action: Action, quadrant: int) -> bool:
        """Return whether the action has an effect, judged with the price paid."""
        match action:
            case {"activate_other_workshop": _}:
                return bool(self._borrows())
            case {"activate_same_twice": _} | {"activate_two_different": _}:
                return bool(self._useful_slots(self.seat))
            case {"foreman": _} | {"draw_contracts": _}:  # moving and drawing count as effects
                return True
            case {"die": die}:
                return self._most(*self._at(self.space[die])) > 0
            case {"per_contractor": kind}:
                seats = self.others() if action.get("of_other") else [self.seat]
                return any(self._most(kind, self.contractors_sent(seat)) > 0 for seat in seats)
            case {"market_actions": _}:  # only during a visit to the market
                material = "any_material" in action and self._most("any_material", 1) > 0
                return self.visit is not None and bool(self._obtains() or self._workshops() or material)
            case {"space_times_dice": _}:
                return bool(self._spaces(with_die=True, times_dice=True))
            case {"other_guild_action": _}:
                return bool(self._influences(without=quadrant))
            case {"resource_tile": _}:
                return bool(self._spaces(with_die=False))
            case {"draw_cards": count}:
                return self._room() > 0 and len(self.card_deck) + len(self.card_discard) >= count
        assert "section_rubles" in action or "section_recognition_divisor" in action
        return bool(self._sections_under_way(action))

    def _visitor_influence(self, action: Action, quadrant: int) -> Play:
        """Carry out the action, after its price was paid."""
        match action:
            case {"activate_other_workshop": _}:
                _, colour, slot = (yield from self._ask("tile", self._borrows)).split()
                yield from self._activate(self.players[self._seat_of(colour)].slots[slot][0])
            case {"activate_same_twice": _} | {"activate_two_different": _}:
                options = {f"workshop {slot}" for slot in self._useful_slots(self.seat)}
                first = (yield from self._ask("tile", options)).split()[1]
                yield from self._activate(self.me.slots[first][0])
                others = tuple(slot for slot in SLOTS if slot != first)
                yield from self._activate_again((first,) if "activate_same_twice" in action else others)
            case {"foreman": steps, "per_banner": kind}:
                choice = yield from self._ask("foreman", {f"foreman {n}" for n in range(1, steps + 1)})
                self.foreman = (self.foreman - 1 + int(choice.split()[1])) % len(self.towers) + 1
                tower, seat = self.foreman - 1, self.seat
                if action.get("of_other"):
                    seat = yield from self._choose_player([s for s in self.others() if self.banners_in(tower, s)])
                if seat is not None:
                    self._gain(kind, self.banners_in(tower, seat))
            case {"die": die}:
                yield from self._receive(*self._at(self.space[die]))
            case {"per_contractor": kind}:
                seat = self.seat
                if action.get("of_other"):
                    seat = yield from self._choose_player([s for s in self.others() if self.contractors_sent(s)])
                self._gain(kind, self.contractors_sent(seat))
            case {"market_actions": _}:
                yield from self._wholesale(action)
            case {"draw_contracts": count}:
                yield from self._draw_contracts(count)
            case {"space_times_dice": _}:
                yield from self._resource(with_die=True, times_dice=True)
            case {"other_guild_action": _}:
                choice = yield from self._ask("influence", lambda: self._influences(without=quadrant))
                yield from self._influence_by(choice)
            case {"resource_tile": _}:
                yield from self._resource(with_die=False)
            case {"draw_cards": count}:
                yield from self._draw_cards(action, count)
            case _:
                options = {f"section {s.name}" for s in self._sections_under_way(action)}
                section = self.section((yield from self._ask("section", options)).split()[1])
                self._gain(*self._part_of_reward(action, section))

    # --- other players

    def _colour(self, seat: int) -> str:
        return self.deal["colours"][seat]

    def _seat_of(self, colour: str) -> int:
        return self.deal["colours"].index(colour)

    def _choose_player(self, seats: list[int]) -> Play:
        """Let the player choose one of these seats; return None if there is none."""
        if not seats:
            return None
        choice = yield from self._ask("player", {f"player {self._colour(seat)}" for seat in seats})
        return self._seat_of(choice.split()[1])

    def _borrows(self) -> set[str]:
        """Return the tiles of other workshops that would have an effect in the own one (R-70)."""
        return {f"borrow {self._colour(s)} {slot}" for s in self.others() for slot in self._useful_slots(s)}

    # --- wholesalers

    def _wholesale(self, action: Action) -> Play:
        kinds = ("obtain", "workshop")  # `specialist` is the workshop action of the black die

        def options(kind: str) -> set[str]:
            return self._obtains() if kind == "obtain" else self._workshops()

        first = options("obtain") | options("workshop")
        if first:
            choice = yield from self._ask("extra", first)
            yield from self._market_action(choice)
            kind = "obtain" if choice == "obtain" else "workshop"
            if action["market_actions"] == 2:
                other = kind if action["same"] else next(k for k in kinds if k != kind)
                choice = yield from self._ask("extra", options(other) | {"done"})
                if choice != "done":
                    yield from self._market_action(choice)
        if "any_material" in action:
            yield from self._pieces(action["any_material"], refusable=True)

    # --- archivists

    def _draw_contracts(self, count: int) -> Play:
        drawn = self._draw(lambda: {"contracts": self.contract_deck[:count]})["contracts"]
        assert drawn == self.contract_deck[:count], "contracts come from the top of the deck"
        self.drawn_contracts, self.contract_deck = drawn, self.contract_deck[count:]
        kept = int((yield from self._ask("keep", {f"contract {n}" for n in drawn})).split()[1])
        self.contract_deck += [n for n in drawn if n != kept]
        self.drawn_contracts = []
        self.me.contracts.append(kept)
        if len(self.me.contracts) > self.x["contracts"]["most_held"]:
            back = int((yield from self._ask("return", {f"contract {n}" for n in self.me.contracts})).split()[1])
            self.me.contracts.remove(back)
            self.contract_deck.append(back)

    # --- master builders

    def _sections_under_way(self, action: Action) -> list[Section]:
        mine = [s for s in self.sections() if s.owner == self.seat and not s.done]
        return [s for s in mine if self._part_of_reward(action, s)[1] > 0]

    def _part_of_reward(self, action: Action, section: Section) -> tuple[str, int]:
        if "section_rubles" in action:
            return "rubles", section.face["rubles"]
        return "recognition", section.face["recognition"] // action["section_recognition_divisor"]

    def _choose_cards(self, count: int) -> list[str]:
        """Draw cards uniformly from the deck, and from the discards when it is empty."""
        deck, chosen = sorted(self.card_deck), []
        for _ in range(count):
            deck = deck or sorted(self.card_discard)
            chosen.append(deck.pop(self._random().randrange(len(deck))))
        return chosen

    def _draw_cards(self, action: Action, count: int) -> Play:
        drawn = self._draw(lambda: {"cards": self._choose_cards(count)})["cards"]
        for card in drawn:
            if not self.card_deck:  # the discards become the deck only now
                self.card_deck, self.card_discard = set(self.card_discard), []
            self.card_deck.remove(card)
        self.drawn_cards = list(drawn)
        chosen = drawn[0]
        if count == 2:
            choice = yield from self._ask("card", {"card 1", "card 2"})
            chosen = drawn[int(choice.split()[1]) - 1]
        yield from self._printed(chosen, action["materials"])
        if count == 2:
            yield from self._one_resource(next(card for card in drawn if card != chosen))
        self.card_discard += self.drawn_cards
        self.drawn_cards = []

    def _printed(self, card: str, count: int) -> Play:
        """Let the player take materials of a card's cost, each printed piece at most once."""
        left = dict(self.face(card)["cost"])
        for _ in range(count):
            options = self._printed_options(left)
            choice = yield from self._ask("take", options | {"take 0"})
            if choice == "take 0":
                return
            material = choice.split()[1]
            left[material] -= 1
            self._take(material, 1)

    def _printed_options(self, left: dict[str, int]) -> set[str]:
        return {f"gain {m}" for m in MATERIALS if left.get(m, 0) and self.supply[m] and self._room() > 0}

    def _one_resource(self, card: str) -> Play:
        """Let the player gain a material of the cost, or 1 ruble or 1 recognition if the card gives any."""
        face = self.face(card)
        options = self._printed_options(face["cost"]) | {f"gain {k}" for k in ("rubles", "recognition") if face[k]}
        choice = yield from self._ask("take", options | {"take 0"})
        if choice.split()[1] in MATERIALS:
            self._take(choice.split()[1], 1)
        elif choice != "take 0":
            self._gain(choice.split()[1], 1)
