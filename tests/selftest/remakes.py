# The exercise in NumPy, a right solution, which remakes.txt changes.
import sys

import numpy as np

words = sys.stdin.read().split()
n, d, h = map(int, words[:3])
Q, K, V = np.array(words[3:], dtype="float64").reshape(3, n, d)

q, k, v = (x.reshape(n, h, -1).transpose(1, 0, 2) for x in (Q, K, V))  # (h, n, d_k)
scores = q @ k.transpose(0, 2, 1) / q.shape[-1] ** 0.5
weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
weights /= weights.sum(axis=-1, keepdims=True)
heads = weights @ v
output = heads.transpose(1, 0, 2).reshape(n, d)
for row in output:
    print("[" + " ".join("%.4f" % number for number in row) + "]")
