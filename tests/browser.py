"""A headless Chromium to look at pages with, driven over the WebDriver protocol by the standard library alone."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
)

_START_SECONDS = 60.0


class Browser:
    """A session of the browser."""

    def __init__(self, address: str, profile: Path) -> None:
        options = {"binary": CHROMIUM, "args": [*FLAGS, f"--user-data-dir={profile}"]}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        self._address = address
        self._session = f"{address}/session/{_send(f'{address}/session', {'capabilities': {'alwaysMatch': wanted}})['sessionId']}"

    def open(self, page: Path, *, width: int, dark: bool = False) -> None:
        """Open a file in a window so many CSS pixels wide, for a reader who prefers a dark page or a light one."""
        self.log("browser"), self.log("performance")
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        self.command("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.command("Emulation.setEmulatedMedia", {"features": [scheme]})
        _send(f"{self._session}/url", {"url": page.resolve().as_uri()})

    def run(self, script: str) -> Any:
        """The value that a script returns."""
        return _send(f"{self._session}/execute/sync", {"script": script, "args": []})

    def log(self, kind: str) -> list[dict[str, Any]]:
        """What has been written to a log (``browser``, ``performance``) since it was last asked for."""
        found: list[dict[str, Any]] = _send(f"{self._session}/se/log", {"type": kind})
        return found

    def requests(self) -> list[str]:
        """The addresses that were asked for since the page was opened."""
        events = [json.loads(entry["message"])["message"] for entry in self.log("performance")]
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]

    def screenshot(self, file: Path) -> None:
        """The whole page as a picture."""
        taken = self.command("Page.captureScreenshot", {"captureBeyondViewport": True})
        file.write_bytes(base64.b64decode(taken["data"]))

    def command(self, name: str, values: dict[str, Any]) -> Any:
        """A command of the DevTools protocol."""
        return _send(f"{self._session}/goog/cdp/execute", {"cmd": name, "params": values})

    def close(self) -> None:
        """End the session, and with it the browser."""
        _send(self._session, None, "DELETE")


@contextlib.contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """A browser with an empty profile, ended afterwards."""
    assert DRIVER is not None
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = (profile.parent / "chromedriver.log").open("wb")
    driver = subprocess.Popen([DRIVER, f"--port={port}"], stdout=log, stderr=log, env={**os.environ, "HOME": str(profile.parent)})
    try:
        address = f"http://127.0.0.1:{port}"
        _wait(address)
        session = Browser(address, profile)
        try:
            yield session
        finally:
            session.close()
    finally:
        driver.terminate()
        driver.wait()
        log.close()


def _wait(address: str) -> None:
    """Until the driver answers."""
    end = time.monotonic() + _START_SECONDS
    while True:
        try:
            if _send(f"{address}/status", None, "GET")["ready"]:
                return
        except OSError:
            if time.monotonic() > end:
                raise
        time.sleep(0.05)


def _send(address: str, values: dict[str, Any] | None, method: str = "POST") -> Any:
    data = None if values is None else json.dumps(values).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"}, method=method)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=120) as answer:
            return json.load(answer)["value"]
    except urllib.error.HTTPError as error:
        raise RuntimeError(f"{method} {address}: {error.read().decode(errors='replace')[:2000]}") from error
