/**
 * The identity provider as this server speaks to it: discovery, the address to send a browser to, the exchange of a
 * code for a verified ID token, logout tokens, and a check for Owners.
 *
 * `openid-client` checks the protocol, `jose` logout tokens, and `judge.ts` the claims. Everything that they fetch goes
 * through `lib/net`; only the issuer's own host may be at home. Both libraries are loaded with the first use.
 */
import type { Configuration, CustomFetch, ServerMetadata } from 'openid-client';
import type { Clock } from '../../../lib/clock.ts';
import type { Net } from '../../../lib/net.ts';
import { createDiscovery, fetchThrough, ISSUER_ALGORITHMS, ISSUER_TIMEOUT_MS } from './discovery.ts';
import { issuerFailure, issuerFaultOf, netFailureIn } from '../faults.ts';
import { OUTSIDE_SKEW_SECONDS, RefusedAnswer } from '../proof.ts';
import type { Claims } from './judge.ts';

const SCOPES = ['openid', 'profile', 'email'];

type Library = typeof import('openid-client');

export interface IssuerSettings {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  redirectUrl: string;
  claim: string;
}

/** Secrets of one flow that the issuer's answer has to match. */
export interface FlowSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

export interface Issuer {
  readonly settings: IssuerSettings;
  /** New secrets of a flow. */
  newSecrets(): Promise<FlowSecrets>;
  /**
   * Returns the address to send a browser to. `isFresh` asks for a new authentication. Throws `Failure('unavailable')`
   * with an `IssuerFault` if the issuer is away or cannot be used.
   */
  authorize(secrets: FlowSecrets, isFresh: boolean): Promise<URL>;
  /**
   * Exchanges what the browser brought back for the claims of a verified ID token. Throws `RefusedAnswer` or
   * `Failure('unavailable')`.
   */
  exchange(answer: URLSearchParams, secrets: FlowSecrets, isFresh: boolean): Promise<Claims>;
  /** Returns the claims of a logout token whose signature, issuer, audience and expiry hold. Throws as `exchange`. */
  verifyLogout(token: string): Promise<Claims>;
  /** Throws `Failure('unavailable')` with an `IssuerFault` if the issuer cannot be used with these settings. */
  check(): Promise<void>;
}

export function createIssuer({ net, clock, settings }: { net: Net; clock: Clock; settings: IssuerSettings }): Issuer {
  const { issuer, clientId, clientSecret, redirectUrl } = settings;
  const fetcher = fetchThrough(net, issuer);
  const library = () => import('openid-client');
  const discovery = createDiscovery({ clock, fetcher, issuer, clientId });
  let before: Configuration | undefined;

  /** The library's view of the issuer, by our clock. Keys that were read are handed on. */
  const configured = async (): Promise<{ oc: Library; config: Configuration }> => {
    const [oc, { metadata }] = await Promise.all([library(), discovery.read()]);
    const config = new oc.Configuration(
      metadata,
      clientId,
      {
        [oc.clockSkew]: Math.round((clock.now() - Date.now()) / 1000),
        [oc.clockTolerance]: OUTSIDE_SKEW_SECONDS,
      },
      clientAuthOf(oc, metadata, clientSecret),
    );
    config[oc.customFetch] = fetcher as CustomFetch;
    config.timeout = ISSUER_TIMEOUT_MS / 1000;
    if (issuer.startsWith('http:')) oc.allowInsecureRequests(config);
    // The library would trust the connection otherwise, and leave the signature of an ID token unread.
    oc.enableNonRepudiationChecks(config);
    const keys = before && oc.getJwksCache(before);
    if (keys) oc.setJwksCache(config, keys);
    before = config;
    return { oc, config };
  };

  return {
    settings,
    newSecrets: async () => {
      const oc = await library();
      return { state: oc.randomState(), nonce: oc.randomNonce(), verifier: oc.randomPKCECodeVerifier() };
    },
    authorize: async ({ state, nonce, verifier }, isFresh) => {
      const { oc, config } = await configured();
      const offered = config.serverMetadata().scopes_supported;
      return oc.buildAuthorizationUrl(config, {
        redirect_uri: new URL(redirectUrl).href,
        scope: SCOPES.filter((scope) => scope === 'openid' || !offered || offered.includes(scope)).join(' '),
        code_challenge: await oc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
        ...(isFresh && { max_age: '0', prompt: 'login' }),
      });
    },
    exchange: async (answer, { state, nonce, verifier }, isFresh) => {
      const { oc, config } = await configured();
      const returned = new URL(redirectUrl);
      returned.search = answer.toString();
      try {
        const tokens = await oc.authorizationCodeGrant(config, returned, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
          ...(isFresh && { maxAge: 0 }),
        });
        const claims = tokens.claims();
        if (!claims) throw new RefusedAnswer('no ID token');
        return claims;
      } catch (error) {
        if (netFailureIn(error)) throw issuerFaultOf(error);
        if (error instanceof RefusedAnswer) throw error;
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
        throw new RefusedAnswer(code, error);
      }
    },
    verifyLogout: async (token) => {
      const [jose, { keys }] = await Promise.all([import('jose'), discovery.read()]);
      try {
        const { payload, protectedHeader } = await jose.jwtVerify(token, keys, {
          issuer,
          audience: clientId,
          algorithms: ISSUER_ALGORITHMS,
          clockTolerance: OUTSIDE_SKEW_SECONDS,
          currentDate: new Date(clock.now()),
          requiredClaims: ['iat', 'exp', 'jti'],
        });
        const { typ } = protectedHeader;
        if (typ !== undefined && !/^(application\/)?logout\+jwt$/i.test(typ)) throw new RefusedAnswer('typ');
        return payload;
      } catch (error) {
        if (netFailureIn(error)) throw issuerFaultOf(error);
        throw error instanceof RefusedAnswer ? error : new RefusedAnswer('logout token', error);
      }
    },
    check: async () => {
      discovery.forget();
      const { oc, config } = await configured();
      const { keys } = await discovery.read();
      try {
        await keys.reload();
      } catch (error) {
        throw issuerFaultOf(error);
      }
      await checkClient(oc, config, settings);
    },
  };
}

/** Returns how this server shows its secret: as the provider prefers, in a header if it takes both. */
function clientAuthOf(
  oc: Library,
  { token_endpoint_auth_methods_supported }: ServerMetadata,
  secret: string | undefined,
) {
  if (secret === undefined) return oc.None();
  const methods = token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic') ? oc.ClientSecretBasic(secret) : oc.ClientSecretPost(secret);
}

/** Sends a code that was never given: a provider that refuses it has recognised the client. */
async function checkClient(oc: Library, config: Configuration, { redirectUrl, issuer }: IssuerSettings): Promise<void> {
  const returned = new URL(redirectUrl);
  returned.search = new URLSearchParams({ code: 'matinee-test', state: 's', iss: issuer }).toString();
  try {
    await oc.authorizationCodeGrant(config, returned, {
      expectedState: 's',
      pkceCodeVerifier: oc.randomPKCECodeVerifier(),
    });
  } catch (error) {
    if (netFailureIn(error)) throw issuerFaultOf(error);
    const refusal = refusalOf(error);
    if (refusal === 'invalid_grant' || refusal === 'invalid_request') return;
    throw issuerFailure(refusal === undefined ? 'issuer-broken' : 'issuer-client-refused', error);
  }
  throw issuerFailure('issuer-broken');
}

/** Returns the code with which a token endpoint refuses a request; undefined for any other error. */
function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('error' in error && typeof error.error === 'string') return error.error;
  return 'code' in error && error.code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' ? 'invalid_client' : undefined;
}
