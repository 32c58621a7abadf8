"""The forward pass of a policy file, compiled, row by row: inputs and hidden units that are 0 cost nothing.

NumPy's matrix products are faster for a thousand rows. A search asks about some dozens, with
observations that are mostly 0 and a handful of legal actions.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fm_env.compiled import rule

LINEAR, RELU, TANH = range(3)
ACTIVATIONS = {"relu": RELU, "tanh": TANH}

Floats = npt.NDArray[np.float32]


class Network:
    """Layers of one network in one flat array."""

    def __init__(self, layers: list[tuple[Floats, Floats]], activation: str) -> None:
        """Copy `[in, out]` matrices and `[out]` biases."""
        self.sizes = np.array([layers[0][0].shape[0], *(len(bias) for _, bias in layers)], np.int64)
        # The last matrix is kept by its outputs, since only some of them are asked for.
        parts = [part.ravel() for matrix, bias in layers[:-1] for part in (matrix, bias)]
        parts += [np.ascontiguousarray(layers[-1][0].T).ravel(), layers[-1][1]]
        self.weights = np.ascontiguousarray(np.concatenate(parts), np.float32)
        self.activation = ACTIVATIONS[activation]
        self._hidden = np.zeros((2, int(self.sizes.max())), np.float32)

    def chances(
        self, rows: npt.NDArray[np.int64], observations: Floats, masks: npt.NDArray[np.bool_],
        advised: npt.NDArray[np.int64], weight: float,
    ) -> Floats:  # fmt: skip
        """`[k, A]` chances of the legal actions in the given rows.

        Args:
            rows: `[k]` of the positions to look at.
            observations: `[W, F]`.
            masks: `[W, A]`.
            advised: `[k]`, what an adviser would do there, or -1.
            weight: of that advice.
        """
        out = np.zeros((len(rows), masks.shape[1]), np.float32)
        hidden = self._hidden
        chances(
            rows, observations, masks, advised, np.float32(weight), self.weights, self.sizes, self.activation,
            hidden, out,
        )  # fmt: skip
        return out

    def values(self, rows: npt.NDArray[np.int64], observations: Floats) -> npt.NDArray[np.float64]:
        """`[k]` first outputs."""
        out = np.zeros(len(rows))
        values(rows, observations, self.weights, self.sizes, self.activation, self._hidden, out)
        return out


@rule
def hidden_layers(x, advised, weights, sizes, activation, hidden):
    """All layers but the last; returns where the last one's weights begin.

    An advised action is one more input of 1, after the observation; the result is in `hidden[0]`.
    """
    at = 0
    layers = len(sizes) - 2
    if layers == 0:
        for i in range(sizes[0]):
            hidden[0, i] = x[i] if i < len(x) else np.float32(i - len(x) == advised)
    for k in range(layers):
        width = sizes[k + 1]
        out = hidden[(layers - 1 - k) % 2, :width]
        inside = hidden[(layers - k) % 2]
        bias = at + sizes[k] * width
        for j in range(width):
            out[j] = weights[bias + j]
        for i in range(len(x) if k == 0 else sizes[k]):
            v = x[i] if k == 0 else inside[i]
            if v != 0.0:
                row = weights[at + i * width : at + (i + 1) * width]
                for j in range(width):
                    out[j] += v * row[j]
        if k == 0 and advised >= 0:
            first = at + (len(x) + advised) * width
            for j in range(width):
                out[j] += weights[first + j]
        if activation == RELU:
            for j in range(width):
                out[j] = max(out[j], np.float32(0.0))
        else:
            for j in range(width):
                out[j] = np.tanh(out[j])
        at = bias + width
    return at


@rule
def output(a, at, width, outputs, weights, hidden):
    """One unit of the last layer."""
    v = weights[at + outputs * width + a]
    for i in range(width):
        v += hidden[0, i] * weights[at + a * width + i]
    return v


@rule
def chances(rows, observations, masks, advised, weight, weights, sizes, activation, hidden, out):
    """Softmax over the legal actions of each row."""
    outputs, width = sizes[len(sizes) - 1], sizes[len(sizes) - 2]
    for j in range(len(rows)):
        w = rows[j]
        at = hidden_layers(observations[w], advised[j], weights, sizes, activation, hidden)
        best = np.float32(-np.inf)
        for a in range(outputs):
            out[j, a] = np.float32(0.0)
            if masks[w, a]:
                v = output(a, at, width, outputs, weights, hidden)
                if a == advised[j]:
                    v += weight
                out[j, a] = v
                best = max(best, v)
        total = np.float32(0.0)
        for a in range(outputs):
            if masks[w, a]:
                out[j, a] = np.exp(out[j, a] - best)
                total += out[j, a]
        for a in range(outputs):
            out[j, a] /= total


@rule
def values(rows, observations, weights, sizes, activation, hidden, out):
    """The one output of each row."""
    width = sizes[len(sizes) - 2]
    for j in range(len(rows)):
        at = hidden_layers(observations[rows[j]], -1, weights, sizes, activation, hidden)
        out[j] = output(0, at, width, 1, weights, hidden)
