/**
 * Playback's door: the bytes of an item, its subtitles, and the plan that leads to them.
 *
 * Every call begins with the catalogue as the caller may see it; what that does not show is missing here too.
 */
import { setTimeout } from 'node:timers/promises';
import type { Catalog } from '../catalog/index.ts';
import type { Config } from '../config/index.ts';
import type { PlaybackFinding } from '../contract/playback/findings.ts';
import type { Principal } from '../contract/kernel/principal.ts';
import type { Bus } from '../lib/bus.ts';
import type { Database, Migration } from '../lib/db/index.ts';
import { Failure } from '../lib/failure.ts';
import { createKeptFiles } from '../lib/files.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import type { BackgroundLoad } from './extras.ts';
import { createFiles, type Files } from './files.ts';
import type { PlaybackHardware } from './hardware/index.ts';
import { createCueTracks } from './hls/cue-tracks.ts';
import { createMaking, type MakingNeeds } from './making.ts';
import type { Markers } from './markers/index.ts';
import { markerMigrations } from './markers/store.ts';
import type { MakeTicket, PlaybackPlan } from './plan/make.ts';
import { playableFile, type FileChoice } from './opening.ts';
import { createPlanning, type PlanningNeeds, type PlanQuestion } from './planning.ts';
import { createPlaying, type SessionControl } from './session/playing.ts';
import { createPlaybackLog, type PlaybackLogNeeds } from './session/playback-log.ts';
import { createWatchTime } from './session/watch-time.ts';
import { createPlaybackSessions, type PlaybackSessions } from './session/sessions.ts';
import { sessionMigrations, sessionStore } from './session/store.ts';
import { createCutTracks, type CutNeeds } from './cuts.ts';
import { createSources } from './sources.ts';
import { type OpenFont, openFont } from './subtitle/fonts.ts';
import { createSubtitleTracks, type SubtitleTrackNeeds, type SubtitleTracks } from './subtitle/index.ts';

export { createExtras, type Extras } from './extras.ts';
export { type OpenMedia, validatorsOf } from './files.ts';
export { createHardware, type PlaybackHardware, type HardwareNeeds } from './hardware/index.ts';
export type { MakeTicket, PlaybackPlan, PlanTicket } from './plan/make.ts';
export { readCapabilities } from './plan/names.ts';
export type { SubtitleReply } from './subtitle/index.ts';

const pause = (ms: number, signal: AbortSignal): Promise<void> => setTimeout(ms, undefined, { signal }).catch(() => {});

export const playbackMigrations: readonly Migration[] = [...sessionMigrations, ...markerMigrations];

/** Present names of Profiles and devices. */
export interface ProfileNames {
  profileName(id: string): string | undefined;
  /** Returns the name of the caller's device. */
  deviceOf(by: Principal): string;
  /** Returns the id of the caller's device. */
  deviceIdOf(by: Principal): string | undefined;
  /** The caller as they are now; undefined once they may not do anything any more. */
  current(by: Principal): Principal | undefined;
  /** Time of a Profile for each day; undefined without a limit. */
  timeOf(profile: string): { isOver: boolean } | undefined;
  /** Counts time that a Profile played. */
  watched(profile: string, ms: number): void;
}

export interface PlaybackNeeds
  extends
    Pick<MakingNeeds, 'processes' | 'encoders' | 'log' | 'cache' | 'clock' | 'measure'>,
    Pick<SubtitleTrackNeeds, 'convert' | 'toPgs'>,
    Pick<PlanningNeeds, 'likedAudio'> {
  db: Database;
  bus: Bus;
  activity: PlaybackLogNeeds['activity'];
  catalog: Pick<Catalog, 'seenBy' | 'root'> & { watching: Pick<Catalog['watching'], 'rows'> };
  people: ProfileNames;
  /** Called when a session ended: open replies of it have to be looked at. */
  reviewReplies(): void;
  ffmpeg: SubtitleTrackNeeds['ffmpeg'] & CutNeeds['ffmpeg'];
  makeTicket: MakeTicket;
  config: Pick<Config, 'get'>;
  markers: Pick<Markers, 'of'>;
  /** Conversion abilities of this machine. */
  hardware: Pick<PlaybackHardware, 'machine' | 'noteFailure'>;
}
type By = Principal;

export interface Playback extends Files {
  subtitles: {
    track: SubtitleTracks['read'];
    /** Opens a font that is in the file, for subtitles that name it. Fails as `missing` where there is none. */
    font(by: By, which: FileChoice & { number: number }, signal: AbortSignal): Promise<OpenFont>;
  };
  /** Plans how an item is played, and opens the session for it. An abort ends what is read for it alone. */
  plan(by: By, question: PlanQuestion, signal: AbortSignal): Promise<PlaybackPlan>;
  /** Playlists and segments of sessions. */
  delivery: Pick<Delivery, 'file' | 'mayContinue' | 'streamed'>;
  /**
   * Notes that a session plays its file as it is. Fails as `missing`, as `gone` once it ended, as `conflict` beyond the
   * limits, and as `forbidden` without a session if the time of the Profile is counted.
   */
  enter(by: By, id: string, session: string | undefined): void;
  playing: Pick<SessionControl, 'list' | 'read' | 'stop' | 'review' | 'reported'> & {
    /** Called when a person opens an item. Prepares what the first plan needs. */
    expect(): void;
  };
  background: BackgroundLoad;
  /** Ends in the activity log what played when the server was killed. */
  start(): Promise<void>;
  /** Findings for Owners. */
  findings(): PlaybackFinding[];
  forgetProfile: PlaybackSessions['forgetProfile'];
  close(): Promise<void>;
}

/** Loads the sessions of before. */
export async function createPlayback(needs: PlaybackNeeds): Promise<Playback> {
  const { db, bus, catalog, people, hardware, log, clock } = needs;
  const announce = (): void => bus.announce('playback.changed');
  // The files, and what is made of them.
  const kept = createKeptFiles({ clock });
  const cuts = createCutTracks(needs);
  const sources = createSources({ catalog, kept, cuts });
  const subtitles = createSubtitleTracks(needs);
  const making = createMaking({
    ...needs,
    sources,
    isPlaying: () => playing.isActive(),
    onHardwareFailure: (accelerator, error) => {
      hardware.noteFailure(accelerator, error);
      announce();
    },
  });
  // The sessions in which it is played, and what each of them is sent.
  const sessions = await createPlaybackSessions({
    store: sessionStore(db),
    clock,
    log,
    ended: needs.reviewReplies,
    changed: announce,
    release: (id) => {
      delivery.release(id);
      making.transcode.leave(id);
    },
  });
  const cues = createCueTracks();
  const delivery: Delivery = createDelivery({
    catalog,
    sessions,
    sources,
    makers: making.streams,
    cues,
    watchTime: { send: (...sent) => watchTime.send(...sent), paced: (...sent) => watchTime.paced(...sent) },
    subtitle: subtitles.read,
  });
  const playing = createPlaying({
    sessions,
    catalog,
    profileName: people.profileName,
    current: people.current,
    stateOf: making.stateOf,
    isTimeOver: (profile) => people.timeOf(profile)?.isOver === true,
  });
  const played = createPlaybackLog({ ...needs, sessions, deviceIdOf: people.deviceIdOf });
  const watchTime = createWatchTime({ sessions, clock, people, review: playing.review, wait: pause });
  const plan = createPlanning({
    ...needs,
    sessions,
    sources,
    deviceOf: people.deviceOf,
    machine: hardware.machine,
    prepare: delivery.prepare,
    indexOf: making.remux.facts,
    troubleOf: making.transcode.trouble,
    isBusy: making.transcode.isBusy,
    isConverted: making.transcode.isRunning,
  });
  const stopFollowing = [bus.on('watching.changed', playing.follow), bus.on('playback.changed', played.look)];

  return {
    ...createFiles({ catalog, kept, cuts }),
    subtitles: {
      track: subtitles.read,
      font: async (by, { number, ...which }, signal) => {
        const source = await sources.of(await playableFile(catalog.seenBy(by), which));
        return openFont(source, await making.remux.fonts(source, signal), number);
      },
    },
    plan: async (by, question, signal) => {
      watchTime.refuseOver(by);
      return plan(by, question, signal);
    },
    delivery,
    enter: (by, id, session) => {
      if (!catalog.seenBy(by).isSeen(id)) throw new Failure('missing', 'no such item', { reason: 'no-such-item' });
      if (session !== undefined) sessions.enter(by, id, session);
      else watchTime.requireSession(by);
    },
    playing: { ...playing, expect: making.remux.warm },
    background: making.background,
    start: played.settle,
    findings: () => making.findings(),
    forgetProfile: sessions.forgetProfile,
    close: async () => {
      for (const stop of stopFollowing) stop();
      watchTime.close();
      delivery.close();
      cues.close();
      kept.close();
      cuts.close();
      subtitles.close();
      await making.close();
      await played.close();
      await sessions.close();
    },
  };
}
