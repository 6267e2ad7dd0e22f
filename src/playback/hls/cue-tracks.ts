/**
 * Subtitle tracks that are read for their cues: each once, however many segments are asked for. A track that is still
 * being taken out of its file can be used up to where it has come.
 */
import { Failure } from '../../lib/failure.ts';
import type { SubtitleReply } from '../subtitle/serve.ts';
import { createCueReader, type CueReader } from './vtt.ts';

/** Tracks that are kept; a film's subtitles take some hundred kilobytes. */
const MAX_TRACKS = 16;
/** Time that a player waits before it is asked to retry. */
const PATIENCE_MS = 20_000;
/** Characters that are read in one turn. */
const TURN = 64 * 1024;

interface Track {
  reader: CueReader;
  isDone: boolean;
  /** Set when reading failed. */
  error?: unknown;
  wake: Set<() => void>;
  stop: AbortController;
}

export interface CueTracks {
  /**
   * Cues that are known to be complete until `to`. Fails as `unavailable` while reading has not come so far, and as
   * reading fails.
   */
  until(
    key: string,
    open: (signal: AbortSignal) => Promise<SubtitleReply>,
    to: number,
    signal: AbortSignal,
  ): Promise<Pick<CueReader, 'head' | 'cues'>>;
  close(): void;
}

export function createCueTracks({ patienceMs = PATIENCE_MS }: { patienceMs?: number } = {}): CueTracks {
  const tracks = new Map<string, Track>();

  const begin = (key: string, open: (signal: AbortSignal) => Promise<SubtitleReply>): Track => {
    const track: Track = { reader: createCueReader(), isDone: false, wake: new Set(), stop: new AbortController() };
    const settle = (error?: unknown) => {
      track.isDone = true;
      if (error !== undefined) {
        track.error = error;
        // The next request reads it again.
        if (tracks.get(key) === track) tracks.delete(key);
      }
      wakeAll(track);
    };
    void read(track, open).then(() => settle(), settle);
    return track;
  };
  const trackOf = (key: string, open: (signal: AbortSignal) => Promise<SubtitleReply>): Track => {
    const track = tracks.get(key) ?? begin(key, open);
    tracks.delete(key);
    tracks.set(key, track);
    for (const [old, { stop }] of tracks) {
      if (tracks.size <= MAX_TRACKS) break;
      tracks.delete(old);
      stop.abort();
    }
    return track;
  };

  return {
    until: async (key, open, to, signal) => {
      const track = trackOf(key, open);
      const late = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
      const isThere = () => track.isDone || (track.reader.cues.at(-1)?.start ?? 0) >= to;
      while (!isThere() && !late.aborted) await woken(track, late);
      if (track.error !== undefined) throw track.error;
      if (!isThere())
        throw new Failure('unavailable', 'this subtitle is still being read', {
          reason: 'still-reading',
          retryAfterSeconds: 2,
        });
      return track.reader;
    },
    close: () => {
      for (const { stop } of tracks.values()) stop.abort();
      tracks.clear();
    },
  };
}

async function read(track: Track, open: (signal: AbortSignal) => Promise<SubtitleReply>): Promise<void> {
  const reply = await open(track.stop.signal);
  if (reply.is === 'file') throw new Error('a subtitle came as a file and not as WebVTT');
  const decoder = new TextDecoder();
  const pieces = reply.is === 'whole' ? slices(reply.bytes) : reply.bytes;
  for await (const piece of pieces) {
    track.reader.push(decoder.decode(piece, { stream: true }));
    wakeAll(track);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  track.reader.push(decoder.decode());
  track.reader.end();
}

async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += TURN) yield bytes.subarray(at, at + TURN);
}

function wakeAll(track: Track): void {
  for (const wake of track.wake) wake();
}

/** Waits until more was read, or the signal. */
async function woken(track: Track, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => resolve();
  track.wake.add(done);
  signal.addEventListener('abort', done);
  await promise;
  track.wake.delete(done);
  signal.removeEventListener('abort', done);
}
