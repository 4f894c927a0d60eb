"""The command line and a patient look for model servers, as the tests of models have them."""

from tests.models.conftest import patient_probe, run

__all__ = ["patient_probe", "run"]
