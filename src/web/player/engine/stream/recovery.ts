/**
 * Recovers a film from failures of its stream: continues after a pause that grows, asks for a new plan, or stops with a
 * fault for the viewer. What the browser could not decode is left out of the next plan.
 */
import type { Change, PlanReply } from '../../../parts/playback/plan.ts';
import { decideOnFailure, notLoading, undecodable, type StreamFailure, type StreamFault } from './judge.ts';
import type { StreamEvents } from './types.ts';
import { later } from '../../../lib/pending-work.ts';

/** State that is kept from one opening of the stream to the next. */
export interface FilmMemory {
  /** Seconds of the film. */
  place: number;
  /** Failures in a row. */
  tries: number;
  /** A new plan was asked for since it last played. */
  isReplanned: boolean;
  isPlaying: boolean;
  /** How often it was opened again, since it last played, because nothing was loaded. */
  reopened: number;
  /** Codecs and containers that the browser could not decode. */
  doubts: number;
  /** The fault that is being waited out. */
  pending: StreamFault | undefined;
}
export const newMemory = (start: number): FilmMemory => ({
  place: start,
  tries: 0,
  isReplanned: false,
  reopened: 0,
  isPlaying: true,
  doubts: 0,
  pending: undefined,
});

export interface RecoveryNeeds {
  memory: FilmMemory;
  plan: () => PlanReply;
  /** Asks for a new plan. Returns the failure if there is none. */
  again: (change: Change) => Promise<StreamFailure | undefined>;
  /** Continues to load; undefined when only a new plan helps. */
  resume: () => (() => void) | undefined;
  /** Whether the picture stands still. Otherwise the buffer continues to play, and a message is not needed. */
  isStalled: () => boolean;
  pause: () => void;
  show: (fault: StreamFault | undefined) => void;
}
export interface Recovery extends StreamEvents {
  /** As `failed`, for a refusal that a new plan would not change. */
  refused: (failure: StreamFailure) => void;
  /** The element waits for data. */
  waiting: () => void;
  /** The element has data again, such as after a jump within its buffer. */
  ready: () => void;
  /** The element waits for data that is not being loaded. */
  stuck: () => void;
  /** The element plays. */
  playing: () => void;
  /** The network is back. */
  online: () => void;
  close: () => void;
}
/** At most so many codecs and containers are doubted while one film plays. */
const MAX_DOUBTS = 3;
/** So often it is opened again while it does not play. */
const MAX_REOPENED = 3;

/** Forgets the failures, because the film plays or is tried again. */
export const forgetFailures = (memory: FilmMemory): void =>
  void Object.assign(memory, { tries: 0, isReplanned: false, reopened: 0, pending: undefined });

export function createRecovery({ memory, plan, again, resume, isStalled, pause, show }: RecoveryNeeds): Recovery {
  let isClosed = false;
  let cancel: (() => void) | undefined;

  const replan = (change?: Change): void =>
    void again({ at: memory.place, ...change }).then((failure) => failure && act(failure, true));
  const giveUp = (): void => show({ kind: 'undecodable', says: undecodable() });
  const goOn = (): void => (resume() ?? replan)();
  const act = (failure: StreamFailure, isReplanned: boolean): void => {
    if (isClosed) return;
    const decision = decideOnFailure(failure, { tries: memory.tries, isReplanned });
    if (decision.do === 'replan') {
      memory.isReplanned = true;
      return replan();
    }
    if (decision.do === 'stop') {
      pause();
      return show(decision.fault);
    }
    memory.tries += 1;
    memory.pending = decision.fault;
    if (isStalled()) show(decision.fault);
    cancel = later(decision.ms, goOn, { isBackground: true });
  };
  return {
    failed: (failure) => act(failure, memory.isReplanned),
    refused: (failure) => act(failure, true),
    loaded: () => {
      memory.tries = 0;
      memory.pending = undefined;
    },
    undecodable: (stream) => {
      if (isClosed) return;
      const avoid = doubtOf(plan(), stream);
      if (!avoid || memory.doubts++ >= MAX_DOUBTS) return giveUp();
      void again({ at: memory.place, avoid }).then((failure) => {
        // The server has nothing else that this browser plays: the cause is what it could not decode.
        if (failure?.status === 403 && 'video' in avoid) giveUp();
        else if (failure) act(failure, true);
      });
    },
    waiting: () => memory.pending && show(memory.pending),
    // A failure during the jump was shown, because the picture stood still.
    ready: () => memory.pending && !isStalled() && show(undefined),
    stuck: () => {
      if (isClosed || memory.reopened > MAX_REOPENED) return;
      memory.isReplanned = true;
      if (memory.reopened++ === MAX_REOPENED) {
        pause();
        return show({ kind: 'refused', says: notLoading() });
      }
      replan();
    },
    playing: () => {
      forgetFailures(memory);
      show(undefined);
    },
    online: () => {
      if (!memory.pending) return;
      cancel?.();
      goOn();
    },
    close: () => {
      isClosed = true;
      cancel?.();
    },
  };
}

/** Returns what to leave out of the next plan if the browser could not decode this one. */
function doubtOf(
  { mode, container, video, audio }: PlanReply,
  stream: 'video' | 'audio' | undefined,
): Change['avoid'] | undefined {
  const heard = audio.find(({ selected }) => selected) ?? audio[0];
  if (mode === 'direct') return container === undefined ? undefined : { container };
  if (stream === 'audio' && heard) return { audio: heard.codec };
  if (!video) return undefined;
  // A file's own pictures may be what fails: the server makes others of the same codec, and often no other codec.
  return mode === 'remux' ? { copied: video.codec } : { video: video.codec };
}
