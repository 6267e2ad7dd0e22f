/** Explains the accelerator tests to people: what converts video now and why, and the findings of diagnostics. Pure. */
import type { PlaybackFinding } from '../../contract/playback/findings.ts';
import type { HardwareFault, TrialReason } from '../../contract/playback/trial-reasons.ts';
import { iso } from '../../lib/clock.ts';
import type { AcceleratorName } from '../plan/types.ts';
import { faultReason, trialText } from './reasons.ts';
import type { AcceleratorStatus, FilmFailure } from './types.ts';

/** A failure is worth an Owner's attention for a day. */
const SHOWN_MS = 24 * 3_600_000;
const ADVICE =
  'In a container, pass the device to it (for example --device /dev/dri) and add its group; otherwise add the ' +
  'user of the server to the render group. Then test again.';
const SUBJECT = { subject: 'Video conversion', setting: 'transcoding.accelerator' };

export interface HardwareState {
  /** Undefined before the first test. */
  rows: readonly AcceleratorStatus[] | undefined;
  /** Accelerators that failed on a film since their last test, and why. */
  failed: ReadonlyMap<AcceleratorName, HardwareFault>;
  /** Each accelerator's last failure on a film. */
  lastFailures: ReadonlyMap<AcceleratorName, FilmFailure>;
  chosen: AcceleratorName | 'auto' | 'none';
  effective: AcceleratorName | 'none';
  now: number;
}

type State = Omit<HardwareState, 'rows' | 'chosen'> & {
  rows: readonly AcceleratorStatus[];
  chosen: AcceleratorName | 'auto';
};

/** Returns what converts video now, and why, in sentences. */
export function explain({ rows, chosen, ...state }: HardwareState): string {
  if (chosen === 'none') return 'Video is converted by the processor, because the settings say so.';
  return rows
    ? conversionOf({ ...state, rows, chosen }).sentence
    : 'Video is converted by the processor, because no accelerator has been tested yet.';
}

function conversionOf(state: State): PlaybackFinding {
  const { chosen, effective } = state;
  if (effective === 'none') return chosen === 'auto' ? withoutAny(state) : withoutChosen(state, chosen);
  return {
    ...SUBJECT,
    level: 'ok',
    code: 'conversion-accelerated',
    sentence: `Video is converted by ${effective}, which passed its test.`,
    values: { accelerator: effective },
  };
}

/** Returns why an accelerator is not used. Results that an earlier version kept have no code. */
function unusable(
  fault: HardwareFault | undefined,
  row: AcceleratorStatus | undefined,
): { why: string; cause: TrialReason | undefined } | undefined {
  const cause = fault === undefined ? row?.encode.why : faultReason(fault);
  const why = cause ? trialText(cause) : row?.encode.reason;
  return why === undefined ? undefined : { why, cause };
}

function withoutAny({ rows, failed }: State): PlaybackFinding {
  // A graphics device that is there and does not pass is worth a look; none at all is not.
  const there =
    rows.find(({ device, encode }) => device !== undefined && !encode.passed) ??
    rows.find(({ name }) => failed.has(name));
  if (!there)
    return {
      ...SUBJECT,
      level: 'ok',
      code: 'no-graphics-device',
      sentence: 'Video is converted by the processor, as no graphics device was found.',
      values: {},
    };
  const { why, cause } = unusable(failed.get(there.name), there) ?? { why: 'unknown', cause: undefined };
  return {
    ...SUBJECT,
    level: 'warning',
    code: 'accelerator-unusable',
    sentence: `Video is converted by the processor, because ${there.name} did not pass its test: ${why}. ${ADVICE}`,
    values: { accelerator: there.name, why, ...(cause && { cause }) },
  };
}

function withoutChosen({ rows, failed }: State, chosen: AcceleratorName): PlaybackFinding {
  const row = rows.find(({ name }) => name === chosen);
  const { why, cause } = unusable(failed.get(chosen), row) ?? { why: 'it is not there', cause: undefined };
  return {
    ...SUBJECT,
    level: 'error',
    code: 'chosen-accelerator-unusable',
    sentence:
      `${chosen} is chosen and did not pass its test: ${why}. ` +
      `Video is converted by the processor instead. ${ADVICE}`,
    values: { accelerator: chosen, why, ...(cause && { cause }) },
  };
}

/**
 * Returns the findings of diagnostics: what converts video, and which accelerator failed on a film within the last day.
 */
export function findingsOf(state: HardwareState): PlaybackFinding[] {
  const { rows, chosen, lastFailures, effective, now } = state;
  const recent = [...lastFailures].filter(([, { at }]) => now - at < SHOWN_MS);
  const failures = recent.map(([name, { at, fault }]): PlaybackFinding => {
    const cause = faultReason(fault);
    const why = trialText(cause);
    const isUsedAgain = name === effective;
    return {
      ...SUBJECT,
      level: 'warning',
      code: 'accelerator-failed',
      sentence:
        `${name} failed while a film was played (${why}) at ${iso(at)}, and the processor took ` +
        `over.${isUsedAgain ? ' It has passed its test since and is used for other films.' : ''}`,
      values: { accelerator: name, why, cause, at: iso(at), isUsedAgain },
    };
  });
  return [...(!rows || chosen === 'none' ? [] : [conversionOf({ ...state, rows, chosen })]), ...failures];
}
