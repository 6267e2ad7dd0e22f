/**
 * The identity provider's description of itself: its document, reused for some minutes, and its keys. Fetched through
 * `lib/net`, with only the issuer's own host allowed to be at home.
 */
import type { createRemoteJWKSet } from 'jose';
import type { CustomFetch, ServerMetadata } from 'openid-client';
import type { Clock } from '../../../lib/clock.ts';
import type { Net } from '../../../lib/net.ts';
import { issuerFailure, issuerFaultOf } from '../faults.ts';

/** Signature algorithms that are accepted. Those with a shared secret would let a leaked one sign for anyone. */
export const ISSUER_ALGORITHMS = ['RS', 'PS', 'ES'].flatMap((kind) => ['256', '384', '512'].map((bits) => kind + bits));
ISSUER_ALGORITHMS.push('EdDSA', 'Ed25519');
const MAX_REPLY_BYTES = 256 * 1024;
export const ISSUER_TIMEOUT_MS = 10_000;
/** Time for which a discovery document is reused: an issuer that is away is noticed before a browser is sent there. */
const DISCOVERY_MS = 5 * 60_000;
/** Time for which a failed discovery is reused: a page that anyone may open must not ask the issuer each time. */
const FAILED_MS = 5_000;
/** An unknown key makes the keys be read again at most this often. */
const KEYS_COOLDOWN_MS = 60_000;

/** Options with which both libraries fetch. */
interface FetchOptions {
  method: string;
  headers: Headers | Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
}

/** A fetch of the libraries by way of `lib/net`. Only the issuer's own host may be at home or on this machine. */
export function fetchThrough(net: Net, issuer: string) {
  const own = new URL(issuer).hostname;
  return async (url: string, { method, headers, body, signal }: FetchOptions): Promise<Response> => {
    const isOwn = new URL(url).hostname === own;
    const reply = await net.request(
      {
        url,
        method: method === 'POST' ? 'POST' : 'GET',
        headers: Object.fromEntries(
          [...new Headers(headers)].filter(([name]) => name !== 'user-agent' && name !== 'accept-encoding'),
        ),
        ...(body !== undefined && body !== null && { body: String(body as string | URLSearchParams) }),
        allowLoopback: isOwn,
        allowHome: isOwn,
        maxBytes: MAX_REPLY_BYTES,
        timeoutMs: ISSUER_TIMEOUT_MS,
      },
      signal,
    );
    const hasBody = reply.status >= 200 && reply.status !== 204 && reply.status !== 304;
    return new Response(hasBody ? new Uint8Array(reply.bytes) : null, {
      status: Math.max(200, reply.status),
      headers: reply.headers,
    });
  };
}

/** Refuses metadata with which no sign-in could be trusted, and returns it with the algorithms that are accepted. */
function usable(metadata: ServerMetadata, issuer: string): ServerMetadata {
  if (metadata.issuer !== issuer) throw issuerFailure('issuer-renamed');
  const isPlain = issuer.startsWith('http:');
  const isAddress = (url: unknown): boolean =>
    typeof url === 'string' && (/^https:\/\/[^/?#]/.test(url) || (isPlain && /^http:\/\/[^/?#]/.test(url)));
  const { authorization_endpoint: authorize, token_endpoint: token, jwks_uri: keys } = metadata;
  const algorithms = (metadata.id_token_signing_alg_values_supported ?? ['RS256']).filter((one) =>
    ISSUER_ALGORITHMS.includes(one),
  );
  const lacks = (offered: unknown, needed: string): boolean => Array.isArray(offered) && !offered.includes(needed);
  if (
    ![authorize, token, keys].every(isAddress) ||
    algorithms.length === 0 ||
    lacks(metadata.code_challenge_methods_supported, 'S256') ||
    lacks(metadata.response_types_supported, 'code')
  )
    throw issuerFailure('issuer-unsupported');
  return { ...metadata, id_token_signing_alg_values_supported: algorithms };
}

/** The document of an issuer, and its keys. */
export interface IssuerMetadata {
  metadata: ServerMetadata;
  keys: ReturnType<typeof createRemoteJWKSet>;
}

export interface Discovery {
  /** Throws `Failure('unavailable')` with an `IssuerFault`. */
  read(): Promise<IssuerMetadata>;
  /** Makes the next reading ask the issuer. */
  forget(): void;
}

export function createDiscovery({
  clock,
  fetcher,
  issuer,
  clientId,
}: {
  clock: Clock;
  fetcher: ReturnType<typeof fetchThrough>;
  issuer: string;
  clientId: string;
}): Discovery {
  let kept: { found: Promise<IssuerMetadata>; until: number } | undefined;

  const discover = async (): Promise<IssuerMetadata> => {
    const [oc, jose] = await Promise.all([import('openid-client'), import('jose')]);
    try {
      const found = await oc.discovery(new URL(issuer), clientId, undefined, oc.None(), {
        timeout: ISSUER_TIMEOUT_MS / 1000,
        [oc.customFetch]: fetcher as CustomFetch,
        ...(issuer.startsWith('http:') && { execute: [oc.allowInsecureRequests] }),
      });
      const metadata = usable({ ...found.serverMetadata() }, issuer);
      const keys = jose.createRemoteJWKSet(new URL(metadata.jwks_uri ?? issuer), {
        cooldownDuration: KEYS_COOLDOWN_MS,
        cacheMaxAge: DISCOVERY_MS,
        timeoutDuration: ISSUER_TIMEOUT_MS,
        [jose.customFetch]: fetcher,
      });
      return { metadata, keys };
    } catch (error) {
      // The document names another issuer than the settings.
      if (error instanceof Error && 'code' in error && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')
        throw issuerFailure('issuer-renamed', error);
      throw issuerFaultOf(error);
    }
  };
  /** Discovers at most once at a time, and believes the result for some minutes, a failure for some seconds. */
  const read = (): Promise<IssuerMetadata> => {
    if (kept && clock.monotonic() < kept.until) return kept.found;
    const mine = { found: discover(), until: clock.monotonic() + DISCOVERY_MS };
    kept = mine;
    mine.found.catch(() => void (mine.until = clock.monotonic() + FAILED_MS));
    return mine.found;
  };

  return { read, forget: () => void (kept = undefined) };
}
