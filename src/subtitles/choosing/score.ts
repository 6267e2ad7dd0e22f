/**
 * How much speaks for a candidate: 0..100 with the list of what it is made of, so that people can see why.
 *
 * | What | Points |
 * |---|---|
 * | equal ids (IMDb, TMDB) of the film, the episode or its show | 30 |
 * | the provider's file hash is ours | 30 |
 * | the same release: the whole name, or group 14, source 9, resolution 4, codec 4, edition 4 | at most 35 |
 * | title, and year (film) or season and episode (show; a pack 8) | 15, 10 |
 * | trusted uploader · hearing-impaired as preferred · the same frame rate | 5 each |
 * | another edition · another frame rate | −10 each |
 *
 * The least that is tried is 60: a film whose ids, title and year agree and whose text is of the wanted sort reaches
 * exactly that, and so does a release that agrees in group and make where no id is known.
 */
import { foldName } from '../../lib/languages.ts';
import { parseRelease, type Release, withoutEnding } from '../../lib/release-name.ts';
import { statedEpisode } from '../providers/episode.ts';
import type { Ask, Candidate } from '../providers/provider.ts';
import { agree, conflictsOf } from './conflicts.ts';
import type { Evidence, Scored } from './evidence.ts';

export const MINIMUM = 60;
const MOST = 100;
const MOST_RELEASE = 35;
const POINTS = {
  ids: 30, hash: 30,
  group: 14, source: 9, resolution: 4, codec: 4, edition: 4,
  title: 15, year: 10, episode: 10, pack: 8,
  trusted: 5, impaired: 5, rate: 5,
  against: -10,
} as const;
/** 23.976 and 24 are a tenth of a per cent apart and play as the same; 25 is four per cent away. */
const SAME_RATE = 0.002;

export function score(candidate: Candidate, ask: Ask): Scored {
  const release = releaseEvidence(candidate, ask);
  const evidence = [...identity(candidate, ask), ...release.evidence, ...sort(candidate, ask)];
  const sum = evidence.reduce((total, one) => total + one.points, 0);
  const conflicts = conflictsOf(candidate, ask);
  return {
    candidate,
    score: Math.max(0, Math.min(MOST, sum)),
    evidence,
    conflicts,
    match: matchOf(evidence, release.isSame),
  };
}

/**
 * `strong` may be installed before any audio confirmed its timing: it is surely this film or episode, and surely this
 * cut of it. A hash alone is not enough, about a fifth of them being wrong.
 */
function matchOf(evidence: readonly Evidence[], isSame: boolean): Scored['match'] {
  const has = new Set(evidence.filter((one) => one.points > 0).map((one) => one.kind));
  const isOther = evidence.some((one) => one.points < 0);
  const isIdentified = has.has('ids') || (has.has('title') && (has.has('year') || has.has('episode') || has.has('pack')));
  if (!isIdentified || isOther) return 'weak';
  const isSameCut = isSame || (has.has('group') && has.has('source'));
  if (has.has('hash') && isSameCut && has.has('ids')) return 'exact';
  return isSameCut || (has.has('hash') && has.has('ids')) ? 'strong' : 'weak';
}

function identity(candidate: Candidate, ask: Ask): Evidence[] {
  const out: Evidence[] = [];
  const same = agree(candidate.ids, ask.ids) ? (ask.kind === 'movie' ? 'film' : 'episode') : ask.kind === 'episode' && agree(candidate.showIds, ask.showIds) ? 'show' : undefined;
  if (same) out.push({ kind: 'ids', points: POINTS.ids, detail: `the same ${same} by its id` });
  if (candidate.hashMatch === true) out.push({ kind: 'hash', points: POINTS.hash, detail: 'the provider knows this very file' });
  const names = new Set([ask.title, ...(ask.otherTitles ?? [])].map(folded));
  const theirs = [candidate.title, ...candidate.releases.map((name) => parseRelease(name).title)];
  if (theirs.some((title) => title !== undefined && title !== '' && names.has(folded(title)))) out.push({ kind: 'title', points: POINTS.title, detail: 'the same title' });
  if (ask.kind === 'movie') {
    const years = [candidate.year, ...candidate.releases.map((name) => parseRelease(name).year)];
    if (ask.year !== undefined && years.includes(ask.year)) out.push({ kind: 'year', points: POINTS.year, detail: 'the same year' });
  } else out.push(...place(candidate, ask));
  return out;
}

function place(candidate: Candidate, ask: Ask): Evidence[] {
  if (ask.season === undefined || ask.episode === undefined) return [];
  const { season, episode } = ask;
  const covers = (from: { season?: number | undefined; episode?: number | undefined; episodeEnd?: number | undefined }) =>
    from.season === season && from.episode !== undefined && from.episode <= episode && (from.episodeEnd ?? from.episode) >= episode;
  if (covers(candidate) || candidate.releases.some((name) => covers(statedEpisode(name) ?? {}))) {
    return [{ kind: 'episode', points: POINTS.episode, detail: 'the same season and episode' }];
  }
  return candidate.pack && candidate.season === season ? [{ kind: 'pack', points: POINTS.pack, detail: 'a pack of the same season' }] : [];
}

/** The best of the names that the subtitle was made for. */
function releaseEvidence(candidate: Candidate, ask: Ask): { evidence: Evidence[]; isSame: boolean } {
  const ours = parseRelease(ask.fileName);
  const whole = foldName(withoutEnding(ask.fileName));
  // A name without a group or a source is a title with decoration: equal to many, and it says nothing about the cut.
  const isRelease = ours.group !== undefined || ours.source !== undefined;
  let best: Evidence[] = [];
  for (const name of candidate.releases) {
    if (isRelease && foldName(withoutEnding(name)) === whole) {
      return { evidence: [{ kind: 'release', points: MOST_RELEASE, detail: 'made for this very release' }], isSame: true };
    }
    const found = compare(ours, parseRelease(name));
    if (sumOf(found) > sumOf(best) || best.length === 0) best = found;
  }
  return { evidence: best, isSame: false };
}

const sumOf = (evidence: readonly Evidence[]): number => evidence.reduce((total, one) => total + one.points, 0);

function compare(ours: Release, theirs: Release): Evidence[] {
  const out: Evidence[] = [];
  const same = (a: string | undefined, b: string | undefined) => a !== undefined && b !== undefined && a.toLowerCase() === b.toLowerCase();
  if (same(ours.group, theirs.group)) out.push({ kind: 'group', points: POINTS.group, detail: 'the same release group' });
  if (same(family(ours.source), family(theirs.source))) out.push({ kind: 'source', points: POINTS.source, detail: 'the same kind of source' });
  if (same(ours.resolution, theirs.resolution)) out.push({ kind: 'resolution', points: POINTS.resolution, detail: 'the same resolution' });
  if (same(ours.codec, theirs.codec)) out.push({ kind: 'codec', points: POINTS.codec, detail: 'the same codec' });
  if (theirs.strong === 0) return out;
  if (same(ours.edition, theirs.edition) || (ours.edition === undefined && theirs.edition === undefined && out.length > 1)) {
    out.push({ kind: 'edition', points: POINTS.edition, detail: 'the same edition' });
  } else if (ours.edition !== theirs.edition) out.push({ kind: 'edition', points: POINTS.against, detail: 'another edition' });
  return out;
}

/** Sources whose timing is the same, since they come from the same master. */
const family = (source: string | undefined): string | undefined => (source === 'remux' ? 'bluray' : source === 'webrip' || source === 'web-dl' ? 'web' : source);

/** What sort of text it is and who made it. */
function sort(candidate: Candidate, ask: Ask): Evidence[] {
  const out: Evidence[] = [];
  if (candidate.trusted === true) out.push({ kind: 'trusted', points: POINTS.trusted, detail: 'a trusted uploader' });
  const wish = ask.hearingImpaired ?? 'avoid';
  const impaired = candidate.hearingImpaired ?? false;
  if (wish === 'any' || impaired === (wish === 'prefer')) {
    out.push({ kind: 'hearing-impaired', points: POINTS.impaired, detail: impaired ? 'for the hard of hearing, as preferred' : 'plain text, as preferred' });
  }
  if (candidate.fps !== undefined && ask.fps !== undefined && ask.fps > 0) {
    const isSame = Math.abs(candidate.fps / ask.fps - 1) <= SAME_RATE;
    out.push({ kind: 'frame-rate', points: isSame ? POINTS.rate : POINTS.against, detail: isSame ? 'the same frame rate' : 'another frame rate' });
  }
  return out;
}

/** Accents, case, punctuation, `and` and a leading article do not tell titles apart. */
function folded(title: string): string {
  const plain = foldName(title.replaceAll('&', ' and '));
  const [first = '', ...rest] = plain.split(' ');
  return (rest.length > 0 && ARTICLES.has(first) ? rest : [first, ...rest]).filter((word) => word !== 'and').join(' ');
}
const ARTICLES = new Set(['the', 'a', 'an', 'le', 'la', 'les', 'der', 'die', 'das', 'el', 'il']);
