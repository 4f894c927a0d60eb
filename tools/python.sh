#!/bin/sh
# Prints the Python to set up with: `python3`, or one of the system's that runs a loop at least a tenth faster. Builds
# differ: one that a version manager compiled without optimisation takes a fifth longer for everything we do. Both
# have to be 3.11 or later and able to make a venv. `make PYTHON=...` decides otherwise.
try='
import ensurepip, sys, time, venv
def loop():
    start = time.process_time()
    for number in range(60_000):
        "".join([part for part in "a b c d".split() if part != "b"]).partition("c")
    return time.process_time() - start
if sys.version_info >= (3, 11):
    print(int(min(loop() for _ in range(5)) * 1e6), sys.executable)
'
for python in python3 /usr/bin/python3 /usr/local/bin/python3 /opt/homebrew/bin/python3 \
	python3.14 python3.13 python3.12 python3.11; do
	"$python" -c "$try" 2>/dev/null
done | awk '
	NR == 1 || $1 < 0.9 * best { best = $1; path = $2 }
	END { print path ? path : "python3" }'
