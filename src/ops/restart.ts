/**
 * Restarting on request: refuses what must not be interrupted and what could not start, and lets the process do the
 * rest (`restarts.ts`).
 */
import { ConfigurationRefused, type Boot, type Config, type SettingKey } from '../config/index.ts';
import type { Restarting, RestartState } from '../contract/ops/restart.ts';
import { type Clock, iso } from '../lib/clock.ts';
import { Failure } from '../lib/failure.ts';
import type { Tasks } from '../lib/tasks/index.ts';

export interface RestartFailure {
  /** Milliseconds since the epoch. */
  at: number;
  /** One line that names the setting at fault where that is known. */
  error: string;
  putBack: readonly SettingKey[];
}

/** Restarts the server within its process. */
export interface Restarter {
  /** Id of the present run. */
  readonly run: string;
  /** The restart that led to the present run, if it failed with what was saved. */
  readonly failure?: RestartFailure | undefined;
  /** Reads the environment and the YAML file again, as a start does. Throws `ConfigurationRefused`. */
  load?(): Promise<Boot>;
  /** Begins the restart and returns. Left out where the server cannot be restarted within its process. */
  begin?(): void;
}

/** For a server that cannot be restarted within its process. */
export const NO_RESTARTER: Restarter = { run: '0000000000000000' };

export interface RestartNeeds {
  restarter: Restarter;
  config: Pick<Config, 'all' | 'get' | 'pending' | 'faultsFrom'>;
  tasks: Pick<Tasks, 'list' | 'declarations'>;
  isStarted(): boolean;
  clock: Clock;
}

export interface Restart {
  state(): RestartState;
  /**
   * Begins a restart. Throws `Failure('conflict')` while one is running, while a task runs that must not be
   * interrupted, and if the configuration has a fault; `Failure('unavailable')` until the server has started.
   */
  request(): Promise<Restarting>;
}

export function createRestart({ restarter, config, tasks, isStarted, clock }: RestartNeeds): Restart {
  const startedAt = iso(clock.now());
  const { run, failure, load, begin } = restarter;
  let isRequested = false;

  const refuseHeld = async (): Promise<void> => {
    const running = new Set((await tasks.list()).filter(({ state }) => state === 'running').map(({ name }) => name));
    const held = tasks.declarations.find(({ name, holdsRestart }) => holdsRestart === true && running.has(name));
    if (held)
      throw new Failure('conflict', `“${held.title}” is running and must not be interrupted`, {
        reason: 'restart-held',
      });
  };
  const refuseFaults = async (): Promise<void> => {
    const lines = await faultsOf(() => load?.(), config);
    if (lines[0] !== undefined)
      throw new Failure('conflict', `the server could not start: ${lines[0]}`, { reason: 'restart-refused' });
  };

  return {
    state: () => ({
      run,
      startedAt,
      ready: isStarted(),
      pending: config.pending(),
      ...(failure && { failure: { at: iso(failure.at), error: failure.error, putBack: [...failure.putBack] } }),
    }),
    request: async () => {
      if (!begin)
        throw new Failure('unavailable', 'this server cannot restart itself', { reason: 'restart-unavailable' });
      if (!isStarted()) throw new Failure('unavailable', 'not ready', { reason: 'not-ready' });
      if (isRequested) throw new Failure('conflict', 'the server is restarting', { reason: 'restart-running' });
      isRequested = true;
      try {
        await refuseFaults();
        // Last, since a task may begin meanwhile.
        await refuseHeld();
      } catch (error) {
        isRequested = false;
        throw error;
      }
      const moves = movesTo(config);
      // The reply is on its way before the server closes, which waits for replies.
      setImmediate(begin);
      return { run, ...(moves && { moves }) };
    },
  };
}

/** Returns the faults with which a start would be refused, one line each. */
async function faultsOf(
  load: () => Promise<Boot> | undefined,
  config: Pick<Config, 'faultsFrom'>,
): Promise<readonly string[]> {
  try {
    const boot = await load();
    return boot ? config.faultsFrom(boot) : [];
  } catch (error) {
    if (error instanceof ConfigurationRefused) return error.lines;
    throw error;
  }
}

/** Returns the scheme and port of the saved settings, if they are not those in use. */
function movesTo(config: Pick<Config, 'all' | 'get'>): Restarting['moves'] {
  const saved = new Map(config.all().map(({ key, value }) => [key, value ?? '']));
  const scheme = (isSecure: boolean) => (isSecure ? 'https' : 'http');
  const listen = saved.get('listen') ?? '';
  const next = {
    scheme: scheme(['true', '1'].includes(saved.get('tls.enabled') ?? '')),
    port: Number(listen.slice(listen.lastIndexOf(':') + 1)),
  } as const;
  const isSame = next.port === config.get('listen').port && next.scheme === scheme(config.get('tls.enabled'));
  return isSame ? undefined : next;
}
