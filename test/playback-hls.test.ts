/**
 * HLS over real sockets, from the plan to the last segment: another player (ffmpeg) reads every picture and every
 * sample of the file, wrong names and other people's sessions get nothing, and a restart of the server is not noticed.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { promisify } from 'node:util';
import { BAD_NAMES } from '../src/playback/hls/testing.ts';
import { BROWSER, done, type PlannedStream, fakeStreaming } from './streaming.ts';
import { until } from './until.ts';

const run = promisify(execFile);
const ffmpeg = (...args: string[]) => run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args]);

/** Every address in a playlist. */
const addressesIn = (text: string): string[] =>
  [...text.matchAll(/URI="([^"]+)"|^([^#\s].*)$/gm)].map(([, uri, line]) => uri ?? line ?? '');
const get = async (path: string, headers: Record<string, string> = {}) => {
  const reply = await fetch(new URL(path, server.origin), { headers });
  return {
    status: reply.status,
    type: reply.headers.get('content-type'),
    headers: reply.headers,
    bytes: Buffer.from(await reply.arrayBuffer()),
  };
};

/** A film of 12 seconds with a keyframe each second, in several files where `parts` says so. */
async function film(
  media: string,
  name: string,
  {
    video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '10'],
    audio = ['-c:a', 'aac', '-ac', '2'],
    extension = 'mkv',
    seconds = 12,
    part = '',
  }: { video?: string[]; audio?: string[]; extension?: string; seconds?: number; part?: string } = {},
): Promise<void> {
  const folder = join(media, 'Films', `${name} (2020)`);
  await mkdir(folder, { recursive: true });
  const subtitles = join(media, `${name}${part}.srt`);
  await writeFile(subtitles, '1\n00:00:01,000 --> 00:00:02,000\nfirst\n\n2\n00:00:04,500 --> 00:00:05,500\nsecond\n');
  await ffmpeg(
    '-f',
    'lavfi',
    '-i',
    `testsrc2=s=160x90:r=10:d=${seconds}`,
    '-f',
    'lavfi',
    '-i',
    `sine=d=${seconds}`,
    '-f',
    'lavfi',
    '-i',
    `sine=f=880:d=${seconds}`,
    '-i',
    subtitles,
    '-map',
    '0',
    '-map',
    '1',
    '-map',
    '2',
    ...(extension === 'mkv' ? ['-map', '3', '-c:s', 'srt', '-metadata:s:s:0', 'language=eng'] : []),
    ...video,
    '-pix_fmt',
    'yuv420p',
    ...audio,
    '-metadata:s:a:0',
    'language=eng',
    '-metadata:s:a:1',
    'language=ger',
    join(folder, `${name} (2020)${part}.${extension}`),
  );
}

const server = fakeStreaming({
  count: 4,
  fill: async (media) => {
    await film(media, 'Matroska');
    await film(media, 'Surround', { audio: ['-c:a', 'ac3'] });
    await film(media, 'Old', { video: ['-c:v', 'mpeg4', '-g', '10'], audio: ['-c:a', 'mp2'] });
    await film(media, 'Parts', { part: ' - part 1', seconds: 7 });
    await film(media, 'Parts', { part: ' - part 2', seconds: 6 });
    for (const [part, line] of Object.entries({ 1: 'vorn', 2: 'hinten' }))
      await writeFile(
        join(media, 'Films', 'Parts (2020)', `Parts (2020) - part ${part}.de.srt`),
        `1\n00:00:01,000 --> 00:00:02,000\n${line}\n`,
      );
  },
});
const { ask, films } = server;
const plan = (title: string, query = BROWSER) => server.plan(films.get(title) ?? '', query);
afterEach(server.stopAll);

test('a Matroska file is played as HLS to its last segment, with nothing converted', async () => {
  const { mode, urls, session } = await plan('Matroska');
  assert.equal(mode, 'remux');
  const master = await get(urls.hls);
  const text = master.bytes.toString();
  assert.deepEqual([master.status, master.type], [200, 'application/vnd.apple.mpegurl']);
  assert.match(
    text,
    /#EXT-X-STREAM-INF:BANDWIDTH=\d+,AVERAGE-BANDWIDTH=\d+,CODECS="avc1\.[0-9a-f]{6},mp4a\.40\.2",RESOLUTION=160x90,FRAME-RATE=10\.000,VIDEO-RANGE=SDR,AUDIO="audio",SUBTITLES="subtitles"/,
  );
  const types = new Map<string | null, number>();
  for (const address of addressesIn(text)) {
    const playlist = await get(
      new URL(address, `${server.origin}${urls.hls}`).pathname + new URL(address, `${server.origin}${urls.hls}`).search,
    );
    assert.deepEqual([playlist.status, playlist.type], [200, 'application/vnd.apple.mpegurl'], address);
    assert.match(playlist.bytes.toString(), /#EXT-X-ENDLIST\n$/);
    for (const child of addressesIn(playlist.bytes.toString())) {
      assert.match(child, new RegExp(`\\?session=${session}&ticket=`), 'it carries session and ticket');
      const file = await get(`/hls/${films.get('Matroska')}/${child}`);
      assert.equal(file.status, 200, child);
      assert.ok(file.bytes.length > 0, child);
      types.set(file.type, (types.get(file.type) ?? 0) + 1);
    }
  }
  assert.deepEqual([...types.keys()].toSorted(), ['audio/mp4', 'text/vtt', 'video/mp4']);
});

/**
 * Plays something to its end and returns what the player complained of, and the times of the pictures that it showed.
 */
async function played(url: string): Promise<{ complaints: string[]; times: number[] }> {
  const { stdout, stderr } = await run(
    'ffmpeg',
    [
      '-nostdin',
      '-v',
      'warning',
      '-i',
      `${server.origin}${url}`,
      '-map',
      '0:v:0',
      '-map',
      '0:a',
      '-f',
      'framecrc',
      '-',
    ],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  const times = stdout
    .split('\n')
    .filter((line) => line.startsWith('0,'))
    .map((line) => Number(line.split(',')[2]));
  // This version of ffmpeg reads no WebVTT of HLS, and says so.
  const complaints = stderr.split('\n').filter((line) => line !== '' && !line.includes("Can't support the subtitle"));
  return { complaints, times };
}

/** Films by how this browser gets them. */
for (const [name, mode] of [
  ['Matroska', 'remux'],
  ['Surround', 'remux'],
  ['Old', 'transcode'],
] as const) {
  test(`ffmpeg plays the master playlist of ${name} from start to end without a complaint`, async () => {
    const planned = await plan(name);
    assert.equal(planned.mode, mode);
    const { complaints, times } = await played(planned.urls.hls);
    assert.deepEqual(complaints, []);
    assert.equal(times.length, 120);
    const { items } = (await done(ask('GET', '/playback-sessions'))) as unknown as {
      items: { id: string; way: string }[];
    };
    assert.equal(items.find(({ id }) => id === planned.session)?.way, name === 'Surround' ? 'remux-audio' : mode);
  });
}

test('a film in two parts is one film on one timeline', async () => {
  const { urls, parts } = await plan('Parts');
  assert.deepEqual(
    parts.map(({ start, duration }) => [Math.round(start), Math.round(duration)]),
    [
      [0, 7],
      [7, 6],
    ],
  );
  const { complaints, times } = await played(urls.hls);
  // It says so of every new initialisation segment, and continues.
  assert.deepEqual(
    complaints.filter((line) => !line.includes('Found duplicated MOOV Atom')),
    [],
  );
  assert.equal(times.length, 130);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
});

test('a name that is no file is 404, whatever it looks like', async () => {
  const { urls } = await plan('Matroska');
  for (const name of BAD_NAMES) {
    const reply = await get(urls.hls.replace('master.m3u8', encodeURIComponent(name)));
    assert.equal(reply.status, 404, JSON.stringify(name));
  }
  for (const name of [
    'v7.m3u8',
    'a9.m3u8',
    'sf9.m3u8',
    'v0-init2.mp4',
    'v0-999.m4s',
    'a0-999.m4s',
    'i-999.m4s',
    'ss3-999.vtt',
  ]) {
    const reply = await get(urls.hls.replace('master.m3u8', name));
    assert.equal(reply.status, 404, name);
  }
});

test('segments come whole, in ranges, and as a head', async () => {
  const { urls } = await plan('Matroska');
  const segment = urls.hls.replace('master.m3u8', 'v0-1.m4s');
  const whole = await get(segment);
  const size = whole.bytes.length;
  const part = await get(segment, { range: 'bytes=100-199' });
  assert.deepEqual(
    [part.status, part.headers.get('content-range'), part.bytes.equals(whole.bytes.subarray(100, 200))],
    [206, `bytes 100-199/${size}`, true],
  );
  const tail = await get(segment, { range: 'bytes=-10' });
  assert.deepEqual([tail.status, tail.bytes.equals(whole.bytes.subarray(-10))], [206, true]);
  assert.equal((await get(segment, { range: `bytes=${size}-` })).status, 416);
  const head = await fetch(new URL(segment, server.origin), { method: 'HEAD' });
  assert.deepEqual(
    [head.status, head.headers.get('content-length'), head.headers.get('cache-control')],
    [200, String(size), 'private, no-store'],
  );
});

test('subtitles are cut on the timeline of the film, over its parts', async () => {
  const { urls } = await plan('Parts');
  const file = async (name: string) => (await get(urls.hls.replace('master.m3u8', name))).bytes.toString();
  assert.match(
    await file('ss3.m3u8'),
    /#EXTINF:7\.\d+,\nss3-0\.vtt[^]*#EXT-X-DISCONTINUITY\n#EXTINF:6\.\d+,\nss3-1\.vtt/,
  );
  assert.match(
    await file('ss3-0.vtt'),
    /^WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00\.000\n\n[^]*00:00:01\.0\d\d --> 00:00:02\.0\d\d\nfirst\n\n[^]*second\n/,
  );
  const [, ticks] = /MPEGTS:(\d+)/.exec(await file('ss3-1.vtt')) ?? [];
  assert.ok(Math.abs(Number(ticks) / 90_000 - 7) < 0.1, `it begins at ${Number(ticks) / 90_000}`);
});

test('each part of a film has the subtitle next to it: as it is by its number, shifted in the stream', async () => {
  for (const [query, line] of [
    ['', 'vorn'],
    ['&part=1', 'vorn'],
    ['&part=2', 'hinten'],
  ] as const) {
    const { subtitles } = await plan('Parts', `${BROWSER}${query}`);
    const { url = '' } = subtitles.find(({ key }) => key === 'f0') ?? {};
    const text = (await get(url)).bytes.toString();
    assert.match(text, new RegExp(`00:00:01\\.000 --> 00:00:02\\.000\\n${line}\\n`), `part ${query}`);
  }
  const { urls } = await plan('Parts');
  const file = async (name: string) => (await get(urls.hls.replace('master.m3u8', name))).bytes.toString();
  const [first, second] = [await file('sf0-0.vtt'), await file('sf0-1.vtt')];
  assert.match(first, /MPEGTS:0,[^]*00:00:01\.000 --> 00:00:02\.000\nvorn\n/);
  assert.match(second, /00:00:01\.000 --> 00:00:02\.000\nhinten\n/);
  assert.ok(!first.includes('hinten') && !second.includes('vorn'), 'no text of the other part');
  const [, ticks] = /MPEGTS:(\d+)/.exec(second) ?? [];
  assert.ok(Math.abs(Number(ticks) / 90_000 - 7) < 0.1, `it begins at ${Number(ticks) / 90_000}`);
});

test('a plan changes the session that it names, and what the player still asks for is there', async () => {
  const first = await plan('Matroska');
  const old = await get(first.urls.hls.replace('master.m3u8', 'a0-0.m4s'));
  const names = async ({ urls }: PlannedStream) =>
    addressesIn((await get(urls.hls)).bytes.toString()).map((address) => address.split('?')[0]);
  assert.deepEqual(await names(first), ['a0.m3u8', 'a1.m3u8', 'ss3.m3u8', 'v0.m3u8', 'i.m3u8']);
  // The player is connected to a single loudspeaker now.
  const second = await plan('Matroska', `${BROWSER}&maxAudioChannels=1&session=${first.session}`);
  assert.equal(second.session, first.session);
  assert.equal(second.mode, 'remux');
  assert.deepEqual(await names(second), ['a2.m3u8', 'a3.m3u8', 'ss3.m3u8', 'v0.m3u8', 'i.m3u8']);
  assert.deepEqual((await get(first.urls.hls.replace('master.m3u8', 'a0-0.m4s'))).bytes.equals(old.bytes), true);
  assert.equal((await get(second.urls.hls.replace('master.m3u8', 'a2-0.m4s'))).status, 200);
  const back = await plan('Matroska', `${BROWSER}&audio=2&session=${first.session}`);
  assert.deepEqual(
    await names(back),
    ['a0.m3u8', 'a1.m3u8', 'ss3.m3u8', 'v0.m3u8', 'i.m3u8'],
    'a stream that it had keeps its number',
  );
  assert.match((await get(back.urls.hls)).bytes.toString(), /NAME="German[^\n]*DEFAULT=YES/);
});

test('a file that is replaced in the middle of a film is 409, and the next plan plays the new one', async () => {
  const { urls } = await plan('Surround');
  const segment = urls.hls.replace('master.m3u8', 'v0-0.m4s');
  assert.equal((await get(segment)).status, 200);
  const folder = join(server.house.media, 'Films', 'Surround (2020)');
  await film(server.house.media, 'Surround', { audio: ['-c:a', 'ac3'], seconds: 11 });
  const refused = await until('the change to be noticed', async () => {
    const reply = await get(segment);
    return reply.status === 409 ? reply.bytes.toString() : undefined;
  });
  // The sentence says whether the change came before or during the read; the file is written in place here.
  assert.equal((JSON.parse(refused) as { reason?: string }).reason, 'changed', `${folder}: ${refused}`);
  const next = await plan('Surround', `${BROWSER}&session=${urls.hls.slice(-16)}`);
  const again = await get(next.urls.hls.replace('master.m3u8', 'v0-0.m4s'));
  assert.equal(again.status, 200);
});

test('a restart of the server in the middle of a film is not noticed', async () => {
  const { urls } = await plan('Matroska');
  const [before, segment] = [await get(urls.hls), urls.hls.replace('master.m3u8', 'v0-1.m4s')];
  const first = await get(segment);
  await server.restart();
  const [after, second] = [await get(urls.hls), await get(segment)];
  assert.deepEqual([after.status, after.bytes.toString()], [200, before.bytes.toString()]);
  assert.deepEqual([second.status, second.bytes.equals(first.bytes)], [200, true]);
});
