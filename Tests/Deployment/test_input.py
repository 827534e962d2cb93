"""Invalid input is named, and secrets are never printed."""

import re
import subprocess

import pytest

from conftest import trigger

VALUES = ("key-of-translation-1", "key-of-model-2")


def test_secrets_are_printed_nowhere(cloud, first_run):
    for text in (first_run["plan"], first_run["output"]):
        assert not any(value in text for value in VALUES)
    stdin = {}
    for call in first_run["changes"]:
        assert not any(value in word for value in VALUES for word in call["argv"])
        if call["argv"][1:3] == ["secrets", "create"]:
            stdin[call["argv"][3]] = call["stdin"]
    assert stdin == {"TRANSLATE_KEY": VALUES[0], "MODEL_KEY": VALUES[1]}
    # Secrets aren't printed if a command fails, either.
    cloud.fail("secrets create")
    result = cloud.run("apply", "askAI")
    assert result.returncode == 1
    assert not any(value in result.stdout + result.stderr for value in VALUES)


def test_a_key_is_missing(cloud):
    del cloud.environment["MODEL_KEY"]
    plan = cloud.must("plan", "askAI")
    assert "MODEL_KEY has no value" in plan.stdout
    refused = cloud.run("apply", "askAI")
    assert refused.returncode == 78
    assert "MODEL_KEY has no value, and Secret Manager has none" in refused.stderr
    assert [call["argv"][1:3] for call in cloud.changes] == [["services", "enable"]]


def test_an_existing_key_is_left_as_it_is(deployed):
    deployed.environment["MODEL_KEY"] = "another"
    deployed.must("apply", "askAI")
    assert deployed.changes == []


def test_a_function_is_deployed_without_a_key(cloud):
    del cloud.environment["MODEL_KEY"]
    cloud.set_env("# none\nMODEL_KEY=\n")
    cloud.must("apply", "askAI")
    assert "secrets" not in cloud.state or cloud.state["secrets"] == {}
    assert any("--clear-secrets" in call["argv"] for call in cloud.changes)


def test_deploy_env_gives_settings_variables_and_keys(cloud):
    del cloud.environment["TRANSLATE_KEY"]
    cloud.set_env(
        "GOOGLE_CLOUD_PROJECT=my-project\r\nGOOGLE_CLOUD_REGION=us-central1\nTRANSLATE_KEY='a \"key\" $(of) file'\n"
        'TRANSLATION_GLOSSARY="it\'s $HOME"\nMAX_INSTANCES=3\n')
    cloud.must("apply", "translateMessage", "--tag", "t1", "--functions", str(cloud.functions), settings=False)
    values = [call["stdin"] for call in cloud.changes if call["argv"][1:3] == ["secrets", "create"]]
    assert values == ['a "key" $(of) file']
    deploy = next(call["argv"] for call in cloud.changes if call["argv"][1:3] == ["run", "deploy"])
    assert "--max-instances=3" in deploy
    assert any("TRANSLATION_GLOSSARY=it's $HOME" in word for word in deploy)


def test_options_win_over_the_shell_and_the_shell_over_the_file(cloud):
    def most(*options):
        plan = cloud.must("plan", "askAI", "--offline", *options).stdout
        return re.findall(r"--max-instances=(\d+)", plan)

    assert most() == ["20"]
    cloud.set_env("MAX_INSTANCES=3\n")
    assert most() == ["3"]
    cloud.environment["MAX_INSTANCES"] = "4"
    assert most() == ["4"]
    assert most("--max-instances", "5") == ["5"]


# With App Check a command substitutes the project's number, in double quotes.
@pytest.mark.parametrize("options", [[], ["--app-check"]])
def test_a_printed_command_keeps_its_arguments_when_pasted(cloud, options):
    value = "it's \"$HOME\" `x` $(x) \\ & ; | * é"
    cloud.set_env(f"TRANSLATION_GLOSSARY={value}\n")
    plan = cloud.must("plan", "translateMessage", "--offline", *options).stdout
    subprocess.run(["bash", "-c", plan], check=True, cwd=cloud.root, env=cloud.environment, capture_output=True)
    deploys = [call["argv"] for call in cloud.changes if call["argv"][1:3] == ["run", "deploy"]]
    assert len(deploys) == 2
    for words in deploys:
        assert next(word for word in words if word.startswith("--set-env-vars")).endswith(value)


@pytest.mark.parametrize("option, value", [
    ("--project", "my project"), ("--project", "my-project;reboot"), ("--project", "my-project\nother"),
    ("--project", "$(reboot)"), ("--project", "MyProject"), ("--project", "p"), ("--project", "demo-worldchat"),
    ("--region", "us-central1;x"), ("--region", "nam5"), ("--region", "eur3"), ("--region", "us central1"),
    ("--database", "db'; x"), ("--database", "../x"), ("--tag", "a:b"), ("--tag", "a b"), ("--tag", "-x"),
    ("--traffic", "101"), ("--traffic", "-1"), ("--traffic", "ten"), ("--traffic", "1e2"), ("--traffic", "08x"),
    ("--max-instances", "0"), ("--min-instances", "1.5"), ("--target", "aws"), ("--registry", "a b"),
    ("--budget", "20EUR"), ("--billing-account", "x"), ("--alert-email", "a b@c"), ("--alert-email", "'@x"),
    ("--database-location", "europe"), ("--realtime-database", "My_DB"), ("--realtime-database", "a.b"),
    ("--realtime-database-location", "nam5"),
])
def test_invalid_settings(cloud, option, value):
    result = cloud.run("plan", option, value)
    assert result.returncode == 64
    assert option in result.stderr
    assert cloud.calls == []
    assert result.stdout == ""


@pytest.mark.parametrize("arguments, text", [
    (["plan", "--colour"], "there is no option --colour"),
    (["plan", "--project"], "--project needs a value"),
    (["plan", "--env-file", "none.env"], "none.env: there is no such file"),
    (["plan", "nobody"], "no function is called nobody"),
    (["plan", "--offline", "a;b"], 'no function is called "a;b"'),
    (["plan", "--functions", "nowhere"], "nowhere: there is no such folder"),
    *[([command, "--offline"], "--offline works only with plan")
      for command in ("apply", "status", "rollback", "destroy")],
    (["deliver"], "usage:"), ([], "usage:"),
])
def test_invalid_command_lines(cloud, arguments, text):
    settings = ["--project=my-project", "--region=us-central1", "--tag=t", "--functions", str(cloud.functions)]
    arguments = [*arguments[:1], *settings, *arguments[1:]] if arguments else []
    result = cloud.run(*(arguments or [""]), settings=False)
    assert result.returncode == 64
    assert text in result.stderr
    assert cloud.changes == []


def test_all_missing_settings_are_named_at_once(cloud):
    result = cloud.run("plan", "--budget", "20", settings=False)
    assert result.returncode == 64
    for option in ("--project", "--region", "--tag", "--billing-account"):
        assert f"{option} is missing" in result.stderr


@pytest.mark.parametrize("text, message", [
    ("A LINE", "deploy.env:1 is not NAME=value"),
    ("\n$(reboot)=1", "deploy.env:2 is not NAME=value"),
    ("LOG_LEVEL=a\nLOG_LEVEL=b", "deploy.env:2 sets LOG_LEVEL again"),
    ("LOG_LEVEL=a\x07", "LOG_LEVEL has a control character"),
    ("FIRESTORE_EMULATOR_HOST=x:1", "FIRESTORE_EMULATOR_HOST in deploy.env is for local use only"),
    ("FIREBASE_DATABASE_EMULATOR_HOST=x:1", "FIREBASE_DATABASE_EMULATOR_HOST in deploy.env is for local use only"),
    ("REALTIME_DATABASE_LOCATION=eur3", "--realtime-database-location can't be eur3: it must be us-central1, "),
    ("REALTIME_DATABASE=No", "--realtime-database can't be No: it must be the name of a Realtime Database, or none"),
    ("LLM_MODEL=x", "LLM_MODEL is a variable of no function"),
    ("GOOGLE_CLOUD_PROJECT=a b", "--project can't be"),
    ("ANONYMOUS_CALLS=yes", "ANONYMOUS_CALLS can't be yes: it must be allow or refuse"),
    ("METRICS=on", "METRICS is a variable of no function"),
    ("PATH=/nowhere", "PATH is a variable of no function"),
    ("MODEL_URL=http://127.0.0.1:1/v1", "MODEL_URL in deploy.env is a local address"),
    ("MODEL_URL=HTTP://api.LocalHost", "MODEL_URL in deploy.env is a local address"),
    ("MODEL_URL=https://localhost", "MODEL_URL in deploy.env is a local address"),
    ("MIN_INSTANCES=30\nMAX_INSTANCES=5", "--min-instances 30 is more than --max-instances 5"),
])
def test_invalid_files(cloud, text, message):
    cloud.set_env(text)
    settings = ["--region=us-central1", "--tag=t", "--functions", str(cloud.functions)]
    if "PROJECT" not in text:
        settings.append("--project=my-project")
    result = cloud.run("plan", "--offline", *settings, settings=False)
    assert result.returncode == (65 if "of no function" in message else 64)
    assert message in result.stderr
    assert cloud.changes == []


@pytest.fixture
def addresses(cloud):
    """Adds a function with variables for providers' addresses."""
    names = [*(f"{letter}_BASE_URL" for letter in "ABCDEF"), "WEB_APP_URL", "FCM_ANALYTICS_LABEL"]
    variables = [{"name": name, "required": False} for name in names]
    cloud.add_function("asksAround", callable=True, environment=variables)
    return cloud


def test_values_that_functions_would_refuse(addresses):
    wrong = {
        "A_BASE_URL=http://api.example/v1": "A_BASE_URL: refused, http would leak keys on the way; use https",
        "B_BASE_URL=HTTP://10.0.0.7": "B_BASE_URL: refused, http would leak keys on the way; use https",
        "C_BASE_URL=api.example/v1": "C_BASE_URL: the URL isn't a valid http or https URL",
        "D_BASE_URL=ftp://api.example": "D_BASE_URL: the URL isn't a valid http or https URL",
        "E_BASE_URL=https://me:pass-word@api.example": "E_BASE_URL: the URL must not name a user",
        "F_BASE_URL=https://api.example/v1?version=2": "F_BASE_URL: the URL must have no query or fragment",
        "WEB_APP_URL=javascript:alert(1)": "WEB_APP_URL: the URL isn't a valid http or https URL",
        "FCM_ANALYTICS_LABEL=new messages": "FCM_ANALYTICS_LABEL must be 1 to 50 letters, digits or -_.~%",
        "LOG_LEVEL=loud": "LOG_LEVEL must be one of trace, debug, info, notice, warning, error, critical",
    }
    addresses.set_env("\n".join(wrong))
    for command in ("plan", "apply"):
        result = addresses.run(command, "askAI")
        assert result.returncode == 65
        assert result.stderr.splitlines() == [f"deploy.sh: deploy.env: {text}" for text in wrong.values()]
    assert addresses.changes == []


def test_values_that_functions_accept(addresses):
    values = ["LOG_LEVEL=Notice", "A_BASE_URL=https://api.example:8443/a@b", "B_BASE_URL=HTTPS://api.example"]
    values += ["WEB_APP_URL=https://chat.example/app", "FCM_ANALYTICS_LABEL=new-messages_1.0~%"]
    addresses.set_env("\n".join([*values, "C_BASE_URL="]))
    plan = addresses.must("plan", "--offline", "asksAround").stdout
    assert all(value in plan for value in values)


@pytest.mark.parametrize("members, message", [
    ({}, "bad has no trigger and can't be called: there is nothing to deploy"),
    ({"callable": True, "environment": [{"name": "NEEDED", "required": True}]},
     "bad needs NEEDED: set it in deploy.env"),
    ({"callable": True, "secrets": ["GOOGLE_CLOUD_PROJECT"]},
     "bad: secret GOOGLE_CLOUD_PROJECT is also set as a variable"),
    ({"callable": True, "secrets": ["METRICS"]}, "bad: secret METRICS is also set as a variable"),
    ({"callable": True, "secrets": ["GOOGLE_APPLICATION_CREDENTIALS"]},
     "bad: secret GOOGLE_APPLICATION_CREDENTIALS is also set as a variable"),
])
def test_functions_that_cannot_be_deployed(cloud, members, message):
    cloud.add_function("bad", **members)
    result = cloud.run("plan", "--offline")
    assert result.returncode == 65
    assert message in result.stderr


@pytest.mark.parametrize("variable, setting, environment", [
    ("LOG_LEVEL", "info", []), ("STYLE", "short", [{"name": "STYLE", "required": False}]),
])
def test_a_secret_that_is_also_a_variable(cloud, variable, setting, environment):
    cloud.add_function("one", callable=True, secrets=[variable])
    cloud.add_function("other", callable=True, environment=environment)
    cloud.environment[variable] = "key"
    cloud.must("plan", "--offline")
    # The name would be a secret of one function and plain text of another.
    cloud.set_env(f"{variable}={setting}\n")
    result = cloud.run("apply")
    assert result.returncode == 65
    assert f"one: secret {variable} is also set as a variable" in result.stderr
    assert cloud.changes == []


def test_a_name_that_is_no_valid_service_name(cloud):
    cloud.add_function("a" * 64, callable=True)
    result = cloud.run("plan", "--offline")
    assert result.returncode == 65
    assert "can't be the name of a service" in result.stderr


def test_two_functions_with_one_service_name(cloud):
    cloud.add_function("ask-ai", callable=True)
    result = cloud.run("plan", "--offline")
    assert result.returncode == 65
    assert "ask-ai and askAI would both be called ask-ai" in result.stderr


def test_an_executable_without_a_manifest_is_named(cloud):
    path = cloud.functions / "broken"
    path.write_text("#!/bin/sh\necho nonsense\n")
    path.chmod(0o755)
    result = cloud.run("plan", "--offline")
    assert result.returncode == 65
    assert "broken --describe printed no manifest" in result.stderr
    path.write_text("#!/bin/sh\necho why >&2\nexit 3\n")
    result = cloud.run("plan", "--offline")
    assert result.returncode == 65
    assert "broken --describe failed: why" in result.stderr
    path.write_text("""#!/bin/sh\necho '{"error":{"message":"LLM_PROVIDER is neither"}}'\nexit 78\n""")
    result = cloud.run("plan", "--offline")
    assert result.returncode == 65
    assert "broken --describe failed: LLM_PROVIDER is neither" in result.stderr


def test_a_long_name_is_shortened_and_stays_unique(cloud):
    for end in ("One", "Two"):
        cloud.add_function("remindEverybodyWhoHasNotYetAnsweredTheLastQuestion" + end, callable=True,
                           triggers=[trigger("created", "questions/{id}")])
    plan = cloud.must("plan", "--offline").stdout
    lines = [line.split() for line in plan.splitlines() if "run deploy remind" in line]
    services = {line[3] for line in lines}
    assert len(services) == 4 and all(len(service) <= 49 for service in services)
    accounts = {line.split()[4] for line in plan.splitlines()
                if "service-accounts create" in line and "-remind-" in line}
    assert len(accounts) == 4 and all(6 <= len(account) <= 30 for account in accounts)
    triggers = {line.split()[4] for line in plan.splitlines() if "triggers create remind" in line}
    assert len(triggers) == 2 and all(len(name) <= 63 for name in triggers)
