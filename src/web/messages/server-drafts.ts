/** Words for notes about a draft. Empty in English, which the server says itself. */
import type { DraftNote, DraftNoteTexts } from '../../contract/subtitles/draft-notes.ts';
import { area } from './catalogue.ts';
import { sayReason } from './server-reasons.ts';

let draftWords: DraftNoteTexts | undefined;
area<{ texts?: DraftNoteTexts }>(
  {
    en: () => Promise.resolve({}),
    de: () => import('./de/server-drafts.ts').then(({ draftNotesGerman }) => ({ texts: draftNotesGerman })),
  },
  ({ texts }) => (draftWords = texts),
);

/** Returns what a draft says in the language that is spoken; one of an earlier version as it is stored. */
export function draftMessage({
  message,
  notes,
}: {
  message?: string | undefined;
  notes?: readonly DraftNote[] | undefined;
}): string | undefined {
  const said = notes?.map((note) => sayReason(draftWords, note));
  return said && said.length > 0 && said.every((one) => one !== undefined) ? said.join(' ') : message;
}
