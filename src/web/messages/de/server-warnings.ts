/** German: the warnings of the workbench. One that is missing does not compile. */
import type {
  AppliedRule,
  DefectCode,
  SubtitleWarningTexts,
  UnreadableCause,
} from '../../../contract/subtitles/warnings.ts';
import { count, counted } from '../plural.ts';

const DEFECTS: Readonly<Record<DefectCode, string>> = {
  'no-header': 'die Datei beginnt nicht mit WEBVTT',
  'bad-header': 'der Kopf der Datei ist nicht der dieses Formats',
  'bad-timing': 'ungültige Zeiten wurden ausgelassen',
  'bad-setting': 'eine ungültige Einstellung wurde ausgelassen',
  'bad-tag': 'eine ungültige Auszeichnung wurde ausgelassen',
  'bad-line': 'etwas, das nicht lesbar war, wurde ausgelassen',
  'bad-number': 'die Nummer eines Untertitels fehlt',
  'bad-character': 'ein NUL-Zeichen wurde ausgelassen',
  'loose-time': 'eine ungenau geschriebene Zeit wurde sinngemäß gelesen',
  'over-limit': 'was über eine Grenze ging, wurde ausgelassen',
  'negative-duration': 'das Ende eines Untertitels liegt vor seinem Anfang',
  'missing-end': 'ein Untertitel hat kein Ende; es wurde aus seiner Länge bestimmt',
  'blank-line': 'eine leere Zeile in einem Untertitel wurde ausgelassen',
  'empty-cue': 'ein Untertitel hat keinen Text',
  'stray-text': 'Text außerhalb der Untertitel wurde ausgelassen',
  unsorted: 'ein Untertitel beginnt vor dem, der darüber steht',
  'no-frame-rate': 'die Datei nennt keine Bildrate; 23,976 wurde angenommen',
  'unknown-style': 'ein Stil ist nicht bekannt',
  drawing: 'eine Zeichnung hat keinen Text',
  'more-languages': 'die Datei enthält mehrere Sprachen; eine davon wurde genommen',
  more: 'weitere Hinweise dieser Art',
};

const UNREADABLE: Readonly<Record<UnreadableCause, string>> = {
  'format-unknown': 'Die Datei hat kein bekanntes Untertitelformat.',
  'subtitle-malformed': 'Die Datei ist beschädigt oder enthält keinen Text.',
  'subtitle-over-limit': 'Die Datei ist zu groß oder hat zu viele Untertitel.',
  'subtitle-empty': 'Die Datei ist leer.',
  'text-track-unreadable': 'Die Textspur im Video ist nicht lesbar.',
  'track-too-large': 'Die Textspur im Video ist größer als 4 MiB.',
  'installed-unreadable': 'Der Grund ist nicht bekannt.',
};

const inCues = (value: number): string => counted(value, 'Untertitel', 'Untertiteln');
const APPLIED: Readonly<Record<AppliedRule, (value: number) => string>> = {
  moved: (value) =>
    value === 0
      ? 'Kein Untertitel musste verschoben werden.'
      : `${counted(value, 'Untertitel', 'Untertitel')} verschoben.`,
  startedAtZero: (value) =>
    value === 1
      ? 'Ein Untertitel hätte vor dem Video begonnen und beginnt jetzt bei 0.'
      : `${count(value)} Untertitel hätten vor dem Video begonnen und beginnen jetzt bei 0.`,
  fixCommonErrors: (value) => `Häufige Fehler wurden in ${inCues(value)} behoben.`,
  removeCredits: (value) => `Nennungen und Werbung wurden aus ${inCues(value)} entfernt.`,
  removeHearingImpaired: (value) => `Text für Hörgeschädigte wurde aus ${inCues(value)} entfernt.`,
  mergeRepeated: (value) => `Wiederholter Text wurde in ${inCues(value)} zusammengefasst.`,
  fixOverlaps: (value) => `Überschneidungen wurden in ${inCues(value)} beseitigt.`,
};

export const warningTextsGerman: SubtitleWarningTexts = {
  'changed-outside': () =>
    'Diese Datei wurde außerhalb dieses Servers geändert. Die Fassung des Servers lässt sich wiederherstellen.',
  deleted: () => 'Die Datei, die dieser Server geschrieben hat, wurde gelöscht. Sie lässt sich wiederherstellen.',
  pictures: () => 'Der Untertitel in dieser Sprache besteht aus Bildern. Ein Entwurf kann sie in Text umwandeln.',
  'inside-video': () =>
    'Dieser Text ist eine Spur im Video, das bleibt, wie es ist: Eine Änderung wird in eine Datei daneben geschrieben.',
  'track-without-language': () => 'Die Spur nennt keine Sprache.',
  'name-without-language': () => 'Der Dateiname nennt keine Sprache.',
  'first-language-assumed': () =>
    'Der Dateiname nennt keine Sprache, darum zählt die Datei für die erste eingestellte Sprache.',
  variant: ({ tag }) => `Das ist eine Variante der Sprache (${tag}).`,
  'character-set-uncertain': ({ encoding }) =>
    `Der Zeichensatz ist nicht sicher: ${encoding} wurde angenommen. Ein anderer lässt sich wählen.`,
  'characters-unread': (values) =>
    values.count === 1 ? 'Ein Zeichen war nicht lesbar.' : `${count(values.count)} Zeichen waren nicht lesbar.`,
  'no-cues': () => 'Die Datei enthält keine Untertitel.',
  defect: ({ code, line }) => (line > 0 ? `Zeile ${line}: ${DEFECTS[code]}.` : `${DEFECTS[code]}.`),
  'more-defects': (values) => `${count(values.count)} weitere dieser Art.`,
  unreadable: ({ why }) => `Der jetzige Untertitel ist nicht lesbar. ${UNREADABLE[why]}`,
  applied: (values) => APPLIED[values.rule](values.count),
};
