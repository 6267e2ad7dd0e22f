/** TTML; its reader and writer are in `../ttml/`. */
import { readTtml } from '../ttml/ttml.ts';
import { writeTtml } from '../ttml/write.ts';
import { parseXml } from '../ttml/xml.ts';
import type { SubtitleFormat } from './format.ts';
import { writableCues } from './writable-cues.ts';

export const ttml: SubtitleFormat<'ttml'> = {
  id: 'ttml',
  title: 'TTML',
  extensions: ['ttml', 'dfxp'],
  importExtensions: ['xml', 'itt'],
  mediaType: 'application/ttml+xml',
  codecs: ['ttml'],
  detect: ({ first, text }) =>
    /^<\?xml\b|^<(?:[a-zA-Z]{1,16}:)?tt[\s>]/.test(first) && /<(?:[a-zA-Z]{1,16}:)?tt[\s>]/.test(text),
  read: (text) => readTtml(parseXml(text)),
  write: (document) => writeTtml({ ...document, cues: writableCues(document).cues }),
  keeps: { styles: 'spans', positions: 'all', precisionMs: 1, speaker: true },
  sample: {
    head: '<tt><body><div>',
    tail: '</div></body></tt>',
    lineBreak: '<br/>',
    cue: (start, end, text) => `<p begin="${start}ms" end="${end}ms">${text}</p>`,
  },
};
