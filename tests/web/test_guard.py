"""Who may ask for what, tried as an attacker would."""

from __future__ import annotations

import socket

import pytest
from tests.web.conftest import PORT, TOKEN

pytest.importorskip("starlette", reason="the extra web is not installed")


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        f"evil.example:{PORT}",
        "127.0.0.1:1",
        "127.0.0.1",
        "",
        f"127.0.0.1.evil:{PORT}",
        f"localhost.evil.example:{PORT}",
        "localhost:x",
        "[::1]",
    ],
)
def test_other_hosts_are_refused(client, host):
    """A name that somebody else's server leads here (DNS rebinding) is none of ours."""
    assert client.get("/", headers={"host": host}).status_code == 400


@pytest.mark.parametrize("host", [f"127.0.0.1:{PORT}", f"localhost:{PORT}", f"LOCALHOST:{PORT}", f"[::1]:{PORT}"])
def test_our_own_hosts_are_answered(client, host):
    assert client.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "", f"http://localhost:{PORT}", f"https://127.0.0.1:{PORT}"]
)
def test_pages_of_other_origins_start_nothing(client, origin):
    answer = client.post("/new/start", headers={"origin": origin}, content="name=x")
    assert answer.status_code == 403 and "origin" in answer.text


def test_a_request_without_an_origin_starts_nothing(client):
    del client.headers["origin"]
    assert client.post("/new/start", content="name=x").status_code == 403


def test_cross_site_requests_start_nothing(client):
    assert client.post("/new/start", headers={"sec-fetch-site": "cross-site"}, content="name=x").status_code == 403


@pytest.mark.parametrize("path", ["/new/start", "/new/review", "/new/cost", "/new/add/split", "/stop/small", "/go-on/small"])
def test_nothing_is_started_without_the_token(open_client, path):
    browser = open_client(token=False)
    assert browser.post(path, content="name=x").status_code == 403
    browser.cookies.set(f"heldout-{PORT}", TOKEN[:-1])
    assert browser.post(path, content="name=x").status_code == 403


def test_looking_needs_no_token_on_this_machine(open_client):
    browser = open_client(token=False)
    assert browser.get("/").status_code == 200
    assert browser.get("/study/small").status_code == 200
    answer = browser.get("/new")
    assert answer.status_code == 403 and "token" in answer.text


@pytest.mark.parametrize(
    "path", ["/", "/study/small", "/report/small", "/zip/small", "/assets/htmx.min.js", "/?token=wrong"]
)
def test_everything_needs_the_token_elsewhere(open_client, path):
    browser = open_client(token=False, host="192.0.2.7")
    assert browser.get(path).status_code == 403
    browser.cookies.set(f"heldout-{PORT}", TOKEN)
    assert browser.get(path).status_code == 200


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
def test_a_host_without_a_port_is_at_port_80(open_client, host):
    assert open_client(port=80).get("/", headers={"host": host}).status_code == 200


def test_the_name_of_the_machine_is_answered_if_others_can_reach_it(open_client):
    name = f"{socket.gethostname()}:{PORT}"
    assert open_client(host="192.0.2.7").get("/", headers={"host": name}).status_code == 200
    assert open_client().get("/", headers={"host": name}).status_code == 400 or name.startswith("localhost:")


def test_listening_everywhere_answers_to_addresses_only(open_client):
    browser = open_client(host="0.0.0.0", asks="192.0.2.7")
    assert browser.get("/").status_code == 200
    assert browser.get("/", headers={"host": f"evil.example:{PORT}"}).status_code == 400


def test_the_address_brings_the_token(open_client):
    browser = open_client(token=False)
    answer = browser.get(f"/?token={TOKEN}", follow_redirects=False)
    assert answer.status_code == 303 and answer.headers["location"] == "/"
    cookie = answer.headers["set-cookie"].casefold()
    assert "httponly" in cookie and "samesite=strict" in cookie and "path=/" in cookie
    assert browser.get("/new").status_code == 200


@pytest.mark.parametrize(
    "path", ["/", "/study/small", "/compare?study=small&study=inner/other", "/nothing", "/new", "/csv/small"]
)
def test_pages_have_a_strict_policy(client, path):
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"


def test_pages_hold_nothing_inline(client):
    """The policy would not let it run, and a page that needs it would be broken."""
    for path in ("/", "/study/small", "/new", "/compare?study=small&study=inner/other"):
        text = client.get(path).text
        assert " style=" not in text and "<style" not in text and "onclick" not in text and "hx-on" not in text
        assert text.count("<script") == 1 and '<script src="/assets/htmx.min.js"' in text
