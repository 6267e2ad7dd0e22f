/** Sample entries of converted audio (ISO/IEC 14496-12, 14496-14; ETSI TS 102 366, annex F). Pure. */
import { SAMPLE_RATE } from '../../lib/ffmpeg/encode/index.ts';
import { box, fullBox, uint16s, uint32s } from '../cmaf/boxes.ts';
import type { AudioRecipe } from '../plan/types.ts';

type Sound = Pick<AudioRecipe, 'codec' | 'channels' | 'bitrate'>;

/** Returns the complete sample entry of AAC-LC or E-AC-3 at 48 kHz. */
export function convertedAudioEntry(sound: Sound): Buffer {
  const head = Buffer.concat([
    uint32s(0),
    uint16s(0, 1),
    uint32s(0, 0),
    uint16s(sound.channels, 16),
    uint16s(0, 0),
    uint32s(SAMPLE_RATE * 0x10000),
  ]);
  return sound.codec === 'aac' ? box('mp4a', head, esds(sound)) : box('ec-3', head, dec3(sound));
}

/** A descriptor of MPEG-4 systems, shorter than 128 bytes. */
const descriptor = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tag, body.length), body]);
};

function esds({ channels, bitrate }: Sound): Buffer {
  // AudioSpecificConfig: object type 2 (AAC-LC), frequency index 3 (48 kHz), the channel configuration.
  const config = (2 << 11) | (3 << 7) | (channels << 3);
  const specific = descriptor(5, uint16s(config));
  const decoder = descriptor(4, Buffer.of(0x40, 0x15, 0, 0, 0), uint32s(bitrate, bitrate), specific);
  return fullBox('esds', 0, 0, descriptor(3, uint16s(1), Buffer.of(0), decoder, descriptor(6, Buffer.of(2))));
}

function dec3({ channels, bitrate }: Sound): Buffer {
  const mode = channels === 1 ? 1 : channels === 2 ? 2 : 7;
  const hasLow = channels === 6 ? 1 : 0;
  const rate = Math.round(bitrate / 1000) << 3;
  // One independent substream: 48 kHz, version 16, complete main service.
  return box('dec3', uint16s(rate), Buffer.of(16 << 1, (mode << 1) | hasLow, 0));
}
