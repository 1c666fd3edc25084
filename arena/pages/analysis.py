"""Analysed games as a page: error rates, accuracy and luck by player."""

from __future__ import annotations

from rc_env.arena.pages.page import Page, Plain, span, words
from rc_env.arena.studies.error_rates import LEAST_RATED, AnalysisResult
from rc_env.render.view import count
from rc_env.words.additions import additions

HEADINGS = (
    "player", "games", "turns", "loss a turn", "95 %", "prestige a turn", "95 %", "loss a decision", "accuracy",
    "blunders", "mistakes", "inaccuracies", "luck", "won", "rating",
)  # fmt: skip
CAPTION = (
    "Losses in win chance, and in prestige, against the best action, measured by other play-outs than those that named "
    "it. Mistakes a game are those beyond doubt, of which few play-outs show few; luck is the win chance that the "
    "rolls of a game brought. Won: of the games that were played to their end. "
    f"Intervals of 95 %, bootstrapped over games, of which they take two; a rating takes {LEAST_RATED} decisions."
)


def rows(result: AnalysisResult) -> list[tuple[str, ...]]:
    """The table as text cells, a row for each player."""
    return [
        (
            Plain(name),
            f"{player.games:,}",
            f"{player.turns:,}",
            words(player.loss_turn.mean, ".2%"),
            span(player.loss_turn, ".2%"),
            words(player.prestige_turn.mean, ".2f"),
            span(player.prestige_turn, ".2f"),
            words(player.loss_decision.mean, ".2%"),
            words(player.accuracy.mean, ".0%"),
            f"{player.blunders:.1f}",
            f"{player.mistakes:.1f}",
            f"{player.inaccuracies:.1f}",
            words(player.luck.mean, "+.1%"),
            words(player.result.mean, ".0%"),
            player.rating or "–",
        )
        for name, player in result.players.items()
    ]


def title(result: AnalysisResult) -> str:
    """What was analysed, in a line."""
    ruleset = result.ruleset
    some = "" if result.sample is None else f", {count(result.sample, 'decision')} of each player in a game"
    return (
        f"{_games(result)}, {count(ruleset.players, 'player')}, {ruleset.workshop} workshops{additions(ruleset)}"
        f"{some}, analysed by {result.bot} with {result.playouts} play-outs, seed {result.seed}"
    )


def _games(result: AnalysisResult) -> str:
    return f"{len(result.games):,} game{'s' if len(result.games) != 1 else ''}"


def build(result: AnalysisResult) -> Page:
    """The page of analysed games."""
    page = Page(f"Analysis of {_games(result)}")
    page.text(title(result))
    page.table(HEADINGS, rows(result))
    page.text(CAPTION)
    return page
