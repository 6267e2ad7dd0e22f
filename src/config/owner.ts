/** Reads what Owners saved back into a layer: opened, parsed, and with every fault named. */
import { Failure } from '../lib/failure.ts';
import { placeOf, readable, type Fault } from './faults.ts';
import { isManaged, type Layer, type Layers } from './layers.ts';
import type { Sealer } from './seal.ts';
import { settingOf, type AnySetting, type SettingKey } from './settings/index.ts';
import type { OwnerRow } from './store.ts';

/**
 * The Owner layer. A row that YAML or the environment overrides is not opened, so that a lost key
 * file can be answered by setting the value there. Rows of settings this version does not know stay
 * in the database untouched: a later version may.
 */
export async function loadOwner({ rows, layers, sealer, faults }: { rows: readonly OwnerRow[]; layers: Omit<Layers, 'owner'>; sealer: Sealer; faults: Fault[] }): Promise<Layer> {
  const owner = new Map<SettingKey, string>();
  for (const row of rows) {
    const one = settingOf(row.key);
    if (!one) continue;
    if (isManaged({ ...layers, owner }, one.key)) continue;
    const where = `${placeOf(one)}, as saved by an Owner`;
    const text = await opened(row, one, sealer, where, faults);
    if (text === undefined) continue;
    const kept = readable(faults, one, where, text);
    if (kept !== undefined) owner.set(one.key, kept);
  }
  return owner;
}

async function opened(row: OwnerRow, one: AnySetting, sealer: Sealer, where: string, faults: Fault[]): Promise<string | undefined> {
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
