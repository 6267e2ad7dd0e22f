/** The libraries of the demo that are not films, in a home of the browser tests, and an item of each kind in them. */
import assert from 'node:assert/strict';
import { ask } from '../faults/child.ts';
import { until } from '../until.ts';
import { addDemoFolder, type Home } from './browser.ts';

const SHELVES = ['audiobooks', 'books', 'music', 'photos'] as const;

/** Ids of items by what is shown: each has a page of its own kind. */
export interface KindIds {
  album: string;
  artist: string;
  audiobook: string;
  audiobookSeries: string;
  book: string;
  comic: string;
  pdf: string;
  photo: string;
  person: string;
  series: string;
}

/**
 * Adds the libraries, waits until each kind is in them, and adds a director to a film, so that a person has a page. By
 * default the names of the libraries are no words of the dashboard.
 */
export async function addShelves(
  home: Home,
  token: string,
  film: string,
  nameOf = (shelf: (typeof SHELVES)[number]): string => `Regal ${SHELVES.indexOf(shelf) + 1}`,
): Promise<KindIds> {
  const get = async <T>(path: string): Promise<T> =>
    (await ask<T>(home.server, 'GET', `/api/v1${path}`, { token })).body;
  for (const shelf of SHELVES) {
    const body = { name: nameOf(shelf), path: addDemoFolder(home, shelf), kind: shelf };
    assert.equal((await ask(home.server, 'POST', '/api/v1/libraries', { token, body })).status, 201, shelf);
  }
  const people = [{ name: 'Ida Brandt', job: 'director' }];
  const edited = await ask(home.server, 'PUT', `/api/v1/items/${film}/metadata`, { token, body: { people } });
  assert.equal(edited.status, 200, JSON.stringify(edited.body));
  const listed = (view: string) =>
    get<{ items: { id: string; title: string; series?: { id: string } }[] }>(`/library?view=${view}`);
  const named = async (view: string, title?: string) =>
    (await listed(view)).items.find((item) => title === undefined || item.title === title)?.id;
  return until('an item of each kind', async () => {
    const ids = {
      album: await named('music', 'Low Tide'),
      artist: (await get<{ items: { id: string }[] }>('/artists')).items[0]?.id,
      audiobook: await named('audiobooks'),
      audiobookSeries: (await listed('audiobooks')).items[0]?.series?.id,
      book: await named('books', 'The Lamp Room'),
      pdf: await named('books', 'Harbour walks'),
      series: await named('books', 'Moon Post'),
      photo: await named('photos'),
      person: (await get<{ people: { id: string; name: string }[] }>(`/items/${film}`)).people[0]?.id,
    };
    const { items: volumes } = await get<{ items?: { id: string }[] }>(`/series/${ids.series}`);
    const all = { ...ids, comic: volumes?.[0]?.id };
    return Object.values(all).every((id) => id !== undefined) ? (all as KindIds) : undefined;
  });
}
