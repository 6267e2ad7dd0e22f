/** German: reasons for and against a match or a timing, as sentence fragments. One that is missing does not compile. */
import type { EvidenceTexts, TimingRefusal } from '../../../contract/subtitles/evidence-reasons.ts';
import { MAX_TIMING_BREAKS, shiftsIn, type TimingReference } from '../../../contract/subtitles/timing-moves.ts';
import { count, counted, perLocale } from '../plural.ts';

const exactly = (digits: number) =>
  perLocale((locale) => {
    const shown = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return new Intl.NumberFormat(locale, shown);
  });
const [tenths, hundredths] = [exactly(1), exactly(2)];
const share = (percent: number): string => `${count(percent)} %`;
const exactShare = (percent: number): string => `${hundredths().format(percent)} %`;
const shift = (seconds: number): string => `${seconds < 0 ? '−' : '+'}${hundredths().format(Math.abs(seconds))} s`;
const TARGETS: Readonly<Record<TimingReference, string>> = { speech: 'zur Sprache', text: 'zum Text im Video' };

export const timingRefusalsGerman: Readonly<Record<TimingRefusal, string>> = {
  'beyond-limit': 'ein Untertitel läge nach mehr als 36 Stunden',
  'too-few-cues': 'zu wenige Untertitel enthalten Sprache für einen Vergleich',
  'other-track-empty': 'die andere Spur enthält kaum Text',
  'no-speech': 'in diesem Ton wird kaum gesprochen',
  'too-few-lines': 'zu wenige Zeilen enthalten Sprache, um sicher zu sein',
  'other-episode':
    'ein Teil der Untertitel passt nirgends: vielleicht gehören sie zu einer anderen Folge mit gemeinsamen Szenen',
  drift: 'die Zeiten laufen im Film auseinander, und keine einzelne Geschwindigkeit gleicht das aus',
  'fits-nowhere':
    'die Untertitel passen nirgends: vielleicht gehören sie zu einem anderen Film oder einer anderen Fassung',
  'not-distinct': 'keine Verschiebung passt deutlich besser als andere',
  'text-without-speech': 'zu viel Text steht dort, wo nicht gesprochen wird',
  'too-many-breaks': `die Verschiebung müsste mehr als ${MAX_TIMING_BREAKS}-mal wechseln`,
  'part-unsure': 'einer der Teile zwischen zwei Wechseln ist nicht sicher genug',
  'hardly-better': 'es würde kaum besser passen als jetzt',
};

export const evidenceGerman: EvidenceTexts = {
  'same-film': () => 'derselbe Film, der Kennung nach',
  'same-episode': () => 'dieselbe Folge, der Kennung nach',
  'same-show': () => 'dieselbe Serie, der Kennung nach',
  'same-hash': () => 'der Hash beim Anbieter ist der dieser Datei',
  'same-title': () => 'derselbe Titel',
  'same-year': () => 'dasselbe Jahr',
  'same-day': () => 'derselbe Tag im Namen',
  'same-number': () => 'dieselbe Staffel und Folge',
  'season-pack': () => 'ein Paket dieser Staffel, aus dem nur ein Eintrag mit dieser Folge genommen wird',
  'same-release': () => 'für genau dieses Release gemacht',
  'same-group': () => 'dieselbe Release-Gruppe',
  'same-source': () => 'dieselbe Art von Quelle',
  'other-service': () => 'dieselbe Art von Quelle, aber ein anderer Dienst',
  'same-resolution': () => 'dieselbe Auflösung',
  'same-codec': () => 'derselbe Codec',
  'same-edition': () => 'dieselbe Fassung',
  'other-edition': ({ edition }) => `für eine andere Fassung (${edition})`,
  'edition-unclear': () => 'vielleicht für eine andere Fassung: nur einer der beiden Namen nennt eine',
  trusted: () => 'von einer vertrauenswürdigen Person hochgeladen',
  'impaired-preferred': () => 'für Hörgeschädigte, wie bevorzugt',
  'plain-preferred': () => 'einfacher Text, wie bevorzugt',
  'same-frame-rate': () => 'dieselbe Bildrate',
  'other-frame-rate': () => 'eine Bildrate, mit der er schneller oder langsamer läuft',
  'made-for-file': () => 'für diese Datei gemacht: Hash, Release und Kennungen stimmen überein',
  'too-few-to-compare': () => 'zu wenige Zeilen, um ihre Zeiten mit dem Ton zu vergleichen',
  'not-compared': () => 'die Zeiten wurden nicht mit dem Ton verglichen',
  'no-audio': () => 'das Video hat keinen Ton, mit dem sich die Zeiten vergleichen lassen',
  'audio-failed': () => 'ein Vergleich mit dem Ton war nicht möglich',
  'video-too-short': () => 'das Video ist zu kurz, um die Zeiten mit seinem Ton zu vergleichen',
  'fits-as-is': ({ reference }) => `die Zeilen passen so, wie sie sind, ${TARGETS[reference]}`,
  unconfirmed: ({ refusal }) => `die Zeiten ließen sich nicht bestätigen: ${timingRefusalsGerman[refusal]}`,
  moved: ({ reference, ratio, ...move }) =>
    `${ratio === 1 ? '' : `auf ${exactShare(ratio * 100)} gestreckt und `}um ` +
    `${shiftsIn(move).map(shift).join(', dann ')} verschoben, passend ${TARGETS[reference]}`,
  'cut-from-film': () => 'aus einem Untertitel des ganzen Films geschnitten',
  'video-text': () => 'eine Textspur dieses Videos',
  chosen: () => 'von Hand gewählt',
  'track-language-found': () => 'die Spur nennt keine Sprache, und ihr Text ist in der gewünschten',
  'no-language': () => 'nennt keine Sprache',
  'first-language': () => 'nennt keine Sprache und zählt darum für die erste gewünschte',
  'requested-language': () => 'der Text ist in der gewünschten Sprache',
  'several-languages': () => 'die gewünschte Sprache ist eine von denen des Textes',
  'other-language': ({ confidence }) =>
    `der Text ist in einer anderen Sprache, als sein Name sagt; die Sicherheit ist ${share(confidence)}`,
  'for-impaired': () => 'der Text ist für Hörgeschädigte',
  pictures: () => 'aus Bildern, die nicht jeder Player anzeigen kann',
  distinct: ({ found, needed }) =>
    `diese Zeiten sind um einen z-Wert von ${tenths().format(found)} besser als andere; nötig ist ` +
    tenths().format(needed),
  spoken: ({ hit, needed, chance }) =>
    `während ${share(hit)} der Zeilen wird gesprochen; nötig sind ${share(needed)}, der Zufall ergibt ${share(chance)}`,
  'with-text': ({ hit, needed, chance }) =>
    `während ${share(hit)} der Zeilen hat die andere Spur Text; nötig sind ${share(needed)}, der Zufall ergibt ` +
    share(chance),
  'best-already': () => 'keine anderen Zeiten würden besser passen',
  improved: ({ share: by }) => `es passt um ${share(by)} besser als vorher`,
  'simple-detector': () => 'mit der einfacheren von zwei Spracherkennungen gehört, weil die bessere hier nicht läuft',
  breaks: ({ count: changes, found }) =>
    `die Verschiebung wechselt im Film ${changes === 1 ? 'einmal' : `${count(changes)}-mal`}; der unsicherste Teil ` +
    `hebt sich um ${tenths().format(found)} ab`,
  steady: ({ share: near, parts }) =>
    `${share(near)} von ${count(parts)} Teilen des Films passen mit höchstens 0,2 s Abstand am besten`,
  stretched: ({ share: by }) => `das Ganze ist um ${exactShare(by)} gestreckt`,
  shortened: ({ share: by }) => `das Ganze ist um ${exactShare(by)} gekürzt`,
  clamped: ({ count: cues }) =>
    `${counted(cues, 'Untertitel würde vor dem Video beginnen und beginnt', 'Untertitel würden vor dem Video beginnen und beginnen')} bei 0`,
};
