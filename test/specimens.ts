/**
 * Endpoints with every word that a declaration can say, for the tests that hold for all endpoints. The product does not
 * use each word yet; the tests run over its endpoints and these together, so a word is guarded before it is used.
 */
import { z } from 'zod';
import { endpoint, NOTHING } from '../src/contract/kernel/endpoint.ts';
import { MEDIA, PAGE, surface } from '../src/contract/kernel/surface.ts';
import { type Domain, domain } from '../src/domain.ts';
import { DOMAINS } from '../src/domains.ts';
import { implement, toPage } from '../src/http/handle.ts';

const KIB = 1024;
const owner = { role: 'owner', via: 'admin' } as const;
const viewer = { role: 'viewer', via: 'library' } as const;
const Name = z
  .string()
  .regex(/^[a-z]{1,16}$/)
  .meta({ description: 'A name.', examples: ['ada'] });
const Named = z.strictObject({ name: Name });
const At = z.strictObject({ session: Name });

/** A surface in the words of another protocol, which ignores fields that it does not know. */
const DIRECTORY_TYPE = 'application/scim+json';
const DIRECTORY = surface({
  name: 'directory',
  prefixes: ['/directory/v2'],
  isDocumented: true,
  failure: {
    type: DIRECTORY_TYPE,
    shape: z.strictObject({ status: z.string(), detail: z.string() }),
    body: ({ status, message }) => JSON.stringify({ status: String(status), detail: message }),
  },
  json: { accepts: [DIRECTORY_TYPE, 'application/json'], returns: DIRECTORY_TYPE },
  fields: { unknown: 'ignored', repeated: 'joined' },
  validators: 'weak',
});
/** A surface for events of devices, with methods that the API document cannot have. */
const EVENTING = surface({ name: 'eventing', prefixes: ['/eventing'] });

const specimens = {
  change: endpoint({
    method: 'PATCH',
    path: '/api/v1/specimens/name',
    summary: 'Change a name',
    access: owner,
    body: Named,
    result: Named,
  }),
  form: endpoint({
    method: 'POST',
    path: '/api/v1/specimens/form',
    summary: 'Send a form',
    access: viewer,
    takes: { form: 'urlencoded', maxBytes: 4 * KIB },
    body: Named,
    result: Named,
    reach: 'everywhere',
  }),
  picture: endpoint({
    method: 'PUT',
    path: '/api/v1/specimens/picture',
    summary: 'Send a picture',
    access: owner,
    takes: { form: 'bytes', maxBytes: 2 * KIB * KIB, types: ['image/png', 'image/webp'] },
    result: z.strictObject({ size: z.int().min(0) }),
  }),
  file: endpoint({
    method: 'GET',
    path: '/api/v1/specimens/file',
    summary: 'Get a file',
    access: viewer,
    result: { bytes: ['text/plain'], ranged: true },
  }),
  turn: endpoint({
    method: 'GET',
    path: '/api/v1/specimens/turn',
    summary: 'Go to a page',
    access: viewer,
    result: { redirect: ['home', 'account'] },
  }),
  leave: endpoint({
    method: 'GET',
    path: '/api/v1/specimens/leave',
    summary: 'Go to another server',
    access: viewer,
    sameOrigin: true,
    result: { departure: 'Address of another server.' },
  }),
  arrive: endpoint({
    method: 'POST',
    path: '/api/v1/specimens/arrive',
    summary: 'Come from another site',
    access: 'public',
    anyOrigin: true,
    takes: { form: 'urlencoded', maxBytes: 1024 },
    body: Named,
    result: { redirect: ['home'] },
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/v1/specimens/note',
    summary: 'Read a note',
    access: viewer,
    conditional: true,
    result: Named,
  }),
  write: endpoint({
    method: 'PUT',
    path: '/api/v1/specimens/note',
    summary: 'Write a note',
    access: owner,
    conditional: true,
    body: Named,
    result: Named,
  }),
  talk: endpoint({
    method: 'GET',
    path: '/api/v1/specimens/socket',
    summary: 'Talk',
    access: viewer,
    result: { socket: { receives: Named, sends: Named } },
  }),
  part: endpoint({
    method: 'GET',
    path: '/media/specimens/{session}',
    surface: MEDIA,
    summary: 'Get a part of a session',
    access: { role: 'viewer', via: 'stream', link: 'media', linkBy: 'session' },
    params: At,
    query: z.strictObject({ ticket: z.string().max(512).optional() }),
    result: Named,
  }),
  reader: endpoint({
    method: 'GET',
    path: '/specimens/reader',
    surface: PAGE,
    summary: 'A page with a frame',
    access: 'public',
    frames: true,
    result: { bytes: ['text/html; charset=utf-8'] },
  }),
  add: endpoint({
    method: 'POST',
    path: '/directory/v2/users',
    surface: DIRECTORY,
    summary: 'Add a user',
    access: owner,
    body: z.object({ name: Name }),
    result: Named,
    status: 201,
  }),
  user: endpoint({
    method: 'GET',
    path: '/directory/v2/users/{session}',
    surface: DIRECTORY,
    summary: 'Get a user',
    access: owner,
    conditional: true,
    params: At,
    result: Named,
  }),
  subscribe: endpoint({
    method: 'SUBSCRIBE',
    path: '/eventing/{session}',
    surface: EVENTING,
    summary: 'Subscribe to events',
    access: viewer,
    params: At,
    result: NOTHING,
  }),
  unsubscribe: endpoint({
    method: 'UNSUBSCRIBE',
    path: '/eventing/{session}',
    surface: EVENTING,
    summary: 'End a subscription',
    access: viewer,
    params: At,
    result: NOTHING,
  }),
};

const name = 'ada';
const specimensDomain = domain({
  name: 'specimens',
  uses: [],
  open: async () => ({
    door: {},
    routes: implement(specimens, {
      change: (given) => given,
      form: (given) => given,
      picture: (_, { bytes }) => ({ size: bytes.byteLength }),
      file: () => ({ type: 'text/plain', etag: 'one', bytes: Buffer.from('0123456789') }),
      turn: () => toPage('account'),
      leave: () => ({ address: new URL('https://elsewhere.example/in') }),
      arrive: () => toPage('home'),
      read: (_, { version }) => {
        version('one');
        return { name };
      },
      write: (given, { version, madeVersion }) => {
        version('one');
        madeVersion('one');
        return given;
      },
      talk: () => (peer) => ({ receive: (message) => peer.send(message) }),
      part: () => ({ name }),
      reader: () => ({ type: 'text/html; charset=utf-8', bytes: Buffer.from('<!doctype html>') }),
      add: (given) => ({ name: given.name }),
      user: (_, { version }) => {
        version('one');
        return { name };
      },
      subscribe: () => {},
      unsubscribe: () => {},
    }),
  }),
});

/** The domains of the server, and these endpoints. */
export const WITH_SPECIMENS: readonly Domain[] = [...DOMAINS, specimensDomain];
