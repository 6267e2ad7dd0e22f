/**
 * Decides what follows a failed request of a film: try again, ask for a new plan, or show the viewer a message. Decides
 * as well whether a media element waits for data that it does not have. Pure.
 */
import { playerWords as m } from '../../../messages/player.ts';

/** Kinds of faults as the viewer sees them. */
export type StreamFault = { kind: 'lost' | 'refused' | 'undecodable' | 'ended'; says: string };
export interface StreamFailure {
  /** HTTP status; 0 when no answer came. */
  status: number;
  /** The server's message, as a sentence. */
  says: string;
}
export type FailureDecision =
  | { do: 'wait'; ms: number; fault: StreamFault }
  | { do: 'replan' }
  | { do: 'stop'; fault: StreamFault };

export const undecodable = () => m.thisBrowserCouldNotDecode;
export const notLoading = () => m.theFilmDoesNotLoad;
const lostConnection = () => m.theConnectionToTheServer;
const endedByOwner = () => m.playbackWasStoppedByThe;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 15_000;

const isPassing = (status: number): boolean => status === 0 || status === 408 || status === 429 || status >= 500;

/**
 * `tries` is how often in a row it failed before; `isReplanned` says that a new plan was asked for since it last
 * played, so that only the second refusal counts: the first may be a link that has expired, or a file that has
 * changed.
 */
export function decideOnFailure(
  { status, says }: StreamFailure,
  { tries, isReplanned }: { tries: number; isReplanned: boolean },
): FailureDecision {
  if (isPassing(status)) {
    const words = status === 0 || says === '' ? lostConnection() : m.saysRetryingAutomatically({ says });
    return {
      do: 'wait',
      ms: Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries),
      fault: { kind: 'lost', says: words },
    };
  }
  if (status === 410) return { do: 'stop', fault: { kind: 'ended', says: says || endedByOwner() } };
  if (!isReplanned) return { do: 'replan' };
  return { do: 'stop', fault: { kind: 'refused', says: says || m.theServerRefusesToPlay } };
}

/** As in HTMLMediaElement, which only browsers have. */
const HAVE_FUTURE_DATA = 3;
/**
 * Seconds that must follow in the buffer for a picture to be there. An element does not end a jump to the last
 * milliseconds of what it has; 0.3 s is what hls.js skips as a hole.
 */
const MIN_AHEAD_S = 0.3;

/** Returns whether an element wants to show a picture that is not in its buffer. */
export function lacksData(
  element: Pick<
    HTMLMediaElement,
    'buffered' | 'currentTime' | 'duration' | 'ended' | 'error' | 'paused' | 'readyState' | 'seeking'
  >,
): boolean {
  const { buffered, currentTime: at, duration, ended, error, paused, readyState, seeking } = element;
  const wants = seeking || (!paused && readyState < HAVE_FUTURE_DATA);
  if (!wants || error || (ended && !seeking)) return false;
  for (let n = 0; n < buffered.length; n++) {
    const end = buffered.end(n);
    if (buffered.start(n) <= at && at < end && (end - at >= MIN_AHEAD_S || duration - end < MIN_AHEAD_S)) return false;
  }
  return true;
}
