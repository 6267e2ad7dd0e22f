/**
 * Videos of the demo library, made with ffmpeg: a slow gradient in the film's colours with its title and a
 * running clock, quiet chords, and where the film is spoken a voice. The same input gives the same file.
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
  /** What this ffmpeg can do: encoders and filters by name. */
  can(name: string): boolean;
  /** A font for the title; undefined where there is none. */
  font: string | undefined;
}

const FONTS = [
  '/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf',
  '/usr/share/fonts/dejavu/DejaVuSans-Bold.ttf',
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

/** The encoder and its options: the first of those that this ffmpeg has, fast before small. */
const ENCODERS: Record<Video['codec'], readonly (readonly [encoder: string, options: readonly string[]])[]> = {
  h264: [['libx264', ['-preset', 'superfast', '-crf', '27', '-pix_fmt', 'yuv420p', '-g', '48']]],
  hevc: [
    [
      'libx265',
      ['-preset', 'ultrafast', '-crf', '30', '-pix_fmt', 'yuv420p', '-tag:v', 'hvc1', '-x265-params', 'log-level=none'],
    ],
  ],
  vp9: [['libvpx-vp9', ['-deadline', 'realtime', '-cpu-used', '8', '-b:v', '500k', '-pix_fmt', 'yuv420p']]],
  mpeg4: [['mpeg4', ['-vtag', 'XVID', '-q:v', '6', '-bf', '1', '-g', '96', '-pix_fmt', 'yuv420p']]],
  av1: [
    ['libsvtav1', ['-preset', '12', '-crf', '45', '-pix_fmt', 'yuv420p']],
    ['libaom-av1', ['-cpu-used', '8', '-usage', 'realtime', '-crf', '45', '-b:v', '0']],
  ],
};

/** Options of each sound's encoder, and how many samples it takes at once. */
const SOUND: Record<NonNullable<Video['sound']> | 'aac' | 'opus', { samples: number; options: readonly string[] }> = {
  aac: { samples: 1024, options: ['-c:a', 'aac', '-b:a', '96k', '-ac', '2'] },
  opus: { samples: 960, options: ['-c:a', 'libopus', '-b:a', '64k', '-ac', '2'] },
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
    ? `gradients=s=${w / 4}x${h / 4}:r=24:d=${video.seconds}:n=3:c0=${colors[0]}:c1=${colors[1]}:c2=${colors[2]}:speed=0.006:seed=${seed},scale=${w}:${h}:flags=bilinear`
    : `testsrc2=s=${w}x${h}:r=24:d=${video.seconds}`;
  if (!tools.font || !tools.can('drawtext')) return source;
  const write = (text: string, size: number, y: string) =>
    `drawtext=fontfile=${tools.font}:text='${text}':fontsize=${Math.round(size)}:fontcolor=white:borderw=2:bordercolor=black@0.4:x=(w-tw)/2:y=${y}`;
  const shown = quoted(look.lettering ?? title);
  const room = Math.min(h / 9, (w * 1.5) / Math.max(8, shown.length));
  return `${source},${write(shown, room, '(h-th)/2-h/16')},${write('%{pts\\:hms}', h / 16, '(h/2)+h/9')}`;
}

/** Chords that swell and fade, low and soft; another key for every track. */
const chords = (key: number, seconds: number) => {
  const tone = (ratio: number, slow: number) => `0.03*(1+sin(2*PI*t*${slow}))*sin(2*PI*${(key * ratio).toFixed(2)}*t)`;
  return `aevalsrc='${[tone(1, 0.05), tone(1.25, 0.07), tone(1.5, 0.03)].join('+')}':s=48000:d=${seconds}`;
};

/** Length of a show's melody. */
const INTRO_S = 25;

/** Plucked notes, two a second, chosen by `seed`; from `intro.at` on those of the show for the length of its melody. */
function melody({
  seed,
  seconds,
  intro,
}: {
  seed: number;
  seconds: number;
  intro: { at: number; seed: number };
}): string {
  const { at, seed: theme } = intro;
  const steps = [
    `st(0,between(t,${at},${at + INTRO_S}))`,
    `st(1,if(ld(0),t-${at},t))`,
    `st(2,floor(2*ld(1)))`,
    'st(3,mod(ld(1),0.5))',
    `st(4,sin(ld(2)*12.9898+if(ld(0),${theme},${seed}))*43758.5453)`,
    'st(5,165*pow(2,floor(20*(ld(4)-floor(ld(4))))/12))',
    '0.25*min(1,40*ld(3))*exp(-4*ld(3))*(sin(2*PI*ld(5)*ld(3))+0.4*sin(4*PI*ld(5)*ld(3))+0.2*sin(6*PI*ld(5)*ld(3)))',
  ];
  return `aevalsrc='${steps.join(';')}':s=48000:d=${seconds}`;
}

/** The voice is silent for so long before each sentence, in seconds. */
const BREATH = 0.15;

/** One voice track: each sentence at its time, over the chords. */
function voice(video: Video): string {
  const lines = spokenLines().filter(({ end }) => end < video.seconds);
  const said = lines.map(
    ({ start, text }, n) =>
      `flite=text='${quoted(text)}':voice=slt,aresample=48000,adelay=${Math.round((start - BREATH) * 1000)}[s${n}]`,
  );
  return `${said.join(';')};${chords(98, video.seconds)}[bed];[bed]${lines.map((_, n) => `[s${n}]`).join('')}amix=inputs=${lines.length + 1}:duration=first:normalize=0[a0]`;
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
  const sound = SOUND[video.sound ?? (video.codec === 'vp9' ? 'opus' : 'aac')];
  const music = () =>
    intro === undefined
      ? chords(82 + Math.floor(next() * 60), seconds)
      : melody({ seed: Math.floor(next() * 1000), seconds, intro: { at: intro, seed: 4 } });
  const graph = [
    `${picture({ video, title, look, tools })}[v]`,
    ...(isVoiced ? [voice(video)] : audio.map((_, n) => `${music()},asetnsamples=n=${sound.samples}:p=0[a${n}]`)),
  ].join(';');
  const inputs = await extras({ video, scratch, title });
  const subtitles = video.subtitles ?? [];
  const args = [
    '-hide_banner',
    '-loglevel',
    'error',
    '-nostdin',
    '-y',
    ...inputs.flatMap((path) => ['-i', path]),
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
  await execute(tools.ffmpeg, args, { timeout: 180_000, maxBuffer: 8 << 20 });
}

/** Subtitle files and the list of chapters, as inputs of ffmpeg. */
async function extras({ video, scratch, title }: { video: Video; scratch: string; title: string }): Promise<string[]> {
  const paths: string[] = [];
  const put = async (name: string, text: string) => {
    const path = join(scratch, `${video.file.replaceAll(/[^A-Za-z0-9]+/g, '-')}-${name}`);
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
