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
import { networkBuckets } from '../proof/throttle.ts';
import type { OutsideProof } from './proof.ts';

export const FLOW_MS = 10 * MINUTE;
const MAX_FLOWS = 1_000;
const MAX_FLOWS_OF_NETWORK = 20;
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

interface Held<Secrets> {
  flow: Flow<Secrets>;
  network: string;
  /** By the monotonic clock. */
  until: number;
}

interface TakenFlow<F> {
  flow: F;
  /** Keeps a flow of the next stage under a key, for the time that is left. */
  keep(key: string, next: OwingFlow | ConfirmableFlow): void;
}

export interface Flows<Secrets> {
  /** Keeps a new flow under a key in place of the one there. Throws `Failure('throttled')` if there are too many. */
  begin(key: string, address: string, flow: BegunFlow<Secrets>): void;
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
    begin(key, address, flow) {
      held.delete(key);
      forgetEnded();
      const network = networkBuckets(address)[0]?.key ?? '';
      let ofNetwork = 0;
      for (const one of held.values()) if (one.network === network) ofNetwork += 1;
      if (held.size >= MAX_FLOWS || ofNetwork >= MAX_FLOWS_OF_NETWORK)
        throw new Failure('throttled', 'too many sign-ins are in progress', {
          reason: 'too-many-attempts',
          retryAfterSeconds: 60,
        });
      held.set(key, { flow, network, until: clock.monotonic() + FLOW_MS });
    },
    take<S extends Flow<Secrets>['stage']>(key: string | undefined, stage: S) {
      if (key === undefined) return undefined;
      const found = live(key);
      held.delete(key);
      if (found?.flow.stage !== stage) return undefined;
      const { network, until } = found;
      return {
        flow: found.flow as Extract<Flow<Secrets>, { stage: S }>,
        keep: (next: string, flow: OwingFlow | ConfirmableFlow) => void held.set(next, { flow, network, until }),
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
