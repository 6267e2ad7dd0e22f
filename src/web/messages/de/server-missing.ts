/** German: why a language has no subtitle that counts. One that is missing does not compile. */
import type {
  CandidateRefusal,
  MissingReasonTexts,
  ProviderFaultKind,
} from '../../../contract/subtitles/missing-reasons.ts';
import { count } from '../plural.ts';
import { evidenceGerman } from './server-evidence.ts';

const FAULTS: Readonly<Record<ProviderFaultKind, string>> = {
  'bad-credentials': 'der Anbieter nimmt die Zugangsdaten nicht an',
  quota: 'das Kontingent beim Anbieter ist aufgebraucht',
  'rate-limited': 'der Anbieter verlangt weniger Anfragen',
  'not-found': 'der Anbieter hat diesen Untertitel nicht',
  gone: 'der Link des Anbieters ist abgelaufen',
  'payment-required': 'der Tarif beim Anbieter enthält das nicht',
  unavailable: 'der Anbieter ist nicht erreichbar oder gestört',
  hostile: 'die Antwort des Anbieters ist nicht sicher',
};

const REFUSALS: Readonly<Record<CandidateRefusal, string>> = {
  score: 'es passt nicht gut genug',
  unverified: 'die Zeiten sind nicht bestätigt',
  rejected: 'es wurde hier schon abgelehnt',
  download: 'es ließ sich nicht herunterladen',
  unreadable: 'die Datei ist nicht lesbar',
  'too-few': 'es enthält zu wenige Zeilen für dieses Video',
  timing: 'die Zeiten passen nicht zum Ton',
  language: 'der Text ist in einer anderen Sprache',
  season: 'es gehört zu einer anderen Staffel',
  episode: 'es gehört zu einer anderen Folge',
  year: 'es gehört zu einem anderen Jahr',
  id: 'es gehört zu einem anderen Film oder einer anderen Serie',
  kind: 'es gehört zu einer anderen Art von Video',
  forced: 'es enthält nur die fremdsprachigen Passagen oder eben nicht nur diese',
  'hearing-impaired': 'es ist nicht für Hörgeschädigte',
  'machine-translated': 'es ist maschinell übersetzt',
};

export const missingReasonsGerman: MissingReasonTexts = {
  'none-offered': () => 'kein Anbieter hat einen Untertitel für dieses Video in dieser Sprache',
  'none-offered-by-some': () =>
    'kein Anbieter, der gefragt werden konnte, hat einen Untertitel für dieses Video in dieser Sprache',
  'nothing-better': () => 'die Anbieter haben nichts deutlich Besseres',
  'no-good-match': () => 'was die Anbieter haben, passt nicht gut genug zu diesem Video',
  'no-answer': () => 'kein Anbieter hat geantwortet',
  'provider-failed': ({ fault }) => FAULTS[fault],
  refused: ({ code, refusal }) => (refusal === undefined ? REFUSALS[code] : evidenceGerman.unconfirmed({ refusal })),
  'file-unreadable': () => 'die Videodatei ist nicht lesbar',
  'not-scanned': () => 'die Videodatei wurde noch nicht gescannt',
  hidden: () => 'ausgeblendet',
  empty: () => 'die Datei ist leer',
  'no-cues': () => 'die Datei enthält keine Zeile, die sich anzeigen lässt',
  'not-a-subtitle': () => 'die Datei ist kein Untertitel',
  damaged: () => 'die Datei ist beschädigt und nicht lesbar',
  'too-large': () => 'die Datei ist größer, als ein Untertitel sein kann',
  pictures: () => 'besteht aus Bildern und zählt darum nicht als Text',
  commentary: () => 'ein Kommentar',
  'foreign-lines': () => 'nur die fremdsprachigen Passagen',
  'part-without': ({ part }) => `Teil ${count(part)} hat keinen`,
};
