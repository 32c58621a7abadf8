from __future__ import annotations
import hashlib
import numpy as np
from agents.api import Agent
from agents.search.simulate import Net, Simulator
from fm_env.rng import seed_rows


class SearchAgent(Agent):
    needs_sampler = True

    def __init__(self, base, simulations=256, wave=64, temperature=0.05, spread=0.1, noise=0.6, **more):
        self.base, self.simulations, self.wave = base, simulations, wave
        self.temperature, self.spread = temperature, spread
        self.more = more
        self.name = f"search{simulations}"
        self.sampler = None
        self.net = Net(base)
        self.sim = None

    def spawn(self):
        other = SearchAgent.__new__(SearchAgent)
        other.__dict__.update(self.__dict__)
        return other

    def check(self, spec):
        self.base.check(spec)

    def reset(self, spec, seat, seed):
        self.spec, self.seat, self.seed = spec, seat, seed

    def imagine(self, sampler):
        self.sampler = sampler

    def act(self, obs, mask):
        pi, _ = self.think(obs, mask)
        h = np.random.default_rng([self.seed, 77, int.from_bytes(hashlib.blake2b(obs.tobytes(), digest_size=8).digest(), "little")])
        return int(h.choice(len(pi), p=pi / pi.sum()))

    def think(self, obs, mask):
        spec, seat = self.spec, self.seat
        if not hasattr(SearchAgent, "_sims"):
            SearchAgent._sims = {}
        key = (spec.scenario, self.wave, id(self.net), tuple(self.more.items()))
        sim = SearchAgent._sims.get(key)
        if sim is None:
            sim = SearchAgent._sims[key] = Simulator(self.sampler.game, spec, self.wave, self.net, temperature=self.temperature, **self.more)
        sim.nodes.clear()
        h = int.from_bytes(hashlib.blake2b(obs.tobytes(), digest_size=8).digest(), "little")
        rng = np.random.default_rng([self.seed, h])
        rows = seed_rows(int(rng.integers(2**62)), 1)
        prior = self.net.chances(np.array([0]), obs[None], mask[None])[0].astype(float)
        legal = np.flatnonzero(mask & (prior > 0.001))
        pi = np.zeros(len(mask))
        if len(legal) == 1:
            pi[legal] = 1
            return pi, None
        legal = legal[np.argsort(-prior[legal])][:16]
        m = len(legal)
        per = max(1, self.wave // m)
        X = []
        done = 0
        while done + m <= self.simulations:
            k = min(per, (self.simulations - done) // m)
            worlds = np.repeat(self.sampler.draw(k, rows[0]), m)
            seeds = np.repeat(rng.integers(2**62, size=k), m)
            U = np.repeat(rng.random((k, 32)), m, axis=0)
            first = np.tile(legal, k)
            v = sim.run(worlds, seeds, U, seat, first)
            X.append(v[:, seat].reshape(k, m))
            done += k * m
        X = np.concatenate(X)
        p = prior[legal] / prior[legal].sum()
        D = X - (X @ p)[:, None]
        adv = D.mean(0)
        se2 = D.var(0, ddof=1) / len(D) if len(D) > 1 else np.ones(m)
        post = adv * self.spread**2 / (self.spread**2 + se2)
        w = p * np.exp((post - post.max()) / self.temperature)
        pi[legal] = w / w.sum()
        self.last = (X, p, adv, se2)
        return pi, X.mean(0) @ pi[legal]
