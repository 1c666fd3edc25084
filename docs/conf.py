"""The documentation as a site: `make docs`. Its sources are the Markdown pages of this checkout and the docstrings."""

from rc_env import __version__

project = "rc_env"
author = "The rc_env developers"
copyright = "2026, the rc_env developers"
release = __version__

root_doc = "docs/index"
include_patterns = [
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md"),
    *("docs/**.md", "agents/weights/*.md"),
]
extensions = [
    "myst_parser",  # pages in Markdown
    "sphinx.ext.autodoc",  # the API reference, from docstrings
    "sphinx.ext.napoleon",  # their sections: Args, Returns, Raises, Attributes
    "sphinx_copybutton",
]
default_role = "code"  # docstrings mark names with single backticks, as Markdown does
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
napoleon_numpy_docstring = False
napoleon_use_ivar = True
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings give shapes, dtypes and ranges, which the annotations do not
napoleon_attr_annotations = False
autodoc_default_options = {"members": True}
html_theme = "furo"
html_title = f"rc_env {release}"
