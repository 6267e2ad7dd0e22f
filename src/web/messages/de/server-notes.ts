/** German: notes about a change to a subtitle. One that is missing does not compile. */
import type { SubtitleNoteTexts } from '../../../contract/subtitles/notes.ts';
import { evidenceGerman } from './server-evidence.ts';
import { warningTextsGerman } from './server-warnings.ts';

const METHODS = {
  ocr: 'Texterkennung',
  transcription: 'Transkription',
  'translation-free': 'Transkription in der gesprochenen Sprache',
  alignment: 'Synchronisierung',
  provider: 'Anbieter',
} as const;

export const subtitleNotesGerman: SubtitleNoteTexts = {
  edited: () => 'Bearbeitet.',
  'edited-by-line': () => 'Zeile für Zeile bearbeitet.',
  uploaded: () => 'Eine Datei wurde hochgeladen.',
  'from-draft': () => 'Aus einem Entwurf erstellt.',
  'from-draft-by': ({ method }) => `Aus einem Entwurf erstellt (${METHODS[method]}).`,
  applied: (values) => warningTextsGerman.applied(values),
  moved: ({ message }) => message,
  'moved-to-fit': (move) => evidenceGerman.moved(move),
  cut: () => 'aus einem Untertitel des ganzen Films geschnitten',
  chosen: () => 'Von Hand gewählt.',
  deleted: ({ file }) => `Die Datei ${file} wurde gelöscht.`,
  'video-text-used-again': () => 'Entfernt: Der Text im Video wird wieder verwendet.',
  'none-before': () => 'Entfernt: Vorher gab es keinen Untertitel.',
  'original-restored': () => 'Das Original wurde wiederhergestellt.',
  'outside-change-undone': () => 'Die Fassung vor der Änderung außerhalb dieses Servers wurde wiederhergestellt.',
  'deleted-restored': () => 'Die gelöschte Datei wurde wiederhergestellt.',
  'previous-restored': () => 'Der vorige Untertitel wurde wiederhergestellt.',
};
