/**
 * The index follows the catalogue on both database engines: what the main database supplies to it, its changes, the
 * items that are gone, and who may see an item. `test/dialogue.test.ts` shows the rest through the whole server.
 */
import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import { flac } from '../catalog/testing/sound.ts';
import { grow, makeNfo, openWorld, type World, worldMigrations } from '../catalog/testing/world.ts';
import { OWNER_POLICY, type Policy } from '../contract/identity/profiles.ts';
import type { Principal } from '../contract/kernel/principal.ts';
import { openTemporaryDatabase, openTemporaryPostgres } from '../lib/db/testing.ts';
import { quietLog } from '../lib/process/testing.ts';
import { createDialogueIndex } from './index-threads.ts';
import { runTask } from '../lib/tasks/testing.ts';
import { createDialogueIndexing } from './indexing.ts';
import { createDialogueSearch } from './search.ts';
import { builtHelper } from '../../test/built-helpers.ts';

const srt = (text: string): string => `1\n00:00:03,500 --> 00:00:04,500\n${text}\n`;
const film = (name: string, mpaa: string, text: string): Record<string, string | true> => ({
  [`${name}/${name}.mp4`]: true,
  [`${name}/${name}.en.srt`]: srt(text),
  [`${name}/movie.nfo`]: makeNfo('movie', { title: name.slice(0, -7), year: Number(name.slice(-5, -1)), mpaa }),
});
const CHILD: Policy = { ...OWNER_POLICY, rating: 12, unrated: true };
const SIGNAL = new AbortController().signal;

function openDialogue(t: TestContext, world: World) {
  const folder = `${world.folder}/dialogue`;
  const index = createDialogueIndex({
    folder,
    helperModule: builtHelper,
    log: quietLog,
    rebuilt: () => assert.fail('the index is damaged'),
  });
  t.after(index.close);
  let opened: Promise<void> | undefined;
  const common = { index, isOn: () => true, open: () => (opened ??= index.open()) };
  const indexing = createDialogueIndexing({
    ...common,
    catalog: world.catalog.background,
    ffmpeg: { extractText: () => assert.fail('no video has embedded subtitles') },
    log: quietLog,
    isPlaying: () => false,
  });
  const search = createDialogueSearch({ ...common, catalog: world.catalog, pending: indexing.pending });
  return {
    index,
    isDue: indexing.isDue,
    run: () => runTask(indexing.task, {}, { signal: SIGNAL }),
    find: (q: string, { policy = OWNER_POLICY, ...query }: { policy?: Policy } & Record<string, unknown> = {}) =>
      search(
        { profile: 'p1', role: 'viewer', policy } as Principal,
        { q, source: 'subtitles', limit: 9, ...query },
        SIGNAL,
      ),
  };
}

for (const [engine, open] of [
  ['sqlite', openTemporaryDatabase],
  ['postgres', openTemporaryPostgres],
] as const)
  test(`what is said is found by those who may see it, and follows every change (${engine})`, async (t) => {
    const world = await openWorld(t, { films: 'movies', music: 'music' }, await open(t, worldMigrations));
    const SECRET = film('Secret (2002)', 'NC-17', 'The usual forbidden suspects');
    grow(world.at('films'), {
      ...film('Harbour (2001)', 'G', 'Round up the usual suspects'),
      ...film('Zebra (2004)', 'G', 'These are the usual stripes'),
    });
    grow(world.at('music'), {
      'Band/1.flac': flac({ ALBUM: 'Album', ARTIST: 'Band', TITLE: 'Song' }),
      'Band/1.lrc': '[00:12.50]Under the umbrella we danced\n',
      'Band/2.flac': flac({ ALBUM: 'Album', ARTIST: 'Band', TITLE: 'Other' }),
    });
    await world.scan();
    const { run, find, isDue, index } = openDialogue(t, world);
    await run();
    assert.equal(await isDue(), false);
    const titles = async (...asked: Parameters<typeof find>) =>
      (await find(...asked)).items.map(({ item, lines }) => `${item.title} ${lines[0]?.start}`).toSorted();
    const asChild = async () =>
      JSON.stringify([
        await find('usual', { policy: CHILD }),
        await find('usual', { policy: CHILD, limit: 1 }),
        // A third film, even one that is not shown, would make another page.
        await find('usual', { policy: CHILD, limit: 2 }),
        await find('forbidden', { policy: CHILD }),
      ]);
    assert.deepEqual(await titles('usual'), ['Harbour 3.5', 'Zebra 3.5']);
    assert.deepEqual(await titles('umbrella', { source: 'lyrics' }), ['Song 12.5']);
    const before = await asChild();
    assert.match(before, /Harbour.*Zebra/);

    // A hidden film that comes changes no byte for a child.
    grow(world.at('films'), SECRET);
    await world.scan();
    assert.equal(await isDue(), true);
    await run();
    assert.equal(await isDue(), false);
    assert.deepEqual(await titles('forbidden'), ['Secret 3.5']);
    assert.equal(await asChild(), before);
    const first = await find('usual', { limit: 2 });
    const second = await find('usual', { limit: 2, cursor: first.nextCursor });
    assert.deepEqual([...first.items, ...second.items].map(({ item }) => item.title).toSorted(), [
      'Harbour',
      'Secret',
      'Zebra',
    ]);

    // Changed lines replace the old ones, and those of a film whose subtitles or file are gone are not found.
    grow(world.at('films'), { 'Zebra (2004)/Zebra (2004).en.srt': srt('An entirely new sentence') });
    rmSync(world.at('films', 'Harbour (2001)', 'Harbour (2001).en.srt'));
    rmSync(world.at('films', 'Secret (2002)'), { recursive: true });
    await world.scan();
    await run();
    assert.deepEqual(await titles('usual'), []);
    assert.deepEqual(await titles('entirely new'), ['Zebra 3.5']);
    assert.deepEqual(indexedAs(index, 'subtitles'), [await world.id('Zebra')]);
    assert.equal(indexedAs(index, 'lyrics').length, 1);

    // Lyrics that come are found. Those of a library that is away stay, and it keeps nothing due until it is back.
    const sung = () => titles('umbrella', { source: 'lyrics' });
    grow(world.at('music'), { 'Band/2.lrc': '[00:02.00]No umbrella today\n' });
    await world.scan();
    assert.equal(await isDue(), true);
    await run();
    assert.deepEqual([await sung(), await isDue()], [['Other 2', 'Song 12.5'], false]);
    grow(world.at('music'), { 'Band/2.lrc': '[00:03.00]No umbrella today\n' });
    await world.scan();
    renameSync(world.at('music'), world.at('away'));
    await world.scan();
    assert.equal(await isDue(), true);
    await run();
    assert.deepEqual([await sung(), await isDue()], [['Other 2', 'Song 12.5'], false]);
    renameSync(world.at('away'), world.at('music'));
    await world.scan();
    assert.equal(await isDue(), true);
    await run();
    assert.deepEqual([await sung(), await isDue()], [['Other 3', 'Song 12.5'], false]);

    // An index that is opened again continues where it was.
    await index.close();
    const again = openDialogue(t, world);
    await again.run();
    assert.deepEqual(again.index.cursor(), index.cursor());
    assert.deepEqual((await again.find('entirely new')).items.length, 1);
  });

const indexedAs = (index: ReturnType<typeof openDialogue>['index'], kind: 'subtitles' | 'lyrics'): string[] =>
  [...index.items().values()].filter(({ source }) => source === kind).map(({ id }) => id);
