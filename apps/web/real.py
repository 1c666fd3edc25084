"""Real tables for the pages: what may lie there, what was typed of it, the game that begins, and the owner's cards."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Any

import anyio.to_thread

from rc_env import Ruleset, checks
from rc_env.apps.table import laid_out, own_box
from rc_env.apps.table.game import YOU
from rc_env.apps.web.budgets import Refused
from rc_env.apps.web.compiling import Builds
from rc_env.apps.web.store import Store
from rc_env.apps.web.tables import Tables
from rc_env.card_sets import fact
from rc_env.rules.printed import expansion_vocabulary, specialist_vocabulary, vocabulary
from rc_env.rules.printed.sizes import CITY_NAMES, KINDS, MATERIAL_NAMES
from rc_env.rules.solo.ivan import CARDS as IVAN_CARDS
from rc_env.words import expansion_notation as expansion
from rc_env.words.notation import die_names

MOST_SETUP, MOST_BOX = 64 * 1024, 256 * 1024
"""The most characters of a setup, and of the document of a box."""
MOST_TITLE = 80
WORDS = {
    "heights": ("height of a tower", "heights of towers"), "cards": ("card", "cards"),
    "market": ("market tile", "market tiles"),
    "tiles": ("workshop tile", "workshop tiles"), "guilds": ("guild card", "guild cards"), "dice": ("die", "dice"),
    "cities": ("city", "cities"), "specialists": ("specialist", "specialists"),
    "ivan": ("card or tile of Ivan's", "cards and tiles of Ivan's"),
}  # fmt: skip
"""What may be missing of a setup, one and several, by part."""


class RealTables:
    """The setups of real tables and the owner's box.

    Args:
        store: where they are kept.
        tables: where games begin.
        builds: the compiled rules.
    """

    def __init__(self, store: Store, tables: Tables, builds: Builds) -> None:
        self._store, self._tables, self._builds = store, tables, builds

    # --- setups

    async def check(self, ruleset: Ruleset, setup: Any) -> dict[str, Any]:
        """Look a setup through, for the page: its "faults", "doubts", what is "missing", and whether it is "ready".

        Raises:
            ValueError: it is no setup of this variant.
        """
        found = await self._checked(ruleset, setup)
        return {
            "faults": [fault._asdict() for fault in found.faults],
            "doubts": found.doubts,
            "missing": _missing(found),
            "ready": found.deal is not None,
        }

    async def _checked(self, ruleset: Ruleset, setup: Any) -> laid_out.Checked:
        await self._builds.ready(ruleset.full)
        _, known = await self._store.box()
        return await anyio.to_thread.run_sync(_looked_through, ruleset, setup, known)

    async def choices(self, ruleset: Ruleset) -> dict[str, Any]:
        """What may lie on a table of a variant, for the page, with what the owner has typed."""
        _, known = await self._store.box()
        return await anyio.to_thread.run_sync(choices, ruleset, known)

    async def save(self, name: str | None, title: Any, variant: Mapping[str, Any], ruleset: Ruleset, setup: Any) -> str:
        """Keep a setup under its id, or a new one; returns the id.

        Raises:
            ValueError: it has no title, is no setup of this variant, or is one more than may be kept.
            OSError: that is not possible now.
        """
        if not isinstance(title, str) or not title.strip() or len(title) > MOST_TITLE or not title.isprintable():
            raise Refused(f"Give the table a name of at most {MOST_TITLE} characters.")
        laid_out.shaped(setup, ruleset)
        text = json.dumps({"variant": dict(variant), "setup": setup})
        if len(text) > MOST_SETUP:
            raise Refused(f"A setup may have at most {MOST_SETUP} characters.")
        if name is not None:
            await self._store.setup(name)
        made = secrets.token_hex(8) if name is None else name
        await self._store.save_setup(made, title.strip(), text)
        return made

    async def found(self, name: str) -> dict[str, Any]:
        """A setup that is kept: "title", "variant" and "setup".

        Raises:
            Refused: there is none.
            ValueError: what is kept of it is damaged.
        """
        title, setup = await self._store.setup(name)
        return {"title": title, **setup}

    async def play(self, ruleset: Ruleset, setup: Any, client: str) -> str:
        """Begin the game that lies on a table; returns its id. What was typed of cards joins the owner's box.

        Raises:
            Refused: something is missing or cannot be.
            OSError: the game cannot be kept.
        """
        await self._builds.ready(ruleset.full)
        version, known = await self._store.box()
        found = await anyio.to_thread.run_sync(_looked_through, ruleset, setup, known)
        if found.deal is None:
            raise Refused(
                found.faults[0].sentence if found.faults else f"There are still missing: {', '.join(_missing(found))}."
            )
        own = await anyio.to_thread.run_sync(laid_out.with_files, ruleset, found.known, self._store.folder)
        seats, deal = [YOU] * ruleset.players, found.deal
        name = await self._tables.create(own, seats, secrets.randbelow(10**6), deal=deal, entered=True, client=client)
        if found.known != known:
            await self._store.keep_box(version, found.known)
        return name

    # --- the box

    async def box(self) -> dict[str, Any]:
        """The owner's box for the page: "version", "known", the "shares" of each part, and "doubts"."""
        version, known = await self._store.box()
        shares, doubts = await anyio.to_thread.run_sync(lambda: (own_box.shares(known), own_box.doubts(known)))
        base, _ = own_box.packaged()
        usual = {"track": base["track"]["prestige"], "price": base["workshop"]["basic"]["price"],
                 "ornament": base["workshop"]["advanced"]["ornament"]}  # fmt: skip
        parts = [share._asdict() for share in shares]
        return {"version": version, "known": known, "shares": parts, "doubts": doubts, "usual": usual}

    async def keep(self, version: Any, document: Any) -> None:
        """Keep the owner's box as the page has changed it.

        Raises:
            ValueError: it is none, or cannot be a box; or it has changed elsewhere.
            OSError: that is not possible now.
        """
        if type(version) is not int:
            raise Refused(f"version must be a number, not {checks.shown(version)}")
        if len(json.dumps(document)) > MOST_BOX:
            raise Refused(f"A box may have at most {MOST_BOX} characters.")
        known = await anyio.to_thread.run_sync(own_box.box_of, document)
        await self._store.keep_box(version, known)

    async def file(self, expansion: bool) -> str:
        """The owner's data file, of the base game or of the expansion."""
        _, known = await self._store.box()
        return await anyio.to_thread.run_sync(lambda: own_box.text_of(known, expansion=expansion))


def _missing(found: laid_out.Checked) -> list[str]:
    """What a setup still lacks, in words."""
    return [f"{count} {WORDS[part][count > 1]}" for part, count in found.missing.items() if count]


def _looked_through(ruleset: Ruleset, setup: Any, known: own_box.Known) -> laid_out.Checked:
    return laid_out.look_through(laid_out.shaped(setup, ruleset), ruleset, known)


def choices(ruleset: Ruleset, known: own_box.Known) -> dict[str, Any]:
    """What may lie on a table of a variant, see `RealTables.choices`."""
    base, module = own_box.made(known)
    guilds = base["guilds"] | (module["guilds"] if ruleset.full else {})
    extra = [module["market"]["add"]] if ruleset.contractors else []
    gone = {_gain(tile) for tile in [module["market"]["remove"]]} if ruleset.contractors else set()
    tiles = {_gain(tile) for tile in module["workshop"]["remove"]} if ruleset.contractors else set()
    workshop = [tile for tile in base["workshop"]["tile"] if _gain(tile) not in tiles]
    workshop += module["workshop"]["add"] if ruleset.contractors else []
    plans = [*base["plans"][str(ruleset.seats)], *(module["plans"][str(ruleset.seats)] if ruleset.contractors else [])]
    found: dict[str, Any] = {
        "towers": ruleset.seats + 2,
        "sections": 6 * ruleset.seats,
        "plans": plans,
        "materials": list(MATERIAL_NAMES),
        "dice": list(die_names(ruleset)),
        "copies": 1 if ruleset.seats == 2 else 2,
        "market": [_amount(tile) for tile in [*base["market"]["tile"], *extra] if _gain(tile) not in gone],
        "tiles": [_amount(tile) for tile in workshop],
        "cards": {
            kind: [{**card, "typed": card in known.get("cards", {}).get(kind, [])} for card in base["cards"][kind]]
            for kind in KINDS
        },
        "guilds": [
            {
                "name": guild,
                "cards": [
                    {"number": number, "words": [words(action) for action in guilds[guild][number - 1]],
                     "lines": [fact.in_words(action) for action in guilds[guild][number - 1]],
                     "typed": str(number) in known.get("guilds", {}).get(guild, {})}
                    for number in numbers
                ],
            }
            for guild, numbers in _dealt(ruleset).items()
            for words in [vocabulary.action_text if guild in base["guilds"] else expansion_vocabulary.form_text]
        ],
    }  # fmt: skip
    if ruleset.contractors:
        found["cities"] = list(CITY_NAMES)
        found["specialists"] = [
            {"words": f"{tile['tool']}: {specialist_vocabulary.words(tile)}", "line": fact.in_words(tile)}
            for tile in module["specialists"]["tiles"]
        ]
    if ruleset.solo:
        found["ivan"] = {
            "cards": list(IVAN_CARDS[: ruleset.ivan_cards]),
            "tiles": [f"die:{die}" for die in die_names(ruleset)[: ruleset.ivan_cards]],
        }
    return found


def _dealt(ruleset: Ruleset) -> dict[str, list[int]]:
    """The guilds that may be in games of the variant, with the numbers of their cards that may be."""
    c, found = ruleset.rules[0], {}
    for number, guild in enumerate(expansion.guild_names(ruleset)):
        first, end = (int(c.first_influence[number + i]) for i in range(2))
        fourth = ruleset.full and (number == c.replaced_guild or number >= c.dealt_guilds)
        cards = [i for i in range(1, end - first + 1) if not fourth or c.card_allowed[first + i - 1]]
        brings = expansion.brought_by_guild(ruleset)[number]
        if cards and not brings & expansion.CONTRACTS and (not fourth or c.guild_allowed[number]):
            found[guild] = cards
    return found


def _gain(tile: Mapping[str, Any]) -> str:
    gain = next(key for key in tile if key != "count")
    return f"die:{tile['die']}" if gain == "die" else gain


def _amount(tile: Mapping[str, Any]) -> dict[str, Any]:
    gain = _gain(tile)
    return {"name": gain, "amount": 1 if gain.startswith("die:") else tile[gain]}
