"""The observation in words: the content of a vector as a dictionary of facts and as lines of text.

`observation_facts` reads a vector (`from_vector.py`), `game_facts` finds the same in the game's record by another way
(`from_game.py`), and a test holds the two equal: so text and vector carry the same facts. `facts_text` makes lines of
text of either (`as_text.py`). Facts are absolute (seats by number, dice and slots by colour) though the vector is
relative; a number that the vector cuts reads as "100+".

The dictionary:
    seat: who sees. to_move, ending: seats or None. own_turn: whether `seat` is to move.
    point: the current decision point, or "over"; after the end nothing is said of the turn (turn is None).
    turn, rerolled, moved, landing, obtained, worked, guild (1 or 2), guild_open: the turn so far.
    waiting: what the current decision point is about: section, tile, deliveries, delivered, material, may_refuse, most,
        payments, gains. `material` is what can be taken, what a guild does not give (gain), or the first that may be
        paid.
    market: by space, tile and dice there. guild_actions: by quadrant, the two actions of the guild card there, each as
        the columns of its effect that are not 0: `price`, `payments`, `each`, `pay` (materials), `condition` (in
        words), `rubles`, `recognition`, `prestige`, `gains`, `gain` (materials), `deliveries`, `tiles`, `swaps`,
        `unlimited` (`rules/printed/vocabulary.py` says what each means). Which guild it is does not show.
    supply: by material.
    dice: by colour, space, value, whether its next space is full, and what that space would yield.
    towers: value, presence and shares by seat as they would score now, and sections from the base up: kind, owner,
        finished, missing, rubles, recognition, tile, ornament, ornament_owner, on_offer.
    rules: the numbers of the data file that matter all game long, by the names of the entries of the piece `rules`; the
        material of each kind of ornament by its word.
    ivan (solo): his cards from left to right, the tile on each (die, up), next (the place of the card for his next
        turn, or None), materials on his inventory and construction cards, his next ornament, choosing ("claim",
        "adorn"); card_recognition, card_materials, ornament_prestige: what his cards and an ornament give him.
    seats: rubles, prestige, past (spaces from its prestige space), prestige_ahead (spaces to each of the next eight
        prestige spaces), goods_prestige, tower_prestige and score (if the game ended now), materials, room, banners,
        ornaments to hand, sections claimed and unfinished, finished, ornaments placed, and the workshop by slot: tile
        (or "face down"), price, ornament. Ivan, seat 1 of the solo game, has no workshop.
    full (the full game): what the current decision point is about beyond `waiting` (decision), diamonds in the supply,
        the foreman's tower from 1, cards in the builders' deck and discards, contract_deck, contracts and
        drawn_contracts of `seat` by number from 1, drawn_cards, drawn_left, reinforcements left to take, and rules.
        Its decision has way (in which way it is meant), used (1 obtain, 2 workshop), left, free (placement),
        may_refuse, pieces and resource (what may be taken of a drawn card), slot, player (whose material is received),
        serves (quadrant from 0 and number from 1 of the guild action), chosen (the guild tile has chosen its
        action), reinforced (a reinforcement tile was used in this turn), city (to which a contractor was sent),
        material_due and delivery_due (what is left of a specialist's material and delivery).
        Seats also have diamonds, contracts (how many), reinforcements, and special (the tile still to be placed);
        sections have diamonds; a slot may have the tile "special:NAME". Guild actions also have price_recognition,
        price_permits, fixed (materials paid), in_order, diamonds, permits, per_contractor ("rubles" or "permits"), die
        (whose space gives its tile), opens (a decision point), way, count, divisor, then_material, to_player and
        from_player.
    full["module"] (with the module Contractors): permits in the supply; cities by name, each with open, contractors by
        seat, the slots that it touches and the tower from 1 that it lies over, or None; offer, the specialist on each
        slot; bag, numbers of tiles by tool and by kind; hire_bonus of each place in the row of contractors; rules. A
        specialist is its kind (`rules/printed/specialist_vocabulary.py`), its tool from 1, what it has of gain, pay,
        recognition, prestige and spend_rubles; which of the tiles it is does not show.
        Seats also have permits, contractors (in the row), specialist (face up on the board), tools (how many of each)
        and tool_prestige; `ivan` has city_tower, the tower from 1 at which his city marker stands.
    A section of Ivan's also has what was laid on it, and how many materials it misses of any kind; `missing` is empty.
"""

from .as_text import describe, effect_text, facts_text
from .common import Facts
from .from_game import game_facts
from .from_vector import observation_facts

__all__ = ["Facts", "describe", "effect_text", "facts_text", "game_facts", "observation_facts"]
