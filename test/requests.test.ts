/**
 * Requests through the whole server: what a Viewer asks for and learns, in which bounds, and what an answer changes.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { until } from './until.ts';
import { makeClip, PASSWORD, type Reply, startWorld, type World } from './world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
// The clock of the test begins on a Friday at noon.
const MONDAYS = [{ days: ['monday'], start: '03:00', end: '04:00', timeZone: 'Etc/UTC' }];
const POLICY = { rating: 6, unrated: false, remote: false, transcode: true, download: false };

let house: World;
let owner: string;
const libraries: string[] = [];
const films: Record<'seen' | 'hidden' | 'apart', string> = { seen: '', hidden: '', apart: '' };
const closing: (() => unknown)[] = [];
const together = { after: (close: () => unknown) => void closing.push(close) } as unknown as Pick<TestContext, 'after'>;

const call = (token: string, method: string, path: string, body?: unknown): Promise<Reply> =>
  house.call({ token }, method, `/api/v1${path}`, body);
const done = async (token: string, method: string, path: string, body?: unknown) => {
  const reply = await call(token, method, path, body);
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`);
  return reply.body;
};
const reasonOf = ({ body }: Reply) => body['reason'];

interface Child {
  id: string;
  token: string;
}
async function makeChild(name: string, more: object = {}): Promise<Child> {
  const policy = { ...POLICY, libraries: [libraries[0]], ...more };
  const { id } = (await done(owner, 'POST', '/profiles', { name, password: PASSWORD, policy })) as { id: string };
  const signed = await house.call(undefined, 'POST', '/api/v1/session', { name, password: PASSWORD });
  return { id, token: String(signed.body['token']) };
}
interface Shown {
  id: string;
  state: string;
  seen: boolean;
  answer?: { lasting?: string; item?: { id: string; title: string }; minutes?: number; until?: string; word?: string };
}
const listOf = async (token: string) =>
  (await done(token, 'GET', '/requests')) as { items: Shown[]; total: number; open: number; unseen: number };
const askFor = async (child: Child, words: string): Promise<string> =>
  String((await done(child.token, 'POST', '/requests', { kind: 'item', words }))['id']);
const answer = (id: string, body: object) => call(owner, 'PUT', `/requests/${id}`, body);
const isShown = async ({ token }: Child, item: string): Promise<boolean> =>
  (await call(token, 'GET', `/items/${item}`)).status === 200;

async function makeFilm(media: string, folder: string, title: string, rating: string): Promise<void> {
  const place = join(media, folder, `${title} (2020)`);
  await makeClip(join(place, `${title} (2020).mp4`));
  await writeFile(
    join(place, `${title} (2020).nfo`),
    `<movie><title>${title}</title><year>2020</year><mpaa>DE:FSK ${rating}</mpaa></movie>`,
  );
}

before(async () => {
  house = await startWorld(together, {
    env: { SERVICE_REQUIRE_MFA: 'false' },
    fill: async (media) => {
      await makeFilm(media, 'Films', 'Harmless', '6');
      await makeFilm(media, 'Films', 'Gruesome', '16');
      await makeFilm(media, 'Others', 'Elsewhere', '0');
    },
  });
  const made = await house.call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD });
  owner = String(made.body['token']);
  await house.start();
  await done(owner, 'PUT', '/configuration/libraries', {
    value: JSON.stringify(['Films', 'Others'].map((name) => ({ name, path: join(house.media, name), kind: 'movies' }))),
  });
  await until('the films', async () => (await done(owner, 'GET', '/library'))['total'] === 3);
  const { items } = (await done(owner, 'GET', '/library')) as {
    items: { id: string; title: string; library: string }[];
  };
  for (const { id, title, library } of items) {
    films[title === 'Harmless' ? 'seen' : title === 'Gruesome' ? 'hidden' : 'apart'] = id;
    if (title === 'Harmless') libraries[0] = library;
  }
});
after(() => Promise.all(closing.splice(0).map((close) => close())));
/** Signs the Owner in again: a proof is recent for ten minutes of the test's clock. */
async function renew(): Promise<void> {
  owner = String(
    (await house.call(undefined, 'POST', '/api/v1/session', { name: 'Ada', password: PASSWORD })).body['token'],
  );
}

test('a reply is the same whether there is such a title, a hidden one or none: 0 of 4 differ', async () => {
  const child = await makeChild('Kim');
  const replies = [];
  for (const words of ['Gruesome', 'Elsewhere', 'Harmless', 'No such film']) {
    const { status, body } = await call(child.token, 'POST', '/requests', { kind: 'item', words });
    const { id: _, words: asked, createdAt: __, ...rest } = body;
    assert.equal(asked, words);
    replies.push(JSON.stringify([status, rest]));
  }
  assert.equal(new Set(replies).size, 1, replies.join('\n'));
  // No id of an item is taken, and nothing of the catalogue is in what the child reads.
  for (const body of [
    { kind: 'item', words: 'x', item: films.hidden },
    { kind: 'item', id: films.hidden },
  ])
    assert.equal((await call(child.token, 'POST', '/requests', body)).status, 400);
  assert.ok(!JSON.stringify(await listOf(child.token)).includes(films.hidden));
});

test('an approved item is shown for seven days, or for good; a declined one is not', async () => {
  const child = await makeChild('Lou');
  const [once, always, never] = [
    await askFor(child, 'scary'),
    await askFor(child, 'scary 2'),
    await askFor(child, '3'),
  ];
  assert.equal(await isShown(child, films.hidden), false);
  assert.equal(reasonOf(await answer(once, { decision: 'once' })), 'request-incomplete');
  assert.equal(reasonOf(await answer(once, { decision: 'once', item: 'f'.repeat(16) })), 'no-such-item');
  assert.equal(reasonOf(await answer(once, { decision: 'once', item: films.apart })), 'request-still-hidden');
  assert.equal(await isShown(child, films.apart), false);
  const approved = await answer(once, { decision: 'once', item: films.hidden, word: 'Enjoy it' });
  assert.equal(approved.status, 200, approved.text);
  assert.equal(await isShown(child, films.hidden), true);
  const { items, open, unseen } = await listOf(child.token);
  const own = items.find(({ id }) => id === once);
  assert.deepEqual([own?.state, own?.answer?.item?.title, own?.answer?.word], ['approved', 'Gruesome', 'Enjoy it']);
  assert.equal(Date.parse(own?.answer?.until ?? ''), house.clock.now() + 7 * DAY);
  assert.deepEqual([open, unseen], [2, 1]);
  assert.equal((await call(child.token, 'POST', '/requests/seen', {})).status, 204);
  assert.equal((await listOf(child.token)).unseen, 0);
  assert.equal(reasonOf(await answer(once, { decision: 'declined' })), 'request-closed');
  house.clock.pass(7 * DAY);
  await renew();
  assert.equal(await isShown(child, films.hidden), false, 'it is over');
  assert.equal((await listOf(child.token)).items.find(({ id }) => id === once)?.answer?.item, undefined);
  assert.equal((await answer(never, { decision: 'declined', word: 'When you are older' })).status, 200);
  assert.equal(await isShown(child, films.hidden), false);
  assert.equal((await answer(always, { decision: 'always', item: films.hidden })).status, 200);
  // The session of the child lasts 30 days.
  house.clock.pass(20 * DAY);
  await renew();
  assert.equal(await isShown(child, films.hidden), true);
});

test('time is asked for outside the hours, given once or for good, and counts today', async () => {
  const child = await makeChild('Max', {
    windows: MONDAYS,
    daily: { minutes: 60, timeZone: 'Etc/UTC', resetsAt: '04:00' },
  });
  const free = await makeChild('Nia');
  assert.equal(reasonOf(await call(free.token, 'POST', '/requests', { kind: 'time' })), 'time-not-limited');
  assert.equal(await isShown(child, films.seen), false);
  const ask = async (minutes: number) =>
    String((await done(child.token, 'POST', '/requests', { kind: 'time', minutes }))['id']);
  const first = await ask(20);
  assert.equal(reasonOf(await call(child.token, 'POST', '/requests', { kind: 'time', minutes: 45 })), 'already-asked');
  assert.equal(reasonOf(await answer(first, { decision: 'once', minutes: 300 })), 'request-incomplete');
  const given = (await answer(first, { decision: 'once' })).body as unknown as Shown;
  assert.deepEqual(
    [given.answer?.minutes, given.answer?.until],
    [20, new Date(house.clock.now() + 20 * MINUTE).toISOString()],
  );
  assert.equal(await isShown(child, films.seen), true);
  const time = await done(child.token, 'GET', '/me/time');
  assert.deepEqual((time['limit'] as { granted: number }).granted, 1_200);
  house.clock.pass(20 * MINUTE);
  await renew();
  assert.equal(await isShown(child, films.seen), false);
  const second = await ask(30);
  assert.equal(reasonOf(await answer(second, { decision: 'always' })), 'request-incomplete');
  assert.equal((await answer(second, { decision: 'always', minutes: 90 })).status, 200);
  const { policy } = (await done(owner, 'GET', `/profiles/${child.id}`)) as { policy: { daily: { minutes: number } } };
  assert.equal(policy.daily.minutes, 90);
  const third = await ask(15);
  assert.equal((await answer(third, { decision: 'declined' })).status, 200);
  for (const minutes of [0, 4, 241, 1.5, '30'])
    assert.equal((await call(child.token, 'POST', '/requests', { kind: 'time', minutes })).status, 400, `${minutes}`);
});

test('requests are bounded: 20 open, ten in ten minutes, 60 a day, none twice', async () => {
  const child = await makeChild('Oli');
  const ask = (words: string) => call(child.token, 'POST', '/requests', { kind: 'item', words });
  const statuses: number[] = [];
  for (let n = 0; n < 30; n += 1) statuses.push((await ask(`film ${n}`)).status);
  assert.deepEqual(
    [statuses.filter((one) => one === 201).length, statuses.filter((one) => one === 429).length],
    [10, 20],
  );
  const held = await ask('one more');
  assert.equal(Number(held.headers['retry-after']), 600);
  house.clock.pass(10 * MINUTE);
  assert.equal(reasonOf(await ask('  FILM   3 ')), 'already-asked');
  // Side by side they gain nothing.
  const together_ = await Promise.all(Array.from({ length: 20 }, (_, n) => ask(`more ${n}`)));
  assert.equal(together_.filter(({ status }) => status === 201).length, 10);
  house.clock.pass(10 * MINUTE);
  assert.equal(reasonOf(await ask('the 21st')), 'too-many-requests');
  const { items } = await listOf(child.token);
  assert.equal(items.length, 20);
  assert.equal((await call(child.token, 'DELETE', `/requests/${items[0]?.id}`)).status, 204);
  assert.equal((await ask('the 21st')).status, 201);
  // Taking requests back makes no room for more than 60 a day.
  let asked = 21;
  for (let part = 0; part < 20; part += 1) {
    house.clock.pass(10 * MINUTE);
    for (const { id } of (await listOf(child.token)).items) await call(child.token, 'DELETE', `/requests/${id}`);
    for (let n = 0; n < 10; n += 1) if ((await ask(`${part} ${n}`)).status === 201) asked += 1;
  }
  assert.equal(asked, 60);
});

test('requests of others are neither read, taken back nor answered by Viewers: 0 of 5 accepted', async () => {
  await renew();
  const [child, other] = [await makeChild('Pia'), await makeChild('Quin')];
  const id = await askFor(child, 'mine');
  const tries = [
    await call(other.token, 'DELETE', `/requests/${id}`),
    await call(other.token, 'PUT', `/requests/${id}`, { decision: 'always', item: films.hidden }),
    await call(child.token, 'PUT', `/requests/${id}`, { decision: 'always', item: films.hidden }),
    await call(owner, 'POST', '/requests', { kind: 'item', words: 'x' }),
    await house.call(undefined, 'GET', '/api/v1/requests'),
  ].map(({ status }) => status);
  assert.deepEqual(tries, [404, 403, 403, 403, 401]);
  assert.equal((await listOf(other.token)).total, 0);
  assert.ok((await listOf(owner)).items.some((one) => one.id === id));
  await done(owner, 'DELETE', `/profiles/${child.id}`);
  assert.ok(!(await listOf(owner)).items.some((one) => one.id === id), 'it leaves with its Profile');
});

test('a Profile of a household device asks, and learns the answer', async () => {
  await renew();
  const child = await makeChild('Ria');
  const device = await call(owner, 'POST', '/household/devices', {
    name: 'TV',
    profiles: [{ id: child.id, opens: 'nothing' }],
  });
  const cookieOf = (reply: Reply) => String([reply.headers['set-cookie'] ?? []].flat()[0]).split(';')[0];
  const household = cookieOf(device);
  const opened = await house.call({ cookie: `${household}` }, 'POST', '/api/v1/household/open', { id: child.id });
  const tv = { cookie: `${household}; ${cookieOf(opened)}` };
  const asked = await house.call(tv, 'POST', '/api/v1/requests', { kind: 'item', words: 'on TV' });
  assert.equal(asked.status, 201, asked.text);
  assert.equal((await answer(String(asked.body['id']), { decision: 'declined', word: 'No' })).status, 200);
  const list = (await house.call(tv, 'GET', '/api/v1/requests')).body as unknown as { items: Shown[] };
  assert.deepEqual([list.items[0]?.state, list.items[0]?.answer?.word], ['declined', 'No']);
});

test('an answer whose note was lost by a crash is given again and counts once', async () => {
  await renew();
  const child = await makeChild('Sam', { daily: { minutes: 60, timeZone: 'Etc/UTC', resetsAt: '04:00' } });
  const id = String((await done(child.token, 'POST', '/requests', { kind: 'time', minutes: 30 }))['id']);
  const reopen = () =>
    house.db.write('safe', async (tx) => {
      const rows = tx as unknown as {
        updateTable(name: string): { set(of: object): { where(...of: unknown[]): { execute(): Promise<unknown> } } };
      };
      await rows.updateTable('requests_request').set({ state: 'open', answer: null }).where('id', '=', id).execute();
    });
  const granted = async () => ((await done(child.token, 'GET', '/me/time'))['limit'] as { granted: number }).granted;
  await answer(id, { decision: 'once' });
  await reopen();
  await answer(id, { decision: 'once' });
  assert.equal(await granted(), 1_800);
  await reopen();
  await answer(id, { decision: 'declined' });
  assert.equal(await granted(), 0, 'and declining takes it back');
});
