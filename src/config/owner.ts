/** Reads what Owners saved back into a layer: opened, parsed, and with every fault named. */
import { Failure } from '../lib/failure.ts';
import { settingLabel, readable, type Fault } from './faults.ts';
import { isManaged, type Layer, type Layers } from './layers.ts';
import type { Sealer } from './seal.ts';
import { hasItsHosts, type Hosts, splitHosts } from './belonging.ts';
import type { AnySetting, SettingKey } from './setting.ts';
import type { OwnerRow } from './store.ts';

/**
 * The Owner layer. A row that YAML or the environment overrides is not opened, so that a lost key
 * file can be answered by setting the value there. Rows of settings this version does not know stay
 * in the database untouched: a later version may. So does a secret whose address was changed outside to another host:
 * it is left out, `foreign` names it, and it is there again when the address is.
 */
export async function loadOwner({
  rows,
  layers,
  sealer,
  faults,
}: {
  rows: readonly OwnerRow[];
  layers: Omit<Layers, 'owner'>;
  sealer: Sealer;
  faults: Fault[];
}): Promise<{ owner: Layer; foreign: SettingKey[] }> {
  const hostsOf = new Map<AnySetting, Hosts>();
  const owner = new Map<SettingKey, string>();
  for (const row of rows) {
    const one = layers.settings.of(row.key);
    if (!one) continue;
    if (isManaged({ ...layers, owner }, one.key)) continue;
    const where = `${settingLabel(one)}, as saved by an Owner`;
    const unsealed = await opened(row, one, sealer, where, faults);
    if (unsealed === undefined) continue;
    const { text, hosts } = one.belongsTo.length > 0 ? splitHosts(unsealed) : { text: unsealed, hosts: [] };
    hostsOf.set(one, hosts);
    const kept = readable(faults, one, where, text);
    if (kept !== undefined) owner.set(one.key, kept);
  }
  const foreign = [...hostsOf]
    .filter(([one, hosts]) => owner.has(one.key) && !hasItsHosts(one, { ...layers, owner }, hosts))
    .map(([{ key }]) => key);
  for (const key of foreign) owner.delete(key);
  return { owner, foreign };
}

async function opened(
  row: OwnerRow,
  one: AnySetting,
  sealer: Sealer,
  where: string,
  faults: Fault[],
): Promise<string | undefined> {
  if (row.sealed !== one.secret) {
    faults.push({ where, reason: 'was damaged or changed in the database since it was saved', broken: one.key });
    return undefined;
  }
  if (!row.sealed) return row.text;
  try {
    return await sealer.open(row.key, row.text);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    faults.push({ where, reason: error.message, broken: one.key });
    return undefined;
  }
}
