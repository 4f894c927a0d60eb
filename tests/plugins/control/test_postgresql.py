"""The records of the control protocol on a PostgreSQL that the tests start: `python -m pytest -m postgresql`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.ledger.postgresql_server import started
from tests.plugins.control.brokering import BrokerBench, check_read_models

pytestmark = [pytest.mark.postgresql, pytest.mark.timeout(120)]


@pytest.fixture(scope="module")
def talking() -> Iterator[BrokerBench]:
    with started() as url:
        made = BrokerBench(url)
        made.begin()
        yield made
        made.ledger.close()


def test_commands_and_read_models_are_as_on_sqlite(talking: BrokerBench) -> None:
    check_read_models(talking)
