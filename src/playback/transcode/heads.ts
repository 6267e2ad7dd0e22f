/** Runs of one stream that are under way: which of them reaches a segment, and which sessions want them. */
import type { EncoderHead } from './head.ts';
import type { TranscodeLimits } from './types.ts';

export interface StreamHeads {
  readonly all: ReadonlySet<EncoderHead>;
  add(head: EncoderHead): void;
  delete(head: EncoderHead): void;
  /** Returns the run that reaches a segment before another would: it is near, and no segment on the way ends it. */
  reaching(index: number): EncoderHead | undefined;
  /** Lets every run continue that has made the segment or is near it. */
  want(index: number, who: string): void;
  /** Stops the runs that only this session asked within the last minute, except one. */
  leave(who: string, except: EncoderHead | undefined): void;
  stop(): void;
}

export interface StreamHeadsNeeds {
  limits: Pick<TranscodeLimits, 'nearSegments' | 'sharedMs'>;
  now(): number;
  /** Whether a segment is in the cache. */
  has(index: number): boolean;
}

export function createStreamHeads({ limits, now, has }: StreamHeadsNeeds): StreamHeads {
  const heads = new Set<EncoderHead>();
  return {
    all: heads,
    add: (head) => void heads.add(head),
    delete: (head) => void heads.delete(head),
    reaching: (index) =>
      [...heads].find(({ next, isStopping }) => {
        if (isStopping || index < next || index > next + limits.nearSegments) return false;
        for (let n = next; n < index; n++) if (has(n)) return false;
        return true;
      }),
    want: (index, who) => {
      for (const head of heads)
        if (index >= head.first && index <= head.next + limits.nearSegments) head.want(index, who);
    },
    leave: (who, except) => {
      for (const head of heads) {
        if (head === except || !head.askers.has(who)) continue;
        head.askers.delete(who);
        if (![...head.askers.values()].some((at) => now() - at < limits.sharedMs)) head.stop();
      }
    },
    stop: () => {
      for (const head of heads) head.stop();
    },
  };
}
