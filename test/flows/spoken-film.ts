/**
 * A film in which people speak at known times, for the workbench to align to: a few minutes of made-up speech with
 * music and noise under it, a small picture, and an English subtitle that a provider has for it.
 */
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makeFilm, makeVoices, wavOf } from '../../bench/speech.ts';
import type { Fixtures } from '../stand-ins/index.ts';

const run = promisify(execFile);

export const SPOKEN = {
  title: 'Harbour Voices',
  year: 2020,
  imdb: 'tt9900301',
  folder: 'Films/Harbour Voices (2020)',
  name: 'Harbour Voices (2020)',
} as const;
const MINUTES = 8;
const SAMPLES_A_SECOND = 16_000;

export interface Line {
  /** Seconds. */
  start: number;
  end: number;
  text: string;
}
const WORDS = [
  'We have been waiting here since the morning.',
  'Nobody told me that the ferry was late.',
  'I thought you knew the way to the harbour.',
  'There is a light on at the end of the pier.',
  'My sister wrote to me about this house.',
  'You should have seen the sea last night.',
  'The captain never speaks about his brother.',
  'Come inside before the rain begins again.',
  'I could not find the letter anywhere.',
  'They sold the boat and moved to the city.',
  'It was the coldest winter that I remember.',
  'Would you please close the window for me?',
] as const;

const clock = (seconds: number): string => {
  const ms = Math.max(0, Math.round(seconds * 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  return (
    `${two(Math.floor(ms / 3_600_000))}:${two(Math.floor(ms / 60_000) % 60)}:${two(Math.floor(ms / 1000) % 60)},` +
    `${String(ms % 1000).padStart(3, '0')}`
  );
};
/** As an SRT file, later by so many seconds. */
export const srtOf = (lines: readonly Line[], late = 0): string =>
  lines
    .map(({ start, end, text }, n) => `${n + 1}\n${clock(start + late)} --> ${clock(end + late)}\n${text}\n`)
    .join('\n');

/** Makes speech, and the lines that are spoken with their times. */
export function makeSpeech(minutes = MINUTES): { samples: Int16Array; lines: Line[] } {
  const { samples, cues } = makeFilm(makeVoices(), { minutes, seed: 20_261_121 });
  const lines = cues.map(({ start, end }, n): Line => ({
    start: start / 1000,
    end: end / 1000,
    text: WORDS[n % WORDS.length] ?? '',
  }));
  return { samples, lines };
}

/** Writes a film with a small picture in which that speech is heard. */
export async function encodeSpeech(file: string, samples: Int16Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const wav = `${file}.part.wav`;
  await writeFile(wav, wavOf(samples));
  const picture = ['-f', 'lavfi', '-i', `testsrc2=s=160x90:r=5:d=${Math.ceil(samples.length / SAMPLES_A_SECOND)}`];
  await run('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-y',
    ...picture,
    '-i',
    wav,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-crf',
    '40',
    '-pix_fmt',
    'yuv420p',
    '-g',
    '25',
    '-c:a',
    'aac',
    '-b:a',
    '64k',
    '-metadata:s:a:0',
    'language=eng',
    '-movflags',
    '+faststart',
    file,
  ]);
  await rm(wav);
}

/** Makes the film in a library, and has the providers offer its subtitle. Returns the lines with their times. */
export async function makeSpokenFilm({ media, fixtures }: { media: string; fixtures: Fixtures }): Promise<Line[]> {
  const { samples, lines } = makeSpeech();
  const file = join(media, SPOKEN.folder, `${SPOKEN.name}.mp4`);
  await encodeSpeech(file, samples);
  await writeFile(
    join(dirname(file), 'movie.nfo'),
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      `<movie><title>${SPOKEN.title}</title><year>${SPOKEN.year}</year><uniqueid type="imdb" ` +
      `default="true">${SPOKEN.imdb}</uniqueid></movie>\n`,
  );
  fixtures.items.push({
    kind: 'movie',
    title: SPOKEN.title,
    year: SPOKEN.year,
    imdb: SPOKEN.imdb,
    duration: MINUTES * 60,
    subtitles: [{ language: 'en', releases: [SPOKEN.name], trusted: true, lines }],
  });
  return lines;
}
