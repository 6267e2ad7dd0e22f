/**
 * ASS and its older version SSA. A script is written back in its own version, and unchanged lines stay as they were.
 */
import type { SubtitleDocument } from '../cue.ts';
import { sampleTime, type FormatCapacity, type FormatSample, type SubtitleFormat, type TextHead } from './format.ts';
import { readAss } from './read-ass.ts';
import { withPlainColors } from './writable-cues.ts';
import { writeAss } from './write-ass.ts';

export function toAss(document: SubtitleDocument, version: 'ass' | 'ssa' = 'ass'): string {
  if (document.format !== 'vtt') return writeAss(document, version);
  return writeAss({ ...document, cues: withPlainColors(document, document.cues) }, version);
}

const isScript = ({ lines }: TextHead): boolean =>
  lines.some((line) => /^\s{0,8}\[(?:script info|v4\+? styles|events)\]/i.test(line));
const isOldScript = (head: TextHead): boolean =>
  isScript(head) && head.lines.some((line) => /^\s{0,8}\[v4 styles\]/i.test(line));
const KEEPS: FormatCapacity = { styles: 'spans', positions: 'all', precisionMs: 10, speaker: true };
const time = (ms: number): string => sampleTime(ms).slice(1, 11);

/** Returns the sample of a version; `layer` names its first field and `none` is the value of that field. */
const sampleOf = (styles: string, layer: string, none: string): FormatSample => ({
  head:
    `[Script Info]\n\n${styles}\n[Events]\n` +
    `Format: ${layer}, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n`,
  tail: '',
  lineBreak: '\\N',
  cue: (start, end, text) => `Dialogue: ${none},${time(start)},${time(end)},Default,,0,0,0,,${text}\n`,
});

export const ass: SubtitleFormat<'ass'> = {
  id: 'ass',
  title: 'ASS',
  extensions: ['ass'],
  isKnownByName: true,
  mediaType: 'text/x-ssa',
  codecs: ['ass'],
  detect: isScript,
  read: (text) => readAss(text, 'ass'),
  write: (document) => toAss(document, 'ass'),
  keeps: KEEPS,
  sample: sampleOf(
    '[V4+ Styles]\nFormat: Name, Fontname, Fontsize, PrimaryColour, Bold, Italic, Alignment\n' +
      'Style: Default,Arial,20,&H00FFFFFF,0,0,2\n',
    'Layer',
    '0',
  ),
};

export const ssa: SubtitleFormat<'ssa'> = {
  id: 'ssa',
  title: 'SSA',
  extensions: ['ssa'],
  isKnownByName: true,
  mediaType: 'text/x-ssa',
  codecs: ['ssa'],
  detect: isOldScript,
  read: (text) => readAss(text, 'ssa'),
  write: (document) => toAss(document, 'ssa'),
  keeps: KEEPS,
  sample: sampleOf('[V4 Styles]\nFormat: Name, Alignment\nStyle: Default,2\n', 'Marked', 'Marked=0'),
};
