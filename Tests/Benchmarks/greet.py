#!/usr/bin/env python3
"""The trivial function of serve_speed.py in Python: a module for functions-framework, and a worker.
"""

import json
import sys


def greeting(data):
    return {"greeting": f"Hello, {data['name']}!"}


def greet(request):
    return greeting(request.get_json())


def main():
    if sys.argv[1:] == ["--describe"]:
        print(json.dumps({"contract": 1, "name": "greet", "callable": True, "worker": True}))
        return
    print(json.dumps({"contract": 1, "function": "greet", "ready": True}), flush=True)
    for line in sys.stdin:
        read = json.loads(line)
        answer = {
            "contract": 1,
            "function": "greet",
            "invocationId": read["invocation"]["id"],
            "status": "ok",
            "exitCode": 0,
            "result": greeting(read["event"]["data"]),
        }
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
