"""What the function does, behind whichever server: it writes down what it got, and obeys orders in it.

RECORD names the file. Orders stand in the data: `gate` names an address, to which the function connects
and then waits until it is let go; `fail` makes it fail, `crash` ends its process; `answer` is what it
answers.
"""

import json
import os
import socket


class Failure(Exception):
    """The function was told to fail."""


def behave(received, data):
    """Writes down what was received. Returns the answer to a call."""
    line = json.dumps(received) + "\n"
    file = os.open(os.environ["RECORD"], os.O_WRONLY | os.O_APPEND)
    os.write(file, line.encode())
    os.close(file)
    orders = data if isinstance(data, dict) else {}
    if gate := orders.get("gate"):
        host, port = gate.rsplit(":", 1)
        with socket.create_connection((host, int(port))) as connection:
            connection.recv(1)
    if orders.get("crash"):
        os._exit(1)
    if orders.get("fail"):
        raise Failure
    return orders.get("answer", {"payload": data})
