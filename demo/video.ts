/**
 * Videos of the demo library, made with ffmpeg: a slow gradient in the film's colours with its title and a
 * running clock, quiet chords, and where the film is spoken a voice. The same input produces the same file.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Look, Track, Video } from './films.ts';
import { numbersOf } from './motifs.ts';
import { linesIn, spokenLines, written } from './words.ts';

const execute = promisify(execFile);

export interface Tools {
  ffmpeg: string;
  /** Encoders and filters of the installed ffmpeg by name. */
  can(name: string): boolean;
  /** A font for the title; undefined where there is none. */
  font: string | undefined;
}

const FONTS = [
  '/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf',
  '/usr/share/fonts/dejavu/DejaVuSans-Bold.ttf',
  '/usr/share/fonts/dejavu-sans-fonts/DejaVuSans-Bold.ttf',
  '/System/Library/Fonts/Supplemental/Arial.ttf',
];

export async function findTools(ffmpeg = 'ffmpeg'): Promise<Tools> {
  const list = async (what: string) => (await execute(ffmpeg, ['-hide_banner', what], { maxBuffer: 8 << 20 })).stdout;
  const names = new Set(
    `${await list('-encoders')}\n${await list('-filters')}`
      .split('\n')
      .map((line) => line.trim().split(/\s+/)[1] ?? ''),
  );
  return { ffmpeg, can: (name) => names.has(name), font: FONTS.find((path) => existsSync(path)) };
}

/** Pictures a second. Nothing in them moves fast, and encoding them is nearly all the work of making the library. */
const RATE = 8;
/** Distance of key frames in pictures, given the seconds between them. */
const keyframes = (seconds: number): readonly string[] => ['-g', String(seconds * RATE)];

/** The encoder and its options: the first of those that this ffmpeg has, fast before small. */
const ENCODERS: Record<Video['codec'], readonly (readonly [encoder: string, options: readonly string[]])[]> = {
  h264: [
    [
      'libx264',
      [
        // High profile, as films have it, at nearly the speed of that preset.
        ...['-preset', 'ultrafast', '-x264-params', '8x8dct=1:cabac=1:bframes=2', '-crf', '27', '-pix_fmt', 'yuv420p'],
        ...keyframes(2),
      ],
    ],
  ],
  hevc: [
    [
      'libx265',
      [
        ...['-preset', 'ultrafast', '-crf', '30', '-pix_fmt', 'yuv420p', '-tag:v', 'hvc1'],
        ...['-x265-params', 'log-level=none', ...keyframes(10)],
      ],
    ],
  ],
  vp9: [
    ['libvpx-vp9', ['-deadline', 'realtime', '-cpu-used', '8', '-b:v', '500k', '-pix_fmt', 'yuv420p', ...keyframes(5)]],
  ],
  mpeg4: [['mpeg4', ['-vtag', 'XVID', '-q:v', '6', '-bf', '1', '-pix_fmt', 'yuv420p', ...keyframes(4)]]],
  av1: [
    ['libsvtav1', ['-preset', '12', '-crf', '45', '-pix_fmt', 'yuv420p']],
    ['libaom-av1', ['-cpu-used', '8', '-usage', 'realtime', '-crf', '45', '-b:v', '0']],
  ],
};

/**
 * Options that switch off the tools that search for savings, and cut the frequencies that no chord or voice here has:
 * a fifth of the time, which was most of the time of making the library.
 */
const QUICK_AAC = ['-aac_tns', '0', '-aac_pns', '0', '-aac_is', '0', '-aac_ms', '0', '-cutoff', '6000'];

/** Options of each sound's encoder, and how many samples it takes at once. */
const SOUND: Record<NonNullable<Video['sound']> | 'aac' | 'opus', { samples: number; options: readonly string[] }> = {
  aac: { samples: 1024, options: ['-c:a', 'aac', '-aac_coder', 'fast', ...QUICK_AAC, '-b:a', '48k', '-ac', '2'] },
  opus: { samples: 960, options: ['-c:a', 'libopus', '-compression_level', '0', '-b:a', '64k', '-ac', '2'] },
  ac3: { samples: 1536, options: ['-c:a', 'ac3', '-b:a', '384k', '-ac', '6'] },
  mp3: { samples: 1152, options: ['-c:a', 'libmp3lame', '-b:a', '128k', '-ac', '2'] },
};

const encoderOf = (codec: Video['codec'], tools: Tools) => ENCODERS[codec].find(([name]) => tools.can(name));
/** Whether this ffmpeg can make it at all: an encoder may be missing. */
export const canMake = (video: Video, tools: Tools): boolean => encoderOf(video.codec, tools) !== undefined;

/** Text inside a filter, where colons, quotes, commas and backslashes mean something. */
const quoted = (text: string) =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", '\u2019')
    .replaceAll(':', '\\:')
    .replaceAll('%', '\\%')
    .replaceAll(',', '\\,');

function picture({ video, title, look, tools }: { video: Video; title: string; look: Look; tools: Tools }): string {
  const [w, h] = video.size;
  const { colors } = look;
  const seed = Math.floor(numbersOf(title)() * 1000);
  const source = tools.can('gradients')
    ? `gradients=s=${w / 4}x${h / 4}:r=${RATE}:d=${video.seconds}:n=3:c0=${colors[0]}:c1=${colors[1]}:` +
      `c2=${colors[2]}:speed=0.006:seed=${seed},scale=${w}:${h}:flags=bilinear`
    : `testsrc2=s=${w}x${h}:r=${RATE}:d=${video.seconds}`;
  if (!tools.font || !tools.can('drawtext')) return source;
  const write = (text: string, size: number, y: string) =>
    `drawtext=fontfile=${tools.font}:text='${text}':fontsize=${Math.round(size)}:fontcolor=white:borderw=2:` +
    `bordercolor=black@0.4:x=(w-tw)/2:y=${y}`;
  const shown = quoted(look.lettering ?? title);
  const room = Math.min(h / 9, (w * 1.5) / Math.max(8, shown.length));
  return `${source},${write(shown, room, '(h-th)/2-h/16')},${write('%{pts\\:hms}', h / 16, '(h/2)+h/9')}`;
}

/** Samples a second of everything that is heard. */
const SAMPLE_RATE = 48_000;

/**
 * Returns chords that swell and fade, low and soft, as 32-bit floats; another key for every track. Written here because
 * ffmpeg needs ten times as long for the expression. Each tone turns by one step a sample, which is exact enough for
 * the length of a film and needs no sine.
 */
function chords(key: number, seconds: number): Float32Array {
  const samples = new Float32Array(seconds * SAMPLE_RATE);
  for (const [ratio, swell] of [
    [1, 0.05],
    [1.25, 0.07],
    [1.5, 0.03],
  ] as const) {
    const turn = (2 * Math.PI * key * ratio) / SAMPLE_RATE;
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    let [x, y] = [1, 0];
    let loudness = 0;
    for (let at = 0; at < samples.length; at++) {
      // The swell takes ten seconds and more: it is the same for a few samples.
      if (at % 64 === 0) loudness = 0.03 * (1 + Math.sin((2 * Math.PI * swell * at) / SAMPLE_RATE));
      samples[at] = (samples[at] ?? 0) + loudness * y;
      [x, y] = [x * cos - y * sin, x * sin + y * cos];
    }
  }
  return samples;
}

/** Length of a show's melody. */
const INTRO_S = 25;

const NOTE_S = 0.5;

/** Number of pitches a melody is made of. */
const PITCHES = 20;

/** Returns a plucked note of a pitch. */
function plucked(pitch: number): Float32Array {
  const note = new Float32Array(NOTE_S * SAMPLE_RATE);
  for (let at = 0; at < note.length; at++) {
    const age = at / SAMPLE_RATE;
    const phase = 2 * Math.PI * 165 * 2 ** (pitch / 12) * age;
    const pluck = 0.25 * Math.min(1, 40 * age) * Math.exp(-4 * age);
    note[at] = pluck * (Math.sin(phase) + 0.4 * Math.sin(2 * phase) + 0.2 * Math.sin(3 * phase));
  }
  return note;
}

/**
 * Returns plucked notes, two a second, as 32-bit floats. `seed` chooses them, and from `intro.at` on the seed of the
 * show does for the length of its melody. Written here because ffmpeg needs eight times as long for the expression.
 */
function melody({
  seed,
  seconds,
  intro,
}: {
  seed: number;
  seconds: number;
  intro: { at: number; seed: number };
}): Float32Array {
  const notes = Array.from({ length: PITCHES }, (_, pitch) => plucked(pitch));
  const samples = new Float32Array(seconds * SAMPLE_RATE);
  // The melody begins at a whole second, with a note.
  for (let n = 0; n < seconds / NOTE_S; n++) {
    const now = n * NOTE_S;
    const isTheme = now >= intro.at && now < intro.at + INTRO_S;
    const drawn =
      Math.sin((isTheme ? n - intro.at / NOTE_S : n) * 12.9898 + (isTheme ? intro.seed : seed)) * 43_758.5453;
    const note = notes[Math.floor(PITCHES * (drawn - Math.floor(drawn)))];
    if (note) samples.set(note, now * SAMPLE_RATE);
  }
  return samples;
}

/** The voice is silent for so long before each sentence, in seconds. */
const BREATH = 0.15;

/** One voice track: each sentence at its time, over the chords of an input. */
function voice(video: Video, bed: number): string {
  const lines = spokenLines().filter(({ end }) => end < video.seconds);
  const said = lines.map(
    ({ start, text }, n) =>
      `flite=text='${quoted(text)}':voice=slt,aresample=${SAMPLE_RATE},` +
      `adelay=${Math.round((start - BREATH) * 1000)}[s${n}]`,
  );
  return (
    `${said.join(';')};[${bed}:a]${lines.map((_, n) => `[s${n}]`).join('')}` +
    `amix=inputs=${lines.length + 1}:duration=first:normalize=0`
  );
}

export interface Making {
  video: Video;
  title: string;
  look: Look;
  root: string;
  scratch: string;
  tools: Tools;
}

export async function makeVideo({ video, title, look, root, scratch, tools }: Making): Promise<void> {
  const encoder = encoderOf(video.codec, tools);
  if (!encoder) return;
  const out = join(root, video.file);
  await mkdir(dirname(out), { recursive: true });
  const audio: readonly Track[] = video.audio ?? [{ language: 'und' }];
  const isVoiced = video.isSpoken === true && tools.can('flite');
  const next = numbersOf(title);
  const { intro, seconds } = video;
  const inputs: (readonly string[])[] = (await extras({ video, scratch, title })).map((path) => ['-i', path]);
  const sound = SOUND[video.sound ?? (video.codec === 'vp9' ? 'opus' : 'aac')];
  const sounds: string[] = [];
  for (const [n] of audio.entries()) {
    const samples = isVoiced
      ? chords(98, seconds)
      : intro === undefined
        ? chords(82 + Math.floor(next() * 60), seconds)
        : melody({ seed: Math.floor(next() * 1000), seconds, intro: { at: intro, seed: 4 } });
    const path = join(scratch, `${scratchName(video)}-${n}.f32`);
    await writeFile(path, samples);
    sounds.push(isVoiced ? voice(video, inputs.length) : `[${inputs.length}:a]anull`);
    inputs.push(['-f', 'f32le', '-ar', String(SAMPLE_RATE), '-ac', '1', '-i', path]);
  }
  const graph = [
    `${picture({ video, title, look, tools })}[v]`,
    ...sounds.map((source, n) => `${source},asetnsamples=n=${sound.samples}:p=0[a${n}]`),
  ].join(';');
  const subtitles = video.subtitles ?? [];
  const args = [
    '-hide_banner',
    '-loglevel',
    'error',
    '-nostdin',
    '-y',
    ...inputs.flat(),
    '-filter_complex',
    graph,
    '-map',
    '[v]',
    ...audio.flatMap((_, n) => ['-map', `[a${n}]`]),
    ...subtitles.flatMap((_, n) => ['-map', `${n}:s`]),
    ...(video.chapters ? ['-map_chapters', String(subtitles.length)] : []),
    '-map_metadata',
    '-1',
    '-c:v',
    encoder[0],
    ...encoder[1],
    ...sound.options,
    ...subtitles.flatMap(({ format = 'srt' }, n) => [`-c:s:${n}`, format]),
    ...audio.flatMap(({ language, title: name, commentary }, n) => [
      `-metadata:s:a:${n}`,
      `language=${language}`,
      ...(name === undefined ? [] : [`-metadata:s:a:${n}`, `title=${name}`]),
      `-disposition:a:${n}`,
      n === 0 ? 'default' : commentary ? 'comment' : '0',
    ]),
    ...subtitles.flatMap(({ language, title: name }, n) => [
      `-metadata:s:s:${n}`,
      `language=${language}`,
      ...(name === undefined ? [] : [`-metadata:s:s:${n}`, `title=${name}`]),
    ]),
    '-t',
    String(video.seconds),
    '-fflags',
    '+bitexact',
    '-flags:v',
    '+bitexact',
    '-flags:a',
    '+bitexact',
    ...(out.endsWith('.mp4') ? ['-movflags', '+faststart'] : []),
    out,
  ];
  await execute(tools.ffmpeg, args, { timeout: CLIP_LIMIT_MS, maxBuffer: 8 << 20 });
}

/** Bounds what hangs: a clip takes some seconds, and minutes on a machine that does much else. */
const CLIP_LIMIT_MS = 900_000;
const scratchName = ({ file }: Video): string => file.replaceAll(/[^A-Za-z0-9]+/g, '-');

/** Subtitle files and the list of chapters, as inputs of ffmpeg. */
async function extras({ video, scratch, title }: { video: Video; scratch: string; title: string }): Promise<string[]> {
  const paths: string[] = [];
  const put = async (name: string, text: string) => {
    const path = join(scratch, `${scratchName(video)}-${name}`);
    await writeFile(path, text);
    paths.push(path);
  };
  for (const [n, { language, format = 'srt' }] of (video.subtitles ?? []).entries())
    await put(`${n}.${format}`, written(linesIn(language.slice(0, 2), video.seconds), format));
  if (video.chapters) {
    const each = (video.seconds * 1000) / video.chapters.length;
    const list = video.chapters.map(
      (name, n) =>
        `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${Math.round(n * each)}\nEND=${Math.round((n + 1) * each)}\ntitle=${name}\n`,
    );
    await put('chapters.txt', `;FFMETADATA1\ntitle=${title}\n${list.join('')}`);
  }
  return paths;
}
