"""A pip to run where Python has none: from the index that pip is set to use, else out of Debian's own packages."""

import configparser
import hashlib
import html
import http.client
import os
import re
import shutil
import ssl
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

LINK = re.compile(r"""<a\s([^>]*?)href\s*=\s*["']([^"']+)["']([^>]*)>""", re.IGNORECASE)
WHEEL = re.compile(r"pip-(\d+(?:\.\d+)*)-py3-none-any\.whl")
SECONDS = 20


def fetch(folder: Path) -> Path | None:
    """The folder of a pip that can be run with `python FOLDER`, unpacked under the folder given."""
    wheel = next((wheel for index in indexes() if (wheel := from_index(index, folder))), None) or from_debian(folder)
    if wheel is None:
        return None
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "unpacked")
    return folder / "unpacked" / "pip"


def certificates(pip: Path) -> dict[str, str]:
    """Debian's pip trusts what the system trusts. A system with nothing to trust gets the list that comes with pip."""
    own = pip / "_vendor" / "certifi" / "cacert.pem"
    system = ssl.get_default_verify_paths()
    known = setting("cert") or system.cafile or Path("/etc/ssl/certs/ca-certificates.crt").exists()
    return {} if known or not own.exists() else {"PIP_CERT": str(own)}


def indexes() -> list[str]:
    return [*setting("index-url").split(), *setting("extra-index-url").split()]


def setting(name: str) -> str:
    """A setting of pip, from where pip takes it: the environment, else the last of its files that has it."""
    from_environment = os.environ.get("PIP_" + name.upper().replace("-", "_"))
    if from_environment:
        return from_environment
    personal = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    files = [Path("/etc/xdg/pip/pip.conf"), Path("/etc/pip.conf"), Path.home() / ".pip" / "pip.conf"]
    files += [personal / "pip" / "pip.conf", Path(sys.prefix) / "pip.conf", Path(os.environ.get("PIP_CONFIG_FILE", ""))]
    parser = configparser.RawConfigParser()
    try:
        parser.read([file for file in files if file.is_file()], encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError):
        return ""  # pip itself will say what is wrong with it
    return parser.get("install", name, fallback="") or parser.get("global", name, fallback="")


def from_index(index: str, folder: Path) -> Path | None:
    try:
        page = urljoin(index.rstrip("/") + "/", "pip/")
        address = newest(read(page + "index.html" if page.startswith("file:") else page).decode(), page)
        if address is None:
            return None
        content = read(urldefrag(address).url)
    except (OSError, ValueError, http.client.HTTPException):
        return None
    digest = re.search(r"sha256=([0-9a-f]{64})", urldefrag(address).fragment)
    if digest and hashlib.sha256(content).hexdigest() != digest[1]:
        return None
    wheel = folder / file_name(address)
    wheel.write_bytes(content)
    return wheel


def read(address: str) -> bytes:
    trusted = ssl.create_default_context(cafile=setting("cert") or None)
    with urllib.request.urlopen(address, timeout=SECONDS, context=trusted) as answer:
        content: bytes = answer.read()
    return content


def newest(page: str, base: str) -> str | None:
    """Of the links on an index page, the one to the newest pip that runs on this Python."""
    found: dict[tuple[int, ...], str] = {}
    for before, link, after in LINK.findall(page):
        address = urljoin(base, html.unescape(link))
        version = WHEEL.fullmatch(file_name(address))
        attributes = html.unescape(before + after)
        needed = re.search(r"data-requires-python\s*=\s*[\"'][^\"']*>=\s*3\.(\d+)", attributes)
        if version and "data-yanked" not in attributes and (not needed or int(needed[1]) <= sys.version_info.minor):
            found[tuple(map(int, version[1].split(".")))] = address
    return found[max(found)] if found else None


def file_name(address: str) -> str:
    return unquote(urlsplit(address).path).rpartition("/")[2]


def from_debian(folder: Path) -> Path | None:
    """Debian has the wheel in a package. To download and unpack a package takes no rights, only to install one does."""
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        return None
    download = ["download", "python3-pip-whl"]
    lists = ["-o", f"Dir::State::Lists={folder}/lists", "-o", f"Dir::Cache={folder}/cache"]
    if not apt_get(folder, download):  # the system's lists may be missing or out of date
        for name in ("lists/partial", "cache/archives/partial"):
            (folder / name).mkdir(parents=True)
        if not (apt_get(folder, [*lists, "update"]) and apt_get(folder, [*lists, *download])):
            return None
    package = next(folder.glob("*.deb"))
    subprocess.run(["dpkg-deb", "--extract", package, folder / "package"], check=False)
    return next(folder.glob("package/**/pip-*.whl"), None)


def apt_get(folder: Path, words: list[str]) -> bool:
    command = ["apt-get", "-qq", "-o", "APT::Sandbox::User=root", *words]
    silent = subprocess.DEVNULL
    return subprocess.run(command, cwd=folder, stdin=silent, stdout=silent, stderr=silent, check=False).returncode == 0
