"""The APIs through which learners meet the game: PettingZoo, Gymnasium and OpenSpiel."""
