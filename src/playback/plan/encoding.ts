/** Chooses the codec of a converted video. Pure. */
import { acceleratorsOf } from './ladder.ts';
import { hasFeature, supportOf } from './support.ts';
import type { Client, Machine, PlanSettings, Trouble, VideoCodec } from './types.ts';

/** Profiles of 8 bits that the encoders make. */
const PROFILES: Readonly<Record<VideoCodec, string>> = { h264: 'high', hevc: 'main', av1: 'main', vp9: 'profile0' };
/** Fewest bits first. */
const SMALLEST_FIRST: readonly VideoCodec[] = ['av1', 'hevc'];

export interface EncodingNeeds {
  client: Client;
  machine: Machine;
  settings: PlanSettings;
  trouble: Trouble;
}

/**
 * Returns H.264, unless the settings name another codec that the client plays and this machine makes, or hardware makes
 * a smaller one that the client names. Undefined where the client plays none that can be made.
 */
export function encodedCodec({ client, machine, settings, trouble }: EncodingNeeds): VideoCodec | undefined {
  const { videoCodecs } = client;
  const isPlayed = (codec: VideoCodec) =>
    hasFeature({ codec }, client, 'converted') ||
    supportOf({ type: 'video', codec, profile: PROFILES[codec] }, videoCodecs) === 'full';
  const hardware = acceleratorsOf(machine, settings)
    .filter(({ name }) => !trouble.hardwareFailed.includes(name))
    .flatMap(({ codecs }) => codecs);
  const isMade = (codec: VideoCodec) => hardware.includes(codec) || machine.software.codecs.includes(codec);
  const asked = settings.mode === 'compatible' || settings.codec === 'auto' ? undefined : settings.codec;
  if (asked !== undefined && isPlayed(asked) && isMade(asked)) return asked;
  // A client that names no codecs is not known to play any but the usual one.
  const smaller =
    settings.mode !== 'compatible' && settings.codec === 'auto' && videoCodecs
      ? SMALLEST_FIRST.find((codec) => isPlayed(codec) && hardware.includes(codec))
      : undefined;
  if (smaller !== undefined) return smaller;
  return (['h264', ...(settings.mode === 'compatible' ? [] : (['hevc', 'vp9', 'av1'] as const))] as const).find(
    (codec) => isPlayed(codec) && isMade(codec),
  );
}
