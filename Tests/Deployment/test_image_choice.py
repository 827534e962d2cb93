"""The deployed image is made of the files in the working tree, and is named by its digest."""

import shutil
import subprocess

import pytest

REGISTRY = "us-central1-docker.pkg.dev/my-project/worldchat"


def images(cloud):
    return {word for call in cloud.changes for word in call["argv"] if word.startswith("--image=")}


def test_a_missing_image_is_named_before_a_revision_is_created(deployed):
    shutil.rmtree(deployed.root / "dist")
    result = deployed.run("apply", "askAI", "--tag", "t2")
    assert result.returncode == 69
    assert "image ask-ai:t2 is neither in the registry nor made here" in result.stderr
    assert deployed.changes == []
    # An image in the registry needs no local copy.
    deployed.must("apply", "askAI", "--tag", "t1")
    assert deployed.changes == []


def docker_way(text, image, function):
    return all(line in text for line in (
        "gcloud auth configure-docker us-central1-docker.pkg.dev",
        "docker build --platform linux/amd64 -f Functions/Deployment/Dockerfile "
        f"--build-arg FUNCTION={function} -t {REGISTRY}/{image} .",
        f"docker push {REGISTRY}/{image}"))


def test_a_missing_image_is_reported_with_the_docker_commands(cloud):
    shutil.rmtree(cloud.root / "dist")
    result = cloud.run("apply", "translateMessage")
    assert result.returncode == 69 and docker_way(result.stderr, "translate-message:t1", "translateMessage")
    # The repository to push to exists by then.
    assert list(cloud.state["repositories"]) == ["worldchat"]
    assert "# create    repository worldchat" in result.stdout
    package = f"{REGISTRY}/translate-message"
    cloud.change_state(lambda state: state.update(images={f"{package}@sha256:12": {
        "package": package, "version": "sha256:12", "tags": ["t1"]}}))
    cloud.must("apply", "translateMessage")
    assert images(cloud) == {f"--image={package}@sha256:12"}
    assert not any(call["argv"][0] == "skopeo" for call in cloud.changes)


def test_an_image_for_another_machine_is_refused_before_any_change(cloud):
    cloud.add_image("ask-ai", architecture="arm64")
    problem = "image ask-ai:t1 in dist/images is for arm64, but Cloud Run runs only amd64"
    assert problem in cloud.must("plan").stdout
    result = cloud.run("apply")
    assert result.returncode == 69
    assert problem in result.stderr and docker_way(result.stderr, "ask-ai:t1", "askAI")
    assert "translate-message" not in result.stderr
    assert cloud.changes == []


def test_an_image_in_the_registry_wins_over_the_local_one(deployed):
    deployed.add_image("ask-ai", architecture="arm64")
    deployed.must("apply")
    assert deployed.changes == []


def test_an_image_is_deployed_by_its_digest(cloud):
    plan = cloud.must("plan", "askAI").stdout
    cloud.must("apply", "askAI")
    assert images(cloud) == {f"--image={REGISTRY}/ask-ai@{cloud.digest('ask-ai')}"}
    assert images(cloud).pop() in plan
    cloud.forget_calls()
    cloud.must("apply", "askAI")
    assert cloud.changes == []


def test_a_tag_moved_to_another_image_makes_a_new_revision(deployed):
    first = deployed.digest("ask-ai")
    deployed.add_image("ask-ai", text="changed")
    # The local image isn't pushed over the one in the registry.
    assert "the image in dist/images is different" in deployed.must("apply", "askAI").stdout
    assert deployed.changes == []
    push = ["skopeo", "copy", "--preserve-digests", "oci:dist/images:ask-ai", f"docker://{REGISTRY}/ask-ai:t1"]
    subprocess.run(push, cwd=deployed.root, env=deployed.environment, check=True)
    deployed.forget_calls()
    deployed.must("apply", "askAI")
    assert images(deployed) == {f"--image={REGISTRY}/ask-ai@{deployed.digest('ask-ai')}"}
    assert deployed.digest("ask-ai") != first
    deployed.forget_calls()
    deployed.must("apply", "askAI")
    assert deployed.changes == []
    # The earlier revision still has its own image.
    assert "all traffic goes to ask-ai-call-00001-abc" in deployed.must("rollback", "askAI").stdout


def test_the_same_image_under_another_tag_makes_no_new_revision(deployed):
    deployed.must("apply", "askAI", "--tag", "t2")
    assert images(deployed) == set()


def test_an_image_that_does_not_exist_yet_is_planned_by_its_tag(cloud):
    shutil.rmtree(cloud.root / "dist")
    plan = cloud.must("plan", "askAI", "--offline").stdout
    assert "image ask-ai:t1 is not in dist/images" in plan and f"--image={REGISTRY}/ask-ai:t1" in plan


def test_an_image_of_another_registry_is_taken_by_its_tag(cloud):
    plan = cloud.must("plan", "askAI", "--registry", "registry.example/chat").stdout
    assert "registry.example/chat/ask-ai:t1 is deployed by its tag" in plan


@pytest.fixture
def repository(cloud):
    """Returns deploy.sh in a new repository. The images' tag is the repository's commit."""
    cloud.name = cloud.commit()
    cloud.settings = ["askAI", "--project", "my-project", "--region", "us-central1",
                      "--functions", str(cloud.functions)]
    return cloud


def tag(cloud):
    plan = cloud.must("plan", *cloud.settings, "--offline", settings=False).stdout
    return plan.splitlines()[1].split("images :")[1]


def test_an_image_of_another_commit_is_not_pushed_as_this_one(repository):
    cloud = repository
    for revision, status in (("0" * 40, 69), ("unknown", 69), (cloud.name, 0)):
        cloud.add_image("ask-ai", revision=revision)
        assert cloud.run("apply", *cloud.settings, settings=False).returncode == status
    assert any(call["argv"][-1].endswith(f"/ask-ai:{cloud.name[:12]}") for call in cloud.changes)


@pytest.mark.parametrize("path", ["Package.swift", "Functions/new/New.swift", "Functions/Deployment/rootfs.sh"])
def test_an_uncommitted_change_gets_a_tag_of_its_own(repository, path):
    cloud = repository
    clean = cloud.name[:12]
    assert tag(cloud) == clean
    cloud.add_image("ask-ai", revision=cloud.name)
    file = cloud.root / path
    before = file.read_text() if file.exists() else None
    file.parent.mkdir(exist_ok=True)
    file.write_text((before or "") + "\n")
    first = tag(cloud)
    assert first.startswith(f"{clean}-dirty-")
    # The commit's image isn't made of the changed files.
    assert "neither in the registry nor made here" in cloud.run("apply", *cloud.settings, settings=False).stderr
    assert not any(call["argv"][0] == "skopeo" for call in cloud.changes)
    file.write_text((before or "") + "\n\n")
    assert tag(cloud) not in (first, clean)
    file.write_text((before or "") + "\n")
    assert tag(cloud) == first
    if before is None:
        file.unlink()
    else:
        file.write_text(before)
    assert tag(cloud) == clean


def test_files_outside_the_build_change_no_tag(repository):
    (repository.root / "notes.txt").write_text("mine")
    (repository.root / "Functions/DEPLOY.md").write_text("mine")
    (repository.root / "Tests").mkdir()
    (repository.root / "Tests/new.swift").write_text("")
    assert tag(repository) == repository.name[:12]


def test_a_label_shows_an_uncommitted_change(repository):
    (repository.root / "Functions/new é.swift").write_text("let new = 1\n")
    label = subprocess.check_output(
        ["sh", "-c", ". Functions/Deployment/project.sh && revision"], cwd=repository.root, text=True).strip()
    assert label.startswith(f"{repository.name}-dirty-")
    repository.add_image("ask-ai", revision=label)
    repository.must("apply", *repository.settings, settings=False)
    pushed = next(call["argv"][-1] for call in repository.changes if call["argv"][:2] == ["skopeo", "copy"])
    assert pushed == f"docker://{REGISTRY}/ask-ai:{label[:12]}{label[40:]}"
    # Naming the tag by hand doesn't make it the commit's image.
    repository.forget_calls()
    result = repository.run("apply", *repository.settings, "--tag", label[:12], settings=False)
    assert result.returncode == 69 and f"image ask-ai:{label[:12]} is neither" in result.stderr
    assert repository.changes == []


SWIFT = """#!/bin/bash
if [[ "$*" == *--show-bin-path ]]; then echo "$0.build"; exit; fi
mkdir -p "$0.build" && cp /bin/true "$0.build/${@: -1}"
[[ ! -e $0.edit ]] || echo >> Package.swift
"""


def test_build_records_its_revision(repository):
    root = repository.root
    swift = root.parent / "tools/swift"
    swift.write_text(SWIFT)
    swift.chmod(0o755)
    (swift.parent / "strip").symlink_to("/bin/true")
    (root / "Shared/new.swift").write_text("")
    repository.must("build", "askAI", settings=False)
    noted = (root / "dist/revisions/askAI").read_text()
    assert noted.startswith(f"{repository.name}-dirty-")
    # A build whose sources change meanwhile has no revision.
    (swift.parent / "swift.edit").touch()
    result = repository.run("build", "askAI", settings=False)
    assert result.returncode == 1 and "sources changed during the build" in result.stderr
    assert not (root / "dist/revisions/askAI").exists()
