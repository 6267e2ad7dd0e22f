/** OpenID Connect as a protocol of sign-in through others, with the provider of the settings. */
import type { Net } from '../../../lib/net.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Settings } from '../../core.ts';
import type { OutsideProtocol } from '../protocol.ts';
import { createIssuer, type FlowSecrets, type Issuer, type IssuerSettings } from './issuer.ts';
import { judgeClaims } from './judge.ts';

/** Parameters that the provider adds to the address to which it sends the browser back. */
export type ProviderAnswer = { [name in 'code' | 'state' | 'iss' | 'error']?: string | undefined };

export interface OidcProtocol extends OutsideProtocol<FlowSecrets, ProviderAnswer> {
  readonly issuer: Issuer;
}

/** Returns the settings of the provider, once they are complete. */
function settingsOf(config: Settings): IssuerSettings | undefined {
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

/** Returns the protocol; undefined unless its settings are complete. They take effect at a start and are read once. */
export function createOidcProtocol({
  net,
  clock,
  config,
}: {
  net: Net;
  clock: Clock;
  config: Settings;
}): OidcProtocol | undefined {
  const settings = settingsOf(config);
  if (!settings) return undefined;
  const { issuer: name, claim, redirectUrl } = settings;
  const issuer = createIssuer({ net, clock, settings });
  return {
    name: 'oidc',
    host: new URL(name).host,
    origin: new URL(redirectUrl).origin,
    returnsBy: 'GET',
    issuer,
    identifiers: () => ({ issuer: name, claim }),
    newSecrets: issuer.newSecrets,
    authorize: issuer.authorize,
    prove: async ({ code, state, iss, error }, secrets, isFresh) => {
      const given = Object.entries({ code, state, iss, error }).flatMap(([parameter, value]) =>
        value === undefined ? [] : [[parameter, value]],
      );
      const claims = await issuer.exchange(new URLSearchParams(given), secrets, isFresh);
      return judgeClaims(claims, { issuer: name, claim, now: clock.now(), isFresh });
    },
    check: issuer.check,
    findings: () =>
      claim === 'email'
        ? [
            {
              level: 'warning',
              code: 'outside-identity-email',
              subject: 'Signing in',
              sentence:
                'People are recognised by their e-mail address at the identity provider. Addresses change hands: ' +
                'choose a value that stays with one person.',
              values: {},
              setting: 'integrations.oidc.identity_claim',
            },
          ]
        : [],
  };
}
