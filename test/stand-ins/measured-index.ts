/** A helper process for tests: does everything that can be asked about a media file, and says what that cost. */
import { readFileSync, statSync } from 'node:fs';
import { serveHelper } from '../../src/lib/process/serve.ts';
import { answerQuestion } from '../../src/playback/media-index/answer.ts';
import { createMediaIndex, type MediaIndex } from '../../src/playback/media-index/live.ts';
import type { MediaAnswer, MediaQuestion } from '../../src/playback/media-index/messages.ts';

export interface IndexFigures {
  outcome: 'index' | 'walked' | 'refused';
  why: string;
  segments: number;
  /** Segments and pictures that could be had, and those that were refused. */
  served: number;
  failed: number;
  cpuMs: number;
  /** The most memory that the process ever had, in bytes. */
  peak: number;
}

const STEP = 32 * 1024 ** 2;
const MAX_STEPS = 2000;
let walks = 0;

serveHelper(async (request): Promise<IndexFigures> => {
  const { path } = request as { path: string };
  const { size, mtimeMs, ino } = statSync(path);
  const file = { path, size, mtimeMs, ino };
  const began = process.cpuUsage();
  let found = answerQuestion({ is: 'index', file });
  let outcome: IndexFigures['outcome'] = 'index';
  if (!('index' in found)) {
    outcome = 'walked';
    const walk = (walks += 1);
    for (let step = 0; step < MAX_STEPS; step += 1) {
      found = answerQuestion({ is: 'walk', file, walk, isFirst: step === 0, bytes: STEP });
      if (!('progress' in found)) break;
    }
  }
  const counts = { segments: 0, served: 0, failed: 0 };
  if ('index' in found)
    await useAll(
      createMediaIndex(found.index, {
        segment: samples((question) => ({ is: 'segment', file, question })),
        keyframe: async (question, key) => first(answerQuestion({ is: 'keyframe', file, question, key })),
        packets: async (question) => first(answerQuestion({ is: 'packets', file, question })),
      }),
      counts,
    );
  else outcome = 'refused';
  const { user, system } = process.cpuUsage(began);
  return {
    outcome,
    why: 'refused' in found ? found.refused : '',
    ...counts,
    cpuMs: (user + system) / 1000,
    peak: mostMemory(),
  };
});

/** The system's own figure of the process also counts the memory of the one that started it. */
function mostMemory(): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  if (kibibytes === undefined) throw new Error('the most memory is unknown');
  return Number(kibibytes) * 1024;
}

class Refused extends Error {}

function all(found: MediaAnswer) {
  if (!('segment' in found)) throw new Refused('refused');
  return found.segment;
}
const samples =
  <Q>(question: (asked: Q) => MediaQuestion) =>
  async (asked: Q) =>
    all(answerQuestion(question(asked)));
function first(found: MediaAnswer) {
  const [one] = all(found);
  if (one === undefined) throw new Refused('nothing');
  return one;
}

async function useAll(index: MediaIndex, counts: { segments: number; served: number; failed: number }): Promise<void> {
  for (const isOpen of [false, true]) {
    const plan = index.plan(isOpen);
    counts.segments = Math.max(counts.segments, plan.segments.length);
    for (const n of new Set([0, 1, plan.segments.length - 1])) {
      for (const track of index.tracks.keys()) await count(counts, () => index.samples(track, plan, n));
    }
  }
  for (const n of new Set([0, index.keyframes.times.length - 1])) await count(counts, () => index.keyframe(n));
}

async function count(counts: { served: number; failed: number }, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
    counts.served += 1;
  } catch (error) {
    if (!(error instanceof Refused) && !(error instanceof Error && error.name === 'Failure')) throw error;
    counts.failed += 1;
  }
}
