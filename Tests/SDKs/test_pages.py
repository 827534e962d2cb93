"""The commands of the documentation's pages, run as printed against an emulator with demo data.

Ports and the build folder are replaced by those of the test. The commands in `LEFT_OUT` aren't run:
they need a cloud, a container engine, a package or a real provider, or build, or serve until they are
stopped.
"""

import ast
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from firestore import emulator, peer

ROOT = Path(__file__).parents[2]
# The pages, and texts that the output of each page's commands must contain.
PAGES = {
    "README.md": [
        '"A domani!"', "Good night!", "conversations/trip/messages/goodnight", '"sent":1', '"Grazie!"',
        '"function":"smartReplies"', '"contextIds"',
    ],
    "Functions/FAULTS.md": ['"provider":"translation"', '"requests"'],
    "emulator/AUTHENTICATION.md": ['"registered":true'],
    "emulator/CONNECT.md": ['"suggestions"'],
    "emulator/README.md": ["Ok"],
    "emulator/PROVIDERS.md": ['"messages"', '"requests"'],
    "emulator/RECORDINGS.md": ["same", "0 differ, 0 bad"],
}
LEFT_OUT = re.compile(
    r"^(make |gcloud |docker |kubectl |apt-get |\./deploy\.sh |emulator start |export OPENAI_API_KEY=…"
    r"|tar -xzf worldchat-functions|worldchat-functions-|printf .*GOOGLE_CLOUD_PROJECT)"
)
# An HTTP error fails the script. The functions end between two commands, as they do for a reader.
PRELUDE = """
set -euo pipefail
curl() {
  command curl --silent --show-error --fail-with-body "$@"
  command curl --silent "http://127.0.0.1:%s/api/quiet" > /dev/null
}
"""


@pytest.fixture(scope="module")
def ports():
    """The service ports of an emulator whose demo has ended, by the port that the pages print."""
    process, services = emulator.start(
        "--seed", "demo", *(f"--{name}-port=0" for name in ("firestore", "auth", "database", "storage", "functions", "ui", "hub")),
        folder=ROOT)
    for line in process.stdout:
        if line.startswith("Running."):
            break
    yield {"8080": services["firestore"], "5001": services["functions"],
           "9099": services["auth"], "9000": services["database"], "9199": services["storage"], "4000": services["ui"], "4400": services["hub"]}
    process.terminate()
    process.communicate()


def blocks(page, *languages):
    text = (ROOT / page).read_text()
    found = re.findall(r"^```(\w*)\n(.*?)^```", text, re.M | re.S)
    return [block for language, block in found if language in languages]


def commands(page):
    """Returns the page's commands, without those that can't run here."""
    script = "".join(block for block in blocks(page, "sh") if not block.startswith("#!"))
    # A command ends with its last continued line.
    whole = re.sub(r"\\\n", "\\\0", script).split("\n")
    return "\n".join(line.replace("\0", "\n") for line in whole if not LEFT_OUT.match(line))


def here(text, ports, folder):
    text = re.sub(r"127\.0\.0\.1:(\d+)", lambda found: f"127.0.0.1:{ports.get(found[1], found[1])}", text)
    programs = Path(shutil.which("emulator")).parent
    return text.replace("$PWD/.build/release", str(programs)).replace("/tmp/recordings", f"{folder}/recordings")


def environment(ports):
    return {**emulator.outside(), "FIREBASE_EMULATOR_HUB": f"127.0.0.1:{ports['4400']}"}


def run(script, ports):
    result = subprocess.run(
        ["bash", "-c", PRELUDE % ports["4000"] + script], cwd=ROOT, env=environment(ports),
        stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert result.returncode == 0, f"{result.stdout}\n{result.stderr}"
    return result.stdout


def anchors(page):
    """Returns the anchors of a page: its headings in the form that GitHub gives them, and its own."""
    text = page.read_text()
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    slugs = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
    return {*slugs, *re.findall(r'<a id="([^"]+)">', text)}


def test_serve_of_a_page(ports):
    """The server in one block of commands answers the request in the next block."""
    serve, request = (block.strip() for block in blocks("Functions/SERVE.md", "sh")[:2])
    port = peer.free_port()
    script = f"""
{serve.split("#")[0].replace("8081", str(port))} 2> >(grep --line-buffered -m1 serving > "$ready") > /dev/null &
"""
    output = run(f"ready=$(mktemp -u); mkfifo $ready\n{script}\nread -r _ < $ready\n"
                 f"{request.replace('8081', str(port))}\nkill $!\n", ports)
    assert '"translatedText":"A domani!"' in output


def test_every_link_leads_somewhere():
    for page in ROOT.rglob("*.md"):
        if ".build" in page.parts:
            continue
        for path, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)]*))?\)", page.read_text()):
            target = page.parent / path if path else page
            assert target.exists(), f"{page}: {path}"
            assert not anchor or anchor in anchors(target), f"{page}: {path}#{anchor}"


@pytest.mark.parametrize("page", PAGES)
def test_commands_of_a_page(page, ports, tmp_path):
    output = run(here(commands(page), ports, tmp_path), ports)
    for text in PAGES[page]:
        assert text in output, output


def test_python_of_a_page(ports):
    """The second sample reads the document of the first."""
    outputs = []
    for block in blocks("emulator/FIRESTORE.md", "python"):
        script = here(block, ports, None)
        outputs.append(ast.literal_eval(run(f"{ROOT}/.build/sdks/bin/python - <<'END'\n{script}\nEND\n", ports)))
    assert outputs == [["rome"], {"country": "it", "people": 2_800_000}]


def test_python_that_connects_an_app(ports):
    """Each sample runs alone against the demo's data."""
    outputs = []
    for block in blocks("emulator/CONNECT.md", "python"):
        script = here(block, ports, None)
        outputs.append(run(f"{ROOT}/.build/sdks/bin/python - <<'END'\n{script}\nEND\n", ports).split("\n")[:-1])
    assert outputs == [["Ehi, incontriamoci per un caffè domani!", "Hello!"], ["marco", "Hello!"], ["3"]]


def test_the_function_of_a_page(ports, tmp_path):
    """The page's script runs as the function `greet`, with the page's `curl` command as its last
    line."""
    script, = (block for block in blocks("Functions/README.md", "sh") if block.startswith("#!"))
    write, = (block for block in blocks("Functions/README.md", "sh") if "traceparent" in block)
    greet = tmp_path / "greet"
    greet.write_text(script + write)
    greet.chmod(0o755)
    output = run(
        "emulator exec --firestore-port 0 --auth-port 0 --functions-port 0 "
        f"--functions {tmp_path} -- bash -c '{CREATE}'", ports)
    assert output.startswith('{"hello":"world"}')
    assert '"greeted"' in output


CREATE = r"""
set -e
curl --silent --fail "http://$FUNCTIONS_EMULATOR_HOST/greet" -d "{}"
root="http://$FIRESTORE_EMULATOR_HOST/v1/projects/$GOOGLE_CLOUD_PROJECT/databases/(default)/documents"
owner="Authorization: Bearer owner"
curl --silent --fail -H "$owner" "$root/users?documentId=u" -d "{}" > /dev/null
for second in $(seq 100); do
  greetings=$(curl --silent --fail -H "$owner" "$root/greetings")
  case $greetings in *greeted*) break;; esac
done
echo "$greetings"
"""
