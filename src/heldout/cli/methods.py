"""`heldout methods`: the experimental section of a paper."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from heldout.api.kept_results import over_results
from heldout.cli.console import out, write
from heldout.cli.options import writable
from heldout.errors import SpecError
from heldout.storage.files import write_text


class MethodsFormat(StrEnum):
    """The form of the section."""

    markdown = "markdown"
    latex = "latex"


ENDINGS = {".md": MethodsFormat.markdown, ".tex": MethodsFormat.latex}


@over_results
def methods(
    subject: Annotated[Path, typer.Argument(help="A results folder, or a study file (TOML).", show_default=False)],
    format: Annotated[
        MethodsFormat | None, typer.Option(help="The form; told by --out if not given, else markdown.", show_default=False)
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Write it to this file, and BibTeX entries beside LaTeX.", show_default=False),
    ] = None,
) -> None:
    """Write the experimental section of a paper: prose, a checklist of all decisions, and the study file to repeat it.

    heldout methods RESULTS --format latex --out methods.tex
    """
    from heldout.api.input_files import refuse_overwriting
    from heldout.api.methods import methods as section_of

    if format is None:
        if file is not None and file.suffix not in ENDINGS:
            raise SpecError(
                f"cannot tell the form from '{file.name}'", where="--out", hint="name a .md or .tex file, or --format"
            )
        format = ENDINGS[file.suffix] if file is not None else MethodsFormat.markdown
    writable(file)
    refuse_overwriting(file, subject if subject.is_file() else None)  # a section may lie in the folder of its results
    section = section_of(subject)
    if file is None:
        # The entries stand behind as comments, so that what is printed is one file that LaTeX reads.
        entries = "".join(f"% {line}".rstrip() + "\n" for line in section.to_bibtex().splitlines())
        write(section.to_markdown() if format is MethodsFormat.markdown else f"{section.to_latex()}{entries}")
        return
    beside = file.with_suffix(".bib")
    text = section.to_markdown() if format is MethodsFormat.markdown else section.to_latex(bibliography=beside.stem)
    written = {file: text} | ({beside: section.to_bibtex()} if format is MethodsFormat.latex else {})
    for path, content in written.items():
        write_text(path, content)
    out.print(f"written: {', '.join(map(str, written))}", soft_wrap=True)
