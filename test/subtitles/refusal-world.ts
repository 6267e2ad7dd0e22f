/** For tests of refusals: a server with five films, of which each lacks or has a subtitle in its own way. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { sql } from 'kysely';
import { createNet } from '../../src/lib/net.ts';
import { installingStore } from '../../src/subtitles/store/installing.ts';
import { readabilityStore } from '../../src/subtitles/store/readability.ts';
import { type StandIns, startStandIns } from '../stand-ins/index.ts';
import { type Caller, makeHousehold, type Who, type World, startWorld } from '../world.ts';
import { until } from '../until.ts';
import { makeVideo } from './world.ts';

export const films = ['Bare (2001)', 'Covered (2002)', 'Frozen (2003)', 'Taken (2004)', 'Spoken For (2005)'] as const;
type Film = (typeof films)[number];
export const SRT =
  '1\n00:00:01,000 --> 00:00:02,000\nHello there, my old friend.\n\n2\n00:00:05,000 --> 00:00:07,000\n' +
  'It has been a long time.\n';
export const BASE = '/api/v1/subtitle-library';
/** A time of folders that no scan reads again. */
const LONG_AGO = new Date('2024-03-01T12:00:00Z');

export interface RefusalWorld {
  house: World;
  standIns: StandIns;
  callers: Record<Caller, Who>;
  ids: Record<Film, string>;
  close(): Promise<void>;
}

export async function openRefusalWorld(): Promise<RefusalWorld> {
  const closing: (() => unknown)[] = [];
  // The providers offer every film.
  const standIns = await startStandIns({
    fixtures: {
      items: films.map((film) => ({
        kind: 'movie',
        title: film.slice(0, -7),
        year: Number(film.slice(-5, -1)),
        duration: 60,
        subtitles: [{ language: 'en', releases: [film], trusted: true }],
      })),
    },
  });
  const net = createNet({ version: '0.0.0' });
  closing.push(
    () => standIns.close(),
    () => net.close(),
  );
  const house = await startWorld(
    { after: (close: () => unknown) => void closing.push(close) } as unknown as Pick<TestContext, 'after'>,
    {
      net,
      env: { SERVICE_SUBTITLE_LANGUAGE: 'en', ...standIns.environment },
      fill: async (media) => {
        for (const film of films)
          await makeVideo(
            join(media, film, `${film}.mkv`),
            film === 'Spoken For (2005)' ? { texts: [{ srt: SRT, language: 'eng' }] } : {},
          );
        await writeFile(join(media, 'Covered (2002)', 'Covered (2002).en.srt'), SRT);
        for (const entry of await readdir(media, { recursive: true, withFileTypes: true }))
          if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), LONG_AGO, LONG_AGO);
        for (const film of films) await utimes(join(media, film), LONG_AGO, LONG_AGO);
      },
    },
  );
  const callers = await makeHousehold(house);
  await house.start();
  await house.call(callers.owner, 'POST', '/api/v1/tasks/scan', {});
  const items = await until('the inventory of all films', async () => {
    const { body } = await house.call(callers['key library'], 'GET', BASE);
    const all = body['items'] as { id: string; title: string }[];
    return body['pending'] === 0 && all.length === films.length ? all : undefined;
  });
  const ids = {} as Record<Film, string>;
  for (const film of films) ids[film] = items.find(({ title }) => film.startsWith(title))?.id ?? '';
  await until('the tasks to end', async () => {
    const { body } = await house.call(callers['key all'], 'GET', '/api/v1/tasks');
    return (body['items'] as { state: string }[]).every(({ state }) => state !== 'queued' && state !== 'running');
  });
  // The files are read in the background after the scan, which writes their rows.
  const { unchecked } = readabilityStore(house.db);
  await until('the subtitle files to be read', async () => (await unchecked('', 1)).length === 0);
  await installingStore(house.db).freeze(ids['Frozen (2003)'], 'en', true);
  // Added after the scan and not detected yet, because the folder keeps its time.
  await writeFile(join(house.media, 'Taken (2004)', 'Taken (2004).en.srt'), 'mine');
  await utimes(join(house.media, 'Taken (2004)'), LONG_AGO, LONG_AGO);
  const close = async (): Promise<void> => {
    for (const one of closing.toReversed()) await one();
  };
  return { house, standIns, callers, ids, close };
}

/** Returns every file with its hash and time, and every row of the subtitle tables. */
export async function snapshotOf(house: World): Promise<string> {
  const files: string[] = [];
  for (const [name, folder] of [
    ['media', house.media],
    ['data', join(house.folder, 'data')],
  ] as const) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      // The tables of the database are listed below; sessions and requests are written there all the time.
      if (!entry.isFile() || /matinee\.db/.test(entry.name)) continue;
      files.push(
        `${name} ${path} ${(await stat(path)).mtimeMs} ${createHash('sha256')
          .update(await readFile(path))
          .digest('hex')}`,
      );
    }
  }
  const db = house.db.tables<Record<string, never>>();
  const { rows: tables } = await sql<{
    name: string;
  }>`select name from sqlite_master where type = 'table' and name like 'subtitle_%' order by name`.execute(db);
  assert.ok(tables.length > 8);
  const rows = await Promise.all(
    tables.map(async ({ name }) => [name, (await sql`select * from ${sql.table(name)}`.execute(db)).rows]),
  );
  return JSON.stringify([files.sort(), rows], (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}
