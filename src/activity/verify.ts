/** Checks that the activity log is whole: both chains from their anchors to their heads, and nothing next to them. */
import { CHAINS, followChain, type ChainBreak, type ChainPlace, type NotedPlace } from './chain.ts';
import type { ChainStore } from './store/chains.ts';
import type { ActivityChain } from './types.ts';

export interface ChainReport {
  chain: ActivityChain;
  /** Entries that were checked. */
  count: number;
  /** Number of the last entry that was removed when its time was over; 0 if none was. */
  anchor: number;
  head: ChainPlace;
}
export interface LogReport {
  chains: ChainReport[];
  /** The first thing that is wrong; undefined if the log is whole. */
  broken: ChainBreak | undefined;
}

/** How often a chain is read again because entries were removed in the meantime, as their time was over. */
const MAX_TRIES = 3;

type Entries = Omit<ChainStore, 'forget'>;

/** `noted` is a head from before: it has to be in its chain, unless it is older than the anchor. */
export async function verifyLog(entries: Entries, noted?: NotedPlace): Promise<LogReport> {
  const chains: ChainReport[] = [];
  const breaks: ChainBreak[] = [];
  for (const chain of CHAINS) {
    const { report, broken } = await verifyChain(entries, chain, noted?.chain === chain ? noted : undefined);
    if (report) chains.push(report);
    if (broken) breaks.push(broken);
  }
  const stray = await entries.stray(CHAINS);
  if (stray) breaks.push({ chain: 'record', what: 'entry', number: stray.number, at: stray.at });
  return { chains, broken: breaks.toSorted((a, b) => a.number - b.number)[0] };
}

async function verifyChain(
  entries: Entries,
  chain: ActivityChain,
  noted: NotedPlace | undefined,
): Promise<{ report?: ChainReport; broken: ChainBreak | undefined }> {
  for (let tries = 1; ; tries++) {
    // In this order: the head is written with its entry, so it is never behind an entry that was read before it.
    const last = await entries.last(chain);
    const row = await entries.chain(chain);
    if (!row) {
      if (last) return { broken: { chain, what: 'anchor', number: last.number, at: last.at } };
      return { broken: noted && { chain, what: 'noted', number: noted.number, at: undefined } };
    }
    const follow = followChain(chain, row.anchor, noted);
    await entries.walk(chain, row.head.number, follow.add);
    const { count, broken } = follow.end(row.head);
    const isMoved = (await entries.chain(chain))?.anchor.number !== row.anchor.number;
    if (broken && isMoved && tries < MAX_TRIES) continue;
    const report = { chain, count, anchor: row.anchor.number, head: row.head };
    if (!broken && last && last.number > row.head.number)
      return { report, broken: { chain, what: 'end', number: row.head.number, at: undefined } };
    return { report, broken };
  }
}
