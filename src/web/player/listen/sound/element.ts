/**
 * Plays a file or a stream of the server in a media element: what is too long to be decoded as a whole, what the
 * browser plays only as a stream, and audiobooks, whose speed changes without their pitch.
 */
import type { PlanReply } from '../../../parts/playback/plan.ts';
import { deliveryOf, type Change } from '../../../parts/playback/plan.ts';
import { playsHlsNatively } from '../../../parts/playback/stream-support.ts';
import { openDirect } from '../../engine/stream/direct.ts';
import { openHls } from '../../engine/stream/hls.ts';
import type { StreamFailure } from '../../engine/stream/judge.ts';
import { createRecovery, forgetFailures, newMemory, type Recovery } from '../../engine/stream/recovery.ts';
import type { OpenStream } from '../../engine/stream/types.ts';
import type { Deck, DeckEvents } from './deck.ts';

export interface ElementNeeds {
  plan: PlanReply;
  /** Start position in seconds of the element. */
  at: number;
  /** Whether it plays as soon as it can. */
  isPlaying: boolean;
  /** Factor for the samples, for levelling. An element can only be lowered. */
  factor: number;
  on: DeckEvents;
  /** Asks for a new plan, because a link has expired or the browser could not decode. */
  replan: (change: Change) => Promise<PlanReply>;
}
const failureOf = (): StreamFailure => ({ status: 0, says: '' });

interface Playing {
  element: HTMLAudioElement;
  plan: PlanReply;
  open: OpenStream | undefined;
  recovery: Recovery | undefined;
  isClosed: boolean;
}

async function openPlan(playing: Playing, needs: ElementNeeds, memory: ReturnType<typeof newMemory>): Promise<void> {
  const { element } = playing;
  playing.recovery?.close();
  playing.open?.close();
  const delivery = deliveryOf(playing.plan);
  const url = delivery === 'hls' ? playing.plan.urls.hls : playing.plan.urls.media;
  if (url === undefined || delivery === undefined) return needs.on.failed(failureOf());
  const isStream = delivery === 'hls' && !playsHlsNatively();
  const recovery = createRecovery({
    memory,
    plan: () => playing.plan,
    again: async (change) => {
      try {
        playing.plan = await needs.replan(change);
        if (!playing.isClosed) await openPlan(playing, needs, memory);
        return undefined;
      } catch {
        return failureOf();
      }
    },
    resume: () => (isStream ? playing.open?.resume : undefined),
    isStalled: () => element.error !== null || element.readyState < HTMLMediaElement.HAVE_FUTURE_DATA,
    pause: () => element.pause(),
    show: (fault) => fault && needs.on.failed({ status: fault.kind === 'lost' ? 0 : 400, says: fault.says }),
  });
  playing.recovery = recovery;
  // The element takes what a film's element takes; nothing here asks for a picture.
  const stream = { video: element as unknown as HTMLVideoElement, url, at: memory.place, on: recovery };
  const isOver = () => playing.isClosed || playing.recovery !== recovery;
  const opened = isStream ? await openHls(stream, isOver) : openDirect(stream);
  if (!opened || isOver()) return opened?.close();
  playing.open = opened;
  if (memory.isPlaying) element.play().catch(() => undefined);
  return undefined;
}

export function createElementDeck(needs: ElementNeeds): Deck {
  const element = new Audio();
  element.preload = 'auto';
  element.preservesPitch = true;
  const memory = { ...newMemory(needs.at), isPlaying: needs.isPlaying };
  const playing: Playing = { element, plan: needs.plan, open: undefined, recovery: undefined, isClosed: false };
  let speed = 1;
  const listeners: Readonly<Record<string, () => void>> = {
    timeupdate: () => {
      if (element.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) memory.place = element.currentTime;
    },
    // Loading a source resets the speed.
    loadedmetadata: () => (element.playbackRate = speed),
    playing: () => {
      playing.recovery?.playing();
      needs.on.playing();
    },
    waiting: () => {
      playing.recovery?.waiting();
      needs.on.waiting();
    },
    ended: needs.on.ended,
  };
  for (const [name, listener] of Object.entries(listeners)) element.addEventListener(name, listener);
  const onOnline = () => playing.recovery?.online();
  addEventListener('online', onOnline);
  void openPlan(playing, needs, memory).catch(() => needs.on.failed(failureOf()));
  return {
    play: () => {
      memory.isPlaying = true;
      forgetFailures(memory);
      if (element.error) void openPlan(playing, needs, memory).catch(() => needs.on.failed(failureOf()));
      else element.play().catch(() => undefined);
    },
    pause: () => {
      memory.isPlaying = false;
      element.pause();
    },
    time: () => (element.readyState >= HTMLMediaElement.HAVE_METADATA ? element.currentTime : memory.place),
    duration: () => (Number.isFinite(element.duration) ? element.duration : 0),
    seek: (seconds) => {
      memory.place = seconds;
      element.currentTime = seconds;
    },
    setVolume: (factor) => (element.volume = Math.min(1, Math.max(0, factor * needs.factor))),
    setSpeed: (asked) => {
      speed = asked;
      element.defaultPlaybackRate = asked;
      element.playbackRate = asked;
    },
    close: () => {
      playing.isClosed = true;
      removeEventListener('online', onOnline);
      for (const [name, listener] of Object.entries(listeners)) element.removeEventListener(name, listener);
      playing.recovery?.close();
      playing.open?.close();
      element.pause();
      element.removeAttribute('src');
      element.load();
    },
  };
}
