/** A household of two Profiles with films and a show, for tests of lists. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { OWNER_POLICY, type Policy } from '../../contract/identity/profiles.ts';
import { grow, makeNfo, openWorld, type World, worldMigrations } from '../../catalog/testing/world.ts';
import { createBus } from '../../lib/bus.ts';
import { Failure } from '../../lib/failure.ts';
import { openTemporaryDatabase } from '../../lib/db/testing.ts';
import { createListDomain, listMigrations, type ListDoor } from '../index.ts';

const rated = (title: string, mpaa: string) => makeNfo('movie', { title, mpaa });
export const ADA = { profile: 'ada', role: 'owner', policy: OWNER_POLICY } as const;
const policy: Policy = { ...OWNER_POLICY, rating: 7, unrated: false };
export const KIM = { profile: 'kim', role: 'viewer', policy } as const;

export interface ListHousehold {
  w: World;
  lists: ListDoor;
  id(title: string): Promise<string>;
}
/** Opens a catalogue of three films and a show, with their lists. Kim may not see what is rated above 7. */
export async function openListHousehold(t: TestContext): Promise<ListHousehold> {
  const db = await openTemporaryDatabase(t, [...worldMigrations, ...listMigrations]);
  const w = await openWorld(t, { films: 'movies', shows: 'shows' }, db);
  grow(w.at('films'), {
    'Kind (2001)/Kind (2001).mp4': true,
    'Kind (2001)/movie.nfo': makeNfo('movie', {
      title: 'Kind',
      mpaa: 'G',
      genre: 'Comedy',
      director: 'Jo Marsh',
      studio: 'Day Works',
    }),
    'Zealous (1999)/Zealous (1999).mp4': 3,
    'Zealous (1999)/movie.nfo': makeNfo('movie', { title: 'Zealous', mpaa: 'R', studio: 'Night Works' }),
    'Quiet (2003)/Quiet (2003).mp4': true,
    'Quiet (2003)/movie.nfo': rated('Quiet', 'G'),
  });
  grow(w.at('shows'), {
    'Open/tvshow.nfo': makeNfo('tvshow', { title: 'Open', mpaa: 'TV-Y' }),
    'Open/Season 1/Open S01E01.mkv': true,
    'Open/Season 1/Open S01E02.mkv': true,
    'Open/Season 1/Open S01E02.nfo': makeNfo('episodedetails', { title: 'Two', season: 1, episode: 2, mpaa: 'TV-MA' }),
  });
  await w.scan();
  const bus = createBus((error) => {
    throw error;
  });
  const names: Record<string, string> = { ada: 'Ada', kim: 'Kim' };
  const catalog: Pick<World['catalog'], 'seenBy' | 'collectableBy' | 'collectionPictures' | 'sets'> = {
    seenBy: (by) => w.catalog.seenBy(by),
    collectableBy: (by) => w.catalog.collectableBy(by),
    collectionPictures: w.catalog.collectionPictures,
    sets: w.catalog.sets,
  };
  const lists = createListDomain({
    db,
    bus,
    clock: w.clock,
    catalog,
    nameOf: (profile) => names[profile],
    audience: () => [ADA, KIM],
  });
  return { w, lists, id: w.id };
}
export const reasonOf = async (work: Promise<unknown>): Promise<string | undefined> => {
  const error: unknown = await work.then(
    () => undefined,
    (failed: unknown) => failed,
  );
  assert.ok(error instanceof Failure, String(error));
  return error.reason;
};
