/**
 * Conversion abilities of this machine: the accelerators that passed a verified test, and the speed of software.
 *
 * Tested once in the background and stored. Tested again when an Owner asks, when ffmpeg or the devices
 * change, and for one accelerator when it failed during playback. Until then, plans assume software at cautious rates.
 */
import { availableParallelism } from 'node:os';
import type { Config } from '../../config/index.ts';
import type { PlaybackFinding } from '../../contract/playback/findings.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Ffmpeg } from '../../lib/ffmpeg/index.ts';
import { Failure } from '../../lib/failure.ts';
import type { Log } from '../../lib/log.ts';
import type { Processes } from '../../lib/process.ts';
import { planSettings } from '../plan/machine.ts';
import type { AcceleratorName, Machine } from '../plan/types.ts';
import { findAccelerators, type DeviceLocation } from './candidates.ts';
import { createFilmFailures } from './film-failures.ts';
import { findingsOf, type HardwareState } from './findings.ts';
import { createMachineTests } from './machine-tests.ts';
import { type AcceleratorStatus, CLIP_SIZES, type ClipSizes } from './types.ts';
import { hardwareView, type HardwareView, machineOf, untestedRow } from './view.ts';

export interface HardwareNeeds {
  processes: Pick<Processes, 'run' | 'start'>;
  /** ffmpeg, as the settings name it. */
  program: string;
  ffmpeg: Pick<Ffmpeg, 'capabilities'>;
  config: Pick<Config, 'get'>;
  log: Log;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  /** The server's folder for data that can be rebuilt (`paths.cache`). */
  cache: string;
  place?: DeviceLocation | undefined;
  sizes?: ClipSizes | undefined;
  /** How long an accelerator may take for a trial. */
  trialMs?: number | undefined;
  cores?: number | undefined;
}

export interface PlaybackHardware {
  /** Abilities that plans use now. */
  machine(): Machine;
  view(): Promise<HardwareView>;
  /**
   * Tests all accelerators, or one, and returns whether what was asked for passed: without a name, what the settings
   * choose. Fails as `conflict` while a test runs.
   */
  test(
    accelerator: AcceleratorName | undefined,
    signal?: AbortSignal,
  ): Promise<{ isPassed: boolean; view: HardwareView }>;
  /**
   * Notes that an accelerator failed on a film. It is not used until it has passed a test, which begins at once after
   * `start`.
   */
  noteFailure(accelerator: AcceleratorName, error: unknown): void;
  findings(): PlaybackFinding[];
  /** Takes over what is kept, or finds it out. Resolves when it is known. */
  start(): Promise<void>;
  close(): void;
}

const TRIAL_MS = 10_000;
const HERE: DeviceLocation = { platform: process.platform, devices: '/dev' };

export function createHardware(needs: HardwareNeeds): PlaybackHardware {
  const { config, clock, cache, log, place = HERE, cores = availableParallelism() } = needs;
  const failures = createFilmFailures({ clock, log });
  const tests = createMachineTests({
    ...needs,
    folder: `${cache}/hardware`,
    place,
    sizes: needs.sizes ?? CLIP_SIZES,
    trialMs: needs.trialMs ?? TRIAL_MS,
    cores,
    onTested: failures.clear,
  });

  const setting = (): AcceleratorName | 'auto' | 'none' => config.get('transcoding.accelerator') ?? 'auto';
  const usable = (): readonly AcceleratorStatus[] =>
    (tests.facts()?.rows ?? []).filter(({ name, encode }) => encode.passed && !failures.failed.has(name));
  const effective = (): AcceleratorName | 'none' =>
    usable().find(({ name }) => setting() === 'auto' || setting() === name)?.name ?? 'none';
  const state = (): HardwareState => ({
    rows: tests.facts()?.rows,
    failed: failures.failed,
    lastFailures: failures.last,
    chosen: setting(),
    effective: effective(),
    now: clock.now(),
  });
  const machine = (): Machine => machineOf(tests.facts(), usable(), cores);
  const view = async (): Promise<HardwareView> => {
    const untested = tests.facts() ? [] : (await findAccelerators(place)).map(untestedRow);
    return hardwareView({
      facts: tests.facts(),
      untested,
      isTesting: tests.isRunning,
      progress: tests.progress,
      state: state(),
      machine: machine(),
      settings: planSettings(config),
    });
  };
  const isPassed = (asked: AcceleratorName | undefined): boolean => {
    const wanted = asked ?? setting();
    if (wanted === 'none') return true;
    return usable().some(({ name }) => wanted === 'auto' || name === wanted);
  };

  return {
    machine,
    view,
    test: async (accelerator, signal) => {
      signal?.throwIfAborted();
      if (tests.isRunning)
        throw new Failure('conflict', 'a test is running already; wait until it is done', { reason: 'testing' });
      await tests.run(accelerator);
      return { isPassed: isPassed(accelerator), view: await view() };
    },
    noteFailure: (accelerator, error) => {
      if (failures.note(accelerator, error)) tests.testAgain(accelerator);
    },
    findings: () => findingsOf(state()),
    start: tests.start,
    close: tests.close,
  };
}
