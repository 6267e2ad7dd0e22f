/**
 * Steps at the identity provider that were begun and have not ended: in memory, bounded, gone after ten minutes.
 *
 * A flow is found only by a secret that its browser holds in a cookie, or by an id together with the session that
 * began it. It is taken out before anything about it is judged, so an answer of the provider is judged once.
 */
import { hash } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { MINUTE } from '../core.ts';
import { excessOccupants, type Occupant, occupantOf } from '../proof/occupants.ts';
import type { CallerOrigin } from '../types.ts';
import type { OutsideProof } from './proof.ts';

export const FLOW_MS = 10 * MINUTE;
/** Flows of each area, and how many of these one network may have. */
const LIMITS = { area: 1_000, network: 20 };
/** Wrong codes after which a sign-in has to begin again. */
const MAX_CODES = 5;

/** FlowPurpose of a flow, with the session that began it. `to` is the page to return to. */
export type FlowPurpose =
  | {
      kind: 'sign-in';
      to: string | undefined;
      /** The session and the device of the browser, whose cookies it does not send on its return. */
      replaces: string | undefined;
      device: string | undefined;
      deviceName: string | undefined;
    }
  | { kind: 'step-up'; to: string | undefined; session: string; profile: string }
  | { kind: 'link'; flow: string; session: string; profile: string };

/** Kinds of entries in the activity log, by what a flow is for. */
export const OUTSIDE_KINDS = {
  'sign-in': 'outside-sign-in',
  'step-up': 'proof',
  link: 'outside-linked',
} as const satisfies Record<FlowPurpose['kind'], string>;

/** A flow that waits for the answer of the provider, which has to match its secrets. */
export interface BegunFlow<Secrets> {
  stage: 'begun';
  purpose: FlowPurpose;
  secrets: Secrets;
}
/** A flow whose identity is proved, and that waits for the code of an Owner. */
export interface OwingFlow {
  stage: 'owes-code';
  purpose: Exclude<FlowPurpose, { kind: 'link' }>;
  proof: OutsideProof;
  tries: number;
}
/** A flow whose identity is proved, and that waits until the session which began it confirms the link. */
interface ConfirmableFlow {
  stage: 'confirm';
  purpose: Extract<FlowPurpose, { kind: 'link' }>;
  proof: OutsideProof;
}
type Flow<Secrets> = BegunFlow<Secrets> | OwingFlow | ConfirmableFlow;

interface Held<Secrets> extends Occupant {
  key: string;
  flow: Flow<Secrets>;
  /** By the monotonic clock. */
  until: number;
}

interface TakenFlow<F> {
  flow: F;
  /** Keeps a flow of the next stage under a key, for the time that is left. */
  keep(key: string, next: OwingFlow | ConfirmableFlow): void;
}

export interface Flows<Secrets> {
  /**
   * Keeps a new flow under a key in place of the one there. Throws `Failure('throttled')` if the network has too many.
   * If its area has too many, the oldest flow of the area is dropped.
   */
  begin(key: string, from: Pick<CallerOrigin, 'address' | 'network'>, flow: BegunFlow<Secrets>): void;
  /** Takes a flow of a stage out; undefined if there is none of that stage, and then whatever was there is gone. */
  take<S extends Flow<Secrets>['stage']>(
    key: string | undefined,
    stage: S,
  ): TakenFlow<Extract<Flow<Secrets>, { stage: S }>> | undefined;
  /** Forgets whatever is kept under a key. */
  drop(key: string | undefined): void;
  /** Returns a flow that waits to be confirmed, and leaves it. */
  confirmable(key: string): ConfirmableFlow | undefined;
  readonly size: number;
}

/** The key of a link's flow: its id is of use to the session that began it and to no other. */
export const linkKey = (session: string, flow: string): string => `link ${session} ${flow}`;
/** The key of a browser's flow. The secret itself is not kept. */
export const browserKey = (secret: string): string => `browser ${hash('sha256', secret, 'hex')}`;

/** Whether one more code may be tried. */
export const mayTryAgain = ({ tries }: OwingFlow): boolean => tries < MAX_CODES;

export function createFlows<Secrets>({ clock }: { clock: Clock }): Flows<Secrets> {
  const held = new Map<string, Held<Secrets>>();

  const forgetEnded = (): void => {
    for (const [key, { until }] of held) if (clock.monotonic() >= until) held.delete(key);
  };
  const live = (key: string): Held<Secrets> | undefined => {
    const found = held.get(key);
    return found && clock.monotonic() < found.until ? found : undefined;
  };

  return {
    begin(key, from, flow) {
      held.delete(key);
      forgetEnded();
      const occupant = occupantOf(from, flow.purpose.kind !== 'sign-in');
      const { ofNetwork, ofArea } = excessOccupants(occupant, held.values(), LIMITS);
      if (ofNetwork.length > 0)
        throw new Failure('throttled', 'too many sign-ins are in progress', {
          reason: 'too-many-attempts',
          retryAfterSeconds: 60,
        });
      for (const oldest of ofArea) held.delete(oldest.key);
      held.set(key, { key, flow, ...occupant, until: clock.monotonic() + FLOW_MS });
    },
    take<S extends Flow<Secrets>['stage']>(key: string | undefined, stage: S) {
      if (key === undefined) return undefined;
      const found = live(key);
      held.delete(key);
      if (found?.flow.stage !== stage) return undefined;
      return {
        flow: found.flow as Extract<Flow<Secrets>, { stage: S }>,
        keep: (next: string, flow: OwingFlow | ConfirmableFlow) => void held.set(next, { ...found, key: next, flow }),
      };
    },
    drop: (key) => void (key !== undefined && held.delete(key)),
    confirmable: (key) => {
      const flow = live(key)?.flow;
      return flow?.stage === 'confirm' ? flow : undefined;
    },
    get size() {
      return held.size;
    },
  };
}
