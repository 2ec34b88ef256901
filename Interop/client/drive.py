"""Drives our local runtime (interop-serve) with the official client (reactor-sdk 1.13).

    drive.py http://127.0.0.1:PORT

Prints one line a step, "ok" or "FAIL". Exits 1 if a step failed.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "peers"))

from drive_client import Drive, describe, expect, is_green  # noqa: E402
from reactor_sdk import ReactorError, time_micros  # noqa: E402

RATE = 48_000


def tone_of(samples: np.ndarray) -> float:
    spectrum = np.abs(np.fft.rfft(samples.astype(float)))
    return float(np.argmax(spectrum) * RATE / len(samples))


async def main() -> None:
    d = Drive(sys.argv[1], None)
    r = d.reactor

    async def refused(code: str, name: str, arguments: dict) -> dict:
        try:
            reply = await r.send_command(name, arguments)
        except ReactorError as error:
            expect(error.code == code, f"refused with {error.code}, not {code}")
            return describe(error)
        raise AssertionError(f"not refused, but answered {reply!r}")

    async def frames_after(moment: float, count: int) -> float:
        for _ in range(500):
            if sum(1 for frame in d.video if frame[0] > moment) >= count:
                return round(time.monotonic() - moment, 3)
            await asyncio.sleep(0.02)
        raise AssertionError("the frames do not come")

    async def connect():
        await r.connect()
        names = [t.name for t in r.tracks]
        expect(set(names) == {"main_video", "main_audio", "camera", "mic"}, f"tracks {names}")
        return {"status": r.status, "tracks": names}

    async def prompt():
        reply = await r.send_command("set_prompt", {"prompt": "a red fox, größer 🦊"})
        expect(reply["type"] == "prompt_accepted", f"{reply}")
        expect(reply["data"]["prompt"] == "a red fox, größer 🦊", f"{reply}")
        return reply

    async def receive():
        began = len(d.video)
        await asyncio.sleep(3)
        count = len(d.video) - began
        expect(count > 45, f"{count} frames in 3 s")
        expect(d.audio_samples > 100_000, f"{d.audio_samples} samples")
        tone = tone_of(d.audio_tail[-24_000:])
        expect(abs(tone - 440) < 9, f"the tone has {tone} Hz")
        tags = [frame[4].decode() for frame in d.video]
        expect(all(tag.startswith('{"index":') for tag in tags), f"tags {tags[-3:]}")
        expect(np.abs(d.video[-1][1].astype(int) - d.video[-10][1]).mean() > 1, "the picture stands still")
        return {"frames": count, "tone_hz": tone, "last_tag": tags[-1], "shape": d.video[-1][1].shape}

    async def large():
        text = "0123456789" * 100_000
        reply = await r.send_command("echo", {"text": text})
        expect(reply["data"]["text"] == text, "the text came back changed")
        return {"characters": len(text)}

    async def upload():
        data = bytes(range(256)) * 4000
        reference = await r.upload_file(data, name="picture.png", mime_type="image/png")
        reply = await r.send_command("set_image", {"image": reference, "strength": 0.25})
        expect(reply["data"]["size"] == len(data), f"{reply}")
        return reply

    async def pause_and_resume():
        track = r.track("main_video")
        await track.pause()
        await asyncio.sleep(0.5)
        before = d.video[-1][0]
        await asyncio.sleep(1)
        expect(d.video[-1][0] == before, "frames came while paused")
        began = time.monotonic()
        await track.resume()
        return {"five_frames_s": await frames_after(began, 5)}

    async def reconnect():
        await r.reconnect()
        ready = time.monotonic()
        five = await frames_after(ready, 5)
        reply = await r.send_command("set_prompt", {"prompt": "again"})
        expect(reply["type"] == "prompt_accepted", f"{reply}")
        return {"five_frames_s": five}

    async def camera():
        track = await r.track("camera").publish()
        frame = np.zeros((360, 640, 3), np.uint8)
        for number in range(75):
            frame[:] = (40, 60, 120)
            frame[100:200, number * 5 : number * 5 + 60] = (230, 180, 20)
            track.push_frame(frame, user_data=b"seq=%d" % number, capture_time_us=time_micros())
            await asyncio.sleep(1 / 30)
        await asyncio.sleep(0.5)
        echoes = [seen for seen in d.video if is_green(seen[1])]
        tags = {seen[4] for seen in echoes if seen[4].startswith(b"seq=")}
        expect(len(echoes) > 20, f"{len(echoes)} pictures came back")
        expect(len(tags) > 20, f"{len(tags)} tags came back")
        plain = echoes[-1][1][20:60, 20:60].reshape(-1, 3).mean(axis=0)
        expect(np.abs(plain - (40, 60, 120)).max() < 16, f"the colour came back as {plain}")
        return {"pushed": 75, "echoed": len(echoes), "tags": len(tags)}

    async def mic():
        track = await r.track("mic").publish()
        tone = (np.sin(2 * np.pi * 1000 * np.arange(480 * 200) / RATE) * 9000).astype(np.int16)
        for block in range(200):
            track.push_frame(tone[block * 480 : (block + 1) * 480], sample_rate=RATE)
            await asyncio.sleep(0.0099)
        heard = d.audio_tail[-24_000:].astype(float)
        reply = await r.send_command("get_stats", {})
        samples = reply["data"]["mic_samples"]
        expect(samples > 60_000, f"the model heard {samples} samples")
        return {"heard_hz": tone_of(heard), "model": reply["data"]}

    async def stats():
        await r.get_stats()
        await asyncio.sleep(1)
        figures = await r.get_stats()
        expect(figures.packets_received > 0, f"{figures}")
        return {"packets_received": figures.packets_received, "packets_lost": figures.packets_lost}

    async def disconnect():
        await r.disconnect()
        return {"status": r.status}

    steps = [
        ("connect", connect),
        ("set_prompt", prompt),
        ("receive video and audio", receive),
        ("unknown command", lambda: refused("invalid_command", "no_such_command", {})),
        ("invalid argument", lambda: refused("invalid_command", "set_prompt", {"prompt": 7})),
        ("command that fails", lambda: refused("echo_failed", "fail", {"reason": "because"})),
        ("command of 1 MB both ways", large),
        ("upload", upload),
        ("pause and resume", pause_and_resume),
        ("reconnect while frames flow", reconnect),
        ("camera", camera),
        ("mic", mic),
        ("stats", stats),
        ("disconnect", disconnect),
    ]
    done = 0
    for name, action in steps:
        await d.step(name, action)
        done += 1
        if name == "connect" and d.failed:
            break
    r.close()
    print(f"{done - d.failed} passed, {d.failed} failed")
    sys.exit(1 if d.failed else 0)


if __name__ == "__main__":
    asyncio.run(main())
