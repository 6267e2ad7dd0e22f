/**
 * What stands in a language and may be replaced by something better, or why not.
 *
 * Only a file that this server fetched and that is still exactly as it was written; never what was edited, imported,
 * drafted or restored. Somebody's own file gives way to nothing but a text for this very file and release. What was
 * there once, in whatever form, does not come back, so upgrades cannot go round in circles.
 */
import { Failure } from '../../lib/failure.ts';
import { inRoot, readBounded } from '../../lib/files.ts';
import { covers } from '../../lib/languages.ts';
import { counts } from '../inventory/coverage.ts';
import type { Track } from '../store/rows.ts';
import type { Over } from '../install/install.ts';
import { rowOf } from '../inventory/states.ts';
import { tracksIn } from '../inventory/item.ts';
import { contentOf, MOST_BYTES } from '../history/preserved.ts';
import type { InstallingStore } from '../store/installing.ts';
import type { PreservedFile, Preserved } from '../store/rows.ts';
import type { InstalledFile } from '../store/rows.ts';
import type { Ready } from './judge.ts';
import type { Standing } from './search.ts';

/** Points that something better must have more. */
export const CLEARLY = 10;
const BEST = 100;

export const mayBeBettered = ({ origin, match, score }: Pick<InstalledFile, 'origin' | 'match' | 'score'>): boolean =>
  origin === 'fetched' && (match === 'verified' || match === 'unverified') && score !== null && score <= BEST - CLEARLY;

const kept = (sentence: string): Failure => new Failure('conflict', sentence, { reason: 'not-needed' });

export async function standingOf(
  { installing }: { installing: InstallingStore },
  { subject, file, root, about }: Ready,
): Promise<{ standing: Standing; over: Over }> {
  const tracks = tracksIn(subject, file).filter(
    (track) => counts(track) && track.language !== undefined && covers(track.language, about.language),
  );
  const [track, ...others] = tracks;
  if (!track) throw kept('there is no subtitle in this language to better');
  if (others.length > 0 || track.source === 'embedded' || track.relative === undefined)
    throw kept('there is more than one subtitle in this language, or one inside the video');
  const files = await installing.filesOf([about.item]);
  const row = rowOf(track, files);
  const content = contentOf(await readBounded(inRoot(root, track.relative), MOST_BYTES));
  const history = await installing.history(about.item);
  const contents = new Set<string>([
    content,
    ...history
      .filter(({ language }) => language === about.language)
      .flatMap(({ before, after }) => [before, after].filter((one) => one !== null)),
  ]);
  const over = overOf(track, content);
  const isAsWritten = row?.content === content && row.language === about.language;
  if (row && row.origin !== 'own') {
    if (!isAsWritten) throw kept('the subtitle was changed since it was written');
    if (!mayBeBettered(row))
      throw kept(
        row.origin === 'fetched'
          ? 'the current subtitle can hardly be improved'
          : 'the current subtitle was made or chosen by a user',
      );
    const ancestors = [row, ...ancestorsOf(row.preserved)];
    for (const { delivered } of ancestors) if (typeof delivered === 'string') contents.add(delivered);
    const candidates = ancestors.flatMap(({ source, candidate }) =>
      candidate === null ? [] : [{ provider: source, id: candidate }],
    );
    return {
      standing: {
        isOwn: false,
        role: row.role,
        format: row.format,
        least: (row.score ?? BEST) + CLEARLY,
        isVerified: row.match === 'verified',
        candidates,
        contents,
      },
      over,
    };
  }
  // It was ours, and is not what was written: somebody worked on it, and that is not ours to judge.
  if (!row && files.some((one) => one.origin !== 'own' && one.language === track.language && one.role === track.role))
    throw kept('the subtitle was changed since it was written');
  if (track.format !== 'srt' || track.role === 'forced') throw kept("a user's own file of this kind is never replaced");
  return {
    standing: {
      isOwn: true,
      role: track.role,
      format: track.format,
      least: 0,
      isVerified: false,
      candidates: [],
      contents,
    },
    over,
  };
}

function overOf({ relative = '', language, role }: Track, content: string): Over {
  return { relative, content, role, ...(language !== undefined && { language }) };
}

/** What is known of everything that this one replaced. */
function ancestorsOf({ original, before }: Preserved): NonNullable<PreservedFile['known']>[] {
  const known = (one: PreservedFile | undefined): NonNullable<PreservedFile['known']>[] =>
    one ? [...(one.known ? [one.known] : []), ...known(one.original)] : [];
  return [...known(original), ...known(before)];
}
