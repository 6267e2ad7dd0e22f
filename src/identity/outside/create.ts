/**
 * Sign-in through an identity provider: what has begun at the provider, and what becomes of its answer.
 *
 * The provider proves an identity, and only a link that a person has confirmed says which Profile that is: an unknown
 * identity makes nothing. The return is a navigation from another site, so the session's cookie is missing on it. What
 * needs a session is therefore bound to the one that began it, and a link waits until that one confirms it.
 */
import { randomBytes } from 'node:crypto';
import { Failure } from '../../lib/failure.ts';
import type { Net } from '../../lib/net.ts';
import type { Core } from '../core.ts';
import type { CallerOrigin } from '../types.ts';
import { browserKey, createFlows } from './flows.ts';
import { createIssuer, type Issuer, type IssuerSettings } from './issuer.ts';
import { createLinking, type Linking } from './linking.ts';
import { createLogout, type Logout } from './logout.ts';
import type { OutsideParts } from './parts.ts';
import { createReturning, type Returning } from './returning.ts';
import { createOutsideSignIn, type OutsideSignIn } from './sign-in.ts';
import { createOutsideStepUp, type OutsideStepUp } from './step-up.ts';

export interface Outside extends OutsideSignIn, OutsideStepUp, Linking, Logout {
  /** Settings of the provider that is in use; undefined if they are not complete. */
  readonly settings: IssuerSettings | undefined;
  readonly returned: Returning;
  /** Checks the provider for an Owner. Throws `Failure('unavailable')` with the reason. */
  test(): Promise<'works' | 'not-configured'>;
}

/** Returns the settings of the provider, once they are complete. */
function settingsOf({ config }: Core): IssuerSettings | undefined {
  const [issuer, clientId, redirectUrl] = [
    config.get('integrations.oidc.issuer'),
    config.get('integrations.oidc.client_id'),
    config.get('integrations.oidc.redirect_url'),
  ];
  if (issuer === undefined || clientId === undefined || redirectUrl === undefined) return undefined;
  return {
    issuer,
    clientId,
    clientSecret: config.get('integrations.oidc.client_secret'),
    redirectUrl,
    claim: config.get('integrations.oidc.identity_claim'),
  };
}

export function createOutside(core: Core, net: Net): Outside {
  const { clock } = core;
  // Its settings take effect at a start, so they are read once.
  const settings = settingsOf(core);
  const issuer = settings && createIssuer({ net, clock, settings });
  const flows = createFlows(core);
  const issuerFor = (from: CallerOrigin): Issuer => {
    if (!issuer || from.network === 'public')
      throw new Failure('missing', 'sign-in through an identity provider is not set up here', {
        reason: 'outside-not-configured',
      });
    return issuer;
  };
  const parts: OutsideParts = {
    core,
    flows,
    issuerFor,
    begin: async ({ purpose, from, isFresh = false }) => {
      const at = issuerFor(from);
      // A browser has one flow: the one it began before is over, also if this one cannot begin.
      flows.drop(from.flow === undefined ? undefined : browserKey(from.flow));
      const secrets = await at.newSecrets();
      const secret = randomBytes(32).toString('base64url');
      flows.begin(browserKey(secret), from.address, { stage: 'begun', purpose, ...secrets });
      try {
        return { address: await at.authorize(secrets, isFresh), secret };
      } catch (error) {
        flows.drop(browserKey(secret));
        throw error;
      }
    },
  };
  const signIn = createOutsideSignIn(parts);
  const stepUp = createOutsideStepUp(parts);

  return {
    settings,
    ...signIn,
    ...stepUp,
    ...createLinking(parts),
    ...createLogout(parts),
    returned: createReturning(parts, { signIn, stepUp }),
    test: async () => {
      if (!issuer) return 'not-configured';
      await issuer.check();
      return 'works';
    },
  };
}
