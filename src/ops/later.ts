/** Reports settings that are set although this version does not have their feature: they are kept and do nothing. */
import type { Config } from '../config/index.ts';
import type { OpsFinding } from '../contract/ops/findings.ts';

/** Returns one finding for each feature, at the first of its settings that is set. */
export function laterFindings(config: Pick<Config, 'all'>): OpsFinding[] {
  const found = new Map<string, OpsFinding>();
  for (const { key, until, source, value, default: usual, type } of config.all()) {
    const isOff = type === 'boolean' && (value === 'false' || value === '0');
    if (until === undefined || found.has(until) || source === 'default' || value === (usual ?? '') || isOff) continue;
    found.set(until, {
      level: 'warning',
      code: 'feature-later',
      subject: until,
      sentence: 'This is configured, but this version does not have it yet. The setting is kept and has no effect.',
      values: { feature: until },
      setting: key,
    });
  }
  return [...found.values()];
}
