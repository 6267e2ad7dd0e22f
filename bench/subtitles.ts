/**
 * `npm run bench:subtitles`: bringing cues to speech, reading a hundred thousand cues, and the inventory.
 *
 * The films are made up (`speech.ts`): eight synthetic voices at known times with pauses, music and noise. Each is
 * heard the way the server does it, from a film with AC-3 sound through ffmpeg and the helper processes, and compared
 * with subtitles that are out of step in known ways (`alignment.ts`). By hand:
 * `node bench/subtitles.ts [--only=alignment,hard,parsing,inventory] [--films=2] [--minutes=45]
 * [--episodes=6]`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFfmpeg } from '../src/lib/ffmpeg/index.ts';
import { openRoot, type Root } from '../src/lib/files.ts';
import { createLog } from '../src/lib/log.ts';
import { createProcesses, type Processes } from '../src/lib/process.ts';
import type { Alignment } from '../src/cues/align/types.ts';
import { createSpeech, type Speech, type SpeechSource } from '../src/speech/index.ts';
import { cueOf, episodes, type Scenario, scenarios } from './alignment.ts';
import { report } from './report.ts';
import { bed, chance, type Film, makeFilm, makeVoices, wavOf } from './speech.ts';
import { benchInventory } from './subtitles-inventory.ts';
import { benchParsing } from './subtitles-parsing.ts';

const option = (name: string): string | undefined =>
  process.argv.find((one) => one.startsWith(`--${name}=`))?.split('=')[1];
const ONLY = option('only')?.split(',') ?? ['alignment', 'parsing', 'inventory'];
const FILMS = Number(option('films') ?? 2);
const MINUTES = Number(option('minutes') ?? 45);
/** Number of clips of three and of six minutes. */
const EPISODES = Number(option('episodes') ?? 6);
const NEAR = 100;

interface World {
  home: string;
  root: Root;
  processes: Processes;
  speech: Speech;
  decode(name: string): Promise<number>;
}

async function withWorld(work: (world: World) => Promise<void>): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'matinee-bench-'));
  mkdirSync(join(home, 'media'));
  const log = createLog({ level: 'error', write: () => {} });
  const processes = await createProcesses({ log, temporary: join(home, 'work') });
  const ffmpeg = createFfmpeg({ processes });
  const root = await openRoot(join(home, 'media'));
  const speech = createSpeech({
    processes,
    ffmpeg,
    cache: join(home, 'cache'),
    clock: { now: Date.now, monotonic: () => performance.now() },
    log,
  });
  const decode = async (name: string): Promise<number> => {
    const since = performance.now();
    const { samples, done } = await ffmpeg.extractAudio({ media: join(root.path, name), stream: 1 });
    samples.resume();
    await done;
    return (performance.now() - since) / 1000;
  };
  try {
    await work({ home, root, processes, speech, decode });
  } finally {
    await speech.close();
    await processes.close();
    await root.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** A film with a small picture and AC-3 sound of six channels. */
function write({ root }: World, name: string, samples: Int16Array): SpeechSource {
  const wav = join(root.path, 'sound.wav');
  writeFileSync(wav, wavOf(samples));
  const seconds = samples.length / 16_000;
  execFileSync('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    `color=c=black:s=64x36:r=1:d=${seconds}`,
    '-i',
    wav,
    '-map',
    '0',
    '-map',
    '1',
    '-c:v',
    'mpeg4',
    '-c:a',
    'ac3',
    '-b:a',
    '256k',
    '-ar',
    '48000',
    '-ac',
    '6',
    join(root.path, name),
  ]);
  rmSync(wav);
  const audio = {
    index: 1,
    type: 'audio',
    codec: 'ac3',
    default: true,
    forced: false,
    hearingImpaired: false,
    commentary: false,
    original: false,
    cover: false,
  } as const;
  return {
    root,
    file: {
      id: name,
      item: name,
      library: 'l',
      root: root.path,
      relative: name,
      size: 1,
      modifiedMs: 1,
      part: 1,
      available: true,
      info: { container: 'matroska', duration: seconds, size: 1, streams: [audio], chapters: [], tags: {} },
    },
  };
}

interface Measured {
  scenario: Scenario;
  alignment: Alignment;
  /** Cues within 100 ms, and the largest error in ms. */
  near: number;
  worst: number;
}

function measured(scenario: Scenario, alignment: Alignment): Measured {
  const cues = alignment.outcome === 'moved' ? alignment.cues : scenario.placed.map(({ cue }) => cue);
  const errors = scenario.placed.flatMap(({ truth }, n) =>
    truth === undefined ? [] : [Math.abs((cues[n]?.start ?? Infinity) - truth)],
  );
  return {
    scenario,
    alignment,
    near: errors.filter((error) => error <= NEAR).length / errors.length,
    worst: Math.max(...errors),
  };
}

/** One row for each scenario over all films: the worst of each figure. */
function tell(name: string, all: readonly Measured[]): void {
  const worst = <T>(of: (one: Measured) => T, pick: (values: T[]) => T): T => pick(all.map(of));
  const [z, hit] = [
    worst(
      ({ alignment }) => alignment.measures?.z ?? 0,
      (v) => Math.min(...v),
    ),
    worst(
      ({ alignment }) => alignment.measures?.hit ?? 0,
      (v) => Math.min(...v),
    ),
  ];
  const [mostZ, mostHit] = [
    worst(
      ({ alignment }) => alignment.measures?.z ?? 0,
      (v) => Math.max(...v),
    ),
    worst(
      ({ alignment }) => alignment.measures?.hit ?? 0,
      (v) => Math.max(...v),
    ),
  ];
  const outcomes = [
    ...new Set(
      all.map(({ alignment }) =>
        alignment.outcome === 'refused' ? `refused (${alignment.reason})` : alignment.outcome,
      ),
    ),
  ].join(', ');
  const isRefusal = all.every(({ scenario }) => scenario.expected === 'refused');
  const near = worst(
    (one) => one.near,
    (v) => Math.min(...v),
  );
  // Leaving a file alone is never wrong.
  const isMet = ({ scenario, alignment, near: own }: Measured): boolean =>
    scenario.expected === 'right'
      ? alignment.outcome === 'refused' || own >= 0.95
      : alignment.outcome === scenario.expected && (isRefusal || own === 1);
  const met = all.every(isMet);
  const count = all.length > 2 ? `${all.filter(isMet).length} of ${all.length}; ` : '';
  const figure = isRefusal
    ? `${count}${outcomes}, z at most ${mostZ.toFixed(1)}, hit at most ${mostHit.toFixed(2)}`
    : `${count}${(near * 100).toFixed(1)} % within ${NEAR} ms, largest error ${worst(
        (one) => one.worst,
        (v) => Math.max(...v),
      )} ms, ${outcomes}, z ${z.toFixed(1)}, hit ${hit.toFixed(2)}`;
  report({
    what: `aligned: ${name}`,
    figure,
    aim: isRefusal
      ? 'refused'
      : all[0]?.scenario.expected === 'fits'
        ? 'left as it is'
        : all[0]?.scenario.expected === 'right'
          ? 'moved rightly or not at all'
          : '100 %',
    met,
  });
}

/** Processor seconds of a helper of ours, as the kernel counts them. */
function processorSeconds(module: string): number {
  const ticks = Number(execFileSync('getconf', ['CLK_TCK']).toString());
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
      if (Number(stat[1]) === process.pid && command.some((part) => part.endsWith(module)))
        return (Number(stat[11]) + Number(stat[12])) / ticks;
    } catch {
      // It ended in the meantime.
    }
  }
  return Number.NaN;
}

async function benchAlignment(world: World): Promise<void> {
  const voices = makeVoices();
  const all = new Map<string, Measured[]>();
  const films: Film[] = Array.from({ length: Math.max(2, FILMS) }, (_, n) =>
    makeFilm(voices, { minutes: MINUTES, seed: n + 1 }),
  );
  const noise = write(world, 'noise.mkv', noiseOf(5));
  for (const [n, film] of films.slice(0, FILMS).entries()) {
    const spoken = write(world, `film-${n}.mkv`, film.samples);
    if (n === 0) await time(world, spoken, film);
    const other = films[(n + 1) % films.length] ?? film;
    for (const scenario of scenarios(film.cues, other.cues, n)) {
      const alignment = await world.speech.align(
        scenario.audio === 'noise' ? noise : spoken,
        scenario.placed.map(({ cue }) => cueOf(cue)),
        { signal: new AbortController().signal },
      );
      all.set(scenario.name, [...(all.get(scenario.name) ?? []), measured(scenario, alignment)]);
    }
  }
  for (const [name, measures] of all) tell(name, measures);
}

/** Episodes of three and six minutes, and a film with a crowd or wind beneath every word. */
async function benchHard(world: World): Promise<void> {
  const voices = makeVoices();
  const all = new Map<string, Measured[]>();
  const hear = async (name: string, film: Film, scenariosOf: readonly Scenario[]): Promise<void> => {
    const spoken = write(world, 'hard.mkv', film.samples);
    for (const scenario of scenariosOf) {
      const alignment = await world.speech.align(
        spoken,
        scenario.placed.map(({ cue }) => cueOf(cue)),
        { signal: new AbortController().signal },
      );
      all.set(`${name}: ${scenario.name}`, [
        ...(all.get(`${name}: ${scenario.name}`) ?? []),
        measured(scenario, alignment),
      ]);
    }
  };
  for (const minutes of [3, 6]) {
    for (let seed = 1; seed <= EPISODES; seed++) {
      const film = makeFilm(voices, { minutes, seed: 100 * minutes + seed });
      await hear(
        `${minutes} minutes`,
        film,
        episodes(film.cues, makeFilm(voices, { minutes, seed: 100 * minutes + 50 + seed }).cues),
      );
    }
  }
  for (const under of ['voices', 'wind'] as const) {
    const film = makeFilm(voices, { minutes: 15, seed: 7, under });
    const wanted = ['7.3 s late', 'PAL times for film (25/23.976)', 'one break', 'right as it is', 'another film'];
    const other = makeFilm(voices, { minutes: 15, seed: 8 });
    await hear(
      `${under} beneath`,
      film,
      scenarios(film.cues, other.cues, 1).filter(({ name }) => wanted.includes(name)),
    );
  }
  for (const [name, measures] of all) tell(name, measures);
}

/** Music and noise without a word. */
function noiseOf(minutes: number): Int16Array {
  const next = chance(99);
  const samples = new Int16Array(minutes * 60 * 16_000);
  for (let at = 0; at < samples.length; at += 20 * 16_000)
    bed(samples, { from: at, to: at + 19 * 16_000, loud: 1_000 + next() * 5_000, next });
  return samples;
}

async function time({ decode, speech }: World, spoken: SpeechSource, film: Film): Promise<void> {
  const { signal } = new AbortController();
  const decoding = await decode(spoken.file.relative);
  let longestStall = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    longestStall = Math.max(longestStall, performance.now() - last - 5);
    last = performance.now();
  }, 5);
  const since = performance.now();
  await speech.curve(spoken, { signal });
  const listening = (performance.now() - since) / 1000;
  const processor = processorSeconds('listen-helper.ts');
  const cues = film.cues.map(cueOf);
  const twoBreaks = cues.map((cue, n) => ({
    ...cue,
    start: cue.start + (n < 200 ? 1_000 : n < 450 ? 9_000 : 31_000),
    end: cue.end + (n < 200 ? 1_000 : n < 450 ? 9_000 : 31_000),
  }));
  const aligned = performance.now();
  await speech.align(spoken, twoBreaks, { signal });
  const aligning = (performance.now() - aligned) / 1000;
  clearInterval(watch);
  const total = listening + aligning;
  report({
    what: `listening to ${MINUTES} minutes and aligning`,
    figure:
      `${(total - decoding).toFixed(1)} s after decoding (${total.toFixed(1)} s in all: listening ` +
      `${listening.toFixed(1)} s, of which decoding alone takes ${decoding.toFixed(1)} s, aligning ` +
      `${aligning.toFixed(1)} s)`,
    aim: 'under 10 s after decoding',
    met: total - decoding < 10,
    note: `${processor.toFixed(1)} processor seconds of listening; more where other work shares the cores`,
  });
  report({
    what: 'the main thread meanwhile',
    figure: `held up for ${longestStall.toFixed(0)} ms at most`,
    note: 'by anything on the machine',
  });
}

if (ONLY.includes('alignment')) await withWorld(benchAlignment);
if (ONLY.includes('alignment') || ONLY.includes('hard')) await withWorld(benchHard);
if (ONLY.includes('parsing')) await benchParsing();
if (ONLY.includes('inventory')) await benchInventory();
