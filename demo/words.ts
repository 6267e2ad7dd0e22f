/** Subtitles of the demo library: invented lines in several languages, formats and encodings, the same every time. */
import { madeLines, srt } from '../test/stand-ins/fixtures.ts';
import type { Sidecar } from './films.ts';

export interface Line {
  start: number;
  end: number;
  text: string;
}

/** Speech of The Lighthouse Keeper, a sentence about every five and a half seconds. */
const SPOKEN = [
  'Station nine to any vessel. Station nine to any vessel.',
  'The light is lit. The glass is clean. Nobody is here.',
  'I write the weather down, as I was told.',
  'Wind from the west, and a sea that does not sleep.',
  'This is the Marigold. We can see your light.',
  'Say again, Marigold. I have nothing on the horizon.',
  'We are close. We have been close for a very long time.',
  'Give me your position, and I will call the harbour.',
  'Please do not call the harbour. They would only worry.',
  'Then tell me what you need.',
  'Tell us what year it is.',
  'I looked at the calendar, and I could not answer.',
  'The Marigold was lost before I was born.',
  'My father painted her name on the wall of this tower.',
  'He used to say that a light is a promise.',
  'You do not have to know who is out there.',
  'You only have to keep it burning.',
  'Station nine, are you still with us?',
  'I am still here.',
  'It is a fine light. We wanted somebody to know.',
  'Stay on the line until the morning.',
  'There is no morning where we are. But thank you.',
  'I wrote it down, with the weather.',
  'Wind from the west. One vessel, in good order.',
  'Then I cleaned the glass, and I lit the lamp again.',
];
const STEP = 5.5;

/** On for as long as the voice needs: the server listens whether they fit. */
export const spokenLines = (): Line[] =>
  SPOKEN.map((text, n) => ({
    start: 4 + n * STEP,
    end: 4 + n * STEP + Math.min(STEP - 0.4, 0.1 + text.length * 0.06),
    text,
  }));

export const linesIn = (language: string, seconds: number, kind?: 'forced' | 'sdh'): Line[] =>
  language === 'ja'
    ? japanese(seconds)
    : madeLines({ language, hearingImpaired: kind === 'sdh', forced: kind === 'forced' }, seconds);

const JAPANESE = [
  '今夜は灯りが見えない。',
  '船の名前を覚えていますか。',
  '海はまだ眠っていない。',
  '父はこの塔に住んでいた。',
  '朝まで待ちましょう。',
];
const japanese = (seconds: number): Line[] =>
  JAPANESE.map((text, n) => ({ start: 1 + n * 3.5, end: 3.5 + n * 3.5, text })).filter(({ end }) => end < seconds);

const clock = (seconds: number, mark: string, hours = 2): string => {
  const ms = Math.round(seconds * 1000);
  const two = (n: number) => String(n).padStart(2, '0');
  return (
    `${String(Math.floor(ms / 3_600_000)).padStart(hours, '0')}:${two(Math.floor(ms / 60_000) % 60)}:` +
    `${two(Math.floor(ms / 1000) % 60)}${mark}${String(ms % 1000).padStart(3, '0')}`
  );
};

export function written(lines: readonly Line[], format: 'srt' | 'ass' | 'vtt'): string {
  if (format === 'srt') return srt(lines);
  if (format === 'vtt')
    return (
      'WEBVTT\n\n' +
      `${lines.map(({ start, end, text }) => `${clock(start, '.')} --> ${clock(end, '.')}\n${text}\n`).join('\n')}`
    );
  const rows = lines.map(
    ({ start, end, text }, n) =>
      'Dialogue: ' +
      `0,${clock(start, '.', 1).slice(0, -1)},${clock(end, '.', 1).slice(0, -1)},${n % 4 === 3 ? 'Sign' : 'Default'}` +
      `,,0,0,0,,${n % 4 === 3 ? '{\\an8}' : ''}${text.replaceAll('\n', '\\N')}`,
  );
  return `[Script Info]
ScriptType: v4.00+
PlayResX: 640
PlayResY: 360

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,DejaVu Sans,22,&H00FFFFFF,&H000000FF,&H00000000,&H64000000,0,0,0,0,100,100,0,0,1,2,0,2,20,20,20,1
Style: Sign,DejaVu Serif,20,&H0060C8F4,&H000000FF,&H00202020,&H64000000,0,1,0,0,100,100,0,0,1,1,0,8,20,20,20,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
${rows.join('\n')}
`;
}

/** Bytes of a text in an encoding that Node only reads: by asking of every byte or pair what it would be. */
export function encoded(text: string, encoding: NonNullable<Sidecar['encoding']>): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-16le') return Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  const table = new Map<string, readonly number[]>();
  const decoder = new TextDecoder(encoding);
  const learn = (bytes: readonly number[]) => {
    const letter = decoder.decode(Uint8Array.from(bytes));
    if (!letter.includes('\ufffd') && [...letter].length === 1 && !table.has(letter)) table.set(letter, bytes);
  };
  for (let one = 0; one < 256; one++) learn([one]);
  if (encoding === 'shift_jis')
    for (let one = 0x81; one < 0xf0; one++) for (let two = 0x40; two < 0xfd; two++) learn([one, two]);
  return Buffer.from(
    [...text].flatMap((letter) => {
      const bytes = table.get(letter);
      if (!bytes) throw new Error(`${encoding} has no ${letter}`);
      return [...bytes];
    }),
  );
}
