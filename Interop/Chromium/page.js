"use strict";
// One end of a WebRTC connection. The driver calls these functions; `tell` is its ear.

let connection;
const channels = new Map();
const receivers = { video: null, audio: null };
const frames = { count: 0, width: 0, height: 0 };
let context;
let analyser;

const say = (type, fields = {}) => tell(JSON.stringify({ type, ...fields }));

function start(configuration = {}) {
  connection = new RTCPeerConnection(configuration);
  connection.onicecandidate = ({ candidate }) =>
    say("candidate", {
      candidate: candidate?.candidate ?? "",
      mid: candidate?.sdpMid ?? "0",
      index: candidate?.sdpMLineIndex ?? 0,
    });
  connection.onconnectionstatechange = () => say("state", { state: connection.connectionState });
  connection.oniceconnectionstatechange = () => say("ice", { state: connection.iceConnectionState });
  connection.ontrack = ({ track, transceiver }) => attach(track, transceiver);
  connection.ondatachannel = ({ channel }) => adopt(channel);
}

// ------------------------------------------------------------------ what is sent

// A flat colour with a bar that moves through its upper quarter.
function canvasTrack(colour, rate = 30) {
  const canvas = document.createElement("canvas");
  canvas.width = 640;
  canvas.height = 360;
  const pen = canvas.getContext("2d");
  let step = 0;
  const draw = () => {
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 640, 360);
    pen.fillStyle = "white";
    pen.fillRect((step++ * 7) % 600, 10, 40, 60);
  };
  draw();
  setInterval(draw, 1000 / rate);
  return canvas.captureStream(rate).getVideoTracks()[0];
}

function soundContext() {
  context ??= new AudioContext({ sampleRate: 48000 });
  return context;
}

function toneTrack(hertz) {
  const sound = soundContext();
  const oscillator = new OscillatorNode(sound, { frequency: hertz });
  const volume = new GainNode(sound, { gain: 0.3 });
  const out = new MediaStreamAudioDestinationNode(sound, { channelCount: 1 });
  oscillator.connect(volume).connect(out);
  oscillator.start();
  return out.stream.getAudioTracks()[0];
}

// wanted: [{kind, direction, colour, hertz}]
function addTransceivers(wanted) {
  for (const { kind, direction, colour, hertz } of wanted) {
    const sends = direction.startsWith("send");
    const track = !sends ? kind : kind === "video" ? canvasTrack(colour) : toneTrack(hertz);
    connection.addTransceiver(track, { direction });
  }
}

// Gives tracks to the sections that the other side is ready to receive.
function fillTransceivers({ colour, hertz }) {
  for (const transceiver of connection.getTransceivers()) {
    const { kind } = transceiver.receiver.track;
    if (transceiver.sender.track || transceiver.mid === null) continue;
    if (!receives(transceiver.mid)) continue;
    transceiver.sender.replaceTrack(kind === "video" ? canvasTrack(colour) : toneTrack(hertz));
    transceiver.direction = "sendonly";
  }
}

// Whether the other side's description has the section `mid` receive.
function receives(mid) {
  const sections = connection.remoteDescription.sdp.split(/^m=/m).slice(1);
  const section = sections.find((text) => text.includes(`a=mid:${mid}\r\n`));
  return /^a=(recvonly|sendrecv)\r$/m.test(section ?? "");
}

// Only this codec, with its retransmissions.
function preferVideoCodec(name) {
  for (const transceiver of connection.getTransceivers()) {
    if (transceiver.receiver.track.kind !== "video") continue;
    const known = RTCRtpReceiver.getCapabilities("video").codecs;
    transceiver.setCodecPreferences(
      known.filter(({ mimeType }) => mimeType === `video/${name}` || mimeType === "video/rtx"),
    );
  }
}

function setDirection(mid, direction) {
  connection.getTransceivers().find((transceiver) => transceiver.mid === mid).direction = direction;
}

// ------------------------------------------------------------------ descriptions

async function offer(options = {}) {
  const description = await connection.createOffer(options);
  await connection.setLocalDescription(description);
  return description.sdp;
}

async function setOffer(sdp) {
  await connection.setRemoteDescription({ type: "offer", sdp });
}

async function answer() {
  const description = await connection.createAnswer();
  await connection.setLocalDescription(description);
  return description.sdp;
}

async function setAnswer(sdp) {
  await connection.setRemoteDescription({ type: "answer", sdp });
}

function restartICE() {
  connection.restartIce();
}

async function addCandidate(candidate, mid, index) {
  await connection.addIceCandidate(candidate ? { candidate, sdpMid: mid, sdpMLineIndex: index } : undefined);
}

// ------------------------------------------------------------------ what is received

function attach(track, transceiver) {
  say("track", { kind: track.kind, mid: transceiver.mid });
  // A section that is turned on again has the track that it had.
  if (receivers[track.kind] === transceiver.receiver) return;
  receivers[track.kind] = transceiver.receiver;
  const element = document.getElementById(track.kind);
  element.srcObject = new MediaStream([track]);
  element.play().catch((error) => console.log(`play: ${error}`));
  if (track.kind === "video") {
    const count = (_, { width, height }) => {
      frames.count += 1;
      frames.width = width;
      frames.height = height;
      element.requestVideoFrameCallback(count);
    };
    element.requestVideoFrameCallback(count);
  } else {
    const sound = soundContext();
    analyser = new AnalyserNode(sound, { fftSize: 16384, smoothingTimeConstant: 0 });
    new MediaStreamAudioSourceNode(sound, { mediaStream: new MediaStream([track]) }).connect(analyser);
  }
}

// The newest picture's size, the pictures shown so far, and the mean colour around a place in it (0 to 1).
function look(x, y) {
  const video = document.getElementById("video");
  const canvas = new OffscreenCanvas(video.videoWidth || 1, video.videoHeight || 1);
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.drawImage(video, 0, 0);
  const { data } = pen.getImageData(Math.floor(canvas.width * x) - 4, Math.floor(canvas.height * y) - 4, 8, 8);
  const colour = [0, 1, 2].map((part) => {
    let sum = 0;
    for (let at = part; at < data.length; at += 4) sum += data[at];
    return Math.round(sum / 64);
  });
  return { ...frames, colour };
}

// The loudest frequency of the last third of a second, in Hz, and the largest sample.
function listen() {
  const sound = soundContext();
  const levels = new Float32Array(analyser.frequencyBinCount);
  analyser.getFloatFrequencyData(levels);
  let peak = 1;
  for (let bin = 1; bin < levels.length - 1; bin++) if (levels[bin] > levels[peak]) peak = bin;
  const [before, at, after] = [levels[peak - 1], levels[peak], levels[peak + 1]];
  const shift = (before - after) / (2 * (before - 2 * at + after)) || 0;
  const samples = new Float32Array(analyser.fftSize);
  analyser.getFloatTimeDomainData(samples);
  const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return { hertz: ((peak + shift) * sound.sampleRate) / analyser.fftSize, loudest, clock: sound.state };
}

// Asks for a keyframe as a decoder would that has lost its way.
async function requestKeyframe() {
  const code = `onrtctransform = async ({ transformer }) => {
    transformer.readable.pipeTo(transformer.writable);
    onmessage = () => transformer.sendKeyFrameRequest().then(() => postMessage("sent"), (e) => postMessage(String(e)));
    postMessage("ready");
  }`;
  const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
  const next = () => new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
  const ready = next();
  receivers.video.transform = new RTCRtpScriptTransform(worker, {});
  await ready;
  const sent = next();
  worker.postMessage("request");
  return await sent;
}

async function statistics() {
  const report = [...(await connection.getStats()).values()];
  const pick = (type, test = () => true) => report.filter((entry) => entry.type === type && test(entry));
  const byID = (id) => report.find((entry) => entry.id === id);
  const pair = byID(pick("transport")[0]?.selectedCandidatePairId);
  return {
    inbound: pick("inbound-rtp").map((entry) => ({ ...entry, codec: byID(entry.codecId)?.mimeType })),
    outbound: pick("outbound-rtp").map((entry) => ({ ...entry, codec: byID(entry.codecId)?.mimeType })),
    remoteInbound: pick("remote-inbound-rtp"),
    remoteOutbound: pick("remote-outbound-rtp"),
    transport: pick("transport")[0],
    local: byID(pair?.localCandidateId),
    remote: byID(pair?.remoteCandidateId),
  };
}

// ------------------------------------------------------------------ data

function openChannel(label, options = {}) {
  adopt(connection.createDataChannel(label, options));
}

function adopt(channel) {
  channels.set(channel.label, channel);
  channel.binaryType = "arraybuffer";
  const { label, id, ordered, negotiated, protocol, maxRetransmits, maxPacketLifeTime } = channel;
  const opened = () =>
    say("channel-open", { label, id: channel.id, ordered, negotiated, protocol, maxRetransmits, maxPacketLifeTime });
  if (channel.readyState === "open") opened();
  channel.onopen = opened;
  channel.onclose = () => say("channel-closed", { label });
  channel.onmessage = async ({ data }) => {
    const isText = typeof data === "string";
    const bytes = isText ? new TextEncoder().encode(data) : new Uint8Array(data);
    const text = isText && data.length <= 200 ? data : undefined;
    say("message", { label, isText, size: bytes.length, sha256: await sha256(bytes), text });
  };
}

async function sha256(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function sendText(label, text) {
  channels.get(label).send(text);
}

function sendBytes(label, base64) {
  channels.get(label).send(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
}

function closeChannel(label) {
  channels.get(label).close();
}

function hangUp() {
  connection.close();
}

self.isReady = true;
