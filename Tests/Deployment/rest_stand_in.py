"""A stand-in for Google's APIs that deploy.sh calls with curl: Firestore's indexes of fields,
Firebase's rules, the Realtime Database, and Cloud Storage. It refuses what the APIs refuse: other words of curl, and
members that a request doesn't have."""

import json
import re

TOKEN = "ya29.stand-in"
NUMBER = "123456789012"


class Refusal(Exception):
    def __init__(self, code, status, message):
        super().__init__(message)
        self.code = code
        self.body = {"error": {"code": code, "message": message, "status": status}}


class Request:
    """The request that curl's words describe, with the headers of stdin."""

    def __init__(self, argv, stdin):
        self.method, self.data, self.output, self.shows_status, self.fails = "GET", None, None, False, False
        headers, words = [], argv[1:]
        while words:
            word = words.pop(0)
            if word in ("--silent", "--show-error"):
                pass
            elif word == "--fail-with-body":
                self.fails = True
            elif word == "--request":
                self.method = words.pop(0)
            elif word == "--header":
                header = words.pop(0)
                headers.append(stdin if header == "@-" else header)
            elif word == "--data":
                self.data = words.pop(0)
                assert not self.data.startswith("@")
            elif word == "--data-binary":
                self.data = words.pop(0)
            elif word == "--output":
                self.output = words.pop(0)
            elif word == "--write-out":
                assert words.pop(0) == "%{http_code}"
                self.shows_status = True
            else:
                self.host, self.version, path = re.fullmatch("https://([^/]+)/(?:(v1|v1beta)/)?(.*)", word).groups()
                self.path, _, query = path.partition("?")
                self.query = dict(part.split("=") for part in query.split("&") if part)
                self.url = word
        self.headers = dict(header.split(": ", 1) for header in headers)

    def body(self, **members):
        """Returns the body, which must have these members, each a type or the members of an
        object."""
        try:
            value = json.loads(self.data)
        except ValueError:
            raise malformed("Unexpected token.") from None
        check(value, members)
        return value


def malformed(why):
    return Refusal(400, "INVALID_ARGUMENT", f"Invalid JSON payload received. {why}")


def check(value, kind, name="request"):
    if isinstance(kind, type):
        if not isinstance(value, kind):
            raise malformed(f"Invalid value at '{name}'")
    elif isinstance(kind, list):
        check(value, list, name)
        for item in value:
            check(item, kind[0], name)
    else:
        check(value, dict, name)
        for unknown in set(value) - {member.rstrip("_") for member in kind}:
            raise malformed(f'Unknown name "{unknown}" at \'{name}\': Cannot find field.')
        for member, part in kind.items():
            if member.rstrip("_") in value:
                check(value[member.rstrip("_")], part, member)
            elif not member.endswith("_"):
                raise Refusal(400, "INVALID_ARGUMENT", f"{name}.{member} is required")


def answer(argv, stdin, state):
    """Returns what curl writes to stdout, and whether curl fails."""
    request = Request(argv, stdin)
    code, body = 200, None
    try:
        body = respond(request, state)
    except Refusal as refusal:
        code, body = refusal.code, refusal.body
    text = body if isinstance(body, str) else json.dumps(body)
    if request.output:
        with open(request.output, "w") as file:
            file.write(text)
        text = ""
    return text + (str(code) if request.shows_status else ""), request.fails and code >= 400


def respond(request, state):
    if "Authorization" not in request.headers:
        raise Refusal(403, "PERMISSION_DENIED", "Method doesn't allow unregistered callers.")
    if request.headers["Authorization"] != f"Bearer {TOKEN}":
        raise Refusal(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.")
    if request.method != "GET" and request.headers["content-type"] != "application/json":
        raise malformed("Unexpected token.")
    if request.host == "storage.googleapis.com":
        return get_bucket(request, state)
    if request.version is None:
        return respond_of_database(request, state)
    _, project, path = request.path.split("/", 2)
    if request.headers.get("x-goog-user-project") != project:
        raise Refusal(403, "PERMISSION_DENIED", f"The {request.host} API requires a quota project.")
    if request.host not in state.get("apis", {}):
        raise Refusal(403, "PERMISSION_DENIED", f"{request.host} has not been used in project {project} before.")
    for host, method, pattern, handler in HANDLERS:
        found = re.fullmatch(pattern, path)
        if (host, method) == (request.host, request.method) and found:
            return handler(request, state, project, *found.groups())
    raise Refusal(404, "NOT_FOUND", f"{request.method} {request.path}")


def patch_field(request, state, project):
    assert request.query == {"updateMask": "indexConfig"}
    body = request.body(indexConfig={"indexes": [{"queryScope": str, "fields": [
        {"fieldPath": str, "order_": str, "arrayConfig_": str}]}]})
    state.setdefault("fields", {})[request.path] = {"name": request.path, **body}
    return {"name": f"projects/{project}/databases/x/operations/1"}


# MARK: Rules


def now(state):
    """Returns a time that is later at each call."""
    state["changes"] = state.get("changes", 0) + 1
    return f"2026-01-01T00:00:{state['changes']:02}.000001Z"


def existing(state, kind, name):
    if name not in state.get(kind, {}):
        raise Refusal(404, "NOT_FOUND", "Requested entity was not found.")
    return state[kind][name]


def create_ruleset(request, state, project):
    body = request.body(source={"files": [{"name": str, "content": str}]}, attachment_point_=str)
    file, = body["source"]["files"]
    for number, line in enumerate(file["content"].splitlines(), 1):
        if "mistake" in line:
            raise Refusal(400, "INVALID_ARGUMENT", f"{file['name']}: [E] {number}:1 - Unexpected 'mistake'.")
    name = f"projects/{project}/rulesets/id-{len(state.setdefault('rulesets', {})) + 1}"
    service = "firebase.storage" if "service firebase.storage" in file["content"] else "cloud.firestore"
    ruleset = {"name": name, "createTime": now(state), "metadata": {"services": [service]}}
    if "attachment_point" in body:
        ruleset["attachmentPoint"] = body["attachment_point"]
    state["rulesets"][name] = ruleset | {"source": body["source"]}
    return state["rulesets"][name]


def list_rulesets(request, state, project):
    """Returns two rulesets a page, in no order of time, and without their content."""
    assert int(request.query["pageSize"]) <= 100
    start = int(request.query.get("pageToken") or 0)
    rulesets = sorted(state.get("rulesets", {}).values(), key=lambda ruleset: ruleset["name"][::-1])
    page = [{name: value for name, value in ruleset.items() if name != "source"}
            for ruleset in rulesets[start:start + 2]]
    return ({"rulesets": page} if page else {}) | (
        {"nextPageToken": str(start + 2)} if len(rulesets) > start + 2 else {})


def get_ruleset(request, state, project):
    return existing(state, "rulesets", request.path)


def list_releases(request, state, project):
    """Returns one release a page."""
    assert int(request.query["pageSize"]) <= 100
    start = int(request.query.get("pageToken") or 0)
    releases = list(state.get("releases", {}).values())
    return {"releases": releases[start:start + 1]} | (
        {"nextPageToken": str(start + 1)} if len(releases) > start + 1 else {})


def get_release(request, state, project):
    return existing(state, "releases", request.path)


def create_release(request, state, project):
    body = request.body(name=str, rulesetName=str)
    assert re.fullmatch(rf"projects/{project}/releases/[a-z0-9./-]+", body["name"])
    existing(state, "rulesets", body["rulesetName"])
    if body["name"] in state.setdefault("releases", {}):
        raise Refusal(409, "ALREADY_EXISTS", "Requested entity already exists")
    time = now(state)
    state["releases"][body["name"]] = body | {"createTime": time, "updateTime": time}
    return state["releases"][body["name"]]


def update_release(request, state, project):
    body = request.body(release={"name": str, "rulesetName": str}, updateMask_=str)["release"]
    if body["name"] != request.path:
        raise Refusal(400, "INVALID_ARGUMENT", "The names differ.")
    existing(state, "rulesets", body["rulesetName"])
    existing(state, "releases", request.path).update(body, updateTime=now(state))
    return state["releases"][request.path]


# MARK: The Realtime Database

# The rules of a new database.
LOCKED = '{"rules": {".read": false, ".write": false}}'


def list_instances(request, state, project):
    """Returns one database a page. Without showDeleted, deleted databases are left out."""
    assert int(request.query["pageSize"]) <= 100
    start = int(request.query.get("pageToken") or 0)
    instances = [instance for instance in state.get("instances", {}).values()
                 if instance["state"] != "DELETED" or request.query.get("showDeleted") == "true"]
    return ({"instances": instances[start:start + 1]} if instances else {}) | (
        {"nextPageToken": str(start + 1)} if len(instances) > start + 1 else {})


def create_instance(request, state, project, location):
    name = request.query.pop("databaseId")
    assert request.query == {}
    kind = request.body(type=str)["type"]
    if state.get("isNotOfFirebase"):
        raise Refusal(400, "FAILED_PRECONDITION", "Precondition check failed.")
    if location not in ("us-central1", "europe-west1", "asia-southeast1"):
        raise Refusal(400, "INVALID_ARGUMENT", f"Invalid location {location}")
    # By default the API accepts what Firebase's CLI sends, otherwise only what Google's reference allows.
    is_default = name == f"{project}-default-rtdb" and not state.get("onlyUserDatabases")
    if kind != ("DEFAULT_DATABASE" if is_default else "USER_DATABASE"):
        raise Refusal(400, "INVALID_ARGUMENT", f"{name} can't be a {kind}")
    if name in state.setdefault("instances", {}):
        raise Refusal(409, "ALREADY_EXISTS", "Requested entity already exists")
    state["instances"][name] = {
        "name": f"projects/{NUMBER}/locations/{location}/instances/{name}", "project": f"projects/{NUMBER}",
        "databaseUrl": f"https://{name}.firebaseio.com" if location == "us-central1"
        else f"https://{name}.{location}.firebasedatabase.app",
        "type": kind, "state": "ACTIVE",
    }
    state.setdefault("instanceRules", {})[name] = LOCKED
    return state["instances"][name]


def respond_of_database(request, state):
    """Returns or replaces the rules of the database at the request's host. They are text, which may
    have comments."""
    address = request.url.removesuffix("/.settings/rules.json")
    name = next((name for name, instance in state.get("instances", {}).items()
                 if instance["databaseUrl"] == address), None)
    if name is None:
        raise database_refusal(404, "404 Not Found")
    if state["instances"][name]["state"] != "ACTIVE":
        raise database_refusal(423, "The Firebase database has been deactivated.")
    if state.get("tokenLacksScope"):
        raise database_refusal(401, "Unauthorized request.")
    if request.method == "GET":
        return state["instanceRules"][name]
    assert request.method == "PUT"
    for number, line in enumerate(request.data.splitlines(), 1):
        if "mistake" in line:
            raise database_refusal(400, f"Line {number}: Unexpected 'mistake'.")
    state["instanceRules"][name] = request.data
    return {"status": "ok"}


def database_refusal(code, message):
    refusal = Refusal(code, "", message)
    refusal.body = {"error": message}
    return refusal


# MARK: Cloud Storage


def get_bucket(request, state):
    """Returns a bucket as Cloud Storage does. Its name is unique among all projects."""
    assert request.method == "GET"
    name = re.fullmatch("storage/v1/b/([^/]+)", request.path)[1]
    bucket = state.get("buckets", {}).get(name)
    if bucket is None:
        raise Refusal(404, "NOT_FOUND", "The specified bucket does not exist.")
    if bucket.get("isPrivate"):
        raise Refusal(403, "PERMISSION_DENIED", "me@a.example does not have storage.buckets.get access to the bucket.")
    return bucket


# Some of Cloud Storage's locations.
LOCATIONS = ("us-central1", "us-east1", "europe-west1", "europe-west4", "asia-southeast1", "us", "eu", "asia")


def add_bucket(state, name, location):
    """Adds a bucket, and returns why it can't be added, or None."""
    if location not in LOCATIONS:
        return f"The specified location constraint is not valid: {location}"
    if name in state.setdefault("buckets", {}):
        return "The requested bucket name is not available."
    state["buckets"][name] = {"name": name, "location": location.upper(), "projectNumber": NUMBER}
    return None


def firebase_bucket(name):
    return {"name": f"projects/{NUMBER}/buckets/{name}"}


def get_default_bucket(request, state, project):
    for name in (f"{project}.firebasestorage.app", f"{project}.appspot.com"):
        if name in state.get("linkedBuckets", []):
            return {"name": f"projects/{NUMBER}/defaultBucket", "location": state["buckets"][name]["location"].lower(),
                    "bucket": firebase_bucket(name)}
    raise Refusal(404, "NOT_FOUND", "Requested entity was not found.")


def create_default_bucket(request, state, project):
    location = request.body(location=str)["location"]
    if state.get("isNotOfFirebase"):
        raise Refusal(400, "FAILED_PRECONDITION", "Precondition check failed.")
    name = f"{project}.firebasestorage.app"
    why = None if name in state.get("buckets", {}) else add_bucket(state, name, location)
    if why:
        raise Refusal(400, "INVALID_ARGUMENT", why)
    state.setdefault("linkedBuckets", []).append(name)
    return get_default_bucket(request, state, project)


def get_linked_bucket(request, state, project, name):
    if name not in state.get("linkedBuckets", []):
        raise Refusal(404, "NOT_FOUND", "Requested entity was not found.")
    return firebase_bucket(name)


def link_bucket(request, state, project, name):
    request.body()
    if state.get("isNotOfFirebase"):
        raise Refusal(400, "FAILED_PRECONDITION", "Precondition check failed.")
    if existing(state, "buckets", name)["projectNumber"] != NUMBER:
        raise Refusal(403, "PERMISSION_DENIED", "The caller does not have permission")
    if name in state.setdefault("linkedBuckets", []):
        raise Refusal(409, "ALREADY_EXISTS", "Requested entity already exists")
    state["linkedBuckets"].append(name)
    return firebase_bucket(name)


RULES = "firebaserules.googleapis.com"
BUCKETS = "firebasestorage.googleapis.com"
INSTANCES = "firebasedatabase.googleapis.com"
HANDLERS = [
    ("firestore.googleapis.com", "PATCH", "databases/[^/]+/collectionGroups/[^/]+/fields/[^/]+", patch_field),
    (RULES, "POST", "rulesets", create_ruleset),
    (RULES, "GET", "rulesets", list_rulesets),
    (RULES, "GET", "rulesets/[^/]+", get_ruleset),
    (RULES, "GET", "releases", list_releases),
    (RULES, "GET", "releases/.+", get_release),
    (RULES, "POST", "releases", create_release),
    (RULES, "PATCH", "releases/.+", update_release),
    (INSTANCES, "GET", "locations/-/instances", list_instances),
    (INSTANCES, "POST", "locations/([^/]+)/instances", create_instance),
    (BUCKETS, "GET", "defaultBucket", get_default_bucket),
    (BUCKETS, "POST", "defaultBucket", create_default_bucket),
    (BUCKETS, "GET", "buckets/([^/:]+)", get_linked_bucket),
    (BUCKETS, "POST", "buckets/([^/:]+):addFirebase", link_bucket),
]
