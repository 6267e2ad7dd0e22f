/** Facts about the sound of a file, for players of music and audiobooks. */
import type { SoundFacts } from '../../../contract/catalog/music.ts';
import type { MediaInfo } from '../../probe/types.ts';

/** Returns undefined for a file with video, and for one whose header is not known. */
export function soundFactsOf(info: MediaInfo | undefined): SoundFacts | undefined {
  const audio = info?.audio;
  if (info === undefined || audio === undefined) return undefined;
  const stream = info.streams.find(({ type }) => type === 'audio');
  const { codec, sampleRate, channels, bitDepth, bitrate } = stream ?? {};
  return {
    container: info.container,
    ...(codec !== undefined && { codec }),
    ...(sampleRate !== undefined && { sampleRate }),
    ...(channels !== undefined && { channels }),
    ...(bitDepth !== undefined && { bitDepth }),
    ...(bitrate !== undefined && { bitrate }),
    ...(audio.gain && { gain: audio.gain }),
    ...(audio.trim && { trim: audio.trim }),
    ...(audio.work !== undefined && { work: audio.work }),
    ...(audio.movement && { movement: audio.movement }),
    ...(audio.hasLyrics && { lyrics: true }),
  };
}
