"""Cloud Storage: the bucket, its rules, roles in it, and triggers of its objects."""

import json
import subprocess

import pytest

from conftest import EVENT, OBJECT_EVENT, PROJECT, STORAGE_RULES, commands, object_trigger, project, trigger
from rest_stand_in import NUMBER, answer

NAME = "my-project.firebasestorage.app"
OLD_NAME = "my-project.appspot.com"
ROLE = "projects/my-project/roles/worldchatObjectDeleter"
AGENT = "serviceAccount:service-123456789012@{}.iam.gserviceaccount.com".format
RELEASE = f"projects/my-project/releases/firebase.storage/{NAME}"
VARIABLES = [{"name": "STORAGE_BUCKET", "required": False}]
# A function for events of objects, one that deletes objects, and one that only knows the bucket's name.
FUNCTIONS = {
    "checkUpload": {"triggers": [object_trigger("finalized", bucket="*", object="avatars/{uid}/{file}"),
                                 object_trigger("finalized", object="media/{conversation}/{file}"),
                                 object_trigger("metadataUpdated")], "writes": ["users/{uid}"]},
    "eraseUploads": {"triggers": [trigger("deleted", "users/{uid}")], "callable": True, "writes": ["users/{uid}"],
                     "objectWrites": ["avatars/{uid}/{file}"], "environment": VARIABLES},
    "linkUpload": {"callable": True, "environment": VARIABLES},
}
NAMES = list(FUNCTIONS)


def add_functions(cloud):
    for name, members in FUNCTIONS.items():
        cloud.add_function(name, **members)
    cloud.add_image("check-upload", "erase-uploads", "link-upload")


@pytest.fixture(scope="module")
def stored_run(tmp_path_factory):
    """The plan, the changes and the state of a first apply of these functions."""
    cloud = project(tmp_path_factory.mktemp("stored"))
    add_functions(cloud)
    plan = cloud.must("plan", *NAMES).stdout
    assert cloud.changes == []
    cloud.must("apply", *NAMES)
    return {"plan": plan, "changes": cloud.changes, "state": cloud.state}


@pytest.fixture
def stored(cloud, stored_run):
    add_functions(cloud)
    cloud.change_state(lambda state: state.update(json.loads(json.dumps(stored_run["state"]))))
    return cloud


def lines(cloud):
    return [" ".join(call["argv"]) for call in cloud.changes]


def requests(cloud):
    """Returns the method and the path of each change with curl."""
    return [(call["argv"][call["argv"].index("--request") + 1], word.split("/my-project/")[1])
            for call in cloud.changes if call["argv"][0] == "curl"
            for word in call["argv"] if word.startswith("https://")]


def in_force(cloud, release=RELEASE):
    """Returns the content of the rules in force."""
    file, = cloud.state["rulesets"][cloud.state["releases"][release]["rulesetName"]]["source"]["files"]
    return file["content"]


def edit(cloud, text):
    path = cloud.root / "storage.rules"
    path.write_text(f"{path.read_text()}// {text}\n")
    return path.read_text()


def members(state, role, policy=" my-project"):
    return [member for binding in state["policies"].get(policy, []) if binding["role"] == role
            for member in binding["members"]]


def buckets_of_triggers(state):
    """Returns the kind, the bucket and the location of each trigger of objects."""
    values = []
    for made in state["triggers"].values():
        filters = {part["attribute"]: part["value"] for part in made["eventFilters"]}
        if "bucket" in filters:
            location = made["name"].split("/")[3]
            values.append((filters["type"].removeprefix(f"{OBJECT_EVENT}."), filters["bucket"], location))
    return sorted(values)


def environments(text):
    """Returns the STORAGE_BUCKET of each service in a plan's or an apply's commands."""
    return {
        line.split()[3]: next((part.split("=", 1)[1] for part in word.split(",") if part.startswith("STORAGE_")), None)
        for line in text if "run deploy" in line for word in line.split() if word.startswith("--set-env-vars")
    }


def add_bucket(cloud, name, location="US-CENTRAL1", number=NUMBER, linked=True):
    def change(state):
        state.setdefault("buckets", {})[name] = {"name": name, "location": location, "projectNumber": number}
        if linked:
            state.setdefault("linkedBuckets", []).append(name)

    cloud.change_state(change)


def test_an_empty_project(stored_run):
    state = stored_run["state"]
    assert state["buckets"][NAME]["location"] == "US-CENTRAL1" and state["linkedBuckets"] == [NAME]
    words = [" ".join(call["argv"]) for call in stored_run["changes"]]
    first_service = next(number for number, line in enumerate(words) if "run deploy" in line)
    assert max(number for number, line in enumerate(words) if "firebasestorage.googleapis.com/" in line) < first_service
    assert environments(words) == {"check-upload-event": None, "erase-uploads-event": NAME, "erase-uploads-call": NAME,
                                   "link-upload-call": NAME}
    # Eventarc can't filter by an object's name: two patterns have one trigger.
    assert buckets_of_triggers(state) == [("finalized", NAME, "us-central1"), ("metadataUpdated", NAME, "us-central1")]
    assert {"storage.googleapis.com", "firebasestorage.googleapis.com"} <= set(state["apis"])


def test_rules_are_in_force(stored, stored_run):
    assert in_force(stored) == STORAGE_RULES
    plan = stored_run["plan"]
    assert plan.index(f"# create    bucket {NAME}") < plan.index(f"# release   security rules of bucket {NAME}")


def test_roles(stored_run):
    state = stored_run["state"]
    assert state["roles"][ROLE]["includedPermissions"] == ["storage.objects.delete", "storage.objects.list"]
    account = "serviceAccount:fn-erase-uploads@my-project.iam.gserviceaccount.com"
    assert members(state, ROLE, f"buckets {NAME}") == [account] and members(state, ROLE) == []
    assert members(state, "roles/pubsub.publisher") == [AGENT("gs-project-accounts")]
    # These rules don't read Firestore.
    assert members(state, "roles/firebaserules.firestoreServiceAgent") == []


def test_a_plan_without_an_account_has_the_same_commands(cloud, stored_run):
    add_functions(cloud)
    plans = [cloud.must("plan", *NAMES, "--offline").stdout, stored_run["plan"]]
    offline, online = [
        [line for line in commands(plan) if "firebasestorage.googleapis.com/" in line or "gcloud storage" in line
         or "--event-filters=bucket=" in line] for plan in plans]
    assert offline == online and len(online) == 5


def test_applying_again_changes_nothing(stored):
    printed = stored.must("apply", *NAMES).stdout
    for title in (f"bucket {NAME} in us-central1", f"bucket {NAME} is linked to Firebase",
                  f"security rules of bucket {NAME}", "Cloud Storage may publish events: pubsub.publisher",
                  f"role of eraseUploads in bucket {NAME}: worldchatObjectDeleter"):
        assert f"# unchanged {title}\n" in printed
    assert stored.changes == []


def test_other_functions_need_no_bucket(cloud, first_run):
    assert "storage" not in first_run["plan"]
    add_functions(cloud)
    assert "storage" not in cloud.must("plan", "translateMessage").stdout


def test_a_role_of_an_earlier_deployment_is_revoked(stored):
    stored.add_function("eraseUploads", **FUNCTIONS["eraseUploads"] | {"objectWrites": []})
    stored.must("apply", *NAMES)
    assert [line for line in lines(stored) if "remove-iam-policy-binding" in line] == [
        f"gcloud storage buckets remove-iam-policy-binding gs://{NAME} "
        f"--member=serviceAccount:fn-erase-uploads@my-project.iam.gserviceaccount.com --role={ROLE} "
        "--project=my-project --quiet"]
    assert members(stored.state, ROLE, f"buckets {NAME}") == []


# MARK: The bucket


def test_the_default_bucket_of_an_old_project(cloud):
    add_functions(cloud)
    add_bucket(cloud, OLD_NAME, "EU")
    cloud.must("apply", *NAMES)
    assert list(cloud.state["buckets"]) == [OLD_NAME]
    assert {bucket for _, bucket, _ in buckets_of_triggers(cloud.state)} == {OLD_NAME}
    assert {place for _, _, place in buckets_of_triggers(cloud.state)} == {"eu"}
    assert environments(lines(cloud))["link-upload-call"] == OLD_NAME
    assert f"projects/my-project/releases/firebase.storage/{OLD_NAME}" in cloud.state["releases"]
    # Its name may be set, too.
    cloud.forget_calls()
    cloud.must("apply", *NAMES, STORAGE_BUCKET=OLD_NAME)
    assert cloud.changes == []


def test_a_bucket_elsewhere(cloud):
    add_functions(cloud)
    options = ("--storage-bucket", "chat-uploads", "--storage-bucket-location", "europe-west1")
    cloud.must("apply", *NAMES, *options)
    assert cloud.state["buckets"]["chat-uploads"]["location"] == "EUROPE-WEST1"
    assert cloud.state["linkedBuckets"] == ["chat-uploads"]
    assert {place for _, _, place in buckets_of_triggers(cloud.state)} == {"europe-west1"}
    assert environments(lines(cloud))["erase-uploads-event"] == "chat-uploads"
    # The location of an existing bucket is known.
    cloud.forget_calls()
    cloud.must("apply", *NAMES, *options[:2])
    assert cloud.changes == []
    other = cloud.run("plan", *NAMES, *options[:2], "--storage-bucket-location", "us")
    assert other.returncode == 64
    assert "--storage-bucket-location is us, but bucket chat-uploads is in europe-west1" in other.stderr
    # status and destroy find the triggers of both locations.
    status = cloud.must("status", *options[:2]).stdout
    assert "bucket chat-uploads finalized" in status
    assert "Cloud Storage  chat-uploads, security rules as in storage.rules" in status
    cloud.must("destroy", "--yes")
    assert cloud.state["triggers"] == {} and "chat-uploads" in cloud.state["buckets"]


@pytest.mark.parametrize("region", ["europe-west4", "us-east1"])
def test_the_location_is_the_region(cloud, region):
    add_functions(cloud)
    plan = cloud.must("plan", *NAMES, "--offline", "--region", region).stdout
    assert f"bucket {NAME} in {region}, which can't be moved later" in plan
    assert f'"location":"{region}"' in plan.replace("\\", "")


def test_a_bucket_that_is_not_linked(cloud):
    add_functions(cloud)
    add_bucket(cloud, "chat-uploads", linked=False)
    cloud.must("apply", *NAMES, "--storage-bucket", "chat-uploads")
    assert ("POST", "buckets/chat-uploads:addFirebase") in requests(cloud)
    assert "storage buckets create" not in " ".join(lines(cloud))


def test_another_bucket_moves_the_triggers(stored):
    stored.must("apply", *NAMES, "--storage-bucket", "other", "--storage-bucket-location", "asia")
    kinds = [call["argv"][3] for call in stored.changes if call["argv"][1] == "eventarc"]
    assert sorted(kinds) == ["create", "create", "delete", "delete"]
    assert buckets_of_triggers(stored.state) == [("finalized", "other", "asia"), ("metadataUpdated", "other", "asia")]


def test_no_bucket(cloud):
    none = ("--storage-bucket", "none")
    cloud.add_function("eraseUploads", **FUNCTIONS["eraseUploads"])
    cloud.add_image("erase-uploads")
    cloud.must("apply", "eraseUploads", *none)
    # A comment in Firestore's rules may name Storage.
    commands = [line for line in lines(cloud) if "rulesets" not in line]
    assert "storage" not in " ".join(commands).lower() and "buckets" not in cloud.state
    add_functions(cloud)
    result = cloud.run("plan", "--offline", STORAGE_BUCKET="none")
    assert result.returncode == 65
    assert result.stderr == ("deploy.sh: checkUpload needs Cloud Storage, but --storage-bucket is none: leave it out "
                             "or choose a bucket\n")


# MARK: Bad input


def test_a_bucket_of_another_project(cloud):
    add_functions(cloud)
    add_bucket(cloud, "theirs", number="42", linked=False)
    for command in ("plan", "apply"):
        cloud.change_state(lambda state: state.setdefault("apis", {}).update(
            {f"{api}.googleapis.com": {"config": {"name": f"{api}.googleapis.com"}}
             for api in ("storage", "firebasestorage")}))
        result = cloud.run(command, *NAMES, "--storage-bucket", "theirs")
        assert result.returncode == 65
        assert "bucket theirs belongs to another project than my-project: choose another with --sto" in result.stderr
    assert "storage" not in " ".join(line for line in lines(cloud) if "services enable" not in line)


def test_a_bucket_that_the_account_may_not_read(stored):
    add_bucket(stored, "theirs", number="42", linked=False)
    stored.change_state(lambda state: state["buckets"]["theirs"].update(isPrivate=True))
    result = stored.run("apply", *NAMES, "--storage-bucket", "theirs")
    assert result.returncode == 1 and stored.changes == []
    assert "does not have storage.buckets.get access" in result.stderr
    assert "reading the project's state failed: https://storage.googleapis.com/storage/v1/b/theirs" in result.stderr


def test_an_old_name_that_is_free(stored):
    result = stored.run("plan", *NAMES, "--storage-bucket", OLD_NAME)
    assert result.returncode == 64
    assert f"there is no bucket {OLD_NAME}, and Google creates no new one of this name" in result.stderr


@pytest.mark.parametrize("option, value", [
    ("--storage-bucket", "gs://chat"), ("--storage-bucket", "Chat"), ("--storage-bucket", "a"),
    ("--storage-bucket", "chat/avatars"), ("--storage-bucket", "-chat"), ("--storage-bucket-location", "mars"),
    ("--storage-bucket-location", "EU"), ("--storage-bucket-location", "europe"),
])
def test_wrong_settings(cloud, option, value):
    result = cloud.run("plan", option, value)
    assert result.returncode == 64
    assert f"{option} can't be " in result.stderr and cloud.calls == []


def test_a_location_that_google_does_not_know(cloud):
    add_functions(cloud)
    for bucket in ((), ("--storage-bucket", "chat-uploads")):
        result = cloud.run("apply", *NAMES, *bucket, "--storage-bucket-location", "mars-west1")
        assert result.returncode == 1
        assert "mars-west1" in result.stderr and "this step failed: create bucket" in result.stderr


def test_a_project_without_firebase(cloud):
    add_functions(cloud)
    cloud.change_state(lambda state: state.update(isNotOfFirebase=True))
    result = cloud.run("apply", *NAMES)
    assert result.returncode == 1
    assert f"this step failed: create bucket {NAME}" in result.stderr
    assert "add Firebase to the project in Firebase's console" in result.stderr
    result = cloud.run("apply", *NAMES, "--storage-bucket", "chat-uploads")
    assert "this step failed: link bucket chat-uploads" in result.stderr
    assert "run deploy" not in " ".join(lines(cloud))


def test_variables_of_an_emulator(cloud):
    cloud.set_env("STORAGE_EMULATOR_HOST=http://127.0.0.1:9199\n")
    assert "STORAGE_EMULATOR_HOST in deploy.env is for local use only" in cloud.run("plan").stderr


@pytest.mark.parametrize("bucket, is_match", [("*", True), (None, True), (NAME, True), ("other", False)])
def test_the_bucket_of_a_trigger(cloud, bucket, is_match):
    cloud.add_function("checkUpload", triggers=[object_trigger("deleted", bucket=bucket)])
    result = cloud.run("plan", "checkUpload", "--offline")
    assert result.returncode == (0 if is_match else 65)
    if is_match:
        assert (f"--event-filters=type={OBJECT_EVENT}.deleted --event-filters=bucket={NAME} "
                "--event-data-content-type=application/json") in result.stdout
    else:
        assert (f"checkUpload has a trigger for bucket other, but the deployment's is {NAME}: choose another with "
                "--storage-bucket") in result.stderr
        # Another function can be deployed.
        cloud.must("plan", "askAI", "--offline")
        cloud.must("plan", "checkUpload", "--offline", "--storage-bucket", "other")


# MARK: Rules


def test_rules_are_changed_only_if_the_file_is(stored):
    before = in_force(stored)
    text = edit(stored, 'two "quotes", a \\ and a $variable, é')
    stored.must("apply", *NAMES)
    assert requests(stored) == [("POST", "rulesets"), ("PATCH", f"releases/firebase.storage/{NAME}")]
    assert in_force(stored) == text
    stored.forget_calls()
    stored.must("apply", *NAMES)
    assert stored.changes == []
    # The rules that were replaced are kept by Google.
    stored.must("rollback")
    assert in_force(stored) == before and requests(stored) == [("PATCH", f"releases/firebase.storage/{NAME}")]
    assert f"Cloud Storage  {NAME}, security rules different from storage.rules" in stored.must("status").stdout
    last = stored.run("rollback")
    assert last.returncode == 69
    assert f"the security rules of bucket {NAME} have no ruleset to go back to" in last.stdout
    # The file's ruleset exists, and apply creates no other.
    stored.forget_calls()
    stored.must("apply", *NAMES)
    assert requests(stored) == [("PATCH", f"releases/firebase.storage/{NAME}")] and in_force(stored) == text


def test_rules_of_other_buckets_are_not_rolled_back(stored):
    stored.must("apply", *NAMES, "--storage-bucket", "other")
    edit(stored, "second")
    stored.must("apply", *NAMES)
    text = in_force(stored)
    result = stored.must("rollback")
    assert in_force(stored) == text
    assert f"the security rules of bucket {NAME} stay: other buckets have rules, too" in result.stdout


def test_the_rules_of_firestore_are_apart(stored):
    edit(stored, "second")
    stored.must("apply", *NAMES)
    result = stored.must("rollback")
    assert "# the security rules have no ruleset to go back to" in result.stdout
    assert f"# release   security rules of bucket {NAME}: ruleset " in result.stdout


def test_invalid_rules_are_refused_with_the_line(stored):
    before = in_force(stored)
    number = len(edit(stored, "a mistake").splitlines())
    result = stored.run("apply", *NAMES)
    assert result.returncode == 1 and in_force(stored) == before
    assert f"storage.rules: [E] {number}:1 - Unexpected 'mistake'." in result.stderr
    assert f"this step failed: release security rules of bucket {NAME}" in result.stderr


@pytest.mark.parametrize("call, is_read", [
    ("firestore.get(/databases/(default)/documents/users/$(uid))", True),
    ("firestore\n  .exists (/databases/(default)/documents/users/$(uid))", True),
    ("firestore == 1", False), ("resource.metadata.firestore", False),
])
def test_rules_that_read_firestore(stored, call, is_read):
    edit(stored, "")
    (stored.root / "storage.rules").write_text(STORAGE_RULES.replace("request.auth != null", call))
    stored.must("apply", *NAMES)
    role = "roles/firebaserules.firestoreServiceAgent"
    assert members(stored.state, role) == ([AGENT("gcp-sa-firebasestorage")] if is_read else [])
    stored.forget_calls()
    stored.must("apply", *NAMES)
    assert stored.changes == []


@pytest.mark.parametrize("storage, targets, file", [
    ({"rules": "own.rules"}, None, "own.rules"),
    ([{"bucket": "other", "rules": "storage.rules"}, {"bucket": NAME, "rules": "own.rules"}], None, "own.rules"),
    ([{"target": "theirs", "rules": "storage.rules"}, {"target": "main", "rules": "own.rules"}],
     {"my-project": {"storage": {"main": ["x", NAME], "theirs": ["other"]}}}, "own.rules"),
    ([{"bucket": "other", "rules": "storage.rules"}], None, None), ([], None, None),
    ([{"target": "main", "rules": "storage.rules"}], {"another": {"storage": {"main": [NAME]}}}, None),
])
def test_the_file_of_the_rules(stored, storage, targets, file):
    (stored.root / "own.rules").write_text(STORAGE_RULES + "// own\n")
    stored.set_storage(storage)
    if targets:
        (stored.root / ".firebaserc").write_text(json.dumps({"targets": targets}))
    result = stored.run("apply", *NAMES)
    if file is None:
        assert result.returncode == 65 and stored.changes == []
        assert f"firebase.json names no security rules for bucket {NAME}: add " in result.stderr
        # Functions that use no bucket need no rules.
        stored.must("plan", "translateMessage")
    else:
        assert result.returncode == 0, result.stderr
        assert in_force(stored) == (stored.root / file).read_text()


@pytest.mark.parametrize("storage", ["storage.rules", {}, {"rules": 1}, [{"bucket": NAME}], ["storage.rules"]])
def test_a_wrong_firebase_json(cloud, storage):
    cloud.set_storage(storage)
    result = cloud.run("plan")
    assert result.returncode == 65
    assert 'firebase.json: "storage" must be an object with "rules", or an array of such objects' in result.stderr


def test_a_missing_file_of_rules(cloud):
    cloud.set_storage({"rules": "missing.rules"})
    result = cloud.run("plan")
    assert result.returncode == 65
    assert "firebase.json names the security rules missing.rules, but there is no such file" in result.stderr


def test_destroy_keeps_the_bucket(stored):
    before = stored.state
    printed = stored.must("destroy", "--yes").stdout
    assert "# The databases and buckets with their data and security rules" in printed
    assert stored.state["triggers"] == {} and requests(stored) == []
    assert [stored.state[kind] for kind in ("buckets", "linkedBuckets", "releases")] == [
        before[kind] for kind in ("buckets", "linkedBuckets", "releases")]
    assert members(stored.state, "roles/pubsub.publisher") == [AGENT("gs-project-accounts")]


# MARK: The stand-in


def ask(state, method, path, body=None):
    headers = ["content-type: application/json", "x-goog-user-project: my-project", "@-"]
    words = [word for header in headers for word in ("--header", header)]
    words += ["--data", body] if body is not None else []
    url = f"https://firebasestorage.googleapis.com/v1beta/projects/my-project/{path}"
    text, _ = answer(["curl", "--write-out", "%{http_code}", "--request", method, *words, url],
                     "Authorization: Bearer ya29.stand-in", state)
    return int(text[-3:])


def test_the_stand_in_refuses_what_google_refuses():
    state = {"apis": {"firebasestorage.googleapis.com": {}}}
    assert ask({}, "GET", "defaultBucket") == 403
    assert ask(state, "GET", "defaultBucket") == 404
    for body in ("{", "{}", '{"location":1}', '{"location":"mars"}', '{"location":"us","colour":"red"}'):
        assert ask(state, "POST", "defaultBucket", body) == 400
    assert ask(state, "POST", "buckets/chat:addFirebase", "{}") == 404
    assert ask(state, "POST", "defaultBucket", '{"location":"us"}') == 200
    assert ask(state, "GET", "defaultBucket") == 200
    assert ask(state, "GET", f"buckets/{NAME}") == 200
    assert ask(state, "POST", f"buckets/{NAME}:addFirebase", "{}") == 409
    state["buckets"]["chat"] = {"name": "chat", "projectNumber": "42"}
    assert ask(state, "POST", "buckets/chat:addFirebase", "{}") == 403
