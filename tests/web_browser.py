"""A browser for tests: Debian's Chromium, driven through the protocol that it brings along."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PATIENCE = 30.0


class Broken(Exception):
    """What a page has thrown, or what did not come about in time."""


class Browser:
    """One process with many pages, each with a store and a language of its own."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.number = 0
        self.pages: dict[str, Page] = {}

    def send(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        self.number += 1
        message: dict[str, Any] = {"id": self.number, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        self.socket.send(json.dumps(message))
        while True:
            answer = json.loads(self.socket.recv(timeout=PATIENCE))
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise Broken(f"{method}: {answer['error']}")
                found: dict[str, Any] = answer["result"]
                return found
            self.noticed(answer)

    def noticed(self, event: dict[str, Any]) -> None:
        page = self.pages.get(event.get("sessionId", ""))
        if page is not None and event["method"] == "Runtime.exceptionThrown":
            page.faults.append(json.dumps(event["params"]["exceptionDetails"].get("exception", {}))[:500])
        if page is not None and event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
            page.faults.append(event["params"]["entry"]["text"] + " " + event["params"]["entry"].get("url", ""))

    def page(self, width: int = 1280, height: int = 800, language: str = "en", calm: bool = False) -> Page:
        context = self.send("Target.createBrowserContext")["browserContextId"]
        target = self.send("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        self.pages[session] = page
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.send(f"{domain}.enable")
        agent = page.run("navigator.userAgent")
        page.send("Network.setUserAgentOverride", userAgent=agent, acceptLanguage=language)
        page.resize(width, height)
        if calm:
            feature = {"name": "prefers-reduced-motion", "value": "reduce"}
            page.send("Emulation.setEmulatedMedia", features=[feature])
        return page


class Page:
    def __init__(self, browser: Browser, session: str) -> None:
        self.browser = browser
        self.session = session
        self.faults: list[str] = []

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        return self.browser.send(method, self.session, **params)

    def resize(self, width: int, height: int) -> None:
        phone = width < 600
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.send("Emulation.setTouchEmulationEnabled", enabled=phone)

    def open(self, url: str) -> None:
        self.send("Page.navigate", url=url)
        self.until("location.protocol !== 'about:' && document.readyState === 'complete'")

    def run(self, script: str) -> Any:
        """The value of an expression in the page; a promise is waited for."""
        found = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in found:
            raise Broken(json.dumps(found["exceptionDetails"].get("exception", found["exceptionDetails"]))[:800])
        return found["result"].get("value")

    def until(self, condition: str, patience: float = PATIENCE) -> Any:
        """Waits until an expression is true."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            found = self.run(f"(() => {{ const it = {condition}; return it instanceof Node ? true : it; }})()")
            if found:
                return found
            time.sleep(0.03)
        raise Broken(f"never true: {condition}; {self.faults}")

    def click(self, selector: str, patience: float = PATIENCE) -> None:
        """A press of the mouse in the middle of what is seen of an element."""
        place = self.until(f"{VISIBLE_POINT}({json.dumps(selector)})", patience)
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def drag(self, selector: str, onto: str) -> None:
        start, end = (
            self.until(f"{VISIBLE_POINT}({json.dumps(selector)})"),
            self.until(f"{VISIBLE_POINT}({json.dumps(onto)})"),
        )
        self.send("Input.dispatchMouseEvent", type="mousePressed", x=start[0], y=start[1], button="left", clickCount=1)
        for step in range(1, 6):
            x, y = (start[i] + (end[i] - start[i]) * step / 5 for i in (0, 1))
            self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, button="left", buttons=1)
        self.send("Input.dispatchMouseEvent", type="mouseReleased", x=end[0], y=end[1], button="left", clickCount=1)

    def key(self, key: str) -> None:
        code = {"Enter": 13, "Tab": 9, "Escape": 27, " ": 32, "ArrowLeft": 37, "ArrowRight": 39}.get(
            key, ord(key[0].upper())
        )
        text = {"Enter": "\r", " ": " "}.get(key, key if len(key) == 1 else "")
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, text=text)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def type(self, selector: str, words: str) -> None:
        self.run(f"document.querySelector({json.dumps(selector)}).select()")
        self.send("Input.insertText", text=words)

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))


VISIBLE_POINT = """(selector => {
  const element = document.querySelector(selector);
  if (!element) return null;
  element.scrollIntoView({block: "nearest"});
  const box = element.getBoundingClientRect();
  for (const x of [0.5, 0.12, 0.88]) for (const y of [0.5, 0.15, 0.85]) {
    const [left, top] = [box.left + box.width * x, box.top + box.height * y];
    const hit = document.elementFromPoint(left, top);
    if (hit && (hit === element || element.contains(hit))) return [left, top];
  }
  return null;
})"""


@contextmanager
def chromium() -> Iterator[Browser]:
    assert CHROMIUM
    with tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True) as folder:
        process = subprocess.Popen(
            [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0",
             f"--user-data-dir={folder}", "--no-first-run", "--disable-extensions", "--hide-scrollbars", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            port = Path(folder, "DevToolsActivePort")
            end = time.monotonic() + PATIENCE
            while not (port.exists() and len(port.read_text().splitlines()) == 2):
                assert time.monotonic() < end and process.poll() is None, "Chromium does not start"
                time.sleep(0.05)
            number, path = port.read_text().splitlines()
            with connect(f"ws://127.0.0.1:{number}{path}", max_size=None) as socket:
                yield Browser(socket)
        finally:
            process.terminate()
            process.wait()
