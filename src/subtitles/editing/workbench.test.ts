/** The workbench with a real catalogue, database and files: inspecting, previewing, applying, and every refusal. */
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { test } from 'node:test';
import { workbench as endpoints } from '../../contract/subtitles/workbench.ts';
import { subtitles as library } from '../../contract/subtitles/library.ts';
import { Failure } from '../../lib/failure.ts';
import { planFaults } from '../../lib/files/calls.ts';
import { contentHash } from '../history/preserved.ts';
import { installingStore } from '../store/installing.ts';
import { base64, LINES, openFilm, refused, SIGNAL, srt, stamp } from './testing.ts';

test('with no subtitle, an uploaded one is installed under the name that players look for', async (t) => {
  const { bench, id, names, text, item } = await openFilm(t, {});
  const seen = endpoints.inspect.result.parse(await bench.inspect({ id, language: 'en' }, SIGNAL));
  assert.deepEqual(
    [seen.fingerprint, seen.source, seen.current, seen.restorable, seen.replaceable],
    ['missing', 'none', undefined, false, true],
  );
  await assert.rejects(bench.export({ id, language: 'en', format: 'srt' }, SIGNAL), refused('missing', /no subtitle/));
  await assert.rejects(
    bench.preview({ id, language: 'en', offsetMilliseconds: 1 }, SIGNAL),
    refused('conflict', /no subtitle in this language/),
  );
  await assert.rejects(
    bench.setReplaceable({ id, language: 'en', replaceable: false }),
    refused('conflict', /no subtitle/),
  );
  await assert.rejects(bench.restore({ id }, SIGNAL), refused('conflict', /nothing is preserved/));

  const data = base64(srt(LINES));
  const tried = endpoints.preview.result.parse(
    await bench.preview({ id, language: 'en', data, offsetMilliseconds: 500 }, SIGNAL),
  );
  assert.deepEqual(
    tried.comparison.map(({ kind }) => kind),
    LINES.map(() => 'unpaired-proposed'),
  );
  assert.equal(tried.proposed.cues[0]?.start, 1.5);
  assert.deepEqual(await names(), []);
  const applied = endpoints.apply.result.parse(
    await bench.apply(
      { id, language: 'en', fingerprint: 'missing', data, offsetMilliseconds: 500, role: 'sdh' },
      SIGNAL,
    ),
  );
  assert.deepEqual(await names(), ['The Lighthouse (2001).en.sdh.srt']);
  assert.equal(await text('The Lighthouse (2001).en.sdh.srt'), srt(LINES, 1500));
  assert.deepEqual(
    [applied.source, applied.role, applied.restorable, applied.originalAvailable],
    ['imported', 'sdh', false, true],
  );
  assert.equal(applied.fingerprint, contentHash(Buffer.from(srt(LINES, 1500))));
  const detail = library.item.result.parse(await item());
  assert.deepEqual(
    detail.history.map(({ act, source }) => [act, source]),
    [['applied', 'imported']],
  );
  assert.match(detail.history[0]?.detail ?? '', /uploaded\. 4 cues moved/);
  assert.equal(detail.ready, true);
  assert.equal((await bench.export({ id, language: 'en', format: 'original' }, SIGNAL)).bytes.toString(), srt(LINES));

  await assert.rejects(bench.restore({ id }, SIGNAL), refused('conflict', /nothing is preserved/));
  const back = await bench.restore({ id, to: 'previous' }, SIGNAL);
  assert.deepEqual(
    [await names(), back.installed, back.restorable, back.replaceable],
    [[], undefined, true, true],
    'there was none before',
  );
  const again = await bench.restore({ id }, SIGNAL);
  assert.deepEqual(
    [await names(), await text('The Lighthouse (2001).en.sdh.srt')],
    [['The Lighthouse (2001).en.sdh.srt'], srt(LINES, 1500)],
  );
  assert.deepEqual([again.installed?.source, again.replaceable], ['imported', false]);
  assert.deepEqual(
    library.item.result.parse(await item()).history.map(({ act }) => act),
    ['restored', 'restored', 'applied'],
  );
});

for (const [call, isGone] of [
  ['unlink', false],
  ['syncFolder', true],
] as const) {
  test(`a disk that refuses ${call} while a file is taken back: it is there, or can be brought back`, async (t) => {
    const { bench, id, names, text, own } = await openFilm(t, {});
    await bench.apply(
      { id, language: 'en', fingerprint: 'missing', data: base64(srt(LINES)), offsetMilliseconds: 500 },
      SIGNAL,
    );
    const name = 'The Lighthouse (2001).en.srt';
    let hasGone = false;
    planFaults((one) => {
      const isNow = one === call && (call === 'unlink' || hasGone);
      hasGone ||= one === 'unlink';
      return isNow ? Object.assign(new Error('broken'), { code: 'EIO' }) : undefined;
    });
    t.after(() => planFaults(null));
    await assert.rejects(bench.restore({ id, to: 'previous' }, SIGNAL), Failure);
    planFaults(null);
    assert.deepEqual([await names(), await installingStore(own.db).intents()], [isGone ? [] : [name], []]);
    // Unreferenced bytes are removed at start.
    await own.restart();
    if (isGone) await own.bench.restore({ id }, SIGNAL);
    assert.equal(await text(name), srt(LINES, 1500));
  });
}

const ASS =
  '[Script Info]\r\n; kept\r\nScriptType: v4.00+\r\n\r\n[V4+ Styles]\r\nFormat: Name, Fontname, Fontsize\r\n' +
  'Style: Sign,Arial,20\r\n\r\n[Events]\r\n' +
  'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\r\n' +
  'Comment: 0,0:00:00.00,0:00:01.00,Sign,,0,0,0,,a note\r\n' +
  'Dialogue: 0,0:00:01.00,0:00:02.50,Sign,Ann,0,0,0,,One {\\fad(100,100)}line.\r\n' +
  'Dialogue: 1,0:00:02.00,0:00:03.50,Sign,Ann,0,0,0,,{\\pos(10,20)}A sign.\r\n';

test('ASS stays ASS: a change or an edited text only changes its own lines', async (t) => {
  const { own, id, names } = await openFilm(t, { files: { 'The Lighthouse (2001).en.ass': ASS } });
  const tried = await own.bench.preview({ id, language: 'en', offsetMilliseconds: 1000 }, SIGNAL);
  assert.deepEqual(tried.comparison, [
    { kind: 'matched', current: [0], proposed: [0] },
    { kind: 'matched', current: [1], proposed: [1] },
  ]);
  await own.bench.apply({ id, language: 'en', fingerprint: await own.fingerprint(), offsetMilliseconds: 1000 }, SIGNAL);
  assert.deepEqual(await names(), ['The Lighthouse (2001).en.ass']);
  assert.equal(
    await own.text('The Lighthouse (2001).en.ass'),
    ASS.replace('0:00:01.00,0:00:02.50', '0:00:02.00,0:00:03.50').replace(
      '0:00:02.00,0:00:03.50,Sign,Ann,0,0,0,,{',
      '0:00:03.00,0:00:04.50,Sign,Ann,0,0,0,,{',
    ),
  );
  const { current } = await own.bench.inspect({ id, language: 'en' }, SIGNAL);
  const text = (current?.cues ?? [])
    .map(
      ({ start, end, text: said }, n) =>
        `${n + 1}\n${stamp(start * 1000)} --> ${stamp(end * 1000)}\n${said.replace('A sign.', 'The sign.')}\n`,
    )
    .join('\n');
  const applied = await own.bench.apply({ id, language: 'en', fingerprint: await own.fingerprint(), text }, SIGNAL);
  assert.equal(applied.current?.format, 'ass');
  const written = await own.text('The Lighthouse (2001).en.ass');
  assert.match(written, /; kept\r\n/);
  assert.match(written, /One \{\\fad\(100,100\)\}line\./);
  assert.match(written, /Dialogue: 1,0:00:03.00,0:00:04.50,Sign,Ann,0,0,0,,.*The sign\./);
});

test('a track inside the video is seen and exported; a change goes to a file, and the video stays', async (t) => {
  const { own, id, names } = await openFilm(t, { video: { texts: [{ srt: srt(LINES), language: 'eng' }] } });
  const video = own.path('The Lighthouse (2001).mkv');
  const before = await stat(video);
  const seen = await own.bench.inspect({ id, language: 'en' }, SIGNAL);
  assert.deepEqual(
    [seen.fingerprint, seen.source, seen.current?.cues.map(({ text }) => text)],
    ['missing', 'embedded', LINES],
  );
  assert.match((await own.bench.export({ id, language: 'en', format: 'vtt' }, SIGNAL)).bytes.toString(), /^WEBVTT/);
  const tried = await own.bench.preview({ id, language: 'en', offsetMilliseconds: 1000 }, SIGNAL);
  assert.deepEqual(
    tried.comparison.map(({ kind }) => kind),
    LINES.map(() => 'matched'),
  );
  const applied = await own.bench.apply(
    { id, language: 'en', fingerprint: 'missing', offsetMilliseconds: 1000 },
    SIGNAL,
  );
  assert.deepEqual([applied.source, await names()], ['edited', ['The Lighthouse (2001).en.srt']]);
  assert.equal((await stat(video)).mtimeMs, before.mtimeMs);
  const state = await own.bench.setReplaceable({ id, replaceable: false });
  assert.deepEqual([state.replaceable, state.installed?.source], [false, 'edited']);
  assert.equal((await own.bench.setReplaceable({ id, language: 'en', replaceable: true })).replaceable, true);
});

test('pictures are reported, and stay when a text is installed', async (t) => {
  const { own, id, names } = await openFilm(t, { files: { 'The Lighthouse (2001).en.sup': 'PG' } });
  const seen = await own.bench.inspect({ id, language: 'en' }, SIGNAL);
  assert.deepEqual([seen.fingerprint, seen.current], ['missing', undefined]);
  assert.match(seen.warnings[0] ?? '', /made of pictures/);
  await assert.rejects(
    own.bench.preview({ id, language: 'en', offsetMilliseconds: 1 }, SIGNAL),
    refused('conflict', /create a draft from it first/),
  );
  await own.bench.apply({ id, language: 'en', fingerprint: 'missing', data: base64(srt(LINES)) }, SIGNAL);
  assert.deepEqual(await names(), ['The Lighthouse (2001).en.srt', 'The Lighthouse (2001).en.sup']);
});

test('another character set is chosen: other text, nothing paired, and UTF-8 once it is applied', async (t) => {
  const cyrillic = Buffer.from([
    ...Buffer.from('1\n00:00:01,000 --> 00:00:02,000\n'),
    0xcf,
    0xf0,
    0xe8,
    0xe2,
    0xe5,
    0xf2,
    0x0a,
  ]);
  const { own, id } = await openFilm(t, { files: { 'The Lighthouse (2001).en.srt': cyrillic } });
  const tried = await own.bench.preview({ id, language: 'en', encoding: 'koi8-r' }, SIGNAL);
  assert.deepEqual(
    tried.comparison.map(({ kind }) => kind),
    ['unpaired-current', 'unpaired-proposed'],
  );
  const uncertain = (warnings: readonly string[]) => warnings.filter((one) => one.includes('character set'));
  const guessed = await own.bench.inspect({ id, language: 'en' }, SIGNAL);
  assert.match(uncertain(guessed.warnings).join(), /not certain.* Another one can be chosen/);
  const automatic = await own.bench.preview({ id, language: 'en', encoding: 'auto' }, SIGNAL);
  assert.equal(uncertain(automatic.warnings).length, 1, 'auto is no choice');
  const chosen = await own.bench.preview({ id, language: 'en', encoding: 'windows-1251' }, SIGNAL);
  assert.deepEqual(uncertain(chosen.warnings), [], 'a choice is no guess');
  await own.bench.apply({ id, language: 'en', fingerprint: await own.fingerprint(), encoding: 'windows-1251' }, SIGNAL);
  assert.match(await own.text('The Lighthouse (2001).en.srt'), /Привет/);
  await own.bench.restore({ id }, SIGNAL);
  assert.deepEqual(await readFile(own.path('The Lighthouse (2001).en.srt')), cyrillic);
});

test('aligned with a track inside the video, whatever its language', async (t) => {
  const many = Array.from({ length: 24 }, (_, n) => `This is what is said at place ${n}.`);
  const { own, id } = await openFilm(t, {
    video: { seconds: 100, texts: [{ srt: irregular(many, 0), language: 'ger' }] },
  });
  const asked = { id, language: 'en', data: base64(irregular(many, 3200)), automaticSync: true } as const;
  const tried = endpoints.preview.result.parse(await own.bench.preview(asked, SIGNAL));
  assert.equal(tried.alignment?.reference, 'embedded');
  if (tried.alignment?.outcome === 'refused') assert.fail(`refused: ${tried.alignment.reason}`);
  const applied = await own.bench.apply({ ...asked, fingerprint: 'missing' }, SIGNAL);
  const first = applied.current?.cues[0]?.start ?? 0;
  assert.ok(Math.abs(first - 1) <= 0.1, `${first}`);
});

/** Lines of different lengths and gaps, so that only one offset fits. */
function irregular(lines: readonly string[], by: number): string {
  let at = 1000;
  return lines
    .map((line, n) => {
      const start = at + by;
      const end = start + 900 + ((n * 733) % 1700);
      at = end - by + 350 + ((n * 977) % 2300);
      return `${n + 1}\n${stamp(start)} --> ${stamp(end)}\n${line}\n`;
    })
    .join('\n');
}

/** A picture whose name ends like a subtitle. */
const PICTURE = Buffer.from([
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 1, 0, 2, 3,
]);

test('every refusal happens before anything is written', async (t) => {
  const { own, id, names } = await openFilm(t, {
    files: { 'The Lighthouse (2001).en.srt': srt(LINES), 'The Lighthouse (2001).fr.srt': PICTURE },
  });
  const fingerprint = await own.fingerprint();
  const { bench } = own;
  const other = 'f'.repeat(64);
  const apply = (more: object) =>
    bench.apply({ id, language: 'en', fingerprint, ...more } as Parameters<typeof bench.apply>[0], SIGNAL);
  await assert.rejects(bench.inspect({ id: '0'.repeat(16), language: 'en' }, SIGNAL), refused('missing', /no such/));
  await assert.rejects(
    bench.preview({ id, language: 'en', fingerprint: other, offsetMilliseconds: 1 }, SIGNAL),
    refused('conflict', /changed in the meantime/),
  );
  await assert.rejects(
    apply({ fingerprint: other, offsetMilliseconds: 1 }),
    refused('conflict', /changed in the meantime/),
  );
  await assert.rejects(
    apply({ fingerprint: 'missing', offsetMilliseconds: 1 }),
    refused('conflict', /changed in the meantime/),
  );
  await assert.rejects(apply({}), refused('conflict', /has no effect/));
  await assert.rejects(apply({ offsetMilliseconds: 0, encoding: 'utf-8' }), refused('conflict', /has no effect/));
  await assert.rejects(apply({ data: base64('these are no subtitles') }), refused('invalid', /not a subtitle/));
  await assert.rejects(apply({ text: '' }), refused('invalid', /./));
  await assert.rejects(apply({ data: base64('\0\0\0') }), refused('invalid', /./));
  await assert.rejects(bench.inspect({ id, language: 'fr' }, SIGNAL), refused('conflict', /cannot be read/));
  await assert.rejects(bench.restore({ id }, SIGNAL), refused('conflict', /nothing is preserved/));
  assert.equal(await own.text('The Lighthouse (2001).en.srt'), srt(LINES));
  assert.deepEqual(await own.preservedFiles(), []);
  assert.deepEqual(await installingStore(own.db).filesOf([id]), []);
  // A file that cannot be read can be replaced by one that can.
  const french = await bench.preview({ id, language: 'fr', data: base64(srt(LINES)) }, SIGNAL);
  assert.match(french.warnings[0] ?? '', /cannot be read/);
  await bench.apply({ id, language: 'fr', fingerprint: french.fingerprint, data: base64(srt(LINES)) }, SIGNAL);
  assert.deepEqual(await names(), ['The Lighthouse (2001).en.srt', 'The Lighthouse (2001).fr.srt']);
  await bench.restore({ id, language: 'fr' }, SIGNAL);
  assert.deepEqual(await readFile(own.path('The Lighthouse (2001).fr.srt')), PICTURE);
});

test('another subtitle is imported over one that cannot be read, which comes back by restoring', async (t) => {
  const files: Record<string, string | Buffer> = {
    de: Buffer.from('<tt><body><div><p begin="1s" end="2s">a</div>'),
    fr: PICTURE,
    nl: `${srt(LINES)}${' '.repeat(5 * 1024 * 1024)}`,
  };
  const causes: Record<string, string> = { de: 'subtitle-malformed', fr: 'format-unknown', nl: 'subtitle-over-limit' };
  const nameOf = (language: string) => `The Lighthouse (2001).${language}.${language === 'de' ? 'ttml' : 'srt'}`;
  const { own, id, names } = await openFilm(t, {
    files: Object.fromEntries(Object.entries(files).map(([language, bytes]) => [nameOf(language), bytes])),
  });
  for (const [language, bytes] of Object.entries(files)) {
    const { bench } = own;
    await assert.rejects(bench.inspect({ id, language }, SIGNAL), refused('conflict', /cannot be read/), language);
    const seen = endpoints.inspect.result.parse(await bench.inspect({ id, language, unreadable: 'allow' }, SIGNAL));
    assert.deepEqual(
      [seen.unreadable, seen.current, seen.fingerprint],
      [true, undefined, contentHash(Buffer.from(bytes))],
    );
    assert.match(seen.warnings[0] ?? '', /^The current subtitle cannot be read: .*\.$/);
    const [first] = seen.warningReasons;
    assert.equal(first?.reason === 'unreadable' && first.values.why, causes[language]);
    const data = base64(srt(LINES));
    const after = await bench.apply({ id, language, fingerprint: seen.fingerprint, data }, SIGNAL);
    assert.deepEqual([after.unreadable, after.current?.cues.length, after.restorable], [undefined, LINES.length, true]);
    assert.equal(await own.text(`The Lighthouse (2001).${language}.srt`), srt(LINES));
    await bench.restore({ id, language }, SIGNAL);
    assert.deepEqual(await readFile(own.path(nameOf(language))), Buffer.from(bytes));
  }
  assert.deepEqual(await names(), Object.keys(files).map(nameOf), 'nothing else is left');
  const readable = await own.bench.inspect({ id, language: 'en', unreadable: 'allow' }, SIGNAL);
  assert.deepEqual([readable.unreadable, readable.fingerprint], [undefined, 'missing']);
});

test('a change that cannot be shown is not reported as not made', async (t) => {
  const name = 'The Lighthouse (2001).en.srt';
  const { own, id } = await openFilm(t, { files: { [name]: srt(LINES) } });
  const fingerprint = await own.fingerprint();
  const { subject, sidecarsChanged } = own.catalog;
  own.catalog.sidecarsChanged = async (...ids) => {
    await sidecarsChanged(...ids);
    const brokenOff = new Failure('unavailable', 'the work on this subtitle broke off', { reason: 'helper-failed' });
    own.catalog.subject = () => Promise.reject(brokenOff);
  };
  t.after(() => Object.assign(own.catalog, { subject, sidecarsChanged }));
  await assert.rejects(
    own.bench.apply({ id, language: 'en', fingerprint, offsetMilliseconds: 1000 }, SIGNAL),
    refused('unavailable', /^the subtitle was changed, but it cannot be shown now$/),
  );
  assert.equal(await own.text(name), srt(LINES, 2000));
});

test('two at once: the second fails, and the file is whole', async (t) => {
  const { own, id } = await openFilm(t, { files: { 'The Lighthouse (2001).en.srt': srt(LINES) } });
  const fingerprint = await own.fingerprint();
  const both = await Promise.allSettled(
    [1000, 2000].map((offsetMilliseconds) =>
      own.bench.apply({ id, language: 'en', fingerprint, offsetMilliseconds }, SIGNAL),
    ),
  );
  assert.deepEqual(
    both.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  assert.match(String((both[1] as PromiseRejectedResult).reason), /being changed by another request/);
  assert.equal(await own.text('The Lighthouse (2001).en.srt'), srt(LINES, 2000));
});
