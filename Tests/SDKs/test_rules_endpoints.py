"""The routes that set and report security rules: Google's emulator and ours answer alike, and the
requests of @firebase/rules-unit-testing work."""

import http.client
import json
import os
import uuid

import pytest
from firestore.tokens import unsigned

RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{db}/documents {
    match /t/{id} {
      allow get: if %s;
      allow write: if false;
    }
  }
}
"""
WARNED = """service cloud.firestore {
  match /databases/{db}/documents {
    match /t/{id} {
      allow get: if nofn() && undef == 1;
    }
  }
}
"""


class Side:
    """An emulator, with a new project for each test."""

    def __init__(self, address):
        self.server = http.client.HTTPConnection(address, timeout=60)
        self.begin()

    def begin(self):
        self.project = f"demo-rules-{uuid.uuid4().hex[:12]}"
        self.documents = f"/v1/projects/{self.project}/databases/(default)/documents"

    def send(self, method, path, body=None, token=None):
        """Returns the status and the JSON of the answer."""
        headers = {"content-type": "text/plain;charset=UTF-8"}
        if token:
            headers["authorization"] = f"Bearer {token}"
        data = body if body is None or isinstance(body, str) else json.dumps(body)
        self.server.request(method, path, data, headers)
        answer = self.server.getresponse()
        text = answer.read().decode()
        try:
            # Google's emulator writes whole numbers as 2.0, ours as 2.
            return answer.status, json.loads(text, parse_int=float)
        except ValueError:
            return answer.status, text

    def route(self, method, verb="securityRules", body=None):
        return self.send(method, f"/emulator/v1/projects/{self.project}:{verb}", body)

    def put(self, *contents, **other):
        files = [{"name": "x.rules", "content": content} for content in contents]
        return self.route("PUT", body={"rules": {"files": files}, **other})

    def get(self, path, token=None):
        return self.send("GET", f"{self.documents}/{path}", token=token)

    def user(self, uid):
        return unsigned(uid, self.project)

    def write(self, path, fields):
        status, _ = self.send("PATCH", f"{self.documents}/{path}", {"fields": fields}, "owner")
        assert status == 200


@pytest.fixture(autouse=True)
def projects(request):
    if "sides" in request.fixturenames:
        for side in request.getfixturevalue("sides"):
            side.begin()


@pytest.fixture
def ours():
    side = Side(os.environ["FIRESTORE_EMULATOR_HOST"])
    yield side
    side.server.close()


def alike(sides, ask):
    """Checks that both sides give the same answer, and returns it."""
    google, ours = map(ask, sides)
    assert ours == google
    return ours


# MARK: Rules


@pytest.mark.parametrize("content", [RULES % "true", WARNED, "", "service x {", "\n\nservice x"])
@pytest.mark.parametrize("other", [{}, {"ignore_errors": True}, {"ignore_errors": False}])
def test_rules_are_set_and_returned_alike(sides, content, other):
    alike(sides, lambda side: side.put(RULES % "id == 'old'"))
    alike(sides, lambda side: side.put(content, **other))
    alike(sides, lambda side: side.route("GET"))
    for path in "t/old", "t/new", "u/new":
        alike(sides, lambda side: denial(side.get(path)))


def denial(answer):
    """Returns the status and, of refusals, the message."""
    status, body = answer
    if status not in (400, 403):
        return status, None
    # Google's emulator may evaluate a statement twice.
    return status, set(body["error"]["message"].strip().split(", "))


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "null",
        "3",
        [],
        {"rules": 3},
        {"rules": {"files": 3}},
        {"rules": {"files": {"content": RULES % "true"}}},
        {"rules": {"files": [{"content": RULES % "true", "zz": 1}]}},
        {"rules": {"files": [{"content": RULES % "true"}], "language": "X"}},
        {"rules": {"files": [{"content": RULES % "true"}]}, "zz": 1},
        {"rules": {"files": [{"content": RULES % "true"}]}, "ignore_errors": 1},
        {"rules": {"files": []}},
        {"rules": {}},
        {},
    ],
    ids=str,
)
def test_malformed_requests_are_refused(sides, body):
    alike(sides, lambda side: side.put(RULES % "id == 'old'"))
    (google, _), (ours, error) = (side.route("PUT", body=body) for side in sides)
    assert google in (400, 500)
    assert ours == 400
    assert error["error"]["status"] == "INVALID_ARGUMENT"
    assert error["error"]["message"].startswith("Payload isn't valid for request: ")
    alike(sides, lambda side: side.route("GET"))


@pytest.mark.parametrize(
    "body",
    [
        {"rules": {"files": [{"content": RULES % "true"}]}},
        {"rules": {"files": [{"name": None, "content": RULES % "true"}]}},
        {"rules": {"files": [{"content": RULES % "true"}]}, "ignore_errors": None},
        {"rules": {"files": [{"content": "service x {"}]}, "ignore_errors": "true"},
        {"rules": {"files": [{"content": "service x {"}]}, "ignoreErrors": True},
        {"rules": {"files": [{"name": "x"}]}},
        {"rules": {"files": [{}]}},
    ],
    ids=str,
)
def test_other_forms_are_accepted_alike(sides, body):
    alike(sides, lambda side: side.put(RULES % "id == 'old'"))
    alike(sides, lambda side: side.route("PUT", body=body))
    alike(sides, lambda side: side.route("GET"))


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("{", "the body: not valid JSON"),
        ([], "the body must be a JSON object"),
        ({"rules": {}}, "rules.files must be an array"),
    ],
    ids=str,
)
def test_the_reason_of_a_refusal_is_named(ours, body, reason):
    """Google's emulator answers some of these with 500."""
    _, error = ours.route("PUT", body=body)
    assert error["error"]["message"].startswith(f"Payload isn't valid for request: {reason}")


def test_deleted_rules_are_replaced_by_those_of_the_emulator(ours):
    """Google's emulator has no such route."""
    assert ours.route("DELETE") == (200, {})
    assert ours.put("service x {", ignore_errors=True)[0] == 200
    assert ours.get("t/x")[0] == 400
    assert ours.route("DELETE") == (200, {})
    assert ours.get("t/x")[0] == 404
    _, answer = ours.route("GET")
    assert answer["rules"]["files"][0]["name"] == "OPEN_RULES"


def test_many_errors_are_counted(ours):
    errors = "".join(f"function f() {{ return {n}; }}" for n in range(51))
    content = "rules_version = '2';" + errors + "service cloud.firestore { match /a { allow read; } }"
    status, answer = ours.put(content)
    lines = answer["error"]["message"].split("\n")
    assert status == 400 and lines[0] == "Error compiling rules:"
    assert len(lines) == 22 and lines[-1] == "and 30 more"
    _, answer = ours.put(content, ignore_errors=True)
    assert sum(issue["severity"] == "ERROR" for issue in answer["issues"]) == 50


@pytest.mark.parametrize("count", [20, 25])
def test_a_denial_names_up_to_20_statements(sides, count):
    content = RULES % "; ".join(["false"] + ["allow get: if false"] * (count - 1))
    google, ours = (
        side.put(content)[0] == 200 and side.get("t/x")[1]["error"]["message"] for side in sides
    )
    reasons = ["false for 'get' @ L5"] * count
    assert google == "\n" + ", ".join(reasons)
    if count > 20:
        reasons[20:] = ["and 5 more"]
    assert ours == "\n" + ", ".join(reasons)


def test_a_written_document_is_returned_to_its_writer(sides):
    """The writer may not get it."""
    for side in sides:
        side.put((RULES % "false").replace("write: if false", "write"))
        side.write("t/x", {"secret": {"stringValue": "s"}})
        body = {"fields": {"f": {"nullValue": None}}}
        path = f"{side.documents}/t/x?updateMask.fieldPaths=f"
        status, document = side.send("PATCH", path, body)
        assert status == 200
        assert set(document["fields"]) == {"secret", "f"}
        assert side.get("t/x")[0] == 403


@pytest.mark.parametrize("method", ["POST", "PATCH"])
def test_other_methods_do_not_exist(sides, method):
    assert [side.route(method)[0] for side in sides] == [404, 404]


def test_a_project_without_own_rules_has_those_of_the_emulator(sides):
    for verb in "securityRules", "ruleCoverage":
        for side in sides:
            status, answer = side.route("GET", verb)
            (file,) = answer["rules"]["files"]
            assert (status, file["name"]) == (200, "OPEN_RULES")
            assert "report" not in answer


def test_several_files_are_refused(ours):
    """Google's emulator uses the first one only."""
    status, answer = ours.put(RULES % "true", RULES % "false")
    assert (status, answer["error"]["status"]) == (400, "INVALID_ARGUMENT")
    assert "send all rules in one file" in answer["error"]["message"]


def test_rules_of_one_project_are_not_those_of_another(sides):
    for side in sides:
        side.put(RULES % "false")
        assert side.get("t/x")[0] == 403
        side.begin()
        assert side.get("t/x")[0] == 404


# MARK: Coverage


def simplified(node, counted):
    """Returns an expression's place and values, without what only Google's first pass adds."""
    values = []
    for each in node.get("values", []):
        value = each["value"]
        if value == {"undefined": {}}:
            continue
        if "undefined" in value:
            # Google's position of an operator's error is that of the operator.
            value = value["undefined"]["causeMessage"]
        elif "mapValue" in value and "method" in value["mapValue"].get("fields", {}):
            value = "the request"
        values.append((json.dumps(value, sort_keys=True), each["count"] if counted else 1))
    children = [simplified(child, counted) for child in node.get("children", [])]
    return node["sourcePosition"], sorted(set(values)), children


def covered(side, counted=False):
    status, answer = side.route("GET", "ruleCoverage")
    assert status == 200
    return [simplified(node, counted) for node in answer.get("report", [])]


@pytest.mark.parametrize(
    "condition",
    [
        "true",
        "id == 'x'",
        "id in ['x', id]",
        "id[0:1] == 'x' && id[0] == 'x'",
        "id == 'x' || id == 'y'",
        "id == 'x' && (id == 'y' || id == 'z')",
        "id.size() == 1 ? id == 'y' : id == 'z'",
        "!(id is string)",
        "-(id.size()) == -1",
        "[id, 1].toSet() == [1].toSet()",
        "{'a': id, 'b': [1, {}]} == {'a': 1}",
        "path('/a/b') == /a/b",
        "duration.value(-1500, 'ms') == duration.value(0, 's')",
        "latlng.value(0.0, 2.5) == latlng.value(0, 0)",
        "timestamp.value(1500) == timestamp.date(2020, 1, 1)",
        "{'a': 1, 'b': 2, 'c': 3}.diff({'a': 2, 'b': 2, 'd': 1}).addedKeys().size() == 1",
        "math.sqrt(-1.0) == 1 || math.pow(2, 0.5) == 2.0",
        "hashing.md5(id) == b'abc'",
        "1 / (id.size() - 1) == 1",
        "undefined == 1",
        "string(1) + id == '1x'",
        "exists(/databases/$(db)/documents/t/$(id))",
    ],
)
def test_expressions_are_covered_alike(sides, condition):
    for side in sides:
        side.write("t/x", {})
        assert side.put(RULES % condition)[0] == 200
        side.get("t/x")
        side.get("t/y")
    alike(sides, covered)


@pytest.mark.parametrize(
    "field",
    [
        {"integerValue": "0"},
        {"doubleValue": 1.5},
        {"doubleValue": 0},
        {"stringValue": ""},
        {"stringValue": "hi"},
        {"booleanValue": False},
        {"nullValue": None},
        {"timestampValue": "2026-01-02T03:04:05.678Z"},
        {"bytesValue": "AAEC"},
        {"geoPointValue": {"latitude": 1.5, "longitude": -2}},
        {"referenceValue": "projects/demo-test/databases/(default)/documents/t/x"},
        {"arrayValue": {"values": [{"integerValue": "1"}, {"nullValue": None}]}},
        {"arrayValue": {}},
        {"mapValue": {"fields": {"a": {"stringValue": "b"}}}},
        {"mapValue": {}},
    ],
    ids=str,
)
def test_values_are_written_alike(sides, field):
    for side in sides:
        side.write("t/x", {"f": field})
        assert side.put(RULES % "resource.data.f == 1")[0] == 200
        side.get("t/x")
    alike(sides, covered)


def test_evaluations_are_counted_alike(sides):
    for side in sides:
        side.put(RULES % "id == 'x' || id == 'y'")
        for path in ["t/x"] * 3 + ["t/y", "t/z", "u/x"]:
            side.get(path)
    report = alike(sides, lambda side: covered(side, counted=True))
    assert json.dumps(report).count("boolValue") == 6
    for side in sides:
        side.put(RULES % "id == 'x' || id == 'y'")
    assert alike(sides, covered)[0][1] == []


def test_functions_come_first(sides):
    rules = """rules_version = '2';
service cloud.firestore {
  function outer(a) { return a == 'x'; }
  match /databases/{db}/documents {
    function inner(a) { return outer(a) || a == 'y'; }
    match /t/{id} {
      allow get: if inner(id);
      function innermost() { return id == 'z'; }
      match /u/{other} { allow read: if innermost(); }
    }
    match /v/{id} { allow create; }
  }
}
"""
    for side in sides:
        side.put(rules)
        for path in "t/x", "t/y", "t/x/u/y":
            side.get(path)
    alike(sides, lambda side: covered(side, counted=True))


def test_many_values_are_counted_together(ours):
    ours.put(RULES % "id == 'x'")
    for number in range(30):
        ours.get(f"t/{number}")
    ((_, results, ((_, values, _),)),) = covered(ours, counted=True)
    assert results == [('{"boolValue": false}', 30)]
    assert len(values) == 21
    assert ('{"otherValues": {}}', 10) in values


def test_coverage_has_a_page(ours):
    """Google's emulator 1.19.9 has none, although Firebase's tools link to it."""
    ours.put(RULES % "id == '<b>' || id == 'x'")
    ours.get("t/x")
    status, page = ours.route("GET", "ruleCoverage.html")
    assert status == 200
    assert "id == '&lt;b&gt;'" in page
    assert "<b>" not in page
    assert "&#39;" not in page and "<i>true ×1</i>" in page


def test_the_page_of_coverage_has_the_lines_of_the_compiler(ours):
    content = "// a\u2028b\fc\n" + RULES % "id == 'x'"
    ours.route("PUT", body={"rules": {"files": [{"content": content}]}})
    ours.get("t/x")
    _, page = ours.route("GET", "ruleCoverage.html")
    line = content[: content.index("id == 'x'")].count("\n") + 1
    assert f'<tr class="evaluated"><td>{line}</td>' in page
    assert "<p>the number of evaluations" in page


# MARK: @firebase/rules-unit-testing


def test_the_requests_of_rules_unit_testing_work(ours):
    hub = Side(os.environ["FIREBASE_EMULATOR_HUB"])
    status, found = hub.send("GET", "/emulators")
    assert status == 200
    host = f"{found['firestore']['host']}:{int(found['firestore']['port'])}"
    assert host == os.environ["FIRESTORE_EMULATOR_HOST"]

    # initializeTestEnvironment: the file has no name, and the body no media type of JSON.
    rules = {"rules": {"files": [{"content": RULES % "request.auth.uid == id"}]}}
    assert ours.route("PUT", body=rules) == (200, {})
    broken = {"rules": {"files": [{"content": "service x {"}]}}
    status, error = ours.route("PUT", body=broken)
    assert (status, error["error"]["status"]) == (400, "INVALID_ARGUMENT")

    # withSecurityRulesDisabled, authenticatedContext and unauthenticatedContext.
    ours.write("t/alice", {"name": {"stringValue": "Alice"}})
    assert ours.get("t/alice", ours.user("alice"))[0] == 200
    assert ours.get("t/alice", ours.user("bob"))[0] == 403
    status, error = ours.get("t/alice")
    assert (status, error["error"]["status"]) == (403, "PERMISSION_DENIED")

    # withFunctionTriggersDisabled
    assert hub.send("PUT", "/functions/disableBackgroundTriggers") == (200, {"enabled": False})
    assert hub.send("PUT", "/functions/enableBackgroundTriggers") == (200, {"enabled": True})

    # clearFirestore
    documents = f"/emulator/v1/projects/{ours.project}/databases/(default)/documents"
    assert ours.send("DELETE", documents) == (200, {})
    assert ours.get("t/alice", "owner")[0] == 404
    hub.server.close()
