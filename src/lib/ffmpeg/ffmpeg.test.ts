/** Real files come out as they should, and hostile ones open nothing. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createProcesses, ProcessFailure } from '../process.ts';
import type { Processes } from '../process.ts';
import { quietLog } from '../process/testing.ts';
import { createFfmpeg, probeOf, refusedDecoder } from './index.ts';
import type { Ffmpeg } from './index.ts';

let base = '';
let processes: Processes;
let ffmpeg: Ffmpeg;
let film = '';

const make = async (...args: string[]): Promise<void> => {
  await processes.run({
    program: 'ffmpeg',
    args: ['-nostdin', '-v', 'error', '-y', ...args],
    timeoutMs: 60_000,
    reads: [base],
    writes: [base],
  });
};
const srt = (lines: string[]): string =>
  lines.map((line, i) => `${i + 1}\n00:00:0${i},500 --> 00:00:0${i},900\n${line}\n`).join('\n');

before(async () => {
  base = mkdtempSync(join(tmpdir(), 'ffmpeg-'));
  processes = await createProcesses({ log: quietLog, temporary: join(base, 'tmp') });
  ffmpeg = createFfmpeg({ processes });
  mkdirSync(join(base, 'media'));
  film = join(base, 'media', "A film: it's, 100% [x]; -odd.mkv");
  writeFileSync(join(base, 'en.srt'), srt(['one', '<i>two</i>', 'three']));
  writeFileSync(join(base, 'de.srt'), srt(['eins', 'zwei', 'drei']));
  await make(
    '-f',
    'lavfi',
    '-i',
    'testsrc=size=320x180:rate=10:duration=4',
    '-f',
    'lavfi',
    '-i',
    'sine=duration=4',
    '-i',
    join(base, 'en.srt'),
    '-i',
    join(base, 'de.srt'),
    '-map',
    '0',
    '-map',
    '1',
    '-map',
    '2',
    '-map',
    '3',
    '-c:v',
    'mpeg4',
    '-c:a',
    'flac',
    '-c:s:0',
    'srt',
    '-c:s:1',
    'ass',
    '-metadata:s:s:0',
    'language=eng',
    film,
  );
});
after(async () => {
  await processes.close();
  rmSync(base, { recursive: true, force: true });
});

test('text of a file whose clock begins anywhere counts from its beginning, not from its first cue', async () => {
  const late = join(base, 'late.mkv');
  const cues = join(base, 'late.srt');
  writeFileSync(cues, '1\n00:00:02,000 --> 00:00:03,000\nLate.\n');
  await make(
    '-f',
    'lavfi',
    '-i',
    'color=s=64x36:r=5:d=4',
    '-i',
    cues,
    '-map',
    '0',
    '-map',
    '1',
    '-c:v',
    'mpeg4',
    '-c:s',
    'srt',
    '-output_ts_offset',
    '100',
    late,
  );
  const told = async (isFromZero: boolean): Promise<string> => {
    const { tracks, done } = await ffmpeg.extractText({
      media: late,
      tracks: [{ stream: 1, format: 'srt', codec: 'subrip' }],
      isFromZero,
    });
    let text = '';
    for await (const part of tracks[0] ?? []) text += String(part);
    await done;
    return /(\S+) -->/.exec(text)?.[1] ?? '';
  };
  assert.deepEqual([await told(false), await told(true)], ['00:01:42,000', '00:00:02,000']);
});

test('a real file is probed', async () => {
  const { format, streams } = await ffmpeg.probe(film);
  assert.equal(format.format_name, 'matroska,webm');
  assert.deepEqual(
    streams.map((stream) => [stream.codec_type, stream.codec_name]),
    [
      ['video', 'mpeg4'],
      ['audio', 'flac'],
      ['subtitle', 'subrip'],
      ['subtitle', 'ass'],
    ],
  );
  assert.equal(streams[2]?.tags?.['language'], 'eng');
});

const textOf = async (stream: NodeJS.ReadableStream): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
};

test('all text tracks come in one pass, copied where they may be', async () => {
  const { tracks, done } = await ffmpeg.extractText({
    media: film,
    tracks: [
      { stream: 2, format: 'srt', codec: 'subrip' },
      { stream: 3, format: 'webvtt', codec: 'ass' },
      { stream: 3, format: 'ass', codec: 'ass' },
    ],
  });
  const [one = '', two = '', three = ''] = await Promise.all(tracks.map(textOf));
  await done;
  assert.equal(one.trim(), readFileSync(join(base, 'en.srt'), 'utf8').trim());
  assert.match(two, /^WEBVTT\n\n00:00\.500 --> 00:00\.900\neins\n/);
  assert.match(three, /^\[Script Info\][^]*Dialogue: .*drei/);
});

test('a medium is named by an absolute path', async () => {
  for (const path of ['a.mkv', '-i', 'http://x/', '']) await assert.rejects(ffmpeg.probe(path), TypeError);
});

test('a picture, and none after the end', async () => {
  const jpeg = await ffmpeg.extractFrame({ media: film, at: 1, width: 160 });
  assert.deepEqual([...jpeg.subarray(0, 3)], [0xff, 0xd8, 0xff]);
  const png = await ffmpeg.extractFrame({ media: film, at: 1, width: 5000, format: 'png' });
  assert.equal(png.readUInt32BE(16), 320, 'never enlarged');
  await assert.rejects(ffmpeg.extractFrame({ media: film, at: 100, width: 160 }), ProcessFailure);
});

test('sound comes as samples', async () => {
  const { samples, rate, done } = await ffmpeg.extractAudio({ media: film, stream: 1, from: 1, length: 2 });
  let length = 0;
  for await (const chunk of samples) length += (chunk as Buffer).length;
  await done;
  assert.ok(Math.abs(length / 2 / rate - 2) < 0.1, `${length} bytes`);
});

test('an extraction ends when its reader leaves', async () => {
  const { samples, done } = await ffmpeg.extractAudio({ media: film });
  samples.destroy();
  await assert.rejects(done, (error) => error instanceof ProcessFailure && error.fault === 'aborted');
});

test('a playlist or script that poses as a film opens nothing', async () => {
  const secret = join(base, 'media', 'secret.ts');
  await make('-f', 'lavfi', '-i', 'sine=duration=1', '-c:a', 'aac', '-f', 'mpegts', secret);
  const hostile: Record<string, string> = {
    'hls.mkv': `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:${secret}\n#EXT-X-ENDLIST\n`,
    'concat.mkv': `ffconcat version 1.0\nfile '${secret}'\n`,
    'dash.mp4':
      '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" ' +
      'mediaPresentationDuration="PT1S"><Period><AdaptationSet mimeType="video/mp2t"><Representation id="1" ' +
      `bandwidth="1"><BaseURL>file:${secret}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
    'sdp.mp4':
      'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 9 RTP/AVP 96\na=rtpmap:96 H264/90000\n',
    'meta.mkv': ';FFMETADATA1\ntitle=x\n',
  };
  for (const [name, text] of Object.entries(hostile)) {
    const path = join(base, 'media', name);
    writeFileSync(path, text);
    await assert.rejects(
      ffmpeg.probe(path),
      (error) => error instanceof ProcessFailure && error.fault === 'exit',
      name,
    );
    await assert.rejects(
      ffmpeg.extractAudio({ media: path }).then(async ({ samples, done }) => {
        samples.resume();
        await done;
      }),
      ProcessFailure,
      name,
    );
  }
  // Planted: without the guards the same playlist is followed, so the refusals above are theirs.
  const bare = [
    '-v',
    'error',
    '-allowed_extensions',
    'ALL',
    '-show_format',
    '-print_format',
    'json',
    '-i',
    `file:${join(base, 'media', 'hls.mkv')}`,
  ];
  const { stdout } = await processes.run({
    program: 'ffprobe',
    args: bare,
    timeoutMs: 20_000,
    reads: [join(base, 'media')],
  });
  assert.match(stdout.toString(), /"format_name": "hls"/);
});

test('a decoder that is not on the list is refused by name', async () => {
  const path = join(base, 'media', 'odd.avi');
  await make('-f', 'lavfi', '-i', 'testsrc=size=160x90:rate=10:duration=1', '-c:v', 'zmbv', path);
  await assert.rejects(ffmpeg.probe(path), (error) => refusedDecoder(error) === 'zmbv');
  assert.equal(refusedDecoder(new Error('x')), null);
});

test('a reply that makes no sense is a failure, not a crash', () => {
  for (const text of ['', '[]', 'null', '{}', '{"format":{}}', '{"format":{"format_name":"x"},"streams":3}'])
    assert.throws(() => probeOf(text), ProcessFailure);
});

test('the capabilities of the installed ffmpeg are read', async () => {
  const { ffmpeg: version, ffprobe, encoders, decoders } = await ffmpeg.capabilities();
  assert.ok(version !== null && ffprobe !== null && encoders.includes('aac') && decoders.includes('h264'));
});
