"""Sub-commands of `rc` that are nothing else; `rc_env.training.cli` names all of them."""
