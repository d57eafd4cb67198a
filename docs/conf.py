"""How Sphinx builds the documentation."""

from heldout import __version__

project = "Heldout"
author = "The Heldout developers"
copyright = "2025, The Heldout developers"
version = release = __version__
language = "en_GB"

extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = f"Heldout {release}"
html_theme_options = {"navigation_with_keys": True}
html_static_path = ["_static"]
html_css_files = ["wrap.css"]
html_copy_source = False
html_show_sphinx = False
# Highlighting of a language that Pygments half knows must not fail a build.
suppress_warnings = ["misc.highlighting_failure"]
