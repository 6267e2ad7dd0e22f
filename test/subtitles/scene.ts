/**
 * A house with a film, an episode or what a test wants, and providers that have subtitles for them: what is asked of
 * whom can be counted, time moves when told, and it can be opened again as after a restart.
 */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { Failure } from '../../src/lib/failure.ts';
import { type Fixtures, type StandIns, startStandIns } from '../stand-ins/index.ts';
import { makeVideo, openWorld, openTemporaryFolder, type World } from './world.ts';

export const NIGHT = 'Night of the Living Dead (1968)/Night.of.the.Living.Dead.1968.1080p.BluRay.x264-GHOUL';
export const KEEPERS = 'The Lighthouse Keepers/Season 1/The.Lighthouse.Keepers.S01E02.1080p.WEB.h264-WAVES';
export const RELEASE = 'Night.of.the.Living.Dead.1968.1080p.BluRay.x264-GHOUL';
export const night = {
  kind: 'movie',
  title: 'Night of the Living Dead',
  year: 1968,
  imdb: 'tt0063350',
  tmdb: 10331,
  duration: 60,
} as const;
export const keepers = {
  kind: 'episode',
  title: 'The Lighthouse Keepers',
  year: 2015,
  showImdb: 'tt9000010',
  season: 1,
  episode: 2,
  duration: 60,
} as const;
export const FIXTURES: Fixtures = {
  items: [
    {
      ...night,
      subtitles: [
        { language: 'en', releases: [RELEASE], trusted: true },
        { language: 'fr', releases: ['Night.of.the.Living.Dead.1968.DVDRip.XviD-OTHER'] },
        { language: 'de', releases: [RELEASE], hearingImpaired: true },
      ],
    },
    { ...keepers, subtitles: [{ language: 'en', releases: ['The.Lighthouse.Keepers.S01E02.1080p.WEB.h264-WAVES'] }] },
  ],
};
export const SIGNAL = new AbortController().signal;

export interface Scene extends World {
  standIns: StandIns;
  calls(): string[];
  lines: string[];
  clock: { at: number };
  fetch(id: string, language?: string): ReturnType<World['subtitles']['fetch']>;
  /** Closes and opens again, as a restart does. */
  restart(env?: Record<string, string>): Promise<void>;
}

export interface SceneNeeds {
  fixtures?: Fixtures;
  env?: Record<string, string>;
  providers?: readonly ('subtitles_a' | 'subtitles_b' | 'subtitles_c')[];
  videos?: Readonly<Record<string, Parameters<typeof makeVideo>[1]>>;
  before?: (media: string) => Promise<void>;
  level?: 'debug' | 'warn';
}

export async function openScene(
  t: TestContext,
  {
    fixtures = FIXTURES,
    env = {},
    providers = ['subtitles_a', 'subtitles_c'],
    videos = { [NIGHT]: {} },
    before,
    level = 'warn',
  }: SceneNeeds = {},
): Promise<Scene> {
  const clock = { at: Date.now() };
  const began = performance.now();
  const now = () => clock.at + Math.round(performance.now() - began);
  const standIns = await startStandIns({ fixtures, clock: { now, monotonic: () => performance.now() } });
  const folder = await openTemporaryFolder(t);
  for (const [name, video] of Object.entries(videos)) await makeVideo(join(folder, 'media', `${name}.mkv`), video);
  await before?.(join(folder, 'media'));
  const lines: string[] = [];
  const own = Object.fromEntries(
    Object.entries(standIns.environment).filter(([key]) => providers.some((name) => key.includes(name.toUpperCase()))),
  );
  const needs = (more: Record<string, string>) => ({
    folder,
    env: { SERVICE_SUBTITLE_LANGUAGE: 'en', ...own, ...env, ...more },
    now,
    level,
    write: (line: string) => void lines.push(line),
  });
  let world = await openWorld(needs({}));
  t.after(async () => {
    await world.close();
    await standIns.close();
  });
  await world.scan();
  return {
    folder: world.folder,
    media: world.media,
    standIns,
    lines,
    clock,
    get config() {
      return world.config;
    },
    get catalog() {
      return world.catalog;
    },
    get requests() {
      return world.requests;
    },
    get subtitles() {
      return world.subtitles;
    },
    get db() {
      return world.db;
    },
    get tasks() {
      return world.tasks;
    },
    close: () => world.close(),
    calls: () =>
      [standIns.subtitles_a, standIns.subtitles_b, standIns.subtitles_c].flatMap(({ requests }) =>
        requests.map(({ step }) => step),
      ),
    fetch: (id, language) => world.subtitles.fetch({ id, ...(language !== undefined && { language }) }, SIGNAL),
    inventory: (query) => world.inventory(query),
    scan: () => world.scan(),
    idOf: (file) => world.idOf(file),
    restart: async (more = {}) => {
      await world.close().catch(() => undefined);
      world = await openWorld(needs(more));
    },
  };
}

export const fails = async (work: Promise<unknown>, kind: string, reason?: string, said?: RegExp): Promise<Failure> => {
  const error = await work.then(
    () => assert.fail('it went through'),
    (one: unknown) => one,
  );
  assert.ok(error instanceof Failure, String(error));
  assert.equal(error.kind, kind, error.message);
  assert.ok(error.reason !== undefined, `no reason: ${error.message}`);
  if (reason !== undefined) assert.equal(error.reason, reason, error.message);
  if (said) assert.match(error.message, said);
  return error;
};
export const filesNextTo = async ({ media }: World, name = NIGHT): Promise<string[]> =>
  (await readdir(dirname(join(media, name)))).sort();
