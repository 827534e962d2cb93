"""Firestore's values and queries in JSON form, written short."""

import base64
import math


class Reference(str):
    """A document's full name, as a value."""


class Instant(str):
    """A time in RFC 3339, as a value."""


class Point(tuple):
    """Latitude and longitude, as a value."""


class Vector(tuple):
    """Doubles, as a vector."""


def number(double):
    """A double as JSON writes it."""
    if math.isnan(double):
        return "NaN"
    if math.isinf(double):
        return "Infinity" if double > 0 else "-Infinity"
    return double


def value(plain):
    """A Python value as a Firestore value. A dictionary `{"raw": {...}}` is one already."""
    if plain is None:
        return {"nullValue": None}
    if isinstance(plain, bool):
        return {"booleanValue": plain}
    if isinstance(plain, int):
        return {"integerValue": str(plain)}
    if isinstance(plain, float):
        return {"doubleValue": number(plain)}
    if isinstance(plain, Reference):
        return {"referenceValue": str(plain)}
    if isinstance(plain, Instant):
        return {"timestampValue": str(plain)}
    if isinstance(plain, Point):
        return {"geoPointValue": {"latitude": number(plain[0]), "longitude": number(plain[1])}}
    if isinstance(plain, Vector):
        return vector(plain)
    if isinstance(plain, str):
        return {"stringValue": plain}
    if isinstance(plain, bytes):
        return {"bytesValue": base64.b64encode(plain).decode()}
    if isinstance(plain, list):
        return {"arrayValue": {"values": [value(each) for each in plain]}}
    if list(plain) == ["raw"]:
        return plain["raw"]
    return {"mapValue": {"fields": fields(plain)}}


def vector(numbers):
    """Numbers as the map that a vector is on the wire."""
    values = [{"doubleValue": number(float(each))} for each in numbers]
    return {
        "mapValue": {
            "fields": {
                "__type__": {"stringValue": "__vector__"},
                "value": {"arrayValue": {"values": values}},
            }
        }
    }


def fields(plain):
    """A document's fields."""
    return {key: value(each) for key, each in plain.items()}


def where(path, operator, operand):
    """A filter on one field."""
    return {
        "fieldFilter": {"field": {"fieldPath": path}, "op": operator, "value": value(operand)}
    }


def unary(path, operator):
    """A filter without an operand."""
    return {"unaryFilter": {"field": {"fieldPath": path}, "op": operator}}


def every(*filters):
    """All of them hold."""
    return {"compositeFilter": {"op": "AND", "filters": list(filters)}}


def either(*filters):
    """One of them holds."""
    return {"compositeFilter": {"op": "OR", "filters": list(filters)}}


def order(*paths):
    """An order by paths, descending where one begins with a minus."""
    return [
        {
            "field": {"fieldPath": path.removeprefix("-")},
            "direction": "DESCENDING" if path.startswith("-") else "ASCENDING",
        }
        for path in paths
    ]


def cursor(*values, before=False):
    """A place in an order; `before` is startAt of a start and endBefore of an end."""
    return {"values": [value(each) for each in values], "before": before}


def collection(name, **parts):
    """A query of one collection, with further parts."""
    return {"from": [{"collectionId": name}], **parts}


def group(name, **parts):
    """A query of all collections of a name."""
    return {"from": [{"collectionId": name, "allDescendants": True}], **parts}
