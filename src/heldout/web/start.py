"""Starting a study from the page: the form, what a referee would say of it, what it would cost, and the start."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from heldout.api.describe import describe
from heldout.errors import HeldoutError, SpecError
from heldout.web import form
from heldout.web.catalogue_study import CatalogueStudy, catalogue_study, plan_apart
from heldout.web.jobs import Verb
from heldout.web.pages import Pages, address
from heldout.web.summaries import KIND_OF_KEY

LARGEST = 1 << 18
"""Bytes of a filled form."""
MOST_FILES = 200
"""Files of the folder that the form offers."""


Answering = Callable[[Request, dict[str, str]], Response]
"""What answers to a filled form."""


async def filled_form(request: Request) -> dict[str, str]:
    """The fields of a form that was sent; SpecError if it is larger than any study, or no text."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST:
            raise SpecError(f"the form is larger than {LARGEST // 1024} kB")
    try:
        return dict(parse_qsl(bytes(body).decode(), keep_blank_values=True, max_num_fields=500))
    except ValueError:
        raise SpecError("the form is no UTF-8 text") from None


def _keys(sent: dict[str, str]) -> dict[str, Any]:
    """The keys of the study that a form says; a multiverse has its table, be it empty."""
    keys = form.keys_of(form.known_values(sent.items()))
    return {**keys, "multiverse": keys.get("multiverse", {})} if sent.get("verb") == "multiverse" else keys


class Start:
    """The form and what follows from it."""

    def __init__(self, pages: Pages) -> None:
        self.pages, self.home = pages, pages.served.home
        self._trying = Lock()

    def form(self, request: Request) -> Response:
        """The form: empty, or filled from a study file or from the protocol of results."""
        refusal = self.pages.no_token(request)
        if refusal is not None:
            return refusal
        values, name = self._filled(request)
        files = self._files()
        studies = [file for file in files if file.endswith(".toml")]
        data = [file for file in files if not file.endswith((".toml", ".log"))]
        multiverse = any(key.startswith("multiverse.") for key in values)
        groups = form.groups(values)
        return self.pages.draw(
            request, "new.html", groups=groups, name=name, studies=studies, data=data, multiverse=multiverse
        )

    def _filled(self, request: Request) -> tuple[dict[str, str], str]:
        file, results = request.query_params.get("file"), request.query_params.get("like")
        if file:
            path = self.pages.served.inside(file)
            try:
                if path.is_fifo():
                    raise SpecError("this is no study file, but a pipe")
                text = path.read_text(encoding="utf-8-sig") if path.suffix == ".toml" else ""
            except (OSError, UnicodeDecodeError) as error:
                raise SpecError(f"this study file cannot be read ({error})") from None
            return form.read_values(text), path.stem
        if results:
            about = self.pages.served.summary(self.pages.served.place(results))
            protocol = {("compare.tests" if key == "compare" else key): "\n".join(v) for key, v in about.protocol.items()}
            return form.known_values([*protocol.items(), ("title", about.title)]), f"{results.rpartition('/')[2]}-2"
        return {"split": "ratio(train=0.8, by=user)", "metrics": "nDCG(gain=binary)@10", "target": "AllItems"}, ""

    def _files(self) -> list[str]:
        """Files of the folder that a study may be made of, by name; links are left out."""
        try:
            paths = [path for path in self.home.iterdir() if not path.name.startswith(".") and not path.is_symlink()]
        except OSError:
            return []
        return sorted(path.name for path in paths if path.is_file())[:MOST_FILES]

    async def review(self, request: Request) -> Response:
        """What a referee would say of the study as it is filled in, and the study file that it makes."""
        return await self._answer(request, self._review)

    def _review(self, request: Request, sent: dict[str, str]) -> Response:
        keys = _keys(sent)
        text = form.study_text(keys)
        try:
            review = catalogue_study(keys, self.home).review()
        except HeldoutError as error:
            return self.pages.draw(request, "review.html", problem=error, review=None, text=text)
        return self.pages.draw(request, "review.html", problem=None, review=review, text=text)

    async def cost(self, request: Request) -> Response:
        """What the study would take, from trial fits on a few users."""
        return await self._answer(request, self._cost)

    def _cost(self, request: Request, sent: dict[str, str]) -> Response:
        study = self._study(sent)
        if not self._trying.acquire(blocking=False):
            raise SpecError("another study is being tried at this moment", hint="ask again when it is done")
        try:
            plan = plan_apart(study.keys, study.folder)
        finally:
            self._trying.release()
        return self.pages.draw(request, "cost.html", plan=plan, multiverse=sent.get("verb") == "multiverse")

    async def add(self, request: Request) -> Response:
        """A field of the form with one more component."""
        return await self._answer(request, self._add)

    def _add(self, request: Request, sent: dict[str, str]) -> Response:
        key = request.path_params["key"]
        choice = sent.get(f"choice:{key}", "")
        value = sent.get(key, "")
        field = form.field(key, form.with_choice(value, choice) if choice else value)
        answer = self.pages.draw(request, "lines.html", field=field)
        answer.headers["HX-Trigger"] = "filled"
        return answer

    def card(self, request: Request) -> Response:
        """The definition of a component."""
        key = request.path_params["key"]
        choice = request.query_params.get(f"choice:{key}", "") or request.query_params.get("choice", "")
        kind = KIND_OF_KEY.get(key.removesuffix(".tests"), "")
        cards = describe(choice.partition("(")[0].partition("@")[0]) if choice else ()
        own = [card for card in cards if f"({kind}" in card[0]] or list(cards)
        return self.pages.draw(request, "card.html", cards=own)

    async def start(self, request: Request) -> Response:
        """Start the study; the browser is led to its page."""
        return await self._answer(request, self._start)

    def _start(self, request: Request, sent: dict[str, str]) -> Response:
        study = self._study(sent)
        name = sent.get("name", "").strip()
        verb: Verb = "multiverse" if "multiverse" in study.keys else "run"
        self.pages.jobs.start(name, form.study_text(study.keys), verb)
        return Response(status_code=204, headers={"HX-Redirect": f"/study/{address(name)}"})

    def _study(self, sent: dict[str, str]) -> CatalogueStudy:
        return catalogue_study(_keys(sent), self.home)

    async def go_on(self, request: Request) -> Response:
        """Go on with a study that was stopped, and whose study file is next to its folder."""
        return await self._answer(request, self._go_on)

    def _go_on(self, request: Request, sent: dict[str, str]) -> Response:
        name = request.path_params["name"]
        about = self.pages.served.summary(self.pages.served.place(name))
        file = self.pages.served.inside(f"{name}.toml")
        if "/" in name or about.state != "unfinished" or not file.is_file():
            raise SpecError(f"'{name}' is no study of this folder that was stopped")
        keys = form.read_keys(file.read_text(encoding="utf-8-sig"))
        verb: Verb = "multiverse" if about.kind == "multiverse" else "run"
        catalogue_study({**keys, "multiverse": keys.get("multiverse", {})} if verb == "multiverse" else keys, self.home)
        self.pages.jobs.go_on(name, verb)
        return Response(status_code=204, headers={"HX-Refresh": "true"})

    async def stop(self, request: Request) -> Response:
        """Stop a study that was started here."""
        name = request.path_params["name"]
        if not self.pages.jobs.stop(name):
            return PlainTextResponse("No study of this name runs that was started here.\n", 409)
        return Response(status_code=204, headers={"HX-Refresh": "true"})

    async def _answer(self, request: Request, work: Answering) -> Response:
        """The answer of `work` to a filled form; if it refuses, the sentence that says why."""
        try:
            sent = await filled_form(request)
            return await run_in_threadpool(work, request, sent)
        except HeldoutError as error:
            return self.pages.draw(request, "problem.html", problem=error)
