/**
 * The command `config check [FILE]`: reads the configuration as a start would, and starts nothing.
 *
 * Prints one line for each fault, or `configuration is valid`. What Owners saved is not read, so every
 * rule must hold by YAML, environment and defaults alone.
 */
import type { Clock } from '../lib/clock.ts';
import { FILE_VARIABLE, type Environment } from './environment.ts';
import { ConfigurationRefused } from './faults.ts';
import { loadBoot, type ReadFile } from './load.ts';
import type { SettingSet } from './setting-set.ts';

export interface ConfigCheckNeeds {
  /** Arguments after `config check`: none, or the YAML file to check in place of the configured one. */
  args: readonly string[];
  settings: SettingSet;
  env: Environment;
  /** Takes each line, without its end. */
  print: (line: string) => void;
  readFile?: ReadFile;
  clock?: Clock;
}

/** The status to exit with: 0 when valid, 2 otherwise. */
export async function checkCommand({ args, settings, env, print, readFile, clock }: ConfigCheckNeeds): Promise<0 | 2> {
  const [file, ...more] = args;
  if (more.length > 0 || file?.startsWith('-') === true || file === '') {
    print('usage: config check [FILE]');
    return 2;
  }
  try {
    await loadBoot({
      settings,
      env: file === undefined ? env : { ...env, [FILE_VARIABLE]: file },
      isWhole: true,
      ...(readFile && { readFile }),
      ...(clock && { clock }),
    });
    print('configuration is valid');
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigurationRefused)) throw error;
    for (const line of error.lines) print(line);
    return 2;
  }
}
