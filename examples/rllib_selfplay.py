"""PPO of RLlib's new API stack in self-play: a module that masks actions learns against a frozen copy of itself."""

import ray
import torch
from common import Clock, arguments
from gymnasium.spaces import Dict
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from rc_env import red_cathedral_v0


class Masked(ActionMaskingTorchRLModule):
    """RLlib's masking module with the key renamed: it expects "observations", PettingZoo's key is "observation"."""

    def __init__(self, *, observation_space, **others):
        renamed = {name.replace("observation", "observations"): space for name, space in observation_space.items()}
        super().__init__(observation_space=Dict(renamed), **others)

    def _preprocess_batch(self, batch, **others):
        shown = batch["obs"]
        batch["obs"] = {"action_mask": shown["action_mask"].float(), "observations": shown["observation"]}
        return super()._preprocess_batch(batch, **others)


args = arguments()
register_env("red_cathedral", lambda _: PettingZooEnv(red_cathedral_v0.raw_env(reward="margin", turn_limit=60)))
spec = RLModuleSpec(module_class=Masked, model_config={"fcnet_hiddens": [256], "head_fcnet_hiddens": [256]})
config = (
    PPOConfig()
    .environment("red_cathedral", disable_env_checking=True)  # the check plays illegal actions
    .env_runners(num_env_runners=0, num_envs_per_env_runner=8)
    .multi_agent(policies={"main", "past"}, policies_to_train=["main"])
    .multi_agent(policy_mapping_fn=lambda a, e, **_: "main" if hash(e.id_) % 2 == int(a[-1]) else "past")
    .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"main": spec, "past": spec}))
    .training(train_batch_size=4096, minibatch_size=512, num_epochs=4, lr=7e-4, gamma=0.995, entropy_coeff=0.005)
)
ray.init("local", num_cpus=1, include_dashboard=False, log_to_driver=False)
algo = config.debugging(seed=args.seed).build_algo()
net, decisions, frozen, clock = algo.get_module("main"), 0, 0, Clock(args.seconds)
while not clock.over:
    seen = algo.train()["env_runners"]
    decisions = int(seen["num_env_steps_sampled_lifetime"])
    margin = float(seen.get("module_episode_returns_mean", {}).get("main", "nan"))
    print(f"learning curve: {decisions} decisions, {frozen} copies frozen, mean reward against the last {margin:.3f}")
    if margin > 0.05:  # good enough: replace the frozen copy by the current policy
        frozen, state = frozen + 1, {"past": net.get_state()}
        algo.set_state({"learner_group": {"learner": {"rl_module": state}}})
        algo.env_runner_group.foreach_env_runner(lambda runner, state=state: runner.module.set_state(state))


def choose(position):
    shown = {"observation": torch.from_numpy(position.observation), "action_mask": torch.from_numpy(position.mask)}
    return net.forward_inference({"obs": shown})["action_dist_inputs"].argmax(-1)


clock.report(decisions, choose, args.deals)
