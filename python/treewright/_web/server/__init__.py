"""The local server of the workbench, for tables that are too large for a page: starlette and uvicorn, loopback only."""
