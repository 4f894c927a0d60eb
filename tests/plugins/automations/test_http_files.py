"""Files of runs over HTTP: private ones for a person, a signed link for one file, nothing for anybody else."""

from __future__ import annotations

from typing import Any

import pytest

from gaia_email_automations.artifacts import ArtifactFacts, ArtifactVisibility, StoredArtifact
from gaia_email_automations.run_files import store
from tests.http.conftest import Sample


def kept(sample: Sample, visibility: ArtifactVisibility) -> StoredArtifact:
    facts = ArtifactFacts(
        run_id="run-1",
        step_id=visibility,
        account_id="me",
        name="Brief <b>.html",
        kind="document",
        media_type="text/html",
        visibility=visibility,
    )
    return store(sample.app).keep(b"<script>1</script>", facts)


def test_a_private_file_is_a_persons_and_one_of_the_account_a_programs_too(sample: Sample) -> None:
    private, account = kept(sample, "private"), kept(sample, "account")
    path = "/v1/automations/files/"
    answer = sample.person.answer("GET", f"{path}{private.id}")
    assert (answer.status_code, answer.content) == (200, b"<script>1</script>")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert "sandbox" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert sample.program.answer("GET", f"{path}{private.id}").status_code == 403
    assert sample.program.answer("GET", f"{path}{account.id}").status_code == 200
    assert sample.person.answer("GET", f"{path}{'0' * 32}").status_code == 404


def test_a_signed_link_is_made_by_a_person_and_opens_one_file_without_credentials(sample: Sample) -> None:
    found, other = kept(sample, "private"), kept(sample, "account")
    shared = f"/v1/automations/files/{found.id}/share"
    assert sample.program.answer("POST", shared, {"hours": 2}).status_code == 403
    link: Any = sample.person.ok("POST", shared, {"hours": 2})
    bare = {"authorization": ""}
    assert sample.program.answer("GET", link["path"], headers=bare).content == b"<script>1</script>"
    wrong = link["path"].replace(found.id, other.id)
    assert sample.program.answer("GET", wrong, headers=bare).status_code == 401
    for path in (link["path"][:-1], link["path"].partition("?")[0]):
        assert sample.program.answer("GET", path, headers=bare).status_code == 401
    sample.program.ok("POST", f"/v1/automations/files/{found.id}/unshare")
    assert sample.program.answer("GET", link["path"], headers=bare).status_code == 401


@pytest.mark.parametrize("method", ["POST", "DELETE", "PUT"])
def test_the_path_of_a_link_takes_nothing_else(sample: Sample, method: str) -> None:
    path = f"/v1/automations/runs/run-1/shared/{'0' * 32}"
    answer = sample.program.answer(method, path, headers={"authorization": ""})
    assert answer.status_code in (401, 405)
