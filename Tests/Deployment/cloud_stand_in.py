"""A stand-in for gcloud, curl and skopeo. Called by one of their names, it records the call, keeps
the state of a cloud, and answers in the formats of Google's APIs.

The variable CLOUD_STAND_IN names its folder: calls.jsonl with one {"argv", "stdin"} a line;
state.json; and fail.json, {"match": text, "count": n}, which makes the n-th call that contains the
text fail. An unknown command is an error: an unexpected call must not pass.
"""

import fcntl
import json
import os
import re
import sys

import rest_stand_in
from rest_stand_in import NUMBER, TOKEN

# Paths are texts, because importing pathlib would take a fifth of a call's time.
FOLDER = os.environ["CLOUD_STAND_IN"]
# The API that a command's first word uses, which must be enabled.
APIS = {
    "projects": "cloudresourcemanager", "artifacts": "artifactregistry", "iam": "iam", "run": "run",
    "secrets": "secretmanager", "firestore": "firestore", "pubsub": "pubsub", "eventarc": "eventarc",
    "monitoring": "monitoring", "billing": "billingbudgets", "storage": "storage",
}


def main():
    argv = [os.path.basename(sys.argv[0]), *map(content, sys.argv[1:])]
    stdin = sys.stdin.read() if "-" in argv[-1:] or reads_stdin(argv) else None
    with open(f"{FOLDER}/lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with open(f"{FOLDER}/calls.jsonl", "a") as calls:
            calls.write(json.dumps({"argv": argv, "stdin": stdin}) + "\n")
        fail_if_told(" ".join(argv))
        path = f"{FOLDER}/state.json"
        state = read(path) if os.path.exists(path) else {}
        try:
            answer = answer_to(argv, stdin, state)
        finally:
            # A refused call may have left something, such as a revision that doesn't start.
            write(path, state)
    if isinstance(answer, str):
        print(answer)
    elif answer is not None:
        print(json.dumps(answer))


def content(word):
    """Returns what a word `@FILE` means to curl: the file's content, or the output of a process."""
    if not word.startswith("@") or word == "@-":
        return word
    with open(word[1:]) as file:
        return file.read()


def read(path):
    with open(path) as file:
        return json.load(file)


def write(path, value):
    with open(path, "w") as file:
        json.dump(value, file)


def reads_stdin(argv):
    return any(word in ("--data-file=-", "@-", "--password-stdin") for word in argv)


def fail_if_told(line):
    path = f"{FOLDER}/fail.json"
    if not os.path.exists(path):
        return
    order = read(path)
    if order["match"] not in line:
        return
    order["count"] -= 1
    write(path, order)
    if order["count"] == 0:
        os.unlink(path)
        refuse("PERMISSION_DENIED: the stand-in was told to fail")


def refuse(text):
    sys.exit(f"ERROR: (gcloud) {text}")


class Call:
    """A command's words and flags."""

    def __init__(self, argv):
        self.words, self.flags, self.lists = [], {}, {}
        for word in argv[1:]:
            name, _, value = word.partition("=")
            if word.startswith("--"):
                self.flags[name] = value
                self.lists.setdefault(name, []).append(value)
            else:
                self.words.append(word)

    def __getitem__(self, name):
        if name not in self.flags:
            refuse(f"argument {name}: Must be specified.")
        return self.flags[name]

    def is_about(self, *words):
        return self.words[: len(words)] == list(words)


def answer_to(argv, stdin, state):
    if argv[0] == "curl":
        text, is_failure = rest_stand_in.answer(argv, stdin, state)
        if is_failure:
            print(text)
            sys.exit("curl: (22) The requested URL returned error")
        return text
    if argv[0] == "skopeo":
        return push(argv, stdin, state)
    call = Call(argv)
    if call.is_about("auth", "print-access-token"):
        return TOKEN
    if call.is_about("projects", "describe"):
        if state.get("signedOut"):
            refuse("You do not currently have an active account selected.")
        return {"projectId": call.words[2], "projectNumber": NUMBER} if "json" in call["--format"] else NUMBER
    project = call["--project"]
    api = APIS.get(next(word for word in call.words if word not in ("alpha", "beta")))
    if api and f"{api}.googleapis.com" not in kept(state, "apis"):
        refuse(f"PERMISSION_DENIED: {api} API has not been used in project {project} before or it is disabled.")
    for kind in HANDLERS:
        if call.is_about(*kind):
            return HANDLERS[kind](call, state, project)
    refuse(f"Invalid choice: {' '.join(call.words)}")


# MARK: Lists of what exists


def kept(state, kind):
    return state.setdefault(kind, {})


def created(state, kind, name, value):
    if name in kept(state, kind):
        refuse(f"ALREADY_EXISTS: {kind} {name}")
    kept(state, kind)[name] = value


def existing(state, kind, name):
    if name not in kept(state, kind):
        refuse(f"NOT_FOUND: {kind} {name}")
    return kept(state, kind)[name]


def listing(kind):
    return lambda call, state, project: list(kept(state, kind).values())


def regional(call, name):
    """Returns the key of a service: each region has its own service of a name."""
    return f"{call['--region']}/{name}"


def policy(kind, word):
    """Returns get-iam-policy and the change of a binding for resources of a kind."""

    def found(call, state):
        name = regional(call, call.words[word]) if kind == "services" else call.words[word]
        name = name.removeprefix("gs://")
        if kind:
            existing(state, kind, name)
        return f"{kind} {name}"

    def read(call, state, project):
        return {"bindings": kept(state, "policies").get(found(call, state), []), "etag": "x"}

    def change(call, state, project):
        bindings = kept(state, "policies").setdefault(found(call, state), [])
        role, member = call["--role"], call["--member"]
        if member == "allUsers" and call.words[word - 1].startswith("add") and state.get("refusesAllUsers"):
            refuse("FAILED_PRECONDITION: One or more users named in the policy do not belong to a permitted "
                   "customer, perhaps due to an organization policy.")
        account = member.removeprefix("serviceAccount:")
        if account.endswith("@gcp-sa-pubsub.iam.gserviceaccount.com"):
            existing(state, "agents", "pubsub.googleapis.com")
        if account.endswith("@gs-project-accounts.iam.gserviceaccount.com"):
            existing(state, "agents", "storage.googleapis.com")
        if account.endswith("@gcp-sa-firebasestorage.iam.gserviceaccount.com") and not state.get("linkedBuckets"):
            refuse(f"INVALID_ARGUMENT: Service account {account} does not exist.")
        if account.endswith(f"@{project}.iam.gserviceaccount.com"):
            existing(state, "accounts", account)
        condition = condition_of(call, bindings)
        binding = {"role": role} | ({"condition": condition} if condition else {})
        same = [b for b in bindings if b["role"] == role
                and ("--all" in call.flags or b.get("condition") == condition)]
        if call.words[word - 1].startswith("remove"):
            same = [b for b in same if member in b["members"]]
            if not same:
                refuse("Policy binding with the specified principal, role, and condition not found!")
            for binding in same:
                binding["members"].remove(member)
        elif not same:
            if role.startswith("projects/"):
                existing(state, "roles", role)
            bindings.append({**binding, "members": [member]})
        elif member not in same[0]["members"]:
            same[0]["members"].append(member)

    return read, change


def condition_of(call, bindings):
    """Returns the condition of a call, or None. If other bindings have conditions, gcloud requires
    the flag."""
    text = call.flags.get("--condition")
    if text is None and "--all" not in call.flags and any("condition" in binding for binding in bindings):
        refuse("Adding a binding without specifying a condition to a policy containing conditions is prohibited")
    if text in (None, "None"):
        return None
    condition = dict(part.split("=", 1) for part in text.removeprefix("--condition=").split(","))
    if set(condition) != {"expression", "title"}:
        refuse(f"argument --condition: {condition}")
    return condition


# MARK: Commands


def enable(call, state, project):
    for api in call.words[2:]:
        kept(state, "apis")[api] = {"config": {"name": api}}


def create_agent(call, state, project):
    kept(state, "agents")[call["--service"]] = {}


def create_storage_agent(call, state, project):
    kept(state, "agents")["storage.googleapis.com"] = {}
    return f"service-{NUMBER}@gs-project-accounts.iam.gserviceaccount.com"


def create_bucket(call, state, project):
    assert "--uniform-bucket-level-access" in call.flags
    name = call.words[3].removeprefix("gs://")
    if "." in name:
        refuse("HTTPError 403: The bucket you tried to create requires domain ownership verification.")
    why = rest_stand_in.add_bucket(state, name, call["--location"])
    if why:
        refuse(f"HTTPError 400: {why}")


def create_repository(call, state, project):
    assert call["--repository-format"] == "docker"
    name = f"projects/{project}/locations/{call['--location']}/repositories/{call.words[3]}"
    created(state, "repositories", call.words[3], {"name": name})


def push(argv, stdin, state):
    if argv[1] == "login":
        assert stdin.strip() == TOKEN
        kept(state, "registries")[argv[-1]] = "oauth2accesstoken"
    elif argv[1] == "copy":
        # Without the flag, the image in the registry may get another digest.
        assert "--preserve-digests" in argv
        registry, _, repository, _ = argv[-1].removeprefix("docker://").split("/")
        existing(state, "registries", registry)
        existing(state, "repositories", repository)
        _, layout, name = argv[-2].split(":")
        manifests = read(f"{layout}/index.json")["manifests"]
        digest = next(m["digest"] for m in manifests if name in m["annotations"].values())
        package, tag = argv[-1].removeprefix("docker://").rsplit(":", 1)
        for image in kept(state, "images").values():
            if image["package"] == package and tag in image["tags"]:
                image["tags"].remove(tag)
        image = {"package": package, "version": digest, "tags": []}
        kept(state, "images").setdefault(f"{package}@{digest}", image)["tags"].append(tag)


def role_name(call, project):
    return f"projects/{project}/roles/{call.words[3]}"


def create_role(call, state, project):
    assert {"--title", "--stage"} <= set(call.flags)
    name = role_name(call, project)
    created(state, "roles", name, {"name": name, "includedPermissions": call["--permissions"].split(",")})


def list_roles(call, state, project):
    # Only describe returns permissions.
    return [{"name": role["name"]} for role in kept(state, "roles").values()]


def describe_role(call, state, project):
    return existing(state, "roles", role_name(call, project))


def update_role(call, state, project):
    existing(state, "roles", role_name(call, project))["includedPermissions"] = call["--permissions"].split(",")


def create_account(call, state, project):
    name = call.words[3]
    if not re.fullmatch("[a-z][a-z0-9-]{4,28}[a-z0-9]", name):
        refuse(f"INVALID_ARGUMENT: {name}")
    email = f"{name}@{project}.iam.gserviceaccount.com"
    created(state, "accounts", email, {"email": email})


def create_secret(call, state, project):
    name = call.words[2]
    created(state, "secrets", name, {"name": f"projects/{NUMBER}/secrets/{name}"})
    # gcloud creates the secret and then its version, with a second request.
    if state.get("refusesVersions"):
        refuse("PERMISSION_DENIED: Permission 'secretmanager.versions.add' denied")
    add_version(state, name)


def add_version(state, name):
    versions = kept(state, "versions").setdefault(name, [])
    path = existing(state, "secrets", name)["name"]
    versions.append({"name": f"{path}/versions/{len(versions) + 1}", "state": "ENABLED"})


def list_versions(call, state, project):
    existing(state, "secrets", call.words[3])
    return kept(state, "versions").get(call.words[3], [])[::-1][: int(call["--limit"])]


def delete_secret(call, state, project):
    existing(state, "secrets", call.words[2])
    del kept(state, "secrets")[call.words[2]]
    kept(state, "versions").pop(call.words[2], None)


def create_database(call, state, project):
    name = call["--database"]
    created(
        state, "databases", name,
        {"name": f"projects/{project}/databases/{name}", "locationId": call["--location"], "type": "FIRESTORE_NATIVE"},
    )


def group(call, project):
    return f"projects/{project}/databases/{call['--database']}/collectionGroups/{call['--collection-group']}"


def create_composite(call, state, project):
    fields = []
    for text in call.lists["--field-config"]:
        parts = dict(part.split("=", 1) for part in text.split(","))
        field = {"fieldPath": parts["field-path"]}
        field |= {"order": parts["order"].upper()} if "order" in parts else {"arrayConfig": "CONTAINS"}
        fields.append(field)
    last = fields[-1].get("order", "ASCENDING")
    name = f"{group(call, project)}/indexes/{len(kept(state, 'composites'))}"
    created(
        state, "composites", f"{group(call, project)} {fields}",
        {"name": name, "queryScope": call["--query-scope"].upper().replace("-", "_"),
         "fields": fields + [{"fieldPath": "__name__", "order": last}], "state": "CREATING"},
    )


def disable_field(call, state, project):
    assert "--disable-indexes" in call.flags
    name = f"{group(call, project)}/fields/{call.words[4]}"
    kept(state, "fields")[name] = {"name": name, "indexConfig": {}}


def enable_expiry(call, state, project):
    assert "--enable-ttl" in call.flags
    name = f"{group(call, project)}/fields/{call.words[4]}"
    kept(state, "ttls")[name] = {"name": name, "ttlConfig": {"state": "CREATING"}}


def create_topic(call, state, project):
    created(state, "topics", call.words[3], {"name": f"projects/{project}/topics/{call.words[3]}"})


def create_subscription(call, state, project):
    existing(state, "topics", call["--topic"])
    created(
        state, "subscriptions", call.words[3],
        {"name": f"projects/{project}/subscriptions/{call.words[3]}", "topic": call["--topic"],
         "ackDeadlineSeconds": whole(call, "--ack-deadline", 10, 600),
         "keeps": call["--message-retention-duration"], "expires": call["--expiration-period"]},
    )


def update_subscription(call, state, project):
    subscription = existing(state, "subscriptions", call.words[3])
    subscription["ackDeadlineSeconds"] = whole(call, "--ack-deadline", 10, 600)
    if set(call.flags) == {"--ack-deadline", "--project", "--quiet"}:
        return
    subscription["deadLetterPolicy"] = {
        "deadLetterTopic": existing(state, "topics", call["--dead-letter-topic"])["name"],
        "maxDeliveryAttempts": whole(call, "--max-delivery-attempts", 5, 100),
    }
    subscription["retryPolicy"] = {
        "minimumBackoff": call["--min-retry-delay"], "maximumBackoff": call["--max-retry-delay"],
    }


def whole(call, name, least, most):
    """Returns a flag's whole number. Refuses the call if the number is outside of the API's range.
    """
    value = int(call[name])
    if not least <= value <= most:
        refuse(f"INVALID_ARGUMENT: {name}: {value} is not from {least} to {most}")
    return value


def deploy(call, state, project):
    name = call.words[2]
    call.flags["--timeout"] = call["--timeout"].removesuffix("s")
    whole(call, "--timeout", 1, 3600)
    whole(call, "--concurrency", 1, 1000)
    existing(state, "accounts", call["--service-account"])
    variables = []
    for secret in filter(None, call.flags.get("--set-secrets", "").split(",")):
        variable, secret = secret.split("=")
        secret, version = secret.split(":")
        variables.append({"name": variable, "valueFrom": {"secretKeyRef": {"name": secret, "key": version}}})
        existing(state, "secrets", secret)
        if version != "latest" or kept(state, "versions").get(secret, [{}])[-1].get("state") != "ENABLED":
            refuse(f"spec.template.spec.containers[0].env: secrets/{secret}/versions/{version} was not found")
    existing(state, "images", call["--image"])
    if state.get("warns"):
        print("Deploying...\nWARNING: it is Sunday.\nCompleted with warnings:\n  It rains.\nDone.", file=sys.stderr)
    key = regional(call, name)
    is_new = key not in kept(state, "services")
    if is_new and "--no-traffic" in call.flags:
        refuse("--no-traffic not supported when creating a new service.")
    service = kept(state, "services").setdefault(
        key,
        {"metadata": {"name": name},
         "spec": {"traffic": [{"latestRevision": True, "percent": 100}]},
         "status": {"url": f"https://{name}-uc.a.run.app"}},
    )
    revisions = kept(state, "revisions").setdefault(key, [])
    labels = dict(label.split("=") for label in call["--labels"].split(","))
    if not all(re.fullmatch("[a-z0-9_-]{0,63}", value) for value in labels.values()):
        refuse(f"INVALID_ARGUMENT: {labels}")
    service["metadata"]["labels"] = labels | {"cloud.googleapis.com/location": call["--region"]}
    service["spec"]["template"] = {
        "spec": {"serviceAccountName": call["--service-account"], "containers": [{"env": variables}]}}
    if "--no-traffic" in call.flags:
        for share in service["spec"]["traffic"]:
            if share.pop("latestRevision", False):
                share["revisionName"] = revisions[-1]["metadata"]["name"]
    number = len(revisions) + 1
    is_ready = not state.get("cannotStart")
    revisions.append(
        {"metadata": {"name": f"{name}-{number:05}-abc", "creationTimestamp": f"2026-01-01T00:00:{number:02}Z"},
         "status": {"conditions": [{"type": "Ready", "status": "True" if is_ready else "False"}]}}
    )
    service["status"]["latestCreatedRevisionName"] = revisions[-1]["metadata"]["name"]
    if is_ready:
        service["status"]["latestReadyRevisionName"] = revisions[-1]["metadata"]["name"]
    show_traffic(service)
    if not is_ready:
        refuse("The user-provided container failed to start and listen on the port")


def show_traffic(service):
    newest = service["status"].get("latestReadyRevisionName")
    service["status"]["traffic"] = [
        {**share, "revisionName": share.get("revisionName", newest)} for share in service["spec"]["traffic"]
    ]


def update_traffic(call, state, project):
    service = existing(state, "services", regional(call, call.words[3]))
    if "--to-latest" in call.flags:
        service["spec"]["traffic"] = [{"latestRevision": True, "percent": 100}]
    else:
        revision, percent = call["--to-revisions"].split("=")
        percent = int(percent)
        target = {"latestRevision": True} if revision == "LATEST" else {"revisionName": revision}
        others = [s for s in service["spec"]["traffic"] if not target.items() <= s.items()]
        total = sum(share["percent"] for share in others)
        if percent < 100 and total == 0:
            refuse("the other revisions have no traffic to scale")
        for share in others:
            share["percent"] = round(share["percent"] * (100 - percent) / total) if total else 0
        service["spec"]["traffic"] = [s for s in others if s["percent"]] + [{**target, "percent": percent}]
    show_traffic(service)


def list_revisions(call, state, project):
    return kept(state, "revisions").get(regional(call, call["--service"]), [])


def list_services(call, state, project):
    # The command ignores the region of gcloud's configuration.
    region = call.flags.get("--region")
    return [service for key, service in kept(state, "services").items()
            if region is None or key.startswith(f"{region}/")]


def delete_service(call, state, project):
    key = regional(call, call.words[3])
    existing(state, "services", key)
    del kept(state, "services")[key]


def destination(call, state):
    service, region = call["--destination-run-service"], call["--destination-run-region"]
    existing(state, "services", f"{region}/{service}")
    return {"service": service, "region": region}


def create_trigger(call, state, project):
    name, location = call.words[3], call["--location"]
    exact, patterns = (dict(text.split("=", 1) for text in call.lists.get(flag, []))
                       for flag in ("--event-filters", "--event-filters-path-pattern"))
    if exact["type"].startswith("google.firebase.database.ref.v1."):
        check_ref_trigger(call, state, exact, patterns)
    elif exact["type"].startswith("google.cloud.storage.object.v1."):
        check_object_trigger(call, state, exact, patterns, project)
    else:
        check_document_trigger(call, state, exact, patterns)
    existing(state, "accounts", call["--service-account"])
    subscription = f"eventarc-{location}-{name}-sub-042"
    filters = [{"attribute": attribute, "value": value} for attribute, value in exact.items()]
    filters += [{"attribute": attribute, "value": value, "operator": "match-path-pattern"}
                for attribute, value in patterns.items()]
    path = f"projects/{project}/subscriptions/{subscription}"
    created(
        state, "triggers", name,
        {"name": f"projects/{project}/locations/{location}/triggers/{name}",
         "eventFilters": filters, "serviceAccount": call["--service-account"],
         "destination": {"cloudRun": destination(call, state) | {"path": call["--destination-run-path"]}},
         "transport": {"pubsub": {"subscription": path}}},
    )
    created(state, "subscriptions", subscription, {"name": path, "ackDeadlineSeconds": 10})


def check_document_trigger(call, state, exact, patterns):
    database, location = exact["database"], call["--location"]
    if {*exact, *patterns} != {"type", "database", "document"}:
        refuse(f"INVALID_ARGUMENT: {exact} {patterns}")
    if existing(state, "databases", database)["locationId"] != location:
        refuse(f"Database '{database}' does not exist in region '{location}'.")
    if call["--event-data-content-type"] != "application/protobuf":
        refuse("INVALID_ARGUMENT: Firestore's events are in protobuf alone")


def check_ref_trigger(call, state, exact, patterns):
    instance, location = exact.get("instance"), call["--location"]
    if set(exact) != {"type", "instance"} or set(patterns) != {"ref"} or patterns["ref"].startswith("/"):
        refuse(f"INVALID_ARGUMENT: {exact} {patterns}")
    if exact["type"].rsplit(".", 1)[1] not in ("created", "updated", "deleted", "written"):
        refuse(f"INVALID_ARGUMENT: {exact['type']}")
    if existing(state, "instances", instance)["name"].split("/")[3] != location:
        refuse(f"INVALID_ARGUMENT: {instance} is not in {location}")
    if call["--event-data-content-type"] != "application/json":
        refuse("INVALID_ARGUMENT: events of the Realtime Database are in JSON alone")


def check_object_trigger(call, state, exact, patterns, project):
    bucket = existing(state, "buckets", exact.get("bucket"))
    if set(exact) != {"type", "bucket"} or patterns:
        refuse(f"INVALID_ARGUMENT: {exact} {patterns}")
    if exact["type"].rsplit(".", 1)[1] not in ("finalized", "deleted", "archived", "metadataUpdated"):
        refuse(f"INVALID_ARGUMENT: {exact['type']}")
    if bucket["location"].lower() != call["--location"]:
        refuse(f"INVALID_ARGUMENT: Bucket '{bucket['name']}' does not exist in location '{call['--location']}'.")
    if call["--event-data-content-type"] != "application/json":
        refuse("INVALID_ARGUMENT: events of Cloud Storage are in JSON alone")
    agent = f"serviceAccount:service-{NUMBER}@gs-project-accounts.iam.gserviceaccount.com"
    if not any(binding["role"] == "roles/pubsub.publisher" and agent in binding["members"]
               for binding in kept(state, "policies").get(f" {project}", [])):
        refuse("FAILED_PRECONDITION: The Cloud Storage service account for your bucket is unable to publish to Cloud "
               "Pub/Sub topics in the specified project.")


def list_triggers(call, state, project):
    return [trigger for trigger in kept(state, "triggers").values()
            if call["--location"] in ("-", trigger["name"].split("/")[3])]


def existing_trigger(call, state):
    trigger = existing(state, "triggers", call.words[3])
    if trigger["name"].split("/")[3] != call["--location"]:
        refuse(f"NOT_FOUND: {call.words[3]} in {call['--location']}")
    return trigger


def describe_trigger(call, state, project):
    path = existing_trigger(call, state)["transport"]["pubsub"]["subscription"]
    return path.rsplit("/", 1)[1]


def update_trigger(call, state, project):
    trigger = existing_trigger(call, state)
    existing(state, "accounts", call["--service-account"])
    trigger["serviceAccount"] = call["--service-account"]
    trigger["destination"]["cloudRun"] |= destination(call, state)


def delete_trigger(call, state, project):
    path = existing_trigger(call, state)["transport"]["pubsub"]["subscription"]
    del kept(state, "subscriptions")[path.rsplit("/", 1)[1]]
    del kept(state, "triggers")[call.words[3]]


def deletion(kind, word):
    def delete(call, state, project):
        existing(state, kind, call.words[word])
        del kept(state, kind)[call.words[word]]

    return delete


def pull(call, state, project):
    """Leases each dead letter until the letter is given back. A lease has no time limit here."""
    existing(state, "subscriptions", call.words[3])
    letters = []
    for number, message in enumerate(state.get("deadLetters", [])):
        if f"ack-{number}" not in kept(state, "leases"):
            kept(state, "leases")[f"ack-{number}"] = call.words[3]
            letters.append({"ackId": f"ack-{number}", "message": {"messageId": message}})
    return letters


def give_back(call, state, project):
    assert whole(call, "--ack-deadline", 0, 600) == 0
    for ack in call["--ack-ids"].split(","):
        assert existing(state, "leases", ack) == call.words[3]
        del kept(state, "leases")[ack]


def create_alert(call, state, project):
    alert = read(call["--policy-from-file"])
    name = f"projects/{project}/alertPolicies/{len(kept(state, 'alerts'))}"
    created(state, "alerts", name, {"name": name, "displayName": alert["displayName"]})
    notify(state, name, call.lists.get("--notification-channels", []))


def update_alert(call, state, project):
    notify(state, call.words[4], [call["--add-notification-channels"]])


def notify(state, alert, channels):
    for channel in channels:
        existing(state, "channels", channel)
        existing(state, "alerts", alert).setdefault("notificationChannels", []).append(channel)


def create_channel(call, state, project):
    address = call["--channel-labels"].removeprefix("email_address=")
    name = f"projects/{project}/notificationChannels/1"
    created(state, "channels", name, {"name": name, "type": "email", "labels": {"email_address": address}})


def list_channels(call, state, project):
    channels = list(kept(state, "channels").values())
    return channels if call["--format"] == "json" else channels[0]["name"]


def create_budget(call, state, project):
    name = f"billingAccounts/{call['--billing-account']}/budgets/1"
    created(state, "budgets", name, {"name": name, "displayName": call["--display-name"],
                                     "projects": call["--filter-projects"],
                                     "thresholds": call.lists["--threshold-rule"],
                                     "amount": amount(call["--budget-amount"])})


def amount(text):
    units, _, cents = text.partition(".")
    nanos = int(cents.ljust(9, "0")) if cents else 0
    return {"specifiedAmount": {"currencyCode": "EUR", "units": units} | ({"nanos": nanos} if nanos else {})}


def update_budget(call, state, project):
    existing(state, "budgets", call.words[3])["amount"] = amount(call["--budget-amount"])


def handlers():
    table = {
        ("services", "list"): listing("apis"),
        ("services", "enable"): enable,
        ("beta", "services", "identity", "create"): create_agent,
        ("artifacts", "repositories", "list"): listing("repositories"),
        ("artifacts", "repositories", "create"): create_repository,
        ("artifacts", "docker", "images", "list"): listing("images"),
        ("iam", "service-accounts", "list"): listing("accounts"),
        ("iam", "service-accounts", "create"): create_account,
        ("iam", "service-accounts", "delete"): deletion("accounts", 3),
        ("iam", "roles", "list"): list_roles,
        ("iam", "roles", "describe"): describe_role,
        ("iam", "roles", "create"): create_role,
        ("iam", "roles", "update"): update_role,
        ("secrets", "list"): listing("secrets"),
        ("secrets", "create"): create_secret,
        ("secrets", "delete"): delete_secret,
        ("secrets", "versions", "list"): list_versions,
        ("secrets", "versions", "add"): lambda call, state, project: add_version(state, call.words[3]),
        ("storage", "service-agent"): create_storage_agent,
        ("storage", "buckets", "create"): create_bucket,
        ("firestore", "databases", "list"): listing("databases"),
        ("firestore", "databases", "create"): create_database,
        ("firestore", "indexes", "composite", "list"): listing("composites"),
        ("firestore", "indexes", "composite", "create"): create_composite,
        ("firestore", "indexes", "fields", "list"): listing("fields"),
        ("firestore", "indexes", "fields", "update"): disable_field,
        ("firestore", "fields", "ttls", "list"): listing("ttls"),
        ("firestore", "fields", "ttls", "update"): enable_expiry,
        ("pubsub", "topics", "list"): listing("topics"),
        ("pubsub", "topics", "create"): create_topic,
        ("pubsub", "subscriptions", "list"): listing("subscriptions"),
        ("pubsub", "subscriptions", "create"): create_subscription,
        ("pubsub", "subscriptions", "update"): update_subscription,
        ("pubsub", "subscriptions", "pull"): pull,
        ("pubsub", "subscriptions", "modify-message-ack-deadline"): give_back,
        ("run", "services", "list"): list_services,
        ("run", "services", "update-traffic"): update_traffic,
        ("run", "services", "delete"): delete_service,
        ("run", "revisions", "list"): list_revisions,
        ("run", "deploy"): deploy,
        ("eventarc", "triggers", "list"): list_triggers,
        ("eventarc", "triggers", "describe"): describe_trigger,
        ("eventarc", "triggers", "create"): create_trigger,
        ("eventarc", "triggers", "update"): update_trigger,
        ("eventarc", "triggers", "delete"): delete_trigger,
        ("alpha", "monitoring", "policies", "list"): listing("alerts"),
        ("alpha", "monitoring", "policies", "create"): create_alert,
        ("alpha", "monitoring", "policies", "update"): update_alert,
        ("alpha", "monitoring", "policies", "delete"): deletion("alerts", 4),
        ("beta", "monitoring", "channels", "list"): list_channels,
        ("beta", "monitoring", "channels", "create"): create_channel,
        ("billing", "budgets", "list"): listing("budgets"),
        ("billing", "budgets", "create"): create_budget,
        ("billing", "budgets", "update"): update_budget,
    }
    for words, kind in [
        (("projects",), ""), (("secrets",), "secrets"), (("run", "services"), "services"),
        (("pubsub", "topics"), "topics"), (("pubsub", "subscriptions"), "subscriptions"),
        (("storage", "buckets"), "buckets"),
    ]:
        read, change = policy(kind, len(words) + 1)
        table[(*words, "get-iam-policy")] = read
        table[(*words, "add-iam-policy-binding")] = change
        table[(*words, "remove-iam-policy-binding")] = change
    return table


HANDLERS = handlers()
