/** Decides whether an alignment is certain enough to move cues, and says why or why not. Pure. */
import { evidenceOf } from '../../contract/subtitles/evidence-reasons.ts';
import { MAX_TIMING_BREAKS } from '../../contract/subtitles/timing-moves.ts';
import type { AlignmentEvidence, AlignmentRefusal } from './types.ts';
import type { Measures } from './measure.ts';
import type { Steadiness } from './steadiness.ts';

/**
 * Kind of evidence that cues are compared with: speech found by the neural or the light detector, or cues whose timing
 * is right.
 */
export type Reference = 'speech' | 'light' | 'cues';

interface Gate {
  z: number;
  hit: number;
  /** Hit that is enough when z is `clearZ`: a detector that misses much speech says nothing against the timing. */
  leastHit: number;
  clearZ: number;
  weakest: number;
}
/**
 * Measured with the neural detector on films of 22 and 45 minutes, some with loud music. With one offset, a subtitle of
 * another film reaches a z of 4.2 and a hit of 0.55; with four offsets a z of 6.3, a hit of 0.58 and 2.5 for the
 * weakest part. Right subtitles begin at a z of 11, a hit of 0.68 and 3.7 for a part. With twenty cues the two ranges
 * come closer, and many right ones are refused.
 */
const GATES: Record<Reference, Gate> = {
  speech: { z: 4.5, hit: 0.78, leastHit: 0.64, clearZ: 9, weakest: 3.3 },
  // The light detector takes more music for speech: on the same films right subtitles reached a z of 10, a hit of 0.65
  // and 3.7, wrong ones at most 4.1, 0.52 and 2.5.
  light: { z: 6, hit: 0.78, leastHit: 0.64, clearZ: 12, weakest: 3.6 },
  cues: { z: 5, hit: 0.7, leastHit: 0.6, clearZ: 10, weakest: 3.3 },
};
/** Additional z for a rate that is none of the usual ones: chance has a hundred times as many to select from. */
const FREE_Z = 2;
/** Minimum z if the best of all offsets is the present one, which chance would hardly ever select. */
const STILL_Z = 2.5;
/**
 * Minimum lead of each half over the speech around it: two episodes with the same beginning fit in the first half only.
 * Right subtitles begin at 0.08 when a quarter of the speech is missed.
 */
const MIN_LEAD = 0.05;
/**
 * Minimum z of every quarter over itself a few seconds off, moved or not. Right subtitles of six minutes begin at 1.3
 * and of twenty at 2.4, with a quarter of the speech missed or a third of the cues missing. Of two episodes that share
 * half of their lines one in fifty is above it, and with three minutes one in ten.
 */
const MIN_PART = 1.2;
const hitFor = ({ clearZ, hit, leastHit }: Gate, z: number): number =>
  Math.max(leastHit, hit - (hit - leastHit) * Math.max(0, (2 * z) / clearZ - 1));

export const MAX_TIMING_SEGMENTS = MAX_TIMING_BREAKS + 1;
/** Minimum improvement that justifies changing a file. */
const MIN_IMPROVEMENT = 0.02;

export interface AlignmentVerdict {
  refusal: AlignmentRefusal | undefined;
  evidence: AlignmentEvidence[];
}

export function judgeAlignment({
  measures,
  segments,
  areLong,
  ratio,
  isFree,
  reference,
  isStill,
}: {
  measures: Measures;
  segments: number;
  areLong: boolean;
  ratio: number;
  /** Whether the ratio is none of the usual ones. */
  isFree: boolean;
  reference: Reference;
  isStill: boolean;
}): AlignmentVerdict {
  const usual = GATES[reference];
  const gate = isStill
    ? { ...usual, z: STILL_Z, hit: usual.leastHit }
    : { ...usual, z: usual.z + (isFree ? FREE_Z : 0) };
  const { z, hit, base, improvement, weakest } = measures;
  const shares = { hit: percent(hit), needed: percent(hitFor(gate, z)), chance: percent(base) };
  const evidence: AlignmentEvidence[] = [
    evidenceOf('distinctness', points(z / (2 * gate.z)), {
      reason: 'distinct',
      values: { found: rounded(z, 1), needed: gate.z },
    }),
    evidenceOf('speech', points((hit - base) / Math.max(0.05, 1 - base)), {
      reason: reference === 'cues' ? 'with-text' : 'spoken',
      values: shares,
    }),
    evidenceOf(
      'improvement',
      points(improvement),
      improvement < 0.005
        ? { reason: 'best-already', values: {} }
        : { reason: 'improved', values: { share: percent(improvement) } },
    ),
  ];
  if (reference === 'light') evidence.push(evidenceOf('detector', 0, { reason: 'simple-detector', values: {} }));
  if (segments > 1)
    evidence.push(
      evidenceOf('breaks', 0, { reason: 'breaks', values: { count: segments - 1, found: rounded(weakest, 1) } }),
    );
  const { stretches, near } = measures.steadiness;
  if (stretches >= MIN_STRETCHES)
    evidence.push(
      evidenceOf('steadiness', 0, { reason: 'steady', values: { share: percent(near), parts: stretches } }),
    );
  if (ratio !== 1)
    evidence.push(
      evidenceOf('rate', 0, {
        reason: ratio > 1 ? 'stretched' : 'shortened',
        values: { share: rounded(Math.abs(ratio - 1) * 100, 2) },
      }),
    );
  const isPartly = measures.part < MIN_PART || (isStill && z < GATES[reference].z && measures.halves < MIN_LEAD);
  return {
    refusal:
      refusalOf({ measures, gate, segments, areLong, isStill }) ??
      (isPartly ? PARTLY : isSteady(measures.steadiness, { isFree, segments }) ? undefined : UNSTEADY),
    evidence,
  };
}

const PARTLY: AlignmentRefusal = { reason: 'weak', refusal: 'other-episode' };
const UNSTEADY: AlignmentRefusal = { reason: 'weak', refusal: 'drift' };

/**
 * Minimum number of stretches for a verdict on the drift, and for a free rate. A film of six minutes has about eight.
 */
const MIN_STRETCHES = 6;
const MIN_FREE_STRETCHES = 10;
/** Maximum drift over a run, in frames: at most 100 ms at either end. */
const MAX_DRIFT = 20;
/** Right subtitles begin at 0.84 with a fifth of the speech missed, and at 1 with a good detector. */
const MIN_LEVEL = 0.8;
/**
 * Minimum share within 100 ms if all are within 200 ms, and how much less is enough for each one that is not. Noise
 * that puts many between 100 and 200 ms puts some beyond; steps along a drift do not. Right subtitles are above this
 * line by 0.1.
 */
const MIN_EXACT = 0.88;
const EXACT_PER_FAR = 3;
/** Right subtitles begin at 0.85, those of other films reach 0.35. */
const MIN_NEAR = 0.7;
/** Maximum difference between two halves of the evidence for a free rate, in frames. */
const MAX_DOUBT = 10;

/** Whether the timing holds along the whole film. Breaks and a free rate, which may follow a drift, need proof. */
function isSteady(
  { stretches, near, exact, level, drift, doubt }: Steadiness,
  { isFree, segments }: { isFree: boolean; segments: number },
): boolean {
  if (isFree && (stretches < MIN_FREE_STRETCHES || near < MIN_NEAR || doubt > MAX_DOUBT)) return false;
  if (stretches < MIN_STRETCHES) return true;
  const isExact = exact >= MIN_EXACT - EXACT_PER_FAR * (1 - near);
  return level >= MIN_LEVEL && drift <= MAX_DRIFT && (isExact || (!isFree && segments === 1));
}

function refusalOf({
  measures: { z, hit, weakest, improvement },
  gate,
  segments,
  areLong,
  isStill,
}: {
  measures: Measures;
  gate: Gate;
  segments: number;
  areLong: boolean;
  isStill: boolean;
}): AlignmentRefusal | undefined {
  const isUnclear = z < gate.z;
  const isUnspoken = hit < hitFor(gate, z);
  // Breaks found by chance raise the z of the whole, but not that of its parts.
  if (isUnspoken && (isUnclear || weakest < gate.weakest)) return { reason: 'mismatch', refusal: 'fits-nowhere' };
  if (isUnclear) return { reason: 'weak', refusal: 'not-distinct' };
  if (isUnspoken) return { reason: 'weak', refusal: 'text-without-speech' };
  if (segments > MAX_TIMING_SEGMENTS) return { reason: 'weak', refusal: 'too-many-breaks' };
  if (segments > 1 && (weakest < gate.weakest || !areLong)) return { reason: 'weak', refusal: 'part-unsure' };
  if (!isStill && improvement < MIN_IMPROVEMENT) return { reason: 'weak', refusal: 'hardly-better' };
  return undefined;
}

const percent = (part: number): number => Math.round(part * 100);
const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
const points = (part: number): number => Math.round(Math.min(1, Math.max(0, part)) * 50);
