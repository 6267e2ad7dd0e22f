/** The environment of the process: the one place that reads it. */

export type Environment = Readonly<Record<string, string | undefined>>;

/** Every variable of ours starts with this; one that is not known is a slip and is refused. */
export const PREFIX = 'SERVICE_';
/** Names the YAML file; the only variable of ours that is not a setting. */
export const FILE_VARIABLE = 'SERVICE_CONFIG_FILE';

/** A copy, so that nothing which changes the environment later changes the configuration. */
export const processEnvironment = (): Environment => ({ ...process.env });

/** Threads that file work shares, as the process was started with; Node's own default is 4. */
export const poolThreads = (env: Environment): number => {
  const given = Number(env['UV_THREADPOOL_SIZE']);
  return Number.isInteger(given) && given > 0 ? Math.min(given, 1024) : 4;
};

/**
 * Returns the folder for compiled code before the configuration is read: inside the cache that the environment names.
 */
export const compiledFolder = (env: Environment): string => `${env['SERVICE_CACHE_DIR'] ?? '/cache'}/compiled`;
