/**
 * Loads the film into the media element and keeps it playing: a lost connection is tried again from the same place with
 * growing pauses and at once when the network is back; a link that has expired and a file that has changed are
 * replaced by asking for a new plan; what this browser cannot decode after all is asked for in another form.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { CallFailed, sentence } from '../../../data/client.ts';
import { deliveryOf, type Change, type PlanReply } from '../../../parts/playback/plan.ts';
import { openDirect, statusOf } from './direct.ts';
import { openHls } from './hls.ts';
import { decideOnFailure, undecodable, type StreamFailure, type StreamFault } from './judge.ts';
import { playsHlsNatively } from '../../../parts/playback/stream-support.ts';
import type { OpenStream, StreamEvents } from './types.ts';

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
}
/** How often it is asked whether this may still play. */
const WATCH_MS = 10_000;
/** At most so many codecs and containers are doubted while one film plays. */
const MOST_DOUBTS = 3;

export const failedOf = (error: unknown): StreamFailure =>
  error instanceof CallFailed
    ? { status: error.status, says: error.status === 0 ? '' : sentence(error) }
    : { status: 0, says: '' };

/** Returns what to leave out of the next plan if the browser could not decode this one. */
function doubtOf(
  { mode, container, video, audio }: PlanReply,
  stream: 'video' | 'audio' | undefined,
): Change['avoid'] | undefined {
  const heard = audio.find(({ selected }) => selected) ?? audio[0];
  if (mode === 'direct') return container === undefined ? undefined : { container };
  if (stream === 'audio' && heard) return { audio: heard.codec };
  return mode === 'remux' && video ? { video: video.codec } : undefined;
}

/** State that is kept from one opening to the next. */
const memory = (start: number) => ({
  place: start,
  tries: 0,
  isReplanned: false,
  isPlaying: true,
  doubts: 0,
  pending: undefined as StreamFault | undefined,
});

export function useSource(video: HTMLVideoElement | null, { plan, isTried, start, offset, again }: Needs): FilmSource {
  const [fault, setFault] = useState<StreamFault>();
  const [stream, setStream] = useState<OpenStream>();
  const kept = useRef(memory(start)).current;
  const delivery = isTried ? 'direct' : deliveryOf(plan);
  const url = delivery === 'hls' ? plan.urls.hls : plan.urls.media;
  const latest = useRef({ plan, again });
  latest.current = { plan, again };

  useEffect(() => {
    if (!video || url === undefined) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let open: OpenStream | undefined;
    const isStream = delivery === 'hls' && !playsHlsNatively();
    const replan = (change?: Change) =>
      latest.current
        .again({ at: kept.place, ...change })
        .catch((error: unknown) => !isOver && act(failedOf(error), true));
    const goOn = () => (isStream && open ? open.resume() : void replan());
    const act = (failed: StreamFailure, isReplanned: boolean): void => {
      const verdict = decideOnFailure(failed, { tries: kept.tries, isReplanned });
      if (verdict.do === 'replan') {
        kept.isReplanned = true;
        return void replan();
      }
      if (verdict.do === 'stop') {
        video.pause();
        return setFault(verdict.fault);
      }
      kept.tries += 1;
      kept.pending = verdict.fault;
      // The buffer continues to play; only a picture that stands still needs a message.
      if (video.error || video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) setFault(verdict.fault);
      timer = setTimeout(goOn, verdict.ms);
    };
    const on: StreamEvents = {
      failed: (failed) => !isOver && act(failed, kept.isReplanned),
      loaded: () => {
        kept.tries = 0;
        kept.pending = undefined;
      },
      undecodable: (which) => {
        if (isOver) return;
        const avoid = doubtOf(latest.current.plan, which);
        if (!avoid || kept.doubts++ >= MOST_DOUBTS) return setFault({ kind: 'undecodable', says: undecodable() });
        void replan({ avoid });
      },
    };
    const stop = listen(video, {
      timeupdate: () => {
        if (video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) kept.place = video.currentTime + offset;
      },
      seeking: () => {
        if (video.readyState >= HTMLMediaElement.HAVE_METADATA) kept.place = video.currentTime + offset;
      },
      waiting: () => kept.pending && setFault(kept.pending),
      playing: () => {
        Object.assign(kept, { tries: 0, isReplanned: false, pending: undefined });
        setFault(undefined);
      },
      pause: () => {
        if (!video.error) kept.isPlaying = false;
      },
      play: () => (kept.isPlaying = true),
    });
    const onOnline = () => {
      if (!kept.pending) return;
      clearTimeout(timer);
      goOn();
    };
    addEventListener('online', onOnline);
    // A film that is completely in the buffer sends no requests, and would not notice that its session was stopped.
    const watch = setInterval(() => {
      if (!video.paused)
        void statusOf(url).then((status) => !isOver && status === 410 && act({ status, says: '' }, true));
    }, WATCH_MS);
    const needs = { video, url, at: Math.max(0, kept.place - offset), on };
    const begin = (opened: OpenStream) => {
      if (isOver) return opened.close();
      open = opened;
      setStream(opened);
      // A browser may forbid to begin by itself; the play button is then on show.
      if (kept.isPlaying) video.play().catch(() => undefined);
    };
    if (isStream) openHls(needs).then(begin, () => on.failed({ status: 0, says: '' }));
    else begin(openDirect(needs));
    return () => {
      isOver = true;
      clearTimeout(timer);
      clearInterval(watch);
      stop();
      removeEventListener('online', onOnline);
      open?.close();
      setStream(undefined);
    };
    // A session keeps its address when its plan changes, so it is opened again with every plan.
  }, [video, url, plan]);

  // Leaving the page ends the download at once.
  useEffect(() => () => video && emptied(video), [video]);
  const retry = () => {
    setFault(undefined);
    Object.assign(kept, { tries: 0, isReplanned: false, pending: undefined, isPlaying: true });
    again({ at: kept.place }).catch((error: unknown) => setFault({ kind: 'refused', says: sentence(error) }));
  };
  return { fault, retry, stream };
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
