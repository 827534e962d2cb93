"""The tests of test_acceptance.py, unchanged, with each function as an HTTP service behind `serve`.
The emulator delivers its events to them as Eventarc does."""

import pytest
from chat.served import Services
from chat.stage import FUNCTIONS, playing
from test_acceptance import *  # noqa: F403


@pytest.fixture
def chat():
    services = Services(FUNCTIONS)
    with playing(services=services) as stage:
        yield stage
