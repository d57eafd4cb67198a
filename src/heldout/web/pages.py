"""The pages that show what is in the folder: the list, one study, two side by side, reports and downloads."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse

from heldout import __version__
from heldout.api.load import load, table_csv
from heldout.errors import HeldoutError
from heldout.text.numbers import count, counted, number, seconds, signed
from heldout.web.archive import zipped
from heldout.web.guard import NO_TOKEN, REPORTS, TOKEN
from heldout.web.jobs import Jobs
from heldout.web.served_folder import SHOWN, SORTED_BY, NotThereError, ServedFolder, StudyQuery
from heldout.web.side_by_side import LETTERS, side_by_side
from heldout.web.summaries import MOST_FOLDERS, STATES, kind_labels, study_work

MOST_NUMBERS = 500
"""Numbers of two studies that are put side by side; the zip and the CSV have them all."""
REPORT = "report.html"
LONGEST = 200
"""Characters of a search, a kind or a sort order that are looked at."""


def when(stamp: float) -> str:
    """A time as people write it."""
    try:
        return datetime.fromtimestamp(stamp).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return "at no time that a calendar has"


def local(text: str) -> str:
    """A time that a run noted, as people write it; as it stands where it is none."""
    try:
        return datetime.fromisoformat(text).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError, OSError):
        return text


def address(name: str) -> str:
    """The name of a study as part of an address."""
    return quote(name, safe="/", errors="surrogateescape")


class Pages:
    """The pages over one folder."""

    def __init__(self, served: ServedFolder, jobs: Jobs) -> None:
        self.served, self.jobs = served, jobs
        loader = PackageLoader("heldout.web")
        self._templates = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
        self._templates.filters |= {"when": when, "address": address, "count": count, "number": number, "signed": signed}
        self._templates.filters |= {"seconds": seconds, "counted": counted, "local": local}
        self._templates.globals |= {
            "version": __version__,
            "kinds": kind_labels(),
            "states": STATES,
            "folder": served.home.name,
        }
        self._templates.globals["most_folders"] = MOST_FOLDERS
        self._templates.globals["letters"] = LETTERS

    def draw(self, request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
        """A page or a part of one."""
        allowed = bool(request.scope.get(TOKEN))
        text = self._templates.get_template(template).render(allowed=allowed, **values)
        return HTMLResponse(text.encode(errors="backslashreplace"), status)  # names of files and JSON may be no Unicode

    def refusal(self, request: Request, error: HeldoutError) -> HTMLResponse:
        """The page of what is not there, or cannot be shown."""
        status = 404 if isinstance(error, NotThereError) else 409
        return self.draw(request, "refusal.html", status=status, message=str(error))

    def studies(self, request: Request) -> Response:
        """The list of studies; only its rows where the search asks for them."""
        query = query_of(request.query_params.get)
        listing = self.served.listing(query)
        pages = max(1, -(-listing.total // SHOWN))
        values: dict[str, Any] = {
            "query": query,
            "listing": listing,
            "pages": pages,
            "link": lambda **changes: link_to(query, **changes),
            "jobs": self.jobs.all(),
        }
        part = request.headers.get("hx-target") == "rows"
        return self.draw(request, "rows.html" if part else "studies.html", **values)

    def study(self, request: Request) -> Response:
        """One study: verdict, protocol, downloads, and how far it is."""
        name = request.path_params["name"]
        job = self.jobs.get(name)
        try:
            path = self.served.place(name)
        except NotThereError:
            if job is None:
                raise
            return self.draw(request, "study.html", name=name, about=None, **self._work(name))
        about = self.served.summary(path)
        earlier_report = (path / REPORT).is_file()
        return self.draw(request, "study.html", name=name, about=about, earlier_report=earlier_report, **self._work(name))

    def work(self, request: Request) -> Response:
        """How far a study is, drawn again every other second; the page is loaded again when it ends."""
        name = request.path_params["name"]
        values = self._work(name)
        answer = self.draw(request, "work.html", name=name, **values)
        if not values["running"]:
            answer.headers["HX-Refresh"] = "true"
        return answer

    def _work(self, name: str) -> dict[str, Any]:
        job = self.jobs.get(name)
        path = self.served.inside(name)
        log, left_out = self.jobs.log_tail(name) if "/" not in name and name != "." else ("", 0)
        seen = study_work(path)
        running = bool(seen.writer) or (job is not None and job.running)
        left = seen.progress.get("seconds_left")
        ends = when(datetime.now().timestamp() + left) if isinstance(left, int) else ""
        stopped_here = "/" not in name and self.jobs.study_file(name).is_file()
        return {
            "job": job,
            "seen": seen,
            "stopped_here": stopped_here,
            "running": running,
            "ends": ends,
            "log": log,
            "left_out": left_out,
        }

    def report(self, request: Request) -> Response:
        """The report of a study: the one that is there, or one that is drawn now; it is shown in a sandbox."""
        path = self.served.place(request.path_params["name"])
        try:
            page = (path / REPORT).read_bytes() if (path / REPORT).is_file() else b""
        except OSError:
            page = b""
        page = page or load(path).to_html().encode()
        return HTMLResponse(page, headers={"content-security-policy": REPORTS})

    def csv(self, request: Request) -> Response:
        """The table of a study for a spreadsheet."""
        name = request.path_params["name"]
        text = table_csv(self.served.place(name))
        return PlainTextResponse(text, media_type="text/csv", headers=attachment(name, ".csv"))

    def zip(self, request: Request) -> Response:
        """All files of a study."""
        name = request.path_params["name"]
        path = self.served.place(name)
        return StreamingResponse(zipped(path), media_type="application/zip", headers=attachment(name, ".zip"))

    def compare(self, request: Request) -> Response:
        """Two studies side by side."""
        names = request.query_params.getlist("study")[:3]
        rows = [(name, self.served.summary(self.served.place(name))) for name in names]
        if len(names) != 2 or names[0] == names[1]:
            message = f"Two studies are compared, {counted(len(set(names)), 'is', 'are')} chosen: choose two in the list."
            return self.draw(request, "refusal.html", status=400, message=message)
        sides = side_by_side(*(self.served.place(name) for name in names))
        differing = sorted(sides.numbers, key=lambda row: -abs(row.difference))
        numbers = sides.numbers if len(differing) <= MOST_NUMBERS else differing[:MOST_NUMBERS]
        return self.draw(request, "compare.html", rows=rows, sides=sides, numbers=numbers)

    def missing(self, request: Request, error: Exception) -> Response:
        """An address that leads nowhere."""
        return self.draw(request, "refusal.html", status=404, message="There is no page at this address.")

    def no_token(self, request: Request) -> Response | None:
        """The page for somebody who may look and not start anything; None for others."""
        return None if request.scope.get(TOKEN) else self.draw(request, "refusal.html", status=403, message=NO_TOKEN)


def query_of(get: Callable[[str], str | None]) -> StudyQuery:
    """The query of an address; what makes no sense is left out of it."""
    values = {name: (get(name) or "")[:LONGEST] for name in ("words", "kind", "state", "sort", "backwards", "page")}
    page = values["page"]
    return StudyQuery(
        words=values["words"],
        kind=values["kind"] if values["kind"] in kind_labels() else "",
        state=values["state"] if values["state"] in STATES else "",
        sort=values["sort"] if values["sort"] in SORTED_BY else "changed",
        backwards=values["backwards"] == "1",
        page=max(1, int(page)) if page.isascii() and page.isdecimal() and len(page) < 8 else 1,
    )


def link_to(query: StudyQuery, **changes: Any) -> str:
    """The address of the list for a query with changes; the first page, unless that is what is changed."""
    values = {**vars(query), "page": 1, **changes}
    plain = vars(StudyQuery())
    kept = {k: int(v) if isinstance(v, bool) else v for k, v in values.items() if v != plain[k]}
    return f"/?{urlencode(kept)}" if kept else "/"


def attachment(name: str, suffix: str) -> dict[str, str]:
    """The header of a file to be kept, named after a study."""
    last = name.rpartition("/")[2].lstrip(".") or "results"
    ascii_name = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in last)
    whole = quote(last + suffix, safe="")
    return {"content-disposition": f"attachment; filename=\"{ascii_name}{suffix}\"; filename*=UTF-8''{whole}"}
