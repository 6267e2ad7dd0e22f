/**
 * Every credential opens what it should, and stops doing so: scopes, proofs, windows, and open replies.
 *
 * Each scenario returns whether the rule held. It is run as things are, and once more with the check taken out by a
 * wrapper around the doors: then it must not hold, or the scenario proves nothing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  forbidAway,
  makeHousehold,
  ITEM,
  OUTSIDE,
  openProbedWorld,
  type ProbedWorld,
  scenario,
  SHUT,
} from './testing-access.ts';
import { GOOD, OTHER, setUp, makeViewer, signInOutside } from './testing-world.ts';

/** Every way in which a credential ends, with the reply that is open at that moment. */
const ENDINGS: [
  name: string,
  end: (w: ProbedWorld, who: Awaited<ReturnType<typeof makeHousehold>>) => Promise<AbortSignal>,
][] = [
  [
    'signing out',
    async (w, { token }) => {
      const signal = await w.open('/api/v1/probe/events', { token });
      await w.call('DELETE', '/api/v1/session', { token });
      return signal;
    },
  ],
  [
    'an owner ending the session',
    async (w, { owner, token, sessionOf }) => {
      const signal = await w.open('/api/v1/probe/events', { token });
      await w.call('DELETE', `/api/v1/sessions/${await sessionOf(token)}`, { token: owner });
      return signal;
    },
  ],
  [
    'an owner ending all other sessions',
    async (w, { owner, token }) => {
      const signal = await w.open('/api/v1/probe/events', { token });
      await w.call('DELETE', '/api/v1/sessions', { token: owner });
      return signal;
    },
  ],
  [
    'forgetting the device',
    async (w, { owner, token }) => {
      const signal = await w.open('/api/v1/probe/events', { token });
      const devices = (await w.call('GET', '/api/v1/devices', { token: owner })).body['items'] as {
        id: string;
        profile: string;
      }[];
      await w.call('DELETE', `/api/v1/devices/${devices.find(({ profile }) => profile === 'Vic')?.id}`, {
        token: owner,
      });
      return signal;
    },
  ],
  [
    'removing the profile',
    async (w, { owner, id, token }) => {
      const signal = await w.open('/api/v1/probe/events', { token });
      await w.call('DELETE', `/api/v1/profiles/${id}`, { token: owner });
      return signal;
    },
  ],
  [
    'setting a password',
    async (w, { owner, id, token }) => {
      const signal = await w.open('/api/v1/probe/events', { token });
      await w.call('PUT', `/api/v1/profiles/${id}/password`, { token: owner, body: { password: GOOD } });
      return signal;
    },
  ],
  [
    'closing the viewing window',
    async (w, { owner, id, token }) => {
      const signal = await w.open('/api/v1/probe/events', { token });
      await w.call('PUT', `/api/v1/profiles/${id}`, {
        token: owner,
        body: {
          policy: { libraries: 'all', rating: 'all', windows: SHUT, remote: true, transcode: true, download: true },
        },
      });
      return signal;
    },
  ],
  [
    'no longer allowing it away from home',
    async (w, { owner, id }) => {
      const token = await signInOutside(w, { owner, profile: id, address: OUTSIDE });
      const signal = await w.open('/api/v1/probe/events', { token, address: OUTSIDE });
      await w.call('PUT', `/api/v1/profiles/${id}`, {
        token: owner,
        body: {
          policy: { libraries: 'all', rating: 'all', windows: [], remote: false, transcode: true, download: true },
        },
      });
      return signal;
    },
  ],
  [
    'taking the role of an owner away',
    async (w, { owner, id, token }) => {
      await w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { role: 'owner' } });
      const signal = await w.open('/api/v1/probe/owned', { token });
      await w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { role: 'viewer' } });
      return signal;
    },
  ],
  [
    'revoking a key',
    async (w, { owner, key }) => {
      const { id, secret } = await key(['stream']);
      const signal = await w.open('/api/v1/probe/events', { token: secret });
      await w.call('DELETE', `/api/v1/api-keys/${id}`, { token: owner });
      return signal;
    },
  ],
  [
    'demoting the owner of a key',
    async (w, { owner, id, token }) => {
      await w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { role: 'owner' } });
      await w.call('POST', '/api/v1/session/step-up', { token, body: { password: OTHER } });
      const { secret } = (await w.call('POST', '/api/v1/api-keys', { token, body: { name: 'k', scopes: ['stream'] } }))
        .body as { secret: string };
      const signal = await w.open('/api/v1/probe/events', { token: secret });
      await w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { role: 'viewer' } });
      return signal;
    },
  ],
  [
    'requiring a second factor',
    async (w, { token, owner }) => {
      const signal = await w.open('/api/v1/probe/events', { token });
      w.settings.set('security.require_mfa', true);
      // The configuration notifies the server in production; here any change makes the server check again.
      await w.call('DELETE', '/api/v1/session', { token: owner });
      return signal;
    },
  ],
];
for (const [name, end] of ENDINGS)
  scenario(
    `${name} cuts what is open`,
    'open replies are never looked at again',
    async (w) => (await end(w, await makeHousehold(w))).aborted,
  );

test('what is open and still allowed is left alone', async (t) => {
  const w = await openProbedWorld(t);
  const { owner, id, token, key } = await makeHousehold(w);
  const { secret } = await key(['stream']);
  const open = [
    await w.open('/api/v1/probe/events', { token }),
    await w.open('/api/v1/probe/events', { token: owner }),
    await w.open('/api/v1/probe/events', { token: secret }),
  ];
  await w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { name: 'Victor' } });
  await makeViewer(w, owner, {}, 'Una');
  assert.deepEqual(
    open.map(({ aborted }) => aborted),
    [false, false, false],
  );
});

scenario(
  'a session that was ended is refused on its next request',
  'a credential is looked up once and believed for good',
  async (w) => {
    const { token } = await makeHousehold(w);
    await w.call('DELETE', '/api/v1/session', { token });
    return (await w.call('GET', '/api/v1/me', { token })).status === 401;
  },
);

scenario(
  'a policy holds from the next request on',
  'a credential is looked up once and believed for good',
  async (w) => {
    const { owner, id, token } = await makeHousehold(w);
    await w.call('GET', `/media/${ITEM}`, { token });
    await w.call('PUT', `/api/v1/profiles/${id}`, {
      token: owner,
      body: {
        policy: { libraries: [ITEM], rating: 'teen', windows: [], remote: false, transcode: false, download: false },
      },
    });
    return (
      JSON.stringify((await w.call('GET', `/media/${ITEM}`, { token })).body['libraries']) === JSON.stringify([ITEM])
    );
  },
);

scenario('a key does what its scopes say and no more', 'keys have every scope', async (w) => {
  const { key } = await makeHousehold(w);
  const statuses: number[] = [];
  for (const scopes of [['library'], ['write'], ['stream'], ['download'], ['admin']]) {
    const { secret } = await key(scopes);
    for (const path of ['/api/v1/me', `/media/${ITEM}`, '/api/v1/profiles'])
      statuses.push((await w.call('GET', path, { token: secret })).status);
    statuses.push((await w.call('PUT', '/api/v1/me/preferences', { token: secret, body: {} })).status);
  }
  return (
    statuses.join() ===
    [200, 403, 403, 403, 403, 403, 403, 200, 403, 200, 403, 403, 403, 403, 403, 403, 403, 403, 200, 403].join()
  );
});

scenario('what changes identity asks for a recent proof', 'every proof is recent', async (w) => {
  const { owner } = await makeHousehold(w);
  w.clock.pass(10 * 60_000);
  const reply = await w.call('POST', '/api/v1/api-keys', { token: owner, body: { name: 'k', scopes: ['admin'] } });
  return reply.status === 403 && reply.body['stepUpRequired'] === true;
});

scenario('a required second factor comes first', 'nobody has to enrol', async (w) => {
  const { token } = await makeHousehold(w);
  w.settings.set('security.require_mfa', true);
  return (await w.call('GET', `/media/${ITEM}`, { token })).status === 403;
});

scenario(
  'outside its windows a profile may do nothing but leave',
  'windows and networks are not looked at',
  async (w) => {
    const { owner, id, token } = await makeHousehold(w);
    await w.call('PUT', `/api/v1/profiles/${id}`, {
      token: owner,
      body: {
        policy: { libraries: 'all', rating: 'all', windows: SHUT, remote: true, transcode: true, download: true },
      },
    });
    assert.equal((await w.call('GET', '/api/v1/session', { token })).status, 200);
    const friday = (await w.call('GET', `/media/${ITEM}`, { token })).status;
    w.clock.pass(Date.parse('2026-11-23T10:00:00Z') - w.clock.now());
    assert.equal((await w.call('GET', `/media/${ITEM}`, { token })).status, 200);
    return friday === 403;
  },
);

scenario(
  'a profile that may not be used away from home is refused there',
  'windows and networks are not looked at',
  async (w) => {
    const owner = await setUp(w);
    const { id } = await makeViewer(w, owner, { remote: true });
    const token = await signInOutside(w, { owner, profile: id, address: OUTSIDE });
    assert.equal((await w.call('GET', `/media/${ITEM}`, { token, address: OUTSIDE })).status, 200);
    await forbidAway(w, owner, id);
    return (await w.call('GET', `/media/${ITEM}`, { token, address: OUTSIDE })).status === 403;
  },
);

scenario('a viewer manages nobody', 'everybody is an owner', async (w) => {
  const { token, id } = await makeHousehold(w);
  const asked: [string, string, unknown?][] = [
    ['GET', '/profiles'],
    ['PUT', `/profiles/${id}`, { role: 'owner' }],
    ['DELETE', `/profiles/${id}`],
    ['GET', '/sessions'],
    ['DELETE', '/sessions'],
    ['GET', '/devices'],
    ['GET', '/api-keys'],
    ['POST', '/api-keys', { name: 'k', scopes: ['admin'] }],
  ];
  for (const [method, path, body] of asked)
    if ((await w.call(method, `/api/v1${path}`, { token, ...(body !== undefined && { body }) })).status !== 403)
      return false;
  return true;
});
