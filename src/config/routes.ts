/** Configuration endpoints, each tied to the operation that does it. */
import { configuration } from '../contract/config/configuration.ts';
import type { Principal } from '../contract/kernel/principal.ts';
import { implement, type MountedEndpoint } from '../http/handle.ts';
import { Failure } from '../lib/failure.ts';
import type { Activity } from '../activity/index.ts';
import type { Config, RecordSetting } from './index.ts';

/** Throws `Failure('forbidden')` if an API key is about to change a setting that could outlive its revocation. */
function requirePerson(config: Config, key: string, by: Principal): void {
  if (by.via !== 'session' && config.isPersonOnly(key))
    throw new Failure('forbidden', 'an API key may not change this setting', { reason: 'key-not-allowed' });
}

export function configRoutes(config: Config, { recorded }: Pick<Activity, 'recorded'>): MountedEndpoint[] {
  const recording =
    (by: Principal): RecordSetting =>
    ({ key, isReset }) =>
      recorded({ kind: isReset ? 'setting-reset' : 'setting-changed', outcome: 'done', by, details: { key } });
  return implement(configuration, {
    list: () => ({ settings: config.all() }),
    save: ({ key, value }, { by }) => {
      requirePerson(config, key, by);
      return config.save(key, value, recording(by));
    },
    reset: ({ key }, { by }) => {
      requirePerson(config, key, by);
      return config.reset(key, recording(by));
    },
  });
}
