/** The pictures that TMDB offers for a film or show, from which an Owner can choose. */
import { createHash } from 'node:crypto';
import type { CatalogBackground, OfferedPicture, OfferedPictures } from '../catalog/index.ts';
import type { Clock } from '../lib/clock.ts';
import { Failure, found } from '../lib/failure.ts';
import type { MetadataClient } from './client.ts';
import { PosterPage, WorkPictures } from './replies.ts';
import type { ProviderPictureKind } from './sizes.ts';
import { byLanguage, languageQuery, type MetadataPreferences, type Work } from './works.ts';

/** Each is fetched and encoded when the list is looked at. */
const MAX_PER_KIND = 12;
const KEEP_MS = 10 * 60_000;
const MAX_KEPT = 50;
/** The list of pictures is a small part of a page that must not wait for the internet. */
const LIST_TIMEOUT_MS = 5000;

export interface OfferedNeeds {
  client: MetadataClient;
  catalog: Pick<CatalogBackground, 'layers'>;
  clock: Pick<Clock, 'monotonic'>;
  sizeOf(kind: ProviderPictureKind, signal: AbortSignal): Promise<string>;
  preferencesOf(library: string): MetadataPreferences;
}
interface ListedPicture extends OfferedPicture {
  kind: 'poster' | 'backdrop' | 'logo';
  path: string;
}

const idOf = (path: string): string => `tmdb-${createHash('sha256').update(path).digest('hex').slice(0, 24)}`;

/** Id of the poster of a work that an item could be. */
const WORK_POSTER = /^match-([1-9]\d{0,8})-[0-9a-f]{12}$/;
const workPosterId = (work: string, path: string): string =>
  `match-${work}-${createHash('sha256').update(path).digest('hex').slice(0, 12)}`;
/** Returns the id of the poster of a candidate; undefined if it has none. */
export const posterOf = ({ id, poster_path: path }: Pick<Work, 'id' | 'poster_path'>): string | undefined =>
  path ? workPosterId(String(id), path) : undefined;

/** Returns the pictures of a page, those in the wanted language first. */
export function listedPictures(pictures: WorkPictures, language: string): ListedPicture[] {
  const lists = { poster: pictures.posters, backdrop: pictures.backdrops, logo: pictures.logos };
  return (['poster', 'backdrop', 'logo'] as const).flatMap((kind) =>
    (lists[kind] ?? [])
      .toSorted(byLanguage(language))
      .flatMap(({ file_path: path, iso_639_1: own, width, height }): ListedPicture[] =>
        path
          ? [
              {
                id: idOf(path),
                kind,
                path,
                ...(own && { language: own }),
                ...(width && { width }),
                ...(height && { height }),
              },
            ]
          : [],
      )
      .slice(0, MAX_PER_KIND),
  );
}

export function createOffered({ client, catalog, clock, sizeOf, preferencesOf }: OfferedNeeds): OfferedPictures {
  const kept = new Map<string, { at: number; list: Promise<ListedPicture[]> }>();
  const read = async (item: string): Promise<ListedPicture[]> => {
    const [one] = await catalog.layers.read([item]);
    const work = one?.layers.match?.ids?.['tmdb'] ?? one?.layers.tmdb?.ids?.['tmdb'];
    if (!one || work === undefined || (one.kind !== 'movie' && one.kind !== 'show')) return [];
    const path = `/${one.kind === 'movie' ? 'movie' : 'tv'}/${work}/images`;
    const signal = AbortSignal.timeout(LIST_TIMEOUT_MS);
    const preferences = preferencesOf(one.library);
    const page = await client.read({ path, query: languageQuery(preferences), shape: WorkPictures }, signal);
    return page ? listedPictures(page, preferences.language) : [];
  };
  const list = (item: string): Promise<ListedPicture[]> => {
    const known = kept.get(item);
    if (known && clock.monotonic() - known.at < KEEP_MS) return known.list;
    const fresh = read(item);
    kept.set(item, { at: clock.monotonic(), list: fresh });
    // A list that could not be fetched is requested again.
    fresh.catch(() => kept.delete(item));
    for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size - MAX_KEPT))) kept.delete(oldest);
    return fresh;
  };
  const fetchPoster = async (
    item: string,
    { work, picture }: { work: string; picture: string },
    signal: AbortSignal,
  ) => {
    const [one] = await catalog.layers.read([item]);
    const { kind, library } = found(one, 'no such picture', 'no-such-picture');
    const path = `/${kind === 'movie' ? 'movie' : 'tv'}/${work}`;
    const { language } = preferencesOf(library);
    const page = await client.read({ path, query: { language }, shape: PosterPage }, signal);
    const poster = page && posterOf(page) === picture ? page.poster_path : undefined;
    const bytes = poster && (await client.picture(await sizeOf('poster', signal), poster, signal));
    return found(bytes || undefined, 'no such picture', 'no-such-picture');
  };
  return {
    of: async (item) => {
      if (!client.isConfigured || client.pausedFor() > 0) return [];
      return list(item).catch((error: unknown) => {
        // The pictures that are stored here are offered in any case.
        if (error instanceof Failure || (error instanceof Error && error.name === 'TimeoutError')) return [];
        throw error;
      });
    },
    isWorkPoster: (picture) => WORK_POSTER.test(picture),
    fetch: async (item, picture, signal) => {
      const [, work] = WORK_POSTER.exec(picture) ?? [];
      if (work !== undefined) return fetchPoster(item, { work, picture }, signal);
      const one = found(
        (await list(item)).find(({ id }) => id === picture),
        'no such picture',
        'no-such-picture',
      );
      const bytes = await client.picture(await sizeOf(one.kind, signal), one.path, signal);
      return found(bytes, 'no such picture', 'no-such-picture');
    },
  };
}
