/**
 * What a credential opens, and that it stops opening it: scopes, proofs, windows, links, and open replies.
 *
 * Each scenario answers whether the rule held. It is run as things are, and once more with the check taken out by a
 * wrapper around the doors: then it must not hold, or the scenario proves nothing.
 */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { z } from 'zod';
import { byId } from '../contract/common.ts';
import { endpoint, SCOPES } from '../contract/endpoint.ts';
import type { Principal } from '../contract/principal.ts';
import type { Call, Sent } from '../http/handle.ts';
import type { Doors } from '../http/server.ts';
import { mount, GOOD, OTHER, setUp, viewer, world, type World, type WorldOptions } from './testing-world.ts';

const ITEM = 'aaaaaaaaaaaaaaaa';
const OUTSIDE = '203.0.113.5';
const ALWAYS = { windows: [], remote: true };
/** Mondays, while the clock of these tests stands on a Friday. */
const SHUT = [{ days: ['monday' as const], start: '10:00', end: '12:00', timeZone: 'UTC' }];

const NAME = z.strictObject({ profile: z.string(), libraries: z.union([z.literal('all'), z.array(z.string())]) });
const probe = {
  events: endpoint({ method: 'GET', path: '/api/v1/probe/events', summary: 'a stream', access: { role: 'viewer', via: 'stream' }, result: { events: z.strictObject({}) } }),
  owned: endpoint({ method: 'GET', path: '/api/v1/probe/owned', summary: 'a stream of owners', access: { role: 'owner', via: 'admin' }, result: { events: z.strictObject({}) } }),
  media: endpoint({ method: 'GET', path: '/media/{id}', summary: 'bytes', surface: 'media', access: { role: 'viewer', via: 'stream', link: 'media' }, params: byId, query: z.strictObject({ ticket: z.string().optional() }), result: NAME }),
  subtitle: endpoint({ method: 'GET', path: '/subtitle/{id}', summary: 'a subtitle', surface: 'media', access: { role: 'viewer', via: 'stream', link: 'subtitle' }, params: byId, query: z.strictObject({ ticket: z.string().optional() }), result: NAME }),
  links: endpoint({ method: 'POST', path: '/api/v1/probe/links', summary: 'a link', access: { role: 'viewer', via: 'library' }, body: z.strictObject({ item: z.string() }), result: z.strictObject({ ticket: z.string(), expiresAt: z.number() }) }),
};

interface Probed extends World {
  /** Opens a stream and answers its signal once the handler runs. */
  open(path: string, asking: { token?: string; cookie?: string; address?: string }): Promise<AbortSignal>;
  link(token: string, item?: string): Promise<string>;
  media(ticket: string, more?: { item?: string; address?: string; path?: string }): Promise<number>;
}

async function probed(t: TestContext, options: Pick<WorldOptions, 'doors'> = {}): Promise<Probed> {
  const opened: ((signal: AbortSignal) => void)[] = [];
  const hold = async function* (_given: unknown, { signal }: Call): AsyncGenerator<Sent> {
    opened.shift()?.(signal);
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    yield* [];
  };
  const shown = (by: Principal) => ({ profile: by.profile, libraries: by.policy.libraries });
  const more: WorldOptions['more'] = (identity) =>
    mount(probe, {
      events: hold,
      owned: hold,
      media: (_given, { by }) => shown(by),
      subtitle: (_given, { by }) => shown(by),
      links: ({ item }, { by }) => identity.makeTicket({ by, purpose: 'media', item }),
    });
  const w = await world(t, { ...options, more });
  return {
    ...w,
    open: (path, asking) =>
      new Promise((resolve, reject) => {
        opened.push(resolve);
        void w.call('GET', path, asking).then(({ status }) => reject(new Error(`closed with ${status}`)), reject);
      }),
    link: async (token, item = ITEM) => String((await w.call('POST', '/api/v1/probe/links', { token, body: { item } })).body['ticket']),
    media: async (ticket, { item = ITEM, path = 'media', ...asking } = {}) => (await w.call('GET', `/${path}/${item}?ticket=${encodeURIComponent(ticket)}`, asking)).status,
  };
}

/** Makes the people every scenario begins with. */
async function household(w: Probed) {
  const owner = await setUp(w);
  const { id, token } = await viewer(w, owner, ALWAYS);
  const key = async (scopes: readonly string[]) => (await w.call('POST', '/api/v1/api-keys', { token: owner, body: { name: 'k', scopes } })).body as { id: string; secret: string };
  const sessionOf = async (credential: string) => String((await w.call('GET', '/api/v1/session', { token: credential })).body['id']);
  return { owner, id, token, key, sessionOf };
}

/** The server looks again before it hands over; a check that is taken out is taken out there too. */
const changed = (change: (by: Principal) => Partial<Principal>) => (doors: Doors): Doors => ({
  ...doors,
  isStill: () => true,
  identify: async (asked) => {
    const by = await doors.identify(asked);
    return by && { ...by, ...change(by) };
  },
});
/** The faults that are planted, each as the check being taken out. */
const FAULTS = {
  'open replies are never looked at again': (doors: Doors): Doors => ({ ...doors, isStill: () => true }),
  'keys have every scope': changed(({ via }) => (via instanceof Set ? { via: new Set(SCOPES) } : {})),
  'every proof is recent': changed(() => ({ recent: true })),
  'nobody has to enrol': changed(() => ({ enrolling: false })),
  'windows and networks are not looked at': changed(() => ({ denied: undefined })),
  'everybody is an owner': changed(() => ({ role: 'owner' })),
  'a link opens whatever is asked for': (doors: Doors): Doors => ({
    ...doors,
    isStill: () => true,
    identify: async (asked) => {
      const by = await doors.identify(asked);
      return by && typeof by.via === 'object' && 'item' in by.via ? { ...by, via: 'session' } : by;
    },
  }),
  'a credential is looked up once and believed for good': (doors: Doors): Doors => {
    const seen = new Map<string, Principal | undefined>();
    return {
      ...doors,
      isStill: () => true,
      identify: async (asked) => {
        const key = `${asked.bearer} ${asked.cookie} ${asked.ticket}`;
        if (!seen.has(key)) seen.set(key, await doors.identify(asked));
        return seen.get(key);
      },
    };
  },
};

function scenario(name: string, fault: keyof typeof FAULTS, holds: (w: Probed) => Promise<boolean>): void {
  test(name, async (t) => assert.equal(await holds(await probed(t)), true));
  test(`${name} — and is found out when ${fault}`, async (t) => assert.equal(await holds(await probed(t, { doors: FAULTS[fault] })), false));
}

/** Every way in which a credential ends, with the reply that is open at that moment. */
const ENDINGS: [name: string, end: (w: Probed, who: Awaited<ReturnType<typeof household>>) => Promise<AbortSignal>][] = [
  ['signing out', async (w, { token }) => {
    const signal = await w.open('/api/v1/probe/events', { token });
    await w.call('DELETE', '/api/v1/session', { token });
    return signal;
  }],
  ['an owner ending the session', async (w, { owner, token, sessionOf }) => {
    const signal = await w.open('/api/v1/probe/events', { token });
    await w.call('DELETE', `/api/v1/sessions/${await sessionOf(token)}`, { token: owner });
    return signal;
  }],
  ['an owner ending all other sessions', async (w, { owner, token }) => {
    const signal = await w.open('/api/v1/probe/events', { token });
    await w.call('DELETE', '/api/v1/sessions', { token: owner });
    return signal;
  }],
  ['forgetting the device', async (w, { owner, token }) => {
    const signal = await w.open('/api/v1/probe/events', { token });
    const devices = (await w.call('GET', '/api/v1/devices', { token: owner })).body['items'] as { id: string; profile: string }[];
    await w.call('DELETE', `/api/v1/devices/${devices.find(({ profile }) => profile === 'Vic')?.id}`, { token: owner });
    return signal;
  }],
  ['removing the profile', async (w, { owner, id, token }) => {
    const signal = await w.open('/api/v1/probe/events', { token });
    await w.call('DELETE', `/api/v1/profiles/${id}`, { token: owner });
    return signal;
  }],
  ['setting a password', async (w, { owner, id, token }) => {
    const signal = await w.open('/api/v1/probe/events', { token });
    await w.call('PUT', `/api/v1/profiles/${id}/password`, { token: owner, body: { password: GOOD } });
    return signal;
  }],
  ['closing the viewing window', async (w, { owner, id, token }) => {
    const signal = await w.open('/api/v1/probe/events', { token });
    await w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { policy: { libraries: 'all', rating: 'all', windows: SHUT, remote: true, transcode: true, download: true } } });
    return signal;
  }],
  ['no longer allowing it away from home', async (w, { owner, id, token }) => {
    const signal = await w.open('/api/v1/probe/events', { token, address: OUTSIDE });
    await w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { policy: { libraries: 'all', rating: 'all', windows: [], remote: false, transcode: true, download: true } } });
    return signal;
  }],
  ['taking the role of an owner away', async (w, { owner, id, token }) => {
    await w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { role: 'owner' } });
    const signal = await w.open('/api/v1/probe/owned', { token });
    await w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { role: 'viewer' } });
    return signal;
  }],
  ['revoking a key', async (w, { owner, key }) => {
    const { id, secret } = await key(['stream']);
    const signal = await w.open('/api/v1/probe/events', { token: secret });
    await w.call('DELETE', `/api/v1/api-keys/${id}`, { token: owner });
    return signal;
  }],
  ['demoting the owner of a key', async (w, { owner, id, token }) => {
    await w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { role: 'owner' } });
    await w.call('POST', '/api/v1/session/step-up', { token, body: { password: OTHER } });
    const { secret } = (await w.call('POST', '/api/v1/api-keys', { token, body: { name: 'k', scopes: ['stream'] } })).body as { secret: string };
    const signal = await w.open('/api/v1/probe/events', { token: secret });
    await w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { role: 'viewer' } });
    return signal;
  }],
  ['requiring a second factor', async (w, { token, owner }) => {
    const signal = await w.open('/api/v1/probe/events', { token });
    w.settings.set('security.require_mfa', true);
    // The configuration tells; here any change makes the server look again.
    await w.call('DELETE', '/api/v1/session', { token: owner });
    return signal;
  }],
];
for (const [name, end] of ENDINGS) scenario(`${name} cuts what is open`, 'open replies are never looked at again', async (w) => (await end(w, await household(w))).aborted);

test('what is open and still allowed is left alone', async (t) => {
  const w = await probed(t);
  const { owner, id, token, key } = await household(w);
  const { secret } = await key(['stream']);
  const open = [await w.open('/api/v1/probe/events', { token }), await w.open('/api/v1/probe/events', { token: owner }), await w.open('/api/v1/probe/events', { token: secret })];
  await w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { name: 'Victor' } });
  await viewer(w, owner, {}, 'Una');
  assert.deepEqual(open.map(({ aborted }) => aborted), [false, false, false]);
});

scenario('a session that was ended is refused on its next request', 'a credential is looked up once and believed for good', async (w) => {
  const { token } = await household(w);
  await w.call('DELETE', '/api/v1/session', { token });
  return (await w.call('GET', '/api/v1/me', { token })).status === 401;
});

scenario('a policy holds from the next request on', 'a credential is looked up once and believed for good', async (w) => {
  const { owner, id, token } = await household(w);
  await w.call('GET', `/media/${ITEM}`, { token });
  await w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { policy: { libraries: [ITEM], rating: 'teen', windows: [], remote: false, transcode: false, download: false } } });
  return JSON.stringify((await w.call('GET', `/media/${ITEM}`, { token })).body['libraries']) === JSON.stringify([ITEM]);
});

scenario('a key does what its scopes say and no more', 'keys have every scope', async (w) => {
  const { key } = await household(w);
  const statuses: number[] = [];
  for (const scopes of [['library'], ['write'], ['stream'], ['download'], ['admin']]) {
    const { secret } = await key(scopes);
    for (const path of ['/api/v1/me', `/media/${ITEM}`, '/api/v1/profiles']) statuses.push((await w.call('GET', path, { token: secret })).status);
    statuses.push((await w.call('PUT', '/api/v1/me/preferences', { token: secret, body: {} })).status);
  }
  return statuses.join() === [200, 403, 403, 403, 403, 403, 403, 200, 403, 200, 403, 403, 403, 403, 403, 403, 403, 403, 200, 403].join();
});

scenario('what changes identity asks for a recent proof', 'every proof is recent', async (w) => {
  const { owner } = await household(w);
  w.clock.pass(10 * 60_000);
  const reply = await w.call('POST', '/api/v1/api-keys', { token: owner, body: { name: 'k', scopes: ['admin'] } });
  return reply.status === 403 && reply.body['stepUpRequired'] === true;
});

scenario('a required second factor comes first', 'nobody has to enrol', async (w) => {
  const { token } = await household(w);
  w.settings.set('security.require_mfa', true);
  return (await w.call('GET', `/media/${ITEM}`, { token })).status === 403;
});

scenario('outside its windows a profile may do nothing but leave', 'windows and networks are not looked at', async (w) => {
  const { owner, id, token } = await household(w);
  await w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { policy: { libraries: 'all', rating: 'all', windows: SHUT, remote: true, transcode: true, download: true } } });
  assert.equal((await w.call('GET', '/api/v1/session', { token })).status, 200);
  const friday = (await w.call('GET', `/media/${ITEM}`, { token })).status;
  w.clock.pass(Date.parse('2026-11-23T10:00:00Z') - w.clock.now());
  assert.equal((await w.call('GET', `/media/${ITEM}`, { token })).status, 200);
  return friday === 403;
});

scenario('a profile that may not be used away from home is refused there', 'windows and networks are not looked at', async (w) => {
  const owner = await setUp(w);
  const { token } = await viewer(w, owner, { remote: false });
  assert.equal((await w.call('GET', `/media/${ITEM}`, { token })).status, 200);
  return (await w.call('GET', `/media/${ITEM}`, { token, address: OUTSIDE })).status === 403;
});

scenario('a viewer manages nobody', 'everybody is an owner', async (w) => {
  const { token, id } = await household(w);
  const asked: [string, string, unknown?][] = [['GET', '/profiles'], ['PUT', `/profiles/${id}`, { role: 'owner' }], ['DELETE', `/profiles/${id}`], ['GET', '/sessions'], ['DELETE', '/sessions'], ['GET', '/devices'], ['GET', '/api-keys'], ['POST', '/api-keys', { name: 'k', scopes: ['admin'] }]];
  for (const [method, path, body] of asked) if ((await w.call(method, `/api/v1${path}`, { token, ...(body !== undefined && { body }) })).status !== 403) return false;
  return true;
});

scenario('a link opens its own item for its own purpose', 'a link opens whatever is asked for', async (w) => {
  const { token } = await household(w);
  const ticket = await w.link(token);
  assert.match(ticket, /^mat_tkt_[\w-]{75}$/);
  assert.equal(await w.media(ticket), 200);
  const others = [await w.media(ticket, { item: 'bbbbbbbbbbbbbbbb' }), await w.media(ticket, { path: 'subtitle' })];
  return others.join() === '401,401';
});

scenario('a link ends with the session it was made with', 'a credential is looked up once and believed for good', async (w) => {
  const { token } = await household(w);
  const ticket = await w.link(token);
  assert.equal(await w.media(ticket), 200);
  await w.call('DELETE', '/api/v1/session', { token });
  return (await w.media(ticket)) === 401;
});

scenario('a link is held to the policy of its profile', 'windows and networks are not looked at', async (w) => {
  const owner = await setUp(w);
  const { token } = await viewer(w, owner, { remote: false });
  const ticket = await w.link(token);
  assert.equal(await w.media(ticket), 200);
  return (await w.media(ticket, { address: OUTSIDE })) === 403;
});

test('a link is good for six hours, survives a restart, and is no bearer', async (t) => {
  const w = await probed(t);
  const { token } = await household(w);
  const ticket = await w.link(token);
  const again = await w.again();
  assert.equal((await again.call('GET', `/media/${ITEM}?ticket=${ticket}`)).status, 200);
  assert.equal((await w.call('GET', `/media/${ITEM}`, { token: ticket })).status, 401);
  assert.equal((await w.call('GET', `/api/v1/me?ticket=${ticket}`)).status, 401);
  w.clock.pass(6 * 3_600_000 - 1);
  assert.equal(await w.media(ticket), 200);
  w.clock.pass(1);
  assert.equal(await w.media(ticket), 401);
});

test('a link that was changed anywhere is refused', async (t) => {
  const w = await probed(t);
  const { token } = await household(w);
  const ticket = await w.link(token);
  const bytes = Buffer.from(ticket.slice(8), 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const forged = Buffer.from(bytes);
    forged.writeUInt8(forged.readUInt8(at) ^ 1, at);
    assert.equal(await w.media(`mat_tkt_${forged.toString('base64url')}`, forged[1] === bytes[1] ? {} : { path: 'subtitle' }), 401, `byte ${at}`);
  }
  for (const odd of ['', 'x', ticket.slice(0, -1), `${ticket}A`, ticket.replace('mat_tkt_', 'mat_ses_')]) assert.equal(await w.media(odd), 401);
});

test('a key makes links only for what its scopes open, and is no better by them', async (t) => {
  const w = await probed(t);
  const { owner, key } = await household(w);
  const [weak, able] = [await key(['library']), await key(['library', 'stream'])];
  assert.equal((await w.call('POST', '/api/v1/probe/links', { token: weak.secret, body: { item: ITEM } })).status, 403);
  const ticket = await w.link(able.secret);
  assert.equal(await w.media(ticket), 200);
  await w.call('DELETE', `/api/v1/api-keys/${able.id}`, { token: owner });
  assert.equal(await w.media(ticket), 401);
});

test('a key is shown once, expires after thirty days, and does nothing that needs a session', async (t) => {
  const w = await probed(t);
  const { owner, key } = await household(w);
  const made = (await key([...SCOPES])) as unknown as { secret: string; createdAt: string; expiresAt: string };
  assert.match(made.secret, /^mat_key_[\w-]{43}$/);
  assert.equal(Date.parse(made.expiresAt) - Date.parse(made.createdAt), 30 * 86_400_000);
  const listed = await w.call('GET', '/api/v1/api-keys', { token: owner });
  assert.equal(JSON.stringify(listed.body).includes(made.secret), false);
  for (const [method, path, body] of [['GET', '/session'], ['DELETE', '/session'], ['POST', '/session/step-up', { password: GOOD }], ['POST', '/me/mfa', {}], ['DELETE', '/me/mfa', { code: '123456' }], ['POST', '/api-keys', { name: 'k', scopes: ['admin'] }]] as const) {
    assert.equal((await w.call(method, `/api/v1${path}`, { token: made.secret, ...(body !== undefined && { body }) })).status, 403, `${method} ${path}`);
  }
  w.clock.pass(30 * 86_400_000 - 1);
  assert.equal((await w.call('GET', '/api/v1/me', { token: made.secret })).status, 200);
  w.clock.pass(1);
  assert.equal((await w.call('GET', '/api/v1/me', { token: made.secret })).status, 401);
});
