"""The Realtime Database: the database, its rules, and triggers of its changes."""

import json
import subprocess

import pytest

from conftest import PROJECT, REF_EVENT, commands, project, ref_trigger, trigger
from rest_stand_in import LOCKED, answer

NAME = "my-project-default-rtdb"
VARIABLES = [{"name": name, "required": False} for name in ("FIREBASE_DATABASE_URL", "FIREBASE_DATABASE_EMULATOR_HOST")]
URL = f"https://{NAME}.firebaseio.com"
ROLE = "projects/my-project/roles/worldchatDatabaseEditor"


# The relevant part of the functions' manifests.
MANIFESTS = {
    "mirrorPresence": {"triggers": [ref_trigger("written", "status/{uid}")], "writes": ["users/{uid}"],
                       "refWrites": ["status/{uid}"], "environment": VARIABLES},
    "mirrorMembership": {"triggers": [trigger("written", "conversations/{c}", fields=["participants"])],
                         "callable": True, "refWrites": ["members/{c}"], "environment": VARIABLES},
    "forgetUser": {"triggers": [trigger("deleted", "users/{uid}")], "callable": True, "writes": ["users/{uid}"],
                   "refWrites": ["status/{uid}"], "environment": VARIABLES},
}


def add(cloud, name):
    """Adds a function with its own manifest, if it is built, or else with the part above."""
    built = PROJECT / ".build/debug" / name
    members = json.loads(subprocess.check_output([built, "--describe"], env={})) if built.exists() else MANIFESTS[name]
    cloud.add_function(**{"name": name, **members})


def add_mirrors(cloud):
    """Adds a function for events of the Realtime Database, and one that only writes to it."""
    for name in MIRRORS:
        add(cloud, name)
    cloud.add_image("mirror-presence", "mirror-membership")


MIRRORS = ("mirrorPresence", "mirrorMembership")


@pytest.fixture(scope="module")
def mirrored_run(tmp_path_factory):
    """The plan, the changes and the state of a first apply of these two functions."""
    cloud = project(tmp_path_factory.mktemp("mirrored"))
    add_mirrors(cloud)
    plan = cloud.must("plan", *MIRRORS).stdout
    assert cloud.changes == []
    cloud.must("apply", *MIRRORS)
    return {"plan": plan, "changes": cloud.changes, "state": cloud.state}


@pytest.fixture
def mirrored(cloud, mirrored_run):
    add_mirrors(cloud)
    cloud.change_state(lambda state: state.update(json.loads(json.dumps(mirrored_run["state"]))))
    return cloud


def lines(cloud):
    return [" ".join(call["argv"]) for call in cloud.changes]


def requests(cloud):
    """Returns the method and the URL of each change of the Realtime Database."""
    return [(call["argv"][call["argv"].index("--request") + 1], call["argv"][-1]) for call in cloud.changes
            if call["argv"][0] == "curl" and ("firebasedatabase" in call["argv"][-1] or URL in call["argv"][-1])]


PUT = ("PUT", f"{URL}/.settings/rules.json")


def rules(cloud):
    return (cloud.root / "database.rules.json").read_text()


def edit(cloud, text):
    path = cloud.root / "database.rules.json"
    path.write_text(f"{path.read_text()}// {text}\n")
    return path.read_text()


def environments(text):
    """Returns the FIREBASE_DATABASE_URL of each service in a plan's or an apply's commands."""
    return {
        line.split()[3]: next((part.split("=", 1)[1] for part in word.split(",") if part.startswith("FIREBASE_")), None)
        for line in text if "run deploy" in line for word in line.split() if word.startswith("--set-env-vars")
    }


def test_an_empty_project(cloud, mirrored_run):
    state = mirrored_run["state"]
    assert state["instances"][NAME] == {
        "name": f"projects/123456789012/locations/us-central1/instances/{NAME}", "databaseUrl": URL,
        "project": "projects/123456789012", "type": "DEFAULT_DATABASE", "state": "ACTIVE"}
    assert state["instanceRules"] == {NAME: rules(cloud)}
    words = [" ".join(call["argv"]) for call in mirrored_run["changes"]]
    first_service = next(number for number, line in enumerate(words) if "run deploy" in line)
    assert max(number for number, line in enumerate(words) if "firebase" in line and "curl" in line) < first_service
    assert environments(words) == {
        "mirror-presence-event": URL, "mirror-membership-event": URL, "mirror-membership-call": URL}
    trigger, = [trigger for trigger in state["triggers"].values() if trigger["eventFilters"][-1]["attribute"] == "ref"]
    assert trigger["eventFilters"] == [
        {"attribute": "type", "value": f"{REF_EVENT}.written"}, {"attribute": "instance", "value": NAME},
        {"attribute": "ref", "value": "status/{uid}", "operator": "match-path-pattern"}]
    subscription = state["subscriptions"][trigger["transport"]["pubsub"]["subscription"].split("/")[-1]]
    assert subscription["deadLetterPolicy"]["maxDeliveryAttempts"] == 100


def test_functions_with_the_variables_get_the_role(cloud, mirrored_run):
    state = mirrored_run["state"]
    assert state["roles"][ROLE]["includedPermissions"] == [
        "firebasedatabase.instances.get", "firebasedatabase.instances.update"]
    members, = [binding["members"] for binding in state["policies"][" my-project"] if binding["role"] == ROLE]
    account = "serviceAccount:fn-{}@my-project.iam.gserviceaccount.com".format
    assert sorted(members) == [account("mirror-membership"), account("mirror-presence")]
    add(cloud, "forgetUser")
    grants = [line for line in commands(cloud.must("plan", "--offline").stdout) if f"--role={ROLE}" in line]
    assert [account("forget-user") in line for line in grants] == [True]


def test_a_plan_without_an_account_has_the_same_commands(cloud, mirrored_run):
    add_mirrors(cloud)
    plan = cloud.must("plan", *MIRRORS, "--offline").stdout
    assert [line for line in commands(plan) if "firebasedatabase" in line or URL in line] == [
        line for line in commands(mirrored_run["plan"]) if "firebasedatabase" in line or URL in line]


def test_applying_again_changes_nothing(mirrored):
    # The order of a role's permissions doesn't count.
    mirrored.change_state(lambda state: state["roles"][ROLE]["includedPermissions"].reverse())
    printed = mirrored.must("apply", *MIRRORS).stdout
    assert f"# unchanged Realtime Database {NAME} in us-central1\n" in printed
    assert f"# unchanged security rules of Realtime Database {NAME}\n" in printed
    assert mirrored.changes == []


def test_rules_are_changed_only_if_the_file_is(mirrored):
    # Google may answer without the newline at the end.
    mirrored.change_state(lambda state: state["instanceRules"].update({NAME: rules(mirrored).rstrip("\n")}))
    mirrored.must("apply", *MIRRORS)
    assert mirrored.changes == []
    text = edit(mirrored, 'two "quotes", a \\ and a $variable, é')
    mirrored.must("plan", *MIRRORS)
    assert mirrored.changes == []
    mirrored.must("apply", *MIRRORS)
    assert requests(mirrored) == [PUT] and len(mirrored.changes) == 1
    assert mirrored.state["instanceRules"] == {NAME: text}


def saved_rules(cloud):
    return {path.name: path.read_text() for path in (cloud.root / "dist").glob("database.rules.*")}


def test_rules_of_another_app_are_saved(mirrored):
    theirs = '{\n  // é, $HOME and \'quotes\'\n  "rules": {".read": true}\n}\n'
    mirrored.change_state(lambda state: state["instanceRules"].update({NAME: theirs}))
    saves = f"# release   security rules of Realtime Database {NAME}: replaces other rules, which are saved in dist/"
    assert saves in mirrored.must("plan", *MIRRORS).stdout
    assert mirrored.changes == [] and saved_rules(mirrored) == {}
    assert saves in mirrored.must("apply", *MIRRORS).stdout
    (name, text), = saved_rules(mirrored).items()
    assert name.startswith(f"database.rules.{NAME}.20") and text == theirs
    assert mirrored.state["instanceRules"] == {NAME: rules(mirrored)}
    assert "dist/" in (PROJECT / ".gitignore").read_text().splitlines()


def test_rules_that_cannot_be_saved_are_not_replaced(mirrored):
    mirrored.change_state(lambda state: state["instanceRules"].update({NAME: "{}"}))
    # The first request reads the state, the second saves the rules.
    mirrored.fail(f"{URL}/.settings/rules.json", count=2)
    assert mirrored.run("apply", *MIRRORS).returncode == 1
    assert requests(mirrored) == [] and mirrored.state["instanceRules"] == {NAME: "{}"}


@pytest.mark.parametrize("text, is_default", [
    (LOCKED, True), ('{"rules":{".write":false,".read":false}}', True), ("null", True),
    ('/* See https://firebase.google.com.\n*/\n{ // Locked.\n  "rules": {\n    ".read": false, ".write": false\n  }\n}',
     True),
    ("{}", False), ("", False), ('{"rules": {".read": false}}', False),
    ('{"rules": {".read": false, ".write": false, "a": {".read": true}}}', False),
    ('{"rules": {".read": "now < 1800000000000", ".write": false}}', False),
])
def test_default_rules_are_not_saved(mirrored, text, is_default):
    mirrored.change_state(lambda state: state["instanceRules"].update({NAME: text}))
    assert ("replaces other rules" in mirrored.must("plan", *MIRRORS).stdout) is not is_default


def test_a_token_that_the_rules_refuse(mirrored):
    mirrored.change_state(lambda state: state.update(tokenLacksScope=True))
    result = mirrored.run("apply", *MIRRORS)
    assert result.returncode == 1 and "Unauthorized request." in result.stderr
    assert f"reading the project's state failed: {URL}/.settings/rules.json" in result.stderr
    mirrored.change_state(lambda state: [state.pop(kind) for kind in ("instances", "instanceRules")])
    result = mirrored.run("apply", *MIRRORS)
    assert result.returncode == 1 and "Unauthorized request." in result.stderr
    assert 'see "When apply stops" in Functions/DEPLOY.md' in result.stderr


def test_invalid_rules_are_refused_with_the_line(mirrored):
    number = len(edit(mirrored, "a mistake").splitlines())
    result = mirrored.run("apply", *MIRRORS)
    assert result.returncode == 1
    assert f"Line {number}: Unexpected 'mistake'." in result.stderr
    assert f"this step failed: release security rules of Realtime Database {NAME}" in result.stderr


def test_other_functions_need_no_realtime_database(cloud, first_run):
    assert "firebasedatabase" not in first_run["plan"] and "Realtime" not in first_run["plan"]
    add_mirrors(cloud)
    assert "firebasedatabase" not in cloud.must("plan", "translateMessage").stdout


@pytest.mark.parametrize("region, location", [
    ("europe-west4", "europe-west1"), ("asia-east1", "asia-southeast1"), ("australia-southeast1", "asia-southeast1"),
    ("us-east1", "us-central1"), ("southamerica-east1", "us-central1"), ("me-west1", "us-central1"),
])
def test_the_location_follows_from_the_region(cloud, region, location):
    add(cloud, "mirrorPresence")
    plan = cloud.must("plan", "mirrorPresence", "--offline", "--region", region).stdout
    assert f"Realtime Database {NAME} in {location}, which can't be moved later" in plan
    assert f"/locations/{location}/instances?databaseId={NAME}" in plan
    chosen = cloud.must("plan", "mirrorPresence", "--offline", "--region", region,
                        "--realtime-database-location", "us-central1").stdout
    assert "/locations/us-central1/instances?" in chosen


def test_no_database(cloud):
    add(cloud, "forgetUser")
    none = ("--realtime-database", "none")
    plan = cloud.must("plan", *none).stdout
    for word in ("firebasedatabase", "Realtime", "FIREBASE_DATABASE_URL", ROLE):
        assert word not in plan
    cloud.must("apply", "forgetUser", *none)
    assert "instances" not in cloud.state
    # A role from an earlier deployment is revoked, and the setting may be a variable.
    cloud.must("apply", "forgetUser")
    cloud.forget_calls()
    cloud.must("apply", "forgetUser", REALTIME_DATABASE="none")
    assert [f"--role={ROLE}" in line for line in lines(cloud) if "remove-iam-policy-binding" in line] == [True]
    cloud.set_env("FIREBASE_DATABASE_URL=https://a.example\n")
    assert "FIREBASE_DATABASE_URL is set, but --realtime-database is none" in cloud.run("plan", *none).stderr


def test_functions_that_need_a_database(cloud):
    add_mirrors(cloud)
    result = cloud.run("plan", "--offline", "--realtime-database", "none")
    assert result.returncode == 65
    reason = "needs a Realtime Database, but --realtime-database is none: leave it out or choose a database"
    assert sorted(result.stderr.splitlines()) == [
        f"deploy.sh: {name} {reason}" for name in ("mirrorMembership", "mirrorPresence")]


def test_a_database_elsewhere(cloud):
    add_mirrors(cloud)
    options = ("--realtime-database", "chat-eu", "--realtime-database-location", "europe-west1")
    # Another database is on the first page of the list.
    another = {"name": "projects/123456789012/locations/us-central1/instances/another", "type": "USER_DATABASE",
               "databaseUrl": "https://another.firebaseio.com", "state": "ACTIVE"}
    cloud.change_state(lambda state: state.update(instances={"another": another}))
    cloud.must("apply", *MIRRORS, *options)
    instance = cloud.state["instances"]["chat-eu"]
    url = "https://chat-eu.europe-west1.firebasedatabase.app"
    assert (instance["type"], instance["databaseUrl"]) == ("USER_DATABASE", url)
    assert environments(lines(cloud))["mirror-membership-event"] == url
    places = {trigger["name"].split("/")[3] for trigger in cloud.state["triggers"].values()}
    assert places == {"us-central1", "europe-west1"}
    # The location of an existing database is known.
    cloud.forget_calls()
    cloud.must("apply", *MIRRORS, *options[:2])
    assert cloud.changes == []
    wanted = ("--realtime-database-location", "us-central1")
    other = cloud.run("plan", *MIRRORS, *options[:2], *wanted)
    assert other.returncode == 64
    assert f"{' is '.join(wanted)}, but Realtime Database chat-eu is in europe-west1" in other.stderr
    # status and destroy find the triggers of both locations.
    assert "status/{uid} written" in cloud.must("status", "--realtime-database", "chat-eu").stdout
    cloud.must("destroy", "--yes")
    assert cloud.state["triggers"] == {} and "chat-eu" in cloud.state["instances"]


def test_another_database_moves_the_triggers(mirrored):
    mirrored.must("apply", *MIRRORS, "--realtime-database", "other", "--realtime-database-location", "asia-southeast1")
    assert [call["argv"][3] for call in mirrored.changes if call["argv"][1] == "eventarc"] == ["create", "delete"]
    filters = [part for trigger in mirrored.state["triggers"].values() for part in trigger["eventFilters"]]
    assert [part["value"] for part in filters if part["attribute"] == "instance"] == ["other"]


@pytest.mark.parametrize("state", ["DISABLED", "DELETED"])
def test_a_database_that_is_not_active(mirrored, state):
    mirrored.change_state(lambda cloud: cloud["instances"][NAME].update(state=state))
    for command in ("plan", "apply"):
        result = mirrored.run(command, *MIRRORS)
        assert result.returncode == 65
        assert f"Realtime Database {NAME} is {state.lower()}: " in result.stderr
    assert mirrored.changes == []
    assert f"Realtime Database  {NAME}, {state.lower()}\n" in mirrored.must("status").stdout


def test_an_old_default_database(mirrored):
    def rename(state):
        state["instances"]["my-project"] = state["instances"].pop(NAME) | {
            "name": "projects/123456789012/locations/us-central1/instances/my-project"}

    mirrored.change_state(rename)
    result = mirrored.run("apply", *MIRRORS)
    assert result.returncode == 64
    assert "default Realtime Database is my-project: choose it with --realtime-database my-project" in result.stderr
    assert mirrored.changes == []


def test_the_api_is_disabled(mirrored):
    mirrored.change_state(lambda state: [state.pop(kind) for kind in ("instances", "instanceRules")]
                          and state["apis"].pop("firebasedatabase.googleapis.com"))
    plan = mirrored.must("plan", *MIRRORS).stdout
    assert "services enable firebasedatabase.googleapis.com" in plan
    assert [line.split()[1] for line in plan.splitlines() if "Realtime Database" in line] == ["create", "release"]
    assert "Realtime Database" not in mirrored.must("status").stdout
    mirrored.must("apply", *MIRRORS)
    assert [call["argv"][:3] for call in mirrored.changes][0] == ["gcloud", "services", "enable"]
    assert mirrored.state["instanceRules"] == {NAME: rules(mirrored)}


def test_a_project_without_firebase(cloud):
    add_mirrors(cloud)
    cloud.change_state(lambda state: state.update(isNotOfFirebase=True))
    result = cloud.run("apply", *MIRRORS)
    assert result.returncode == 1
    assert "this step failed: create Realtime Database" in result.stderr
    assert "add Firebase to the project in Firebase's console" in result.stderr
    assert "run deploy" not in " ".join(lines(cloud))


def test_a_default_database_that_only_the_console_can_create(cloud):
    add_mirrors(cloud)
    cloud.change_state(lambda state: state.update(onlyUserDatabases=True))
    result = cloud.run("apply", *MIRRORS)
    assert result.returncode == 1
    assert "such as its type DEFAULT_DATABASE, create it there, in us-central1" in result.stderr
    database = {"name": f"projects/123456789012/locations/us-central1/instances/{NAME}", "type": "DEFAULT_DATABASE",
                "databaseUrl": URL, "state": "ACTIVE"}
    cloud.change_state(lambda state: state.update(instances={NAME: database}, instanceRules={NAME: LOCKED}))
    cloud.must("apply", *MIRRORS)
    assert cloud.state["instanceRules"] == {NAME: rules(cloud)}


def test_status_of_rules(mirrored):
    assert f"\nRealtime Database  {NAME}, security rules as in database.rules.json\n" in mirrored.must("status").stdout
    edit(mirrored, "second")
    assert f"{NAME}, security rules different from database.rules.json\n" in mirrored.must("status").stdout


def test_destroy_keeps_the_database(mirrored):
    before = mirrored.state
    printed = mirrored.must("destroy", "--yes").stdout
    assert "worldchatAccountDeleter, worldchatDatabaseEditor and worldchatObjectDeleter, which alone" in printed
    assert mirrored.state["triggers"] == {} and requests(mirrored) == []
    assert [mirrored.state[kind] for kind in ("instances", "instanceRules")] == [
        before[kind] for kind in ("instances", "instanceRules")]


def test_the_address_of_deploy_env_is_used(mirrored):
    mirrored.set_env("FIREBASE_DATABASE_URL=https://proxy.example\n")
    plan = mirrored.must("plan", *MIRRORS).stdout
    assert set(environments(commands(plan)).values()) == {"https://proxy.example"}
    mirrored.set_env("FIREBASE_DATABASE_URL=http://proxy.example\n")
    assert "FIREBASE_DATABASE_URL: refused, http" in mirrored.run("plan", *MIRRORS).stderr


@pytest.mark.parametrize("pattern, is_match", [
    ("*", True), (None, True), ("{name}", True), (NAME, True), ("my-*-rtdb", True),
    ("other", False), ("my-*-db", False), ("my.project*", False),
])
def test_the_instance_of_a_trigger(cloud, pattern, is_match):
    cloud.add_function("mirrorPresence", triggers=[ref_trigger("deleted", "/status/{uid}", pattern)])
    result = cloud.run("plan", "mirrorPresence", "--offline")
    assert result.returncode == (0 if is_match else 65)
    if is_match:
        assert f"--event-filters=instance={NAME} '--event-filters-path-pattern=ref=status/{{uid}}'" in result.stdout
    else:
        assert (f'mirrorPresence has a trigger for Realtime Databases called "{pattern}", but the deployment\'s is '
                f"{NAME}: choose another with --realtime-database") in result.stderr
        # Another function can be deployed.
        cloud.must("plan", "askAI", "--offline")


# MARK: The stand-in


def ask(state, method, url, body=None, token="Authorization: Bearer ya29.stand-in"):
    headers = ["content-type: application/json", "x-goog-user-project: my-project", "@-"]
    words = [word for header in headers for word in ("--header", header)]
    words += ["--data-binary", body] if body is not None else []
    text, _ = answer(["curl", "--write-out", "%{http_code}", "--request", method, *words, url], token, state)
    return int(text[-3:])


def test_the_stand_in_refuses_what_google_refuses():
    state = {"apis": {"firebasedatabase.googleapis.com": {}}}
    api = "https://firebasedatabase.googleapis.com/v1beta/projects/my-project/locations/{}/instances".format
    create = api("us-central1") + f"?databaseId={NAME}"
    assert ask({}, "POST", create, '{"type":"DEFAULT_DATABASE"}') == 403
    for body in ("{", "{}", '{"type":1}', '{"type":"USER_DATABASE"}', '{"type":"DEFAULT_DATABASE","colour":"red"}'):
        assert ask(state, "POST", create, body) == 400
    assert ask(state, "POST", api("nam5") + f"?databaseId={NAME}", '{"type":"DEFAULT_DATABASE"}') == 400
    assert ask(state, "PUT", f"{URL}/.settings/rules.json", "{}") == 404
    assert "instances" not in state
    assert ask(state, "POST", create, '{"type":"DEFAULT_DATABASE"}') == 200
    assert ask(state, "POST", create, '{"type":"DEFAULT_DATABASE"}') == 409
    assert state["instanceRules"] == {NAME: LOCKED}
    assert ask(state, "PUT", f"{URL}/.settings/rules.json", "{}", token="Authorization: Bearer x") == 401
    assert ask(state, "PUT", f"{URL}/.settings/rules.json", "a mistake") == 400
    assert ask(state, "PUT", f"{URL}/.settings/rules.json", "{}") == 200
    assert state["instanceRules"] == {NAME: "{}"}
    assert ask(state, "GET", api("-") + "?pageSize=100") == 200
    state["onlyUserDatabases"] = True
    del state["instances"]
    assert ask(state, "POST", create, '{"type":"DEFAULT_DATABASE"}') == 400
    assert ask(state, "POST", create, '{"type":"USER_DATABASE"}') == 200
