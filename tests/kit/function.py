"""Puts inputs of the exercise to a NumPy function in a file of your own, and prints what it returns.

    tests/run.sh --function my_solution.py
    python3 tests/kit/function.py my_solution.py < tests/judge/example-stdin.in

The file has multi_head_attention(Q, K, V, num_heads) for (n, d), or multi_head_attention_einsum with the same
parameters for (batch, n, d), or both: then both are checked. A name behind my_solution.py chooses one, or another
function, which is called as it can be. The file is loaded as it stands, without its `if __name__ == "__main__"` part;
what it prints goes to stderr. With an empty stdin it is only loaded.
With --serve as the last word stdin has the names of inputs. This one process answers them all, and writes a status for
each to file descriptor 3.
"""
import functools
import linecache
import os
import re
import runpy
import signal
import sys
import traceback

PLAIN, EINSUM = "multi_head_attention", "multi_head_attention_einsum"


class Wrong(Exception):
    """What is wrong with an answer."""


def say(*lines):
    for stream in sys.stdout, sys.stderr:
        stream.flush()  # what the user's file printed comes first
    os.write(2, "".join(line + "\n" for line in lines).encode(errors="backslashreplace"))


def fail(*lines):
    say(*lines)
    sys.exit(2)


def tell(error):
    """The lines of the traceback that are in the user's file, and last the error itself."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    lines = traceback.format_list(frames)
    if len(lines) > 6:  # a recursion without end
        lines[3:-3] = ["  ...\n"]
    return "".join(lines + traceback.format_exception_only(type(error), error)).rstrip()


def advise(error=None):
    """What to do instead, where the file imports what is not NumPy."""
    torch = re.search(r"^\s*(?:import|from)\s+(torch)\b", "".join(linecache.getlines(path)), re.MULTILINE)
    library = error.name if isinstance(error, ImportError) else torch and torch.group(1)
    return [f"{path} imports {library}: write the function with NumPy alone"] if library else []


@functools.lru_cache(None)
def load():
    """The functions of the user's file, by name."""
    global np
    try:
        import numpy as np
    except ImportError as error:
        fail(f"{sys.executable} cannot load NumPy ({str(error).strip().splitlines()[0]}): pip install numpy")
    if not os.path.isfile(path):
        fail(f"{path}: there is no such file")
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    try:
        module = runpy.run_path(path, run_name="solution")
    except BaseException as error:  # exit() as well
        fail(f"{path} stops while it is loaded (its stdin is empty here):", tell(error), *advise(error))
    found = {name: module[name] for name in names if callable(module.get(name))}
    if not found:
        own = [name for name, thing in module.items() if getattr(thing, "__module__", "") == "solution"]
        for name, thing in module.items():
            method = next((n for n in names if isinstance(thing, type) and n in vars(thing)), None)
            if method:
                fail(f"{path}: {method} is a method of the class {name}; below the class write "
                     f"{method} = {name}().{method}")
        only = f", only {', '.join(own)}" if own else ""
        fail(f"{path} has no function {' or '.join(names)} at its top level{only}")
    return found


def read_case(text):
    """Q, K and V, each (batch, n, d), and the number of heads."""
    text = text.translate(str.maketrans("[],", "   ")).strip()
    words = text.split()
    if len(text.split("\n")[0].split()) != 5:  # n d h, which is a batch of one
        words[:1] = ["1", words[0], words[0]]
    b, n_q, n_k, d, h = (int(word) for word in words[:5])
    numbers = np.array([float(word) for word in words[5:]])
    Q, K, V = np.split(numbers, [b * n_q * d, b * (n_q + n_k) * d])
    return Q.reshape(b, n_q, d), K.reshape(b, n_k, d), V.reshape(b, n_k, d), h


def overlook(what):
    """Notes for run.sh and stress.sh what other judges may not take."""
    if "KIT_RUN" in os.environ:
        with open(os.path.join(os.environ["KIT_RUN"], "overlooked"), "a") as file:
            print(what, file=file)


def ask(name, Q, K, V, h):
    """The rows that the function returns, each number as it is printed."""
    given = Q.copy(), K.copy(), V.copy()
    try:
        answer = load()[name](*given, h)
    except BaseException as error:
        raise Wrong(f"{path}: {name} ends with an exception:", tell(error), *advise(error)) from None
    if not all(map(np.array_equal, given, (Q, K, V))):
        overlook(f"{name} writes into Q, K or V")
    if isinstance(answer, list):
        try:
            answer = np.array(answer, float)
            overlook(f"{name} returns a list, not a NumPy array")
        except (TypeError, ValueError):
            pass
    if answer is None:
        wrong = "None: is the return missing?"
    elif isinstance(answer, tuple):
        wrong = f"{len(answer)} things, not the output alone"
    elif not isinstance(answer, np.ndarray):
        wrong = "\n".join([f"a value of type {type(answer).__name__}, not a NumPy array", *advise()])
    elif answer.dtype.kind not in "fiu":
        wrong = f"an array of {answer.dtype}, not of floats"
    elif answer.shape != Q.shape:
        wrong = f"an array of shape {answer.shape}, not {Q.shape} like Q"
    else:
        return show(answer)
    raise Wrong(f"{path}: {name} returns {wrong}")


def show(rows):
    return [["%.4f" % number for number in row] for row in np.asarray(rows).reshape(-1, rows.shape[-1])]


@functools.lru_cache(None)
def takes_batches(name):
    """Whether it is called on (batch, n, d). A function with another name is tried on three tokens of two heads: one
    that takes tokens for a batch, or a batch for tokens, fails or gives V back."""
    V = np.arange(12).reshape(1, 3, 4) / 12

    def rows(X):
        try:
            return ask(name, X, X, X, 2)
        except Wrong:
            return show(V)

    return name == EINSUM or name != PLAIN and rows(V[0]) == show(V) != rows(V)


def solve(text):
    """The answer to a case, as text."""
    functions = load()
    if not text:
        return ""
    Q, K, V, h = read_case(text)
    answers = []
    for name in functions:
        items = [(Q, K, V)] if takes_batches(name) else zip(Q, K, V)
        answers.append([row for item in items for row in ask(name, *item, h)])
    for i, rows in enumerate(zip(answers[0], answers[-1]), 1):
        for j, (one, other) in enumerate(zip(*rows), 1):
            if one != other and float(one) != float(other):  # 0.0000 and -0.0000 are alike
                raise Wrong(f"{path}: row {i}, number {j}: {PLAIN} gives {one}, {EINSUM} gives {other}")
    return "".join(f"[{' '.join(row)}]\n" for row in answers[0])


def answer(text):
    """Prints the answer to a case, and returns the status."""
    try:
        print(solve(text), end="", file=stdout, flush=True)
    except Wrong as wrong:
        hint = [f"{path} has both functions; to check one alone, put its name behind {path}"] * (len(load()) - 1)
        say(*hint, *wrong.args)
        return 1
    say()
    return 0


signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C is no exception of the function's
serving = sys.argv[-1] == "--serve"
words = sys.argv[1 : len(sys.argv) - serving]
if len(words) not in (1, 2):
    fail("usage: function.py my_solution.py [NAME OF THE FUNCTION] [--serve]")
path, names = words[0], words[1:] or [PLAIN, EINSUM]

stdin = os.fdopen(os.dup(0), encoding="utf-8-sig", errors="surrogateescape")
stdout = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
os.dup2(2, 1)  # of the process, so that what C code prints goes there too
if not serving:
    sys.exit(answer(stdin.read()))
here = os.getcwd()
told = os.fdopen(os.dup(3), "w")
os.close(3)  # what the user's file starts does not get the copy
for name in stdin:
    os.chdir(here)
    with open(name.rstrip("\n"), encoding="utf-8-sig") as file:
        status = answer(file.read())
    print(status, file=told, flush=True)
