/** Words for notes about a change to a subtitle. Empty in English, which the server says itself. */
import type { SubtitleNote, SubtitleNoteTexts } from '../../contract/subtitles/notes.ts';
import { area } from './catalogue.ts';
import { sayReason } from './server-reasons.ts';

let noteWords: SubtitleNoteTexts | undefined;
area<{ texts?: SubtitleNoteTexts }>(
  {
    en: () => Promise.resolve({}),
    de: () => import('./de/server-notes.ts').then(({ subtitleNotesGerman }) => ({ texts: subtitleNotesGerman })),
  },
  ({ texts }) => (noteWords = texts),
);

/** Returns what was done in the language that is spoken; an entry of an earlier version as it is stored. */
export function changeText({ detail, notes }: { detail: string; notes?: readonly SubtitleNote[] | undefined }): string {
  const said = notes?.map((note) => sayReason(noteWords, note));
  return said && said.length > 0 && said.every((one) => one !== undefined) ? said.join(' ') : detail;
}
