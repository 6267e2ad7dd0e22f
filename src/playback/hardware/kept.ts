/** Facts of a machine, kept in the cache so that a restart need not find them out again. */
import { createHash } from 'node:crypto';
import { ensurePrivateFolder, readBounded, writeWhole } from '../../lib/files.ts';
import type { Log } from '../../lib/log.ts';
import type { CheckedCandidate } from './candidates.ts';
import type { HardwareFacts } from './types.ts';

/** Grows when the same machine is tested in another way. */
const VERSION = 3;
const MAX_BYTES = 256 * 1024;

export interface MachineKey {
  ffmpeg: string;
  program: string;
  candidates: readonly CheckedCandidate[];
  cores: number;
}

export interface KeptFacts {
  /** Undefined when nothing is kept, or for another machine, or in a shape that is not ours. */
  load(key: MachineKey): Promise<HardwareFacts | undefined>;
  /** Never fails: what cannot be kept is found out again. */
  save(key: MachineKey, facts: HardwareFacts): Promise<void>;
}

const nameOf = (key: MachineKey): string =>
  createHash('sha256')
    .update(JSON.stringify([VERSION, key.ffmpeg, key.program, key.candidates, key.cores]))
    .digest('hex');

export function createKeptFacts({ folder, log }: { folder: string; log: Log }): KeptFacts {
  const file = `${folder}/facts.json`;
  return {
    load: async (key) => {
      try {
        const kept = JSON.parse((await readBounded(file, MAX_BYTES)).toString('utf8')) as {
          key?: unknown;
          facts?: HardwareFacts;
        };
        return kept.key === nameOf(key) && isFacts(kept.facts) ? kept.facts : undefined;
      } catch {
        return undefined;
      }
    },
    save: async (key, facts) => {
      try {
        await ensurePrivateFolder(folder);
        await writeWhole(file, JSON.stringify({ key: nameOf(key), facts }), { isDurable: false });
      } catch (error) {
        log.warn('hardware.not-kept', { why: error instanceof Error ? error.message : 'unknown' });
      }
    },
  };
}

/**
 * The file is ours, in a folder that others may empty or fill: enough of it is looked at that a plan cannot fail on it.
 */
function isFacts(facts: HardwareFacts | undefined): facts is HardwareFacts {
  if (typeof facts !== 'object' || facts === null) return false;
  const { rows, measured, filters, testedAt } = facts;
  const { software, toneMaps } = measured ?? {};
  const numbers = software
    ? [software.decodeRate, software.toneMapRate, ...Object.values(software.rates ?? {}), testedAt]
    : [];
  return (
    Array.isArray(rows) &&
    Array.isArray(toneMaps) &&
    Array.isArray(filters) &&
    Array.isArray(software?.codecs) &&
    numbers.length === 8 &&
    numbers.every((one) => typeof one === 'number' && one > 0) &&
    rows.every(
      ({ name, encode, decode, toneMap, codecs, decodes }) =>
        typeof name === 'string' &&
        [encode, decode, toneMap].every((one) => typeof one?.passed === 'boolean') &&
        Array.isArray(codecs) &&
        Array.isArray(decodes),
    )
  );
}
