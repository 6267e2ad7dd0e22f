/**
 * For tests: a SAML identity provider with pages, on this machine. It lets everyone sign in by a name, remembers the
 * browser until it is asked to authenticate again, and answers wrongly where a test twists its answers.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { systemClock } from '../../../lib/clock.ts';
import { createTestIdp, metadataOf, requestIn, type TestIdp } from './testing-idp.ts';

const page = (content: string): string =>
  `<!DOCTYPE html><html lang="en"><title>Stand-in provider</title><body>${content}</body></html>`;
/** Fields of the request are Base64 and an id, so they need no escapes. */
const signInPage = (search: string): string =>
  page(
    `<form method="post" action="/sso${search}"><label>Name <input name="name"></label>` +
      '<button>Sign in there</button></form>',
  );
const answerPage = (consumer: string, answer: string): string =>
  page(
    `<form method="post" action="${consumer}"><input type="hidden" name="SAMLResponse" value="${answer}">` +
      '<input type="hidden" name="RelayState" value="ignored"><button>Continue</button></form>' +
      '<script>document.forms[0].submit()</script>',
  );

export interface SamlTestProvider {
  idp: TestIdp;
  /** Address of its metadata, and the host that people see. */
  metadata: string;
  host: string;
}

/** Starts the provider. */
export async function startSamlProvider(t: Pick<TestContext, 'after'>): Promise<SamlTestProvider> {
  const idp = await createTestIdp({ ...systemClock, pass: () => {}, jump: () => {} });
  let host = '';
  const server = createServer((request, reply) => {
    const url = new URL(request.url ?? '/', `http://${host}`);
    const send = (type: string, text: string, headers: Record<string, string> = {}): void => {
      reply.writeHead(200, { 'content-type': type, ...headers }).end(text);
    };
    const answerAs = (name: string): void => {
      idp.signs({ as: name, name });
      const answer = idp.authorize(url).SAMLResponse;
      send('text/html', answerPage(requestIn(url).consumer, answer), { 'set-cookie': `person=${name}; Path=/` });
    };
    if (url.pathname === '/metadata') return send('application/samlmetadata+xml', idp.metadata().text);
    if (url.pathname !== '/sso') return void reply.writeHead(404).end();
    const remembered = /(?:^|; )person=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1];
    if (request.method !== 'POST')
      return remembered === undefined || requestIn(url).isForced
        ? send('text/html', signInPage(url.search))
        : answerAs(remembered);
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => void (body += part));
    request.on('end', () => answerAs((new URLSearchParams(body).get('name') ?? '').replaceAll(/[^\w-]/g, '')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  idp.metadata = () => ({ text: metadataOf([idp.keys.rsa.base64], { signOn: `http://${host}/sso` }) });
  return { idp, metadata: `http://${host}/metadata`, host };
}
