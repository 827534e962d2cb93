"""What translateMessage costs as a process, against `python3 -I -S -c pass` in the same run.

Runs under `emulator exec` (make bench). The call is answered from the cache, so that the cost is
the process's own: start, one read and one write over loopback, one line out. The two programs
take turns, and the ratio of their medians is what counts: times on a shared machine are not.
"""

import shutil
import statistics
import subprocess
import sys
import time

ROUNDS = 200
CALL = b'{"text":"See you tomorrow!","sourceLang":"en","targetLang":"it"}'


def measure(command, stdin=b""):
    start = time.perf_counter()
    process = subprocess.run(command, input=stdin, stdout=subprocess.PIPE, check=True)
    return (time.perf_counter() - start) * 1000, process.stdout


def main():
    function = shutil.which("translateMessage")
    python = [sys.executable, "-I", "-S", "-c", "pass"]
    measure([function], CALL)
    functions, pythons = [], []
    for _ in range(ROUNDS):
        elapsed, line = measure([function], CALL)
        if b'"cacheHits":1' not in line:
            sys.exit(f"not answered from the cache: {line}")
        functions.append(elapsed)
        pythons.append(measure(python)[0])
    ours, theirs = statistics.median(functions), statistics.median(pythons)
    print(f"translateMessage, cache hit   median {ours:6.2f} ms")
    print(f"python3 -I -S -c pass         median {theirs:6.2f} ms")
    print(f"ratio                         {ours / theirs:6.2f}")


if __name__ == "__main__":
    main()
