/** Code that must not compile. The type checker is the test: an expectation that is not needed is an error. */
import { z } from 'zod';
import { api } from '../src/contract/api.ts';
import { identityFindings } from '../src/contract/identity/findings.ts';
import { createClient, routesOf } from '../src/contract/kernel/client.ts';
import { endpoint } from '../src/contract/kernel/endpoint.ts';
import { createKinds } from '../src/catalog/core/registry.ts';
import { catalogDomain } from '../src/catalog/domain.ts';
import { opsFindings } from '../src/contract/ops/findings.ts';
import { film } from '../src/catalog/kinds/film/index.ts';
import { clip, photo } from '../src/catalog/kinds/photo/index.ts';
import { audiobook } from '../src/catalog/kinds/audiobook/index.ts';
import { album } from '../src/catalog/kinds/music/index.ts';
import { series } from '../src/catalog/kinds/book/index.ts';
import { show } from '../src/catalog/kinds/show/index.ts';
import { domain } from '../src/domain.ts';
import { implement, toPage } from '../src/http/handle.ts';
import { Failure, found } from '../src/lib/failure.ts';

const HEAD = { method: 'GET', path: '/api/v1/a', summary: 'a' } as const;
const result = z.strictObject({});

// @ts-expect-error an endpoint without access
endpoint({ ...HEAD, result });
// @ts-expect-error a role alone, without a sign-in method
endpoint({ ...HEAD, access: { role: 'owner' }, result });
// @ts-expect-error a scope that does not exist
endpoint({ ...HEAD, access: { role: 'owner', via: 'root' }, result });
// @ts-expect-error a link for a purpose that does not exist
endpoint({ ...HEAD, access: { role: 'viewer', via: 'stream', link: 'anything' }, result });
// @ts-expect-error a failure that is not in the vocabulary
endpoint({ ...HEAD, access: 'public', result, fails: ['teapot'] });
// @ts-expect-error a reason that no table declares
endpoint({ ...HEAD, access: 'public', result, fails: ['tea-time'] });
// @ts-expect-error a listener that does not exist
endpoint({ ...HEAD, access: 'public', result, reach: 'public' });
// @ts-expect-error a body of a form that is not read
endpoint({ ...HEAD, method: 'POST', access: 'public', result, takes: { form: 'xml', maxBytes: 1 } });
// @ts-expect-error bytes of any content type
endpoint({ ...HEAD, method: 'POST', access: 'public', result, takes: { form: 'bytes', maxBytes: 1, types: [] } });
// @ts-expect-error a redirect to an address
endpoint({ ...HEAD, access: 'public', result: { redirect: ['https://elsewhere.example/'] } });
// @ts-expect-error an endpoint without a result
endpoint({ ...HEAD, access: 'public' });

const one = { ask: endpoint({ ...HEAD, access: 'public', result: z.strictObject({ n: z.int() }) }) };
implement(one, { ask: () => ({ n: 1 }) });
// @ts-expect-error a handler is missing
implement(one, {});
// @ts-expect-error a handler for nothing
implement(one, { ask: () => ({ n: 1 }), more: () => ({ n: 1 }) });
// @ts-expect-error a result of another shape
implement(one, { ask: () => ({ m: 1 }) });
// @ts-expect-error an input that the endpoint does not declare
implement(one, { ask: ({ id }) => ({ n: id }) });

const turn = { go: endpoint({ ...HEAD, access: 'public', result: { redirect: ['home', 'signIn'] } }) };
implement(turn, { go: () => toPage('signIn', { query: { reason: 'outside-unknown' } }) });
// @ts-expect-error a page that this redirect does not declare
implement(turn, { go: () => toPage('account') });

const call = createClient(routesOf(api));
export const fine = () => call.subtitles.fetch({ id: 'x', language: 'en' }).then(({ evidence }) => evidence);
// @ts-expect-error a field is missing
export const short = () => call.subtitles.fetch({ language: 'en' });
// @ts-expect-error a field too many
export const long = () => call.subtitles.fetch({ id: 'x', lang: 'en' });
// @ts-expect-error a value of another type
export const wrong = () => call.catalog.item({ id: 1 });
// @ts-expect-error a call that does not exist
export const unknown = () => call.catalog.items({});

const name = 'x';
domain({ name, uses: [catalogDomain], open: async (_, { catalog }) => ({ door: catalog.background }) });
// @ts-expect-error a door of a domain that is not used
domain({ name, uses: [], open: async (_, { catalog }) => ({ door: catalog }) });
// @ts-expect-error a member that a door does not have
domain({ name, uses: [catalogDomain], open: async (_, { catalog }) => ({ door: catalog.everything }) });
// @ts-expect-error a domain that cannot be opened
domain({ name, uses: [] });
// @ts-expect-error a program without the setting that names it
domain({ name, uses: [], programs: [{ feature: 'x', isNeeded: true }], open: async () => ({ door: 1 }) });

const noOwner = { level: 'ok', code: 'no-owner-yet', subject: 'x', sentence: 'x', values: {} } as const;
const findings = identityFindings;
domain({ name, uses: [], findings, open: async () => ({ door: 1, findings: () => [noOwner] }) });
// @ts-expect-error a finding of another domain
domain({ name, uses: [], findings: opsFindings, open: async () => ({ door: 1, findings: () => [noOwner] }) });
const owners = { ...noOwner, code: 'owners-without-second-factor' } as const;
// @ts-expect-error a finding without its values
domain({ name, uses: [], findings, open: async () => ({ door: 1, findings: () => [owners] }) });

export const nameTaken = () => new Failure('conflict', 'another profile has this name', { reason: 'name-taken' });
// @ts-expect-error a reason that no table declares
export const made = () => new Failure('conflict', 'another profile has this name', { reason: 'name-is-taken' });
// @ts-expect-error a reason of another kind
export const other = () => new Failure('invalid', 'another profile has this name', { reason: 'name-taken' });
// @ts-expect-error a member that no error has
export const member = () => new Failure('conflict', 'another profile has this name', { name: 'Ada' });
// @ts-expect-error what is not there fails as missing
export const notThere = () => found(undefined, 'no such profile', 'name-taken');

const registered = { movie: film, show, album, audiobook, series, photo, video: clip };
createKinds(registered);
// @ts-expect-error a kind that a library holds, and that is not registered
createKinds({ movie: film, show });
// @ts-expect-error a kind that no library holds
createKinds({ ...registered, artist: film });
// @ts-expect-error a kind without its orders
createKinds({ ...registered, movie: { placement: film.placement, facets: film.facets, rows: film.rows } });
// @ts-expect-error a show without its seasons
createKinds({ ...registered, show: { ...show, rows: { show: show.rows.show, episode: show.rows.episode } } });
const { counts: _counts, ...uncounted } = show.rows.show;
// @ts-expect-error a group whose cards count nothing
createKinds({ ...registered, show: { ...show, rows: { ...show.rows, show: uncounted } } });

const picture = endpoint({
  method: 'PUT',
  path: '/api/v1/x',
  summary: 'a',
  access: 'public',
  takes: { form: 'bytes', maxBytes: 1, types: ['image/png'] },
  conditional: true,
  result: z.strictObject({ n: z.int() }),
});
const uploads = createClient(routesOf({ group: { picture } })).group;
const bytes = new Uint8Array();
export const sent = () => uploads.picture({ bytes, contentType: 'image/png', ifMatch: '"a"' }).then(({ etag }) => etag);
// @ts-expect-error a content type that the endpoint does not take
export const typed = () => uploads.picture({ bytes, contentType: 'text/html' });
// @ts-expect-error bytes are missing
export const empty = () => uploads.picture({ contentType: 'image/png' });
// @ts-expect-error a value that may not have changed
export const stale = () => uploads.picture({ bytes, contentType: 'image/png' }).then(({ value }) => value);
// @ts-expect-error an operation without versions
export const versions = () => call.catalog.item({ id: 'x', ifMatch: '"a"' });
const socket = {
  talk: endpoint({
    ...HEAD,
    access: 'public',
    result: { socket: { receives: z.strictObject({ a: z.string() }), sends: z.strictObject({ b: z.int() }) } },
  }),
};
implement(socket, { talk: () => (peer) => ({ receive: ({ a }) => peer.send({ b: a.length }) }) });
// @ts-expect-error a message of another shape
implement(socket, { talk: () => (peer) => ({ receive: ({ a }) => peer.send({ b: a }) }) });
