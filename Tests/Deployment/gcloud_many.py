"""Runs gcloud with many command lines, and prints what each says on stderr: a list of lists of arguments on
stdin, a list of texts on stdout.

usage: gcloud_many.py SDK_ROOT

gcloud itself takes a second to begin. Here it begins once, and each command is a fork of that.
"""

import json
import os
import sys
import tempfile
import traceback

sys.path[:0] = [f"{sys.argv[1]}/lib/third_party", f"{sys.argv[1]}/lib"]

from googlecloudsdk import gcloud_main  # noqa: E402


def run(gcloud, argv):
    with tempfile.TemporaryFile("w+") as said:
        child = os.fork()
        if child == 0:
            status = 70
            try:
                with open(os.devnull, "r+") as nothing:
                    os.dup2(nothing.fileno(), 0)
                    os.dup2(nothing.fileno(), 1)
                os.dup2(said.fileno(), 2)
                gcloud.Execute(argv)
                status = 0
            except SystemExit as ended:
                status = ended.code if isinstance(ended.code, int) else 1
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(status)
        os.waitpid(child, 0)
        said.seek(0)
        return said.read()


gcloud = gcloud_main.CreateCLI([])
print(json.dumps([run(gcloud, argv) for argv in json.load(sys.stdin)]))
