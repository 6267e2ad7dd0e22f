/**
 * Which audio is copied and what the rest becomes. Pure.
 *
 * Copied in HLS: what fragmented MP4 carries and every player of the codec reads there. The rest becomes AAC, or
 * E-AC-3 for clients that have it and sources with surround sound.
 */
import type { Stream } from '../../catalog/index.ts';
import { codecName } from './names.ts';
import { supportOf } from './support.ts';
import type { AudioRecipe, Client, Machine } from './types.ts';
import { because, type Cause, codecWord, when } from './words.ts';

const IN_HLS: ReadonlySet<string> = new Set(['aac', 'mp3', 'ac3', 'eac3', 'flac', 'opus', 'alac']);
const RATES = { surroundEac3: 640_000, surround: 384_000, stereo: 192_000, mono: 96_000 } as const;

/**
 * Returns why a client cannot have the track as it is; empty when it can. `isHls`: it comes in segments, not in its
 * file.
 */
export function audioCauses(audio: Stream, { audioCodecs, maxAudioChannels }: Client, isHls: boolean): Cause[] {
  const { index, codec, channels = 0 } = audio;
  const word = codecWord(codec);
  const isPlayed = supportOf(audio, audioCodecs) === 'full';
  const most = maxAudioChannels ?? Infinity;
  return [
    ...when(!isPlayed, 'audio-codec-not-supported', `This player does not play ${word} sound`, index),
    ...when(
      isPlayed && isHls && !IN_HLS.has(codecName(codec)),
      'audio-codec-not-supported',
      `${word} sound can only be played from the file itself`,
      index,
    ),
    ...when(
      channels > most,
      'audio-channels',
      `The sound has ${channels} channels and this player takes at most ${most}`,
      index,
    ),
  ];
}

export interface AudioNeeds {
  client: Client;
  machine: Pick<Machine, 'eac3'>;
  /** Whether only AAC may be sent. */
  isCompatible: boolean;
  /** Whether the bits per second are limited, so that the smaller of two codecs is taken. */
  isLimited: boolean;
}

/** Returns the recipe that the track is converted by, or the reason why it cannot be. */
export function audioRecipe(
  { index, channels = 2 }: Stream,
  { client, machine, isCompatible, isLimited }: AudioNeeds,
): AudioRecipe | Cause {
  const { audioCodecs, maxAudioChannels = 8 } = client;
  const hasEac3 = !isCompatible && machine.eac3 && audioCodecs?.has('eac3') === true;
  const hasAac = !audioCodecs || audioCodecs.has('aac');
  if (!hasAac && !hasEac3)
    return because(
      'audio-codec-not-supported',
      'This player plays none of the sound formats that the server can make',
      index,
    );
  const isSurround = channels > 2 && maxAudioChannels >= 6;
  const target = isSurround ? 6 : channels === 1 || maxAudioChannels === 1 ? 1 : 2;
  const codec = hasEac3 && ((isSurround && channels >= 6 && !isLimited) || !hasAac) ? 'eac3' : 'aac';
  const bitrate =
    target === 6 ? (codec === 'eac3' ? RATES.surroundEac3 : RATES.surround) : target === 2 ? RATES.stereo : RATES.mono;
  return { kind: 'audio', stream: index, codec, channels: target, bitrate, downmix: channels > target };
}
