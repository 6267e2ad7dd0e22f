/**
 * Sign-in through an identity provider: what has begun at the provider, and what becomes of its answer.
 *
 * The provider proves an identity, and only a link that a person has confirmed says which Profile that is: an unknown
 * identity makes nothing. The return is a navigation from another site, so the session's cookie is missing on it. What
 * needs a session is therefore bound to the one that began it, and a link waits until that one confirms it.
 *
 * All of this is the same for each protocol. What a protocol adds is its `OutsideProtocol`.
 */
import { randomBytes } from 'node:crypto';
import type { OutsideProtocolName } from '../../contract/identity/outside.ts';
import { Failure } from '../../lib/failure.ts';
import type { Core } from '../core.ts';
import type { CallerOrigin } from '../types.ts';
import { browserKey, createFlows } from './flows.ts';
import { createLinking, type Linking } from './linking.ts';
import { createLogout, type Logout } from './oidc/logout.ts';
import type { OidcProtocol, ProviderAnswer } from './oidc/protocol.ts';
import type { ProtocolParts } from './parts.ts';
import { ownMetadata } from './saml/metadata.ts';
import { ownAddresses, type SamlAnswer, type SamlProtocol } from './saml/protocol.ts';
import type { OutsideProtocol } from './protocol.ts';
import { createReturning, type Returning } from './returning.ts';
import { createOutsideSignIn, type OutsideSignIn } from './sign-in.ts';
import { createOutsideStepUp, type OutsideStepUp } from './step-up.ts';

/** Operations of one protocol. */
export interface OutsideWay<Answer> extends OutsideSignIn, OutsideStepUp, Linking {
  readonly returned: Returning<Answer>;
  /** Checks the provider for an Owner. Throws `Failure('unavailable')` with the reason. */
  test(): Promise<'works' | 'not-configured'>;
}

/** The protocols whose settings are complete. */
export interface OutsideProtocols {
  oidc: OidcProtocol | undefined;
  saml: SamlProtocol | undefined;
}

/** Operations of all protocols. */
export interface Outside {
  oidc: OutsideWay<ProviderAnswer> & Logout;
  saml: OutsideWay<SamlAnswer> & {
    /** Returns the metadata of this server. Fails as `missing` without a public address over https. */
    metadata(): string;
  };
}

/** Returns the protocol for a caller. Fails as `missing` without a provider, away from home, or without TLS. */
function offered<P extends Pick<OutsideProtocol<never, never>, 'returnsBy'>>(
  protocol: P | undefined,
  { network, isSecure }: CallerOrigin,
): P {
  if (!protocol || network === 'public' || (protocol.returnsBy === 'POST' && !isSecure)) throw notConfigured();
  return protocol;
}
const notConfigured = (): Failure =>
  new Failure('missing', 'sign-in through an identity provider is not set up here', {
    reason: 'outside-not-configured',
  });

function partsOf<Secrets, Answer>(
  core: Core,
  protocol: OutsideProtocol<Secrets, Answer> | undefined,
): ProtocolParts<Secrets, Answer> {
  const flows = createFlows<Secrets>(core);
  return {
    core,
    flows,
    protocol,
    providerFor: (from) => offered(protocol, from),
    begin: async ({ purpose, from, isFresh = false }) => {
      const at = offered(protocol, from);
      // A browser has one flow: the one it began before is over, also if this one cannot begin.
      flows.drop(from.flow === undefined ? undefined : browserKey(from.flow));
      const secrets = await at.newSecrets();
      const secret = randomBytes(32).toString('base64url');
      flows.begin(browserKey(secret), from, { stage: 'begun', purpose, secrets });
      try {
        return { address: await at.authorize(secrets, isFresh), secret, returnsBy: at.returnsBy };
      } catch (error) {
        flows.drop(browserKey(secret));
        throw error;
      }
    },
  };
}

function createWay<Secrets, Answer>(
  parts: ProtocolParts<Secrets, Answer>,
  name: OutsideProtocolName,
): OutsideWay<Answer> {
  const signIn = createOutsideSignIn(parts);
  const stepUp = createOutsideStepUp(parts);
  return {
    ...signIn,
    ...stepUp,
    ...createLinking(parts, name),
    returned: createReturning(parts, { signIn, stepUp }),
    test: async () => {
      if (!parts.protocol) return 'not-configured';
      await parts.protocol.check();
      return 'works';
    },
  };
}

export function createOutside(core: Core, { oidc, saml }: OutsideProtocols): Outside {
  return {
    oidc: {
      ...createWay(partsOf(core, oidc), 'oidc'),
      ...createLogout(core, (from) => offered(oidc, from).issuer),
    },
    saml: {
      ...createWay(partsOf(core, saml), 'saml'),
      metadata: () => ownMetadata(ownAddresses(core.config) ?? raise(notConfigured())),
    },
  };
}

function raise(failure: Failure): never {
  throw failure;
}
