/**
 * Secrets that belong to a host. A secret is sent only to the host it was entered for: when a saved address comes to
 * name another one, the stored secret is removed in the same write. The environment and YAML can change an address
 * while the server is stopped, so the hosts are sealed together with the secret and are compared at the start.
 */
import { Failure } from '../lib/failure.ts';
import { isManaged, resolve, type Layers } from './layers.ts';
import type { AnySetting, SettingKey } from './setting.ts';

/** Scheme, host and port: another path at the same host sends the secret to the same server. */
const originOf = (layers: Layers, address: string): string | undefined => {
  const { text } = resolve(layers, address as SettingKey);
  return text === '' ? undefined : new URL(text).origin;
};

/**
 * Returns the saved secrets that a change must remove, given the settings before and after it and the keys that it
 * sets. A secret saved in the same change stays, and so does one that was entered before there was any address.
 * Throws `Failure('conflict')` if the environment or YAML sets such a secret: it cannot be removed here.
 */
export function secretsToClear(before: Layers, after: Layers, changed: ReadonlySet<string>): AnySetting[] {
  const addresses = new Set(after.settings.all.flatMap(({ belongsTo }) => belongsTo));
  const moved = new Set(
    [...changed].filter((key) => addresses.has(key) && originOf(before, key) !== originOf(after, key)),
  );
  return after.settings.all.filter(({ key, belongsTo }) => {
    const own = belongsTo.filter((address) => moved.has(address));
    if (own.length === 0 || changed.has(key)) return false;
    if (isManaged(after, key))
      throw new Failure(
        'conflict',
        `${key} is set by the environment or the YAML file and belongs to the current address; change both there`,
        {
          reason: 'secret-managed',
        },
      );
    return resolve(before, key).text !== '' && own.some((address) => originOf(before, address) !== undefined);
  });
}

/**
 * Returns the saved secrets that a change keeps but whose hosts it changes: those that were entered before there was an
 * address.
 */
export const secretsToBind = (after: Layers, changed: ReadonlySet<string>): AnySetting[] =>
  after.settings.all.filter(
    ({ key, belongsTo }) =>
      belongsTo.some((address) => changed.has(address)) && !changed.has(key) && after.owner.has(key),
  );

/** No secret has this character, so what begins with it is a secret with its hosts. */
const MARK = '\u0000';

/** Returns the text to seal: of a secret that belongs to a host, with the hosts of its addresses in front. */
export function withHosts({ belongsTo }: AnySetting, layers: Layers, text: string): string {
  if (belongsTo.length === 0 || text === '') return text;
  return `${MARK}${JSON.stringify(belongsTo.map((address) => originOf(layers, address) ?? null))}${MARK}${text}`;
}

/** The hosts that a secret was entered for, in the order of its addresses; null where there was no address. */
export type Hosts = readonly (string | null)[];

/**
 * Splits what `withHosts` made. A secret that was sealed without hosts, by an earlier version, belongs to whichever
 * there are.
 */
export function splitHosts(opened: string): { text: string; hosts: Hosts } {
  if (!opened.startsWith(MARK)) return { text: opened, hosts: [] };
  const end = opened.indexOf(MARK, 1);
  return { text: opened.slice(end + 1), hosts: JSON.parse(opened.slice(1, end)) as Hosts };
}

/** Returns whether each address still names the host that the secret was entered for. */
export const hasItsHosts = ({ belongsTo }: AnySetting, layers: Layers, hosts: Hosts): boolean =>
  belongsTo.every((address, n) => (hosts[n] ?? null) === null || hosts[n] === originOf(layers, address));
