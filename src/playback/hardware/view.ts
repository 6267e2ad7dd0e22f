/** Test results of this machine as the API shows them, and the abilities that plans use. */
import type { HardwareFault, TrialReason } from '../../contract/playback/trial-reasons.ts';
import { iso } from '../../lib/clock.ts';
import { isMapping } from '../../lib/ffmpeg/encode/trial.ts';
import { NO_TROUBLE } from '../plan/causes.ts';
import { encodedCodec } from '../plan/encoding.ts';
import { softwareSpeed } from '../plan/ladder.ts';
import { cautiousMachine, type planSettings } from '../plan/machine.ts';
import type { AcceleratorName, Machine, Preset, VideoCodec } from '../plan/types.ts';
import { isFound } from './candidates.ts';
import { failedTrial, faultReason, trialText } from './reasons.ts';
import { explain, type HardwareState } from './findings.ts';
import type { AcceleratorCandidate, AcceleratorStatus, FilmFailure, HardwareFacts, TestProgress } from './types.ts';

/** Test result of an accelerator, as the API sends it. */
export type ShownRow = Omit<AcceleratorStatus, 'rate' | 'codecs' | 'decodes'> & {
  codecs: VideoCodec[];
  decodes: VideoCodec[];
  lastFailure?: { at: string; reason: string; why: TrialReason };
};

export interface HardwareView {
  /** `untested` until the first test has begun; what it shows then is a guess. */
  state: 'untested' | 'testing' | 'tested';
  /** Only while a test runs. */
  progress?: TestProgress;
  testedAt?: string;
  accelerators: ShownRow[];
  /** Accelerator that the settings choose from those that passed. */
  effective: AcceleratorName | 'none';
  /** Why, in sentences. */
  why: string;
  /** Codec for a client that plays everything. */
  codec: VideoCodec;
  software: { preset: Preset; speed: number };
  filters: string[];
}

export interface ViewNeeds {
  facts: HardwareFacts | undefined;
  /** Rows to show while nothing is known. */
  untested: readonly AcceleratorStatus[];
  isTesting: boolean;
  progress: TestProgress | undefined;
  state: HardwareState;
  machine: Machine;
  settings: ReturnType<typeof planSettings>;
}

export function hardwareView(needs: ViewNeeds): HardwareView {
  const { facts, untested, isTesting, progress, state, machine, settings } = needs;
  const { failed, lastFailures, effective } = state;
  return {
    state: isTesting ? 'testing' : facts ? 'tested' : 'untested',
    ...(progress && { progress }),
    ...(facts && { testedAt: iso(facts.testedAt) }),
    accelerators: (facts?.rows ?? untested).map((row) => shown(row, failed.get(row.name), lastFailures.get(row.name))),
    effective,
    why: explain(state),
    codec: encodedCodec({ client: PLAYS_ALL, machine, settings, trouble: NO_TROUBLE }) ?? 'h264',
    software: rounded(softwareSpeed(machine, settings)),
    filters: [...(facts?.filters ?? [])],
  };
}

const PLAYS_ALL = { videoCodecs: new Set(['h264', 'hevc', 'av1', 'vp9']) };
const rounded = <S extends { speed: number }>(software: S): S => ({
  ...software,
  speed: Math.round(software.speed * 10) / 10,
});
/** Returns the row of an accelerator that was not tested. */
export const untestedRow = ({
  missing,
  ...candidate
}: AcceleratorCandidate & { missing?: TrialReason }): AcceleratorStatus => {
  const result = failedTrial(missing ?? { reason: 'not-tested', values: {} });
  return {
    ...candidate,
    found: isFound({ ...candidate, missing }),
    encode: result,
    decode: result,
    toneMap: result,
    codecs: [],
    decodes: [],
  };
};
const lastFailureOf = ({ at, fault }: FilmFailure): NonNullable<ShownRow['lastFailure']> => {
  const why = faultReason(fault);
  return { at: iso(at), reason: trialText(why), why };
};
const shown = (
  { name, device, found, encode, decode, toneMap, codecs, decodes }: AcceleratorStatus,
  fault: HardwareFault | undefined,
  last: FilmFailure | undefined,
): ShownRow => ({
  name,
  ...(device !== undefined && { device }),
  found,
  decode,
  toneMap,
  codecs: [...codecs],
  decodes: [...decodes],
  ...(last && { lastFailure: lastFailureOf(last) }),
  encode: fault === undefined ? encode : failedTrial({ reason: 'failed-on-film', values: { fault } }),
});

/** Abilities that plans use. An untested machine has cautious rates. */
export function machineOf(
  facts: HardwareFacts | undefined,
  usable: readonly AcceleratorStatus[],
  cores: number,
): Machine {
  if (!facts) return cautiousMachine(cores);
  const { eac3 } = facts;
  const { software, toneMaps } = facts.measured ?? cautiousMachine(cores);
  const accelerators = usable.map(({ name, device, codecs, rate = 0, toneMap }) => ({
    name,
    ...(device !== undefined && { device }),
    codecs,
    rate,
    ...(toneMap.passed && { toneMapRate: isMapping(name) ? rate : Math.min(rate, software.toneMapRate) }),
  }));
  return { accelerators, software, toneMaps, eac3, isBusy: false };
}
