"""What the things on the table are and do, for people who do not know the game: in our own words, by topic.

The page "The game in five minutes", the answer to "What is this?" and the hints of a first game are made of them.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Topic(NamedTuple):
    """A thing of the game: its name, what it is and does, and the pieces that show it (ids of the drawings' pieces)."""

    title: str
    text: str
    icons: tuple[str, ...] = ()


TOPICS: dict[str, Topic] = {
    "goal": Topic(
        "What it is about",
        "All of you build one cathedral, and whoever has most prestige at the end wins. Finished sections move your "
        "marker along the track, which is worth prestige; so are ornaments with gems in them; and at the end each "
        "tower pays those who have built most in it. Somebody's sixth finished section ends the game.",
        ("prestige",),
    ),
    "turn": Topic(
        "A turn",
        "In your turn you do one of three things: claim a section of the cathedral, move a die in the market, or "
        "build. Then it is the next seat's turn. Besides, you may always give up prestige for rubles, and once a "
        "turn for a new roll of the dice on a space.",
    ),
    "claim": Topic(
        "Claiming",
        "You can only build what you have claimed. Put a banner on the lowest free section of a tower: from now "
        "on its cost is yours to deliver and its reward yours to earn. Its workshop tile comes to you: put it "
        "into a slot of your workshop, face up for the price in rubles printed there, then it works at once and "
        "again whenever the die of that slot moves, or face down, which is free. A banner from the inventory leaves "
        "room for a material.",
        ("banner",),
    ),
    "beginning": Topic(
        "How to begin",
        "Claim one or two sections whose materials lie near the dice, fetch these materials from the market, then "
        "build. Rest the pointer on an action to see what it does. Not sure? A nudge, or the best action, is a click "
        "away, and Undo takes any of your decisions back.",
    ),
    "penalty": Topic(
        "Penalties",
        "Whoever claims a section and leaves it unfinished pays for it: each time somebody finishes a section "
        "above it, its owner loses 1 recognition for each finished section above that belongs to others.",
        ("recognition",),
    ),
    "market": Topic(
        "The market",
        "Move one die clockwise by the value it shows. Your own die and the white one may go further, for 1 ruble"
        " a space. At most three dice lie on a space. Where it lands you may do three things, each once and in "
        "any order: take what the space gives, as often as dice lie there; use one action of the guild there; "
        "activate the tile in your workshop slot of the die's colour. Then all dice on the space are rolled.",
    ),
    "space": Topic(
        "A space of the market",
        "A die that lands here gives what the tile shows, once for each die on the space, its own included: two "
        "dice on 2 lumber give 4 lumber. Materials need room in your inventory.",
    ),
    "die": Topic(
        "A die",
        "It moves clockwise by its value. Every player may move any die. Its colour says whose workshop slots it "
        "activates: the red die the red slot of whoever moves it, the white die one of the two white slots.",
    ),
    "guild": Topic(
        "A guild",
        "A die that lands in this quarter of the market may use one of the two actions on the card: what is left "
        "of an arrow is paid, what is right of it is gained. The lying eight means: as often as you like.",
        ("unlimited", "same", "different", "workshop", "delivery", "swap"),
    ),
    "supply": Topic(
        "The supply",
        "Materials that nobody has. What is not here cannot be taken; materials of finished sections come back.",
    ),
    "build": Topic(
        "Building",
        "Deliver up to three things: a material to a section of yours that still needs it, or an ornament. With "
        "its last material a section is finished: it pays its recognition and rubles at once, and counts for the "
        "tower at the end.",
        ("delivery",),
    ),
    "section": Topic(
        "A section of the cathedral",
        "A card shows, from above, the materials it needs, the recognition and the rubles it pays when it is "
        "finished, and the workshop tile that comes with the claim. A thick dark edge: it may be claimed now. A "
        "banner: it is claimed, and delivered materials are ticked. Painted in a colour: finished by that seat.",
        ("recognition", "rubles", "banner"),
    ),
    "tower": Topic(
        "A tower",
        "At the end each tower is worth 2 prestige for a finished section and 1 for an ornament. Whoever has most"
        " sections and ornaments in it gets all of that. With two players the other gets a third, and a tie "
        "nothing; with more players each next place gets half of the place before.",
        ("prestige",),
    ),
    "ornament": Topic(
        "Ornaments",
        "A door for a base, an arch for a middle section, a cross for a dome: on any finished section that has "
        "none, whoever owns it. A door costs 1 lumber, an arch 1 stone, a cross 1 gold. Gems set into it give "
        "prestige at once: 1 for one gem, 2 for two equal ones, 3 for two different ones; each gem is a delivery,"
        " too.",
        ("door", "arch", "cross", "green_gem", "purple_gem"),
    ),
    "track": Topic(
        "The score track",
        "Recognition moves your marker by as many spaces. Golden spaces are worth prestige: what counts is how "
        "many of them you have reached. A prestige moves you to the next golden space, however far that is, so "
        "prestige is worth most while golden spaces are far apart. Giving one up leads back to the one behind. A "
        "marker that comes round to the first space again has 40 prestige, and goes on from there.",
        ("recognition", "prestige"),
    ),
    "seat": Topic(
        "A player's board",
        "Its first row: the inventory, rubles, spare banners and ornaments. Below it: the workshop. Above: what "
        "the seat would score if the game ended now.",
    ),
    "score": Topic(
        "The score if the game ended now",
        "Prestige of the marker, 1 prestige for 5 materials and rubles in hand, and the shares of towers as they "
        "stand: a share falls when somebody else draws even in its tower.",
        ("prestige",),
    ),
    "sections": Topic(
        "Built and begun",
        "How many sections the seat has finished, and how many it has claimed and not finished yet. The sixth "
        "finished section ends the game: whoever gets there first gains 3 prestige, and everybody else has one "
        "more turn.",
    ),
    "goods": Topic(
        "The inventory",
        "Ten spaces for materials, of which banners cover four at first: a claim with one of them makes room. "
        "Beside it rubles, spare banners, and the ornaments that you can still place.",
        ("rubles", "banner", "door", "arch", "cross"),
    ),
    "slot": Topic(
        "A slot of the workshop",
        "The tile of a claimed section goes here. Face up it costs the rubles that are printed, works at once, "
        "and then whenever you move the die of this colour. Face down it costs nothing and does nothing. A tile "
        "that shows a die gives what lies where that die is.",
        ("workshop",),
    ),
    "end": Topic(
        "The end",
        "When somebody has finished six sections, each other player has one more turn. Then markers go back to "
        "their last golden space, 5 materials and rubles together give 1 prestige, and towers are shared. Most "
        "prestige wins; then more finished sections, then more ornaments.",
    ),
    "materials": Topic(
        "Materials",
        "Lumber, brick and stone are plentiful; gold and gems are scarce. Gems also go into ornaments.",
        ("lumber", "brick", "stone", "gold", "green_gem", "purple_gem", "any_material"),
    ),
    "money": Topic(
        "Rubles, recognition, prestige",
        "Rubles pay for steps, tiles and guilds. Recognition moves the marker by a space each, prestige to the "
        "next golden space.",
        ("rubles", "recognition", "prestige"),
    ),
    "ivan": Topic(
        "Ivan",
        "Your opponent in the solo game is played by the rules. The leftmost card with a tile face up tells what "
        "he does next: the tile names the die that he moves.",
    ),
    "city": Topic(
        "A city",
        "Send a contractor here as your main action, for permits: one more than contractors stand here. Then "
        "engage or dismiss a specialist that lies at the city. When its tower is finished the city closes, and "
        "each of your contractors there counts as often as you have banners in that tower.",
        ("permits",),
    ),
    "specialist": Topic(
        "A specialist",
        "Engaged for rubles after you have sent a contractor. It works once, after a move of the black die; then "
        "its tool is kept. Different tools score together at the end.",
    ),
    "permits": Topic("Permits", "They pay for sending contractors, and for what the lawyers do.", ("permits",)),
    "contracts": Topic(
        "Contracts",
        "Secret tasks from the archivists. Each gives prestige at the end if what it asks for is there.",
        ("contract",),
    ),
    "reinforcements": Topic(
        "Reinforcement tiles", "Taken from the brickmakers, and used once when you want: each gives what it shows."
    ),
    "diamond": Topic("A diamond", "It stands for any material that a section or an ornament asks for.", ("diamond",)),
    "foreman": Topic(
        "The foreman",
        "In the tower where he stands finishing a section gives recognition more, and penalties count double.",
        ("foreman",),
    ),
}
"""Topics by name, in the order in which they are told."""

_PARTS = (
    (r"space\d", "space"), (r"guild\d|season\d|under\d", "guild"), ("supply", "supply"), ("track|markers", "track"),
    (r"section\d\.\d", "section"), (r"tower\d", "tower"), (r"city\d|city over \d", "city"),
    (r"slot\d|offer\d|offers|bag|.*specialist|.*tools", "specialist"), (r".*permits.*", "permits"),
    (r"seat\d\.score", "score"), (r"seat\d\.sections", "sections"), (r"seat\d\.goods", "goods"),
    (r".*contracts.*", "contracts"), (r".*reinforcements.*", "reinforcements"),
    (r"seat\d\.(red|blue|yellow|green|white[12])", "slot"), (r"ivan.*", "ivan"), (r"seat\d.*", "seat"),
    ("market", "market"), ("cathedral|ground", "section"), ("moscow", "city"),
)  # fmt: skip
_PIECES = {
    "banner": "claim", "spare": "claim", "door": "ornament", "arch": "ornament", "cross": "ornament",
    "rubles": "money", "diamond": "diamond",
    **dict.fromkeys(("lumber", "brick", "stone", "gold", "green_gem", "purple_gem"), "materials"),
    **dict.fromkeys(("red", "blue", "yellow", "green", "white", "black"), "die"),
}  # fmt: skip


def topic_of(place: str) -> str:
    """The name of the topic that explains a place on the board, as `apps.web.places` names them; "" for none."""
    part, _, piece = place.partition("/")
    if piece in _PIECES:
        return _PIECES[piece]
    return next((topic for pattern, topic in _PARTS if re.fullmatch(pattern, part)), "")


TOUR = ("goal", "turn", "claim", "market", "build", "ornament", "track", "penalty", "tower", "end")
"""The topics of the game in five minutes, in their order."""
OF_EXPANSION = ("city", "specialist", "permits", "contracts", "reinforcements", "diamond", "foreman")
"""The topics of what only the expansion has."""
FIRST_GAME: dict[str, tuple[str, ...]] = {
    "start": ("goal", "turn", "claim", "market", "build", "beginning"),
    "place": ("slot", "penalty"),
    "market": ("market", "guild"),
    "take": ("goods",),
    "build": ("build", "ornament"),
    "gems": ("ornament",),
    "end": ("money",),
    "over": ("end",),
}
"""The topics that a guided first game tells when a decision point is met for the first time."""

ICONS = {
    "lumber": "lumber", "brick": "brick", "stone": "stone", "gold": "gold", "green_gem": "green gem",
    "purple_gem": "purple gem", "any_material": "a material of any kind", "rubles": "ruble",
    "recognition": "recognition: a space on the score track", "prestige": "prestige: the next golden space",
    "banner": "banner: marks a claimed section", "door": "door, for a base", "arch": "arch, for a middle section",
    "cross": "cross, for a dome", "same": "equal materials", "different": "different materials",
    "workshop": "activate a tile of the workshop", "delivery": "deliver something",
    "each": "for a base, a middle and a dome finished", "swap": "swap two tiles of the market",
    "unlimited": "as often as you like", "arrow": "pay what is left of it, gain what is right of it",
    "pin": "marker on the score track",
}  # fmt: skip
"""What each icon of the base game means."""
EXPANSION_ICONS = {
    "diamond": "diamond: any material", "permits": "permit", "contract": "contract", "contractor": "contractor",
    "foreman": "the foreman", "reinforcement": "reinforcement tile", "bag": "specialists that are not drawn yet",
    "locked": "a closed city", "any_die": "where any die lies", "any_banner": "a banner", "any_ornament": "an ornament",
    "any_contractor": "a contractor", "player": "another player", "tile": "a workshop tile", "section": "a section",
    "cathedral_card": "a card of the cathedral", "market": "an action of the market", "guild": "an action of a guild",
    "black_die": "the black die", "unequal": "not the same", "per": "for each", "plus": "and", "times": "times",
    "tool_hammer": "hammer",
    "tool_saw": "saw", "tool_trowel": "trowel", "tool_chisel": "chisel", "tool_plumb": "plumb", "tool_brush": "brush",
}  # fmt: skip
"""What each further icon of the expansion means."""
