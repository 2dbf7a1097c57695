"""Puts one case of the exercise, from stdin, to a NumPy function in a file of your own, and prints what it returns.

    tests/run.sh --function my_solution.py

The file has multi_head_attention(Q, K, V, num_heads) for (n, d), or multi_head_attention_einsum with the same
parameters for (batch, n, d), or both: then both are checked, and a name behind my_solution.py chooses one.
It is loaded as it stands, without its `if __name__ == "__main__"` part; what it prints goes to stderr.
With --check before my_solution.py it is only loaded, and no case is read.
With --all=FOLDER,SECONDS stdin has the names of cases. This one process answers them all, each into
FOLDER/KIND/NAME.in.stdout, .stderr and, last, .status. A case that takes longer ends the process with SIGALRM.
"""
import os
import runpy
import signal
import sys
import traceback

PLAIN, EINSUM = "multi_head_attention", "multi_head_attention_einsum"


class Wrong(Exception):
    """What is wrong with an answer."""


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
    except ImportError as error:
        advice = [f"{path} needs {error.name}, which fails here: write the function with NumPy alone"]
        fail(2, f"{path} stops while it is loaded:", tell(error), *(advice if error.name else []))
    except BaseException as error:  # exit() as well
        fail(2, f"{path} stops while it is loaded (its stdin is empty here):", tell(error))
    found = {name: module[name] for name in names if name in module}
    if not found:
        own = [name for name, thing in module.items() if getattr(thing, "__module__", "") == "solution"]
        for name, thing in module.items():
            method = next((n for n in names if isinstance(thing, type) and n in vars(thing)), None)
            if method:
                fail(2, f"{path}: {method} is a method of the class {name}; below the class write "
                        f"{method} = {name}().{method}")
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


def overlook(what):
    """Notes for run.sh and stress.sh what other judges may not take."""
    if "KIT_RUN" in os.environ:
        with open(os.path.join(os.environ["KIT_RUN"], "overlooked"), "a") as file:
            print(what, file=file)


def ask(name, Q, K, V, h):
    """The rows that the function returns, each number as it is printed."""
    given = Q.copy(), K.copy(), V.copy()
    try:
        answer = functions[name](*given, h)
    except BaseException as error:
        raise Wrong(*hint, f"{path}: {name} ends with an exception:", tell(error)) from None
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
        wrong = f"a value of type {type(answer).__name__}, not a NumPy array"
    elif answer.dtype.kind not in "fiu":
        wrong = f"an array of {answer.dtype}, not of floats"
    elif answer.shape != Q.shape:
        wrong = f"an array of shape {answer.shape}, not {Q.shape}"
    else:
        return [["%.4f" % number for number in row] for row in np.asarray(answer).reshape(-1, Q.shape[-1])]
    raise Wrong(*hint, f"{path}: {name} returns {wrong}")


def solve(text):
    """The answer to a case, as text."""
    Q, K, V, h = read_case(text)
    answers = []
    for name in functions:
        items = [(Q, K, V)] if name == EINSUM else zip(Q, K, V)
        answers.append([row for item in items for row in ask(name, *item, h)])
    for i, rows in enumerate(zip(answers[0], answers[-1]), 1):
        for j, (one, other) in enumerate(zip(*rows), 1):
            if one != other and float(one) != float(other):  # 0.0000 and -0.0000 are alike
                raise Wrong(*hint, f"{path}: row {i}, number {j}: {PLAIN} gives {one}, {EINSUM} gives {other}")
    return "".join(f"[{' '.join(row)}]\n" for row in answers[0])


def solve_all(cases, folder, seconds):
    """Answers the cases that have no .status yet, in order."""
    for case in cases:
        answer = os.path.join(folder, *case.split("/")[-2:])
        if os.path.exists(answer + ".status"):
            continue
        os.makedirs(os.path.dirname(answer), exist_ok=True)
        with open(answer + ".stderr", "wb", 0) as stderr:
            os.dup2(stderr.fileno(), 1)
            os.dup2(stderr.fileno(), 2)
        status, output = 0, ""
        signal.alarm(seconds)
        try:
            with open(case, encoding="utf-8") as file:
                output = solve(file.read())
        except Wrong as wrong:
            status = 1
            sys.stdout.flush()
            os.write(2, ("\n".join(wrong.args) + "\n").encode(errors="backslashreplace"))
        signal.alarm(0)
        sys.stdout.flush()
        with open(answer + ".stdout", "w") as file:
            file.write(output)
        with open(answer + ".status", "w") as file:
            print(status, file=file)


signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C is no exception of the function's
messages = os.fdopen(os.dup(2), "w", errors="backslashreplace")
try:
    import numpy as np
except ModuleNotFoundError:
    fail(2, f"{sys.executable} has no NumPy: pip install numpy")
first = sys.argv[1] if len(sys.argv) > 1 else ""
check, everything = first == "--check", first.startswith("--all=")
words = sys.argv[1 + (check or everything) :]
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

hint = [f"{path} has both functions; to check one alone, put its name behind {path}"] * (len(functions) - 1)
if everything:
    folder, seconds = first[len("--all=") :].rsplit(",", 1)
    solve_all(text.splitlines(), folder, int(seconds))
    sys.exit(0)
try:
    print(solve(text), end="", file=stdout, flush=True)
except Wrong as wrong:
    fail(1, *wrong.args)
