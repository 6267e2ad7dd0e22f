/** German: notes about a draft. One that is missing does not compile. */
import type { DraftNoteTexts, PictureDefect } from '../../../contract/subtitles/draft-notes.ts';
import { count, counted } from '../plural.ts';
import { reasonsGerman } from './reasons.ts';

const DEFECTS: Readonly<Record<PictureDefect, string>> = {
  'picture-endless': 'Ein Bild hat kein Ende',
  'bytes-left-out': 'Bytes, die zu keinem Abschnitt gehören, wurden ausgelassen',
  'file-cut-short': 'Die Datei endet mitten in einem Abschnitt',
  'composition-unreadable': 'Ein Bildaufbau ist nicht lesbar',
  'too-many-pictures': 'Nur die ersten 20.000 Bilder wurden gelesen',
  'object-unreadable': 'Ein Bildteil ist nicht lesbar',
  'object-size': 'Ein Bildteil hat eine unmögliche Größe',
  'object-without-start': 'Von einem Bildteil fehlt der Anfang',
  'too-many-objects': 'Ein Abschnitt hat zu viele Bildteile',
  'object-undefined': 'Ein angezeigter Bildteil ist nicht enthalten',
  'object-outside': 'Ein Bildteil liegt außerhalb des Bildes',
  'picture-cut-short': 'Ein Bild ist unvollständig',
  'size-unreadable': 'Die Größe ist nicht lesbar',
  'colours-unreadable': 'Die Farben sind nicht lesbar',
  'language-number': 'Eine Sprache hat eine unmögliche Nummer',
  'delay-unreadable': 'Eine Verzögerung ist nicht lesbar',
  'time-unreadable': 'Eine Zeit ist nicht lesbar',
  'time-without-language': 'Eine Zeit steht vor jeder Sprache',
  'picture-missing': 'Der Index nennt ein Bild, das fehlt',
  'picture-invisible': 'Ein unsichtbares Bild wurde ausgelassen',
};

export const draftNotesGerman: DraftNoteTexts = {
  preparing: () => 'Wird vorbereitet.',
  'waits-for-audio': () => 'Wartet, bis der Ton eines anderen Videos analysiert ist.',
  'server-stopped': () => 'Der Server wurde währenddessen beendet.',
  cancelled: () => 'Abgebrochen.',
  'video-changed': () => 'Das Video wurde geändert, seit dieser Entwurf entstand.',
  failed: ({ failure }) => reasonsGerman[failure],
  unexpected: () => 'Ein unerwarteter Fehler ist aufgetreten; Näheres steht im Protokoll.',
  fits: () => 'Passt so, wie er ist, zum Video.',
  'made-for': ({ release }) => `Gemacht für ${release}.`,
  'model-not-as-set': ({ model, architecture }) => `Das Modell ist ${model}, eingestellt ist ${architecture}.`,
  'model-not-as-named': ({ used, model }) => `Laut Programm ist das Modell ${used}, laut Datei ${model}.`,
  'cues-repeat': ({ count: cues }) =>
    `${counted(cues, 'Untertitel wiederholt', 'Untertitel wiederholen')} sich, wie an Stellen, an denen nichts gesagt ` +
    'wird, und gelten als sehr unsicher.',
  'picture-defect': ({ defect, count: times }) => `${DEFECTS[defect]}${times === 1 ? '' : ` (${count(times)}-mal)`}.`,
  'pictures-left-out': ({ count: pictures }) =>
    `${counted(pictures, 'Bild am Ende wurde', 'Bilder am Ende wurden')} nicht gelesen: Zusammen sind die Bilder ` +
    'dieser Spur zu groß.',
  'picture-without-text': ({ at }) => `Im Bild bei ${at} war kein Text zu erkennen.`,
};
