"""The report as one HTML file: tables in the page, charts drawn by vega packed inside it, no request to anywhere."""

from __future__ import annotations

import base64
import re
import zlib
from functools import lru_cache
from importlib.resources import files
from string import Template

from markupsafe import Markup

from heldout.analysis.explored import explored_settings
from heldout.analysis.findings import Findings
from heldout.reports.page import (
    comparison,
    curves,
    descriptive_metrics,
    explorer,
    lint,
    overview,
    pictures,
    protocol,
    results,
)
from heldout.reports.page import verdict as verdict_part
from heldout.reports.page.facts import Embedded
from heldout.reports.page.markup import NOTEBOOK_STYLE, cell, el, embedded_json, join, rows, table
from heldout.reports.page.saving import saving_script
from heldout.reports.views import CHARTED
from heldout.review.lint.finding import Review
from heldout.words import counted, interval, number, percent, shorten_all, shorten_labels

LIBRARIES = ("vega", "vega-lite", "vega-embed")
_SECTIONS = (
    ("overview", "Overview"),
    ("explore", "Explore"),
    ("holds", "Does it hold?"),
    ("beside", "The lists"),
    ("aggregations-section", "Aggregations"),
    ("pairs-section", "Pairs"),
    ("together-section", "All together"),
    ("users-items", "Users and items"),
    ("curves", "Curves"),
    ("aims", "Other aims"),
    ("diagnostics", "Diagnostics"),
    ("choices", "Choices"),
    ("systems", "Systems"),
    ("data", "Data"),
    ("splits", "Splits"),
    ("metrics", "Metrics"),
    ("notices", "Notices"),
    ("references", "References"),
    ("manifest", "Manifest"),
)


def to_html(findings: Findings, review: Review | None = None) -> str:
    """The whole page; the same facts and the same review give the same bytes.

    `review` is what lint finds in the protocol. Without one, as of facts that keep no protocol, the notices of the run stand
    alone.
    """
    embedded = Embedded(findings)
    explored = explored_settings(findings, embedded.settings)
    parts = [
        verdict_part.verdict(findings),
        overview.section(findings),
        results.leaderboard(findings, explored),
        results.holds(findings) if len(findings.contests) > 1 else Markup(),
        descriptive_metrics.descriptive(findings),
        comparison.aggregations(findings),
        results.pairwise(findings, embedded.left_out()),
        comparison.together(findings),
        pictures.users_section(findings),
        curves.section(findings),
        pictures.aims_section(findings),
        descriptive_metrics.diagnostics(findings),
        protocol.notices(findings) if review is None else lint.section(review),
        protocol.choices(findings),
        protocol.systems(findings),
        protocol.data(findings),
        protocol.splits(findings),
        protocol.cards(findings),
        protocol.references(findings),
        protocol.manifest(findings),
    ]
    body = join(*parts)
    heads = (
        dict(_SECTIONS) | ({} if findings.verdict.rows else {"holds": "Settings"}) | ({"notices": "Lint"} if review else {})
    )
    links = [el("a", label, href=f"#{key}") for key, label in heads.items() if f'id="{key}"' in body]
    meta = [
        f"task {findings.task}" if findings.task else "",
        f"seed {findings.seed}",
        counted(len(findings.systems), "system"),
        counted(len(findings.contests), "setting"),
    ]
    notices = (
        el("a", counted(len(findings.notices), "notice") + " on method", href="#notices") if findings.notices else Markup()
    )
    notices = notices if review is None else lint.link(review)
    return Template(_template("report.html")).substitute(
        title=join(findings.title),
        meta=join(" · ".join(m for m in meta if m), " · " if notices else "", notices),
        nav=join(*links),
        body=body,
        css="".join(map(_template, ("report.css", "explorer.css", "pictures.css", "folding.css", "saving.css"))),
        script=_template("words.js") + saving_script() + "".join(map(_template, ("explorer.js", "report.js", "folding.js"))),
        explored=explorer.packed(*explorer.record_of(explored)),
        facts=embedded_json(embedded.to_dict()),
        alpha=repr(findings.level),
        short=embedded_json({**_short_names(findings), "margins": results.drawn_margins(findings)}),
        libraries=_packed(),
        left_out=el("p", embedded.left_out()) if not embedded.whole else Markup(),
        licence=join(_licences()),
    )


def _short_names(findings: Findings) -> dict[str, dict[str, dict[str, str]]]:
    """Names as charts show them, by the characters there is room for: what names share is cut, not their ends."""
    systems = {str(width): shorten_all(findings.systems, width) for width in (42, 36, 24, 18, 10)}
    labels = [s.label for s in findings.settings] if len(findings.settings) <= CHARTED else []
    settings = {
        str(width): dict(zip(labels, shorten_labels(labels, width), strict=True)) if labels else {} for width in (58, 44, 32)
    }
    return {"systems": systems, "settings": settings}


def html_fragment(findings: Findings) -> str:
    """A compact leaderboard for notebooks: a sentence, a table, no script and no style but its own."""
    key = findings.primary
    digits = findings.digits(key)
    heads = [
        cell("#", "num"),
        cell("System"),
        cell(findings.primary_setting.metric, "num"),
        cell("Interval", "num"),
        *([cell("Group")] if findings.lettered else []),
        cell("Users covered", "num"),
        cell("Unrated@n", "num"),
    ]
    body = rows(
        [
            cell(str(r.rank), "num"),
            cell(r.system),
            cell(number(r.value, digits), "num"),
            cell(interval(r.low, r.high, digits), "num"),
            *([cell(r.group)] if findings.lettered else []),
            cell(percent(r.user_coverage), "num"),
            cell(percent(r.unrated), "num"),
        ]
        for r in findings.board(key)
    )
    return el(
        "div",
        NOTEBOOK_STYLE,
        el("p", el("strong", findings.verdict.sentence)),
        table(heads, body, caption=findings.primary_setting.label),
        cls="heldout",
    )


def _template(name: str) -> str:
    return (files("heldout.reports.page") / "templates" / name).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _packed() -> Markup:
    """The chart libraries, deflated and in base64, each in a script element that the page inflates."""
    scripts = []
    for name in LIBRARIES:
        source = (files("heldout.reports.page") / "vendor" / f"{name}.min.js").read_bytes()
        source = re.sub(rb"\n?//# sourceMappingURL=\S+\s*$", b"", source)
        packed = base64.b64encode(zlib.compress(source, 9)).decode()
        scripts.append(el("script", Markup(packed), type="application/octet-stream", data_library=name))
    return join(*scripts)


def _licences() -> str:
    vendor = files("heldout.reports.page") / "vendor"
    text = (vendor / "vega.LICENSE").read_text(encoding="utf-8")
    bundled = (vendor / "bundled.LICENSES").read_text(encoding="utf-8")
    return f"Vega, Vega-Lite and Vega-Embed\n\n{text.strip()}\n\n{bundled.strip()}"
