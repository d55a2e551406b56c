"""The command line: one file per command in ``verbs/``, built on the public names of ``treewright``.

Results go to standard output and everything else to standard error. Nothing is imported before it is needed, so that
``treewright --help`` is quick.

Exit codes: 0 success; 1 an error in treewright itself; 2 the command line; 3 the data, or a file that cannot be read or
written; 4 the model file; 5 a requirement is not met; 130 interrupted; 143 terminated.
"""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line and end the process."""
    from treewright.cli.app import signals

    signals.install()
    try:
        from treewright.cli.main import cli

        cli.main(prog_name="treewright")
    except KeyboardInterrupt:  # while the parser itself was being loaded
        sys.exit(130)
    except signals.Stopped as stopped:
        sys.exit(stopped.code)
    finally:
        signals.ignore()
