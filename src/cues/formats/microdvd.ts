/** MicroDVD, a format whose times are frames. */
import type { SubtitleFormat } from './format.ts';
import { isMicroDvdLine, readMicroDvd } from './read-microdvd.ts';
import { writableCues } from './writable-cues.ts';
import { writeMicroDvd } from './write-microdvd.ts';

/** Milliseconds of a frame at 25 a second, which the sample states. */
const FRAME_MS = 40;

export const microdvd: SubtitleFormat<'microdvd'> = {
  id: 'microdvd',
  title: 'MicroDVD',
  extensions: ['sub'],
  importExtensions: ['txt'],
  mediaType: 'text/plain',
  codecs: ['microdvd'],
  detect: ({ first }) => isMicroDvdLine(first),
  read: (text, { frameRate }) => readMicroDvd(text, frameRate),
  write(document) {
    const { cues, regions } = writableCues(document);
    return writeMicroDvd(cues, regions, document.frameRate);
  },
  keeps: { styles: 'lines', positions: 'top', precisionMs: 42, speaker: false },
  sample: {
    head: '{1}{1}25\n',
    tail: '',
    lineBreak: '|',
    cue: (start, end, text) => `{${Math.round(start / FRAME_MS)}}{${Math.round(end / FRAME_MS)}}${text}\n`,
  },
};
