/**
 * How much speaks for a candidate: 0..100 with the list of what it is made of, so that people can see why.
 *
 * | What | Points |
 * |---|---|
 * | equal ids (IMDb, TMDB) of the film, the episode or its show | 30 |
 * | the provider's file hash is ours | 30 |
 * | the same release: the whole name, or group 14, source 12 (of another service 5), resolution 3, codec 2, edition 3 |
 * at most 35 |
 * | title, and year (film) or season and episode (show), be it the name of an entry in a pack | 15, 10 |
 * | trusted uploader · hearing-impaired as preferred · the same frame rate | 5 each |
 * | a frame rate at which it runs faster or slower · perhaps another edition · surely another | −10, −10, −35 |
 *
 * The least that is tried is 60: a film whose ids, title and year agree and whose text is of the wanted sort reaches
 * exactly that, and so does a release that agrees in group and make where no id is known.
 */
import { evidenceOf } from '../../contract/subtitles/evidence-reasons.ts';
import { foldName } from '../../lib/languages.ts';
import { matchEpisode, statesPart } from '../providers/episode.ts';
import type { ProviderQuery, Candidate } from '../providers/provider.ts';
import { shareAnId, conflictsOf } from './conflicts.ts';
import type { ScoreEvidence, ScoredCandidate } from './evidence.ts';
import { mentionsGroup, readRelease, type ReleaseName } from './release.ts';

export const MIN_SCORE = 60;
const MAX_SCORE = 100;
const MAX_RELEASE_POINTS = 35;
const POINTS = {
  ids: 30,
  hash: 30,
  group: 14,
  source: 12,
  otherService: 5,
  resolution: 3,
  codec: 2,
  edition: 3,
  title: 15,
  year: 10,
  episode: 10,
  pack: 10,
  trusted: 5,
  impaired: 5,
  rate: 5,
  disadvantage: -10,
  otherCut: -35,
} as const;
/** Relative difference below which frame rates count as equal. 23.976 and 24 differ by 0.1 %, 24 and 25 by 4 %. */
const RATE_TOLERANCE = 0.002;
/**
 * Playback speeds by frame rate. A film lasts equally long at 23.976, 24, 29.97 and twice these rates, because frames
 * are repeated. At 25 and 50 it runs 4 % faster. Other rates are unknown.
 */
const SPEEDS: readonly (readonly [speed: 'film' | 'pal', rates: readonly number[]])[] = [
  ['film', [24, 30, 48, 60, 120]],
  ['pal', [25, 50, 100]],
];
const speedOf = (rate: number): 'film' | 'pal' | undefined =>
  SPEEDS.find(([, rates]) => rates.some((one) => Math.abs(rate / one - 1) <= RATE_TOLERANCE))?.[0];

export function score(candidate: Candidate, ask: ProviderQuery): ScoredCandidate {
  const names = candidate.releases.map((name) => readRelease(name, ask.kind));
  const release = releaseEvidence(names, ask);
  const evidence = [...identityEvidence(candidate, ask, names), ...release.evidence, ...kindEvidence(candidate, ask)];
  const sum = evidence.reduce((total, one) => total + one.points, 0);
  const conflicts = conflictsOf(candidate, ask);
  const match = matchOf(evidence, { isSameCut: release.isSameCut, kind: ask.kind });
  // A text of the same release may be for the whole film, or for another part of it. A hash is that of this part.
  const isOfAnyPart =
    ask.part !== undefined && candidate.hashMatch !== true && !candidate.releases.some((name) => statesPart(name, ask));
  return {
    candidate,
    score: Math.max(0, Math.min(MAX_SCORE, sum)),
    evidence,
    conflicts,
    match: match === 'strong' && isOfAnyPart ? 'weak' : match,
  };
}

/**
 * Returns how certain a candidate is. A `strong` one may be installed before the audio confirms its timing: it is
 * certainly this film or episode in this cut. A hash alone is not enough, because about a fifth of them are wrong.
 */
function matchOf(
  evidence: readonly ScoreEvidence[],
  { isSameCut, kind }: { isSameCut: boolean; kind: ProviderQuery['kind'] },
): ScoredCandidate['match'] {
  const has = new Set(evidence.filter((one) => one.points > 0).map((one) => one.kind));
  const isOther = evidence.some((one) => one.points < 0);
  const isPlaced = kind === 'movie' || has.has('episode') || has.has('pack');
  // The ids of a show do not identify an episode.
  const isIdentified = isPlaced && (has.has('ids') || (has.has('title') && (kind === 'episode' || has.has('year'))));
  if (!isIdentified || isOther) return 'weak';
  if (has.has('hash') && isSameCut && has.has('ids')) return 'exact';
  return isSameCut || (has.has('hash') && has.has('ids')) ? 'strong' : 'weak';
}

function identityEvidence(candidate: Candidate, ask: ProviderQuery, named: readonly ReleaseName[]): ScoreEvidence[] {
  const out: ScoreEvidence[] = [];
  const same = shareAnId(candidate.ids, ask.ids)
    ? ask.kind === 'movie'
      ? 'film'
      : 'episode'
    : ask.kind === 'episode' && shareAnId(candidate.showIds, ask.showIds)
      ? 'show'
      : undefined;
  if (same) out.push(evidenceOf('ids', POINTS.ids, { reason: `same-${same}`, values: {} }));
  if (candidate.hashMatch === true) out.push(evidenceOf('hash', POINTS.hash, { reason: 'same-hash', values: {} }));
  const names = new Set([ask.title, ...(ask.otherTitles ?? [])].map(folded));
  const theirs = [candidate.title, ...named.map(({ title }) => title)];
  if (theirs.some((title) => title !== undefined && title !== '' && names.has(folded(title))))
    out.push(evidenceOf('title', POINTS.title, { reason: 'same-title', values: {} }));
  if (ask.kind === 'movie') {
    const years = [candidate.year, ...named.map(({ year }) => year)];
    if (ask.year !== undefined && years.includes(ask.year))
      out.push(evidenceOf('year', POINTS.year, { reason: 'same-year', values: {} }));
  } else out.push(...placeEvidence(candidate, ask));
  return out;
}

/**
 * Returns evidence that the episode is the right one. The name of a pack does not state the episode; the name of the
 * extracted entry does, and an entry without it is never used, so both count the same.
 */
function placeEvidence(candidate: Candidate, ask: ProviderQuery): ScoreEvidence[] {
  const found = (kind: 'episode' | 'pack', reason: 'same-day' | 'same-number' | 'season-pack'): ScoreEvidence[] => [
    evidenceOf(kind, POINTS[kind], { reason, values: {} }),
  ];
  const isNamed = candidate.releases.some((name) => matchEpisode(name, ask) === 'same');
  if (ask.season === undefined || ask.episode === undefined) return isNamed ? found('episode', 'same-day') : [];
  const { season, episode, episodeEnd = ask.episode } = ask;
  const isOfSeason = candidate.season === season;
  const isIn =
    isOfSeason &&
    candidate.episode !== undefined &&
    candidate.episode <= episodeEnd &&
    (candidate.episodeEnd ?? candidate.episode) >= episode;
  if (isNamed || (isIn && !candidate.pack)) return found('episode', 'same-number');
  return candidate.pack && isOfSeason ? found('pack', 'season-pack') : [];
}

/** Reason of a comparison of releases. */
type ReleaseReason =
  | 'same-group'
  | 'same-source'
  | 'other-service'
  | 'same-resolution'
  | 'same-codec'
  | 'same-edition'
  | 'edition-unclear';

interface Compared {
  evidence: ScoreEvidence[];
  /** Whether both are certainly from the same master and the same cut. */
  isSameCut: boolean;
}

/** Returns the best comparison with the releases that the subtitle was made for. */
function releaseEvidence(named: readonly ReleaseName[], ask: ProviderQuery): Compared {
  const ours = readRelease(ask.fileName, ask.kind);
  // A name without group and source is only a title: many files have it, and it says nothing about the cut.
  const isRelease = ours.group !== undefined || ours.source !== undefined;
  let best: Compared = { evidence: [], isSameCut: false };
  for (const theirs of named) {
    if (isRelease && theirs.whole === ours.whole)
      return {
        evidence: [evidenceOf('release', MAX_RELEASE_POINTS, { reason: 'same-release', values: {} })],
        isSameCut: true,
      };
    const found = compareReleases(ours, theirs);
    if (best.evidence.length === 0 || sumOf(found.evidence) > sumOf(best.evidence)) best = found;
  }
  return best;
}

const sumOf = (evidence: readonly ScoreEvidence[]): number => evidence.reduce((total, one) => total + one.points, 0);

function compareReleases(ours: ReleaseName, theirs: ReleaseName): Compared {
  const evidence: ScoreEvidence[] = [];
  const add = (
    kind: 'group' | 'source' | 'resolution' | 'codec' | 'edition',
    reason: ReleaseReason,
    points: number = POINTS[kind],
  ) => void evidence.push(evidenceOf(kind, points, { reason, values: {} }));
  const same = (key: 'group' | 'source' | 'resolution' | 'codec') =>
    ours[key] !== undefined && ours[key] === theirs[key];
  // A series begins later at one service than at another, because each shows its own logo first.
  const isOtherService = ours.service !== undefined && theirs.service !== undefined && ours.service !== theirs.service;
  const isOtherSource = ours.source !== undefined && theirs.source !== undefined && ours.source !== theirs.source;
  // Groups make several releases of a film. One from another source or service is a different release.
  const isSameGroup =
    !isOtherService &&
    !isOtherSource &&
    (same('group') || (ours.group !== undefined && theirs.group === undefined && mentionsGroup(theirs, ours.group)));
  if (isSameGroup) add('group', 'same-group');
  if (same('source'))
    add(
      'source',
      isOtherService ? 'other-service' : 'same-source',
      isOtherService ? POINTS.otherService : POINTS.source,
    );
  if (same('resolution')) add('resolution', 'same-resolution');
  if (same('codec')) add('codec', 'same-codec');
  // Fansub groups publish one version of an episode, and name no source.
  const isSameMake = same('source') || (ours.source === undefined && theirs.source === undefined && same('resolution'));
  const isSameCut = isSameGroup && isSameMake && ours.cut === theirs.cut;
  if (theirs.strong === 0) return { evidence, isSameCut };
  if (ours.cut === theirs.cut) {
    if (ours.cut !== undefined || evidence.length > 1) add('edition', 'same-edition');
  } else if (theirs.cut !== undefined && ours.strong > 0)
    evidence.push(evidenceOf('edition', POINTS.otherCut, { reason: 'other-edition', values: { edition: theirs.cut } }));
  else add('edition', 'edition-unclear', POINTS.disadvantage);
  return { evidence, isSameCut };
}

/** Scores the kind of the text and its author. */
function kindEvidence(candidate: Candidate, ask: ProviderQuery): ScoreEvidence[] {
  const out: ScoreEvidence[] = [];
  if (candidate.trusted === true) out.push(evidenceOf('trusted', POINTS.trusted, { reason: 'trusted', values: {} }));
  const wish = ask.hearingImpaired ?? 'avoid';
  const impaired = candidate.hearingImpaired ?? false;
  if (wish === 'any' || impaired === (wish === 'prefer' || wish === 'only')) {
    const reason = impaired ? 'impaired-preferred' : 'plain-preferred';
    out.push(evidenceOf('hearing-impaired', POINTS.impaired, { reason, values: {} }));
  }
  if (candidate.fps !== undefined && ask.fps !== undefined && ask.fps > 0) {
    const [theirs, ours] = [speedOf(candidate.fps), speedOf(ask.fps)];
    const isSame = Math.abs(candidate.fps / ask.fps - 1) <= RATE_TOLERANCE;
    if (isSame) out.push(evidenceOf('frame-rate', POINTS.rate, { reason: 'same-frame-rate', values: {} }));
    else if (theirs !== undefined && ours !== undefined && theirs !== ours)
      out.push(evidenceOf('frame-rate', POINTS.disadvantage, { reason: 'other-frame-rate', values: {} }));
  }
  return out;
}

/** Folds a title: accents, case, punctuation, `and` and a leading article do not distinguish titles. */
function folded(title: string): string {
  const plain = foldName(title.replaceAll('&', ' and '));
  const [first = '', ...rest] = plain.split(' ');
  return (rest.length > 0 && ARTICLES.has(first) ? rest : [first, ...rest]).filter((word) => word !== 'and').join(' ');
}
const ARTICLES = new Set(['the', 'a', 'an', 'le', 'la', 'les', 'der', 'die', 'das', 'el', 'il']);
