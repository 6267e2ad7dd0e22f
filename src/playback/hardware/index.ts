/**
 * Conversion abilities of this machine: the accelerators that passed a verified test, and the speed of software.
 *
 * Tested once in the background and stored. Tested again when an Owner asks, when ffmpeg or the devices
 * change, and for one accelerator when it failed during playback. Until then, plans assume software at cautious rates.
 */
import { availableParallelism } from 'node:os';
import type { Config } from '../../config/index.ts';
import type { PlaybackFinding } from '../../contract/playback/findings.ts';
import { type Clock, iso } from '../../lib/clock.ts';
import { createEncoder } from '../../lib/ffmpeg/encode/index.ts';
import { createTrials, isMapping } from '../../lib/ffmpeg/encode/trial.ts';
import type { Ffmpeg } from '../../lib/ffmpeg/index.ts';
import { Failure } from '../../lib/failure.ts';
import { ensurePrivateFolder } from '../../lib/files.ts';
import { createLock } from '../../lib/lock.ts';
import type { Log } from '../../lib/log.ts';
import type { Processes } from '../../lib/process.ts';
import { NO_TROUBLE } from '../plan/causes.ts';
import { encodedCodec } from '../plan/encoding.ts';
import { softwareSpeed } from '../plan/ladder.ts';
import { cautiousMachine, planSettings } from '../plan/machine.ts';
import type { AcceleratorName, Machine, Preset, VideoCodec } from '../plan/types.ts';
import { findAccelerators, type CheckedCandidate, isFound, type DeviceLocation } from './candidates.ts';
import { createDetection } from './detect.ts';
import { explain, findingsOf, type HardwareState } from './findings.ts';
import { createKeptFacts, type MachineKey } from './kept.ts';
import { plainReason } from './reasons.ts';
import { type AcceleratorStatus, CLIP_SIZES, type ClipSizes, type FilmFailure, type HardwareFacts } from './types.ts';

export interface HardwareNeeds {
  processes: Pick<Processes, 'run' | 'start'>;
  /** ffmpeg, as the settings name it. */
  program: string;
  ffmpeg: Pick<Ffmpeg, 'capabilities'>;
  config: Pick<Config, 'get'>;
  log: Log;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  /** The server's folder for what can be made again (`paths.cache`). */
  cache: string;
  place?: DeviceLocation | undefined;
  sizes?: ClipSizes | undefined;
  /** How long an accelerator may take for a trial. */
  trialMs?: number | undefined;
  cores?: number | undefined;
}

/** Test result of an accelerator, as the API sends it. */
export type ShownRow = Omit<AcceleratorStatus, 'rate' | 'codecs' | 'decodes'> & {
  codecs: VideoCodec[];
  decodes: VideoCodec[];
  lastFailure?: { at: string; reason: string };
};

export interface HardwareView {
  /** `untested` until the first test has begun; what it shows then is a guess. */
  state: 'untested' | 'testing' | 'tested';
  /** While a test runs: which accelerator is tried, as one of how many. */
  progress?: { name: AcceleratorName; number: number; of: number };
  testedAt?: string;
  accelerators: ShownRow[];
  /** Accelerator that the settings choose from those that passed. */
  effective: AcceleratorName | 'none';
  /** Why, in sentences. */
  why: string;
  /** Codec for a client that plays everything. */
  codec: VideoCodec;
  software: { preset: Preset; speed: number };
  filters: string[];
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
  const {
    processes,
    program,
    ffmpeg,
    config,
    log,
    clock,
    cache,
    place = HERE,
    sizes = CLIP_SIZES,
    trialMs = TRIAL_MS,
    cores = availableParallelism(),
  } = needs;
  const folder = `${cache}/hardware`;
  const kept = createKeptFacts({ folder, log });
  const trials = createTrials({ processes, program });
  const encoders = createEncoder({ processes, program, priority: 'background', acceleratorQuietMs: trialMs / 2 });
  const stopping = new AbortController();
  const lock = createLock();
  /** Accelerators that failed on a film since their last test, and why. */
  const failed = new Map<AcceleratorName, string>();
  const lastFailures = new Map<AcceleratorName, FilmFailure>();
  let filters: { of: string; names: string[] } | undefined;
  let progress: HardwareView['progress'];
  let facts: HardwareFacts | undefined;
  let running = 0;
  let isStarted = false;

  const ground = async (): Promise<{ key: MachineKey; encoders: readonly string[] }> => {
    const [candidates, found] = await Promise.all([findAccelerators(place), ffmpeg.capabilities(stopping.signal)]);
    if (found.ffmpeg === null)
      throw new Failure('unavailable', 'ffmpeg is not installed', { reason: 'program-missing' });
    return { key: { ffmpeg: found.ffmpeg, program, candidates, cores }, encoders: found.encoders };
  };

  /** Everything; with a name, only the rows of that accelerator, if the rest is known. */
  async function detect(only?: AcceleratorName): Promise<void> {
    const { key, encoders: built } = await ground();
    await ensurePrivateFolder(folder);
    if (filters?.of !== key.ffmpeg) filters = { of: key.ffmpeg, names: await trials.filters(stopping.signal) };
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
      signal: stopping.signal,
    });
    const known = only === undefined ? undefined : facts;
    const oldOf = (candidate: CheckedCandidate): AcceleratorStatus | undefined =>
      known?.rows.find(({ name, device }) => name === candidate.name && device === candidate.device);
    const tried = key.candidates.filter(
      (candidate) => only === undefined || candidate.name === only || !oldOf(candidate),
    );
    const rows: AcceleratorStatus[] = [];
    for (const candidate of key.candidates) {
      const old = oldOf(candidate);
      if (old && !tried.includes(candidate)) {
        rows.push(old);
        continue;
      }
      progress = { name: candidate.name, number: tried.indexOf(candidate) + 1, of: tried.length };
      const row = await detection.row(candidate);
      log.info('hardware.tested', {
        accelerator: row.name,
        device: row.device ?? '',
        passed: row.encode.passed,
        why: row.encode.reason ?? '',
      });
      rows.push(row);
    }
    // The software rates stay until ffmpeg or the machine changes; no one waits for them.
    const measured =
      facts?.measured ??
      (isStarted ? { software: await detection.software(), toneMaps: await detection.toneMaps() } : undefined);
    stopping.signal.throwIfAborted();
    facts = {
      rows,
      ...(measured && { measured }),
      eac3: built.includes('eac3'),
      filters: names.toSorted(),
      testedAt: clock.now(),
    };
    if (only === undefined) failed.clear();
    else failed.delete(only);
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
      if (!stopping.signal.aborted)
        log.warn('hardware.not-tested', { why: error instanceof Error ? error.message : 'unknown' });
    });

  const setting = (): AcceleratorName | 'auto' | 'none' => config.get('transcoding.accelerator') ?? 'auto';
  const usable = (): readonly AcceleratorStatus[] =>
    (facts?.rows ?? []).filter(({ name, encode }) => encode.passed && !failed.has(name));
  const effective = (): AcceleratorName | 'none' =>
    usable().find(({ name }) => setting() === 'auto' || setting() === name)?.name ?? 'none';
  const state = (): HardwareState => ({
    rows: facts?.rows,
    failed,
    lastFailures,
    chosen: setting(),
    effective: effective(),
    now: clock.now(),
  });
  const machine = (): Machine => machineOf(facts, usable(), cores);
  const view = async (): Promise<HardwareView> => {
    const rows = facts?.rows ?? (await findAccelerators(place)).map(untested);
    const settings = planSettings(config);
    return {
      state: running > 0 ? 'testing' : facts ? 'tested' : 'untested',
      ...(progress && { progress }),
      ...(facts && { testedAt: iso(facts.testedAt) }),
      accelerators: rows.map((row) => shown(row, failed.get(row.name), lastFailures.get(row.name))),
      effective: effective(),
      why: explain(state()),
      codec: encodedCodec({ client: PLAYS_ALL, machine: machine(), settings, trouble: NO_TROUBLE }) ?? 'h264',
      software: rounded(softwareSpeed(machine(), settings)),
      filters: [...(facts?.filters ?? [])],
    };
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
      if (running > 0)
        throw new Failure('conflict', 'a test is running already; wait until it is done', { reason: 'testing' });
      await exclusively(() => detect(accelerator));
      return { isPassed: isPassed(accelerator), view: await view() };
    },
    noteFailure: (accelerator, error) => {
      if (failed.has(accelerator)) return;
      const why = plainReason(error);
      lastFailures.set(accelerator, { at: clock.now(), reason: why });
      failed.set(accelerator, why);
      log.warn('hardware.failed', { accelerator, why });
      if (isStarted && facts) void inBackground(() => detect(accelerator));
    },
    findings: () => findingsOf(state()),
    start: async () => {
      isStarted = true;
      await inBackground(async () => {
        facts ??= await kept.load((await ground()).key);
        if (!facts) await detect();
      });
    },
    close: () => stopping.abort(),
  };
}

const PLAYS_ALL = { videoCodecs: new Set(['h264', 'hevc', 'av1', 'vp9']) };
const rounded = <S extends { speed: number }>(software: S): S => ({
  ...software,
  speed: Math.round(software.speed * 10) / 10,
});
const untested = ({
  missing,
  ...candidate
}: {
  name: AcceleratorName;
  device?: string;
  missing?: string;
}): AcceleratorStatus => {
  const result = { passed: false, reason: missing ?? 'not tested yet' };
  return {
    ...candidate,
    found: isFound({ ...candidate, missing }),
    encode: result,
    decode: result,
    toneMap: result,
    codecs: [],
    decodes: [],
  };
};
const shown = (
  { name, device, found, encode, decode, toneMap, codecs, decodes }: AcceleratorStatus,
  why: string | undefined,
  last: FilmFailure | undefined,
): ShownRow => ({
  name,
  ...(device !== undefined && { device }),
  found,
  decode,
  toneMap,
  codecs: [...codecs],
  decodes: [...decodes],
  ...(last && { lastFailure: { at: iso(last.at), reason: last.reason } }),
  encode: why === undefined ? encode : { passed: false, reason: `it failed on a film (${why}) and is tested again` },
});

/** Abilities that plans use. An untested machine has cautious rates. */
function machineOf(facts: HardwareFacts | undefined, usable: readonly AcceleratorStatus[], cores: number): Machine {
  if (!facts) return cautiousMachine(cores);
  const { eac3 } = facts;
  const { software, toneMaps } = facts.measured ?? cautiousMachine(cores);
  const accelerators = usable.map(({ name, device, codecs, rate = 0, toneMap }) => ({
    name,
    ...(device !== undefined && { device }),
    codecs,
    rate,
    ...(toneMap.passed && { toneMapRate: isMapping(name) ? rate : Math.min(rate, software.toneMapRate) }),
  }));
  return { accelerators, software, toneMaps, eac3, isBusy: false };
}
