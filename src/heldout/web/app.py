"""The application: which address leads to which page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from importlib.resources import files

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from heldout.errors import HeldoutError
from heldout.web.guard import Guard
from heldout.web.jobs import Jobs
from heldout.web.pages import Pages
from heldout.web.served_folder import NotThereError, ServedFolder
from heldout.web.start import Start

ASSETS = {
    "serve.css": ("web/static/serve.css", "text/css"),
    "icon.svg": ("web/static/icon.svg", "image/svg+xml"),
    "htmx.min.js": ("web/vendor/htmx.min.js", "text/javascript"),
}
"""Files that pages load."""


def application(folder: ServedFolder, *, host: str, port: int, token: str) -> Guard:
    """The pages over a folder, behind their guard."""
    jobs = Jobs(folder.home)
    pages = Pages(folder, jobs)
    start = Start(pages)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        jobs.close()

    def answering(page: Callable[[Request], Response]) -> Callable[[Request], Response]:
        def answer(request: Request) -> Response:
            try:
                return page(request)
            except HeldoutError as error:
                return pages.refusal(request, error)

        return answer

    routes = [
        Route("/", answering(pages.studies)),
        Route("/study/{name:path}", answering(pages.study)),
        Route("/work/{name:path}", answering(pages.work)),
        Route("/report/{name:path}", answering(pages.report)),
        Route("/csv/{name:path}", answering(pages.csv)),
        Route("/zip/{name:path}", answering(pages.zip)),
        Route("/compare", answering(pages.compare)),
        Route("/new", answering(start.form)),
        Route("/new/review", start.review, methods=["POST"]),
        Route("/new/cost", start.cost, methods=["POST"]),
        Route("/new/start", start.start, methods=["POST"]),
        Route("/new/add/{key}", start.add, methods=["POST"]),
        Route("/card/{key}", answering(start.card)),
        Route("/go-on/{name:path}", start.go_on, methods=["POST"]),
        Route("/stop/{name:path}", start.stop, methods=["POST"]),
        Route("/assets/{name}", answering(asset)),
    ]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={404: pages.missing})
    return Guard(app, host=host, port=port, token=token)


def asset(request: Request) -> Response:
    """A style sheet or a script."""
    name = request.path_params["name"]
    if name not in ASSETS:
        raise NotThereError("there is no such file", where=name)
    path, media_type = ASSETS[name]
    return Response(_content(path), media_type=media_type, headers={"cache-control": "max-age=3600"})


@cache
def _content(path: str) -> bytes:
    return (files("heldout") / path).read_bytes()
