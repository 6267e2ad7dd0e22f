/**
 * Numbers, times and languages in words. English throughout; dates and numbers in the reader's own kind of
 * English where they have one.
 */
const LOCALE = typeof navigator !== 'undefined' && /^en\b/.test(navigator.language) ? navigator.language : 'en-GB';

const counts = new Intl.NumberFormat(LOCALE);
export const count = (value: number): string => counts.format(value);
/** "1 film", "1,204 films". */
export const many = (value: number, one: string, more = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : more}`;

/** A sentence fragment as the beginning of a sentence. */
export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Seconds as "1 h 52 min", "47 min" or "20 s". */
export function duration(seconds: number): string {
  if (Math.round(seconds) < 60) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** Seconds as a position: "1:02:09" or "2:09". */
export function position(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;
/** Bytes as "3.4 GB". */
export function size(bytes: number): string {
  const power = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`;
}
/** Bits per second as "8.2 Mb/s". */
export const bitrate = (perSecond: number): string =>
  perSecond >= 1_000_000 ? `${(perSecond / 1_000_000).toFixed(1)} Mb/s` : `${Math.round(perSecond / 1000)} kb/s`;

const days = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const moments = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });
/** A date without a time: "21 Nov 2026". */
export const day = (iso: string): string =>
  days.format(new Date(/^\d{4}-\d\d-\d\d$/.test(iso) ? `${iso}T12:00:00` : iso));
/** A date with its time. */
export const moment = (iso: string): string => moments.format(new Date(iso));

const STEPS: readonly [seconds: number, unit: string][] = [
  [60, 'second'],
  [3600, 'minute'],
  [86_400, 'hour'],
  [7 * 86_400, 'day'],
];
/** How long ago: "just now", "5 minutes ago", "yesterday", then the date. */
export function ago(iso: string, now: number = Date.now()): string {
  const seconds = Math.max(0, (now - Date.parse(iso)) / 1000);
  if (seconds < 60) return 'just now';
  if (seconds >= 86_400 && seconds < 2 * 86_400) return 'yesterday';
  let before = 1;
  for (const [most, unit] of STEPS) {
    if (seconds < most) return `${many(Math.floor(seconds / before), unit)} ago`;
    before = most;
  }
  return day(iso);
}

/** An engine without language names shows the code. */
const names = typeof Intl.DisplayNames === 'function' ? new Intl.DisplayNames(['en'], { type: 'language' }) : undefined;
export function language(code: string | undefined): string {
  if (code === undefined || code === 'und') return 'Unknown language';
  try {
    return names?.of(code) ?? code;
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
  const first = season === undefined ? '' : season === 0 ? 'Special' : `S${season}`;
  const second =
    episode === undefined
      ? ''
      : `E${episode}${episodeEnd !== undefined && episodeEnd > episode ? `–${episodeEnd}` : ''}`;
  return [first, second].filter(Boolean).join(' ');
}
/** Pieces of a line of facts, with what is missing left out. */
export const facts = (...pieces: readonly (string | number | undefined | false)[]): string[] =>
  pieces.filter((piece) => piece !== undefined && piece !== false && piece !== '').map(String);

const CHANNELS: Record<number, string> = { 1: 'mono', 2: 'stereo', 6: '5.1', 7: '6.1', 8: '7.1' };
export const channels = (number: number | undefined): string | undefined =>
  number === undefined ? undefined : (CHANNELS[number] ?? `${number} channels`);
const CODECS: Record<string, string> = {
  h264: 'H.264',
  hevc: 'HEVC',
  av1: 'AV1',
  vp9: 'VP9',
  vp8: 'VP8',
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
  mov_text: 'MP4 text',
  hdmv_pgs_subtitle: 'PGS',
  dvd_subtitle: 'VobSub',
  dvb_subtitle: 'DVB',
  matroska: 'MKV',
  mov: 'MOV',
  mpegts: 'MPEG-TS',
};
/** A codec, subtitle format or container by the name people know. */
export const codec = (name: string): string => CODECS[name] ?? name.toUpperCase();
export const resolution = (name: string): string => ({ sd: 'SD', '4k': '4K', '8k': '8K' })[name] ?? name;
