/**
 * Delivers the streams of playback sessions: every request is checked against the session, its Profile and its item,
 * and then served from streams that are opened once.
 */
import type { Catalog, VisibleCatalog } from '../catalog/index.ts';
import type { Principal } from '../contract/kernel/principal.ts';
import { Failure, restated } from '../lib/failure.ts';
import { type CueTracks } from './hls/cue-tracks.ts';
import { readHlsName } from './hls/names.ts';
import { type HlsReply, serveHls } from './hls/serve.ts';
import { createStreams, type SessionStreams, type StreamMakers } from './hls/streams.ts';
import { isConverting } from './session/active.ts';
import type { DeliveredSpan } from './session/delivered.ts';
import type { PlaybackSessions } from './session/sessions.ts';
import type { PlaybackSession } from './session/types.ts';
import type { RecipePart } from './session/types.ts';
import type { WatchTime } from './session/watch-time.ts';
import { changed, type Sources } from './sources.ts';
import type { SubtitleQuery, SubtitleReply } from './subtitle/serve.ts';

export interface HlsAsk {
  id: string;
  file: string;
  session: string;
  ticket?: string | undefined;
}

export interface DeliveryNeeds {
  catalog: Pick<Catalog, 'seenBy'>;
  sessions: Pick<PlaybackSessions, 'enter' | 'isOpen' | 'get' | 'streamed'>;
  sources: Sources;
  makers: StreamMakers;
  cues: CueTracks;
  /** Counts what is sent. */
  watchTime: Pick<WatchTime, 'send' | 'paced'>;
  subtitle(by: Principal, query: SubtitleQuery, signal: AbortSignal): Promise<SubtitleReply>;
}

export interface Delivery {
  /** Fails as `missing` for a name that is none before it looks at anything. */
  file(by: Principal, ask: HlsAsk, signal: AbortSignal): Promise<Omit<HlsReply, 'span'>>;
  /**
   * Opens the streams of a session that was planned, so that its first playlist is there at once. Failures are met by
   * the first request.
   */
  prepare(session: PlaybackSession): void;
  /** Whether a reply that is open may continue. */
  mayContinue(by: Principal, item: string, session: string): boolean;
  /**
   * Notes that bytes of an open reply are read for a session, so that it counts as played for as long as they are.
   * Resolves when they may be read: the files of a Profile with a limit for each day are sent about as fast as they
   * play.
   */
  streamed(session: string, bytes: StreamedBytes, signal: AbortSignal): Promise<void>;
  /** Lets go of the streams of a session. */
  release(session: string): void;
  close(): void;
}

/** Bytes of a file that is sent as it is. */
export interface StreamedBytes {
  part: number;
  /** First of them, and how many there are. */
  position: number;
  length: number;
  /** Bytes of the file, and its seconds where they are known. */
  size: number;
  duration: number | undefined;
}

/** Bytes in a second of a file whose length is unknown: a film of few bits. */
const ASSUMED_RATE = 250_000;

/** Message for a Profile that may see an item but may not have it converted. */
export const NO_CONVERSION = 'this profile may not have anything converted';

export function createDelivery({
  catalog,
  sessions,
  sources,
  makers,
  cues,
  watchTime,
  subtitle,
}: DeliveryNeeds): Delivery {
  const opened = new Map<string, SessionStreams>();

  const release = (id: string): void => {
    opened.get(id)?.close();
    opened.delete(id);
  };
  /** The streams of a session; another recipe has others. */
  const streamsOf = (session: PlaybackSession): SessionStreams => {
    const had = opened.get(session.id);
    if (had?.recipe === session.recipe) return had;
    had?.close();
    const streams = createStreams(session.recipe, makers, async (part) => {
      // The caller of this moment may see the item: that was checked before.
      const by = session.by;
      const file = by && (await fileOf(catalog.seenBy(by), session.item, part));
      if (!file) throw changed();
      return sources.of(file, part.identity);
    });
    opened.set(session.id, streams);
    return streams;
  };

  return {
    file: async (by, { id, file: name, session: sessionId, ticket }, signal) => {
      const file = readHlsName(name);
      if (!file) throw new Failure('missing', 'no such file', { reason: 'no-such-file' });
      if (!catalog.seenBy(by).isSeen(id)) throw new Failure('missing', 'no such item', { reason: 'no-such-item' });
      const session = sessions.enter(by, id, sessionId);
      if (isConverting(session) && !by.policy.transcode)
        throw new Failure('forbidden', NO_CONVERSION, { reason: 'transcoding-not-allowed' });
      const { parts } = session.recipe;
      const query = new URLSearchParams({ session: sessionId, ...(ticket !== undefined && { ticket }) }).toString();
      const { span, ...reply } = await unhurried(
        serveHls(file, {
          streams: streamsOf(session),
          who: session.id,
          query: `?${query}`,
          signal,
          cuesOf: async (track, n, to) => {
            const { version, part, identity } = parts[n] ?? { version: undefined, part: undefined, identity: '' };
            return cues.until(
              `${id} ${version} ${part} ${track} ${identity}`,
              (stop) => subtitle(by, { id, version, part, track, format: 'vtt' }, stop),
              to,
              signal,
            );
          },
        }),
      );
      if (span) watchTime.send(session, span);
      return reply;
    },
    prepare: (session) =>
      void streamsOf(session)
        .listed()
        .catch(() => {}),
    mayContinue: (by, item, id) => {
      const session = sessions.get(id);
      return (
        session !== undefined &&
        sessions.isOpen(by, item, id) &&
        catalog.seenBy(by).isSeen(item) &&
        (!isConverting(session) || by.policy.transcode)
      );
    },
    streamed: async (id, bytes, signal) => {
      const session = sessions.get(id);
      if (!session) return;
      sessions.streamed(session);
      await watchTime.paced(session, spanOf(session, bytes), () => sessions.streamed(session), signal);
    },
    release,
    close: () => {
      for (const id of opened.keys()) release(id);
    },
  };
}

/** Returns the seconds of an item that these bytes are, as if every second had as many. */
function spanOf({ recipe }: PlaybackSession, bytes: StreamedBytes): DeliveredSpan {
  const { part, position, length, size, duration } = bytes;
  const start = recipe.parts.find((one) => one.part === part)?.start ?? 0;
  const rate = duration !== undefined && duration > 0 && size > 0 ? size / duration : ASSUMED_RATE;
  return { from: start + position / rate, to: start + Math.min(position + length, Math.max(size, position)) / rate };
}

const RETRY_SECONDS = 2;
/** Every refusal that passes says when to come again. */
async function unhurried<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'unavailable' || error.members.retryAfterSeconds !== undefined)
      throw error;
    throw restated(error, { retryAfterSeconds: RETRY_SECONDS });
  }
}

const fileOf = (seen: Pick<VisibleCatalog, 'file'>, item: string, { version, part }: RecipePart) =>
  seen.file(item, version, part);
