"""Addresses, and what lies at them."""

from __future__ import annotations

from importlib.resources import files

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")

from heldout.web.app import ASSETS


def test_assets_are_served_as_what_they_are(client):
    for name, (path, media_type) in ASSETS.items():
        answer = client.get(f"/assets/{name}")
        assert answer.content == (files("heldout") / path).read_bytes()
        assert answer.headers["content-type"].partition(";")[0] == media_type


def test_other_addresses_lead_nowhere(client):
    for path in ("/nothing", "/assets/nothing", "/assets/..%2fapp.py", "/static/serve.css"):
        answer = client.get(path)
        assert answer.status_code == 404 and "<h1>" in answer.text
    assert client.post("/").status_code == 405
    assert client.get("/new/start").status_code == 405
