/** Both DNS providers pass one suite; then each in what only it does. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { test, type TestContext } from 'node:test';
import { silentLog } from '../../lib/log.ts';
import { systemClock } from '../../lib/clock.ts';
import { createNet } from '../../lib/net.ts';
import { RemoteFault, type RemoteFaultCode } from '../fault.ts';
import { createAddressUpdates } from './address-updates.ts';
import { createRequestBudget } from './request-budget.ts';
import { createDnsProvider } from './provider.ts';
import { DNS_TOKENS, startDnsServices } from './testing-services.ts';

const KINDS = [
  { provider: 'dns_a', domain: 'film', name: 'film.duckdns.org' },
  { provider: 'dns_b', domain: 'film.example.dedyn.io', name: 'film.example.dedyn.io' },
] as const;

const fails = (code: RemoteFaultCode) => (error: unknown) => {
  assert.ok(error instanceof RemoteFault);
  assert.equal(error.code, code);
  const shown = inspect(error, { depth: 10, showHidden: true });
  for (const token of Object.values(DNS_TOKENS)) assert.ok(!shown.includes(token), 'the error has the token in it');
  return true;
};

async function world(t: TestContext, kind: (typeof KINDS)[number], token: string = DNS_TOKENS[kind.provider]) {
  const services = await startDnsServices();
  const net = createNet({ version: '0' });
  t.after(async () => {
    await net.close();
    await services.close();
  });
  let now = 1_000_000;
  const waits: number[] = [];
  const provider = createDnsProvider({
    ...kind,
    token,
    net,
    clock: { now: () => now, monotonic: () => now },
    api: services.url,
    pause: async (ms) => {
      waits.push(ms);
      now += ms;
    },
  });
  return { services, provider, waits, pass: (ms: number) => void (now += ms) };
}

for (const kind of KINDS) {
  const [text, address] = [`TXT _acme-challenge.${kind.name}`, `A ${kind.name}`];

  test(`${kind.provider}: a text is set and removed, and the address stays`, async (t) => {
    const { provider, services } = await world(t, kind);
    assert.equal(provider.name, kind.name);
    await provider.setAddress('192.168.1.10');
    await provider.setTxt('first');
    await provider.setTxt('second');
    assert.deepEqual(services.records.get(text), ['second']);
    await provider.clearTxt();
    assert.equal(services.records.get(text), undefined);
    assert.deepEqual(services.records.get(address), ['192.168.1.10']);
  });

  test(`${kind.provider}: a wrong token is refused, and no error repeats it`, async (t) => {
    const { provider, services } = await world(t, kind, DNS_TOKENS[kind.provider === 'dns_a' ? 'dns_b' : 'dns_a']);
    await assert.rejects(provider.setTxt('x'), fails('dns-refused'));
    assert.equal(services.records.size, 0);
  });

  test(`${kind.provider}: a service that fails, talks nonsense or is gone is told apart`, async (t) => {
    const { provider, services } = await world(t, kind);
    services.instead.push({ status: 500 });
    await assert.rejects(provider.setTxt('x'), fails('dns-unreachable'));
    services.instead.push({ status: 200, body: '<html>' });
    await assert.rejects(provider.setTxt('x'), fails('dns-broken'));
    services.instead.push({ status: 302, headers: { location: 'http://127.0.0.1:1/' } });
    await assert.rejects(provider.setTxt('x'), fails('dns-broken'));
    await provider.setTxt('works again');
    assert.deepEqual(services.records.get(text), ['works again']);
    await services.close();
    await assert.rejects(provider.setTxt('x'), fails('dns-unreachable'));
  });
}

const [A, B] = KINDS;

test('dns_a: without an address, the name leads to the caller', async (t) => {
  const { provider, services } = await world(t, A);
  await provider.setAddress();
  assert.deepEqual(services.records.get('A film.duckdns.org'), ['203.0.113.7']);
  services.instead.push({ status: 200, body: 'OK\n\n\nNOCHANGE' });
  await assert.rejects(provider.setAddress(), fails('dns-broken'));
  services.instead.push({ status: 200, body: 'OK\n10.0.0.2\n\nUPDATED' });
  await assert.rejects(provider.setAddress('10.0.0.1'), fails('dns-broken'));
});

test('dns_b: a short Retry-After is waited for, a long one is reported', async (t) => {
  const { provider, services, waits } = await world(t, B);
  services.instead.push({ status: 429, headers: { 'retry-after': '7' } });
  await provider.setTxt('x');
  assert.ok(waits.includes(7_000));
  services.instead.push({ status: 429, headers: { 'retry-after': '7200' } });
  await assert.rejects(provider.setTxt('y'), (error: RemoteFault) => error.retryAfterMs === 7_200_000);
});

test('dns_b: the limits of the service are kept before it has to refuse', async (t) => {
  const { provider, services, waits, pass } = await world(t, B);
  for (let at = 0; at < 14; at += 1) await provider.setTxt(`${at}`);
  assert.ok(waits.length >= 6, 'more than two requests were sent within a second');
  const before = services.asked.length;
  assert.equal(before, 15);
  await provider.setTxt('the sixteenth');
  assert.ok((waits.at(-1) ?? 0) > 10_000, 'more than fifteen requests were sent within a minute');
  for (let at = 0; services.asked.length < 100; at += 1) await provider.setTxt(`${at}`);
  await assert.rejects(provider.setTxt('x'), fails('dns-limited'));
  assert.equal(services.asked.length, 100);
  pass(3_600_000);
  await provider.setTxt('an hour later');
});

test('dns_b: a name of another account is refused', async (t) => {
  const { provider } = await world(t, { ...B, domain: 'film.elsewhere.dedyn.io' } as unknown as typeof B);
  await assert.rejects(provider.setTxt('x'), fails('dns-refused'));
});

test('a budget counts requests within each span', () => {
  let now = 0;
  const budget = createRequestBudget([{ most: 2, withinMs: 1_000 }], { now: () => 0, monotonic: () => now });
  for (const expected of [0, 0, 1_000]) {
    assert.equal(budget.waitMs(), expected);
    budget.count();
  }
  now = 5_000;
  assert.equal(budget.waitMs(), 0);
});

test('the address is sent at the start and again, and a failure is kept until it works', async (t) => {
  const { provider, services } = await world(t, A);
  const told: string[] = [];
  const log = { warn: (event: string, fields?: object) => void told.push(JSON.stringify([event, fields])) };
  services.instead.push({ status: 200, body: 'KO' });
  const updates = createAddressUpdates({
    ...{ provider, clock: systemClock, log: log as never },
    isTermsAccepted: () => true,
    everyMs: 20,
  });
  updates.start();
  updates.start();
  while (services.asked.length < 3) await new Promise((resolve) => void setTimeout(resolve, 5));
  await updates.close();
  assert.equal(updates.last()?.fault, undefined);
  assert.deepEqual(told, ['["remote.address.failed",{"reason":"dns-refused"}]']);
  assert.deepEqual(services.records.get('A film.duckdns.org'), ['203.0.113.7']);
  const after = services.asked.length;
  await new Promise((resolve) => void setTimeout(resolve, 60));
  assert.equal(services.asked.length, after);
});

test('no address is sent before the terms are accepted, and then it is sent at once', async (t) => {
  const { provider, services } = await world(t, A);
  let isAccepted = false;
  const updates = createAddressUpdates({
    ...{ provider, clock: systemClock, log: silentLog },
    isTermsAccepted: () => isAccepted,
  });
  updates.start();
  updates.send();
  await new Promise((resolve) => void setTimeout(resolve, 50));
  assert.equal(services.asked.length, 0);
  isAccepted = true;
  updates.send();
  while (!services.records.has('A film.duckdns.org')) await new Promise((resolve) => void setTimeout(resolve, 5));
  await updates.close();
  const after = services.asked.length;
  updates.send();
  await new Promise((resolve) => void setTimeout(resolve, 30));
  assert.equal(services.asked.length, after);
});
