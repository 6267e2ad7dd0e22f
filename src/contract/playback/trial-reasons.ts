/**
 * Reasons why an accelerator failed its test or a film, as codes with values, so that a client can use its own words.
 * The English sentence fragments are made of them.
 */
import { type ReasonText, reasonTextSchema } from '../kernel/reason-texts.ts';

/** English sentence fragments about programs, drivers and devices that failed. */
const HARDWARE_FAULTS = {
  'no-encoder': () => 'this ffmpeg was built without its encoder',
  forbidden: () => 'the server may not use the device: add its user to the group that owns it (usually render)',
  'no-nvidia-driver': () => 'the NVIDIA driver was not found',
  'no-amd-driver': () => 'the AMD driver was not found',
  'graphics-driver-failed': () => 'the driver of the graphics device could not be started',
  'quick-sync-driver-failed': () => 'the Quick Sync driver could not be started',
  'no-such-device': () => 'no such device was found',
  'device-full': () => 'the device has no room for another conversion',
  'pictures-refused': () => 'the device does not accept these pictures',
  'no-ffmpeg': () => 'ffmpeg is not installed',
  silent: () => 'it stopped answering',
  'too-slow': () => 'it took longer than 10 seconds',
  crashed: () => 'ffmpeg crashed',
  'output-unusable': () => 'its output cannot be used',
  'server-busy': () => 'the server was too busy to test it',
  'stopped-with-error': () => 'it stopped with an error',
} as const;
/** Code of a failure of hardware, which can also happen while a film is played. */
export type HardwareFault = keyof typeof HARDWARE_FAULTS;

/** English sentence fragments by reason. The parameters are the values that a reason carries. */
export const TRIAL_REASONS = {
  ...HARDWARE_FAULTS,
  'failed-on-film': ({ fault }: { fault: HardwareFault }) =>
    `it failed on a film (${HARDWARE_FAULTS[fault]()}) and is tested again`,
  'not-tested': () => 'not tested yet',
  'encoding-failed': () => 'not tried, because encoding failed',
  'encodes-only': () => 'it encodes only, and software decodes',
  'no-hdr-pictures': () => 'this ffmpeg cannot make HDR pictures to test it with',
  'device-forbidden': ({ device }: { device: string }) =>
    `the server may not use ${device}: add its user to the group that owns it (usually render)`,
  'other-system': ({ system }: { system: string }) => `only available on ${system}`,
  'no-nvidia-device': () => 'no NVIDIA device was found',
  'no-rockchip-device': () => 'no Rockchip video device was found',
  'no-video-device': () => 'no video device was found',
  'no-graphics-device': () => 'no graphics device was found under /dev/dri',
  'wrote-nothing': () => 'it wrote nothing',
  'wrong-size': () => 'its pictures have the wrong size',
  'wrong-count': ({ made, of }: { made: number; of: number }) => `it made ${made} pictures of ${of}`,
  'wrong-times': () => 'its pictures have the wrong times',
  'keyframe-missing': () => 'it puts no keyframe where one is asked for',
  'keyframe-dependent': () => 'its keyframes cannot be decoded on their own',
  'keyframe-unasked': () => 'it puts keyframes where none is asked for',
  undecodable: () => 'its pictures cannot be decoded',
  'wrong-pictures': () => 'its pictures are wrong',
} as const;

/** Makes the sentence fragments of every reason, in a language. */
export type TrialReasonTexts = typeof TRIAL_REASONS;
export type TrialReason = ReasonText<TrialReasonTexts>;
export const TrialReason = reasonTextSchema(TRIAL_REASONS, {
  id: 'AcceleratorReason',
  description: 'Why an accelerator failed its test or a film, for a client that has its own words.',
  example: { reason: 'no-such-device', values: {} },
});
