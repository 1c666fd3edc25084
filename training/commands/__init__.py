"""Sub-commands of `rc` that are nothing else; `training.cli` names all of them."""
