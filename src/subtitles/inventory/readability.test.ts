/** Files next to videos that hold no subtitle: listed with the reason, not counted, and read again when they change. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeVideo, openTemporaryFolder, openWorld } from '../../../test/subtitles/world.ts';
import { subtitles as endpoints } from '../../contract/subtitles/library.ts';

const GOOD = '1\n00:00:01,000 --> 00:00:02,000\nWhere is the key?\n';
const PROSE = 'The subtitle was moved.\nVisit the site to download it.\n'.repeat(20);
const RANDOM = Uint8Array.from({ length: 3_000 }, (_, n) => (n * 7_919 + (n >> 3) * 104_729) & 255);
const FILES: Readonly<Record<string, [content: string | Uint8Array, unreadable: string | undefined, name?: string]>> = {
  Good: [GOOD, undefined],
  'Good but long': [`${'A comment of a tool that is no cue.\n'.repeat(2_000)}\n${GOOD}`, undefined],
  Empty: ['', 'empty'],
  Blank: [' \r\n\r\n\n', 'empty'],
  Prose: [PROSE, 'no-cues'],
  'Long prose': [PROSE.repeat(100), 'no-cues'],
  Textless: ['1\n00:00:01,000 --> 00:00:02,000\n<i></i>\n', 'no-cues'],
  Random: [RANDOM, 'not-a-subtitle'],
  'Prose as WebVTT': [PROSE, 'not-a-subtitle', '.en.vtt'],
  'Broken XML': ['<tt><body><div><p begin="1s" end="2s">a</div>', 'damaged', '.en.ttml'],
  Large: [GOOD + ' '.repeat(4 * 1024 * 1024), 'too-large'],
};

test('a file without a line does not make a language ready', async (t) => {
  const folder = await openTemporaryFolder(t);
  const path = (title: string, rest: string) => join(folder, 'media', `${title} (2001)`, `${title} (2001)${rest}`);
  for (const [title, [content, , name = '.en.srt']] of Object.entries(FILES)) {
    await makeVideo(path(title, '.mkv'));
    await writeFile(path(title, name), content);
  }
  const world = await openWorld({ folder, env: { SERVICE_SUBTITLE_LANGUAGE: 'en' } });
  t.after(() => world.close());
  await world.scan();
  const states = async () => {
    const reply = endpoints.inventory.result.parse(await world.inventory({ limit: 200 }));
    return new Map(reply.items.map((item) => [item.title, item]));
  };
  const found = await states();
  assert.equal(found.size, Object.keys(FILES).length);
  for (const [title, [, unreadable]] of Object.entries(FILES)) {
    const item = found.get(title);
    const state = item?.languages.find(({ language }) => language === 'en');
    assert.equal(state?.installed?.unreadable, unreadable, title);
    assert.deepEqual([item?.ready, item?.missing], unreadable ? [false, ['en']] : [true, []], title);
    if (unreadable) assert.match(state?.reason ?? '', /^the file /, title);
  }
  const { wanted, ready } = await world.inventory();
  assert.deepEqual([ready, wanted], [2, 9]);

  // A repaired file is read again, and one that was spoilt, too.
  await writeFile(path('Empty', '.en.srt'), GOOD);
  await writeFile(path('Good', '.en.srt'), '');
  await world.scan();
  const after = await states();
  assert.deepEqual([after.get('Empty')?.ready, after.get('Good')?.ready], [true, false]);
  // A restart reads nothing again: the results are kept with the version of the file.
  const rows = await world.inventory({ q: 'Empty' });
  assert.equal(rows.items[0]?.languages[0]?.installed?.unreadable, undefined);
});

test('a file is for the hard of hearing by its text, whatever its name says', async (t) => {
  const folder = await openTemporaryFolder(t);
  const path = (title: string, rest: string) => join(folder, 'media', `${title} (2001)`, `${title} (2001)${rest}`);
  const lines = (text: (n: number) => string) =>
    Array.from(
      { length: 20 },
      (_, n) => `${n + 1}\n00:00:${String(n * 2 + 10)},000 --> 00:00:${String(n * 2 + 11)},000\n${text(n)}\n`,
    ).join('\n');
  for (const [title, sound] of [
    ['Sounds', '[DOOR CREAKS]'],
    ['Plain', 'And then?'],
  ] as const) {
    await makeVideo(path(title, '.mkv'));
    await writeFile(
      path(title, '.en.srt'),
      lines((n) => (n % 3 === 0 ? sound : `This is line ${n}.`)),
    );
  }
  const wanted = '[{"language":"en","kind":"sdh"}]';
  const world = await openWorld({
    folder,
    env: { SERVICE_SUBTITLE_LANGUAGE: 'en', SERVICE_SUBTITLES_WANTED: wanted },
  });
  t.after(() => world.close());
  await world.scan();
  const { items } = endpoints.inventory.result.parse(await world.inventory());
  assert.deepEqual(
    items.map(({ title, lacks, languages }) => [title, lacks, languages[0]?.role, languages[0]?.evidence[0]?.kind]),
    [
      ['Plain', [{ language: 'en', role: 'sdh' }], 'normal', undefined],
      ['Sounds', [], 'normal', 'hearing-impaired'],
    ],
  );
});
