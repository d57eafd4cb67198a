"""Serve a folder of results as pages for a browser."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from heldout.errors import InputError, MissingExtraError


def serve(
    folder: str | Path = ".", *, host: str = "127.0.0.1", port: int = 8765, notify: Callable[[str], None] = print
) -> None:
    """Serve a folder of results as pages for a browser, until Ctrl-C.

    The pages list the studies of the folder with their verdicts, put two side by side, open reports, watch studies at work
    and start new ones. Nothing outside the folder is shown. They are for this machine alone, unless `host` names another
    address to listen at: then everything needs the token of the address that `notify` is told. Starting a study always
    does. `port` 0 takes one that is free.
    """
    try:
        import jinja2  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn
    except ModuleNotFoundError as error:
        raise MissingExtraError(str(error.name), "web", "a page over a folder of results") from None
    from heldout.web.app import application
    from heldout.web.served_folder import ServedFolder, StudyQuery

    served = ServedFolder(folder)
    listening = _listen(host, port)
    port = listening.getsockname()[1]
    token = secrets.token_urlsafe(32)
    served.listing(StudyQuery())  # what reading results needs is loaded now, and not while somebody waits for the page
    app = application(served, host=host, port=port, token=token)
    shown = f"[{host}]" if ":" in host else socket.gethostname() if host == "0.0.0.0" else host
    notify(f"{served.home} is served at http://{shown}:{port}/?token={token}")
    notify("Whoever has this address can start studies. Ctrl-C ends the server, and the studies it started.")
    config = uvicorn.Config(
        app, log_level="warning", server_header=False, access_log=False, ws="none", timeout_graceful_shutdown=3
    )
    with listening, suppress(KeyboardInterrupt):  # the way in which it is ended
        uvicorn.Server(config).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens; InputError if that cannot be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(64)
    except (OSError, OverflowError) as error:
        listening.close()
        why = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot listen at {host}, port {port} ({why})", hint="name another --port, or --port 0") from None
    return listening
