/**
 * Playback's door: the bytes of an item, its subtitles, and the plan that leads to them.
 *
 * Every call begins with the catalogue as the caller may see it; what that does not show is missing here too.
 */
import { availableParallelism } from 'node:os';
import type { Catalog } from '../catalog/index.ts';
import type { Config } from '../config/index.ts';
import type { Finding } from '../contract/operations.ts';
import type { Principal } from '../contract/principal.ts';
import type { Bus } from '../lib/bus.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database, Migration } from '../lib/db/index.ts';
import type { Encoder as Encoders } from '../lib/ffmpeg/encode/index.ts';
import type { Ffmpeg } from '../lib/ffmpeg/index.ts';
import { Failure, found } from '../lib/failure.ts';
import { createKeptFiles, type OpenFile, unchanging } from '../lib/files.ts';
import type { Log } from '../lib/log.ts';
import type { Processes } from '../lib/process.ts';
import type { Subtitles } from '../subtitles/index.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import type { Background } from './extras.ts';
import { createCueTracks } from './hls/cue-tracks.ts';
import type { StreamMakers } from './hls/streams.ts';
import type { Markers } from './markers/index.ts';
import { markerMigrations } from './markers/store.ts';
import { downloadName, etagOf, extensionOf, fileOf, openIn, type Which } from './opening.ts';
import { createWalks } from './media-index/walk/walks.ts';
import { mediaTypeOf } from './plan/codecs.ts';
import type { MakeTicket, Plan } from './plan/make.ts';
import { videoOf } from './plan/support.ts';
import type { Encoder } from './plan/types.ts';
import { hardwareFailed } from './plan/causes.ts';
import { causeOnly } from './plan/words.ts';
import { createPlanning, type PlanQuestion } from './planning.ts';
import type { Hardware } from './hardware/index.ts';
import { plainReason } from './hardware/reasons.ts';
import { createRemux } from './remux/index.ts';
import { type ConversionState, createPlaying, type Playing } from './session/playing.ts';
import { createSessions } from './session/sessions.ts';
import { sessionMigrations, sessionStore } from './session/store.ts';
import { createSources } from './sources.ts';
import { createSubtitleCache } from './subtitle/cache.ts';
import { createExtractor } from './subtitle/extract.ts';
import { type OpenFont, openFont } from './subtitle/fonts.ts';
import { createPictures } from './subtitle/pictures.ts';
import { serveSubtitle, type SubtitleQuery, type SubtitleReply } from './subtitle/serve.ts';
import { createTranscode, type Transcode } from './transcode/index.ts';

export { createExtras, type Extras } from './extras.ts';
export { createHardware, type Hardware, type HardwareNeeds } from './hardware/index.ts';
export { etagOf } from './opening.ts';
export type { MakeTicket, Plan, Ticket } from './plan/make.ts';
export { readCapabilities } from './plan/names.ts';
export type { SubtitleReply } from './subtitle/serve.ts';

export const playbackMigrations: readonly Migration[] = [...sessionMigrations, ...markerMigrations];

/** Who people are, as identity knows them now. */
export interface People {
  profileName(id: string): string | undefined;
  /** What the device of a caller is called. */
  deviceOf(by: Principal): string;
  /** The caller as they are now; undefined once they may not do anything any more. */
  current(by: Principal): Principal | undefined;
}

export interface PlaybackNeeds {
  db: Database;
  bus: Bus;
  catalog: Pick<Catalog, 'seenBy' | 'root'> & { watching: Pick<Catalog['watching'], 'rows'> };
  people: People;
  /** Called when a session ended: open replies of it have to be looked at. */
  reviewReplies(): void;
  processes: Pick<Processes, 'startHelper'>;
  encoders: Encoders;
  ffmpeg: Pick<Ffmpeg, 'extractText' | 'extractPictures' | 'probe'>;
  log: Log;
  /** The server's folder for what can be made again (`paths.cache`). */
  cache: string;
  makeTicket: MakeTicket;
  config: Pick<Config, 'get'>;
  markers: Pick<Markers, 'of'>;
  /** What this machine converts. */
  hardware: Pick<Hardware, 'machine' | 'noteFailure'>;
  convert: Subtitles['delivery']['convert'];
  toPgs: Subtitles['delivery']['toPgs'];
  /** Languages that a Profile likes to hear, the best first. */
  likedAudio?: ((by: Principal) => Promise<readonly string[]> | readonly string[]) | undefined;
  clock: Clock;
  /** Returns the free space of a folder, for tests. */
  measure?: ((folder: string) => Promise<{ free: number }>) | undefined;
}

/** An open media file. Whoever has it closes it. */
export interface OpenMedia {
  file: OpenFile;
  type: string;
  filename?: string;
}
type By = Principal;

export interface Playback {
  /**
   * Opens the file of an item. Fails as missing where it may not be seen, and as unavailable while it is away.
   * `expected` is the byte that will probably be read first.
   */
  media(by: By, which: Which, expected?: number): Promise<OpenMedia>;
  /** As `media`, with a name to keep it by. Fails as forbidden where the Profile may not download. */
  download(by: By, which: Which): Promise<OpenMedia>;
  subtitles: {
    track(by: By, query: SubtitleQuery, signal: AbortSignal): Promise<SubtitleReply>;
    /** Opens a font that is in the file, for subtitles that name it. Fails as `missing` where there is none. */
    font(by: By, which: Which & { number: number }, signal: AbortSignal): Promise<OpenFont>;
  };
  /** Whether a caller may still have the bytes of an item, for replies that are open. */
  isAllowed(by: By, id: string, purpose: 'play' | 'download'): boolean;
  /** Plans how an item is played, and opens the session for it. An abort ends what is read for it alone. */
  plan(by: By, question: PlanQuestion, signal: AbortSignal): Promise<Plan>;
  /** Playlists and segments of sessions. */
  delivery: Pick<Delivery, 'file' | 'mayContinue'>;
  /** Notes that a session plays its file as it is. Fails as `missing`, as `gone` once it ended, as `conflict` beyond the limits. */
  enter(by: By, id: string, session: string): void;
  playing: Pick<Playing, 'list' | 'read' | 'stop' | 'review' | 'durationOf'> & {
    /** Called when somebody looks at an item: what the first plan needs is started meanwhile. */
    expect(): void;
  };
  background: Background;
  /** What is worth an Owner's attention. */
  findings(): Finding[];
  forgetProfile(profile: string): Promise<void>;
  close(): Promise<void>;
}

/** Loads the sessions of before. */
export async function createPlayback(needs: PlaybackNeeds): Promise<Playback> {
  const { db, bus, catalog, people, ffmpeg, log, cache: folder, convert, toPgs, clock } = needs;
  const kept = createKeptFiles({ clock });
  const extractor = createExtractor({ ffmpeg });
  const making = new Map<string, Promise<Buffer>>();
  const cache = createSubtitleCache({ folder: `${folder}/subtitles`, log });
  const pictures = createPictures({ catalog, ffmpeg, toPgs, cache });
  const cues = createCueTracks();
  const subtitle: Playback['subtitles']['track'] = (by, query, signal) => serveSubtitle({ catalog, extractor, pictures, cache, convert, making }, catalog.seenBy(by), query, signal);
  const sources = createSources({ catalog, kept });
  const walks = createWalks({ processes: needs.processes, log, clock, cache: folder, isPlaying: () => playing.isActive() });
  const remux = createRemux({ processes: needs.processes, log, stored: walks.stored });
  const transcode = createTranscode({
    encoders: needs.encoders, ffmpeg, log, cache: folder, mostSoftware: Math.max(1, Math.floor(availableParallelism() / 2)), clock,
    onHardwareFailure: (accelerator, error) => {
      needs.hardware.noteFailure(accelerator, error);
      bus.announce('playback.changed');
    },
    ...(needs.measure && { room: { measure: needs.measure } }),
  });
  const makers: StreamMakers = { copy: remux.rendition, video: (source, recipe, encoder, signal) => transcode.video(source, recipe, encoder ?? ANY_ENCODER, signal), audio: transcode.audio };
  const sessions = await createSessions({
    store: sessionStore(db), clock, log,
    release: (id) => {
      delivery.release(id);
      transcode.leave(id);
    },
    ended: needs.reviewReplies,
    changed: () => bus.announce('playback.changed'),
  });
  const delivery: Delivery = createDelivery({ catalog, sessions, sources, makers, cues, subtitle });
  const playing = createPlaying({ sessions, catalog, profileName: people.profileName, current: people.current, stateOf: (id) => stateOf(transcode, id) });
  const plan = createPlanning({
    catalog, config: needs.config, markers: needs.markers, sessions, sources, makeTicket: needs.makeTicket, likedAudio: needs.likedAudio, deviceOf: people.deviceOf,
    indexOf: remux.facts,
    machine: needs.hardware.machine,
    troubleOf: transcode.trouble,
    isBusy: transcode.isBusy,
    isConverted: transcode.isRunning,
    prepare: delivery.prepare,
  });
  const stopFollowing = bus.on('watching.changed', playing.follow);

  return {
    media: async (by, which, expected) => {
      const file = await fileOf(catalog.seenBy(by), which);
      const type = mediaTypeOf({ container: file.info?.container, extension: extensionOf(file.relative), hasVideo: !file.info || videoOf(file.info) !== undefined });
      return { file: await openIn(catalog, file, file.relative, { kept, expected }), type };
    },
    download: async (by, which) => {
      if (!by.policy.download) throw new Failure('forbidden', 'this Profile may not download');
      const seen = catalog.seenBy(by);
      const [file, subject] = await Promise.all([fileOf(seen, which), seen.subject(which.id)]);
      const parts = subject?.files.filter(({ id }) => id === file.id).length ?? 1;
      const name = downloadName(found(subject, 'no such item'), extensionOf(file.relative), parts > 1 ? { number: file.part } : undefined);
      return { file: unchanging(await openIn(catalog, file, file.relative)), type: 'application/octet-stream', filename: name };
    },
    isAllowed: (by, id, purpose) => (purpose === 'play' || by.policy.download) && catalog.seenBy(by).isSeen(id),
    subtitles: {
      track: subtitle,
      font: async (by, { number, ...which }, signal) => {
        const source = await sources.of(await fileOf(catalog.seenBy(by), which));
        return openFont(source, await remux.fonts(source, signal), number);
      },
    },
    plan,
    delivery,
    enter: (by, id, session) => {
      if (!catalog.seenBy(by).isSeen(id)) throw new Failure('missing', 'no such item');
      sessions.enter(by, id, session);
    },
    playing: { ...playing, expect: remux.warm },
    background: {
      isPlaying: playing.isActive,
      isConverting: () => transcode.live().some(({ kind, accelerator, isHeld }) => kind === 'video' && accelerator === 'none' && !isHeld),
      walk: async (file, options, signal) => void (await walks.walk(await sources.of(file), options, signal)),
      hasRoomForIndexes: walks.hasRoom,
      copiedVideo: async (file, signal) => {
        const video = videoOf(file.info);
        if (!video) return undefined;
        try {
          return await remux.rendition(await sources.of(file), video.index, { isOpenGopAllowed: true }, signal);
        } catch (error) {
          signal.throwIfAborted();
          if (error instanceof Failure && error.kind === 'conflict') return undefined;
          throw error;
        }
      },
    },
    findings: () => {
      const indexes = walks.trouble();
      const sentences = [...transcode.findings().map(({ detail }) => detail), ...(indexes === undefined ? [] : [`Indexes of recordings cannot be kept on the disk (${indexes}). Recordings are read through again after a restart.`])];
      return sentences.map((sentence) => ({ level: 'warning', subject: 'playback', sentence }));
    },
    forgetProfile: sessions.forgetProfile,
    close: async () => {
      stopFollowing();
      delivery.close();
      cues.close();
      kept.close();
      extractor.close();
      pictures.close();
      transcode.close();
      await walks.close();
      await remux.close();
      await sessions.close();
    },
  };
}

/** For a recipe that was stored without who encodes it. */
const ANY_ENCODER: Encoder = { preset: 'veryfast' };

/** The conversion that decides about a session: of its video where there is one. */
function stateOf(transcode: Pick<Transcode, 'live' | 'fallback'>, session: string): ConversionState {
  const own = transcode.live().filter((one) => one.session === session);
  const one = own.find(({ kind }) => kind === 'video') ?? own[0];
  const fallback = transcode.fallback(session);
  const reasons = fallback ? [causeOnly(hardwareFailed(fallback.accelerator, plainReason(fallback.error)))] : [];
  return { reasons, ...(one && one.accelerator !== 'none' && { accelerator: one.accelerator }), ...(one?.speed !== undefined && { speed: one.speed }) };
}

/** What validates the bytes of an open media file. */
export const validatorsOf = ({ file }: OpenMedia): { etag: string; modified: number } => ({ etag: etagOf(file), modified: file.mtimeMs });
