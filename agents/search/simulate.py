"""Prototype of simulations"""
from __future__ import annotations

import numpy as np

from agents.search import network
from agents.search.nodes import Nodes, back_up, choose, expand, find
from fm_env.batch import Batch
from fm_env.batch_loop import NOT_ASKED
from fm_env.contract import TERMINAL, Scenario

PARKED = TERMINAL


class Net:
    def __init__(self, policy):
        L = policy._layers
        self.act = 1 if policy.card.network.activation == "relu" else 2
        self.a = (L[0][0], L[0][1], L[1][0], L[1][1], np.ascontiguousarray(L[2][0].T), L[2][1], self.act)
        self.h = (np.zeros(len(L[0][1]), np.float32), np.zeros(len(L[1][1]), np.float32))
        V = policy._value_layers
        self.v = (V[0][0], V[0][1], V[1][0], V[1][1], 1 if policy.card.value_network.activation == "relu" else 2)
        self.hv = np.zeros(len(V[0][1]), np.float32)

    def chances(self, rows, obs, masks):
        out = np.zeros((len(rows), masks.shape[1]), np.float32)
        network.chances(rows, obs, masks, *self.a, *self.h, out)
        return out

    def returns(self, rows, obs):
        out = np.zeros(len(rows), np.float32)
        network.returns(rows, obs, *self.v, self.hv, out)
        return out


class Simulator:
    def __init__(self, game, spec, width, net, horizon=1, opp_tree=False, patience=25.0, temperature=0.05):
        default = game.scenario(spec.scenario)
        self.batch = Batch(game, Scenario(spec, default.setup, {}), width, seed=0, keyed=True)
        self.spec, self.width, self.net = spec, width, net
        self.horizon, self.opp_tree, self.patience, self.temperature = horizon, opp_tree, patience, temperature
        self.nodes = Nodes()
        D = spec.max_decisions + 1
        self.pn = np.zeros((width, D), np.int64)
        self.pe = np.zeros((width, D), np.int64)
        self.ps = np.zeros((width, D), np.int64)
        self.words = self.batch.obs.view(np.uint32)
        self.scratch = np.zeros(spec.num_actions)

    def run(self, worlds, seeds, uniforms, seat, first):
        """worlds [n] states, seeds [n], uniforms [n, U], first [n] root actions. -> [n, S] returns"""
        b, n, nodes, W = self.batch, len(worlds), self.nodes, self.width
        all_seeds = np.zeros(W, np.int64)
        all_seeds[:n] = seeds
        b.reset(seeds=all_seeds)
        b.states[:n] = worlds
        b.seat[:] = PARKED
        b.seat[:n] = NOT_ASKED
        b.advance()
        live = np.zeros(W, np.bool_)
        live[:n] = True
        depth = np.zeros(W, np.int64)
        own = np.zeros(W, np.int64)
        node = np.zeros(W, np.int64)
        edge = np.zeros(W, np.int64)
        act = np.zeros(W, np.int64)
        fresh = np.zeros(W, np.int64)
        values = np.zeros((W, self.spec.num_seats))
        ar = np.arange(W)
        while True:
            over = live & (b.seat == TERMINAL)
            values[over] = b.returns[over]
            live &= ~over
            if not live.any():
                break
            nodes.reserve(W, W * 64)
            k = find(self.words, b.seat, live, nodes.keys, nodes.slots, nodes.size, node, None, fresh)
            rows = fresh[:k].copy()
            mine = b.seat == seat
            if k:
                pri = self.net.chances(rows, b.obs, b.mask)
                expand(rows, node, b.mask, pri, nodes.first, nodes.action, nodes.prior, nodes.count, nodes.total, nodes.visits)
            stop = live & mine & (own >= self.horizon) & (nodes.visits[node] == 0)
            at = np.flatnonzero(stop)
            if len(at):
                v = self.net.returns(at, b.obs)
                values[at] = -v[:, None]
                values[at, seat] = v
                live &= ~stop
                b.seat[at] = PARKED
            if not live.any():
                break
            u = np.zeros(W)
            u[:n] = uniforms[np.arange(n), depth[:n] % uniforms.shape[1]]
            tilt = (mine | self.opp_tree)
            choose(live, node, u, tilt, self.patience, self.temperature, nodes.first, nodes.action, nodes.prior, nodes.count, nodes.total, self.scratch, edge, act)
            root = live & mine & (own == 0)
            act[root] = first[root[:n].nonzero()[0]]
            # record
            lv = np.flatnonzero(live)
            for_root = root[lv]
            rec = lv[~for_root]
            self.pn[rec, depth[rec]] = node[rec]
            self.pe[rec, depth[rec]] = edge[rec]
            self.ps[rec, depth[rec]] = b.seat[rec]
            depth[rec] += 1
            own[live & mine] += 1
            b.step(act)
        back_up(depth, self.pn, self.pe, self.ps, values, nodes.count, nodes.total, nodes.visits)
        return values[:n]
