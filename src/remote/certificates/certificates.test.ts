/** Certificates from a real authority, pebble in strict mode with refused nonces, with everything that goes wrong. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { test, type TestContext } from 'node:test';
import { DNS_TOKENS } from '../dns/testing-services.ts';
import { startAuthority, type TestAuthority } from './testing-authority.ts';
import { adviceOn, createInstance, type Instance, type InstanceOptions, pebblePaths } from './testing-instance.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NAME = 'film.duckdns.org';

async function world(t: TestContext, given?: { reuse: number }) {
  const authority = await startAuthority(given);
  const opened: Instance[] = [];
  // The folder is removed when nothing writes there any more.
  t.after(async () => {
    await Promise.all(opened.map((instance) => instance.close()));
    await authority.close();
  });
  const begin = async (options?: InstanceOptions) => {
    const instance = createInstance({ ...authority, api: authority.services.url }, options);
    opened.push(instance);
    await instance.certificates.start();
    return instance;
  };
  return { authority, begin };
}

const serialOf = (chain: string | undefined): string => new X509Certificate(chain ?? '').serialNumber;
const json = (body: object) => ({ status: 200, headers: {}, bytes: Buffer.from(JSON.stringify(body)) });
const orders = (asked: readonly string[]): number => asked.filter((one) => one === 'POST /order-plz 201').length;
const keptFile = (authority: TestAuthority, name: string) => `${authority.folder}/kept/${name}.json`;

for (const kind of ['dns_a', 'dns_b'] as const)
  test(`${kind}: a certificate is issued, fits its key, and is there after a restart`, async (t) => {
    const { authority, begin } = await world(t);
    const first = await begin({ kind });
    const states = new Set<string>();
    first.certificates.changed(() => states.add(first.certificates.status().state));
    await first.until(({ state }) => state === 'issued');
    const made = first.certificates.current();
    const name = kind === 'dns_a' ? NAME : 'film.example.dedyn.io';
    assert.deepEqual([made?.names, new X509Certificate(made?.chain ?? '').subjectAltName], [[name], `DNS:${name}`]);
    assert.ok(states.has('ordering') && states.has('issued'));
    assert.equal(authority.services.records.size, 0, 'the proof was left in the DNS');
    assert.match(first.certificates.status().termsUrl ?? '', /^data:|^https?:/);
    assert.ok(!first.told.join().includes(DNS_TOKENS[kind]));
    await first.close();
    const second = await begin({ kind });
    await second.until(({ state }) => state === 'issued');
    assert.equal(second.certificates.current()?.chain, made?.chain);
    await new Promise((resolve) => void setTimeout(resolve, 100));
    assert.equal(orders(second.asked), 0);
  });

test('nothing is asked of the authority before the terms are accepted', async (t) => {
  const { begin } = await world(t);
  let isAccepted = false;
  const instance = await begin({ isTermsAccepted: () => isAccepted });
  await new Promise((resolve) => void setTimeout(resolve, 200));
  assert.deepEqual([instance.asked, instance.certificates.status().state], [[], 'waiting']);
  isAccepted = true;
  await instance.until(({ state }) => state === 'issued');
});

test('a certificate is renewed when the authority says so, while the server runs', async (t) => {
  const { begin } = await world(t);
  let isDue = false;
  // Due once, and for the next certificate no more.
  const instance = await begin({
    instead: adviceOn(() => {
      const answer = isDue;
      isDue = false;
      return answer;
    }),
  });
  await instance.until(({ state }) => state === 'issued');
  const before = instance.certificates.current();
  isDue = true;
  instance.pass(7 * HOUR_MS);
  await instance.until(() => serialOf(instance.certificates.current()?.chain) !== serialOf(before?.chain));
  const after = instance.certificates.current();
  assert.notEqual(after?.key, before?.key);
  await instance.until(({ state }) => state === 'issued');
  assert.equal(orders(instance.asked), 2);
});

test('a certificate without advice of the authority is renewed with a third of its life left', async (t) => {
  const { begin } = await world(t);
  const instead: InstanceOptions['instead'] = (url) =>
    /renewal|-ari/.test(url) ? { status: 404, headers: {}, bytes: Buffer.alloc(0) } : undefined;
  const first = await begin({ instead });
  await first.until(({ state }) => state === 'issued');
  const made = first.certificates.current();
  await first.close();
  const { validFrom, validTo } = new X509Certificate(made?.chain ?? '');
  const life = Date.parse(validTo) - Date.parse(validFrom);
  const early = await begin({ instead, offsetMs: life * (2 / 3) - DAY_MS });
  await new Promise((resolve) => void setTimeout(resolve, 200));
  assert.equal(early.certificates.status().state, 'issued');
  early.pass(2 * DAY_MS);
  // The authority's clock did not move along, so the server says that its own is wrong, and serves what it has.
  await early.until(({ state, reason }) => state === 'failing' && reason === 'clock-wrong');
  assert.equal(early.certificates.current()?.chain, made?.chain);
});

for (const days of [400, -400])
  test(`a clock that is ${days} days off orders nothing, and an expired certificate is never served`, async (t) => {
    const { authority, begin } = await world(t);
    const wrong = await begin({ offsetMs: days * DAY_MS });
    await wrong.until(({ state, reason }) => state === 'failing' && reason === 'clock-wrong');
    assert.equal(orders(wrong.asked), 0);
    await wrong.close();
    // The right clock is not held back by the times that the wrong one kept.
    const right = await begin();
    if (days < 0) await right.until(({ state }) => state === 'issued');
    else {
      await right.until(({ state }) => state === 'issued' || state === 'failing');
      assert.equal(right.certificates.status().state, 'issued');
    }
    const made = right.certificates.current();
    right.pass((made?.notAfter ?? 0) - Date.now() + 1);
    assert.equal(right.certificates.current(), undefined);
    assert.ok((await readFile(keptFile(authority, 'certificate'), 'utf8')).includes('PRIVATE KEY'));
  });

test('a text that shows late is waited for, and one that never shows is no proof', async (t) => {
  const { authority, begin } = await world(t);
  authority.delay(1_500);
  const late = await begin({ shownMs: 6_000 });
  await late.until(({ state }) => state === 'issued');
  await late.close();
  authority.delay(60_000);
  const never = await begin({ domain: 'other', shownMs: 300 });
  await never.until(({ state, reason }) => state === 'failing' && reason === 'proof-late');
  assert.equal(never.asked.filter((one) => one.startsWith('POST /chalZ')).length, 0);
  authority.delay(0);
  never.pass(300_000);
  await never.until(({ state }) => state === 'issued');
  assert.equal(orders(never.asked), 1, 'the order was not continued');
});

test('an authority that is down for a day is asked ever more rarely, and then issues', async (t) => {
  const { authority, begin } = await world(t);
  await authority.stop();
  const instance = await begin();
  const waits: number[] = [];
  const steps: number[] = [];
  for (let passed = 0; passed < DAY_MS;) {
    await instance.until(({ state, retryAt = 0 }) => state === 'failing' && waits.at(-1) !== retryAt);
    const { retryAt = 0, reason } = instance.certificates.status();
    assert.equal(reason, 'ca-unreachable');
    const before = instance.asked.length;
    await new Promise((resolve) => void setTimeout(resolve, 60));
    assert.equal(instance.asked.length, before, 'it was asked before its time');
    const step = Math.min(retryAt - (Date.now() + passed), DAY_MS - passed);
    waits.push(retryAt);
    steps.push(Math.round(step / 60_000));
    instance.pass(step + 1);
    passed += step + 1;
  }
  // In minutes; the last wait is cut off by the end of the day.
  assert.deepEqual(steps.slice(0, -1), [5, 10, 20, 40, 80, 160, 320, 640]);
  await authority.start();
  instance.pass(DAY_MS);
  await instance.until(({ state }) => state === 'issued');
});

test('two starts at once place one order', async (t) => {
  const { begin } = await world(t);
  const [one, two] = await Promise.all([begin(), begin()]);
  await Promise.all([one.certificates.start(), two.certificates.start()]);
  for (const each of [one, two]) await each.until(({ state }) => state === 'issued');
  assert.equal(orders(one.asked) + orders(two.asked), 1);
  assert.equal(one.certificates.current()?.chain, two.certificates.current()?.chain);
});

test('no more than three orders are placed within an hour, whatever restarts', async (t) => {
  const { authority, begin } = await world(t);
  for (let at = 1; at <= 3; at += 1) {
    const instance = await begin({ domain: `n${at}` });
    await instance.until(({ state }) => state === 'issued');
    await instance.close();
  }
  const fourth = await begin({ domain: 'n4' });
  await fourth.until(({ state, reason }) => state === 'failing' && reason === 'orders-used-up');
  assert.equal(orders(fourth.asked), 0);
  await fourth.close();
  const again = await begin({ domain: 'n4' });
  await again.until(({ state }) => state === 'failing');
  assert.equal(again.certificates.status().reason, 'orders-used-up');
  again.pass(3_700_000);
  await again.until(({ state }) => state === 'issued');
  assert.equal(authority.services.records.size, 0);
});

test('an authority that forgot the account is registered with again', async (t) => {
  const { authority, begin } = await world(t);
  authority.delay(60_000);
  const first = await begin({ shownMs: 100 });
  await first.until(({ state }) => state === 'failing');
  await first.close();
  authority.delay(0);
  await authority.stop();
  await authority.start();
  const second = await begin();
  second.pass(300_000);
  await second.until(({ state }) => state === 'issued');
});

test('a kept certificate that does not fit its key, or is cut short, is not served', async (t) => {
  const { authority, begin } = await world(t);
  const first = await begin();
  await first.until(({ state }) => state === 'issued');
  await first.close();
  const file = keptFile(authority, 'certificate');
  const whole = await readFile(file, 'utf8');
  const account = JSON.parse(await readFile(keptFile(authority, 'account'), 'utf8')) as { key: string };
  for (const spoiled of [JSON.stringify({ ...JSON.parse(whole), key: account.key }), whole.slice(0, 900)]) {
    await writeFile(file, spoiled);
    const next = await begin({ isTermsAccepted: () => false });
    assert.equal(next.certificates.current(), undefined);
    await next.close();
  }
  await writeFile(file, whole);
  const next = await begin({ isTermsAccepted: () => false });
  assert.equal(next.certificates.current()?.names[0], NAME);
});

test('an address of another origin is not asked', async (t) => {
  const { begin } = await world(t);
  const elsewhere = json(pebblePaths('https://127.0.0.1:1'));
  const instance = await begin({ instead: (url) => (url.endsWith('/dir') ? elsewhere : undefined) });
  await instance.until(({ state, reason }) => state === 'failing' && reason === 'ca-broken');
  assert.deepEqual([...new Set(instance.asked)], ['GET /dir 200']);
});
