/**
 * Loads the film into the media element and keeps it playing: a lost connection is tried again from the same place with
 * growing pauses and at once when the network is back; a link that has expired and a file that has changed are
 * replaced by asking for a new plan; what this browser cannot decode after all is asked for in another form.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { CallFailed, sentence } from '../../../data/client.ts';
import { deliveryOf, type Change, type PlanReply } from '../../../parts/playback/plan.ts';
import { playsHlsNatively } from '../../../parts/playback/stream-support.ts';
import { openDirect, statusOf } from './direct.ts';
import { openHls } from './hls.ts';
import { lacksData, type StreamFailure, type StreamFault } from './judge.ts';
import { createRecovery, type FilmMemory, forgetFailures, newMemory, type Recovery } from './recovery.ts';
import type { OpenStream } from './types.ts';
import { repeat } from '../../../lib/pending-work.ts';

export interface FilmSource {
  fault: StreamFault | undefined;
  /** Tries again now. */
  retry: () => void;
  stream: OpenStream | undefined;
}
interface Needs {
  plan: PlanReply;
  /** Whether the file is played as it is although the browser says that it cannot. */
  isTried: boolean;
  /** Start position, in seconds of the film; read once. */
  start: number;
  /** Seconds of the film at which the element's clock is zero. */
  offset: number;
  again: (change?: Change) => Promise<void>;
  /** Starts playback. By default the play button is shown where the browser refuses to play unasked. */
  begin?: (video: HTMLVideoElement) => void;
}
const beginAloud = (video: HTMLVideoElement): void => void video.play().catch(() => undefined);

/** How often it is asked whether this may still play. */
const WATCH_MS = 10_000;
/**
 * How long the element may wait for data that is not being loaded, and how often that is looked at. A loader may
 * believe that something is in the buffer that the browser did not keep.
 */
const STUCK_MS = 8_000;
const LOOK_MS = 1_000;

const failedOf = (error: unknown): StreamFailure =>
  error instanceof CallFailed
    ? { status: error.status, says: error.status === 0 ? '' : sentence(error) }
    : { status: 0, says: '' };

export function useSource(
  video: HTMLVideoElement | null,
  { plan, isTried, start, offset, again, begin: play = beginAloud }: Needs,
): FilmSource {
  const [fault, setFault] = useState<StreamFault>();
  const [stream, setStream] = useState<OpenStream>();
  const memory = useRef(newMemory(start)).current;
  const delivery = isTried ? 'direct' : deliveryOf(plan);
  const url = delivery === 'hls' ? plan.urls.hls : plan.urls.media;
  const latest = useRef({ plan, again });
  latest.current = { plan, again };

  useEffect(() => {
    if (!video || url === undefined) return;
    let isOver = false;
    let open: OpenStream | undefined;
    const isStream = delivery === 'hls' && !playsHlsNatively();
    const recovery = createRecovery({
      memory,
      plan: () => latest.current.plan,
      again: (change) => latest.current.again(change).then(() => undefined, failedOf),
      resume: () => (isStream ? open?.resume : undefined),
      isStalled: () => video.error !== null || video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA,
      pause: () => video.pause(),
      show: setFault,
    });
    const unfollow = follow(video, { url, offset, memory, recovery, isLoading: () => open?.isLoading?.() ?? true });
    const needs = { video, url, at: Math.max(0, memory.place - offset), on: recovery };
    const begin = (opened: OpenStream | undefined) => {
      if (!opened || isOver) return opened?.close();
      open = opened;
      setStream(opened);
      if (memory.isPlaying) play(video);
    };
    if (isStream) openHls(needs, () => isOver).then(begin, () => recovery.failed({ status: 0, says: '' }));
    else begin(openDirect(needs));
    return () => {
      isOver = true;
      recovery.close();
      unfollow();
      open?.close();
      setStream(undefined);
    };
    // A session keeps its address when its plan changes, so it is opened again with every plan.
  }, [video, url, plan]);

  // Leaving the page ends the download at once.
  useEffect(() => () => video && emptied(video), [video]);
  const retry = () => {
    setFault(undefined);
    forgetFailures(memory);
    memory.isPlaying = true;
    again({ at: memory.place }).catch((error: unknown) => setFault({ kind: 'refused', says: sentence(error) }));
  };
  return { fault, retry, stream };
}

interface Followed {
  url: string;
  offset: number;
  memory: FilmMemory;
  recovery: Recovery;
  isLoading: () => boolean;
}
/** Follows the element, the network and the session. Returns how to stop. */
function follow(video: HTMLVideoElement, { url, offset, memory, recovery, isLoading }: Followed): () => void {
  const unlisten = listen(video, {
    timeupdate: () => {
      if (video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) memory.place = video.currentTime + offset;
    },
    seeking: () => {
      if (video.readyState >= HTMLMediaElement.HAVE_METADATA) memory.place = video.currentTime + offset;
    },
    waiting: recovery.waiting,
    canplay: recovery.ready,
    playing: recovery.playing,
    pause: () => {
      if (!video.error) memory.isPlaying = false;
    },
    play: () => (memory.isPlaying = true),
  });
  addEventListener('online', recovery.online);
  // A film that is completely in the buffer sends no requests, and would not notice that its session was stopped.
  const stopWatching = repeat(WATCH_MS, () => {
    if (!video.paused) void statusOf(url).then((status) => status === 410 && recovery.refused({ status, says: '' }));
  });
  let stuckFor = 0;
  const stopLooking = repeat(LOOK_MS, () => {
    stuckFor = lacksData(video) && !memory.pending && !isLoading() ? stuckFor + LOOK_MS : 0;
    if (stuckFor < STUCK_MS) return;
    stuckFor = 0;
    recovery.stuck();
  });
  return () => {
    stopWatching();
    stopLooking();
    unlisten();
    removeEventListener('online', recovery.online);
  };
}

function listen(video: HTMLVideoElement, listeners: Readonly<Record<string, () => void>>): () => void {
  const all = Object.entries(listeners);
  for (const [name, listener] of all) video.addEventListener(name, listener);
  return () => {
    for (const [name, listener] of all) video.removeEventListener(name, listener);
  };
}

function emptied(video: HTMLVideoElement): void {
  video.pause();
  video.removeAttribute('src');
  video.load();
}
