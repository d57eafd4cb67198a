"""Kinds of results that are shown as a document: one description, from which every renderer works."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeVar

from heldout.api.kinds.kind import Kind
from heldout.api.results import Results
from heldout.errors import SpecError, UnknownNameError

if TYPE_CHECKING:
    from rich.console import Group

    from heldout.analysis.choices import ProtocolFacts
    from heldout.reports.document import Builders, Chart, Document

F = TypeVar("F")


def recorded_protocol(manifest: Mapping[str, Any]) -> ProtocolFacts | None:
    """The protocol of the study that a manifest keeps, explained but not linted; None if it keeps no study."""
    from heldout.analysis.choices import protocol_facts
    from heldout.study.record import recorded_study

    return protocol_facts(recorded_study(manifest), manifest) if "study" in manifest else None


class ReportedKind(Kind[F]):
    """A kind that says what its results show, and leaves to renderers how."""

    def document(self, results: Results[F], *, reviewed: bool = True) -> Document:
        """Everything that a report shows; `reviewed` adds what lint finds in the protocol."""
        raise NotImplementedError

    def tables(self, results: Results[F]) -> Sequence[Callable[[], Builders]]:
        """Tables by name, those that need costly parts of the findings in a later mapping."""
        raise NotImplementedError

    def charts(self, results: Results[F]) -> Mapping[str, Callable[..., Chart | None]]:
        """Figures by name: functions of their options, which give None if the results lack the figure."""
        raise NotImplementedError

    def chart(self, results: Results[F], name: str, **options: Any) -> Chart:
        """The figure of a name, however it is spelt."""
        functions, wanted = self.charts(results), name.replace("_", "-")
        given = {option: value for option, value in options.items() if value is not None}
        if wanted in functions:
            for option in given:
                if option not in signature(functions[wanted]).parameters:
                    raise SpecError(f'the figure "{wanted}" has no option {option}', where="figure", hint="leave it out")
            chart = functions[wanted](**given)
            if chart is not None:
                return chart
        raise UnknownNameError("figure", name, list(self.figure_titles(results)), where="figure", listed=True)

    def figure_titles(self, results: Results[F]) -> dict[str, str]:
        charts = {name: function() for name, function in self.charts(results).items()}
        return {name: chart.title for name, chart in charts.items() if chart is not None}

    def figure_options(self, results: Results[F], name: str) -> list[str]:
        return list(signature(self.charts(results)[name]).parameters)

    def figure_name(self, results: Results[F], name: str) -> str:
        wanted = name.replace("_", "-")
        if wanted not in self.charts(results):
            raise UnknownNameError("figure", name, list(self.figure_titles(results)), where="figure", listed=True)
        return wanted

    def html(self, results: Results[F]) -> str:
        from heldout.reports.render import html

        return html.page(self.document(results))

    def fragment(self, results: Results[F]) -> str:
        from heldout.reports.render import html

        return str(html.fragment(self.document(results, reviewed=False)))

    def terminal(self, results: Results[F], width: int | None = None, *, full: bool = False) -> Group:
        from heldout.reports.render import terminal

        return terminal.document(self.document(results, reviewed=False), full=full, width=width)

    def markdown(self, results: Results[F]) -> str:
        from heldout.reports.render import markdown

        return markdown.document(self.document(results))
