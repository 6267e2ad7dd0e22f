/** Edits of many items are written completely or not at all, whenever the server dies. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { runProgram } from '../../../../test/faults/run-program.ts';
import { isStray } from '../../../lib/files.ts';
import { openDatabase } from '../../../lib/db/index.ts';
import { catalogMigrations } from '../migrations.ts';
import type { ItemToStore } from '../records.ts';
import { scanningStore } from '../scanning.ts';
import { editStore } from './edits.ts';
import { layerStore } from './index.ts';

const IDS = ['a', 'b', 'c'].map((letter) => letter.repeat(16));
const LIBRARY = 'f'.repeat(16);

test('killed in the middle of a bulk edit and of an upload, all items are as before or as after', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'matinee-edits-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [file, picture, pictures] = [join(folder, 'test.db'), join(folder, 'upload.png'), join(folder, 'pictures')];
  await sharp({ create: { width: 30, height: 45, channels: 3, background: 'red' } }).toFile(picture);
  const db = async <R>(work: (open: Awaited<ReturnType<typeof openDatabase>>) => Promise<R>): Promise<R> => {
    const open = await openDatabase({ file, migrations: catalogMigrations });
    try {
      return await work(open);
    } finally {
      await open.close();
    }
  };
  await db((open) => scanningStore(open).put({ ...EMPTY, items: IDS.map(film) }));
  const shown = () =>
    db(async (open) => (await layerStore(open).read(IDS)).map(({ record }) => [record.year, record.images.poster?.at]));
  const program = new URL('../../testing/edit-items.ts', import.meta.url);
  const run = (upload: string, point = '', fault?: string) =>
    runProgram(program, [file, IDS.join(','), upload, pictures, point], fault);

  const before = await shown();
  for (const point of ['catalog.edit.recorded', 'catalog.edit.layered']) {
    assert.equal(run('', point), 'SIGKILL', point);
    assert.deepEqual(await shown(), before, point);
  }
  for (const point of ['files.write.written', 'files.write.renamed', 'catalog.edit.layered']) {
    assert.equal(run(picture, point), 'SIGKILL', point);
    assert.deepEqual(await shown(), before, point);
  }
  assert.equal(run(''), 0);
  assert.equal(run(picture), 0);
  const after = await shown();
  const [kept] = readdirSync(pictures).filter((name) => !isStray(name));
  assert.ok(kept);
  assert.deepEqual(
    after,
    IDS.map(() => [1999, kept]),
  );
  assert.deepEqual((await sharp(join(pictures, kept)).metadata()).width, 30, 'the picture is whole');
  const named = await db((open) => layerStore(open).keptPictures());
  assert.deepEqual([...named], [kept]);
  const changes = await db((open) => editStore(open).itemsOf('0'.repeat(16)));
  assert.deepEqual(changes, []);
  // With rows that are written first, a server that is killed afterwards has items whose picture never was.
  await sharp({ create: { width: 20, height: 30, channels: 3, background: 'blue' } }).toFile(picture);
  assert.equal(run(picture, '', 'picture-unwritten'), 0);
  const [[, lost] = []] = await shown();
  assert.ok(typeof lost === 'string' && lost !== kept && !readdirSync(pictures).includes(lost));
});

const film = (id: string): ItemToStore => ({
  id,
  library: LIBRARY,
  key: `film:${id}`,
  kind: 'movie',
  title: `Film ${id}`,
  sort_title: `film ${id}`,
  original_title: null,
  year: 2001,
  released: null,
  rating: null,
  community_rating: null,
  added: 1,
  duration: 60,
  resolution: null,
  genres: [],
  languages: [],
  images: {},
  show: null,
  season: null,
  season_number: null,
  episode_number: null,
  episode_end: null,
  confidence: 1,
  detail: { studios: [], people: [], ids: {}, evidence: [] },
  present: 1,
  missing: null,
});
const EMPTY = { folders: [], files: [], infos: [], noInfos: [], left: [], now: 0 };
