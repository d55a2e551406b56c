"""Install Chromium and the fonts of the pages for the tests in a browser, where this machine allows it.

Only as root on a machine with apt, such as a container for tests; anywhere else it says what to type. The tests in a
browser are skipped, with the reason, where there is none.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

PACKAGES = ["chromium", "fonts-inter", "fonts-stix"]
INSTALL = ["apt-get", "install", "--yes", "--no-install-recommends", *PACKAGES]
# A machine without a network must not wait for its mirrors.
SECONDS = 240


def main() -> None:
    if shutil.which("chromium") or shutil.which("google-chrome"):
        return
    reason = _reason_not_to() or _install()
    if reason:
        print(f"browser: the tests of the pages are skipped: {reason}")
        print(f"try: {' '.join(INSTALL)}")


def _reason_not_to() -> str:
    """Return why nothing may be installed here, or an empty string."""
    if sys.platform != "linux" or shutil.which("apt-get") is None:
        return "there is no Chromium and no apt-get"
    return "" if os.geteuid() == 0 else "there is no Chromium, and only root may install it"


def _install() -> str:
    """Install the packages; return why that failed, or an empty string."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update", "--quiet"], [*INSTALL, "--quiet"]):
        try:
            done = subprocess.run(
                command, env=environment, capture_output=True, text=True, timeout=SECONDS
            )
        except subprocess.TimeoutExpired:
            return f"{command[1]} took longer than {SECONDS} seconds"
        if done.returncode:
            return f"{' '.join(command[:2])} failed: {done.stderr.strip()[-200:]}"
    return ""


if __name__ == "__main__":
    main()
