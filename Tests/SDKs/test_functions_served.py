"""WorldChat's flows with each function as an HTTP service behind `serve`, to which the emulator delivers
its events as Eventarc does: the tests of test_acceptance.py, unchanged."""

import pytest
from chat.served import Services
from chat.stage import FUNCTIONS, playing
from test_acceptance import *  # noqa: F403


@pytest.fixture
def chat():
    services = Services(FUNCTIONS)
    with playing(services=services) as stage:
        yield stage
