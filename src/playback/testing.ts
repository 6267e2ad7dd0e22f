/** For tests of playback: a folder of media, a catalogue that shows it, and the road over both. */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Catalog, MediaInfo, PlayableFile, VisibleCatalog, Sidecar, Stream, Subject } from '../catalog/index.ts';
import type { Item } from '../contract/catalog/items.ts';
import { startTestServer } from '../http/testing.ts';
import { createBus } from '../lib/bus.ts';
import { systemClock } from '../lib/clock.ts';
import { openTemporaryDatabase } from '../lib/db/testing.ts';
import { createEncoder } from '../lib/ffmpeg/encode/index.ts';
import { createFfmpeg, type Ffmpeg } from '../lib/ffmpeg/index.ts';
import { openRoot } from '../lib/files.ts';
import { createIoPool } from '../lib/io-pool.ts';
import { createProcesses, type Processes } from '../lib/process.ts';
import { quietLog } from '../lib/process/testing.ts';
import { pgsOf } from '../subtitles/drafts/picture-track.ts';
import { localReader } from '../subtitles/worker/reader.ts';
import { cautiousMachine } from './plan/machine.ts';
import { createPlayback, type Playback, playbackMigrations, type PlaybackNeeds } from './index.ts';
import { playbackRoutes } from './routes.ts';
import { builtHelper } from '../../test/built-helpers.ts';

/** An activity log that keeps nothing. */
export const SILENT_ACTIVITY: PlaybackNeeds['activity'] = {
  record: async () => {},
  reading: { page: async () => ({ entries: [], total: 0 }), pages: async function* () {} },
};

export const ID = 'a'.repeat(16);
export const HIDDEN = 'b'.repeat(16);
const LIBRARY = '1'.repeat(16);
const VERSION = '2'.repeat(16);

export const makeStream = (index: number, type: Stream['type'], codec: string, more: Partial<Stream> = {}): Stream => ({
  index,
  type,
  codec,
  default: false,
  forced: false,
  hearingImpaired: false,
  commentary: false,
  original: false,
  cover: false,
  ...more,
});

export interface Media {
  folder: string;
  /** Writes a file of the library. */
  write(name: string, bytes: string | Uint8Array): void;
  /** State of the fake catalogue; tests may change it. */
  file: PlayableFile;
  sidecars: Sidecar[];
  userData: Item['userData'];
  playback: Playback;
  catalog: PlaybackNeeds['catalog'];
  ffmpeg: Ffmpeg;
  processes: Processes;
  /** How many passes over the file were begun. */
  passes: () => number;
  get(path: string, headers?: Record<string, string>, method?: string): Promise<Response>;
  road: Awaited<ReturnType<typeof startTestServer>>;
  base: string;
}

export const makeSidecar = (name: string, more: Partial<Sidecar> = {}): Sidecar => ({
  relative: name,
  name,
  language: undefined,
  role: 'normal',
  format: name.split('.').at(-1) ?? '',
  title: undefined,
  isHidden: false,
  isDefault: false,
  size: 0,
  modifiedMs: 0,
  version: VERSION,
  part: 1,
  ...more,
});

interface Options {
  info?: Partial<MediaInfo>;
  name?: string;
  /** Folders in which programs are looked up, instead of the usual ones. */
  path?: string;
  kind?: 'movie' | 'episode';
  needs?: Partial<PlaybackNeeds>;
  /** Values of settings; the rest are blank. */
  settings?: Record<string, unknown>;
}

export async function openTestMedia(
  t: TestContext,
  { info, name = 'Film.mkv', path, kind = 'movie', needs = {}, settings = {} }: Options = {},
): Promise<Media> {
  const base = mkdtempSync(join(tmpdir(), 'playback-'));
  const folder = join(base, 'library');
  mkdirSync(folder);
  const processes = await createProcesses({
    helperModule: builtHelper,
    log: quietLog,
    temporary: join(base, 'tmp'),
    ...(path !== undefined && { path }),
  });
  const real = createFfmpeg({ processes });
  let passes = 0;
  const ffmpeg: Ffmpeg = {
    ...real,
    extractText: (...args) => (passes++, real.extractText(...args)),
    extractPictures: (...args) => (passes++, real.extractPictures(...args)),
  };
  const ioPool = createIoPool({ threads: 4 });
  const file: PlayableFile = {
    id: VERSION,
    item: ID,
    library: LIBRARY,
    root: folder,
    relative: name,
    size: 1,
    modifiedMs: 1,
    part: 1,
    info: { container: 'matroska', size: 1, duration: 10, streams: [], chapters: [], tags: {}, ...info },
    available: true,
  };
  const state = {
    file,
    sidecars: [] as Sidecar[],
    userData: { position: 0, watched: false, playCount: 0, listed: false } as Item['userData'],
  };
  const catalog = fakeCatalog(state, kind, (root) => openRoot(root, ioPool.forLibrary(root)));
  // Each look at this clock is a second later, so that every request checks the name of its file.
  let time = 0;
  const clock = { monotonic: () => (time += 1_000), now: () => Date.now() };
  const playback = await createPlayback({
    ...(await openPlaybackNeeds(t)),
    processes,
    encoders: createEncoder({ processes }),
    clock,
    config: { get: (key) => settings[key] as never },
    markers: { of: async () => [] },
    hardware: { machine: () => cautiousMachine(2), noteFailure: () => {} },
    catalog,
    ffmpeg,
    log: quietLog,
    cache: join(base, 'cache'),
    makeTicket: ({ purpose, item }) => ({
      ticket: `ticket-${purpose}-${item.slice(0, 2)}`,
      expiresAt: Date.UTC(2030, 0, 1),
    }),
    convert: localReader.convert,
    toPgs: (track, source, signal) => pgsOf(track, { ...source, ffmpeg }, signal),
    ...needs,
  });
  const ways = await startTestServer(t, playbackRoutes(playback));
  t.after(async () => {
    await playback.close();
    await processes.close();
    ioPool.close();
    rmSync(base, { recursive: true, force: true });
  });
  const get: Media['get'] = (at, headers = {}, method = 'GET') =>
    fetch(`http://127.0.0.1:${ways.port}${at}`, { method, headers: { authorization: 'Bearer owner', ...headers } });
  return {
    base,
    folder,
    file,
    processes,
    ffmpeg,
    playback,
    catalog,
    get,
    road: ways,
    passes: () => passes,
    write: (one, bytes) => {
      writeFileSync(join(folder, one), bytes);
      if (one === name) file.size = statSync(join(folder, one)).size;
    },
    get sidecars() {
      return state.sidecars;
    },
    set sidecars(all) {
      state.sidecars = all;
    },
    userData: state.userData,
  };
}

/** Base of playback besides media: an empty database, and Profiles with all rights. */
export async function openPlaybackNeeds(
  t: TestContext,
): Promise<Pick<PlaybackNeeds, 'db' | 'bus' | 'people' | 'activity' | 'reviewReplies' | 'clock'>> {
  const bus = createBus((error) => {
    throw error;
  });
  return {
    db: await openTemporaryDatabase(t, playbackMigrations),
    bus,
    people: {
      profileName: () => 'Ada',
      timeOf: () => undefined,
      watched: () => {},
      deviceOf: () => 'Living room',
      deviceIdOf: () => undefined,
      current: (by) => by,
    },
    activity: SILENT_ACTIVITY,
    reviewReplies: () => {},
    clock: systemClock,
  };
}

function fakeCatalog(
  state: { file: PlayableFile; sidecars: Sidecar[]; userData: Item['userData'] },
  kind: 'movie' | 'episode',
  root: Catalog['root'],
): PlaybackNeeds['catalog'] {
  const subject = (): Subject => ({
    id: ID,
    library: state.file.library,
    kind,
    title: kind === 'movie' ? 'Le Voyage: dans/la "Lune"' : 'Pilot',
    year: 1902,
    show: kind === 'movie' ? undefined : { id: '3'.repeat(16), title: 'A Show', year: undefined, ids: {} },
    season: kind === 'movie' ? undefined : 1,
    episode: kind === 'movie' ? undefined : 2,
    episodeEnd: undefined,
    ids: {},
    added: 0,
    available: true,
    files: [state.file],
    sidecars: state.sidecars,
    editLists: [],
    change: 1,
    gone: false,
  });
  const is = (id: string) => id === ID;
  const seen: Pick<VisibleCatalog, 'file' | 'subject' | 'item' | 'isSeen'> = {
    isSeen: is,
    file: async (id, version, part = 1) =>
      is(id) && part === state.file.part && (version === undefined || version === state.file.id)
        ? state.file
        : undefined,
    subject: async (id) => (is(id) ? subject() : undefined),
    item: async (id) => (is(id) ? ({ id, next: '9'.repeat(16), userData: state.userData } as Item) : undefined),
  };
  return { root, seenBy: () => seen as VisibleCatalog, watching: { rows: async () => new Map() } };
}
