# The exercise in NumPy with mistakes to choose, none or several:
# python3 tests/selftest/remakes.py einsum|batched|loop MISTAKE...
# Written apart from mistakes.cpp, as remakes.awk is, for names.sh.
import sys

import numpy as np

way, *mistakes = sys.argv[1:]


def softmax(scores):
    axis, keepdims = -1, "keepdims-forgotten" not in mistakes
    if "softmax-over-whole-array" in mistakes:
        axis = None
    weights = np.exp(scores - scores.max(axis=axis, keepdims=keepdims))
    weights = weights / weights.sum(axis=axis, keepdims=keepdims)
    return np.log(weights) if "logarithm-of-weights" in mistakes else weights


# The axis of the heads stays where it is: (n, h, d_k).
def einsum(Q, K, V, h):
    q, k, v = (x.reshape(len(x), h, -1) for x in (Q, K, V))
    scores = np.einsum("qhd,khd->hqk", q, k) * Q.dtype.type(q.shape[-1] ** -0.5)
    if "columns-see-columns" in mistakes:
        return np.einsum("hde,qhe->qhd", softmax(np.einsum("qhd,qhe->hde", q, k)), v).reshape(Q.shape)
    if "each-column-a-head" in mistakes:
        return np.einsum("hdqk,khd->qhd", softmax(np.einsum("qhd,khd->hdqk", q, k)), v).reshape(Q.shape)
    if "every-head-added-to-each" in mistakes:
        return np.einsum("hqk,kjd->qjd", softmax(scores), v).reshape(Q.shape)
    return np.einsum("hqk,khd->qhd", softmax(scores), v).reshape(Q.shape)


# The axis of the heads comes first: (h, n, d_k).
def batched(Q, K, V, h):
    if "split-by-plain-reshape" in mistakes:
        q, k, v = (x.reshape(h, len(x), -1) for x in (Q, K, V))
    else:
        q, k, v = (x.reshape(len(x), h, -1).transpose(1, 0, 2) for x in (Q, K, V))
    q = q / np.sqrt(Q.dtype.type(q.shape[-1]))
    if "heads-see-heads" in mistakes:
        q, k, v = (x.transpose(1, 0, 2) for x in (q, k, v))
        return (softmax(q @ k.transpose(0, 2, 1)) @ v).reshape(Q.shape)
    heads = softmax(q @ k.transpose(0, 2, 1)) @ v
    if "mean-of-queries" in mistakes:
        heads += heads.mean(axis=1, keepdims=True) - heads
    return heads.transpose(1, 0, 2).reshape(Q.shape)


# One head after the other: (n, d_k).
def loop(Q, K, V, h):
    heads = []
    for q, k, v in zip(*(np.split(x, h, axis=1) for x in (Q, K, V))):
        heads.append(softmax(q @ k.T / q.shape[1] ** 0.5) @ v)
    return sum(heads) if "heads-added-up" in mistakes else np.concatenate(heads, axis=1)


words = sys.stdin.read().split()
n, d, h = map(int, words[:3])
numbers = np.array(words[3:], dtype="float32" if "float32-throughout" in mistakes else "float64")
output = {"einsum": einsum, "batched": batched, "loop": loop}[way](*numbers.reshape(3, n, d), h)
for row in output:
    print("[" + " ".join("%.4f" % number for number in row) + "]")
