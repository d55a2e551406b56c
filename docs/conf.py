"""Settings of the documentation site: ``make docs`` builds it into ``build/docs``."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_extensions"))

import treewright  # noqa: E402

project = "treewright"
copyright = "the treewright contributors"
version = release = treewright.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    # Our own, in _extensions: pages that are made from the package and from committed results.
    "error_addresses",
    "gallery_pictures",
    "pictures",
    "reference_pages",
    "root_pages",
    "fidelity_page",
    "benchmarks_page",
    "optimal_errors",
    "live_workbench",
    "materials",
    "text_copies",
]
exclude_patterns = [
    "_extensions",
    "**/GALLERY_HEADER.rst",
    "sg_execution_times.rst",
    "**/sg_execution_times.rst",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
# Links to files of the repository that are not pages of the site (code, tests, licenses) are shown as they are.
suppress_warnings = ["config.cache"]
nitpicky = False
# Straight quotes, as they are typed: defaults of parameters are code.
smartquotes = False
toc_object_entries_show_parents = "hide"

autodoc_typehints = "none"
autodoc_inherit_docstrings = True
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

sphinx_gallery_conf = {
    "examples_dirs": str(HERE.parent / "examples"),
    "gallery_dirs": "gallery",
    "filename_pattern": r"/plot_",
    "image_scrapers": ("gallery_pictures.scrape", "matplotlib"),
    "within_subsection_order": "FileNameSortKey",
    "copyfile_regex": r".*\.(csv|txt)",
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1e9,
    "download_all_examples": False,
    "reset_modules": (),
    "abort_on_example_error": True,
}

html_theme = "pydata_sphinx_theme"
html_title = "treewright"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_use_index = False
html_context = {"default_mode": "auto"}
html_show_sphinx = False
html_theme_options = {
    "navbar_align": "left",
    "navbar_center": ["navbar-nav"],
    "navbar_end": ["theme-switcher"],
    "show_prev_next": True,
    "show_toc_level": 2,
    # The home page has no sidebars: the workbench needs the width.
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "default",
    "pygments_dark_style": "github-dark",
    "logo": {"text": "treewright"},
}
html_sidebars = {"index": []}
