/**
 * Turns an alignment and a detected language into the verdict of the timing audit. Pure.
 *
 * A verdict never says more than was measured: what the alignment refuses as uncertain is unknown, with its reason.
 */
import { evidenceOf, TIMING_REFUSALS } from '../../contract/subtitles/evidence-reasons.ts';
import type { SubtitleTiming, TimingVerdict, UnjudgedReason } from '../../contract/subtitles/states.ts';
import type { Alignment, UnappliedAlignment } from '../../cues/align/types.ts';
import { iso } from '../../lib/clock.ts';
import { isOtherLanguage } from '../choosing/check.ts';
import type { Judgement, JudgementFacts } from '../store/audits.ts';
import type { Examination } from '../worker/types.ts';

export type Verdict = Pick<Judgement, 'verdict' | 'facts'>;

const REASONS: Readonly<Record<UnjudgedReason, string>> = {
  weak: 'no timing fits clearly better than others',
  'too-few-cues': 'too few lines hold speech to compare them',
  'no-speech': 'there is hardly any speech in this audio',
  forced: 'lines of foreign speech are too few to compare them',
  'too-short': 'the video is too short to compare the timing with its audio',
  'no-audio': 'the video has no audio to compare the timing with',
  'audio-unreadable': 'the audio of the video cannot be read',
  'text-unreadable': 'the text cannot be read',
};

/** Returns the verdict on a text that was not compared with anything. */
export const unjudged = (why: UnjudgedReason, reason: string = REASONS[why]): Verdict => ({
  verdict: 'unknown',
  facts: { why, reason, evidence: [] },
});

/** Returns the verdict on a text by its alignment. */
export function verdictByAlignment(alignment: Alignment, reference: NonNullable<JudgementFacts['reference']>): Verdict {
  const evidence = alignment.evidence.map((one) => ({ ...one }));
  if (alignment.outcome === 'fits') return { verdict: 'fits', facts: { reference, evidence } };
  if (alignment.outcome === 'refused') {
    const { reason: code, refusal } = alignment;
    const reason = TIMING_REFUSALS[refusal];
    return code === 'mismatch'
      ? { verdict: 'mismatch', facts: { reference, reason, evidence } }
      : { verdict: 'unknown', facts: { reference, why: code, reason, evidence } };
  }
  const { ratio } = alignment;
  const segments = alignment.segments.map(({ from, to, offset }) => ({ from, to, offset }));
  return {
    verdict: segments.length > 1 ? 'cut' : ratio === 1 ? 'shifted' : 'rate',
    facts: { ratio, segments, reference, evidence },
  };
}

/** Returns the verdict including the language of the text. Another language outweighs the timing, which is kept. */
export function withLanguage(found: Verdict, language: Examination['language'] | undefined): Verdict {
  if (language?.language === undefined || !isOtherLanguage(language)) return found;
  const { why: _why, reason: _reason, ...facts } = found.facts;
  const confidence = Math.round(language.confidence * 100);
  const detected = evidenceOf('language', 0, { reason: 'other-language', values: { confidence } });
  return {
    verdict: 'language',
    facts: { ...facts, detected: language.language, evidence: [detected, ...facts.evidence] },
  };
}

/** Verdicts that moving the lines puts right. */
export const MOVABLE: readonly TimingVerdict[] = ['shifted', 'rate', 'cut'];

/** Returns the alignment of a judgement that moving the lines puts right. */
export function alignmentOfJudgement({
  verdict,
  facts: { ratio = 1, segments = [], evidence },
}: Pick<Judgement, 'verdict' | 'facts'>): (UnappliedAlignment & { outcome: 'moved' }) | undefined {
  return MOVABLE.includes(verdict) ? { outcome: 'moved', ratio, segments, evidence } : undefined;
}

/** Returns a judgement as the API shows it. */
export function timingView({
  verdict,
  facts: { ratio, segments = [], detected, why, reason, reference, evidence },
  at,
}: Pick<Judgement, 'verdict' | 'facts' | 'at'>): SubtitleTiming {
  const isMovable = MOVABLE.includes(verdict);
  const [first] = segments;
  return {
    verdict,
    ...(isMovable && first && { shiftMilliseconds: Math.round(first.offset) }),
    ...(isMovable && ratio !== undefined && ratio !== 1 && { ratio }),
    ...(verdict === 'cut' && { parts: segments.length }),
    ...(verdict === 'language' && detected !== undefined && { detected }),
    ...(why !== undefined && { why }),
    ...(reason !== undefined && { reason }),
    ...(reference !== undefined && { reference }),
    evidence: [...evidence],
    checkedAt: iso(at),
  };
}
