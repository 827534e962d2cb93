"""The function's behavior behind either server: it records its input, and obeys orders in the data.

RECORD names the file of the inputs. `gate` is an address: the function connects to it and waits
until the gate opens. `fail` makes the function fail, `crash` ends its process, and `answer` is the
function's answer.
"""

import json
import os
import socket


class Failure(Exception):
    """The failure that an order asked for."""


def behave(received, data):
    """Records the input, and returns the answer to a call."""
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
