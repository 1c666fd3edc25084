"""Play, watch and study in the browser: what `rc serve` serves. Needs the extra `web`.

Positions, actions and their words come from the engine and `rc_env.render`; nothing here knows a rule.
"""
