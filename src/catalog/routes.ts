/** Catalogue endpoints, each tied to the operation that does it. */
import type { Principal } from '../contract/kernel/principal.ts';
import { type Item } from '../contract/catalog/items.ts';
import { itemFacts } from '../contract/catalog/kinds.ts';
import { catalog as catalogEndpoints } from '../contract/catalog/browsing.ts';
import { photos as photoEndpoints } from '../contract/catalog/photos.ts';
import { ChosenImage, metadata as metadataEndpoints } from '../contract/catalog/metadata.ts';
import { ratings as ratingEndpoints } from '../contract/catalog/ratings.ts';
import { audiobooks as audiobookEndpoints } from '../contract/catalog/listened-books.ts';
import { people as peopleEndpoints } from '../contract/catalog/people.ts';
import { music as musicEndpoints } from '../contract/catalog/music.ts';
import { libraries as libraryEndpoints } from '../contract/catalog/libraries.ts';
import { watching as watchingEndpoints } from '../contract/catalog/watching.ts';
import type { Config } from '../config/index.ts';
import { readObject } from '../http/json.ts';
import { sortedPage } from '../lib/json/page.ts';
import { implement, type MountedEndpoint } from '../http/handle.ts';
import { iso } from '../lib/clock.ts';
import { written } from '../lib/json/written.ts';
import { Failure, found } from '../lib/failure.ts';
import { listFolder } from '../lib/files.ts';
import type { Activity } from '../activity/index.ts';
import type { Catalog, CatalogAdmin } from './index.ts';
import { createProfileItems, type ProfileItemNeeds } from './core/profile-items.ts';
import { createLibraryList } from './core/library-list.ts';
import { countMedia } from './kinds/counted-media.ts';
import { NO_USER_DATA } from './core/watch-rows.ts';
import type { ArtworkSource, LibraryState, VisibleCatalog } from './types.ts';

const NO_ITEM = 'no such item';
const YEAR_S = 31_536_000;

export interface CatalogRouteNeeds {
  catalog: Catalog;
  admin: CatalogAdmin;
  config: Config;
  identity: ProfileItemNeeds['identity'];
  /** Returns the name of the device or API key of a caller. */
  deviceOf(by: Principal): string | undefined;
  /** Returns what records an act of an Owner in its transaction. */
  recorded: Activity['recorded'];
  /** Facts about playing an item that playback supplies. */
  played: {
    /** Notes a report of a player. Returns the seconds that its own session plays; undefined for any other session. */
    reported(report: { profile: string; item: string; session: string; isPaused: boolean }): number | undefined;
    /** Seconds from which on only the credits are left, where a marker says so. */
    creditsOf(by: Principal, item: string): Promise<number | undefined>;
    /** Returns the published markers of an item: passages that a viewer can skip. */
    markersOf(by: Principal, item: string): Promise<Item['markers']>;
    /** Called when an item's page is opened, because playback may follow. */
    expect(): void;
  };
}

/** Maximum number of items that one change marks, with those of groups. */
const MAX_CHANGED_ROWS = 5_000;
/** Credits do not begin earlier, so that most reports need not look for them. */
const CREDITS_PART = 0.5;

export const catalogRoutes = ({
  catalog,
  admin,
  config,
  identity,
  deviceOf,
  recorded,
  played,
}: CatalogRouteNeeds): MountedEndpoint[] => [
  ...implement(catalogEndpoints, {
    cards: async ({ ids }, { by }) => {
      const asked = ids.split(',');
      const cards = new Map((await catalog.seenBy(by).cards([...new Set(asked)])).map((card) => [card.id, card]));
      const items = asked.flatMap((id) => cards.get(id) ?? []);
      return { items, total: items.length };
    },
    library: async (query, { by }) => written(await catalog.seenBy(by).libraryJson(query)),
    recent: (query, { by }) => catalog.seenBy(by).recent(query),
    nextUp: ({ limit, rewatch }, { by }) => catalog.seenBy(by).watched.nextUp(limit, { isRewatch: rewatch === 'true' }),
    shows: async (query, { by }) => {
      const { items, total, nextCursor } = await catalog.seenBy(by).library({ ...query, view: 'shows', list: 'shows' });
      return { items, total, ...(nextCursor !== undefined && { nextCursor }) };
    },
    show: async ({ id }, { by }) => found(await catalog.seenBy(by).page('shows', id), 'no such show', 'no-such-show'),
    series: async ({ id }, { by }) => found(await catalog.seenBy(by).page('series', id), NO_ITEM, 'no-such-item'),
    item: async ({ id }, { by }) => {
      const item = found(await catalog.seenBy(by).item(id), NO_ITEM, 'no-such-item');
      // Books and pictures are not played.
      if (itemFacts(item.kind).medium !== 'video') return item;
      played.expect();
      return { ...item, markers: await played.markersOf(by, id) };
    },
    extras: async ({ id }, { by }) => {
      const { extras } = catalog.seenBy(by);
      const items = found(await extras.of(id), NO_ITEM, 'no-such-item');
      return { items, links: await extras.trailers(id), total: items.length };
    },
    art: async ({ id, kind, ...how }, { by, signal }) =>
      pictureReply(catalog, (await catalog.seenBy(by).picture(id, kind)) ?? null, how, signal),
    unplaced: async (query) => {
      const { items, ...page } = await admin.unplaced(query);
      return { ...page, items: items.map((one) => ({ ...one, seenAt: iso(one.seenAt) })) };
    },
  }),
  ...implement(photoEndpoints, {
    days: (query, { by }) => catalog.photosSeenBy(by).days(query),
    folders: (query, { by }) => catalog.photosSeenBy(by).folders(query),
  }),
  ...musicRoutes(catalog),
  ...watchingRoutes({ catalog, played, deviceOf }),
  ...audiobookRoutes(catalog),
  ...peopleRoutes(catalog),
  ...ratingRoutes({ catalog, admin, identity }),
  ...metadataRoutes({ catalog, admin, recorded }),
  ...implement(libraryEndpoints, libraryHandlers({ catalog, admin, config, recorded })),
];

function watchingRoutes({
  catalog,
  played,
  deviceOf,
}: Pick<CatalogRouteNeeds, 'catalog' | 'played' | 'deviceOf'>): MountedEndpoint[] {
  return implement(watchingEndpoints, {
    progress: async ({ id, paused: isPaused = false, ...report }, { by }) => {
      const seen = catalog.seenBy(by);
      const known = seen.watched.duration(id);
      if (known === undefined) throw new Failure('missing', NO_ITEM, { reason: 'no-such-item' });
      // Players report it as of any item, but an extra is not watched.
      if (seen.extras.isExtra(id)) return NO_USER_DATA;
      // A session knows how long what it plays is: a version, with all its parts.
      const { session } = report;
      const own =
        session === undefined ? session : played.reported({ profile: by.profile, item: id, session, isPaused });
      const duration = own ?? known ?? undefined;
      const position = own === undefined ? report.position : Math.min(report.position, own);
      const isLate = duration === undefined || position >= duration * CREDITS_PART;
      const credits = isLate && report.watched === undefined ? await played.creditsOf(by, id) : undefined;
      const group = seen.watched.groupOf(id);
      return catalog.watching.progress(
        by.profile,
        id,
        { ...report, position, credits, group, isPlaceKept: seen.watched.isPlaceKept(id), device: deviceOf(by) },
        duration,
      );
    },
    forget: async ({ id }, { by }) => {
      mustBeListed(catalog.seenBy(by), id);
      await catalog.watching.dismiss(by.profile, id);
    },
    hideNextUp: async ({ id }, { by }) => {
      found(await catalog.seenBy(by).page('shows', id), 'no such show', 'no-such-show');
      await catalog.watching.dismiss(by.profile, id);
    },
    showNextUp: async ({ id }, { by }) => {
      found(await catalog.seenBy(by).page('shows', id), 'no such show', 'no-such-show');
      await catalog.watching.showAgain(by.profile, id);
    },
    list: async ({ id, listed }, { by }) => {
      mustBeListed(catalog.seenBy(by), id);
      return catalog.watching.list(by.profile, id, listed);
    },
    rate: ({ id, rating }, { by }) => {
      mustBeListed(catalog.seenBy(by), id);
      return catalog.watching.rate(by.profile, id, rating);
    },
    change: ({ ids, mark }, { by }) => {
      const seen = catalog.seenBy(by);
      const items = seen.watched.itemsOf(ids);
      if (items === undefined) throw new Failure('missing', NO_ITEM, { reason: 'no-such-item' });
      if (mark === 'listed' || mark === 'unlisted') return catalog.watching.changes.mark(by.profile, ids, mark);
      if (items.length > MAX_CHANGED_ROWS)
        throw new Failure('invalid', 'too many episodes at once', { reason: 'too-many-episodes' });
      return catalog.watching.changes.mark(by.profile, items, mark);
    },
    undoChange: ({ id }, { by }) => catalog.watching.changes.undo(by.profile, id),
    history: (query, { by }) => catalog.seenBy(by).watched.history(query),
    removeHistory: ({ id }, { by }) => catalog.watching.entries.remove(by.profile, id, catalog.seenBy(by).isSeen),
    removeItemHistory: ({ id }, { by }) => {
      mustBeListed(catalog.seenBy(by), id);
      return catalog.watching.entries.removeItem(by.profile, id);
    },
    restoreItemHistory: ({ id }, { by }) => {
      mustBeListed(catalog.seenBy(by), id);
      return catalog.watching.entries.restoreItem(by.profile, id);
    },
    restoreHistory: ({ id }, { by }) => catalog.watching.entries.restore(by.profile, id, catalog.seenBy(by).isSeen),
  });
}

/** Places and preferences are of items whose place is hard to find again, as in an audiobook. */
function audiobookRoutes(catalog: Catalog): MountedEndpoint[] {
  const mustBeBook = (by: Principal, id: string): void => {
    if (!catalog.seenBy(by).watched.isPlaceKept(id)) throw new Failure('missing', NO_ITEM, { reason: 'no-such-item' });
  };
  const { listening } = catalog.watching;
  return implement(audiobookEndpoints, {
    positions: async ({ id }, { by }) => {
      mustBeBook(by, id);
      const items = await listening.places(by.profile, id);
      return { items, total: items.length };
    },
    preferences: async ({ id }, { by }) => {
      mustBeBook(by, id);
      return listening.preferences(by.profile, id);
    },
    prefer: async ({ id, ...chosen }, { by }) => {
      mustBeBook(by, id);
      return listening.prefer(by.profile, id, chosen);
    },
  });
}

/** Refuses what is not seen, and extras, which no list holds. */
function mustBeListed(seen: Pick<VisibleCatalog, 'isSeen' | 'extras'>, id: string): void {
  if (!seen.isSeen(id) || seen.extras.isExtra(id)) throw new Failure('missing', NO_ITEM, { reason: 'no-such-item' });
}

const musicRoutes = (catalog: Catalog): MountedEndpoint[] =>
  implement(musicEndpoints, {
    albums: async (query, { by }) => {
      const { items, total, nextCursor } = await catalog
        .seenBy(by)
        .library({ ...query, view: 'music', list: 'albums', sort: 'title' });
      return { items, total, ...(nextCursor !== undefined && { nextCursor }) };
    },
    album: async ({ id }, { by }) =>
      found(await catalog.seenBy(by).page('albums', id), 'no such album', 'no-such-album'),
    artists: (query, { by }) => catalog.musicSeenBy(by).artists(query),
    artist: async ({ id }, { by }) =>
      found(await catalog.musicSeenBy(by).artist(id), 'no such artist', 'no-such-artist'),
    artistPicture: async ({ id, kind, ...how }, { by, signal }) => {
      const source = await catalog.musicSeenBy(by).artistPicture(id, kind);
      if (source === undefined) throw new Failure('missing', 'no such artist', { reason: 'no-such-artist' });
      return pictureReply(catalog, source, how, signal);
    },
    audiobookSeries: async ({ id }, { by }) =>
      found(await catalog.musicSeenBy(by).audiobookSeries(id), 'no such series', 'no-such-series'),
    artistTracks: async ({ id, ...page }, { by }) =>
      found(await catalog.musicSeenBy(by).artistTracks(id, page), 'no such artist', 'no-such-artist'),
    lyrics: async ({ id }, { by, signal }) => {
      const lyrics = found(await catalog.musicSeenBy(by).lyrics(id, signal), 'no lyrics', 'no-lyrics');
      if (lyrics === 'no-item') throw new Failure('missing', NO_ITEM, { reason: 'no-such-item' });
      return lyrics;
    },
    queue: async ({ id }, { by }) => {
      const items = found(await catalog.musicSeenBy(by).queue(id), NO_ITEM, 'no-such-item');
      return { items, total: items.length };
    },
  });

const peopleRoutes = (catalog: Catalog): MountedEndpoint[] =>
  implement(peopleEndpoints, {
    search: (query, { by }) => catalog.peopleSeenBy(by).search(query),
    read: async ({ id, ...page }, { by }) =>
      found(await catalog.peopleSeenBy(by).person(id, page), 'no such person', 'no-such-person'),
    picture: async ({ id, ...how }, { by, signal }) => {
      const source = await catalog.peopleSeenBy(by).picture(id);
      if (source === undefined) throw new Failure('missing', 'no such person', { reason: 'no-such-person' });
      return pictureReply(catalog, source, how, signal);
    },
  });

function ratingRoutes({
  catalog,
  admin: { ratings },
  identity,
}: Pick<CatalogRouteNeeds, 'catalog' | 'admin' | 'identity'>): MountedEndpoint[] {
  const profileItems = createProfileItems({ catalog, ratings, identity });
  return implement(ratingEndpoints, {
    list: ({ country }) => ratings.ages(country),
    set: ({ id, rating }, { by }) => {
      profileItems.requireSeen(by, id);
      return ratings.set(id, rating);
    },
    preview: (asked) => profileItems.preview(asked),
    items: ({ id, ...paging }, { by }) => profileItems.list(id, by, paging),
    access: (given, { by }) => profileItems.decide(given, by),
  });
}

type MetadataActivity = 'metadata-edited' | 'metadata-bulk-edited' | 'metadata-undone' | 'metadata-picture';

/** A picture never begins with this byte, and JSON objects do. */
const OPENING_BRACE = 0x7b;

function metadataRoutes({
  catalog,
  admin: { edits },
  recorded,
}: Pick<CatalogRouteNeeds, 'catalog' | 'admin' | 'recorded'>): MountedEndpoint[] {
  /** The items that a caller may see, with what records their change in its transaction. */
  const editing = (by: Principal, kind: MetadataActivity, target?: string) => {
    const { isSeen, extras } = catalog.seenBy(by);
    const of = (count: number) => recorded({ kind, outcome: 'done', by, target, details: { count } });
    return { isSeen, extras, recorded: of };
  };
  return implement(metadataEndpoints, {
    read: ({ id }, { by }) => edits.read(catalog.seenBy(by), id),
    edit: ({ id, unlock = [], ...set }, { by }) => edits.edit(editing(by, 'metadata-edited', id), id, { set, unlock }),
    bulk: (request, { by }) => edits.bulk(editing(by, 'metadata-bulk-edited'), request),
    undo: ({ id }, { by }) => edits.undo(editing(by, 'metadata-undone'), id),
    images: ({ id }, { by }) => edits.images.list(catalog.seenBy(by), id),
    candidate: async ({ width, v, ...of }, { by, signal }) =>
      pictureReply(catalog, await edits.images.candidate(catalog.seenBy(by), of, signal), { width, v }, signal),
    setImage: (of, { by, bytes, signal }) => {
      const seen = editing(by, 'metadata-picture', of.id);
      if (bytes[0] !== OPENING_BRACE) return edits.images.upload(seen, of, bytes);
      const chosen = ChosenImage.safeParse(readObject(bytes));
      if (!chosen.success) throw new Failure('invalid', 'candidate: expected an id', { reason: 'field-invalid' });
      return edits.images.choose(seen, { ...of, ...chosen.data }, signal);
    },
    restoreImage: (of, { by }) => edits.images.restore(editing(by, 'metadata-picture', of.id), of),
  });
}

/** Returns the members that were sent. */
const given = <T extends object>(change: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as never;

type Handlers = Parameters<typeof implement<typeof libraryEndpoints>>[1];

function libraryHandlers({
  catalog,
  admin,
  config,
  recorded,
}: Pick<CatalogRouteNeeds, 'catalog' | 'admin' | 'config' | 'recorded'>): Handlers {
  const list = createLibraryList({ admin, config, recorded });
  const optionsOf = ({ nfo = true, internet = true, ignored = [], ...chosen }: LibraryState['options']) => ({
    ...given(chosen),
    nfo,
    internet,
    ignored: [...ignored],
  });
  const shown = (library: LibraryState, isOwner: boolean) => ({
    id: library.id,
    name: library.name,
    kind: library.kind,
    ...(isOwner && { path: library.path }),
    items: library.items,
    online: library.isOnline,
    watching: library.isWatching,
    ...(library.lastScanAt !== undefined && { lastScanAt: iso(library.lastScanAt) }),
    managed: list.isManaged(),
    ...(isOwner && { options: optionsOf(library.options) }),
  });
  return {
    list: (paging, { by }) => {
      const all = catalog.libraries(by).map((library, place) => ({ library, place }));
      const query = ['libraries', by.profile];
      return sortedPage(all, { query, keyOf: ({ place }) => [place], ...paging }, ({ library }) =>
        shown(library, by.role === 'owner'),
      );
    },
    create: async ({ options = {}, ...library }, { by }) => shown(await list.add({ ...library, ...options }, by), true),
    update: async ({ id, options, ...change }, { by }) => {
      const next = { ...given(change), ...(options && { options }) };
      return shown(await list.update(id, next, by), true);
    },
    remove: ({ id }, { by }) => list.remove(id, by),
    folders: async ({ path = config.get('paths.media') }) => {
      if (!path.startsWith('/') || path.split('/').includes('..'))
        throw new Failure('invalid', 'path: expected an absolute path', { reason: 'path-not-absolute' });
      const entries = await listFolder(path).catch(() => {
        throw new Failure('missing', 'no such folder, or it cannot be read', { reason: 'no-such-folder' });
      });
      const base = path.replace(/\/+$/, '');
      const folders = entries
        .filter(({ kind, name, isOdd }) => kind === 'folder' && !name.startsWith('.') && !isOdd)
        .map(({ name }) => ({ name, path: `${base}/${name}` }));
      const parent = base === '' ? undefined : base.slice(0, base.lastIndexOf('/')) || '/';
      return {
        path: base === '' ? '/' : base,
        ...(parent !== undefined && { parent }),
        folders: folders.sort((a, b) => a.name.localeCompare(b.name)).slice(0, 2_000),
        ...countMedia(entries.filter(({ kind }) => kind === 'file').map(({ name }) => name)),
      };
    },
  };
}

/** Returns a picture at one of the fixed widths. One that is asked for by its version may be cached for a year. */
async function pictureReply(
  { art }: Pick<Catalog, 'art'>,
  source: ArtworkSource | null,
  { width, v }: { width: number; v?: string | undefined },
  signal: AbortSignal,
) {
  const picture = found(source ?? undefined, 'no such picture', 'no-such-picture');
  const { bytes, type, etag } = await art.make(picture, width, signal);
  return {
    type,
    bytes,
    etag,
    cache: v === undefined ? 'private, no-cache' : `private, max-age=${YEAR_S}, immutable`,
  };
}
