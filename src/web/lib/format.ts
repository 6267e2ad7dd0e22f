/**
 * Numbers, times, sizes and languages in words, in the language and region that the dashboard speaks. All of it is
 * `Intl`'s work; engines of 2020 that lack a part of it show the plain value.
 */
import { count, perLocale } from '../messages/plural.ts';
import { shellWords as m } from '../messages/shell.ts';

export { count };
/** "1 film", "1,204 films": English only. Messages count with `counted`. */
export const many = (value: number, one: string, more = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : more}`;

/** A sentence fragment as the beginning of a sentence. */
export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

type Unit =
  | 'hour'
  | 'minute'
  | 'second'
  | 'byte'
  | 'kilobyte'
  | 'megabyte'
  | 'gigabyte'
  | 'terabyte'
  | 'kilobit-per-second'
  | 'megabit-per-second';
const units = perLocale((locale) => {
  const made = new Map<string, Intl.NumberFormat>();
  return (unit: Unit, digits: number): Intl.NumberFormat | undefined => {
    const key = `${unit} ${digits}`;
    if (!made.has(key))
      try {
        made.set(
          key,
          new Intl.NumberFormat(locale, {
            style: 'unit',
            unit,
            // "500 byte" is no English; "500 bytes" is.
            unitDisplay: unit === 'byte' ? 'long' : 'short',
            minimumFractionDigits: digits,
            maximumFractionDigits: digits,
          }),
        );
      } catch {
        return undefined;
      }
    return made.get(key);
  };
});
const measured = (value: number, unit: Unit, digits = 0): string =>
  units()(unit, digits)?.format(value) ?? `${value.toFixed(digits)} ${unit}`;

/** Seconds as "1 hr 52 min", "47 min" or "20 sec". */
export function formatDuration(seconds: number): string {
  if (Math.round(seconds) < 60) return measured(Math.max(1, Math.round(seconds)), 'second');
  const minutes = Math.round(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return measured(rest, 'minute');
  return rest === 0 ? measured(hours, 'hour') : `${measured(hours, 'hour')} ${measured(rest, 'minute')}`;
}

/** Seconds as a position: "1:02:09" or "2:09". */
export function position(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
/** Bytes as "3.4 GB". */
export function size(bytes: number): string {
  const power = Math.min(SIZES.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return measured(value, SIZES[power] ?? 'byte', power > 0 && value < 10 ? 1 : 0);
}
/** Bits per second as "8.2 Mb/s". */
export const bitrate = (perSecond: number): string =>
  perSecond >= 1_000_000
    ? measured(perSecond / 1_000_000, 'megabit-per-second', 1)
    : measured(perSecond / 1000, 'kilobit-per-second');

const decimals = perLocale((locale) => {
  const made = new Map<number, Intl.NumberFormat>();
  return (digits: number): Intl.NumberFormat => {
    const known = made.get(digits);
    if (known) return known;
    const format = new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
    made.set(digits, format);
    return format;
  };
});
/** A number with so many decimals: "0.05". */
export const decimal = (value: number, digits: number): string => decimals()(digits).format(value);
const scores = perLocale(
  (locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
);
/** A rating of a film: "7.8". */
export const formatRating = (value: number): string => scores().format(value);
const percents = perLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent' }));
/** A share of one as "45%". */
export const percent = (share: number): string => percents().format(share);

const days = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }));
const weekdays = perLocale((locale) => new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }));
const moments = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }));
/** A date without a time: "21 Nov 2026". */
export const day = (iso: string): string =>
  days().format(new Date(/^\d{4}-\d\d-\d\d$/.test(iso) ? `${iso}T12:00:00` : iso));
const times = perLocale((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }));
/** A day of the week, of which Monday is the first: "Tuesday". */
export const weekdayName = (place: number): string => weekdays().format(Date.UTC(2026, 0, 5 + place));
/** A time of today: "14:05". */
export const timeOfDay = (iso: string): string => times().format(new Date(iso));
/** A date with its time. */
export const moment = (iso: string): string => moments().format(new Date(iso));

const STEPS: readonly [below: number, seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [3600, 60, 'minute'],
  [86_400, 3600, 'hour'],
  [7 * 86_400, 86_400, 'day'],
];
const relative = perLocale((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
/** How long ago: "just now", "5 minutes ago", "yesterday", then the date. */
export function ago(iso: string, now: number = Date.now()): string {
  const seconds = Math.max(0, (now - Date.parse(iso)) / 1000);
  if (seconds < 60) return m.justNow;
  for (const [below, unitSeconds, unit] of STEPS)
    if (seconds < below) return relative().format(-Math.floor(seconds / unitSeconds), unit);
  return day(iso);
}

const lists = perLocale((locale) =>
  typeof Intl.ListFormat === 'function'
    ? {
        and: new Intl.ListFormat(locale, { type: 'conjunction' }),
        or: new Intl.ListFormat(locale, { type: 'disjunction' }),
      }
    : undefined,
);
/** "a, b and c". An engine without lists puts commas. */
export const listed = (texts: readonly string[], type: 'and' | 'or' = 'and'): string =>
  lists()?.[type].format(texts) ?? texts.join(', ');

const names = perLocale((locale) =>
  typeof Intl.DisplayNames === 'function' ? new Intl.DisplayNames([locale], { type: 'language' }) : undefined,
);
/** The name of a language. An engine without names shows the code. */
export function languageLabel(code: string | undefined): string {
  if (code === undefined || code === 'und') return m.unknownLanguage;
  try {
    return names()?.of(code) ?? code;
  } catch {
    return code;
  }
}

const regions = perLocale((locale) =>
  typeof Intl.DisplayNames === 'function' ? new Intl.DisplayNames([locale], { type: 'region' }) : undefined,
);
/** The name of a country by its two letters, in any case. An engine without names shows the letters. */
export function countryLabel(code: string): string {
  try {
    return regions()?.of(code.toUpperCase()) ?? code;
  } catch {
    return code;
  }
}

/** The name of a language in that language: "Deutsch". */
export function ownName(code: string): string {
  try {
    return new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** "S2 E5", "S2 E5–6". */
export function episodeCode({
  season,
  episode,
  episodeEnd,
}: {
  season?: number | undefined;
  episode?: number | undefined;
  episodeEnd?: number | undefined;
}): string {
  const first = season === undefined ? '' : season === 0 ? m.special : m.seasonCode({ season });
  const second =
    episode === undefined
      ? ''
      : m.episodeCode({
          episode: `${episode}${episodeEnd !== undefined && episodeEnd > episode ? `–${episodeEnd}` : ''}`,
        });
  return [first, second].filter(Boolean).join(' ');
}
/** Pieces of a line of facts, with what is missing left out. */
export const facts = (...pieces: readonly (string | number | undefined | false)[]): string[] =>
  pieces.filter((piece) => piece !== undefined && piece !== false && piece !== '').map(String);

const CHANNELS: Readonly<Record<number, string>> = { 6: '5.1', 7: '6.1', 8: '7.1' };
export const channels = (number: number | undefined): string | undefined =>
  number === undefined
    ? undefined
    : number === 1
      ? m.mono
      : number === 2
        ? m.stereo
        : (CHANNELS[number] ?? m.channels({ channels: number }));
/** Names that are messages. */
const SAID: Record<string, () => string> = { mov_text: () => m.mp4Text, 'dolby-vision': () => m.dolbyVision };
const CODECS: Record<string, string> = {
  h264: 'H.264',
  hevc: 'HEVC',
  av1: 'AV1',
  vp9: 'VP9',
  vp8: 'VP8',
  vc1: 'VC-1',
  mpeg2video: 'MPEG-2',
  mpeg4: 'MPEG-4',
  aac: 'AAC',
  ac3: 'Dolby Digital',
  eac3: 'Dolby Digital Plus',
  truehd: 'Dolby TrueHD',
  dts: 'DTS',
  flac: 'FLAC',
  opus: 'Opus',
  mp3: 'MP3',
  vorbis: 'Vorbis',
  subrip: 'SRT',
  srt: 'SRT',
  ass: 'ASS',
  ssa: 'SSA',
  webvtt: 'WebVTT',
  vtt: 'WebVTT',
  hdmv_pgs_subtitle: 'PGS',
  dvd_subtitle: 'VobSub',
  dvb_subtitle: 'DVB',
  matroska: 'MKV',
  mov: 'MOV',
  mpegts: 'MPEG-TS',
};
/** Returns the name that people know of a codec, class of dynamic range, subtitle format or container. */
export const codec = (name: string): string => CODECS[name] ?? SAID[name]?.() ?? name.toUpperCase();
export const resolution = (name: string): string => ({ sd: 'SD', '4k': '4K', '8k': '8K' })[name] ?? name;
