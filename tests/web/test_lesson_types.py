"""The data of a lesson has the types that its page expects: the TypeScript compiler checks real documents."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from treewright import C45Classifier, CARTRegressor, ID3Classifier, datasets, lesson

WEB = Path(__file__).parents[2] / "web"
COMPILER = WEB / "node_modules" / "typescript" / "bin" / "tsc"
MISSING = {"a": ["x", "y", None, "x", "y", "x"] * 3, "n": [1.0, 2.0, 3.0, None, 5.0, 6.0] * 3}


def documents() -> Iterator[Any]:
    tennis, play = datasets.play_tennis()
    yield lesson(ID3Classifier().fit(tennis, play), tennis, play)
    golf, plays = datasets.golf()
    yield lesson(C45Classifier().fit(golf, plays), golf, plays, language="de", quiz=True)
    cpu, speed = datasets.cpu()
    yield lesson(CARTRegressor(max_depth=2).fit(cpu[:30], speed[:30]), cpu[:30], speed[:30])
    answers = list("ppqqpq") * 3
    model = C45Classifier(prune=None, min_cases=1).fit(MISSING, answers)
    yield lesson(model, MISSING, answers, rounding="lecture")


@pytest.mark.slow
def test_lessons_have_the_types_of_the_page(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None or not COMPILER.exists():
        pytest.skip("the TypeScript compiler is not installed: npm ci in web/")
    names = []
    for number, document in enumerate(documents()):
        path = tmp_path / f"lesson{number}.ts"
        text = json.dumps(document.to_dict(), ensure_ascii=False)
        steps = (WEB / "src" / "lesson" / "steps").as_posix()
        path.write_text(
            f"import type {{ LessonDoc }} from '{steps}';\nexport const lesson: LessonDoc = {text};\n",
            "utf-8",
        )
        names.append(str(path))
    options = ["--noEmit", "--strict", "--target", "es2023", "--module", "esnext"]
    options += ["--moduleResolution", "bundler", "--skipLibCheck"]
    command = [node, str(COMPILER), *options, *names]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:]
