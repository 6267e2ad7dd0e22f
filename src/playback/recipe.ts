/**
 * Turns what was planned into the streams of a session: numbered, named, and one for all parts of a film. Pure.
 */
import type { Stream } from '../catalog/index.ts';
import type { SubtitleTrack } from '../contract/catalog/items.ts';
import { languageName } from '../lib/languages.ts';
import type { PlannedItem, PlannedPart } from './plan/item.ts';
import type { PlaybackPlan } from './plan/make.ts';
import { audiosOf, hasFeature, videoOf } from './plan/support.ts';
import type { AudioPlan, AudioRecipe, Client, VideoRecipe } from './plan/types.ts';
import type {
  AudioStream,
  SessionRecipe,
  RecipePart,
  StreamRecipe,
  SubtitleStream,
  VideoStream,
} from './session/types.ts';

export interface RecipeMatter {
  planned: PlannedItem;
  /** The reply, which names the tracks. */
  reply: Pick<PlaybackPlan, 'audio'>;
  /** The identity of each part's file. */
  identities: readonly string[];
  client: Client;
  /** Key of the subtitle that was chosen. */
  subtitle: string | undefined;
}

/** Streams of earlier plans that a session keeps: players change over within seconds. */
const MAX_STREAMS = 64;

export function recipeOf({ planned, reply, identities, client, subtitle }: RecipeMatter): SessionRecipe {
  const { parts, at, way = 'direct', reasons } = planned;
  const files = parts.map(({ file, start, duration }, n): RecipePart => ({
    version: file.id,
    part: file.part,
    identity: identities[n] ?? '',
    start,
    duration,
  }));
  const shown = parts[at];
  if (way === 'direct' || !shown) return { way, reasons, parts: files, videos: [], audios: [], subtitles: [] };
  const pictures = videoOf(shown.file.info);
  const copy = { isOpenGopAllowed: pictures !== undefined && hasFeature(pictures, client, 'opengop') };
  const videos = parts.map(({ decision: { recipe } }): StreamRecipe<VideoRecipe> | undefined =>
    recipe?.video?.action === 'convert'
      ? { stream: recipe.video.stream, convert: recipe.video.recipe }
      : recipe?.video && { stream: recipe.video.stream, copy },
  );
  const first = shown.decision.recipe?.video;
  return {
    way,
    reasons,
    parts: files,
    videos: videos.every((one) => one !== undefined)
      ? [{ number: 0, parts: videos, isListed: true, ...(first?.action === 'convert' && { encoder: first.encoder }) }]
      : [],
    audios: reply.audio.flatMap(({ index, title, language, selected }, number): AudioStream[] => {
      const heard = streamAt(shown, index);
      const own = heard ? parts.map((part) => audioIn(part, shown, heard)) : [];
      const made = own.map(
        (one): StreamRecipe<AudioRecipe> | undefined =>
          one &&
          (one.action === 'convert' ? { stream: one.stream, convert: one.recipe } : { stream: one.stream, copy }),
      );
      if (!heard || !made.every((one) => one !== undefined)) return [];
      return [
        {
          number,
          parts: made,
          isListed: true,
          name: title,
          ...(language !== undefined && { language }),
          isDefault: selected,
          isCommentary: heard.commentary,
        },
      ];
    }),
    subtitles: (shown.decision.recipe?.subtitles ?? []).flatMap((key): SubtitleStream[] => {
      const track = shown.tracks.find((one) => one.key === key);
      if (!track) return [];
      return [
        {
          key,
          parts: parts.map((part) => subtitleIn(part, shown, track)),
          name: nameOf(track),
          ...(track.language !== undefined && { language: track.language }),
          role: track.role,
          isDefault: key === subtitle,
        },
      ];
    }),
  };
}

const nameOf = ({ title, language }: SubtitleTrack): string =>
  title !== '' ? title : language === undefined ? 'Unknown language' : languageName(language);
const streamAt = ({ file }: PlannedPart, index: number): Stream | undefined =>
  audiosOf(file.info).find((stream) => stream.index === index);

/**
 * The track of another part that continues one: of the same language and kind, at the same place among those, or else
 * at the same place at all.
 */
function audioIn(part: PlannedPart, shown: PlannedPart, stream: Stream): AudioPlan | undefined {
  const plans = part.decision.recipe?.audio ?? [];
  const planOf = (index: number | undefined) => plans.find((one) => one.stream === index);
  if (part === shown) return planOf(stream.index);
  const isLike = (other: Stream) => other.language === stream.language && other.commentary === stream.commentary;
  const [own, others] = [audiosOf(shown.file.info), audiosOf(part.file.info)];
  const place = own.filter(isLike).indexOf(stream);
  return planOf((others.filter(isLike)[place] ?? others[own.indexOf(stream)])?.index) ?? plans[0];
}

function subtitleIn(part: PlannedPart, shown: PlannedPart, track: SubtitleTrack): string | null {
  if (part === shown) return track.key;
  const isLike = (other: SubtitleTrack) =>
    !other.picture && other.language === track.language && other.role === track.role && other.source === track.source;
  return part.tracks.filter(isLike)[shown.tracks.filter(isLike).indexOf(track)]?.key ?? null;
}

/**
 * Changes a session to a new plan: a stream that it had keeps its number, a new one gets a new number, and those
 * that are no longer listed can still be had, so that a player may change over when it likes.
 */
export function changeRecipe(before: SessionRecipe, now: SessionRecipe): SessionRecipe {
  const isSameFile = JSON.stringify(before.parts) === JSON.stringify(now.parts);
  return {
    ...now,
    videos: continued(isSameFile ? before.videos : [], before.videos, now.videos),
    audios: continued(isSameFile ? before.audios : [], before.audios, now.audios),
  };
}

function continued<S extends VideoStream | AudioStream>(
  kept: readonly S[],
  before: readonly S[],
  now: readonly S[],
): S[] {
  let next = 1 + Math.max(-1, ...before.map(({ number }) => number));
  const key = ({ parts }: S) => JSON.stringify(parts);
  const known = new Map(kept.map((stream) => [key(stream), stream.number]));
  const listed = now.map((stream): S => ({ ...stream, number: known.get(key(stream)) ?? next++ }));
  const numbers = new Set(listed.map(({ number }) => number));
  const old = kept.filter(({ number }) => !numbers.has(number)).map((stream): S => ({ ...stream, isListed: false }));
  return [...old.slice(-MAX_STREAMS), ...listed];
}
