"""Runs both clients in turn and prints the table (see `run`)."""

import json
import os
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PEERS = Path(os.environ.get("REACTOR_PEER_DIR", Path.home() / ".cache/reactor-peer"))
PORT = int(os.environ.get("REACTOR_INTEROP_PORT", 18680))
URL = f"http://127.0.0.1:{PORT}"
NETNS = str(ROOT / "Interop/peers/netns.sh")
OUT = ROOT / ".build/compare"

# (title, task, its arguments, repetitions or None for the number of connects, [(figure, name, goal)])
TASKS = [
    ("", ["connect"], None, [("ready_ms", "connect to ready, ms", 0.40), ("first_frame_ms", "connect to first frame, ms", 0.55)]),
    ("640 × 360", ["receive", "640x360", "20"], 3, [
        ("cpu_ms_per_frame", "CPU a received frame, ms", 0.65), ("emit_to_handler_ms", "emit to handler, ms", 0.85),
        ("rss_mb", "resident memory, MB", 0.50), ("frames_per_s", "frames a second", None)]),
    ("1280 × 720", ["receive", "1280x720", "20"], 3, [
        ("cpu_ms_per_frame", "CPU a received frame, ms", 0.65), ("emit_to_handler_ms", "emit to handler, ms", 0.85),
        ("rss_mb", "resident memory, MB", 0.50), ("frames_per_s", "frames a second", None)]),
    ("640 × 360", ["push", "640x360", "10"], 3, [
        ("echo_ms", "push to echo, ms", 0.90), ("echoed", "share of pushed frames that came back", None)]),
    ("1280 × 720", ["calls", "1280x720", "10"], 3, [("push_call_ms", "pushFrame call, 10 a second, ms", 0.65)]),
    ("", ["commands"], 3, [("command_ms", "command round trip, ms", 1.0), ("echo_1mb_ms", "echo of 1 MB, ms", 0.60)]),
]


class Runtime:
    """The real runtime. It sometimes aborts by itself ("pthread_join", docs/interop.md); then it is started anew."""

    def __init__(self):
        self.process = None

    def start(self):
        self.log = open(OUT / "runtime.log", "w+")
        self.process = subprocess.Popen(
            inside(["Interop/peers/run-runtime.sh", str(PORT)]), stdout=self.log, stderr=subprocess.STDOUT,
            cwd=ROOT, start_new_session=True)
        for _ in range(600):
            if "ready:" in Path(OUT / "runtime.log").read_text():
                return
            time.sleep(0.1)
        raise SystemExit("the runtime does not start: see " + str(OUT / "runtime.log"))

    def has_aborted(self):
        return "pthread_join" in Path(OUT / "runtime.log").read_text()

    def stop(self):
        if self.process:
            try:
                os.killpg(self.process.pid, signal.SIGTERM)
                self.process.wait(10)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                os.killpg(self.process.pid, signal.SIGKILL)


def inside(command):
    os.environ.setdefault("PEER_NETNS", "reactor-compare")
    return [NETNS, *command] if os.geteuid() == 0 else command


def measure(runtime, command, task):
    for _ in range(4):
        done = subprocess.run(inside([*command, URL, *task]), cwd=ROOT, capture_output=True, text=True, timeout=120)
        # A client that notices nothing of the abort counts no frames: that run says nothing either.
        if done.returncode == 0 and not runtime.has_aborted():
            time.sleep(1)  # the runtime closes the session
            return json.loads(done.stdout.strip().splitlines()[-1])
        if not runtime.has_aborted():
            raise SystemExit(f"{command[0]} {task}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        runtime.stop()
        runtime.start()
    raise SystemExit("the runtime aborted four times in a row")


def main():
    program, connects, wanted = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    OUT.mkdir(parents=True, exist_ok=True)
    clients = {
        "ours": [program],
        "official": [str(PEERS / "client/bin/python"), "Benchmarks/compare/official.py"],
    }
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    runtime = Runtime()
    runtime.start()
    figures = open(OUT / "figures.jsonl", "w")
    print("| what | ours | official | ratio | goal |\n|---|---|---|---|---|")
    try:
        for title, task, repetitions, names in TASKS:
            if wanted and task[0] not in wanted:
                continue
            found = {client: [] for client in clients}
            for turn in range(repetitions or connects + 1):
                for client, command in clients.items():
                    result = measure(runtime, command, task)
                    figures.write(json.dumps({"client": client, "task": task, "turn": turn, **result}) + "\n")
                    figures.flush()
                    if turn > 0 or repetitions:  # the first connect warms the machine's caches
                        found[client].append(result)
            for key, name, goal in names:
                ours, official = (statistics.median(r[key] for r in found[c]) for c in ("ours", "official"))
                label = f"{name}, {title}" if title else name
                print(f"| {label} | {ours:.2f} | {official:.2f} | {ours / official:.2f} | {goal or ''} |", flush=True)
    finally:
        runtime.stop()


main()
