/**
 * The chain of an activity log: the hash of each entry covers the place of the entry before it and its own content.
 *
 * There are two chains, because playback is kept for another time than the rest, and a chain can only lose its oldest
 * entries. The hash of the last entry that was removed is the anchor of the chain, and that of the newest is its head.
 * Both are stored, so a missing end is noticed as well. There is no secret in it: who can write to the database can
 * also make a new chain. A head that was noted elsewhere shows that.
 */
import { createHash } from 'node:crypto';
import type { ActivityChain, ChainedEntry } from './types.ts';

export const CHAINS: readonly ActivityChain[] = ['record', 'playback'];

/** A place in a chain: the number of an entry, and its hash. */
export interface ChainPlace {
  number: number;
  hash: string;
}
/** The place before the first entry that there ever was. */
export const CHAIN_START: ChainPlace = { number: 0, hash: '0'.repeat(64) };

/** Returns the hash of an entry that follows another one, as lowercase hex. The form of the content never changes. */
export function entryHash(before: ChainPlace, entry: ChainedEntry): string {
  const { number, id, chain, at, kind, outcome, actor, via, credential, profile, target, reach, network, count } =
    entry;
  const content = [
    [chain, number, id, at, kind, outcome],
    [actor ?? null, via ?? null, credential ?? null, profile ?? null, target ?? null],
    [reach ?? null, network ?? null, count],
    entry.details,
  ];
  return createHash('sha256')
    .update(`${before.number} ${before.hash}\n${JSON.stringify(content)}`)
    .digest('hex');
}

/** A place that was noted outside the database. */
export interface NotedPlace extends ChainPlace {
  chain: ActivityChain;
}

/** A fault of a chain. */
export interface ChainBreak {
  chain: ActivityChain;
  /**
   * `entry`: this entry does not follow from the one before it, so it or the one before was changed, removed, inserted
   * or moved. `end`: entries after this one are missing, or were added without the server. `anchor`: the chain has no
   * anchor or head any more. `noted`: the place that was noted is not in the chain.
   */
  what: 'entry' | 'end' | 'anchor' | 'noted';
  /** Number of the first entry that does not fit; of the last one that is there if the end is wrong. */
  number: number;
  /** Time of that entry. */
  at: number | undefined;
}

/** Follows one chain from its anchor. Entries are added in the order of their numbers. */
export function followChain(chain: ActivityChain, anchor: ChainPlace, noted?: ChainPlace) {
  let place = anchor;
  let at: number | undefined;
  let count = 0;
  let isNotedSeen = noted === undefined || (noted.number === anchor.number && noted.hash === anchor.hash);
  let broken: ChainBreak | undefined;
  return {
    add: (entry: ChainedEntry, hash: string): void => {
      count += 1;
      if (broken) return;
      if (entry.number <= place.number || entryHash(place, entry) !== hash)
        broken = { chain, what: 'entry', number: entry.number, at: entry.at };
      place = { number: entry.number, hash };
      at = entry.at;
      if (noted?.number === place.number && noted.hash === hash) isNotedSeen = true;
    },
    /** Returns how many entries there were, and what is wrong. */
    end: (head: ChainPlace): { count: number; broken: ChainBreak | undefined } => {
      if (!broken && (head.number !== place.number || head.hash !== place.hash))
        broken = { chain, what: 'end', number: place.number, at };
      // One from before the anchor was removed with its time.
      if (!broken && !isNotedSeen && noted && noted.number > anchor.number)
        broken = { chain, what: 'noted', number: noted.number, at: undefined };
      return { count, broken };
    },
  };
}
