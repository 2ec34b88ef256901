"""Runs the command-line tool as a user would, with the real runtime behind it (Scripts/interop tool).

    drive.py PROGRAM URL

Prints a line a step, and a last one that sums up. Exits with 1 if one failed.
"""

import asyncio
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "peers"))

from steps import Steps, expect  # noqa: E402

PROGRAM, URL = sys.argv[1:]
TARGET = ["--local", "--api-url", URL, "--model", "peer"]
SECONDS = 6


def tool(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=40)


def events(text):
    return [json.loads(line) for line in text.splitlines()]


def only(found, name):
    chosen = [event for event in found if event["event"] == name]
    expect(len(chosen) == 1, f"{len(chosen)} events '{name}'")
    return chosen[0]


def png(data):
    """Width, height and the bytes of all rows, filters included."""
    expect(data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG")
    place, packed, size = 8, b"", None
    while place < len(data):
        length, kind = struct.unpack(">I4s", data[place:place + 8])
        body = data[place + 8:place + 8 + length]
        expect(zlib.crc32(kind + body) == struct.unpack(">I", data[place + 8 + length:place + 12 + length])[0], "CRC")
        if kind == b"IHDR":
            size = struct.unpack(">II", body[:8])
        elif kind == b"IDAT":
            packed += body
        place += 12 + length
    return (*size, zlib.decompress(packed))


def run_does_all_that_it_offers(folder):
    """run: commands, pushed pattern, snapshot, YUV4MPEG2, recording, statistics and a summary, as JSON lines"""
    done = tool(
        "run", *TARGET, "--seconds", str(SECONDS), "--json", "--stats", "--push", "pattern",
        "--command", "set_prompt", '{"prompt": "a fox"}', "--snapshot", str(folder / "last.png"),
        "--y4m", str(folder / "out.y4m"), "--record", str(folder / "recording.mp4"))
    expect(done.returncode == 0, f"exit {done.returncode}: {done.stderr}")
    found = events(done.stdout)
    reply = only(found, "reply")
    expect((reply["command"], reply["type"]) == ("set_prompt", "prompt_accepted"), reply)
    expect(reply["data"] == {"prompt": "a fox", "length": 5}, reply)
    measured = [event for event in found if event["event"] == "stats"]
    expect(len(measured) >= SECONDS - 2, f"{len(measured)} lines of statistics")
    expect(measured[-1]["packets_received"] > measured[0]["packets_received"] > 0, measured[-1])
    summary = only(found, "summary")
    expect(summary["frames"] > 20 * SECONDS and summary["pushed"] > 20 * SECONDS, summary)
    expect(summary["echoed"] > 10 * SECONDS and summary["sound_blocks"] > 0, summary)
    width, height, rows = png((folder / "last.png").read_bytes())
    expect((width, height) == (640, 360) and len(set(rows)) > 16, f"a snapshot of {width}x{height}")
    video = (folder / "out.y4m").read_bytes()
    expect(video.startswith(b"YUV4MPEG2 W640 H360 "), video[:40])
    expect(video.count(b"FRAME\n") >= summary["written"] > 20 * SECONDS, "pictures in the file")
    recording = only(found, "recording")
    expect(recording["bytes"] == (folder / "recording.mp4").stat().st_size, recording)
    if shutil.which("ffprobe"):
        probe = subprocess.run(
            ["ffprobe", "-v", "error", "-show_entries", "stream=codec_type", "-of", "csv=p=0",
             str(folder / "recording.mp4")], capture_output=True, text=True)
        expect(probe.returncode == 0 and "video" in probe.stdout, probe.stdout + probe.stderr)


def schema_prints_the_model(folder):
    """schema: the commands that the model declares"""
    done = tool("schema", *TARGET, "--json")
    expect(done.returncode == 0, f"exit {done.returncode}: {done.stderr}")
    expect("set_prompt" in done.stdout and isinstance(json.loads(done.stdout), dict), done.stdout[:200])


def a_file_is_pushed(folder):
    """run: a YUV4MPEG2 file goes in and ends it"""
    source = folder / "in.y4m"
    with open(source, "wb") as file:
        file.write(b"YUV4MPEG2 W320 H180 F30:1 Ip A1:1 C420jpeg\n")
        for number in range(60):
            file.write(b"FRAME\n" + bytes([16 + 3 * number]) * (320 * 180) + b"\x80" * (2 * 160 * 90))
    done = tool("run", *TARGET, "--json", "--push", str(source))
    expect(done.returncode == 0, f"exit {done.returncode}: {done.stderr}")
    summary = only(events(done.stdout), "summary")
    expect(summary["pushed"] == 60 and summary["echoed"] > 10, summary)


def an_unknown_command_is_told(folder):
    """run: an unknown command is exit 1, and the runtime's code in the last line"""
    done = tool("run", *TARGET, "--json", "--seconds", "5", "--command", "no_such_command")
    expect(done.returncode == 1, f"exit {done.returncode}")
    expect(only(events(done.stdout), "error")["code"] == "invalid_command", done.stdout)
    expect("invalid_command" in done.stderr.splitlines()[-1], done.stderr)


def an_interrupt_ends_the_session(folder):
    """run: Ctrl-C is exit 130 with a summary, and the runtime is free at once"""
    process = subprocess.Popen([PROGRAM, "run", *TARGET, "--json", "--seconds", "30"], stdout=subprocess.PIPE, text=True)
    lines = []
    for line in process.stdout:
        lines.append(line)
        if json.loads(line)["event"] == "ready":
            process.send_signal(signal.SIGINT)
    code = process.wait(20)
    found = events("".join(lines))
    expect(code == 130 and only(found, "summary"), f"exit {code}: {lines}")
    expect({"event": "status", "status": "disconnected"} in found, lines)
    done = tool("run", *TARGET, "--json", "--seconds", "1")
    expect(done.returncode == 0, f"the next session: exit {done.returncode}: {done.stderr}")


def nobody_there_is_explained(folder):
    """run: nobody there is exit 1 and what to do about it"""
    done = tool("run", "--local", "--api-url", "http://127.0.0.1:1", "--model", "peer", "--seconds", "1")
    expect(done.returncode == 1 and "reactor serve" in done.stderr, f"exit {done.returncode}: {done.stderr}")


async def main():
    steps = Steps([])
    with tempfile.TemporaryDirectory() as name:
        for step in (
            run_does_all_that_it_offers, schema_prints_the_model, a_file_is_pushed, an_unknown_command_is_told,
            an_interrupt_ends_the_session, nobody_there_is_explained,
        ):
            await steps.run(step.__doc__, lambda: asyncio.to_thread(step, Path(name)))
    return steps.finish("the command-line tool")


os.environ.pop("REACTOR_JWT", None)
sys.exit(asyncio.run(main()))
