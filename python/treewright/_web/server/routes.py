"""The interface of the server: each route reads a request, and one method of the workspace answers it.

Whatever computes runs on the thread of the jobs, so that the event loop stays free. No route takes a path, an address,
an expression or a pickle.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route

from treewright._web.server.failures import describe_error
from treewright._web.server.jobs import Watch
from treewright._web.server.workspace import Workspace
from treewright._web.workbench import make_server_page
from treewright.errors import TreewrightError, UsageError

__all__ = ["build_app"]

MAX_NAME = 200
MAX_ROWS = 200
MAX_FOLDS = 50
JSON = "application/json"
LINES = "application/x-ndjson"


def build_app(workspace: Workspace) -> Starlette:
    """Return the application with all its routes."""
    calls = Calls(workspace)
    page = _page()
    table, tree, model = (
        "/api/tables/{table:int}",
        "/api/trees/{tree:int}",
        "/api/models/{model:int}",
    )
    routes: list[tuple[str, str, Callable[..., Any]]] = [
        ("GET", "/", page),
        ("GET", "/api/tables", calls.list_tables),
        ("POST", "/api/tables", calls.open_table),
        ("GET", table, calls.describe_table),
        ("PATCH", table, calls.reopen_table),
        ("DELETE", table, calls.drop_table),
        ("GET", f"{table}/rows", calls.table_rows),
        ("GET", table + "/columns/{column:int}/distribution", calls.distribution),
        ("POST", "/api/trees", calls.start_tree),
        ("GET", tree, calls.describe_tree),
        ("POST", f"{tree}/step", calls.step),
        ("POST", f"{tree}/curve", calls.curve),
        ("GET", tree + "/nodes/{node:int}/work", calls.work),
        ("GET", tree + "/nodes/{node:int}/rows", calls.node_rows),
        ("POST", "/api/models", calls.fit),
        ("POST", f"{model}/predict", calls.predict),
        ("GET", f"{model}/file", calls.model_file),
        ("POST", "/api/compare", calls.compare),
        ("POST", "/api/cancel", calls.cancel),
        ("POST", "/api/quit", calls.quit),
    ]
    rows = [Route(path, _answering(call), methods=[method]) for method, path, call in routes]
    return Starlette(routes=rows)


def _page() -> Callable[[Request], Any]:
    """Return what answers with the page itself: it holds no data and no secret."""
    html = make_server_page()

    async def page(_: Request) -> Response:
        # The policy is in the page's own head, so the header only forbids frames.
        return HTMLResponse(html, headers={"content-security-policy": "frame-ancestors 'none'"})

    return page


def _answering(call: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Turn errors into answers: what is wrong with the request, never what the program looks like inside."""

    async def answer(request: Request) -> Any:
        try:
            return await call(request)
        except ClientDisconnect:  # nobody reads the answer
            return Response(status_code=400)
        except TreewrightError as error:
            status = getattr(error, "status", 400)
            return _json(describe_error(error), status)
        except (
            MemoryError,
            ArithmeticError,
            LookupError,
            RuntimeError,
            TypeError,
            ValueError,
        ) as error:
            return _json(describe_error(error), 500)

    return answer


def _json(value: Any, status: int = 200) -> Response:
    body = json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    return Response(body, status_code=status, media_type=JSON)


class Calls:
    """One method for each route."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace

    async def list_tables(self, _: Request) -> Response:
        """Answer with the tables that are open."""
        return _json(await self._run(self.workspace.list_tables))

    async def open_table(self, request: Request) -> Response:
        """Read a table from the body."""
        name = request.query_params.get("name", "table.csv")[:MAX_NAME]
        options = _object(request.query_params.get("options", "{}"))
        content = await request.body()
        return _json(await self._run(lambda: self.workspace.open(content, name, options)), 201)

    async def describe_table(self, request: Request) -> Response:
        """Answer with a table's columns and first rows."""
        number = request.path_params["table"]
        return _json(await self._run(lambda: self.workspace.describe_table(number)))

    async def reopen_table(self, request: Request) -> Response:
        """Read a table again with other options."""
        number, options = request.path_params["table"], await _body(request)
        return _json(await self._run(lambda: self.workspace.reopen(number, options)))

    async def drop_table(self, request: Request) -> Response:
        """Forget a table."""
        number = request.path_params["table"]
        await self._run(lambda: self.workspace.drop_table(number))
        return _json({})

    async def table_rows(self, request: Request) -> Response:
        """Answer with some rows as text."""
        number, (offset, limit) = request.path_params["table"], _window(request)
        return _json(await self._run(lambda: self.workspace.table(number).rows(offset, limit)))

    async def distribution(self, request: Request) -> Response:
        """Answer with the distribution of a column."""
        number, column = request.path_params["table"], request.path_params["column"]
        return _json(await self._run(lambda: self.workspace.distribution(number, column)))

    async def start_tree(self, request: Request) -> Response:
        """Start a tree: one open node."""
        spec = await _body(request)
        return _json(await self._run(lambda: self.workspace.start(spec)), 201)

    async def describe_tree(self, request: Request) -> Response:
        """Answer with a whole tree."""
        number = request.path_params["tree"]
        return _json(await self._run(lambda: self.workspace.describe_tree(number)))

    async def step(self, request: Request) -> Response:
        """Change a tree; ``If-Match`` names the revision that the page saw."""
        number, action = request.path_params["tree"], await _body(request)
        seen = request.headers.get("if-match")
        return _json(await self._run(lambda: self.workspace.step(number, action, seen)))

    async def work(self, request: Request) -> Response:
        """Answer with the calculation of a node."""
        number, node = request.path_params["tree"], request.path_params["node"]
        return _json(await self._run(lambda: self.workspace.work(number, node)))

    async def node_rows(self, request: Request) -> Response:
        """Answer with some rows of a node."""
        number, node = request.path_params["tree"], request.path_params["node"]
        offset, limit = _window(request)
        return _json(await self._run(lambda: self.workspace.node_rows(number, node, offset, limit)))

    async def curve(self, request: Request) -> Response:
        """Send progress and at last the complexity curve of a tree."""
        number, folds = request.path_params["tree"], _folds(await _body(request))
        return self._stream(lambda watch: self.workspace.curve(number, folds, watch))

    async def fit(self, request: Request) -> Response:
        """Send progress and at last a fitted model."""
        spec = await _body(request)
        return self._stream(lambda watch: self.workspace.fit(spec, watch))

    async def compare(self, request: Request) -> Response:
        """Send progress and at last a comparison on the same folds."""
        body = await _body(request)
        specs, folds = body.get("specs"), _folds(body)
        return self._stream(lambda watch: self.workspace.compare(specs, folds, watch))

    async def predict(self, request: Request) -> Response:
        """Answer with predictions for rows of cells."""
        number, body = request.path_params["model"], await _body(request)
        return _json(await self._run(lambda: self.workspace.predict(number, body.get("rows"))))

    async def model_file(self, request: Request) -> Response:
        """Answer with a model file."""
        number = request.path_params["model"]
        content = await self._run(lambda: self.workspace.model_file(number))
        return _download(content, "model.tree", "application/octet-stream")

    async def cancel(self, _: Request) -> Response:
        """Stop what runs."""
        self.workspace.jobs.cancel()
        return _json({})

    async def quit(self, _: Request) -> Response:
        """Stop the server."""
        self.workspace.on_quit()
        return _json({})

    async def _run(self, work: Callable[[], Any]) -> Any:
        return await self.workspace.jobs.run(work)

    def _stream(self, work: Callable[[Watch], Any]) -> Response:
        return StreamingResponse(self.workspace.jobs.stream(work), media_type=LINES)


def _download(content: bytes, name: str, media_type: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media_type, headers=headers)


async def _body(request: Request) -> dict[str, Any]:
    return _object((await request.body()).decode("utf-8", "replace"))


def _object(text: str) -> dict[str, Any]:
    """Read a JSON object; anything else is an error of the request."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError("the request is not JSON", slug="server.request") from error
    if not isinstance(value, dict):
        raise UsageError("the request is not a JSON object", slug="server.request")
    return value


def _window(request: Request) -> tuple[int, int]:
    """Read which rows are wanted; never more than a page of them."""
    try:
        offset = int(request.query_params.get("offset", "0"))
        limit = int(request.query_params.get("limit", "50"))
    except ValueError as error:
        raise UsageError("offset and limit are whole numbers", slug="server.request") from error
    return min(max(offset, 0), 2**40), min(max(limit, 0), MAX_ROWS)


def _folds(body: dict[str, Any]) -> int:
    folds = body.get("folds", 10)
    if type(folds) is not int or not 2 <= folds <= MAX_FOLDS:
        raise UsageError(f"folds is a whole number from 2 to {MAX_FOLDS}", slug="server.request")
    return folds
