"""Firestore's values and queries in JSON, in a short notation."""

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
    """Returns a double as JSON writes it."""
    if math.isnan(double):
        return "NaN"
    if math.isinf(double):
        return "Infinity" if double > 0 else "-Infinity"
    return double


def value(plain):
    """Returns a Python value as a Firestore value. The content of a dictionary `{"raw": {...}}`
    stays as it is."""
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
    """Returns numbers as a vector, which is a map in the protocol."""
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
    """Returns a document's fields."""
    return {key: value(each) for key, each in plain.items()}


def where(path, operator, operand):
    """Returns a filter on one field."""
    return {
        "fieldFilter": {"field": {"fieldPath": path}, "op": operator, "value": value(operand)}
    }


def unary(path, operator):
    """Returns a filter without an operand."""
    return {"unaryFilter": {"field": {"fieldPath": path}, "op": operator}}


def every(*filters):
    """Returns the conjunction of filters."""
    return {"compositeFilter": {"op": "AND", "filters": list(filters)}}


def either(*filters):
    """Returns the disjunction of filters."""
    return {"compositeFilter": {"op": "OR", "filters": list(filters)}}


def order(*paths):
    """Returns an order by paths. A path with a leading minus is descending."""
    return [
        {
            "field": {"fieldPath": path.removeprefix("-")},
            "direction": "DESCENDING" if path.startswith("-") else "ASCENDING",
        }
        for path in paths
    ]


def cursor(*values, before=False):
    """Returns a cursor. `before` is True for startAt as a start and for endBefore as an end."""
    return {"values": [value(each) for each in values], "before": before}


def collection(name, **parts):
    """Returns a query of one collection, with further parts."""
    return {"from": [{"collectionId": name}], **parts}


def group(name, **parts):
    """Returns a query of all collections with a name."""
    return {"from": [{"collectionId": name, "allDescendants": True}], **parts}
