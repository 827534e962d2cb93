"""Commits with several writes to one document end alike on Google's emulator and on ours."""

import itertools
import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from firestore import peer, sequence_cases
from firestore.wire import Server

BATCH = 200
SEED = 2311
RANDOM_COMMITS = 5_000


@pytest.fixture(scope="module")
def scenes():
    with peer.running() as google:
        servers = [Server(google), Server(os.environ["FIRESTORE_EMULATOR_HOST"])]
        yield [sequence_cases.Scene(server, f"sequences{os.getpid()}") for server in servers]
        for server in servers:
            server.close()


def is_plain(commit):
    """Returns whether only one error can come first. Otherwise either may be reported."""
    _, writes = commit
    documents = {document for document, _ in writes}
    return len(documents) == 1 and not any(operation == "verify" for _, (operation, _) in writes)


def check(scenes, commits):
    """Compares the outcomes of commits in batches, and returns the number of commits."""
    count = 0
    commits = iter(commits)
    with ThreadPoolExecutor(len(scenes)) as pool:
        while batch := list(itertools.islice(commits, BATCH)):
            google, ours = pool.map(lambda scene: scene.outcomes(batch), scenes)
            for commit, theirs, mine in zip(batch, google, ours):
                if not is_plain(commit):
                    theirs, mine = (theirs[0], *theirs[2:]), (mine[0], *mine[2:])
                assert theirs == mine, f"{commit}\nGoogle: {theirs}\nours:   {mine}"
            count += len(batch)
    return count


def test_the_table_of_up_to_three_writes(scenes):
    assert check(scenes, sequence_cases.table()) > 5_000


def test_random_commits(scenes):
    commits = sequence_cases.random_commits(SEED, RANDOM_COMMITS)
    assert check(scenes, commits) == RANDOM_COMMITS
