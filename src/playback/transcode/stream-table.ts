/** Streams by plan, each for all callers with the same file and recipe. The oldest idle ones are forgotten first. */
import type { AcceleratorName, EncoderChoice, Trouble } from '../plan/types.ts';
import type { EncoderHead } from './head.ts';
import type { ConvertedStream } from './stream.ts';
import type { StreamPlan } from './types.ts';

/** A run under way, for a session that asked it. */
export interface LiveConversion {
  session: string;
  kind: 'video' | 'audio';
  /** `none` in software. */
  accelerator: AcceleratorName | 'none';
  /** Seconds of media made in a second of work; absent until there is some. */
  speed?: number;
  isHeld: boolean;
}

export interface TableStream extends ConvertedStream {
  identity: string;
  /** Encoder of the last plan. */
  encoder: EncoderChoice | undefined;
}

export interface StreamTable {
  get(id: string): TableStream | undefined;
  /** Returns the stream of a plan, as the one that was used last. */
  take(plan: StreamPlan, identity: string, encoder?: EncoderChoice): TableStream;
  /** Ends the runs that only this session asked, of one kind or all, except one. */
  leave(session: string, kind?: StreamPlan['kind'], except?: EncoderHead): void;
  /** Returns the runs in software that make video. */
  inSoftware(): EncoderHead[];
  live(): LiveConversion[];
  /** Returns the recent faults of a file. */
  trouble(identity: string): Trouble;
  close(): void;
}

const MAX_STREAMS = 500;

export function createStreamTable(open: (plan: StreamPlan) => ConvertedStream): StreamTable {
  const streams = new Map<string, TableStream>();
  const videos = (): TableStream[] => [...streams.values()].filter(({ plan }) => plan.kind === 'video');
  return {
    get: (id) => streams.get(id),
    take: (plan, identity, encoder) => {
      const there = streams.get(plan.id);
      if (there) {
        streams.delete(plan.id);
        streams.set(plan.id, there);
        there.encoder = encoder;
        return there;
      }
      const made = Object.assign(open(plan), { identity, encoder });
      streams.set(plan.id, made);
      for (const [id, one] of streams) if (streams.size > MAX_STREAMS && one.heads().length === 0) streams.delete(id);
      return made;
    },
    leave: (session, kind, except) => {
      for (const one of streams.values()) if (kind === undefined || one.plan.kind === kind) one.leave(session, except);
    },
    inSoftware: () =>
      videos()
        .flatMap(({ heads }) => heads())
        .filter(({ accelerator }) => accelerator === undefined),
    live: () => [...streams.values()].flatMap(liveOf),
    trouble: (identity) => {
      const all = videos()
        .filter((one) => one.identity === identity)
        .map((one) => one.trouble());
      const failed = new Set(all.flatMap(({ hardwareFailed }) => [...hardwareFailed.keys()]));
      return {
        hardwareFailed: [...failed] as AcceleratorName[],
        cannotDecode: all.some(({ cannotDecode }) => cannotDecode),
      };
    },
    close: () => {
      for (const stream of streams.values()) stream.close();
    },
  };
}

const liveOf = ({ plan, heads }: TableStream): LiveConversion[] =>
  heads().flatMap((head) =>
    [...head.askers.keys()].map((session): LiveConversion => {
      const speed = head.speed();
      return {
        session,
        kind: plan.kind,
        accelerator: (head.accelerator ?? 'none') as LiveConversion['accelerator'],
        ...(speed !== undefined && { speed }),
        isHeld: head.isHeld,
      };
    }),
  );
