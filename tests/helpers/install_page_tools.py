"""Install what the tests of the pages need, where this machine allows it: Chromium, fonts, and the packages of web/.

Chromium is installed only as root on a machine with apt, such as a container for tests; anywhere else it says what to
type. The packages of web/ are installed where there is Node.js. What is not there is skipped by the tests, with the
reason.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).parents[2] / "web"
PACKAGES = ["chromium", "fonts-inter", "fonts-stix"]
INSTALL = ["apt-get", "install", "--yes", "--no-install-recommends", *PACKAGES]
# A machine without a network must not wait for its mirrors.
SECONDS = 240


def main() -> None:
    install_browser()
    install_packages()


def install_packages() -> None:
    """Install the packages of web/ as its lock file names them, if they are not there yet."""
    lock, installed = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
    if shutil.which("npm") is None:
        print(
            "pages: there is no Node.js, so they are not built anew, and axe does not look at them"
        )
        return
    if installed.exists() and installed.stat().st_mtime >= lock.stat().st_mtime:
        return
    command = ["npm", "ci", "--no-audit", "--no-fund", "--silent"]
    done = subprocess.run(
        command, cwd=WEB, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    if done.returncode:
        print(f"pages: npm ci failed: {done.stderr.strip()[-300:]}")
    else:
        os.utime(installed)


def install_browser() -> None:
    """Install Chromium, or say why not."""
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
