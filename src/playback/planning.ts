/**
 * Plans how an item is played by a caller, and opens the session in which that happens.
 *
 * What is not played as it is depends on where its video can be cut. That is looked up for the version that is chosen
 * without it, and then the plan is made again, until the plan is one that its own version's index confirms.
 */
import type { Catalog, MediaInfo, PlayableFile, Subject } from '../catalog/index.ts';
import type { Config } from '../config/index.ts';
import type { Principal } from '../contract/kernel/principal.ts';
import { Failure, found } from '../lib/failure.ts';
import type { Markers } from './markers/index.ts';
import type { MediaIndex } from './media-index/live.ts';
import { type PlannedItem, planItem } from './plan/item.ts';
import { planSettings } from './plan/machine.ts';
import { type PlanChoices, type MakeTicket, type PlaybackPlan, replyOf } from './plan/make.ts';
import type {
  Client,
  FileRecipe as PlanRecipe,
  IndexFacts,
  Machine,
  TrackFacts,
  Trouble,
  VideoRecipe,
} from './plan/types.ts';
import { changeRecipe, recipeOf } from './recipe.ts';
import type { MediaSource } from './rendition.ts';
import type { PlaybackSessions } from './session/sessions.ts';
import type { PlaybackSession } from './session/types.ts';
import type { Sources } from './sources.ts';

/** Request for a plan. */
export interface PlanQuestion {
  id: string;
  client: Client;
  choices: PlanChoices;
  /** Whether the caller is away from home. */
  isRemote: boolean;
}

export interface PlanningNeeds {
  catalog: Pick<Catalog, 'seenBy'>;
  config: Pick<Config, 'get'>;
  markers: Pick<Markers, 'of'>;
  sessions: Pick<PlaybackSessions, 'begin' | 'own' | 'placesOf'>;
  sources: Sources;
  makeTicket: MakeTicket;
  likedAudio?: ((by: Principal) => Promise<readonly string[]> | readonly string[]) | undefined;
  /** Returns the name of the caller's device. */
  deviceOf(by: Principal): string;
  /** Fails as `unavailable` while the file cannot be read. */
  indexOf(source: MediaSource, signal: AbortSignal): Promise<MediaIndex>;
  troubleOf(identity: string): Trouble;
  /** Conversion abilities of this machine, as far as they are known. */
  machine(): Machine;
  /** Whether no further video can be converted, not counting what these sessions convert. */
  isBusy(...sessions: string[]): boolean;
  /** Whether the video of this recipe is being converted now. */
  isConverted(source: MediaSource, recipe: VideoRecipe): boolean;
  /** Opens what the session will be asked for first. */
  prepare(session: PlaybackSession): void;
}

/** Known facts of a file that will be cut. */
interface Known {
  source: MediaSource;
  facts: IndexFacts;
}

export const createPlanning =
  (given: PlanningNeeds) =>
  async (
    by: Principal,
    { id, client, choices, isRemote }: PlanQuestion,
    signal: AbortSignal,
  ): Promise<PlaybackPlan> => {
    const needs = { ...given, signal };
    const { catalog, config, markers, sessions, makeTicket, likedAudio } = needs;
    const seen = catalog.seenBy(by);
    const [one, all, liked] = await Promise.all([seen.item(id), seen.subject(id), likedAudio?.(by) ?? []]);
    const item = found(one, 'no such item', 'no-such-item');
    const subject: Subject = found(all, 'no such item', 'no-such-item');
    const session = choices.session === undefined ? undefined : sessions.own(by, id, choices.session)?.id;
    const known = new Map<PlayableFile, Known | undefined>();
    const plan = (isBusy: boolean): PlannedItem =>
      planItem({
        files: subject.files,
        sidecars: subject.sidecars,
        choices,
        client,
        settings: planSettings(config),
        policy: { transcode: by.policy.transcode, isRemote },
        machine: { ...needs.machine(), isBusy },
        liked,
        index: (file) => known.get(file)?.facts,
        trouble: (file) => needs.troubleOf(known.get(file)?.source.identity ?? ''),
      });
    const confirmed = async (isBusy: () => boolean): Promise<PlannedItem> => {
      let made = plan(isBusy());
      // Each turn learns of at least one file.
      for (let unknown = unknownIn(made, known); unknown.length > 0; unknown = unknownIn(made, known)) {
        await Promise.all(unknown.map(async (file) => void known.set(file, await lookInto(needs, file))));
        made = plan(isBusy());
      }
      return made;
    };
    let planned = await confirmed(() => needs.isBusy(...sessions.placesOf(by, session)));
    if (planned.refusal === 'busy') {
      // Taking part in a conversion that runs anyway needs no place.
      const shared = await confirmed(() => false);
      if (shared.parts.some(({ file, decision: { recipe } }) => isShared(needs, known.get(file), recipe)))
        planned = shared;
    }
    const subtitles = config.get('playback.subtitles');
    const player = {
      autoSkip: config.get('playback.auto_skip') ?? [],
      autoplay: config.get('playback.autoplay') ?? true,
      showSubtitles: subtitles === undefined ? undefined : subtitles === 'on',
      subtitleLanguage: config.get('subtitles.language'),
    };
    const own = await markers.of(subject, planned.version, by);
    const reply = await replyOf({ item, planned, choices, client, markers: own, player, by, makeTicket });
    const recipe = recipeOf({
      planned,
      reply,
      identities: planned.parts.map(({ file }) => known.get(file)?.source.identity ?? ''),
      client,
      subtitle: choices.subtitle,
    });
    const opened = await sessions.begin(
      { by, item: id, device: needs.deviceOf(by), recipe, position: reply.position },
      choices.session,
      changeRecipe,
    );
    const isStreamed = recipe.videos.length + recipe.audios.length > 0;
    if (isStreamed) needs.prepare(opened);
    return { ...reply, urls: urlsOf(reply, { id, session: opened.id, isStreamed }), session: opened.id };
  };

const isShared = ({ isConverted }: PlanningNeeds, known: Known | undefined, recipe: PlanRecipe | undefined): boolean =>
  known !== undefined && recipe?.video?.action === 'convert' && isConverted(known.source, recipe.video.recipe);

/** Reads the indexes of files in the plan that are unknown. Files of absent libraries stay unknown. */
const unknownIn = ({ way, parts }: PlannedItem, known: ReadonlyMap<PlayableFile, Known | undefined>): PlayableFile[] =>
  way === 'direct'
    ? []
    : parts.map(({ file }) => file).filter((file) => file.available && file.info && !known.has(file));

/**
 * Undefined for a file that cannot be read now: what is planned for it may still be right, and playing it says what is
 * wrong.
 */
async function lookInto(
  { sources, indexOf, signal }: PlanningNeeds & { signal: AbortSignal },
  file: PlayableFile,
): Promise<Known | undefined> {
  try {
    const source = await sources.of(file);
    return { source, facts: indexFacts(await indexOf(source, signal), file.info) };
  } catch (error) {
    // A caller who left needs no plan.
    signal.throwIfAborted();
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/**
 * Returns what the plan needs of an index. Segments that begin at IDR frames show the most obstacles; clients that
 * start at other keyframes pass over `open-gop`. A stream that the index does not have cannot be copied.
 */
export function indexFacts(
  { duration, obstacles, tracks, main, plan }: MediaIndex,
  info: MediaInfo | undefined,
): IndexFacts {
  const found = tracks[main]?.kind === 'video' ? plan(false).obstacle : undefined;
  const missing = obstacles.includes('no-index') ? [] : (info?.streams ?? []);
  return {
    duration,
    obstacles: found === undefined ? obstacles : [...obstacles, found],
    tracks: new Map<number, TrackFacts>([
      ...missing.map(({ index }): [number, TrackFacts] => [index, { obstacles: ['codec'] }]),
      ...tracks.map((track): [number, TrackFacts] => [track.stream, track]),
    ]),
  };
}

/** The addresses of a plan, with its session in them. */
function urlsOf(
  { urls }: PlaybackPlan,
  { id, session, isStreamed }: { id: string; session: string; isStreamed: boolean },
): PlaybackPlan['urls'] {
  if (urls.media === undefined) return urls;
  const ticket = new URLSearchParams(urls.media.split('?')[1]).get('ticket');
  const query = new URLSearchParams({ session, ...(ticket !== null && { ticket }) });
  const media = `${urls.media}${urls.media.includes('?') ? '&' : '?'}session=${session}`;
  return { ...urls, media, ...(isStreamed && { hls: `/hls/${id}/master.m3u8?${query.toString()}` }) };
}
