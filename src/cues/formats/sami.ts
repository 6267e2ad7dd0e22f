/** SAMI: one language of a file that may hold several. */
import type { SubtitleFormat } from './format.ts';
import { readSami } from './read-sami.ts';
import { writableCues } from './writable-cues.ts';
import { writeSami } from './write-sami.ts';

export const sami: SubtitleFormat<'sami'> = {
  id: 'sami',
  title: 'SAMI',
  extensions: ['smi', 'sami'],
  mediaType: 'application/x-sami',
  codecs: ['sami'],
  detect: ({ text }) => /<sami[\s>]/i.test(text) || /<sync\s{1,8}start\s{0,8}=/i.test(text),
  read: (text, { language }) => readSami(text, language),
  write: (document) => writeSami(writableCues(document).cues, document),
  keeps: { styles: 'spans', positions: 'none', precisionMs: 1, speaker: false },
  sample: {
    head: '<SAMI><HEAD><STYLE TYPE="text/css"><!-- .E { Name: English; lang: en; } --></STYLE></HEAD><BODY>',
    tail: '</BODY></SAMI>',
    lineBreak: '<br>',
    cue: (start, end, text) => `<SYNC Start=${start}><P Class=E>${text}<SYNC Start=${end}><P Class=E>&nbsp;`,
  },
};
