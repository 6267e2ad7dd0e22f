/**
 * The runs of the server within one process: a restart closes one and opens the next, with what was saved since.
 *
 * A run that cannot be opened is followed by another try: first with the setting at fault put back, then with all
 * settings and files as they were. So a wrong port costs a second and not the server. Only when the settings that
 * worked no longer work either does the process end, for the service manager to start it again.
 */
import type { Boot, OwnerTexts, SettingKey } from './config/index.ts';
import type { Clock } from './lib/clock.ts';
import { newId } from './lib/ids.ts';
import type { Log } from './lib/log.ts';
import type { RestartFailure, Restarter } from './ops/index.ts';

/** How long replies that are being sent may go on. A player asks again for the rest of its film. */
const DRAIN_MS = 700;
/** How long a run may take to close. What has not closed by then never will. */
const CLOSE_MS = 8_000;
/** How long another program, such as the command `restore`, may keep the database. */
const HELD_MS = 10_000;
const HELD_PAUSE_MS = 250;

/** A run could not be opened. Everything of it is closed again. */
export class RunRefused extends Error {
  /** One line a fault, for people. */
  readonly lines: readonly string[];
  /** Settings at fault, where they are known. */
  readonly keys: readonly SettingKey[];
  /** Whether another program has the database at the moment. */
  readonly isHeld: boolean;
  constructor(lines: readonly string[], { keys = [], isHeld = false }: { keys?: SettingKey[]; isHeld?: boolean } = {}) {
    super(lines.join('\n'));
    this.name = 'RunRefused';
    this.lines = lines;
    this.keys = keys;
    this.isHeld = isHeld;
  }
}

/** A server that is open. */
export interface Run {
  /** Listens and begins its work. Fails as `open` does, and leaves closing to the caller. */
  start(): Promise<void>;
  /** Returns the texts that bring back the running values of the settings that wait for a restart. */
  inForce(): OwnerTexts;
  close(graceMs?: number): Promise<void>;
}

export interface RunOptions {
  boot: Boot;
  putBack?: OwnerTexts | undefined;
  restarter: Restarter;
}

export interface RestartsNeeds {
  boot: Boot;
  load(): Promise<Boot>;
  /**
   * Opens a run, which listens once it is started. Throws `RunRefused` for a fault that a person can mend, and anything
   * else for a bug.
   */
  open(options: RunOptions): Promise<Run>;
  clock: Clock;
  log: Log;
  pause(ms: number): Promise<void>;
  /** Ends the process because no run can be opened any more, or one does not close. */
  fail(lines: readonly string[]): void;
}

export interface Restarts {
  /** Opens the first run. Fails as `open` does. */
  begin(): Promise<void>;
  /** Closes what is open, however far a start or a restart has come. No run is opened afterwards. */
  stop(): Promise<void>;
  isStopping(): boolean;
}

export function createRestarts(needs: RestartsNeeds): Restarts {
  const { boot, load, open, clock, log, pause, fail } = needs;
  let current: { run: Run; boot: Boot } | undefined;
  /** Opening or closing a run, which nothing interrupts. */
  let step: Promise<unknown> = Promise.resolve();
  let isStopping = false;

  const openRun = async (from: Boot, putBack?: OwnerTexts, failure?: RestartFailure): Promise<void> => {
    const opening = open({
      boot: from,
      putBack,
      restarter: { run: newId(), failure, load, begin: () => void restart() },
    });
    step = opening;
    const own = { run: await opening, boot: from };
    current = own;
    if (isStopping) return;
    try {
      await own.run.start();
    } catch (error) {
      // It answers before its start has ended, so a stop or another restart may have closed it: that is why it failed.
      if (isStopping || current !== own) return;
      step = closed();
      await step;
      throw error;
    }
  };

  const closed = async (graceMs?: number): Promise<void> => {
    const old = current;
    current = undefined;
    await old?.run.close(graceMs);
  };

  /** Opens a run, and tries again while another program has the database. */
  const openWhenFree: typeof openRun = async (...options) => {
    for (const end = clock.monotonic() + HELD_MS; ;) {
      try {
        return await openRun(...options);
      } catch (error) {
        if (!(error instanceof RunRefused) || !error.isHeld || isStopping || clock.monotonic() >= end) throw error;
        await pause(HELD_PAUSE_MS);
      }
    }
  };

  /** Returns why no run could be opened, or undefined once one is open. */
  const attempt = async (
    from: () => Promise<Boot>,
    { putBack, first }: { putBack?: OwnerTexts; first?: RunRefused | undefined } = {},
  ): Promise<RunRefused | undefined> => {
    if (isStopping) return undefined;
    try {
      const failure = first && { at: clock.now(), error: first.lines[0] ?? '', putBack: [...(putBack?.keys() ?? [])] };
      await openWhenFree(await from(), putBack, failure);
      return undefined;
    } catch (error) {
      log.fault('restart.failed', error);
      return error instanceof RunRefused ? error : new RunRefused(['it could not start; its log says why']);
    }
  };

  async function restart(): Promise<void> {
    if (isStopping || !current) return;
    const began = clock.monotonic();
    log.info('restart.begun');
    const before = { boot: current.boot, inForce: current.run.inForce() };
    const closing = closed(DRAIN_MS);
    step = closing;
    const isClosed = await Promise.race([closing.then(() => true), pause(CLOSE_MS).then(() => false)]);
    if (!isClosed) return fail(['the server did not close for a restart']);
    const first = await attempt(load);
    const atFault = new Map([...before.inForce].filter(([key]) => first?.keys.includes(key)));
    const second = first && atFault.size > 0 ? await attempt(load, { putBack: atFault, first }) : first;
    const third = second && (await attempt(async () => before.boot, { putBack: before.inForce, first }));
    if (isStopping) return;
    if (third) return fail(third.lines);
    log.info('restart.done', { ms: Math.round(clock.monotonic() - began), isAsBefore: first !== undefined });
  }

  return {
    begin: () => openRun(boot),
    stop: async () => {
      isStopping = true;
      await step.catch(() => {});
      await closed();
    },
    isStopping: () => isStopping,
  };
}
