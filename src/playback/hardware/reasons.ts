/**
 * Finds why a test or a conversion failed. The output of programs is read here, and people never see it as it is.
 */
import { textOfReason } from '../../contract/kernel/reason-texts.ts';
import { TRIAL_REASONS, type HardwareFault, type TrialReason } from '../../contract/playback/trial-reasons.ts';
import { ProcessFailure } from '../../lib/process.ts';
import type { TrialResult } from './types.ts';

/** By what ffmpeg and the drivers write, the most telling first. */
const SIGNS: readonly (readonly [RegExp, HardwareFault])[] = [
  [/Unknown encoder|Encoder not found/i, 'no-encoder'],
  [/Permission denied|Operation not permitted/i, 'forbidden'],
  [/Cannot load \S*(nvcuda|libcuda|nvidia-encode|nvEncodeAPI)/i, 'no-nvidia-driver'],
  [/Cannot load \S*(libamfrt|amfrt)/i, 'no-amd-driver'],
  [
    /(No VA display found|Failed to initiali[sz]e VAAPI|vaInitialize failed|libva.*(failed|cannot))/i,
    'graphics-driver-failed',
  ],
  [/Error initializing an? (internal )?MFX session|MFX/i, 'quick-sync-driver-failed'],
  [
    /No such (file or directory|device)|No device available|Could not find a valid device|no capable devices|Device creation failed/i,
    'no-such-device',
  ],
  [/OpenEncodeSessionEx failed|out of memory|Cannot allocate memory|too many concurrent/i, 'device-full'],
  [/Impossible to convert between the formats/i, 'pictures-refused'],
];

/** Returns the code of a failure of hardware or its program. */
export function hardwareFault(error: unknown): HardwareFault {
  if (!(error instanceof ProcessFailure)) return 'output-unusable';
  const sign = SIGNS.find(([pattern]) => error.lines.some((line) => pattern.test(line)))?.[1];
  if (sign !== undefined) return sign;
  switch (error.fault) {
    case 'missing':
      return 'no-ffmpeg';
    case 'quiet':
      return 'silent';
    case 'timeout':
    case 'aborted':
      return 'too-slow';
    case 'signal':
      return 'crashed';
    case 'output':
      return 'output-unusable';
    case 'busy':
    case 'closed':
      return 'server-busy';
    default:
      return error.code !== null && error.code > 128 ? 'crashed' : 'stopped-with-error';
  }
}

/** Returns a failure of hardware as a reason. */
export const faultReason = (fault: HardwareFault): TrialReason => ({ reason: fault, values: {} });
/** Returns a reason as a sentence fragment in English. */
export const trialText = (why: TrialReason): string => textOfReason(TRIAL_REASONS, why);
/** Returns the result of a test that was not passed. */
export const failedTrial = (why: TrialReason): TrialResult => ({ passed: false, reason: trialText(why), why });
/** Returns why a test was not passed. */
export const trialReason = (error: unknown): TrialReason =>
  error instanceof Unfit ? error.why : faultReason(hardwareFault(error));

/** A result that is complete and wrong. */
export class Unfit extends Error {
  readonly why: TrialReason;
  constructor(why: TrialReason) {
    super(trialText(why));
    this.name = 'Unfit';
    this.why = why;
  }
}
