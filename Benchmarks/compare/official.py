"""The official client's half of the comparison (Benchmarks/compare/run): does one task with a running runtime and
prints its figures as one line of JSON. Client/CompareClient.swift does the same tasks in the same way.

    official.py URL connect | receive WIDTHxHEIGHT SECONDS | push WIDTHxHEIGHT SECONDS | calls WIDTHxHEIGHT SECONDS |
        commands
"""

import asyncio
import json
import os
import resource
import sys
import time

import numpy as np
from reactor_sdk import Reactor, time_micros


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def resident_mb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def median(values):
    values = sorted(values)
    return values[len(values) // 2] if values else None


async def connect(reactor, arguments):
    first = asyncio.Event()
    loop = asyncio.get_running_loop()
    times = []

    def on_frame(data, width, height, number, stamp, tag):
        if not times:
            times.append(time.monotonic())
            loop.call_soon_threadsafe(first.set)

    reactor.track("main_video").on_raw_frame(on_frame)
    begin = time.monotonic()
    await reactor.connect()
    ready = time.monotonic()
    await asyncio.wait_for(first.wait(), 20)
    return {"ready_ms": (ready - begin) * 1e3, "first_frame_ms": (times[0] - begin) * 1e3}


async def receive(reactor, arguments):
    width, height = (int(part) for part in arguments[0].split("x"))
    frames, ages = 0, []
    counting = False

    def on_frame(data, w, h, number, stamp, tag):
        nonlocal frames
        if counting and w == width and h == height:
            frames += 1
            ages.append((time_micros() - stamp) / 1e3)

    reactor.track("main_video").on_raw_frame(on_frame)
    await reactor.connect()
    await reactor.send_command("set_resolution", {"width": width, "height": height})
    await asyncio.sleep(3)
    counting = True
    before, begin = cpu_seconds(), time.monotonic()
    await asyncio.sleep(float(arguments[1]))
    counting = False
    used, elapsed = cpu_seconds() - before, time.monotonic() - begin
    return {
        "frames_per_s": frames / elapsed,
        "cpu_ms_per_frame": used * 1e3 / max(1, frames),
        "emit_to_handler_ms": median(ages),
        "rss_mb": resident_mb(),
    }


def moving_pictures(width, height):
    picture = np.zeros((height, width, 4), np.uint8)
    picture[:, :, 0] = np.arange(width, dtype=np.uint32) & 255
    picture[:, :, 1] = (np.arange(height, dtype=np.uint32) & 255)[:, None]
    picture[:, :, 3] = 255
    return [np.ascontiguousarray(np.roll(picture, step * 16, axis=1)) for step in range(8)]


async def push(reactor, arguments):
    width, height = (int(part) for part in arguments[0].split("x"))
    pushed, echoes = {}, []

    def on_frame(data, w, h, number, stamp, tag):
        at = time.monotonic()
        if tag:
            begin = pushed.pop(bytes(tag), None)
            if begin is not None:
                echoes.append((at - begin) * 1e3)

    reactor.track("main_video").on_raw_frame(on_frame)
    await reactor.connect()
    camera = await reactor.track("camera").publish()
    pictures = moving_pictures(width, height)
    begin = time.monotonic()
    count = int(float(arguments[1]) * 30)
    for number in range(count):
        tag = b"n%d" % number
        at = time.monotonic()
        pushed[tag] = at
        camera.push_frame(pictures[number % 8], user_data=tag)
        await asyncio.sleep(max(0, begin + (number + 1) / 30 - time.monotonic()))
    await asyncio.sleep(1)
    half = len(echoes) // 2
    return {"echo_ms": median(echoes[half:]), "echoed": len(echoes) / count}


async def calls(reactor, arguments):
    width, height = (int(part) for part in arguments[0].split("x"))
    await reactor.connect()
    camera = await reactor.track("camera").publish()
    pictures = moving_pictures(width, height)
    times = []
    for number in range(int(float(arguments[1]) * 10)):
        at = time.monotonic()
        camera.push_frame(pictures[number % 8])
        times.append((time.monotonic() - at) * 1e3)
        await asyncio.sleep(0.1)
    return {"push_call_ms": median(times)}


async def commands(reactor, arguments):
    await reactor.connect()
    small, large = [], []
    for number in range(220):
        begin = time.monotonic()
        await reactor.send_command("set_prompt", {"prompt": f"prompt {number}"})
        if number >= 20:
            small.append((time.monotonic() - begin) * 1e3)
    text = "0123456789" * 100_000
    for number in range(11):
        begin = time.monotonic()
        reply = await reactor.send_command("echo", {"text": text})
        if number >= 1:
            large.append((time.monotonic() - begin) * 1e3)
        assert reply["data"]["text"] == text
    return {"command_ms": median(small), "echo_1mb_ms": median(large)}


async def main():
    url, task, *arguments = sys.argv[1:]
    reactor = Reactor("peer", local=True, api_url=url)
    tasks = {"connect": connect, "receive": receive, "push": push, "calls": calls, "commands": commands}
    result = await tasks[task](reactor, arguments)
    await reactor.disconnect()
    reactor.close()
    print(json.dumps(result))


asyncio.run(main())
