/** Configuration endpoints, each tied to the operation that does it. */
import { configuration } from '../contract/configuration.ts';
import type { Principal } from '../contract/principal.ts';
import { implement } from '../http/handle.ts';
import { Failure } from '../lib/failure.ts';
import type { Config } from './index.ts';

/** Settings that decide who gets in, and which programs run as the server: whoever may change them can become an Owner. */
const PERSON_ONLY = /^(security|auth|binaries|integrations\.(oidc|saml|scim|mcp)|remote)\./;

/** Throws `Failure('forbidden')` if an API key is about to change a setting that could outlive its revocation. */
function requirePerson(key: string, by: Principal): void {
  if (by.via !== 'session' && PERSON_ONLY.test(key)) throw new Failure('forbidden', 'an API key may not change this setting');
}

export const configRoutes = (config: Config) =>
  implement(configuration, {
    list: () => ({ settings: config.all() }),
    save: ({ key, value }, { by }) => {
      requirePerson(key, by);
      return config.save(key, value);
    },
    reset: ({ key }, { by }) => {
      requirePerson(key, by);
      return config.reset(key);
    },
  });
