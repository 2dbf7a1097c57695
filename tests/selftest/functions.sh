#!/bin/sh
# Tests kit/function.py: small functions, each with all that must come of it. It needs python3 with NumPy.
# shellcheck source=tests/selftest/lib.sh
. "${0%/*}/lib.sh"

tests=$PWD/tests
function=$tests/kit/function.py
cd "$scratch" || exit 1
has_numpy=
! python3 -c 'import numpy' 2>/dev/null || has_numpy=yes
unset PYTHONUNBUFFERED
export OPENBLAS_NUM_THREADS=1 # with more it takes longer to start

# expect TEXT COMMAND...: the COMMAND, with case.in as its stdin, prints the TEXT: its stdout, then its stderr, each
# line behind "! ", then its status where that is not 0. Lines of ^ are left out: Python versions differ there.
expect() {
    echo "$1" >expected
    shift
    [ "$has_numpy" ] || { skip functions 'there is no python3 with NumPy'; return; }
    limited "$@" <case.in >found 2>messages
    status=$?
    grep -v '^[ ~^]*$' messages | sed 's/^/! /' >>found
    [ $status -eq 0 ] || echo "status $status" >>found
    [ -s found ] || echo nothing >found
    if diff expected found >differences; then
        pass
    else
        cat f.py >>differences
        failure "$* (< expected, > found), with f.py:" differences
    fi
}

# plain BODY TEXT: a file with multi_head_attention of this BODY gives the TEXT.
plain() {
    printf 'def multi_head_attention(Q, K, V, num_heads):\n    %s\n' "$1" >f.py
    expect "$2" python3 "$function" f.py
}

# both BODY BODY TEXT: the same of multi_head_attention and multi_head_attention_einsum.
both() {
    printf 'def multi_head_attention%s(Q, K, V, h):\n    %s\n' '' "$1" _einsum "$2" >f.py
    expect "$3" python3 "$function" f.py
}

# What a function is given
echo '1 2 2  1 2 3 4 5 6' >case.in
plain 'return Q + 10 * K + 100 * V + 1000 * num_heads' '[2531.0000 2642.0000]'
plain 'assert all(X.dtype == float and X.flags.carray and X.shape == (1, 2) for X in (Q, K, V)); return V' \
    '[5.0000 6.0000]'
both 'W = V + 0; Q[:] = K[:] = V[:] = 9; return W' 'return V' '[5.0000 6.0000]'
printf '\357\273\277\r\n[2, 2 1 2\t1]\r\n[[[1, 2]\f[.3e1 4.]]\r\n[[5 6][+7 8]]]\r\n0 0 0 0\r\n1 2 3 4' >case.in
items='[101.0000 202.0000]
[103.0000 204.0000]
[305.0000 406.0000]
[307.0000 408.0000]'
both 'return Q + 100 * V' 'return Q + 100 * V' "$items"
expect "$items" python3 "$function" f.py multi_head_attention_einsum

# What it returns
echo '2 2 1  1 2 3 4  1 2 3 4  1 2 3 4' >case.in
plain 'return (V / 3).astype("float32")' '[0.3333 0.6667]
[1.0000 1.3333]'
plain 'return V * float("nan")' '[nan nan]
[nan nan]'
plain 'print("a word"); Q + K' '! a word
! f.py: multi_head_attention returns None: is the return missing?
status 1'
plain 'return V, Q' '! f.py: multi_head_attention returns 2 things, not the output alone
status 1'
plain 'return [[1], [2, 3]]' '! f.py: multi_head_attention returns a value of type list, not a NumPy array
status 1'
plain 'return V.astype(object)' '! f.py: multi_head_attention returns an array of object, not of floats
status 1'
plain 'return V.reshape(2, 2, 1)' '! f.py: multi_head_attention returns an array of shape (2, 2, 1), not (2, 2) like Q
status 1'
both 'return V' 'pass' '! f.py has both functions; to check one alone, put its name behind f.py
! f.py: multi_head_attention_einsum returns None: is the return missing?
status 1'
expect '[1.0000 2.0000]
[3.0000 4.0000]' python3 "$function" f.py multi_head_attention
both 'return V' 'V[0, 1, 0] += 1; return V' '! f.py has both functions; to check one alone, put its name behind f.py
! f.py: row 2, number 1: multi_head_attention gives 3.0000, multi_head_attention_einsum gives 4.0000
status 1'
both 'return 0 * V' 'return -0.0 * V' '[0.0000 0.0000]
[0.0000 0.0000]'

# Another function is called on (n, d) or (batch, n, d), as it can be
for body in 'n, d = Q.shape; return V[::-1]' 'b, n, d = Q.shape; return V[:, ::-1]' \
    'return V.reshape(len(V), -1, V.shape[-1])[:, ::-1].reshape(V.shape)'; do
    printf 'def attend(Q, K, V, h):\n    %s\n' "$body" >f.py
    expect '[3.0000 4.0000]
[1.0000 2.0000]' python3 "$function" f.py attend
done

# What it does besides
echo '1 1 1  1 2 3' >case.in
plain 'import os; print("a word", flush=True); os.system("echo another"); return V' '[3.0000]
! a word
! another'
plain 'import sys; return V + len(sys.stdin.read()) + len(open(0).read())' '[3.0000]'
plain 'import numpy; return numpy.split(V, 3)' '! f.py: multi_head_attention ends with an exception:
!   File "f.py", line 2, in multi_head_attention
!     import numpy; return numpy.split(V, 3)
! ValueError: array split does not result in an equal division
status 1'
plain 'exit(0)' '! f.py: multi_head_attention ends with an exception:
!   File "f.py", line 2, in multi_head_attention
!     exit(0)
! SystemExit: 0
status 1'
plain 'import os, signal; os.kill(os.getpid(), signal.SIGINT)' 'status 130'
cat >f.py <<'END'
def multi_head_attention(*words): return even(*words)
def even(*words): return multi_head_attention(*words)
END
# shellcheck disable=SC2016 # for the inner sh
expect 7 sh -c 'python3 "$0" f.py 2>&1 | grep -c -e " File" -e " \.\.\."' "$function"

# The file
mkdir folder
cat >'folder/-a b' <<'END'
import os, sys
print("stdin has", len(sys.stdin.read()), file=sys.stderr, flush=True)
import helper
multi_head_attention = lambda Q, K, V, h: helper.third(Q, K, V)
class Solution:
    def attend(self, Q, K, V, h): return Q
attend = Solution().attend
helper.data = open(os.path.join(os.path.dirname(__file__), "data")).read()
os.system("echo shell")
if __name__ == "__main__":
    exit(3)
END
echo 'def third(*words): return words[2] + float(data)' >folder/helper.py
echo 0.5 >folder/data
expect '[3.5000]
! stdin has 0
! shell' python3 "$function" 'folder/-a b'
# shellcheck disable=SC2016
expect '[1.0000]
! stdin has 0
! shell' sh -c 'cd folder && exec python3 "$0" "-a b" attend' "$function"

# refused CONTENTS TEXT: a file of these CONTENTS is not taken.
refused() {
    printf '%b\n' "$1" >f.py
    expect "$2
status 2" python3 "$function" f.py
}
none='! f.py has no function multi_head_attention or multi_head_attention_einsum at its top level'
refused '' "$none"
refused 'def attention(): pass\nclass Solution: pass\nimport os' "$none, only attention, Solution"
refused 'exit(0)' '! f.py stops while it is loaded (its stdin is empty here):
!   File "f.py", line 1, in <module>
!     exit(0)
! SystemExit: 0'
refused 'class Solution:\n    def multi_head_attention(self, Q, K, V, h): return V' '! f.py: multi_head_attention is '\
'a method of the class Solution; below the class write multi_head_attention = Solution().multi_head_attention'
refused 'import no_torch' '! f.py stops while it is loaded (its stdin is empty here):
!   File "f.py", line 1, in <module>
!     import no_torch
! ModuleNotFoundError: No module named '"'no_torch'
! f.py imports no_torch: write the function with NumPy alone"
echo 'raise OSError("libtorch.so")' >torch.py
refused 'import torch' '! f.py stops while it is loaded (its stdin is empty here):
!   File "f.py", line 1, in <module>
!     import torch
! OSError: libtorch.so
! f.py imports torch: write the function with NumPy alone'
echo >torch.py
plain 'import torch; raise TypeError("no Tensor")' '! f.py: multi_head_attention ends with an exception:
!   File "f.py", line 2, in multi_head_attention
!     import torch; raise TypeError("no Tensor")
! TypeError: no Tensor
! f.py imports torch: write the function with NumPy alone
status 1'
plain 'return V' '[3.0000]'
expect '! f.py has no function attention at its top level, only multi_head_attention
status 2' python3 "$function" f.py attention
expect '! g.py: there is no such file
status 2' python3 "$function" g.py
expect '! usage: function.py my_solution.py [NAME OF THE FUNCTION] [--serve]
status 2' python3 "$function"

finish
