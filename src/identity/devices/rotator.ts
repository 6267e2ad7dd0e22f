/** Applies the rules of `rotation.ts` to rows: browsers that stay signed in, and household devices. */
import type { Core } from '../core.ts';
import { hashOf, newToken, type TokenKind } from '../tokens.ts';
import type { CallerOrigin, Rotation, Step } from '../types.ts';
import { judgeToken, ROTATE_AFTER_MS, type RotatingRow, withOffer, withOffered } from './rotation.ts';

/** How long an offered token can be sent again: to the tabs that ask at the same time. */
const SAME_OFFER_MS = 60_000;

export interface RotatorNeeds<R> {
  kind: TokenKind;
  rowOf(id: string): R | undefined;
  put(row: R): Step;
  /** The steps that end what a copied token belongs to. */
  end(row: R, from: CallerOrigin): Step[];
}

export interface Rotator<R> {
  /** Returns the row of a token while it is good. A copied token, or one that is not on its device, ends the row. */
  meet(id: string, given: { hash: string; from: CallerOrigin; isOnDevice: boolean }): Promise<R | undefined>;
  /** Returns a new token for the holder of this one; undefined as long as it is fresh. */
  renew(id: string, hash: string): Promise<string | undefined>;
}

interface Offer {
  token: string;
  /** By the monotonic clock. */
  until: number;
}

export function createRotator<R extends RotatingRow & { id: string; remembered?: Rotation | undefined }>(
  core: Core,
  { kind, rowOf, put, end }: RotatorNeeds<R>,
): Rotator<R> {
  const { clock } = core;
  const offers = new Map<string, Offer>();
  return {
    meet: async (id, { hash, from, isOnDevice }) => {
      const row = rowOf(id);
      if (!row) return undefined;
      const judged = isOnDevice ? judgeToken(row, hash, clock.now()) : 'copied';
      if (judged === 'current' || judged === 'late') return row;
      return core.change(() => {
        const now = rowOf(id);
        if (!now) return { steps: [], result: undefined };
        if (judged === 'copied') return { steps: end(now, from), result: undefined };
        // Two tabs may bring it at a time: the second finds it in force.
        if (now.remembered?.offered !== hash) return { steps: [], result: now };
        const taken = withOffered(now, clock.now());
        return { steps: [put(taken)], result: taken };
      });
    },

    renew: (id, hash) => {
      for (const [of, { until }] of offers) if (clock.monotonic() >= until) offers.delete(of);
      return core.change(() => {
        const row = rowOf(id);
        const isFresh = !row?.remembered || clock.now() < row.remembered.rotatedAt + ROTATE_AFTER_MS;
        if (!row || isFresh || row.hash !== hash) return { steps: [], result: undefined };
        const same = offers.get(id)?.token;
        if (same !== undefined && hashOf(same) === row.remembered?.offered) return { steps: [], result: same };
        const token = newToken(kind);
        offers.set(id, { token, until: clock.monotonic() + SAME_OFFER_MS });
        return { steps: [put(withOffer(row, hashOf(token)))], result: token };
      });
    },
  };
}
