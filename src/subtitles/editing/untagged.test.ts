/** Subtitles without a language, under `und`: tracks inside the video, and files while no language is configured. */
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeVideo, openTemporaryFolder, openWorld } from '../../../test/subtitles/world.ts';
import { until } from '../../../test/until.ts';
import { workbench as endpoints } from '../../contract/subtitles/workbench.ts';
import type { InventoryTrack } from '../store/rows.ts';
import { pickTrack } from './current-subtitle.ts';
import { LINES, SIGNAL, srt, stamp } from './testing.ts';

const FILM = 'Film (2001)/Film (2001)';

/** Lines of different lengths and gaps, so that only one offset fits. */
const irregular = (by: number): string => {
  let at = 1_000;
  return Array.from({ length: 60 }, (_, n) => {
    const start = at + by;
    const end = start + 900 + ((n * 733) % 1_700);
    at = end - by + 350 + ((n * 977) % 2_300);
    return `${n + 1}\n${stamp(start)} --> ${stamp(end)}\nThis is what is said at place ${n}.\n`;
  }).join('\n');
};

for (const [configured, env] of [
  ['no language', {}],
  ['English', { SERVICE_SUBTITLE_LANGUAGE: 'en' }],
] as const) {
  test(`a track without a language, with ${configured} configured`, async (t) => {
    const folder = await openTemporaryFolder(t);
    await makeVideo(join(folder, 'media', `${FILM}.mkv`), { seconds: 30, texts: [{ srt: srt(LINES) }] });
    const world = await openWorld({ folder, env });
    t.after(() => world.close());
    await world.scan();
    const id = await world.idOf('Film');
    const { workbench } = world.subtitles;
    const asked = { id, language: 'und' };
    const { languages } = await world.subtitles.item(id);
    assert.deepEqual(
      languages.filter(({ installed }) => installed).map(({ language }) => language),
      ['und'],
    );
    const inspected = endpoints.inspect.result.parse(await workbench.inspect(asked, SIGNAL));
    assert.deepEqual(
      [inspected.language, inspected.source, inspected.current?.cues.map(({ text }) => text)],
      ['und', 'embedded', LINES],
    );
    assert.ok(inspected.warnings.includes('The track names no language.'), inspected.warnings.join());
    const exported = await workbench.export({ ...asked, format: 'srt' }, SIGNAL);
    assert.match(Buffer.from(exported.bytes).toString(), /Where is the key/);
    const tried = await workbench.preview({ ...asked, offsetMilliseconds: 500 }, SIGNAL);
    assert.equal(tried.proposed.cues[0]?.start, 1.5);
    const { fingerprint } = inspected;
    const applied = await workbench.apply({ ...asked, fingerprint, offsetMilliseconds: 500 }, SIGNAL);
    assert.deepEqual([applied.language, applied.source, applied.current?.cues[0]?.start], ['und', 'edited', 1.5]);
    const names = (await readdir(join(folder, 'media/Film (2001)'))).sort();
    assert.deepEqual(names, ['Film (2001).mkv', 'Film (2001).und.srt']);
    assert.equal(
      (await workbench.inspect(asked, SIGNAL)).current?.cues[0]?.start,
      1.5,
      'the edit is what is there now',
    );
    await workbench.restore({ ...asked, to: 'previous' }, SIGNAL);
    assert.equal((await workbench.inspect(asked, SIGNAL)).source, 'embedded', 'and it can be undone');
  });
}

test('a file without a language, with none configured', async (t) => {
  const folder = await openTemporaryFolder(t);
  const path = join(folder, 'media', `${FILM}.srt`);
  await makeVideo(join(folder, 'media', `${FILM}.mkv`), {
    seconds: 260,
    texts: [{ srt: irregular(0), language: 'ger' }],
  });
  await writeFile(path, irregular(3_400));
  const world = await openWorld({ folder });
  t.after(() => world.close());
  await world.scan();
  const id = await world.idOf('Film');
  const { workbench, drafts } = world.subtitles;
  const asked = { id, language: 'und' };
  const inspected = await workbench.inspect(asked, SIGNAL);
  assert.deepEqual([inspected.language, inspected.source, inspected.current?.cues[0]?.start], ['und', 'sidecar', 4.4]);
  assert.ok(inspected.warnings.includes('The file name has no language.'), inspected.warnings.join());
  assert.equal(
    (await workbench.export({ ...asked, format: 'original' }, SIGNAL)).bytes.byteLength,
    irregular(3_400).length,
  );
  await drafts.start({ ...asked, method: 'alignment' });
  const draft = await until('the end of the draft', async () => {
    const now = await drafts.read(asked);
    return now.state === 'running' ? undefined : now;
  });
  assert.deepEqual([draft.state, draft.alignment?.outcome], ['ready', 'moved']);
  const { fingerprint } = inspected;
  const applied = await workbench.apply({ ...asked, fingerprint, draftId: draft.draftId ?? '' }, SIGNAL);
  assert.ok(Math.abs((applied.current?.cues[0]?.start ?? 0) - 1) <= 0.1);
  assert.match(await readFile(path, 'utf8'), /place 0/);
  assert.deepEqual((await readdir(join(folder, 'media/Film (2001)'))).sort(), ['Film (2001).mkv', 'Film (2001).srt']);
});

test('und means a track without a language, and never a file that counts for the configured one', () => {
  const inside: InventoryTrack = { source: 'embedded', role: 'normal', format: 'subrip', stream: 2 };
  const named = (relative: string, more: Partial<InventoryTrack> = {}): InventoryTrack => ({
    source: 'sidecar',
    role: 'normal',
    format: 'srt',
    relative,
    ...more,
  });
  const plain = named('Film.srt');
  const unknown = named('Film.und.srt', { language: 'und' });
  const english = named('Film.en.srt', { language: 'en' });
  for (const [tracks, language, first, expected] of [
    [[inside, plain], 'und', 'en', inside],
    [[inside, plain], 'en', 'en', plain],
    [[inside, plain], 'und', undefined, plain],
    [[inside], 'und', undefined, inside],
    [[inside], 'en', 'en', undefined],
    [[inside, unknown], 'und', 'en', unknown],
    [[unknown], 'en', 'en', unknown],
    [[unknown, english], 'en', 'en', english],
    [[unknown], 'de', 'en', undefined],
    [
      [named('Film.en.srt', { language: 'en', unreadable: 'empty' }), { ...inside, language: 'en' }],
      'en',
      'en',
      { ...inside, language: 'en' },
    ],
  ] as const)
    assert.deepEqual(pickTrack(tracks, { language }, first), expected, `${language} with ${first} of ${tracks.length}`);
});
