/** Configuration endpoints, each tied to the operation that does it. */
import { configuration } from '../contract/configuration.ts';
import { implement } from '../http/handle.ts';
import type { Config } from './index.ts';

export const configRoutes = (config: Config) =>
  implement(configuration, {
    list: () => ({ settings: config.all() }),
    save: ({ key, value }) => config.save(key, value),
    reset: ({ key }) => config.reset(key),
  });
