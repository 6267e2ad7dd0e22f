/**
 * The streams of a session: renditions of every part, opened when they are first needed, from the recipe alone.
 *
 * So they are the same after a restart of the server, for as long as the files are.
 */
import { Failure } from '../../lib/failure.ts';
import type { AudioRecipe, EncoderChoice, VideoRecipe } from '../plan/types.ts';
import type { Rendition, MediaSource } from '../rendition.ts';
import type { AudioStream, SessionRecipe, RecipePart, StreamRecipe, VideoStream } from '../session/types.ts';
import type { MediaStream } from './names.ts';
import { type PlaylistPart, type VariantFacts, targetDurationOf } from './playlists.ts';

/** Makes renditions: by copying, or by conversion. Each is cheap once the index of the file is there. */
export interface StreamMakers {
  copy(
    source: MediaSource,
    stream: number,
    options: { isOpenGopAllowed: boolean },
    signal: AbortSignal,
  ): Promise<Rendition>;
  video(
    source: MediaSource,
    recipe: VideoRecipe,
    encoder: EncoderChoice | undefined,
    signal: AbortSignal,
  ): Promise<Rendition>;
  audio(source: MediaSource, recipe: AudioRecipe, signal: AbortSignal): Promise<Rendition>;
}

/** A stream over all parts. */
export interface OpenVariant {
  parts: readonly (PlaylistPart & { rendition: Rendition })[];
  facts: VariantFacts;
}

export interface SessionStreams {
  recipe: SessionRecipe;
  /** Undefined for a number that the session never listed. */
  stream(of: MediaStream): Promise<OpenVariant> | undefined;
  /** Every stream that the master playlist lists, and the target duration of them all. */
  listed(): Promise<{
    videos: (OpenVariant & Omit<VideoStream, 'parts'>)[];
    audios: (OpenVariant & Omit<AudioStream, 'parts'>)[];
    target: number;
  }>;
  /** Ends what is being opened. */
  close(): void;
}

/** `sourceOf` fails as `conflict` when the file is no longer the one that was planned. */
export function createStreams(
  recipe: SessionRecipe,
  makers: StreamMakers,
  sourceOf: (part: RecipePart, signal: AbortSignal) => Promise<MediaSource>,
): SessionStreams {
  const opened = new Map<VideoStream | AudioStream, Promise<OpenVariant>>();
  // Opening is shared: a request that leaves must not take it from the others.
  const stop = new AbortController();
  const { signal } = stop;

  const open = (of: VideoStream | AudioStream): Promise<OpenVariant> => {
    const had = opened.get(of);
    if (had) return had;
    const opening = makeAll(of);
    opened.set(of, opening);
    // The next request retries after a failure.
    opening.catch(() => opened.delete(of));
    return opening;
  };
  const makeAll = async (of: VideoStream | AudioStream): Promise<OpenVariant> => {
    const parts = await Promise.all(
      recipe.parts.map(async (part, n) => {
        const how = of.parts[n];
        if (!how) throw new Error('a stream has no recipe for a part');
        const rendition = await make(how, await sourceOf(part, signal), 'encoder' in of ? of.encoder : undefined);
        return { start: part.start, duration: part.duration, segments: rendition.segments, rendition };
      }),
    );
    return { parts, facts: factsOf(parts.map(({ rendition }) => rendition)) };
  };
  const make = (
    how: StreamRecipe<VideoRecipe | AudioRecipe>,
    source: MediaSource,
    encoder: EncoderChoice | undefined,
  ): Promise<Rendition> => {
    if ('copy' in how) return makers.copy(source, how.stream, how.copy, signal);
    return how.convert.kind === 'video'
      ? makers.video(source, how.convert, encoder, signal)
      : makers.audio(source, how.convert, signal);
  };

  const allListed = <S extends VideoStream | AudioStream>(all: readonly S[]) =>
    Promise.all(all.filter(({ isListed }) => isListed).map(async (of) => ({ ...of, ...(await open(of)) })));

  return {
    recipe,
    stream: ({ kind, number }) => {
      const of = (kind === 'video' ? recipe.videos : recipe.audios).find((one) => one.number === number);
      return of && open(of);
    },
    listed: async () => {
      const [videos, audios] = await Promise.all([allListed(recipe.videos), allListed(recipe.audios)]);
      return { videos, audios, target: targetDurationOf([...videos, ...audios].map(({ parts }) => parts)) };
    },
    // A caller that waits for a stream may request it again meanwhile.
    close: () =>
      stop.abort(new Failure('unavailable', 'something else was begun meanwhile; try again', { reason: 'superseded' })),
  };
}

/** Combines the attributes of the parts for the master playlist. */
function factsOf(renditions: readonly Rendition[]): VariantFacts {
  const [first] = renditions;
  if (!first) throw new Error('a stream has no parts');
  const most = (which: 'peak' | 'average') => Math.max(...renditions.map(({ bandwidth }) => bandwidth[which]));
  const codecs = [...new Set(renditions.flatMap((one) => one.codecs.split(',')))].join(',');
  const { supplemental, width, height, frameRate, range, channels } = first;
  return {
    codecs,
    bandwidth: { peak: most('peak'), average: most('average') },
    ...(supplemental !== undefined && { supplemental }),
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(frameRate !== undefined && { frameRate }),
    ...(range && { range }),
    ...(channels !== undefined && { channels }),
  };
}
