/** Notes about a change are said in the language that is spoken, and an entry of an earlier version as it is stored. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteText, SUBTITLE_NOTES, type SubtitleNote, type SubtitleNoteTexts } from '../../contract/subtitles/notes.ts';
import { settled, speak } from './catalogue.ts';
import { subtitleNotesGerman } from './de/server-notes.ts';
import { changeText } from './server-notes.ts';

const NOTES: SubtitleNote[] = [
  { reason: 'from-draft-by', values: { method: 'ocr' } },
  { reason: 'applied', values: { rule: 'moved', count: 4, message: '4 cues moved.' } },
];

test('a note without German words does not compile', () => {
  // @ts-expect-error a note is missing
  const missing: SubtitleNoteTexts & { 'a-new-note': () => string } = subtitleNotesGerman;
  assert.ok(missing);
  assert.deepEqual(Object.keys(subtitleNotesGerman), Object.keys(SUBTITLE_NOTES));
});

test('notes are said in English and German; one of another version as the server says it', async () => {
  const detail = noteText(NOTES);
  assert.equal(detail, 'Made from a draft (ocr). 4 cues moved.');
  assert.equal(changeText({ detail, notes: NOTES }), detail);
  await speak(['de']);
  await settled();
  const german = 'Aus einem Entwurf erstellt (Texterkennung). 4 Untertitel verschoben.';
  assert.equal(changeText({ detail, notes: NOTES }), german);
  const deleted: SubtitleNote = { reason: 'deleted', values: { file: 'Film.en.srt' } };
  assert.equal(changeText({ detail: '', notes: [deleted] }), 'Die Datei Film.en.srt wurde gelöscht.');
  const later = { reason: 'of-a-later-version', values: {} } as unknown as SubtitleNote;
  assert.equal(changeText({ detail: 'It is new.', notes: [...NOTES, later] }), 'It is new.');
  assert.equal(changeText({ detail: 'shifted by 1 s' }), 'shifted by 1 s');
  await speak(['en']);
  await settled();
});
