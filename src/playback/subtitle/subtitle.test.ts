/** Subtitles over the road: sidecars and embedded tracks, in each form, early, shared, cancelled and kept. */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { until } from '../../../test/until.ts';
import { localReader } from '../../subtitles/worker/reader.ts';
import { ID, openTestMedia, type Media, makeSidecar, makeStream } from '../testing.ts';

const VIDEO = makeStream(0, 'video', 'mpeg4', { frameRate: 25 });
const srt = (...lines: string[]): string =>
  lines.map((line, i) => `${i + 1}\n00:00:0${i},500 --> 00:00:0${i},900\n${line}\n`).join('\n');
const url = (query: string) => `/subtitle/${ID}?${query}`;
/** Time to wait for a program that must not end. */

test('sidecars come as they are, as WebVTT and as ASS, whatever they are written in', async (t) => {
  const m = await openTestMedia(t, { info: { streams: [VIDEO] } });
  m.write('Film.mkv', 'x');
  m.write('Film.en.srt', srt('one <i>two</i> <script>alert(1)</script>'));
  m.write(
    'Film.ru.srt',
    Buffer.from([
      ...srt('')
        .split('')
        .map((c) => c.charCodeAt(0)),
      ...'1\n00:00:00,500 --> 00:00:01,900\n'.split('').map((c) => c.charCodeAt(0)),
      ...Array.from({ length: 40 }, (_, i) => [
        0xcf,
        0xf0,
        0xe8,
        0xe2,
        0xe5,
        0xf2,
        0x20,
        0xec,
        0xe8,
        0xf0,
        i % 8 === 7 ? 0x0a : 0x20,
      ]).flat(),
    ]),
  );
  m.write('Film.sub', '{0}{25}one second|of it\n');
  m.write(
    'Film.ass',
    '[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\n' +
      'Style: Default,Arial,20\n\n[Events]\n' +
      'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n' +
      'Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\i1}leaning{\\i0}\n',
  );
  m.write('Film.sup', Buffer.from('PG pictures'));
  m.write('Film.de.srt', Buffer.alloc(100));
  m.write('Film.fr.srt.hidden', srt('hidden'));
  m.sidecars = [
    makeSidecar('Film.fr.srt.hidden', { language: 'fr', isHidden: true, format: 'srt' }),
    makeSidecar('Film.en.srt', { language: 'en' }),
    makeSidecar('Film.ru.srt', { language: 'ru' }),
    makeSidecar('Film.sub', { language: 'nl' }),
    makeSidecar('Film.ass', { language: 'ja' }),
    makeSidecar('Film.sup', { language: 'it' }),
    makeSidecar('Film.de.srt', { language: 'de' }),
  ];
  const english = await m.get(url('track=f0'));
  const text = await english.text();
  assert.deepEqual(
    [english.status, english.headers.get('content-type'), english.headers.get('cache-control')],
    [200, 'text/vtt; charset=utf-8', 'private, no-cache'],
  );
  assert.match(text, /^WEBVTT\n/);
  assert.match(text, /00:00:00\.500 --> 00:00:00\.900\none <i>two<\/i>/);
  assert.doesNotMatch(text, /<script/, 'nothing that a browser could run');
  assert.equal((await m.get(url('track=f0'), { 'if-none-match': english.headers.get('etag') ?? '' })).status, 304);
  assert.match(await (await m.get(url('language=ru'))).text(), /Привет мир/, 'its character set is found');
  assert.match(
    await (await m.get(url('language=nl'))).text(),
    /00:00:00\.000 --> 00:00:01\.000\none second\nof it/,
    'frames are counted by the rate of the video',
  );
  assert.match(await (await m.get(url('language=ja'))).text(), /<i>leaning<\/i>/);
  assert.match(
    await (await m.get(url('language=ja&format=ass'))).text(),
    /Dialogue: 0,0:00:01\.00,0:00:02\.00,Default,,0,0,0,,\{\\i1\}leaning\{\\i0\}/,
  );
  assert.match(await (await m.get(url('track=f0&format=ass'))).text(), /\[Events\][^]*\{\\i1\}two/);
  const original = await m.get(url('language=ru&format=original'));
  assert.deepEqual(Buffer.from(await original.arrayBuffer()), readFileSync(join(m.folder, 'Film.ru.srt')));
  assert.equal((await m.get(url('language=ru&format=original'), { range: 'bytes=0-1' })).status, 206);

  const pictures = await m.get(url('language=it'));
  assert.deepEqual(
    [pictures.status, await pictures.json()],
    [
      409,
      {
        error: 'this subtitle is made of pictures and cannot be turned into text here',
        reason: 'subtitle-is-pictures',
      },
    ],
  );
  assert.equal(await (await m.get(url('language=it&format=original'))).text(), 'PG pictures');
  const nonsense = await m.get(url('language=de'));
  assert.deepEqual(
    [nonsense.status, await nonsense.json()],
    [409, { error: 'the subtitle is not text', reason: 'subtitle-unreadable' }],
  );
  assert.equal((await m.get(url('language=fr'))).status, 404, 'hidden ones are not served');
  assert.equal((await m.get(url('track=f6'))).status, 404);
  assert.equal((await m.get(url('track=s0'))).status, 404, 'a video is no subtitle');
  assert.equal((await m.get(`/subtitle/${ID}`)).status, 400);
  for (const query of ['track=x1', 'track=f0&format=exe', 'language=!', 'track=f0&track=f1'])
    assert.equal((await m.get(url(query))).status, 400, query);
});

test('players that ask for the same subtitle at once wait for one conversion', async (t) => {
  const begun: string[] = [];
  const m = await openTestMedia(t, {
    info: { streams: [VIDEO] },
    needs: { convert: (given, signal) => (begun.push(given.to), localReader.convert(given, signal)) },
  });
  m.write('Film.mkv', 'x');
  m.write('Film.en.srt', srt('one', 'two'));
  m.sidecars = [makeSidecar('Film.en.srt', { language: 'en' })];
  const all = await Promise.all(
    ['vtt', 'vtt', 'ass', 'vtt'].map(async (format) => (await m.get(url(`track=f0&format=${format}`))).text()),
  );
  assert.deepEqual(begun.toSorted(), ['ass', 'vtt']);
  assert.equal(new Set(all).size, 2);
});

test('a sidecar that changes is converted again, and one too large is refused', async (t) => {
  const m = await openTestMedia(t, { info: { streams: [VIDEO] } });
  m.write('Film.mkv', 'x');
  m.write('Film.en.srt', srt('before'));
  m.sidecars = [makeSidecar('Film.en.srt', { language: 'en' })];
  const first = await m.get(url('language=en'));
  assert.match(await first.text(), /before/);
  m.write('Film.en.srt', srt('and after'));
  const second = await m.get(url('language=en'));
  assert.match(await second.text(), /and after/);
  assert.notEqual(first.headers.get('etag'), second.headers.get('etag'));
  m.write('Film.en.srt', 'x'.repeat(4 * 1024 * 1024 + 1));
  assert.deepEqual(
    [(await m.get(url('language=en'))).status, (await m.get(url('language=en&format=original'))).status],
    [409, 200],
  );
});

async function film(t: TestContext): Promise<Media> {
  const m = await openTestMedia(t, {
    info: {
      streams: [
        VIDEO,
        makeStream(1, 'subtitle', 'subrip', { language: 'eng' }),
        makeStream(2, 'subtitle', 'ass', { language: 'ger' }),
        makeStream(3, 'subtitle', 'hdmv_pgs_subtitle', { language: 'fre' }),
      ],
    },
  });
  m.write('en.srt', srt('one', '<i>two</i>', 'three'));
  m.write('de.srt', srt('eins', '<i>zwei</i>', 'drei'));
  const at = (name: string) => join(m.folder, name);
  await m.processes.run({
    program: 'ffmpeg',
    args: [
      '-nostdin',
      '-v',
      'error',
      '-y',
      '-f',
      'lavfi',
      '-i',
      'testsrc=size=64x36:rate=5:duration=4',
      '-i',
      at('en.srt'),
      '-i',
      at('de.srt'),
      '-map',
      '0',
      '-map',
      '1',
      '-map',
      '2',
      '-c:v',
      'mpeg4',
      '-c:s:0',
      'srt',
      '-c:s:1',
      'ass',
      at('Film.mkv'),
    ],
    timeoutMs: 60_000,
    reads: [m.folder],
    writes: [m.folder],
  });
  return m;
}

test('embedded tracks come out in one pass for all, and are kept', async (t) => {
  const m = await film(t);
  const early = await m.get(url('track=s1'));
  const text = await early.text();
  assert.deepEqual(
    [early.status, early.headers.get('content-type'), early.headers.get('etag'), early.headers.get('cache-control')],
    [200, 'text/vtt; charset=utf-8', null, 'no-store'],
  );
  assert.match(text, /^WEBVTT\n[^]*00:00:00\.500 --> 00:00:00\.900\none\n[^]*<i>two<\/i>[^]*three/);
  assert.equal(m.passes(), 1);
  // The first reply may end a moment before the last track is written down.
  await until(
    'the track to be kept',
    async () => (await m.get(url('track=s1'), {}, 'HEAD')).headers.get('etag') !== null,
  );
  const kept = await m.get(url('track=s1'));
  assert.match(await kept.text(), /^WEBVTT\n[^]*one\n[^]*<i>two<\/i>/);
  assert.equal((await m.get(url('track=s1'), { 'if-none-match': kept.headers.get('etag') ?? '' })).status, 304);

  assert.match(await (await m.get(url('language=de'))).text(), /eins[^]*<i>zwei<\/i>[^]*drei/);
  assert.match(await (await m.get(url('language=de&format=ass'))).text(), /\[Script Info\][^]*Dialogue: .*eins/);
  assert.match(await (await m.get(url('language=de&format=original'))).text(), /\[Script Info\][^]*\{\\i1\}zwei/);
  const original = await m.get(url('language=en&format=original'));
  assert.deepEqual(
    [original.headers.get('content-type'), (await original.text()).trim()],
    ['application/x-subrip; charset=utf-8', readFileSync(join(m.folder, 'en.srt'), 'utf8').trim()],
  );
  assert.equal(m.passes(), 1, 'the file was read once');

  for (const format of ['vtt', 'ass']) assert.equal((await m.get(url(`track=s3&format=${format}`))).status, 409);
  assert.equal((await m.get(url('track=s1&format=sup'))).status, 409, 'text is not pictures');
  assert.equal((await m.get(url('track=s9'))).status, 404);
});

test('those who come at the same time share one pass, whichever track they want', async (t) => {
  const m = await film(t);
  const replies = await Promise.all(
    ['track=s1', 'track=s2', 'track=s1&format=original', 'track=s2&format=ass', 'language=de', 'language=en'].map(
      async (query) => (await m.get(url(query))).text(),
    ),
  );
  for (const [i, word] of ['one', 'eins', 'one', 'eins', 'eins', 'one'].entries())
    assert.match(replies[i] ?? '', new RegExp(`${word}[^]*(three|drei)`));
  assert.equal(m.passes(), 1);
});

test('a changed film is read again', async (t) => {
  const m = await film(t);
  await (await m.get(url('track=s1&format=original'))).text();
  const at = join(m.folder, 'Film.mkv');
  writeFileSync(at, Buffer.concat([readFileSync(at), Buffer.alloc(1)]));
  await (await m.get(url('track=s1&format=original'))).text();
  assert.equal(m.passes(), 2);
});

test('HEAD reads nothing out of a film', async (t) => {
  const m = await film(t);
  assert.equal((await m.get(url('track=s1'), {}, 'HEAD')).status, 200);
  assert.equal(m.passes(), 0);
});

/** A stand-in that says two cues, then nothing until it is ended. In the process list it is known by its seconds. */
const SECONDS = String(1_000_000 + process.pid);
const SLOW = `#!/bin/sh
printf '1\\n00:00:01,000 --> 00:00:02,000\\nfirst\\n\\n2\\n00:00:03,000 --> 00:00:04,000\\nsecond\\n\\n'
exec /bin/sleep ${SECONDS}
`;
async function slow(
  t: TestContext,
  script = SLOW,
): Promise<Media & { isRunning: () => boolean; program: (ending: string) => string }> {
  const folder = mkdtempSync(join(tmpdir(), 'programs-'));
  const m = await openTestMedia(t, {
    info: { streams: [VIDEO, makeStream(1, 'subtitle', 'subrip', { language: 'eng' })] },
    path: folder,
  });
  writeFileSync(join(folder, 'ffmpeg'), script);
  chmodSync(join(folder, 'ffmpeg'), 0o755);
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  m.write('Film.mkv', 'x');
  return Object.assign(m, {
    program: (ending: string) => join(folder, `ffmpeg${ending}`),
    isRunning: () => m.processes.stats().running > 0 || isSleeping(),
  });
}
/** Whether the stand-in is among the processes of the system. */
const isSleeping = (): boolean =>
  readdirSync('/proc').some((name) => /^\d+$/.test(name) && commandOf(name).includes(SECONDS));
const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};
const kept = (m: Media): string[] => {
  try {
    return readdirSync(join(m.base, 'cache', 'subtitles'));
  } catch {
    return [];
  }
};

test('the first cue comes while the rest is read, and leaving ends the reading', { timeout: 200_000 }, async (t) => {
  const m = await slow(t);
  const gone = new AbortController();
  const reply = await fetch(`http://127.0.0.1:${m.road.port}${url('track=s1')}`, {
    headers: { authorization: 'Bearer owner' },
    signal: gone.signal,
  });
  const reader = reply.body?.getReader();
  let text = '';
  while (!text.includes('first')) {
    const { value, done } = (await reader?.read()) ?? assert.fail('no body');
    assert.ok(!done, `it ended before the first cue: ${text}`);
    text += new TextDecoder().decode(value);
  }
  assert.match(text, /^WEBVTT\n/);
  await until('the reading to begin', isSleeping);
  assert.equal(m.isRunning(), true, 'it is being read at this moment');
  gone.abort();
  await until('the end of a reading that nobody waits for', () => !m.isRunning());
  assert.deepEqual(kept(m), [], 'what was cut is not kept');
});

test('one who leaves does not take it from another, the last one does', { timeout: 200_000 }, async (t) => {
  const m = await slow(t);
  const open = async () => {
    const gone = new AbortController();
    const reply = await fetch(`http://127.0.0.1:${m.road.port}${url('track=s1')}`, {
      headers: { authorization: 'Bearer owner' },
      signal: gone.signal,
    });
    const reader = reply.body?.getReader();
    await reader?.read();
    return { gone, reader };
  };
  const [one, two] = await Promise.all([open(), open()]);
  assert.equal(m.passes(), 1);
  one.gone.abort();
  await assert.rejects(async () => one.reader?.read());
  // A third one joins after the first has left: the pass is the same, so it was not ended.
  const three = await open();
  assert.deepEqual([m.passes(), m.isRunning()], [1, true]);
  two.gone.abort();
  three.gone.abort();
  await until('the end of a reading that nobody waits for', () => !m.isRunning());
});

test('a revocation ends the reading too', { timeout: 200_000 }, async (t) => {
  const m = await slow(t);
  const reply = await m.get(url('track=s1'));
  await reply.body?.getReader().read();
  await until('the reading to begin', isSleeping);
  m.road.tokens.delete('owner');
  m.road.http.review();
  await until('the end of a reading that nobody waits for', () => !m.isRunning());
  assert.deepEqual(kept(m), []);
});

test('a pass that fails says so, and keeps nothing', { timeout: 200_000 }, async (t) => {
  const m = await slow(t, '#!/bin/sh\nexit 3\n');
  const reply = await m.get(url('track=s1'));
  assert.deepEqual(
    [reply.status, await reply.json()],
    [503, { error: 'the subtitle could not be read out of its file', reason: 'subtitle-unavailable' }],
  );
  const late = await slow(
    t,
    `#!/bin/sh\nprintf '1\\n00:00:01,000 --> 00:00:02,000\\nfirst\\n\\n2\\n00:00:03,000 --> ` +
      `00:00:04,000\\nsecond\\n\\n'\nwhile [ ! -e "$0.go" ]; do /bin/sleep 0.01; done\nexit 3\n`,
  );
  // It fails once the reply has begun.
  const cut = await late.get(url('track=s1'));
  writeFileSync(late.program('.go'), '');
  await assert.rejects(cut.text(), 'half a subtitle is not taken for all');
  assert.equal((await late.get(url('track=s1&format=original'))).status, 503);
  assert.deepEqual(kept(late), []);
});

test('without ffmpeg it says what is missing', async (t) => {
  const m = await openTestMedia(t, {
    info: { streams: [VIDEO, makeStream(1, 'subtitle', 'subrip', { language: 'eng' })] },
    path: '/nonexistent-folder',
  });
  m.write('Film.mkv', 'x');
  const reply = await m.get(url('track=s1'));
  assert.deepEqual(
    [reply.status, await reply.json()],
    [503, { error: 'embedded subtitles need ffmpeg, which is not installed', reason: 'program-missing' }],
  );
});
