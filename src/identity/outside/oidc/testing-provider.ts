/** For tests: `oidc-provider`, an independent identity provider, on this machine. It accepts every password. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import Provider from 'oidc-provider';

/** The client that it knows. */
export const TEST_CLIENT = { id: 'matinee', secret: 'a secret of the client' } as const;

async function listening(t: Pick<TestContext, 'after'>, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Starts the provider, and returns its issuer. `loggedOut` receives the logout tokens that it sends. */
export async function startTestProvider(
  t: Pick<TestContext, 'after'>,
  { redirect, loggedOut = () => {} }: { redirect: string; loggedOut?: (token: string) => void },
): Promise<string> {
  const back = createServer((request, reply) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => void (body += part));
    request.on('end', () => {
      loggedOut(new URLSearchParams(body).get('logout_token') ?? '');
      reply.end();
    });
  });
  const backPort = await listening(t, back);
  // The provider has to know its address, so it is made when its server listens.
  const server = createServer();
  const issuer = `http://127.0.0.1:${await listening(t, server)}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: TEST_CLIENT.id,
        client_secret: TEST_CLIENT.secret,
        redirect_uris: [redirect],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        backchannel_logout_uri: `http://127.0.0.1:${backPort}/oidc/backchannel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    cookies: { keys: ['k'] },
    features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    pkce: { required: () => true },
    fetch: (url: string, { dispatcher: _, ...options }: RequestInit & { dispatcher?: unknown }) => fetch(url, options),
  });
  const respond = provider.callback();
  server.on('request', (request, reply) => void respond(request, reply));
  return issuer;
}
