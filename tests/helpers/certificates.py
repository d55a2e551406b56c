"""Certificates of a cluster, made by openssl."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

needs_openssl = pytest.mark.skipif(
    shutil.which("openssl") is None, reason="openssl makes the certificates"
)


def make_certificates(folder: Path, authority: str) -> tuple[bytes, bytes, bytes]:
    """Make an authority and a certificate of it, as an administrator of a cluster does."""

    def openssl(*arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    openssl(
        "req",
        "-x509",
        *curve,
        "-keyout",
        f"{authority}.key",
        "-out",
        f"{authority}.pem",
        "-days",
        "2",
        "-subj",
        f"/CN={authority}",
    )
    openssl("req", *curve, "-keyout", "worker.key", "-out", "worker.csr", "-subj", "/CN=worker")
    (folder / "extensions").write_text("basicConstraints=CA:FALSE\nsubjectAltName=DNS:worker\n")
    openssl(
        *(
            "x509",
            "-req",
            "-in",
            "worker.csr",
            "-CA",
            f"{authority}.pem",
            "-CAkey",
            f"{authority}.key",
        ),
        *("-CAcreateserial", "-out", "worker.pem", "-days", "2", "-extfile", "extensions"),
    )
    names = ("worker.pem", "worker.key", f"{authority}.pem")
    return tuple((folder / name).read_bytes() for name in names)  # type: ignore[return-value]
