/** Which subtitle of a file is meant: one by its key, or the best of a language. Pure. */
import type { SubtitleTrack } from '../../contract/catalog/items.ts';
import { covers, parseLanguage } from '../../lib/languages.ts';

/** Language under which tracks without one are requested. */
const UNDETERMINED = 'und';

const ROLES: Readonly<Record<SubtitleTrack['role'], number>> = { normal: 0, sdh: 1, forced: 2 };

/**
 * The best track of a language: the exact tag before a variant of it, the whole dialogue before the forced
 * lines, text before pictures, a sidecar before what is embedded, the plain one before the one for the hard of hearing.
 */
export function bestOf(tracks: readonly SubtitleTrack[], language: string): SubtitleTrack | undefined {
  const wanted = parseLanguage(language);
  if (wanted === undefined) return undefined;
  const rank = (track: SubtitleTrack): number[] => [
    parseLanguage(track.language ?? UNDETERMINED) === wanted ? 0 : 1,
    track.role === 'forced' ? 1 : 0,
    track.picture ? 1 : 0,
    track.source === 'sidecar' ? 0 : 1,
    ROLES[track.role],
    track.default ? 0 : 1,
  ];
  const fitting = tracks
    .filter(({ language: has }) => covers(has ?? UNDETERMINED, wanted))
    .map((track) => ({ track, at: rank(track) }));
  return fitting.sort((a, b) => a.at.map((n, i) => n - (b.at[i] ?? 0)).find((n) => n !== 0) ?? 0)[0]?.track;
}

/** The number in a key: of a stream (`s3`) or of a sidecar (`f0`). */
export const numberOf = (key: string): number => Number(key.slice(1));
