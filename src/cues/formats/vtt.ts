/** WebVTT as the W3C defines it; its reader and writer are in `../webvtt/`. */
import type { SubtitleDocument } from '../cue.ts';
import { isSignature, readVtt } from '../webvtt/parse.ts';
import { rewriteVtt } from '../webvtt/rewrite.ts';
import { colorsOf, cueBlock, exactColor, headerOf } from '../webvtt/write.ts';
import { sampleTime, type SubtitleFormat } from './format.ts';
import { cuesOnce } from './writable-cues.ts';

/** Writes WebVTT that is safe to send to a browser: everything escaped, styles filtered, in order of time. */
export function toVtt(document: SubtitleDocument): string {
  const regions = document.regions ?? [];
  const names = new Set(regions.map((region) => region.id));
  const cues = cuesOnce(document);
  const colors = new Set<string>();
  for (const cue of cues) colorsOf(cue.spans, colors);
  return (
    headerOf({ styles: document.styles ?? [], regions, colors }) +
    cues.map((cue) => cueBlock(cue, exactColor, names)).join('')
  );
}

export const vtt: SubtitleFormat<'vtt'> = {
  id: 'vtt',
  title: 'WebVTT',
  extensions: ['vtt', 'webvtt'],
  mediaType: 'text/vtt',
  codecs: ['webvtt'],
  detect: ({ lines }) => isSignature(lines[0] ?? ''),
  read: readVtt,
  write: (document) =>
    document.format === 'vtt' && document.script ? rewriteVtt(document, document.script) : toVtt(document),
  keeps: { styles: 'spans', positions: 'all', precisionMs: 1, speaker: true },
  sample: {
    head: 'WEBVTT\n\n',
    tail: '',
    lineBreak: '\n',
    cue: (start, end, text) => `${sampleTime(start)} --> ${sampleTime(end)}\n${text}\n\n`,
  },
};
