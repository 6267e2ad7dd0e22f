/**
 * Asks the whole server, as its Owner and others, every request that can be made from its own OpenAPI document, which
 * includes the specimens: the right ones, and those that are wrong in one respect. Whatever it replies must be declared
 * there.
 *
 * One household for all of it, a fixed seed, and a bounded number of requests. `CHANCE=random` draws others.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { after, before, test, type TestContext } from 'node:test';
import { SCOPES } from '../src/contract/kernel/endpoint.ts';
import { ownKindsOf } from '../src/http/reasons.ts';
import { createNet } from '../src/lib/net.ts';
import { chance, SEED } from './chance.ts';
import {
  CANARY,
  type Document,
  type Making,
  type Route,
  routesOf,
  type Sample,
  samplesOf,
  typeOf,
} from './fuzz/requests.ts';
import { faults, type NamedSchema } from './fuzz/schema.ts';
import { WITH_SPECIMENS } from './specimens.ts';
import { startStandIns } from './stand-ins/index.ts';
import { makeVideo } from './subtitles/world.ts';
import { until } from './until.ts';
import { PASSWORD, type Who, type World, startWorld } from './world.ts';

/** Right requests that are drawn for each route, next to the smallest one and the document's example. */
const DRAWS = 12;
/** No request may take longer, however busy the machine is. */
const HANG_MS = 30_000;
const SRT =
  '1\n00:00:01,000 --> 00:00:02,000\nHello there, my old friend.\n\n2\n00:00:05,000 --> 00:00:07,000\n' +
  'It has been a long time.\n';
const FILM = 'Asked.2001.1080p.BluRay.x264-GHOUL';

interface House {
  world: World;
  document: Document;
  owner: () => Promise<Who>;
  others: Record<string, Who>;
  /** Ids of what is there, by the first part of the path. */
  ids: Record<string, string>;
}
let house: House;
const closing: (() => unknown)[] = [];

before(async () => {
  house = await openHouse({ after: (close: () => unknown) => void closing.push(close) } as unknown as TestContext);
});
after(async () => {
  // One that fails must not keep the others, and with them this process, open.
  const ends: PromiseSettledResult<unknown>[] = [];
  for (const close of closing.toReversed()) ends.push(...(await Promise.allSettled([close()])));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
});

/** Starts a server with a film, an episode and a provider. */
async function startHouse(t: Pick<TestContext, 'after'>): Promise<World> {
  const standIns = await startStandIns({
    fixtures: {
      items: [
        {
          kind: 'movie',
          title: 'Asked',
          year: 2001,
          imdb: 'tt0000001',
          duration: 60,
          subtitles: [{ language: 'en', releases: [FILM], trusted: true }],
        },
      ],
    },
  });
  const net = createNet({ version: '0.0.0' });
  t.after(() => Promise.all([standIns.close(), net.close()]));
  return startWorld(t, {
    net,
    domains: WITH_SPECIMENS,
    env: { SERVICE_REQUIRE_MFA: 'false', SERVICE_SUBTITLE_LANGUAGE: 'en', ...standIns.environment },
    fill: async (media) => {
      await makeVideo(join(media, 'Asked (2001) {imdb-tt0000001}', `${FILM}.mkv`), {
        hasSound: true,
        texts: [{ srt: SRT, language: 'fr' }],
      });
      await writeFile(join(media, 'Asked (2001) {imdb-tt0000001}', `${FILM}.de.srt`), SRT);
      await makeVideo(join(media, 'The Pier', 'Season 01', 'The Pier S01E01.mkv'));
    },
  });
}

async function openHouse(t: Pick<TestContext, 'after'>): Promise<House> {
  const one = await startHouse(t);
  const { call } = one;
  let token = String(
    (await call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD })).body['token'],
  );
  let networks = 0;
  /**
   * The Owner's session, opened again when a request has closed it: from another address, because failures slow one
   * down.
   */
  const owner = async (): Promise<Who> => {
    if ((await call({ token }, 'GET', '/api/v1/session')).status === 200) return { token };
    const payload = { name: 'Ada', password: PASSWORD };
    const again = await one.http.server.inject({
      method: 'POST',
      url: '/api/v1/session',
      remoteAddress: `10.0.${++networks}.1`,
      headers: { host: 'localhost' },
      payload,
    });
    assert.equal(again.statusCode, 201, again.payload);
    token = String((again.json() as { token: string }).token);
    return { token };
  };
  const ask = async (method: string, path: string, body?: unknown) => {
    const reply = await call({ token }, method, `/api/v1${path}`, body);
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
    return reply.body;
  };
  await one.start();
  const task = String((await ask('POST', '/tasks/scan', {}))['id']);
  const items = await until('the inventory of both items', async () => {
    const { pending, items: all } = (await ask('GET', '/subtitle-library')) as {
      pending: number;
      items: { id: string; kind: string }[];
    };
    return pending === 0 && all.length === 2 ? all : undefined;
  });
  const film = items.find(({ kind }) => kind === 'movie')?.id ?? '';
  const policy = { libraries: 'all', rating: 'all', windows: [], remote: true, transcode: true, download: true };
  await ask('POST', '/profiles', { name: 'Vic', password: PASSWORD, policy });
  const spare = String((await ask('POST', '/profiles', { name: 'Sam', password: PASSWORD, policy }))['id']);
  const viewer = String(
    (await call(undefined, 'POST', '/api/v1/session', { name: 'Vic', password: PASSWORD })).body['token'],
  );
  const key = await ask('POST', '/api-keys', { name: 'all', scopes: [...SCOPES] });
  const another = await ask('POST', '/api-keys', { name: 'spare', scopes: ['library'] });
  const library = String(
    (await ask('POST', '/libraries', { name: 'Empty', path: join(one.folder, 'empty'), kind: 'movies' }))['id'],
  );
  const [show] = (await ask('GET', '/shows'))['items'] as { id: string }[];
  const sessions = (await ask('GET', '/sessions'))['items'] as { id: string; profile: { name: string } }[];
  const devices = (await ask('GET', '/devices'))['items'] as { id: string; profile: string }[];
  const of = (name: string) => sessions.find(({ profile }) => profile.name === name)?.id ?? '';
  return {
    world: one,
    owner,
    document: withShortMarker((await ask('GET', '/openapi.json')) as unknown as Document),
    others: {
      nobody: undefined,
      stranger: { token: 'mat_ses_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
      viewer: { token: viewer },
      key: { token: String(key['secret']) },
    },
    ids: {
      items: film,
      art: film,
      'subtitle-library': film,
      shows: show?.id ?? '',
      profiles: spare,
      libraries: library,
      'api-keys': String(another['id']),
      sessions: of('Vic'),
      devices: devices.at(-1)?.id ?? 'a'.repeat(16),
      tasks: task,
    },
  };
}

/** Brings the marker of the example into the film, which is shorter here. */
function withShortMarker(document: Document): Document {
  const marker = document.paths['/api/v1/items/{id}/markers']?.['put']?.requestBody?.content['application/json'];
  assert.ok(marker);
  marker.example = { ...(marker.example as object), start: 0.5, end: 1.5 };
  return document;
}

const known =
  ({ ids }: House): Making['known'] =>
  (name, { method, path }) => {
    const part = path.split('/')[3] ?? '';
    if (name === 'id') return ids[part];
    if (name === 'task') return method === 'POST' ? 'refresh-metadata' : ids['tasks'];
    return name === 'key' ? 'server.name' : undefined;
  };

/** The part of a refusal that may repeat input: the plain name of an unknown member or parameter. */
const NAMED_FIELDS = /unknown fields?: [\w., ]+/;

interface Answer {
  status: number;
  type: string;
  text: string;
}

/** Sends a request; of a stream of events only the head is waited for. */
async function send(
  { world: { http } }: House,
  who: Who,
  route: Route,
  { url, body, headers }: Sample,
): Promise<Answer> {
  const { method, operation } = route;
  const isStream = operation.responses['200']?.content?.['text/event-stream'] !== undefined;
  const reply = await http.server.inject({
    method: method as 'GET',
    url,
    remoteAddress: '192.168.1.20',
    headers: {
      host: 'localhost',
      ...(who && 'token' in who && { authorization: `Bearer ${who.token}` }),
      ...(body !== undefined && { 'content-type': typeOf(route) }),
      ...headers,
    },
    ...(body !== undefined && { payload: body }),
    ...(isStream && { payloadAsStream: true }),
  });
  const head = { status: reply.statusCode, type: String(reply.headers['content-type'] ?? '').split(';')[0] ?? '' };
  if (!isStream) return { ...head, text: reply.payload };
  const stream: Readable = reply.stream();
  if (head.status === 200) {
    stream.destroy();
    reply.raw.res.destroy();
    return { ...head, text: '' };
  }
  return { ...head, text: Buffer.concat(await stream.toArray()).toString() };
}

const TYPED = (type: string, declared: readonly string[]): string | undefined =>
  declared.find((one) => one === type || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))));

/** Whether an endpoint itself can be unavailable; the document says 503 of all, because the server can be stopping. */
const canBeUnavailable = ({ world: { mounted } }: House, { method, path }: Route): boolean =>
  mounted.some(
    ({ endpoint }) => endpoint.method === method && endpoint.path === path && ownKindsOf(endpoint).has('unavailable'),
  );

/** Lists the faults of a reply, by the document and the request. */
function judge(
  within: House,
  route: Route,
  sample: Sample,
  { status, type, text }: Answer,
  named: NamedSchema,
): string[] {
  const { operation } = route;
  const declared = operation.responses[String(status)];
  if (!declared) return [`status ${status} is not declared`];
  if (status >= 500 && !(status === 503 && canBeUnavailable(within, route))) return [`status ${status}`];
  const out: string[] = [];
  if (sample.status !== undefined && status !== sample.status)
    out.push(`status ${status}, not ${sample.status}, for ${sample.says}`);
  if (
    sample.wrong !== undefined &&
    status !== 400 &&
    status !== 413 &&
    !(status === 404 && /%00|%2F|\.\./i.test(sample.url))
  )
    out.push(`status ${status} for a wrong request (${sample.wrong})`);
  // A schema cannot say that one of two members is needed; the example says which.
  if (
    sample.wrong === undefined &&
    status === 400 &&
    // A socket is not opened by an ordinary request.
    !('101' in operation.responses) &&
    ['bound', operation.requestBody ? 'example' : 'smallest'].includes(sample.says)
  )
    out.push('a right request is refused as wrong');
  if (status >= 400 && text.replace(NAMED_FIELDS, '').includes(CANARY)) out.push('the refusal repeats what was sent');
  const contents = declared.content ?? {};
  if (Object.keys(contents).length === 0) return text === '' ? out : [...out, 'a body where none is declared'];
  const at = TYPED(type, Object.keys(contents));
  if (at === undefined) return [...out, `content type ${type} is not declared`];
  if (!/[/+]json$/.test(at)) return out;
  try {
    return [...out, ...faults(JSON.parse(text), contents[at]?.schema ?? {}, named, 'reply').slice(0, 3)];
  } catch (error) {
    return [...out, `a reply that cannot be judged: ${error instanceof Error ? error.message : String(error)}`];
  }
}

interface Outcome {
  requests: number;
  /** Faults, each once, with the first request that showed it. */
  findings: string[];
}

/** Asks all that can be made for some routes, and notes what is wrong. */
async function run(
  within: House,
  document: Document,
  routes: readonly Route[],
  random: () => number,
): Promise<Outcome> {
  const named = document.components.schemas;
  const findings = new Map<string, string>();
  let requests = 0;
  const one = async (who: Who, name: string, route: Route, sample: Sample) => {
    requests++;
    const { promise: hang, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error('hangs')), HANG_MS);
    const found = await Promise.race([
      send(within, who, route, sample).then((answer) => judge(within, route, sample, answer, named)),
      hang,
    ]).catch((error: unknown) => [error instanceof Error ? error.message : String(error)]);
    clearTimeout(timer);
    for (const what of found) {
      const key = `${route.method} ${route.path}: ${what}`;
      if (!findings.has(key))
        findings.set(
          key,
          `${key}, as ${name}: ${sample.says}, ${sample.url.slice(0, 120)} ${sample.body?.slice(0, 120) ?? ''}`,
        );
    }
  };
  for (const route of routes) {
    const samples = samplesOf({ route, named, random, known: known(within) }, DRAWS);
    for (const [name, who] of Object.entries(within.others))
      for (const sample of samples.slice(0, 1))
        await one(who, name, route, { ...sample, wrong: undefined, says: 'other' });
    const who = await within.owner();
    for (const sample of samples)
      await one(
        /^DELETE .*session/.test(`${route.method} ${route.path}`) ? await within.owner() : who,
        'owner',
        route,
        sample,
      );
  }
  return { requests, findings: [...findings.values()] };
}

/** Requests that delete come last. */
const inOrder = (routes: readonly Route[]): Route[] =>
  routes.toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));

test('planted: an undeclared status, a reply outside its schema and an accepted bad value are found', async () => {
  const plant = async (
    path: string,
    change: (operation: Route['operation'], document: Document) => void,
  ): Promise<string[]> => {
    const document = structuredClone(house.document);
    const route = routesOf(document).find((each) => each.method === 'GET' && each.path === path);
    assert.ok(route, path);
    change(route.operation, document);
    return (await run(house, document, [route], chance(SEED))).findings;
  };
  const some = (found: readonly string[], what: RegExp) =>
    assert.ok(
      found.some((each) => what.test(each)),
      found.join('\n') || 'nothing was found',
    );
  some(
    await plant('/api/v1/items/{id}', ({ responses }) => void delete responses['404']),
    /status 404 is not declared/,
  );
  some(
    await plant('/api/v1/setup', ({ responses }) => {
      const content = responses['200']?.content?.['application/json'];
      assert.ok(content);
      content.schema = { type: 'object', properties: { required: { type: 'string' } }, required: ['required'] };
    }),
    /reply\.required: expected string, is boolean/,
  );
  some(
    await plant('/api/v1/library', ({ parameters }) => {
      const limit = parameters.find(({ name }) => name === 'limit');
      assert.ok(limit);
      limit.schema = { ...limit.schema, maximum: 50 };
    }),
    /status 200 for a wrong request \(limit: too large\)/,
  );
});

test(`every request from the document is answered as it says (seed ${SEED})`, async (t) => {
  const { requests, findings } = await run(house, house.document, inOrder(routesOf(house.document)), chance(SEED));
  t.diagnostic(`${requests} requests`);
  assert.deepEqual(findings, []);
  assert.deepEqual(
    house.world.lines.filter((line) => line.includes('handler.failed') || line.includes('reply.failed')),
    [],
  );
});
