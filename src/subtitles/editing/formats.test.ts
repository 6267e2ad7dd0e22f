/** Every format keeps its own name and form when it is changed in its place, and comes back as it was. */
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { SubtitleFormat } from '../../cues/formats/format.ts';
import { SUBTITLE_FORMAT_TABLE } from '../../cues/index.ts';
import { makeVideo, openWorld, openTemporaryFolder } from '../../../test/subtitles/world.ts';

const FILM = 'Harbour (1984)';
const SIGNAL = new AbortController().signal;
const VTT =
  'WEBVTT\n\nfirst\n00:01.000 --> 00:02.000 line:0\n<v Ann>Hello <i>there</i>.\n\n00:03.000 --> 00:04.000\n' +
  'Good night.\n';
const TTML =
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en"><body><div><p begin="00:00:01.000" ' +
  'end="00:00:02.000">Hello <span xmlns:tts="http://www.w3.org/ns/ttml#styling" ' +
  'tts:fontStyle="italic">there</span>.</p><p begin="00:00:03.000" end="00:00:04.000">Good ' +
  'night.</p></div></body></tt>\n';
const SAMI =
  '<SAMI><HEAD><STYLE TYPE="text/css"><!-- .ENCC {Name:English; lang:en-US;} --></STYLE></HEAD><BODY><SYNC ' +
  'Start=1000><P Class=ENCC>Hello there.<SYNC Start=2000><P Class=ENCC>&nbsp;<SYNC Start=3000><P Class=ENCC>Good ' +
  'night.<SYNC Start=4000><P Class=ENCC>&nbsp;</BODY></SAMI>\n';
const TWO = SAMI.replace(
  '.ENCC {Name:English; lang:en-US;}',
  '.ENCC {Name:English; lang:en-US;} .FRCC {Name:French; lang:fr-FR;}',
).replace('<P Class=ENCC>Hello there.', '<P Class=ENCC>Hello there.<P Class=FRCC>Bonjour.');
const DVD = '{1}{1}25.000\n{25}{50}Hello there.\n{75}{100}Good night.\n';

async function house(t: TestContext, name?: string, content = '') {
  const folder = await openTemporaryFolder(t);
  const media = join(folder, 'media', FILM);
  await makeVideo(join(media, `${FILM}.mkv`));
  if (name !== undefined) await writeFile(join(media, name), content);
  const world = await openWorld({ folder, env: { SERVICE_SUBTITLE_LANGUAGE: 'en' } });
  t.after(() => world.close());
  await world.scan();
  return {
    bench: world.subtitles.workbench,
    id: await world.idOf(FILM),
    names: async () => (await readdir(media)).filter((one) => !one.endsWith('.mkv')).sort(),
    read: (one: string) => readFile(join(media, one), 'utf8'),
  };
}

/** Files with something that only their format can say, which a change of times must keep. */
const BY_HAND: Readonly<Record<string, { content: string; kept: RegExp }>> = {
  vtt: { content: VTT, kept: /<v Ann>.*<i>there<\/i>/ },
  ttml: { content: TTML, kept: /italic/ },
  sami: { content: SAMI, kept: /<sync start/i },
  microdvd: { content: DVD, kept: /^\{1\}\{1\}25/ },
};
const fileOf = ({ id, sample: { head, tail, cue } }: SubtitleFormat) =>
  BY_HAND[id] ?? {
    content: head + cue(1000, 2000, 'Hello there.') + cue(3000, 4000, 'Good night.') + tail,
    kept: /Hello there\.[^]*Good night\./,
  };

for (const one of SUBTITLE_FORMAT_TABLE) {
  const format = one.id;
  const [extension] = one.extensions;
  const { content, kept } = fileOf(one);
  test(`${format}: changed in its place, and back`, async (t) => {
    const name = `${FILM}.en.${extension}`;
    const { bench, id, names, read } = await house(t, name, content);
    const seen = await bench.inspect({ id, language: 'en' }, SIGNAL);
    assert.deepEqual([seen.current?.format, seen.current?.cues.map(({ start }) => start)], [format, [1, 3]]);
    const changed = await bench.apply(
      { id, language: 'en', fingerprint: seen.fingerprint, offsetMilliseconds: 2000 },
      SIGNAL,
    );
    assert.deepEqual(
      [
        changed.current?.format,
        changed.current?.cues.map(({ start, text }) => [start, text.replaceAll(/<[^>]*>/g, '')]),
      ],
      [
        format,
        [
          [3, 'Hello there.'],
          [5, 'Good night.'],
        ],
      ],
    );
    assert.deepEqual(await names(), [name]);
    assert.match(await read(name), kept);
    const exported = await bench.export({ id, language: 'en', format: 'original' }, SIGNAL);
    assert.deepEqual([Buffer.from(exported.bytes).toString(), exported.filename], [content, name]);
    await bench.restore({ id }, SIGNAL);
    assert.equal(await read(name), content);
  });

  test(`${format}: imported as it is, and exported as the original`, async (t) => {
    const { bench, id, names } = await house(t);
    const data = Buffer.from(content).toString('base64');
    const applied = await bench.apply({ id, language: 'en', fingerprint: 'missing', data }, SIGNAL);
    assert.deepEqual(
      applied.current?.cues.map(({ start, text }) => [start, text.replaceAll(/<[^>]*>/g, '')]),
      [
        [1, 'Hello there.'],
        [3, 'Good night.'],
      ],
    );
    assert.deepEqual(await names(), [`${FILM}.en.srt`]);
    const exported = await bench.export({ id, language: 'en', format: 'original' }, SIGNAL);
    assert.deepEqual(
      [Buffer.from(exported.bytes).toString(), exported.filename, exported.type],
      [content, `${FILM}.en.${extension}`, one.mediaType],
    );
  });
}

test('an edited line of WebVTT leaves all others as they are, by hand and by a shift', async (t) => {
  const name = `${FILM}.en.vtt`;
  const text = VTT.replace(
    'WEBVTT\n',
    'WEBVTT - by hand\n\nNOTE about it\n\nSTYLE\n::cue(v) { background: url(paper.png) }\n',
  ).replace('Good', '<c.loud>Good</c>');
  const { bench, id, read } = await house(t, name, text);
  const seen = await bench.inspect({ id, language: 'en' }, SIGNAL);
  const edited = await bench.apply(
    {
      id,
      language: 'en',
      fingerprint: seen.fingerprint,
      text:
        '1\n00:00:01,000 --> 00:00:02,000\nHello <i>there</i>.\n\n' +
        '2\n00:00:03,000 --> 00:00:04,000\nGood morning.\n',
    },
    SIGNAL,
  );
  assert.equal(await read(name), text.replace('night', 'morning'));
  await bench.apply({ id, language: 'en', fingerprint: edited.fingerprint, offsetMilliseconds: 1000 }, SIGNAL);
  assert.equal(
    await read(name),
    text
      .replace('night', 'morning')
      .replace('00:01.000 --> 00:02.000', '00:02.000 --> 00:03.000')
      .replace('\n00:03.000 --> 00:04.000', '\n00:04.000 --> 00:05.000'),
  );
});

test('a file of several languages stays, and the changed one is a separate file', async (t) => {
  const name = `${FILM}.en.smi`;
  const { bench, id, names, read } = await house(t, name, TWO);
  const { fingerprint } = await bench.inspect({ id, language: 'en' }, SIGNAL);
  const changed = await bench.apply({ id, language: 'en', fingerprint, offsetMilliseconds: 2000 }, SIGNAL);
  assert.deepEqual(await names(), [name, `${FILM}.en.srt`]);
  assert.equal(await read(name), TWO);
  assert.deepEqual(
    changed.current?.cues.map(({ text }) => text),
    ['Hello there.', 'Good night.'],
  );
});
