/** Finds the date in a name, in digits or with the month as a word in the common languages of households. */

/** The order of day and month in a date that allows both: `03-04-2012`. */
export type DayOrder = 'dmy' | 'mdy';

export interface FoundDate {
  /** `2011-11-15` */
  date: string;
  start: number;
  end: number;
  /** Whether the numbers allow one order only, and which. */
  order?: DayOrder;
}

const MONTHS: ReadonlyMap<string, number> = new Map(
  [
    'january jan januar janvier enero gennaio janeiro januari ene styczeń stycznia января январь',
    'february feb februar février fevrier febrero febbraio fevereiro februari luty lutego февраля февраль',
    'march mar märz marz mars marzo março marco maart mrt marzec marca марта март',
    'april apr avril abril aprile abr kwiecień kwietnia апреля апрель',
    'may mai mayo maggio maio mei maj maja мая май',
    'june jun juni juin junio giugno junho czerwiec czerwca июня июнь',
    'july jul juli juillet julio luglio julho lipiec lipca июля июль',
    'august aug août aout agosto augustus augusti sierpień sierpnia августа август',
    'september sep sept septembre septiembre settembre setembro wrzesień września сентября сентябрь',
    'october oct oktober octobre octubre ottobre outubro okt październik października октября октябрь',
    'november nov novembre noviembre novembro listopad listopada ноября ноябрь',
    'december dec dezember décembre decembre diciembre dicembre dezembro dez grudzień grudnia декабря декабрь',
  ].flatMap((names, month) => names.split(' ').map((name) => [name, month + 1] as const)),
);
/** Words between the parts of a date: `29th of March`, `29 de marzo de 2012`. */
const FILLERS = new Set(['st', 'nd', 'rd', 'th', 'of', 'de', 'del', 'den']);

const YMD = /(?<!\d)((?:19|20)\d\d)(?:([ ._-])(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])|-(\d{1,2})-(\d{1,2}))(?!\d)/gu;
const NUMERIC = /(?<!\d)(0[1-9]|[12]\d|3[01])([ ._-])(0[1-9]|[12]\d|3[01])\2((?:19|20)\d\d)(?!\d)/gu;
const COMPACT = /(?<![\p{L}\p{N}])((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?![\p{L}\p{N}])/gu;

/** Whether the calendar has this day. */
export const isDay = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();

const written = (year: number, month: number, day: number): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

/** Returns the first date of a name. `order` decides between day and month where the numbers do not. */
export function findDate(text: string, order: DayOrder = 'dmy'): FoundDate | undefined {
  for (const pattern of [YMD, COMPACT]) {
    for (const match of text.matchAll(pattern)) {
      const [year, month, day] = [Number(match[1]), Number(match[3] ?? match[5]), Number(match[4] ?? match[6])];
      const numbers = pattern === COMPACT ? [year, Number(match[2]), Number(match[3])] : [year, month, day];
      const [y = 0, m = 0, d = 0] = numbers;
      if (isDay(y, m, d)) return { date: written(y, m, d), start: match.index, end: match.index + match[0].length };
    }
  }
  for (const match of text.matchAll(NUMERIC)) {
    const [one, two, year] = [Number(match[1]), Number(match[3]), Number(match[4])];
    const sure = one > 12 ? 'dmy' : two > 12 ? 'mdy' : undefined;
    const [day, month] = (sure ?? order) === 'dmy' ? [one, two] : [two, one];
    if (isDay(year, month, day))
      return {
        date: written(year, month, day),
        start: match.index,
        end: match.index + match[0].length,
        ...(sure !== undefined && one !== two && { order: sure }),
      };
  }
  return wordedDate(text);
}

interface Piece {
  text: string;
  start: number;
  end: number;
}

/** Reads `29 March 2012`, `March 29th, 2012` and `2012 Mar 29`. */
function wordedDate(text: string): FoundDate | undefined {
  const pieces: Piece[] = [...text.matchAll(/\p{L}+|\d+/gu)]
    .map((match) => ({ text: match[0].toLowerCase(), start: match.index, end: match.index + match[0].length }))
    .filter((piece) => !FILLERS.has(piece.text));
  for (const [at, piece] of pieces.entries()) {
    const month = MONTHS.get(piece.text);
    if (month === undefined) continue;
    for (const [first, second] of [
      [pieces[at - 1], pieces[at + 1]],
      [pieces[at + 1], pieces[at + 2]],
    ] as const) {
      const found = first && second && dateOf(month, [first, second]);
      const [from, to] = [Math.min(piece.start, first?.start ?? 0), Math.max(piece.end, second?.end ?? 0)];
      // The parts of a date are next to each other.
      if (found !== undefined && to - from <= 24) return { date: found, start: from, end: to };
    }
  }
  return undefined;
}

function dateOf(month: number, [first, second]: readonly [Piece, Piece]): string | undefined {
  const [year, day] = first.text.length === 4 ? [first.text, second.text] : [second.text, first.text];
  if (!/^(?:19|20)\d\d$/.test(year) || !/^\d{1,2}$/.test(day)) return undefined;
  return isDay(Number(year), month, Number(day)) ? written(Number(year), month, Number(day)) : undefined;
}
