/** Tracks that are cut out of a file: exact to the sample, for players, downloads and converted streams. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { madeOnce } from '../catalog/testing/sound.ts';
import { ID, makeStream, type Media, openTestMedia } from './testing.ts';

const RATE = 44_100;
const SECONDS = 7.1;
/** Places in frames of 1/75 second, which are 588 samples each. */
const STARTS = [0, 133, 377];
const NOISE = ['-f', 'lavfi', '-i', `anoisesrc=r=${RATE}:d=${SECONDS}:seed=7:a=0.4,aformat=channel_layouts=stereo`];
const IMAGES: Readonly<Record<string, readonly string[]>> = {
  'image.flac': [...NOISE, '-c:a', 'flac'],
  'image.wv': [...NOISE, '-sample_fmt', 's16p'],
  'image.mp3': [...NOISE, '-b:a', '128k'],
};
const CODECS: Readonly<Record<string, string>> = { flac: 'flac', wv: 'wavpack', mp3: 'mp3' };

const samplesOf = (path: string): Buffer =>
  execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-f', 's16le', '-'], { maxBuffer: 2 ** 28 });

/** Opens a media world whose item is one part of the file. */
async function openImage(t: TestContext, name: string): Promise<Media & { part(at: number): void }> {
  const m = await openTestMedia(t, { name, info: { container: 'flac', streams: [] } });
  m.write(name, readFileSync(madeOnce(name, IMAGES[name] ?? [])));
  const part = (at: number): void => {
    const [start, end] = [STARTS[at] ?? 0, STARTS[at + 1]].map((frame) => frame && frame / 75);
    const duration = (end ?? SECONDS) - (start ?? 0);
    const stream = makeStream(0, 'audio', 'flac', { sampleRate: RATE, channels: 2, layout: 'stereo', bitDepth: 16 });
    Object.assign(m.file, {
      window: { start: start ?? 0, ...(end !== undefined && { end }), stream: 0, codec: CODECS[name.slice(6)] },
      info: { container: 'flac', size: 1, duration, streams: [stream], chapters: [], tags: {} },
    });
  };
  return Object.assign(m, { part });
}

test('the tracks of a file are its samples, one after the other', async (t) => {
  for (const name of Object.keys(IMAGES)) {
    const m = await openImage(t, name);
    const whole = samplesOf(join(m.folder, name));
    const parts: Buffer[] = [];
    for (const at of STARTS.keys()) {
      m.part(at);
      const reply = await m.get(`/media/${ID}`);
      assert.deepEqual([reply.status, reply.headers.get('content-type')], [200, 'audio/flac']);
      const path = join(m.base, `track-${at}.flac`);
      writeFileSync(path, Buffer.from(await reply.arrayBuffer()));
      const samples = samplesOf(path);
      const probed = execFileSync('ffprobe', ['-v', 'error', '-show_entries', 'stream=duration_ts', path]).toString();
      assert.match(
        probed,
        new RegExp(`duration_ts=${samples.length / 4}\\b`),
        `${name} ${at}: the head has its length`,
      );
      assert.equal(samples.length / 4, ((STARTS[at + 1] ?? whole.length / 4 / 588) - (STARTS[at] ?? 0)) * 588);
      parts.push(samples);
    }
    assert.ok(Buffer.concat(parts).equals(whole), `${name}: no sample is lost, added or changed`);
  }
});

test('a track has one validator as long as its file does, ranges, and a name to keep it by', async (t) => {
  const m = await openImage(t, 'image.flac');
  m.part(1);
  const whole = await m.get(`/media/${ID}`);
  const etag = whole.headers.get('etag') ?? '';
  const bytes = Buffer.from(await whole.arrayBuffer());
  const range = await m.get(`/media/${ID}`, { range: 'bytes=100-199', 'if-range': etag });
  assert.deepEqual([range.status, Buffer.from(await range.arrayBuffer())], [206, bytes.subarray(100, 200)]);
  assert.equal((await m.get(`/media/${ID}`, { 'if-none-match': etag })).status, 304);
  m.part(2);
  assert.notEqual((await m.get(`/media/${ID}`, {}, 'HEAD')).headers.get('etag'), etag);
  m.part(1);
  utimesSync(join(m.folder, 'image.flac'), 1_000, 1_000);
  assert.notEqual((await m.get(`/media/${ID}`, {}, 'HEAD')).headers.get('etag'), etag);
  const kept = await m.get(`/download/${ID}`);
  assert.match(kept.headers.get('content-disposition') ?? '', /\.flac"/);
  assert.equal((await kept.arrayBuffer()).byteLength, bytes.length);
});

test('a client that plays no FLAC has the track converted, and no more than that', async (t) => {
  const m = await openImage(t, 'image.flac');
  m.part(1);
  const ask = `/api/v1/items/${ID}/playback?containers=mp4&audioCodecs=aac&videoCodecs=h264`;
  const plan = (await (await m.get(ask)).json()) as { mode: string; duration: number; urls: { hls: string } };
  assert.equal(plan.mode, 'remux');
  assert.ok(Math.abs(plan.duration - 244 / 75) < 0.001);
  const master = await (await m.get(plan.urls.hls)).text();
  const list = /^[^#\s].*$/m.exec(master)?.[0] ?? '';
  const media = await (
    await m.get(new URL(list, `http://x${plan.urls.hls}`).pathname + new URL(list, `http://x${plan.urls.hls}`).search)
  ).text();
  const seconds = [...media.matchAll(/#EXTINF:([\d.]+)/g)].reduce((sum, [, length]) => sum + Number(length), 0);
  assert.ok(Math.abs(seconds - 244 / 75) < 0.05, `${seconds} s are listed`);
});

test('a file that cannot be decoded has no track', async (t) => {
  const m = await openImage(t, 'image.flac');
  m.write('image.flac', Buffer.alloc(50_000, 1));
  m.part(1);
  const reply = await m.get(`/media/${ID}`);
  assert.equal(reply.status, 503);
  assert.match(await reply.text(), /cannot be cut out of its file/);
});

test('the plan of a track has its loudness, and what gapless playing leaves out of the file itself', async (t) => {
  const m = await openImage(t, 'image.mp3');
  const audio = makeStream(0, 'audio', 'mp3', { sampleRate: RATE, channels: 2 });
  const gain = { track: -6.5, album: -7.1, trackPeak: 0.98 };
  const trim = { start: 576, end: 1080 };
  const tags = { artists: [], albumArtists: [], track: {}, disc: {}, genres: [], composers: [], narrators: [] };
  m.file.info = {
    ...{ container: 'mp3', size: 1, duration: SECONDS, streams: [audio], chapters: [], tags: {} },
    audio: { ...tags, isCompilation: false, ids: {}, hasLyrics: false, gain, trim },
  };
  const ask = async (query: string) =>
    (await (await m.get(`/api/v1/items/${ID}/playback?${query}`)).json()) as Record<string, unknown>;
  const direct = await ask('containers=mp3&audioCodecs=mp3');
  assert.deepEqual([direct['mode'], direct['gain'], direct['trim']], ['direct', gain, trim]);
  const converted = await ask('containers=mp4&audioCodecs=aac&videoCodecs=h264');
  assert.deepEqual([converted['mode'], converted['gain'], converted['trim']], ['remux', gain, undefined]);
});
