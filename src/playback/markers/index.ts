/**
 * Markers of items: passages that a player offers to skip, and where the credits begin.
 *
 * They come from an Owner, from names of chapters, from edit lists next to the video and from the analysis; `rank.ts`
 * says which of them is shown. Chapters and edit lists are read when they are asked for, so a new file has new ones.
 */
import { setTimeout } from 'node:timers/promises';
import type { Catalog, EditList, PlayableFile, VisibleCatalog, Subject } from '../../catalog/index.ts';
import type { MarkerKind } from '../../contract/playback/markers.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import type { Clock } from '../../lib/clock.ts';
import { Failure, found } from '../../lib/failure.ts';
import { inRoot, readBounded } from '../../lib/files.ts';
import type { Log } from '../../lib/log.ts';
import { markersOfChapters } from './chapters.ts';
import { markersOfEdl, MAX_EDL_BYTES } from './edl.ts';
import { rankMarkers } from './rank.ts';
import type { MarkerStore } from './store.ts';
import { versionTimeline, type VersionTimeline, type TimelinePart } from './timeline.ts';
import type { FoundMarker } from './types.ts';

export interface MarkerNeeds {
  catalog: Pick<Catalog, 'seenBy' | 'root'>;
  store: MarkerStore;
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'warn'>;
}

type By = Pick<Principal, 'profile' | 'policy' | 'role'>;
/** A marker that an Owner sets. */
export type MarkerChange = Pick<FoundMarker, 'kind' | 'start' | 'end'> & { label?: string | undefined };

export interface Markers {
  /** Returns the markers of an item's version (the best one unless given) that the caller may see. */
  of(subject: Subject, version: string | undefined, by: Pick<Principal, 'role'>): Promise<FoundMarker[]>;
  /** The same for an item that the caller may see. Fails as `missing` for any other. */
  list(by: By, id: string): Promise<FoundMarker[]>;
  /** Those of them that are shown to everybody, as an item carries them. */
  published(by: By, id: string): Promise<{ kind: MarkerKind; start: number; end: number }[]>;
  /** Sets a marker by hand, and returns all of them. Fails as `invalid` when it is not inside the item. */
  set(by: By, id: string, change: MarkerChange): Promise<FoundMarker[]>;
  /** Removes all markers of a kind; none comes back while the files are the same. */
  remove(by: By, id: string, kind: MarkerKind): Promise<void>;
  /**
   * Returns the second from which on an item counts as watched: where its credits begin. Undefined where no marker says
   * so.
   */
  creditsOf(by: By, id: string): Promise<number | undefined>;
}

/** Most markers that an Owner may set on one item. */
const MAX_OWN = 200;
const MAX_CACHED_LISTS = 64;
/** How long an edit list is waited for: a library that does not answer holds up no page and no plan. */
const LIST_WAIT_MS = 500;
/** Credits that begin earlier leave too much of the item to count it as watched. */
const MIN_WATCHED_PART = 0.5;
/** How far an end may lie behind the end of the item, which is known to a fraction of a second only. */
const END_TOLERANCE_S = 2;
const NO_ITEM = 'no such item';

export function createMarkers({ catalog, store, clock, log }: MarkerNeeds): Markers {
  const readEditList = createEditLists({ catalog, log });

  const everyMarker = async (subject: Subject, version: string | undefined): Promise<FoundMarker[]> => {
    const timeline = versionTimeline(subject, version);
    if (!timeline) return [];
    const [stored, lists] = await Promise.all([store.of(subject.id), markersOfEditLists(subject, timeline)]);
    const all = [...stored.own, ...chaptersOf(timeline), ...lists, ...(stored.analysed.get(timeline.bytes) ?? [])];
    return rankMarkers(all, { removed: stored.removed.get(timeline.bytes) ?? new Set(), duration: timeline.duration });
  };
  const markersOfEditLists = async (
    { editLists }: Subject,
    { version, parts }: VersionTimeline,
  ): Promise<FoundMarker[]> => {
    const read = editLists.flatMap((list) => {
      const part = parts.find(({ file }) => list.version === version && list.part === file.part);
      return part ? [readEditList(part.file, list).then((markers) => later(markers, part))] : [];
    });
    return (await Promise.all(read)).flat();
  };
  const seenSubject = async (by: By, id: string): Promise<{ seen: VisibleCatalog; subject: Subject }> => {
    const seen = catalog.seenBy(by);
    return { seen, subject: found(await seen.subject(id), NO_ITEM, 'no-such-item') };
  };
  const shownTo = (markers: readonly FoundMarker[], { role }: Pick<Principal, 'role'>): FoundMarker[] =>
    markers.filter(({ state }) => role === 'owner' || state === 'published');

  const markers: Markers = {
    of: async (subject, version, by) => shownTo(await everyMarker(subject, version), by),
    list: async (by, id) => markers.of((await seenSubject(by, id)).subject, undefined, by),
    published: async (by, id) =>
      (await markers.list(by, id))
        .filter(({ state }) => state === 'published')
        .map(({ kind, start, end }) => ({ kind, start, end })),
    set: async (by, id, { kind, start, end, label }) => {
      const { subject } = await seenSubject(by, id);
      if (end <= start)
        throw new Failure('invalid', 'the end of a marker comes after its start', { reason: 'marker-range' });
      const durations = subject.files.flatMap(
        ({ id: version }) => versionTimeline(subject, version)?.duration ?? Infinity,
      );
      if (end > Math.max(...durations) + END_TOLERANCE_S)
        throw new Failure('invalid', 'the marker ends after the item', { reason: 'marker-range' });
      if ((await store.countOwn(id)) >= MAX_OWN)
        throw new Failure('conflict', 'this item has too many markers', { reason: 'too-many-markers' });
      await store.set(id, { kind, start, end, ...(label !== undefined && { label }) }, clock.now());
      return markers.of(subject, undefined, by);
    },
    remove: async (by, id, kind) => {
      const { subject } = await seenSubject(by, id);
      const versions = new Set(subject.files.map(({ id: version }) => version));
      const bytes = [...versions].flatMap((version) => versionTimeline(subject, version)?.bytes ?? []);
      await store.remove(id, { kind, bytes: [...new Set(bytes)], at: clock.now() });
    },
    creditsOf: async (by, id) => {
      const subject = await catalog.seenBy(by).subject(id);
      const timeline = subject && versionTimeline(subject);
      if (!subject || timeline?.duration === undefined) return undefined;
      const ends = (await everyMarker(subject, undefined)).filter(
        ({ kind, state }) => state === 'published' && (kind === 'credits' || kind === 'outro'),
      );
      const start = Math.min(...ends.map((one) => one.start));
      return Number.isFinite(start) && start >= timeline.duration * MIN_WATCHED_PART ? start : undefined;
    },
  };
  return markers;
}

const later = (markers: readonly FoundMarker[], { offset }: Pick<TimelinePart, 'offset'>): FoundMarker[] =>
  markers.map((one) => ({ ...one, start: one.start + offset, end: one.end + offset }));

/** Chapters are judged by their place in the whole item, not in their part. */
function chaptersOf({ parts, duration }: VersionTimeline): FoundMarker[] {
  const chapters = parts.flatMap(({ file, offset }) =>
    (file.info?.chapters ?? []).map((one) => ({ ...one, start: one.start + offset, end: one.end + offset })),
  );
  return markersOfChapters(chapters, duration);
}

/**
 * Reads edit lists through their library, the ones used last from memory. One that cannot be read, or not soon, has no
 * markers this time.
 */
function createEditLists({
  catalog,
  log,
}: Pick<MarkerNeeds, 'catalog' | 'log'>): (file: PlayableFile, list: EditList) => Promise<readonly FoundMarker[]> {
  const cached = new Map<string, readonly FoundMarker[]>();
  const reading = new Map<string, Promise<readonly FoundMarker[]>>();
  const read = async (key: string, root: string, relative: string): Promise<readonly FoundMarker[]> => {
    try {
      const bytes = await readBounded(inRoot(await catalog.root(root), relative), MAX_EDL_BYTES);
      const markers = markersOfEdl(bytes.toString('utf8'));
      cached.set(key, markers);
      if (cached.size > MAX_CACHED_LISTS) cached.delete(cached.keys().next().value ?? '');
      return markers;
    } catch (error) {
      log.warn('markers.edit-list', { reason: error instanceof Failure ? error.message : String(error) });
      return [];
    } finally {
      reading.delete(key);
    }
  };
  return async ({ root, available }, { relative, size, modifiedMs }) => {
    const key = JSON.stringify([root, relative, size, modifiedMs]);
    const known = cached.get(key);
    if (known || !available) return known ?? [];
    const underWay = reading.get(key) ?? read(key, root, relative);
    reading.set(key, underWay);
    return Promise.race([underWay, setTimeout(LIST_WAIT_MS, [], { ref: false })]);
  };
}
