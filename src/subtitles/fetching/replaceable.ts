/**
 * Decides whether the current subtitle of a language may be replaced by a better one.
 *
 * Only a file that this server fetched and that is still exactly as written may be; never one that was edited,
 * imported, drafted or restored. A user's own file is only replaced by a text made for exactly this file and release. A
 * subtitle that was ever installed here is not installed again, so upgrades cannot alternate.
 */
import { Failure } from '../../lib/failure.ts';
import { inRoot, readBounded } from '../../lib/files.ts';
import { covers } from '../../lib/languages.ts';
import type { WantedSource } from '../wanted.ts';
import { isSameSubtitle, isShownText, servesAs } from '../inventory/coverage.ts';
import type { InventoryTrack } from '../store/rows.ts';
import type { ReplacedFile } from '../install/install.ts';
import { installedRowOf } from '../inventory/states.ts';
import { checkedTracks } from '../inventory/item.ts';
import { contentHash, MAX_PRESERVED_BYTES } from '../history/preserved.ts';
import type { InstallingStore } from '../store/installing.ts';
import type { InventoryStore } from '../store/inventory.ts';
import type { PreservedFile, RestorableFiles } from '../store/rows.ts';
import type { InstalledFile } from '../store/rows.ts';
import type { FetchTarget } from './preconditions.ts';
import type { ReplaceableSubtitle } from './search.ts';

/** Points by which a better subtitle must exceed the score of the current one. */
export const MIN_POINTS_GAINED = 10;
const MAX_SCORE = 100;

export const mayBeUpgraded = ({ origin, match, score }: Pick<InstalledFile, 'origin' | 'match' | 'score'>): boolean =>
  origin === 'fetched' &&
  (match === 'verified' || match === 'unverified') &&
  score !== null &&
  score <= MAX_SCORE - MIN_POINTS_GAINED;

const notNeeded = (sentence: string): Failure => new Failure('conflict', sentence, { reason: 'not-needed' });

export async function replaceableSubtitle(
  {
    installing,
    wanted,
    inventory,
  }: { installing: InstallingStore; wanted: WantedSource; inventory: Pick<InventoryStore, 'tracks'> },
  { subject, file, root, about }: FetchTarget,
): Promise<{ replaceable: ReplaceableSubtitle; over: ReplacedFile }> {
  // A regular subtitle is not replaced for want of one next to it that is wanted for the hard of hearing.
  const inLibrary = wanted.in(file.library);
  const isWantedForItself = (role: InventoryTrack['role']): boolean =>
    role !== about.role && inLibrary.some((one) => isSameSubtitle(one, { language: about.language, role }));
  const tracks = (await checkedTracks({ inventory }, subject, file)).filter(
    (track) =>
      isShownText(track) &&
      track.language !== undefined &&
      covers(track.language, about.language) &&
      servesAs(track.role, about.role) &&
      !isWantedForItself(track.role),
  );
  const [track, ...others] = tracks;
  if (!track) throw notNeeded('there is no subtitle in this language to upgrade');
  if (others.length > 0 || track.source === 'embedded' || track.relative === undefined)
    throw notNeeded('there is more than one subtitle in this language, or one inside the video');
  const files = await installing.filesOf([about.item]);
  const row = installedRowOf(track, files);
  const content = contentHash(await readBounded(inRoot(root, track.relative), MAX_PRESERVED_BYTES));
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
    if (!isAsWritten) throw notNeeded('the subtitle was changed since it was written');
    if (!mayBeUpgraded(row))
      throw notNeeded(
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
      replaceable: {
        isOwn: false,
        role: row.role,
        format: row.format,
        minScore: (row.score ?? MAX_SCORE) + MIN_POINTS_GAINED,
        isVerified: row.match === 'verified',
        candidates,
        contents,
      },
      over,
    };
  }
  // The file was ours and has been changed, so a user worked on it.
  if (!row && files.some((one) => one.origin !== 'own' && one.language === track.language && one.role === track.role))
    throw notNeeded('the subtitle was changed since it was written');
  if (track.format !== 'srt' || about.role === 'forced')
    throw notNeeded("a user's own file of this kind is never replaced");
  return {
    replaceable: {
      isOwn: true,
      role: track.role,
      format: track.format,
      minScore: 0,
      isVerified: false,
      candidates: [],
      contents,
    },
    over,
  };
}

function overOf({ relative = '', language, role }: InventoryTrack, content: string): ReplacedFile {
  return { relative, content, role, ...(language !== undefined && { language }) };
}

/** Returns the facts about everything that this file replaced. */
function ancestorsOf({ original, before }: RestorableFiles): NonNullable<PreservedFile['known']>[] {
  const factsOf = (one: PreservedFile | undefined): NonNullable<PreservedFile['known']>[] =>
    one ? [...(one.known ? [one.known] : []), ...factsOf(one.original)] : [];
  return [...factsOf(original), ...factsOf(before)];
}
