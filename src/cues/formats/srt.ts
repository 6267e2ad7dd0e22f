/** SRT: `<i> <b> <u> <font color>` and `{\an8}`. */
import type { SubtitleDocument } from '../cue.ts';
import { sampleTime, type SubtitleFormat } from './format.ts';
import { readSrt, timingOf } from './read-srt.ts';
import { writableCues } from './writable-cues.ts';
import { writeSrt } from './write-srt.ts';

export function toSrt(document: SubtitleDocument): string {
  const { cues, regions } = writableCues(document);
  return writeSrt(cues, regions);
}

const time = (ms: number): string => sampleTime(ms).replace('.', ',');

export const srt: SubtitleFormat<'srt'> = {
  id: 'srt',
  title: 'SRT',
  extensions: ['srt'],
  importExtensions: ['txt'],
  isKnownByName: true,
  mediaType: 'application/x-subrip',
  codecs: ['subrip', 'srt'],
  detect: ({ lines }) => lines.some((line) => line.includes('->') && timingOf(line) !== undefined),
  read: readSrt,
  write: toSrt,
  keeps: { styles: 'spans', positions: 'all', precisionMs: 1, speaker: false },
  sample: {
    head: '',
    tail: '',
    lineBreak: '\n',
    cue: (start, end, text) => `1\n${time(start)} --> ${time(end)}\n${text}\n\n`,
  },
};
