"""Puts one case of the exercise, from stdin, to a NumPy function in a file of your own, and prints what it returns.

    tests/run.sh python3 tests/kit/function.py my_solution.py

The file has multi_head_attention(Q, K, V, num_heads) for (n, d), or multi_head_attention_einsum with the same
parameters for (batch, n, d), or both: then both are checked, and a name behind my_solution.py chooses one.
It is loaded as it stands, without its `if __name__ == "__main__"` part; what it prints goes to stderr.
With --check before my_solution.py it is only loaded, and no case is read.
"""
import os
import runpy
import signal
import sys
import traceback

PLAIN, EINSUM = "multi_head_attention", "multi_head_attention_einsum"


def fail(status, *lines):
    for stream in sys.__stdout__, sys.__stderr__:
        stream.flush()  # what the user's file printed comes first
    print(*lines, sep="\n", file=messages, flush=True)
    sys.exit(status)


def tell(error):
    """The lines of the traceback that are in the user's file, and last the error itself."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    lines = traceback.format_list(frames)
    if len(lines) > 6:  # a recursion without end
        lines[3:-3] = ["  ...\n"]
    return "".join(lines + traceback.format_exception_only(type(error), error)).rstrip()


def load():
    """The functions of the user's file, by name."""
    if not os.path.isfile(path):
        fail(2, f"{path}: there is no such file")
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    try:
        module = runpy.run_path(path, run_name="solution")
    except BaseException as error:  # exit() as well
        fail(2, f"{path} stops while it is loaded (its stdin is empty here):", tell(error))
    found = {name: module[name] for name in names if name in module}
    if not found:
        own = [name for name, thing in module.items() if getattr(thing, "__module__", "") == "solution"]
        missing = f"{path} has no function {' or '.join(names)} at its top level"
        fail(2, f"{missing}, only {', '.join(own)}" if own else missing)
    return found


def read_case(text):
    """Q, K and V, each (batch, n, d), and the number of heads."""
    text = text.translate(str.maketrans("[],\ufeff", "    ")).strip()
    words = text.split()
    if len(text.split("\n")[0].split()) != 5:  # n d h, which is a batch of one
        words[:1] = ["1", words[0], words[0]]
    b, n_q, n_k, d, h = (int(word) for word in words[:5])
    numbers = np.array([float(word) for word in words[5:]])
    Q, K, V = np.split(numbers, [b * n_q * d, b * (n_q + n_k) * d])
    return Q.reshape(b, n_q, d), K.reshape(b, n_k, d), V.reshape(b, n_k, d), h


def ask(name, Q, K, V, h):
    """The rows that the function returns, each number as it is printed."""
    try:
        answer = functions[name](Q.copy(), K.copy(), V.copy(), h)
    except BaseException as error:
        fail(1, *hint, f"{path}: {name} ends with an exception:", tell(error))
    if answer is None:
        wrong = "None: is the return missing?"
    elif isinstance(answer, tuple):
        wrong = f"{len(answer)} things, not the output alone"
    elif not isinstance(answer, np.ndarray):
        wrong = f"a value of type {type(answer).__name__}, not a NumPy array"
    elif answer.dtype.kind not in "fiu":
        wrong = f"an array of {answer.dtype}, not of floats"
    elif answer.shape != Q.shape:
        wrong = f"an array of shape {answer.shape}, not {Q.shape}"
    else:
        return [["%.4f" % number for number in row] for row in np.asarray(answer).reshape(-1, Q.shape[-1])]
    fail(1, *hint, f"{path}: {name} returns {wrong}")


signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C is no exception of the function's
messages = os.fdopen(os.dup(2), "w", errors="backslashreplace")
try:
    import numpy as np
except ModuleNotFoundError:
    fail(2, f"{sys.executable} has no NumPy: pip install numpy")
check = "--check" in sys.argv[1:2]
words = sys.argv[1 + check :]
if len(words) not in (1, 2):
    fail(2, "usage: function.py [--check] my_solution.py [NAME OF THE FUNCTION]")
path, names = words[0], words[1:] or [PLAIN, EINSUM]

text = "" if check else sys.stdin.read()
stdout = os.fdopen(os.dup(1), "w")
nothing = os.open(os.devnull, os.O_RDWR)
os.dup2(nothing, 0)
for stream in 1, 2:  # of the process, so that what C code prints goes there too
    os.dup2(nothing if check else 2, stream)
functions = load()
if check:
    sys.exit(0)

Q, K, V, h = read_case(text)
hint = [f"{path} has both functions; to check one alone, put its name behind {path}"] * (len(functions) - 1)
answers = []
for name in functions:
    items = [(Q, K, V)] if name == EINSUM else zip(Q, K, V)
    answers.append([row for item in items for row in ask(name, *item, h)])
for i, rows in enumerate(zip(answers[0], answers[-1]), 1):
    for j, (one, other) in enumerate(zip(*rows), 1):
        if one != other and float(one) != float(other):  # 0.0000 and -0.0000 are alike
            fail(1, *hint, f"{path}: row {i}, number {j}: {PLAIN} gives {one}, {EINSUM} gives {other}")
print(*(f"[{' '.join(row)}]" for row in answers[0]), sep="\n", file=stdout, flush=True)
