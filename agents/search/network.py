"""The forward pass of a policy file, compiled, row by row: inputs and hidden units that are 0 cost nothing."""
from __future__ import annotations

import numpy as np

from fm_env.compiled import rule


@rule
def layer(x, matrix, bias, activation, out):
    """`out = activation(x @ matrix + bias)`; 0 none, 1 relu, 2 tanh."""
    for j in range(len(out)):
        out[j] = bias[j]
    for i in range(len(x)):
        v = x[i]
        if v != 0.0:
            for j in range(len(out)):
                out[j] += v * matrix[i, j]
    if activation == 1:
        for j in range(len(out)):
            out[j] = max(out[j], np.float32(0.0))
    elif activation == 2:
        for j in range(len(out)):
            out[j] = np.tanh(out[j])


@rule
def legal_softmax(x, transposed, bias, mask, out):
    """Chances of the legal actions from the last hidden layer; 0 elsewhere."""
    best = np.float32(-np.inf)
    for a in range(len(mask)):
        out[a] = np.float32(0.0)
        if mask[a]:
            v = bias[a]
            for i in range(len(x)):
                v += x[i] * transposed[a, i]
            out[a] = v
            best = max(best, v)
    total = np.float32(0.0)
    for a in range(len(mask)):
        if mask[a]:
            out[a] = np.exp(out[a] - best)
            total += out[a]
    for a in range(len(mask)):
        if mask[a]:
            out[a] /= total


@rule
def chances(rows, obs, masks, w0, b0, w1, b1, w2t, b2, activation, h0, h1, out):
    """Two hidden layers."""
    for j in range(len(rows)):
        layer(obs[rows[j]], w0, b0, activation, h0)
        layer(h0, w1, b1, activation, h1)
        legal_softmax(h1, w2t, b2, masks[rows[j]], out[j])


@rule
def returns(rows, obs, w0, b0, w1, b1, activation, h0, out):
    for j in range(len(rows)):
        layer(obs[rows[j]], w0, b0, activation, h0)
        v = b1[0]
        for i in range(len(h0)):
            v += h0[i] * w1[i, 0]
        out[j] = v
