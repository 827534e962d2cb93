"""The function as functions-framework loads it, once for each signature."""

import base64

import functions_framework
from behaviour import behave


def call(request):
    data = request.get_json()
    traceparent = request.headers.get("traceparent")
    return behave({"call": data, "path": request.path, "traceparent": traceparent}, data)


def event(cloud_event):
    received = dict(cloud_event.get_attributes())
    data = cloud_event.get_data()
    if isinstance(data, bytes):
        received["data_base64"] = base64.b64encode(data).decode()
    elif data is not None:
        received["data"] = data
    behave({"event": received}, data)


def background(data, context):
    received = {
        "context": {
            "eventId": context.event_id,
            "timestamp": context.timestamp,
            "eventType": context.event_type,
            "resource": context.resource,
        },
        "data": data,
    }
    behave({"event": received}, data)


class Message:
    """The parameter of the signature `typed`, made of a body and turned into one."""

    def __init__(self, content):
        self.content = content

    @staticmethod
    def from_dict(content):
        return Message(content)

    def to_dict(self):
        return self.content


@functions_framework.typed
def typed(message: Message):
    return Message(behave({"call": message.content}, message.content))
