/**
 * Indexes the lines of new and changed subtitles and lyrics in the background, one film at a time, and not while
 * something is played.
 *
 * The catalogue says what changed. An item whose subtitles have the same signature as in the index is not read again,
 * so a run that was cut off repeats little.
 */
import { createHash } from 'node:crypto';
import {
  BEFORE_ALL,
  type CatalogBackground,
  changesSince,
  type FollowedCatalog,
  type FollowedItem,
  type FollowedPosition,
  hasChanges,
  type Subject,
  withPutOff,
} from '../catalog/index.ts';
import { Failure } from '../lib/failure.ts';
import type { Ffmpeg } from '../lib/ffmpeg/index.ts';
import { StoreThreadFailure } from '../lib/db/store-thread.ts';
import type { Log } from '../lib/log.ts';
import { task, type TaskContext, type TaskDefinition, waitsWhile } from '../lib/tasks/index.ts';
import { ProcessFailure } from '../lib/process.ts';
import type { DialogueIndex } from './index-threads.ts';
import { readSources, textsSignature, sourcesOf } from './sources.ts';
import type { DialogueSource } from './store/types.ts';

export const DIALOGUE_TASK = 'dialogue-index';
/** Deletions that are read at once. */
const READ = 50;
/** Tracks between two reports of progress. */
const PROGRESS_EVERY = 50;
const DAY_MS = 24 * 60 * 60_000;

export interface IndexingNeeds {
  catalog: Pick<CatalogBackground, 'changedSince' | 'goneSince' | 'isOnline' | 'subject' | 'root' | 'lyrics'>;
  index: DialogueIndex;
  ffmpeg: Pick<Ffmpeg, 'extractText'>;
  log: Pick<Log, 'warn'>;
  isOn(): boolean;
  /** Opens the index, if that was not done. */
  open(): Promise<void>;
  /** Whether something is played: reading a video would disturb it. */
  isPlaying(): boolean;
}

export interface DialogueIndexing {
  task: TaskDefinition<Record<string, never>>;
  /** Whether something changed since the last run. */
  isDue(): Promise<boolean>;
  /** Ids of items that are being indexed or wait for it. */
  pending(): ReadonlySet<string>;
}

type Context = Pick<TaskContext<Record<string, never>>, 'progress' | 'signal' | 'turn' | 'piece'>;

export function createDialogueIndexing(needs: IndexingNeeds): DialogueIndexing {
  const { catalog, index, isOn, isPlaying } = needs;
  const pending = new Set<string>();

  let isFirstRun = true;

  const run = async (context: Context): Promise<void> => {
    const { signal } = context;
    const films = await changedFilms(needs, isFirstRun, signal);
    const tracks = await changedTracks(needs, isFirstRun, signal);
    isFirstRun = false;
    pending.clear();
    for (const { id, isDue } of films.all) if (isDue) pending.add(id);
    for (const { id } of tracks.all) if (!index.items().has(id)) pending.add(id);
    try {
      const notRead = await indexFilms(needs, films.all, { ...context, pending });
      const unread = await indexLyrics(needs, tracks.all, { ...context, pending });
      const gone = await goneItems(needs, signal);
      const removed = [...gone.ids, ...films.gone, ...tracks.gone].filter((id) => index.items().has(id));
      await index.follow(removed, {
        films: withPutOff(films.position, notRead),
        tracks: withPutOff(tracks.position, unread),
        gone: gone.cursor,
      });
    } finally {
      pending.clear();
    }
  };

  return {
    pending: () => pending,
    isDue: async () => {
      if (!isOn()) return false;
      const cursor = index.cursor();
      return (
        (await hasChanges(catalog, cursor.films)) ||
        (await hasChanges(lyricsTracks(catalog), cursor.tracks)) ||
        (await catalog.goneSince(cursor.gone, 1)).length > 0
      );
    },
    task: task<Record<string, never>>({
      name: DIALOGUE_TASK,
      title: 'Index dialogue',
      summary: 'Read new subtitles and lyrics, so that the search finds what is said and sung',
      every: () => (isOn() ? DAY_MS : undefined),
      heavy: { waitsFor: waitsWhile(isPlaying, 'waiting-for-playback') },
      run: async (context) => {
        if (!isOn()) return;
        await needs.open();
        await run(context);
      },
    }),
  };
}

interface ChangedItems<T> {
  all: T[];
  /** Items whose lines are no longer found. */
  gone: string[];
  position: FollowedPosition;
}

interface ChangedFilm extends Pick<FollowedItem, 'id' | 'library' | 'change'> {
  isDue: boolean;
}

const indexedAs = (index: DialogueIndex, source: DialogueSource): string[] =>
  [...index.items().values()].filter((one) => one.source === source).map(({ id }) => id);

const lyricsTracks = ({ lyrics, isOnline }: IndexingNeeds['catalog']) => ({
  changedSince: lyrics.changedSince,
  isOnline,
});

/** Returns the films and episodes that changed. Their texts are read later: only ids are held. */
const changedFilms = ({ catalog, index }: IndexingNeeds, isFirstRun: boolean, signal: AbortSignal) =>
  changedItems<Subject, ChangedFilm>(
    {
      catalog,
      known: () => indexedAs(index, 'subtitles'),
      from: index.cursor().films,
      isFirstRun,
      changed: (subject) => {
        const signature = textsSignature(sourcesOf(subject));
        const { id, library, change } = subject;
        return signature === ''
          ? undefined
          : { id, library, change, isDue: index.items().get(id)?.signature !== signature };
      },
    },
    signal,
  );

/** Returns the tracks that changed. Whether one has lyrics is known when they are read. */
const changedTracks = ({ catalog, index }: IndexingNeeds, isFirstRun: boolean, signal: AbortSignal) =>
  changedItems<FollowedItem, FollowedItem>(
    {
      catalog: lyricsTracks(catalog),
      known: () => indexedAs(index, 'lyrics'),
      from: index.cursor().tracks,
      isFirstRun,
      changed: (track) => track,
    },
    signal,
  );

async function changedItems<T extends FollowedItem, C>(
  {
    catalog,
    known,
    from,
    isFirstRun,
    changed,
  }: {
    catalog: FollowedCatalog<T>;
    /** Returns the ids of the items of this kind that are in the index. */
    known(): string[];
    from: FollowedPosition;
    isFirstRun: boolean;
    /** Returns undefined for an item without texts. */
    changed(item: T): C | undefined;
  },
  signal: AbortSignal,
): Promise<ChangedItems<C>> {
  // The main database may have been restored from a backup since: then the position belongs to no row of it.
  const isLost =
    isFirstRun && from.change > 0 && (await catalog.changedSince(from.change - 1, 1))[0]?.change !== from.change;
  const found: ChangedItems<C> = { all: [], gone: [], position: isLost ? BEFORE_ALL : from };
  const seen = new Set<string>();
  for await (const { items, putOff, position } of changesSince(catalog, found.position, signal)) {
    for (const item of items) {
      const one = item.gone ? undefined : changed(item);
      if (one === undefined) found.gone.push(item.id);
      else found.all.push(one);
    }
    if (isLost) for (const { id } of [...items, ...putOff]) seen.add(id);
    found.position = position;
  }
  if (isLost) found.gone.push(...known().filter((id) => !seen.has(id)));
  return found;
}

async function goneItems(
  { catalog, index }: IndexingNeeds,
  signal: AbortSignal,
): Promise<{ ids: string[]; cursor: number }> {
  const ids: string[] = [];
  let { gone: cursor } = index.cursor();
  for (let read = READ; read === READ;) {
    signal.throwIfAborted();
    const rows = await catalog.goneSince(cursor, READ);
    read = rows.length;
    ids.push(...rows.map(({ id }) => id));
    cursor = rows.at(-1)?.change ?? cursor;
  }
  return { ids, cursor };
}

type Work = Context & { pending: Set<string> };

/** Indexes the films that are due. Returns those whose library was away. */
async function indexFilms(needs: IndexingNeeds, films: readonly ChangedFilm[], work: Work): Promise<ChangedFilm[]> {
  const notRead: ChangedFilm[] = [];
  const due = films.filter(({ isDue }) => isDue);
  for (const [i, film] of due.entries()) {
    work.signal.throwIfAborted();
    work.progress(i / due.length, { reason: 'videos-of', values: { done: i, total: due.length } });
    const subject = await needs.catalog.subject(film.id);
    if (subject && !subject.gone && !(subject.available && (await indexFilm(needs, subject, work)))) notRead.push(film);
    work.pending.delete(film.id);
  }
  return notRead;
}

/** Returns false if a text could not be read now, because its library is away. */
async function indexFilm(needs: IndexingNeeds, subject: Subject, { piece, signal }: Work): Promise<boolean> {
  const { index, log } = needs;
  const sources = sourcesOf(subject);
  let isWhole = true;
  const failed = (error: unknown): void => {
    if (!(error instanceof Failure)) throw error;
    if (error.kind === 'unavailable' && !(error instanceof ProcessFailure)) isWhole = false;
    log.warn('dialogue.not-read', { item: subject.id, reason: error.message });
  };
  const read = (until: AbortSignal) =>
    Promise.all(
      sources.map((one) => readSources({ ffmpeg: needs.ffmpeg, root: needs.catalog.root }, one, failed, until)),
    );
  const texts = await piece(read);
  if (!isWhole) return false;
  try {
    await index.put({ id: subject.id, source: 'subtitles', signature: textsSignature(sources) }, texts.flat(), signal);
  } catch (error) {
    // One subtitle that takes too long or too much memory must not keep all others from being found.
    if (!(error instanceof StoreThreadFailure) || error.fault !== 'ended') throw error;
    log.warn('dialogue.not-read', { item: subject.id, reason: error.message });
    await index.put({ id: subject.id, source: 'subtitles', signature: textsSignature(sources) }, [], signal);
  }
  return true;
}

/** Indexes the lyrics of tracks. Returns those whose library was away. */
async function indexLyrics(needs: IndexingNeeds, tracks: readonly FollowedItem[], work: Work): Promise<FollowedItem[]> {
  const { index, catalog, log } = needs;
  const notRead: FollowedItem[] = [];
  for (const [i, track] of tracks.entries()) {
    const { id } = track;
    work.signal.throwIfAborted();
    await work.turn();
    if (i % PROGRESS_EVERY === 0)
      work.progress(i / tracks.length, { reason: 'lyrics-of', values: { done: i, total: tracks.length } });
    const lyrics = await catalog.lyrics.of(id, work.signal).catch((error: unknown) => {
      work.signal.throwIfAborted();
      log.warn('dialogue.not-read', { item: id, reason: error instanceof Error ? error.message : String(error) });
      if (error instanceof Failure && error.kind === 'unavailable') notRead.push(track);
      return null;
    });
    work.pending.delete(id);
    if (lyrics === null) continue;
    if (!catalog.isOnline(track.library)) {
      notRead.push(track);
      continue;
    }
    const signature = createHash('sha256')
      .update(JSON.stringify(lyrics?.lines ?? []))
      .digest('base64url')
      .slice(0, 22);
    const known = index.items().get(id);
    if (known?.signature === signature || (!lyrics && !known)) continue;
    const lines = (lyrics?.lines ?? []).map(({ start, text }) => ({
      start: start === undefined ? null : Math.round(start * 1000),
      end: null,
      text,
    }));
    await index.put(
      { id, source: 'lyrics', signature },
      lyrics ? [{ ...(lyrics.language !== undefined && { language: lyrics.language }), content: { lines } }] : [],
      work.signal,
    );
  }
  return notRead;
}
