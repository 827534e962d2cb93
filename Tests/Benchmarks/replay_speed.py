"""The time to replay a thousand fixtures: the recorded ones, copied under new names.

Usage: replay_speed.py EMULATOR [COUNT]
"""

import shutil
import subprocess
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path

RECORDINGS = Path(__file__).parent.parent / "Recordings"


def main():
    emulator = Path(sys.argv[1]).resolve()
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000
    originals = sorted(RECORDINGS.glob("*/*.json"))
    with tempfile.TemporaryDirectory() as folder:
        for number, original in enumerate(islice(cycle(originals), count)):
            shutil.copy(original, f"{folder}/{original.parent.name}-{number}.json")
        start = time.monotonic()
        run = subprocess.run([emulator, "replay", folder], capture_output=True, text=True)
        seconds = time.monotonic() - start
    print(run.stdout.splitlines()[-1])
    print(f"{count} fixtures of {len(originals)} kinds in {seconds:.1f} s")
    return run.returncode


sys.exit(main())
