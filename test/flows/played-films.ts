/**
 * Small films for the player, each with something special, that the browser of the tests plays as they are: WebM with
 * VP9 and Opus.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makeBlockFont } from '../block-font.ts';
import { draw, sup, vobSub } from '../subtitles/picture-writers.ts';

const run = promisify(execFile);

interface PlayedFilm {
  title: string;
  /** Below the library, without its ending. */
  at: string;
}
const film = (title: string): PlayedFilm => ({ title, at: `Films/${title} (2021)/${title} (2021)` });
export const PLAYED = {
  pictures: film('Painted Words'),
  dvd: film('Old Disc'),
  styled: film('Styled Words'),
  lines: film('Two Tongues'),
  /** In Matroska, with a styled subtitle that names a font which is attached to the file. */
  fonted: film('Own Letters'),
  /** Two episodes of a show; the first is `firstEpisode`. */
  firstEpisode: { title: 'The First Lamp', at: 'Shows/Two Lamps/Season 01/Two Lamps - S01E01 - The First Lamp' },
  secondEpisode: { title: 'The Second Lamp', at: 'Shows/Two Lamps/Season 01/Two Lamps - S01E02 - The Second Lamp' },
} as const satisfies Record<string, PlayedFilm>;

/** Seconds that each film lasts. */
const LENGTH_S = 24;
/** Their sound: a low tone, and from the middle on a high one. */
export const HIGH_FROM_S = 12;
export const LOW_HZ = 300;
export const HIGH_HZ = 1200;
const SIZE = { width: 640, height: 360 };

const stamp = (seconds: number): string =>
  `00:00:${String(Math.floor(seconds)).padStart(2, '0')},${String(Math.round((seconds % 1) * 1000)).padStart(3, '0')}`;
const srt = (word: string): string =>
  Array.from(
    { length: 10 },
    (_, n) => `${n + 1}\n${stamp(1 + n * 2)} --> ${stamp(2.5 + n * 2)}\n${word} ${n + 1}\n`,
  ).join('\n');
/** A box of pure red in the upper left quarter from 1 s to 20 s, in the default face. */
const ASS = `[Script Info]
ScriptType: v4.00+
PlayResX: 640
PlayResY: 360

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,A Font Nobody Has,60,&H000000FF,&H000000FF,&H000000FF,&H000000FF,0,0,0,0,100,100,0,0,1,0,0,7,20,20,20,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:01.00,0:00:20.00,Default,,0,0,0,,{\\pos(0,0)\\p1}m 0 0 l 160 0 160 90 0 90{\\p0}
Dialogue: 0,0:00:01.00,0:00:20.00,Default,,0,0,0,,{\\pos(200,200)}Written in no such font
`;

/** Six letters B in red, in a face in which each is a full square, from 1 s to 20 s. */
const LETTERS = `[Script Info]
ScriptType: v4.00+
PlayResX: 640
PlayResY: 360

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,Matinee Blocks,40,&H000000FF,&H000000FF,&H000000FF,&H000000FF,0,0,0,0,100,100,0,0,1,0,0,7,20,20,20,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:01.00,0:00:20.00,Default,,0,0,0,,{\\pos(100,100)}BBBBBB
`;

async function pictures(): Promise<Parameters<typeof sup>[0]> {
  const drawing = await draw('Painted line', { size: 40 });
  return [{ start: 1_000, end: 20_000, drawing, x: 100, y: 280 }];
}

export async function makePlayed(media: string): Promise<void> {
  const webm = async (path: string) => {
    await mkdir(dirname(path), { recursive: true });
    await run('ffmpeg', [
      '-nostdin',
      '-v',
      'error',
      '-y',
      '-f',
      'lavfi',
      '-i',
      `color=c=0x203040:s=${SIZE.width}x${SIZE.height}:r=10:d=${LENGTH_S}`,
      '-f',
      'lavfi',
      '-i',
      `aevalsrc='0.2*sin(2*PI*t*if(lt(t,${HIGH_FROM_S}),${LOW_HZ},${HIGH_HZ}))':s=48000:d=${LENGTH_S}`,
      '-c:v',
      'libvpx-vp9',
      '-deadline',
      'realtime',
      '-cpu-used',
      '8',
      '-b:v',
      '100k',
      '-g',
      '10',
      '-c:a',
      'libopus',
      '-b:a',
      '32k',
      '-f',
      'webm',
      path,
    ]);
  };
  const at = (one: PlayedFilm, ending: string) => join(media, `${one.at}${ending}`);
  const { fonted, ...plain } = PLAYED;
  // All are the same film; encoding it is most of the work.
  const [first, ...others] = Object.values(plain).map((one) => at(one, '.webm'));
  if (first === undefined) return;
  await webm(first);
  for (const path of others) {
    await mkdir(dirname(path), { recursive: true });
    await copyFile(first, path);
  }
  const parts = { font: `${first}.ttf.part`, lines: `${first}.ass.part` };
  await Promise.all([
    writeFile(parts.font, makeBlockFont('Matinee Blocks')),
    writeFile(parts.lines, LETTERS),
    mkdir(dirname(at(fonted, '')), { recursive: true }),
  ]);
  await run('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-y',
    '-i',
    first,
    '-f',
    'ass',
    '-i',
    parts.lines,
    '-map',
    '0',
    '-map',
    '1',
    '-c',
    'copy',
    '-metadata:s:s:0',
    'language=eng',
    '-attach',
    parts.font,
    '-metadata:s:t:0',
    'mimetype=application/x-truetype-font',
    '-metadata:s:t:0',
    'filename=blocks.ttf',
    '-f',
    'matroska',
    at(fonted, '.mkv'),
  ]);
  await Promise.all(Object.values(parts).map((path) => rm(path)));
  const shown = await pictures();
  await writeFile(at(PLAYED.pictures, '.en.sup'), sup(shown, SIZE));
  const { idx, sub } = vobSub([{ language: 'en', shown }], SIZE);
  await writeFile(at(PLAYED.dvd, '.en.idx'), idx);
  await writeFile(at(PLAYED.dvd, '.en.sub'), sub);
  await writeFile(at(PLAYED.styled, '.en.ass'), ASS);
  await writeFile(at(PLAYED.lines, '.en.srt'), srt('English line'));
  await writeFile(at(PLAYED.lines, '.de.srt'), srt('Deutsche Zeile'));
}
