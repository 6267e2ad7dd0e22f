/** The environment of the process: the one place that reads it. */

export type Environment = Readonly<Record<string, string | undefined>>;

/** Every variable of ours starts with this; one that is not known is a slip and is refused. */
export const PREFIX = 'SERVICE_';
/** Names the YAML file; the only variable of ours that is not a setting. */
export const FILE_VARIABLE = 'SERVICE_CONFIG_FILE';

/** A copy, so that nothing which changes the environment later changes the configuration. */
export const processEnvironment = (): Environment => ({ ...process.env });
