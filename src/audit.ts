/**
 * The command `audit verify [HEAD]`: whether the activity log of a stopped server is whole, and where it breaks.
 *
 * It prints the heads of both chains. A head that was noted elsewhere and is given at a later check shows a log that
 * was made again as a whole, which nothing in the database can show.
 */
import { verifyActivity, type ChainBreak, type NotedPlace } from './activity/index.ts';
import type { Boot } from './config/index.ts';
import { iso } from './lib/clock.ts';
import { withStoppedDatabase } from './stopped-database.ts';

const HEAD = /^(record|playback):(\d{1,15}):([0-9a-f]{64})$/;
const TITLES = { record: 'security, administration and system', playback: 'playback' } as const;

function notedIn(text: string): NotedPlace | undefined {
  const [, chain, number, hash] = HEAD.exec(text) ?? [];
  return chain && hash ? { chain: chain as NotedPlace['chain'], number: Number(number), hash } : undefined;
}

function faultOf({ chain, what, number, at }: ChainBreak): string {
  const entry = `entry ${number}${at === undefined ? '' : ` of ${iso(at)}`}`;
  if (what === 'entry')
    return (
      `The log is broken at ${entry} (${TITLES[chain]}): it does not follow from the entry before it. One of the ` +
      'two was changed, moved, added or removed without the server.'
    );
  if (what === 'end')
    return `The log ends at ${entry} (${TITLES[chain]}), but the server wrote more: the newest entries are gone.`;
  if (what === 'anchor')
    return `The log has entries (${TITLES[chain]}) and nothing says where they begin and end, up to ${entry}.`;
  return (
    `The head that you noted, ${chain} ${number}, is not in the log: the log, or its part up to there, was ` +
    'replaced by another one.'
  );
}

/** Prints what it found. Returns 0 for a log that is whole, 1 for a broken one, and 2 if it cannot be checked. */
export async function auditCommand({
  args,
  boot,
  print,
}: {
  args: readonly string[];
  boot: Boot;
  print(line: string): void;
}): Promise<0 | 1 | 2> {
  const [action, text, ...more] = args;
  const noted = text === undefined ? undefined : notedIn(text);
  if (action !== 'verify' || more.length > 0 || (text !== undefined && !noted)) {
    print('usage: audit verify [HEAD], where HEAD is a line that an earlier check printed');
    return 2;
  }
  return withStoppedDatabase<0 | 1>({ boot, print }, async (db) => {
    const { chains, broken } = await verifyActivity(db, noted);
    for (const { chain, count, anchor } of chains) {
      const since = anchor === 0 ? 'from the first on' : `after entry ${anchor}, up to which their time is over`;
      print(`${count} entries (${TITLES[chain]}), ${since}`);
    }
    if (broken) {
      print(faultOf(broken));
      return 1;
    }
    print('The log is whole: no entry was changed, moved, added or removed.');
    print('Note these heads elsewhere; "audit verify HEAD" then shows whether the whole log was replaced:');
    for (const { chain, head } of chains) print(`${chain}:${head.number}:${head.hash}`);
    return 0;
  });
}
