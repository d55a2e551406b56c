"""The workbench on its server, in a browser: the page of a person and a second tab."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("uvicorn")

from server_process import Client, running_server

from helpers.browser import read_address
from treewright import ID3Classifier, datasets

READY = "#app[data-ready]"


@pytest.fixture
def client() -> Iterator[Client]:
    with running_server() as client:
        client.server.workspace.open(datasets.load("play-tennis"), "play-tennis", {})
        yield client


@pytest.fixture
def tab(browser: Any, client: Client) -> Iterator[Any]:
    """Give a function that opens the printed address in a new tab of one window."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    problems: list[str] = []

    def open_tab() -> Any:
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(client.server.address)
        page.wait_for_selector(READY)
        return page

    yield open_tab
    context.close()
    assert not problems


@pytest.mark.slow
def test_a_tree_is_grown_on_the_server(tab: Any, client: Client) -> None:
    page = tab()
    assert client.server.token not in read_address(page)
    page.get_by_role("combobox").nth(1).select_option("id3")
    page.get_by_role("button", name="Grow all").click()
    page.wait_for_selector("text=8 nodes")
    assert ID3Classifier().fit(*datasets.play_tennis()).tree_.n_nodes == 8
    page.reload()
    page.wait_for_selector(READY)


@pytest.mark.slow
def test_a_page_without_the_token_says_what_to_open(browser: Any, client: Client) -> None:
    page = browser.new_page()
    page.goto(client.server.address.partition("#")[0])
    page.wait_for_selector("text=open the address")
    page.close()


@pytest.mark.slow
def test_a_page_notices_that_the_server_is_gone(tab: Any, client: Client) -> None:
    page = tab()
    client.call("POST", "/api/quit", {})
    page.wait_for_timeout(500)
    page.get_by_role("button", name="Grow one").click()
    page.wait_for_selector("text=the server does not answer")
