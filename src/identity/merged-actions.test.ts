/** A Viewer that does the same again and again does not fill the activity log, and an Owner's changes are all in it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ONE_BY_ONE } from '../activity/repeats.ts';
import { makeViewer, openIdentityWorld, OTHER, setUp } from './testing-world.ts';

test('signing in and out a hundred times is a few dozen entries, and each time is counted', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const { id } = await makeViewer(w, owner);
  for (let n = 0; n < 100; n++) {
    const { body } = await w.call('POST', '/api/v1/session', { body: { name: 'Vic', password: OTHER } });
    assert.equal((await w.call('DELETE', '/api/v1/session', { token: String(body['token']) })).status, 204);
  }
  const entries = (await w.activity.reading.page({ profile: id }, 1_000)).entries;
  for (const [kind, times] of [
    ['sign-in', 101],
    ['sign-out', 100],
    ['device-added', 101],
  ] as const) {
    const own = entries.filter((entry) => entry.kind === kind);
    assert.equal(own.length, ONE_BY_ONE.record + 1, kind);
    assert.equal(
      own.reduce((sum, { count }) => sum + count, 0),
      times,
      kind,
    );
  }
  for (let n = 0; n < 60; n++) {
    const changed = await w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { name: `Vic ${n}` } });
    assert.equal(changed.status, 200);
  }
  const { total } = await w.activity.reading.page({ kinds: ['profile-changed'] }, 1);
  assert.equal(total, 60);
});
