"""MaskablePPO of sb3-contrib, as its documentation shows it: the environment has `action_masks`, and needs no
wrapper."""

from common import Clock, arguments, one_game
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env


class UntilTimeIsUp(BaseCallback):
    """Stops the learning when the seconds are over."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self.clock = clock

    def _on_step(self) -> bool:
        return not self.clock.over


args = arguments()
env = make_vec_env(one_game, n_envs=16, seed=args.seed)
model = MaskablePPO(
    "MlpPolicy",
    env,
    n_steps=256,
    batch_size=512,
    n_epochs=4,
    learning_rate=7e-4,
    gamma=0.995,
    ent_coef=0.005,
    policy_kwargs={"net_arch": [256, 256]},
    seed=args.seed,
    device="cpu",
)
clock = Clock(args.seconds)
model.learn(10**9, callback=UntilTimeIsUp(clock))
clock.report(
    model.num_timesteps,
    lambda p: model.predict(p.observation, action_masks=p.mask, deterministic=True)[0],
    args.deals,
)
