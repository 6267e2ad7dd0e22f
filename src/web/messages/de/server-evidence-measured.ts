/**
 * German: the reasons that speak for a timing or against it, with what was measured. They are stored in English, so the
 * English ones are patterns here: `{name}` is a value. The first pattern that fits is taken.
 */
type Values = Readonly<Record<string, string>>;
const fixed = (english: string, german: string): [string, () => string] => [english, () => german];

const times = (value: string | undefined): string =>
  value === 'once' ? 'einmal' : (value ?? '').replace('times', 'Mal');
const TARGETS: Readonly<Record<string, string>> = {
  'the speech': 'zur Sprache',
  'the text inside the video': 'zum Text im Video',
};

const moved = (shifts = '', target = ''): string =>
  `um ${shifts.replaceAll(', then ', ', dann ')} verschoben, passend ${TARGETS[target] ?? target}`;

/** Refusals, which also follow other words. */
const REFUSALS: readonly [string, (values: Values) => string][] = [
  fixed('a cue would move beyond 36 hours', 'ein Untertitel läge nach 36 Stunden'),
  fixed('too few cues hold speech to compare them', 'zu wenige Untertitel enthalten Sprache für einen Vergleich'),
  fixed('the other track holds hardly any text', 'die andere Spur enthält kaum Text'),
  fixed('there is hardly any speech in this audio', 'in diesem Ton wird kaum gesprochen'),
  fixed('too few lines hold speech to be sure', 'zu wenige Zeilen enthalten Sprache, um sicher zu sein'),
  fixed(
    'a part of the cues fits nowhere: they may be of another episode that shares some scenes',
    'ein Teil der Untertitel passt nirgends: vielleicht gehören sie zu einer anderen Folge mit gemeinsamen Szenen',
  ),
  fixed(
    'the timing drifts along the film, and no single rate corrects it',
    'die Zeiten laufen im Film auseinander, und keine einzelne Geschwindigkeit gleicht das aus',
  ),
  fixed(
    'the cues fit nowhere: they may be of another film or another cut',
    'die Untertitel passen nirgends: vielleicht gehören sie zu einem anderen Film oder einer anderen Fassung',
  ),
  fixed('no offset fits clearly better than others', 'keine Verschiebung passt deutlich besser als andere'),
  fixed('too much of the text is shown where there is no speech', 'zu viel Text steht dort, wo nicht gesprochen wird'),
  [
    'the timing would break more than {count} times',
    ({ count: most }) => `die Verschiebung müsste mehr als ${most}-mal wechseln`,
  ],
  fixed(
    'one of the parts between two breaks is not sure enough',
    'einer der Teile zwischen zwei Wechseln ist nicht sicher genug',
  ),
  fixed('it would fit hardly better than it does now', 'es würde kaum besser passen als jetzt'),
];

const refusal = (value = ''): string => {
  const count = /^the timing would break more than (\d+) times$/.exec(value)?.[1];
  const english = count === undefined ? value : value.replace(count, '{count}');
  return REFUSALS.find(([one]) => one === english)?.[1]({ count: count ?? '' }) ?? value;
};

export const measuredEvidenceGerman: readonly [string, (values: Values) => string][] = [
  ...REFUSALS,
  [
    'this timing is better than the others by a z-score of {found}; {needed} is needed',
    ({ found, needed }) => `diese Zeiten sind um einen z-Wert von ${found} besser als andere; nötig ist ${needed}`,
  ],
  [
    'during {share} of the lines the other track has text; {needed} is needed, and chance gives {chance}',
    ({ share, needed, chance }) =>
      `während ${share} der Zeilen hat die andere Spur Text; nötig sind ${needed}, der Zufall ergibt ${chance}`,
  ],
  [
    'during {share} of the lines someone speaks; {needed} is needed, and chance gives {chance}',
    ({ share, needed, chance }) =>
      `während ${share} der Zeilen wird gesprochen; nötig sind ${needed}, der Zufall ergibt ${chance}`,
  ],
  fixed('no other timing would fit better', 'keine anderen Zeiten würden besser passen'),
  ['it fits better than where it was, by {share}', ({ share }) => `es passt um ${share} besser als vorher`],
  fixed(
    'heard with the simpler of two detectors of speech, because the better one cannot run here',
    'mit der einfacheren von zwei Spracherkennungen gehört, weil die bessere hier nicht läuft',
  ),
  [
    'the shift changes {count} along the film; its least sure part stands out by {found}',
    ({ count: changes, found }) =>
      `die Verschiebung wechselt im Film ${times(changes)}; der unsicherste Teil hebt sich um ${found} ab`,
  ],
  [
    '{share} of {count} parts of the film fit best within 0.2 s of this timing',
    ({ share, count: parts }) => `${share} von ${parts} Teilen des Films passen am besten mit höchstens 0,2 s Abstand`,
  ],
  ['the whole is stretched by {share}', ({ share }) => `das Ganze ist um ${share} gestreckt`],
  ['the whole is shortened by {share}', ({ share }) => `das Ganze ist um ${share} gekürzt`],
  fixed(
    '1 cue would begin before the video and begin at 0',
    'ein Untertitel würde vor dem Video beginnen und beginnt bei 0',
  ),
  [
    '{count} cues would begin before the video and begin at 0',
    ({ count: cues }) => `${cues} Untertitel würden vor dem Video beginnen und beginnen bei 0`,
  ],
  [
    'the text is in another language than its name says; the confidence is {share}',
    ({ share }) => `der Text ist in einer anderen Sprache, als sein Name sagt; die Sicherheit ist ${share}`,
  ],
  ['for another edition ({edition})', ({ edition }) => `für eine andere Fassung (${edition})`],
  fixed(
    'the video has no audio to compare the timing with',
    'das Video hat keinen Ton, mit dem sich die Zeiten vergleichen lassen',
  ),
  fixed('the audio could not be compared with', 'mit dem Ton ließ sich nicht vergleichen'),
  fixed(
    'the video is too short to compare the timing with its audio',
    'das Video ist zu kurz, um die Zeiten mit seinem Ton zu vergleichen',
  ),
  fixed('the lines fit the speech as they are', 'die Zeilen passen so, wie sie sind, zur Sprache'),
  fixed('the lines fit the text inside the video as they are', 'die Zeilen passen so, wie sie sind, zum Text im Video'),
  ['the timing could not be confirmed: {why}', ({ why }) => `die Zeiten ließen sich nicht bestätigen: ${refusal(why)}`],
  [
    'stretched to {rate} and moved by {shifts} to fit {target}',
    ({ rate, shifts, target }) => `auf ${rate} gestreckt und ${moved(shifts, target)}`,
  ],
  ['moved by {shifts} to fit {target}', ({ shifts, target }) => moved(shifts, target)],
  fixed('no timing fits clearly better than others', 'keine Zeiten passen deutlich besser als andere'),
  fixed('too few lines hold speech to compare them', 'zu wenige Zeilen enthalten Sprache für einen Vergleich'),
  fixed(
    'lines of foreign speech are too few to compare them',
    'Zeilen fremder Sprache sind zu wenige für einen Vergleich',
  ),
  fixed('the audio of the video cannot be read', 'der Ton des Videos ist nicht lesbar'),
  fixed('the text cannot be read', 'der Text ist nicht lesbar'),
];
