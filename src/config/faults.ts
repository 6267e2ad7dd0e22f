/**
 * Faults of a configuration: each says where (key and variable) and why, and never what was written
 * there. All are gathered before anything is refused, so that one start shows them all.
 */
import { keptText, InvalidValue, type AnySetting, type SettingKey } from './setting.ts';

export interface Fault {
  /** The settings key, or what else is at fault: a variable, a YAML key, the file. */
  where: string;
  reason: string;
  /** The setting whose value could not be read, so that no rule is judged on what is not known. */
  broken?: SettingKey;
}

/** The configuration cannot be used. The process that meets it ends with status 2. */
export class ConfigurationRefused extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults.map(faultLine).join('\n'));
    this.name = 'ConfigurationRefused';
    this.faults = faults;
  }

  /** One line for each fault. */
  get lines(): string[] {
    return this.faults.map(faultLine);
  }
}

export const faultLine = ({ where, reason }: Fault): string => `${where}: ${reason}`;

/** Returns a setting's key and variable, as faults name it: `playback.mode (SERVICE_PLAYBACK_MODE)`. */
export const settingLabel = ({ key, env }: Pick<AnySetting, 'key' | 'env'>): string => `${key} (${env})`;

/** Returns a name from outside in a form that is safe to print. */
export const printable = (name: string): string => name.slice(0, 100).replace(/[^\x20-\x7e]/g, '?');

/** The text in the form that is kept, or undefined and a fault at `where`. */
export function readable(faults: Fault[], one: AnySetting, where: string, text: string): string | undefined {
  try {
    return keptText(one.type, text);
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error;
    faults.push({ where, reason: error.message, broken: one.key });
    return undefined;
  }
}
