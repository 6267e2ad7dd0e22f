/**
 * Secrets that belong to a host. A secret is sent only to the host it was entered for: when its address comes to name
 * another one, the stored secret is removed in the same write.
 */
import { Failure } from '../../lib/failure.ts';
import { isManaged, resolve, type Layers } from '../layers.ts';
import { SETTINGS, type AnySetting, type SettingKey } from './index.ts';

/** Scheme, host and port: another path at the same host sends the secret to nobody else. */
const originOf = (layers: Layers, address: string): string | undefined => {
  const { text } = resolve(layers, address as SettingKey);
  return text === '' ? undefined : new URL(text).origin;
};

const ADDRESSES: ReadonlySet<string> = new Set(SETTINGS.flatMap(({ belongsTo }) => belongsTo));

/**
 * Returns the saved secrets that a change must remove, given the settings before and after it and the keys that it
 * sets. A secret saved in the same change stays, and so does one that was entered before there was any address.
 * Throws `Failure('conflict')` if the environment or YAML sets such a secret: it cannot be removed here.
 */
export function secretsToClear(before: Layers, after: Layers, changed: ReadonlySet<string>): AnySetting[] {
  const moved = new Set([...changed].filter((key) => ADDRESSES.has(key) && originOf(before, key) !== originOf(after, key)));
  return SETTINGS.filter(({ key, belongsTo }) => {
    const addresses = belongsTo.filter((address) => moved.has(address));
    if (addresses.length === 0 || changed.has(key)) return false;
    if (isManaged(after, key)) throw new Failure('conflict', `${key} is managed outside and belongs to the present address; set both there`);
    return resolve(before, key).text !== '' && addresses.some((address) => originOf(before, address) !== undefined);
  });
}
