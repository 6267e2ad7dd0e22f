/** Explains the accelerator tests to people: what converts video now and why, and the findings of diagnostics. Pure. */
import type { Finding } from '../../contract/ops/operations.ts';
import { iso } from '../../lib/clock.ts';
import type { AcceleratorName } from '../plan/types.ts';
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
  failed: ReadonlyMap<AcceleratorName, string>;
  /** Each accelerator's last failure on a film. */
  lastFailures: ReadonlyMap<AcceleratorName, FilmFailure>;
  chosen: AcceleratorName | 'auto' | 'none';
  effective: AcceleratorName | 'none';
  now: number;
}

type State = Omit<HardwareState, 'rows'> & { rows: readonly AcceleratorStatus[] };

/** Returns what converts video now, and why, in sentences. */
export function explain(state: HardwareState): Pick<Finding, 'level' | 'sentence'> {
  const { rows, chosen, effective } = state;
  if (chosen === 'none')
    return { level: 'ok', sentence: 'Video is converted by the processor, because the settings say so.' };
  if (!rows)
    return {
      level: 'ok',
      sentence: 'Video is converted by the processor, because no accelerator has been tested yet.',
    };
  if (effective !== 'none')
    return { level: 'ok', sentence: `Video is converted by ${effective}, which passed its test.` };
  return chosen === 'auto' ? withoutAny({ ...state, rows }) : withoutChosen({ ...state, rows }, chosen);
}

function withoutAny({ rows, failed }: State): Pick<Finding, 'level' | 'sentence'> {
  // A graphics device that is there and does not pass is worth a look; none at all is not.
  const there =
    rows.find(({ device, encode }) => device !== undefined && !encode.passed) ??
    rows.find(({ name }) => failed.has(name));
  if (!there) return { level: 'ok', sentence: 'Video is converted by the processor, as no graphics device was found.' };
  return {
    level: 'warning',
    sentence:
      `Video is converted by the processor, because ${there.name} did not pass its test: ` +
      `${failed.get(there.name) ?? there.encode.reason ?? 'unknown'}. ${ADVICE}`,
  };
}

function withoutChosen({ rows, failed }: State, chosen: AcceleratorName): Pick<Finding, 'level' | 'sentence'> {
  const reason = failed.get(chosen) ?? rows.find(({ name }) => name === chosen)?.encode.reason ?? 'it is not there';
  return {
    level: 'error',
    sentence:
      `${chosen} is chosen and did not pass its test: ${reason}. Video is converted by the processor instead. ` +
      `${ADVICE}`,
  };
}

/**
 * Returns the findings of diagnostics: what converts video, and which accelerator failed on a film within the last day.
 */
export function findingsOf(state: HardwareState): Finding[] {
  const { rows, chosen, lastFailures, effective, now } = state;
  const recent = [...lastFailures].filter(([, { at }]) => now - at < SHOWN_MS);
  const failures = recent.map(([name, { at, reason }]): Finding => ({
    ...SUBJECT,
    level: 'warning',
    sentence:
      `${name} failed while a film was played (${reason}) at ${iso(at)}, and the processor took ` +
      `over.${name === effective ? ' It has passed its test since and is used for other films.' : ''}`,
  }));
  return [...(!rows || chosen === 'none' ? [] : [{ ...SUBJECT, ...explain(state) }]), ...failures];
}
