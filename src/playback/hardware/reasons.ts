/**
 * Why a test or a conversion failed, in words for a person. What programs wrote is read here and never shown as it is.
 */
import { ProcessFailure } from '../../lib/process.ts';

/** By what ffmpeg and the drivers write, the most telling first. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/Unknown encoder|Encoder not found/i, 'this ffmpeg was built without its encoder'],
  [
    /Permission denied|Operation not permitted/i,
    'the server may not use the device: add its user to the group that owns it (usually render)',
  ],
  [/Cannot load \S*(nvcuda|libcuda|nvidia-encode|nvEncodeAPI)/i, 'the NVIDIA driver was not found'],
  [/Cannot load \S*(libamfrt|amfrt)/i, 'the AMD driver was not found'],
  [
    /(No VA display found|Failed to initiali[sz]e VAAPI|vaInitialize failed|libva.*(failed|cannot))/i,
    'the driver of the graphics device could not be started',
  ],
  [/Error initializing an? (internal )?MFX session|MFX/i, 'the Quick Sync driver could not be started'],
  [
    /No such (file or directory|device)|No device available|Could not find a valid device|no capable devices|Device creation failed/i,
    'no such device was found',
  ],
  [
    /OpenEncodeSessionEx failed|out of memory|Cannot allocate memory|too many concurrent/i,
    'the device has no room for another conversion',
  ],
  [/Impossible to convert between the formats/i, 'the device does not take these pictures'],
];

/** Returns a sentence fragment, without a path or anything else that a program wrote. */
export function plainReason(error: unknown): string {
  if (!(error instanceof ProcessFailure))
    return error instanceof Error && error.name === 'Unfit' ? error.message : 'what it wrote cannot be used';
  const sign = SIGNS.find(([pattern]) => error.lines.some((line) => pattern.test(line)))?.[1];
  if (sign !== undefined) return sign;
  switch (error.fault) {
    case 'missing':
      return 'ffmpeg is not installed';
    case 'quiet':
      return 'it stopped answering';
    case 'timeout':
    case 'aborted':
      return 'it took longer than 10 seconds';
    case 'signal':
      return 'ffmpeg crashed';
    case 'output':
      return 'what it wrote cannot be used';
    case 'busy':
    case 'closed':
      return 'the server was too busy to test it';
    default:
      return error.code !== null && error.code > 128 ? 'ffmpeg crashed' : 'it stopped with an error';
  }
}

/** A result that is complete and wrong; its message is a sentence fragment for a person. */
export class Unfit extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Unfit';
  }
}
