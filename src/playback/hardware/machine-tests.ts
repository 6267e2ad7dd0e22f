/** Tests of this machine's accelerators and of its software, one at a time, and the facts that they found out. */
import { createLock } from '../../lib/lock.ts';
import type { Clock } from '../../lib/clock.ts';
import { createEncoder } from '../../lib/ffmpeg/encode/index.ts';
import { createTrials } from '../../lib/ffmpeg/encode/trial.ts';
import type { Ffmpeg } from '../../lib/ffmpeg/index.ts';
import { Failure } from '../../lib/failure.ts';
import { ensurePrivateFolder } from '../../lib/files.ts';
import type { Log } from '../../lib/log.ts';
import type { Processes } from '../../lib/process.ts';
import type { AcceleratorName } from '../plan/types.ts';
import { findAccelerators, type CheckedCandidate, type DeviceLocation } from './candidates.ts';
import { createDetection, type Detection } from './detect.ts';
import { createKeptFacts, type MachineKey } from './kept.ts';
import type { AcceleratorStatus, ClipSizes, HardwareFacts, TestProgress } from './types.ts';

export interface MachineTestsNeeds {
  processes: Pick<Processes, 'run' | 'start'>;
  program: string;
  ffmpeg: Pick<Ffmpeg, 'capabilities'>;
  log: Log;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Folder for facts and generated clips. */
  folder: string;
  place: DeviceLocation;
  sizes: ClipSizes;
  /** How long an accelerator may take for a trial. */
  trialMs: number;
  cores: number;
  /** Called when all accelerators, or one, have been tested. */
  onTested(accelerator: AcceleratorName | undefined): void;
}

export interface MachineTests {
  /** Returns what is known; undefined before the first test. */
  facts(): HardwareFacts | undefined;
  readonly isRunning: boolean;
  readonly progress: TestProgress | undefined;
  /**
   * Takes over the facts that were kept, or tests everything. From then on the rates of software are measured too,
   * which takes long. Never fails.
   */
  start(): Promise<void>;
  /** Tests everything, or with a name only that accelerator if the rest is known. */
  run(only: AcceleratorName | undefined): Promise<void>;
  /** Tests an accelerator in the background, if the machine has been tested since `start`. */
  testAgain(accelerator: AcceleratorName): void;
  close(): void;
}

export function createMachineTests(needs: MachineTestsNeeds): MachineTests {
  const { processes, program, ffmpeg, log, clock, folder, place, sizes, trialMs, cores, onTested } = needs;
  const kept = createKeptFacts({ folder, log });
  const trials = createTrials({ processes, program });
  const encoders = createEncoder({ processes, program, priority: 'background', acceleratorQuietMs: trialMs / 2 });
  const stopping = new AbortController();
  const { signal } = stopping;
  const lock = createLock();
  let filters: { of: string; names: string[] } | undefined;
  let progress: TestProgress | undefined;
  let facts: HardwareFacts | undefined;
  let running = 0;
  let isStarted = false;

  const ground = async (): Promise<{ key: MachineKey; encoders: readonly string[] }> => {
    const [candidates, found] = await Promise.all([findAccelerators(place), ffmpeg.capabilities(signal)]);
    if (found.ffmpeg === null)
      throw new Failure('unavailable', 'ffmpeg is not installed', { reason: 'program-missing' });
    return { key: { ffmpeg: found.ffmpeg, program, candidates, cores }, encoders: found.encoders };
  };
  async function detect(only?: AcceleratorName): Promise<void> {
    const { key, encoders: built } = await ground();
    await ensurePrivateFolder(folder);
    if (filters?.of !== key.ffmpeg) filters = { of: key.ffmpeg, names: await trials.filters(signal) };
    const { names } = filters;
    const detection = createDetection({
      trials,
      encode: encoders.video,
      capabilities: { encoders: built },
      filters: names,
      folder,
      sizes,
      cores,
      trialMs,
      now: () => clock.monotonic(),
      signal,
    });
    const notify = (now: TestProgress): void => void (progress = now);
    const known = only === undefined ? [] : (facts?.rows ?? []);
    const rows = await testRows(key.candidates, { detection, only, known, notify, log });
    // The software rates stay until ffmpeg or the machine changes; no one waits for them.
    const measured =
      facts?.measured ??
      (isStarted ? { software: await detection.software(), toneMaps: await detection.toneMaps() } : undefined);
    signal.throwIfAborted();
    facts = {
      rows,
      ...(measured && { measured }),
      eac3: built.includes('eac3'),
      filters: names.toSorted(),
      testedAt: clock.now(),
    };
    onTested(only);
    if (measured) await kept.save(key, facts);
  }
  /** One test at a time: two would slow each other down. */
  const exclusively = async (work: () => Promise<void>): Promise<void> => {
    running += 1;
    try {
      await lock.run(work);
    } finally {
      running -= 1;
      progress = undefined;
    }
  };
  const inBackground = (work: () => Promise<void>): Promise<void> =>
    exclusively(work).catch((error: unknown) => {
      if (!signal.aborted) log.warn('hardware.not-tested', { why: error instanceof Error ? error.message : 'unknown' });
    });

  return {
    facts: () => facts,
    get isRunning() {
      return running > 0;
    },
    get progress() {
      return progress;
    },
    start: () => {
      isStarted = true;
      return inBackground(async () => {
        facts ??= await kept.load((await ground()).key);
        if (!facts) await detect();
      });
    },
    run: (only) => exclusively(() => detect(only)),
    testAgain: (accelerator) => {
      if (isStarted && facts) void inBackground(() => detect(accelerator));
    },
    close: () => stopping.abort(),
  };
}

interface RowsNeeds {
  detection: Pick<Detection, 'row'>;
  /** Name of the accelerator that is tested; undefined for all. */
  only: AcceleratorName | undefined;
  /** Rows to keep for the others. */
  known: readonly AcceleratorStatus[];
  notify(progress: TestProgress): void;
  log: Pick<Log, 'info'>;
}

/** Tests the candidates that `only` names, or that have no known row. Returns the rows of all. */
async function testRows(
  candidates: readonly CheckedCandidate[],
  { detection, only, known, notify, log }: RowsNeeds,
): Promise<AcceleratorStatus[]> {
  const knownOf = (candidate: CheckedCandidate): AcceleratorStatus | undefined =>
    candidate.name === only
      ? undefined
      : known.find(({ name, device }) => name === candidate.name && device === candidate.device);
  const of = candidates.filter((candidate) => !knownOf(candidate)).length;
  const rows: AcceleratorStatus[] = [];
  let number = 0;
  for (const candidate of candidates) {
    const old = knownOf(candidate);
    if (old) {
      rows.push(old);
      continue;
    }
    notify({ name: candidate.name, number: (number += 1), of });
    const row = await detection.row(candidate);
    const { name, device = '', encode } = row;
    log.info('hardware.tested', { accelerator: name, device, passed: encode.passed, why: encode.reason ?? '' });
    rows.push(row);
  }
  return rows;
}
