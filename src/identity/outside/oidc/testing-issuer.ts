/**
 * For tests: an identity provider made with `jose` that can reply wrongly in any way, behind a network that
 * leads to it alone.
 *
 * It keeps to the protocol unless a test twists a part of its answer: the code is good once, the verifier has to match
 * the challenge, and the client secret has to be right.
 */
import { createHash, randomBytes } from 'node:crypto';
import * as jose from 'jose';
import type { Net, NetReply } from '../../../lib/net.ts';
import type { World } from '../../testing-world.ts';

export const ISSUER = 'https://id.example.org';
export const CLIENT = 'matinee';
const SECRET = 'a secret of the client';
export const REDIRECT = 'https://media.example.org/oidc/callback';

type Json = Record<string, unknown>;
/** Changes that a test makes to a reply. Parts that are left out are as they should be. */
export interface Twist {
  claims?: (claims: Json) => Json;
  header?: (header: Json) => Json;
  /** Makes the ID token, instead of signing it with the key of the issuer. */
  sign?: (claims: Json, header: Json, issuer: TestIssuer) => Promise<string> | string;
  token?: (idToken: string) => Partial<NetReply> & { json?: Json };
  /** Changes what the browser brings back. */
  callback?: (answer: URLSearchParams) => void;
  discovery?: (document: Json) => Json;
  keys?: (keys: jose.JWK[]) => unknown;
}

export interface TestIssuer {
  protocol: 'oidc';
  net: Net;
  twist: Twist;
  /** Addresses that were asked for. */
  asked: string[];
  /** Identity that signs in next. */
  person: Json;
  keys: Record<'RS256' | 'ES256' | 'EdDSA', jose.GenerateKeyPairResult>;
  /** Says who signs in next. */
  signs(given: { as: string; name?: string; at?: number; isStrong?: boolean }): void;
  now(): number;
  /** Signs in at the address where a browser was sent; returns what it brings back. */
  authorize(address: URL): URLSearchParams;
  sign(claims: Json, header?: Json): Promise<string>;
  /** Signs a logout token. */
  logoutToken(claims?: Json, header?: Json): Promise<string>;
}

const seconds = (ms: number): number => Math.floor(ms / 1000);

const reply = (json: unknown, status = 200): NetReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  bytes: Buffer.from(JSON.stringify(json)),
});
const discovery = (): Json => ({
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize?tenant=home`,
  token_endpoint: `${ISSUER}/token`,
  jwks_uri: `${ISSUER}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  code_challenge_methods_supported: ['S256'],
  id_token_signing_alg_values_supported: ['RS256', 'ES256', 'EdDSA', 'HS256', 'none'],
  authorization_response_iss_parameter_supported: true,
});

export async function createTestIssuer(clock: World['clock']): Promise<TestIssuer> {
  const keys = {
    RS256: await jose.generateKeyPair('RS256', { extractable: true }),
    ES256: await jose.generateKeyPair('ES256', { extractable: true }),
    EdDSA: await jose.generateKeyPair('EdDSA', { extractable: true }),
  };
  const codes = new Map<string, { nonce: string; challenge: string; fresh: boolean; redirect: string }>();
  const publicKeys = await Promise.all(
    Object.entries(keys).map(async ([alg, { publicKey }]) => ({
      ...(await jose.exportJWK(publicKey)),
      kid: alg,
      alg,
      use: 'sig',
    })),
  );
  const issueToken = async (body: URLSearchParams, authorization: string | undefined): Promise<NetReply> => {
    const code = body.get('code') ?? '';
    const given = codes.get(code);
    const secret = encodeURIComponent(SECRET).replaceAll('%20', '+');
    const client = `Basic ${Buffer.from(`${CLIENT}:${secret}`).toString('base64')}`;
    if (authorization !== client) return reply({ error: 'invalid_client' }, 401);
    codes.delete(code);
    const verifier = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    if (given?.challenge !== verifier || body.get('redirect_uri') !== given.redirect)
      return reply({ error: 'invalid_grant' }, 400);
    const at = seconds(issuer.now());
    const { twist } = issuer;
    const plain = { iss: ISSUER, aud: CLIENT, iat: at, exp: at + 300, auth_time: at, nonce: given.nonce, sid: 'sid-1' };
    const claims = { ...plain, ...issuer.person };
    const [twisted, header] = [twist.claims?.(claims) ?? claims, twist.header?.({ alg: 'RS256', kid: 'RS256' })];
    const idToken = await (twist.sign?.(twisted, header ?? { alg: 'RS256', kid: 'RS256' }, issuer) ??
      issuer.sign(twisted, header));
    const whole = { access_token: 'at', token_type: 'Bearer', id_token: idToken };
    const { json, ...rest } = twist.token?.(idToken) ?? {};
    return { ...reply(json ?? whole), ...rest };
  };

  const issuer: TestIssuer = {
    protocol: 'oidc',
    signs: ({ as, name, at, isStrong = false }) => {
      issuer.person = {
        sub: as,
        ...(name !== undefined && { name }),
        ...(at !== undefined && { auth_time: seconds(at) }),
        ...(isStrong && { amr: ['mfa'] }),
      };
    },
    twist: {},
    asked: [],
    person: { sub: 'vic-1', name: 'Vic Vega' },
    keys,
    now: () => clock.now(),
    authorize: (address) => {
      const asked = address.searchParams;
      const code = randomBytes(8).toString('hex');
      codes.set(code, {
        nonce: asked.get('nonce') ?? '',
        challenge: asked.get('code_challenge') ?? '',
        fresh: asked.get('max_age') === '0',
        redirect: asked.get('redirect_uri') ?? '',
      });
      const answer = new URLSearchParams({ code, state: asked.get('state') ?? '', iss: ISSUER });
      issuer.twist.callback?.(answer);
      return answer;
    },
    sign: (claims, header = { alg: 'RS256', kid: 'RS256' }) =>
      new jose.SignJWT(claims)
        .setProtectedHeader(header as jose.JWTHeaderParameters)
        .sign(keys[header['alg'] as 'RS256'].privateKey),
    logoutToken: (claims = {}, header = {}) => {
      const at = seconds(clock.now());
      const whole: Json = {
        iss: ISSUER,
        aud: CLIENT,
        iat: at,
        exp: at + 120,
        jti: randomBytes(8).toString('hex'),
        sub: 'vic-1',
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        ...claims,
      };
      return issuer.sign(whole, { alg: 'RS256', kid: 'RS256', typ: 'logout+jwt', ...header });
    },
    net: {
      close: async () => {},
      request: async ({ url, body, headers }) => {
        const { pathname, href } = new URL(url);
        issuer.asked.push(href);
        const { twist } = issuer;
        if (pathname === '/.well-known/openid-configuration')
          return reply(twist.discovery?.(discovery()) ?? discovery());
        if (pathname === '/keys') return reply(twist.keys?.(publicKeys) ?? { keys: publicKeys });
        if (pathname === '/token') return issueToken(new URLSearchParams(String(body)), headers?.['authorization']);
        return reply({ error: 'not_found' }, 404);
      },
    },
  };
  return issuer;
}

/** The settings of a world whose identity provider this is. */
export const outsideSettings = (more: Readonly<Record<string, unknown>> = {}): Map<string, unknown> =>
  new Map<string, unknown>([
    ['security.require_mfa', false],
    ['server.name', 'Home'],
    ['logging.audit_retention', 365 * 86_400_000],
    ['integrations.oidc.issuer', ISSUER],
    ['integrations.oidc.client_id', CLIENT],
    ['integrations.oidc.client_secret', SECRET],
    ['integrations.oidc.redirect_url', REDIRECT],
    ['integrations.oidc.identity_claim', 'sub'],
    ...Object.entries(more),
  ]);
