"""Runs gcloud with many command lines. Reads a list of lists of arguments from stdin, and prints a
list of each command's stderr.

usage: gcloud_many.py SDK_ROOT

gcloud takes a second to start, and a tenth to load one of its parts. Here it starts once, and the
commands of each part run in forks of it.
"""

import itertools
import json
import os
import sys
import tempfile
import traceback

sys.path[:0] = [f"{sys.argv[1]}/lib/third_party", f"{sys.argv[1]}/lib"]

from googlecloudsdk import gcloud_main  # noqa: E402


def run(gcloud, argv):
    with tempfile.TemporaryFile("w+") as said:
        os.dup2(said.fileno(), 2)
        try:
            gcloud.Execute(argv)
        except SystemExit:
            pass
        except BaseException:
            traceback.print_exc()
        sys.stderr.flush()
        said.seek(0)
        return said.read()


def run_apart(gcloud, argvs):
    with tempfile.TemporaryFile("w+") as texts:
        child = os.fork()
        if child == 0:
            try:
                with open(os.devnull, "r+") as nothing:
                    os.dup2(nothing.fileno(), 0)
                    os.dup2(nothing.fileno(), 1)
                json.dump([run(gcloud, argv) for argv in argvs], texts)
                texts.flush()
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        texts.seek(0)
        return json.load(texts)


def part(argv):
    return argv[:2]


gcloud = gcloud_main.CreateCLI([])
argvs = json.load(sys.stdin)
said = {}
for _, some in itertools.groupby(sorted(argvs, key=part), key=part):
    some = list(some)
    said |= zip(map(tuple, some), run_apart(gcloud, some))
print(json.dumps([said[tuple(argv)] for argv in argvs]))
