/** Stolen and planted cookies of a household device: what a thief has of them opens nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '../../lib/db/testing.ts';
import { identityMigrations } from '../index.ts';
import { GOOD, OTHER } from '../testing-world.ts';
import { DEVICES, HOUSEHOLD, ME, names, open, openHouse, PICKER, said, SESSION, tabletOf } from './testing-house.ts';

const HOUR = 60 * 60_000;

eachEngine('a copied cookie of the device ends the device', identityMigrations, async (t, db) => {
  const { w, owner, kid, tablet } = await openHouse(t, { db });
  const thief = tabletOf(w, { [HOUSEHOLD]: tablet.cookies[HOUSEHOLD] ?? '' });
  w.clock.pass(HOUR);
  await tablet.call('GET', PICKER);
  assert.notEqual(tablet.cookies[HOUSEHOLD], thief.cookies[HOUSEHOLD], 'the token was replaced');
  await open(tablet, { id: kid });
  w.clock.pass(31_000);
  assert.deepEqual((await thief.call('GET', PICKER)).body, { profiles: [] }, 'the old one is refused');
  assert.equal((await tablet.call('GET', ME)).status, 401, 'what is open on it ends');
  assert.deepEqual(
    (await tablet.call('GET', PICKER)).body,
    { profiles: [] },
    'and the device has to be approved again',
  );
  assert.equal((await w.call('GET', DEVICES, { token: owner })).body['total'], 0);
  assert.equal(await said(w, 'household-copied'), 1);
});

test('stolen cookies open nothing elsewhere, outside, or after their end: 0 of 15 accepted', async (t) => {
  const { w, owner, kid, teen, tablet, device } = await openHouse(t);
  await open(tablet, { id: kid });
  const { matinee = '', [HOUSEHOLD]: token = '' } = tablet.cookies;
  const other = tabletOf(w);
  await other.call('POST', SESSION, { name: 'Ada', password: GOOD, transport: 'cookie' });
  await other.call('POST', DEVICES, { name: 'Other', profiles: [{ id: teen, opens: 'pin' }] });
  const both = { matinee, [HOUSEHOLD]: token };
  const accepted: string[] = [];
  let tried = 0;
  const steal = async (name: string, cookies: Record<string, string>, address?: string) => {
    tried += 1;
    const { status } = await tabletOf(w, cookies).call('GET', ME, undefined, address);
    if (status !== 401) accepted.push(`${name}: ${status}`);
  };
  const show = async (name: string, cookies: Record<string, string>, address?: string) => {
    tried += 1;
    const { status, body } = await tabletOf(w, cookies).call('GET', PICKER, undefined, address);
    if (status === 200 && names(body).length > 0) accepted.push(`${name}: ${names(body).join()}`);
  };
  await steal('the session without its device', { matinee });
  await steal('a made-up device', { matinee, [HOUSEHOLD]: 'mat_hhd_' + 'A'.repeat(43) });
  await steal('another device', { matinee, [HOUSEHOLD]: other.cookies[HOUSEHOLD] ?? '' });
  await steal('the device as the session', { matinee: token });
  await steal('both from outside', both, '203.0.113.7');
  await steal('the device under the name of another cookie', { 'matinee-device': token, matinee });
  await steal('the session as the device', { [HOUSEHOLD]: matinee, matinee });
  await steal('the device without a session', { matinee: 'x', [HOUSEHOLD]: token });
  await show('the picker from outside', { [HOUSEHOLD]: token }, '203.0.113.7');
  await show('the picker under the name of another cookie', { 'matinee-device': token });
  for (const bearer of [matinee, token]) {
    tried += 1;
    const { status } = await w.call('GET', ME, { token: bearer });
    if (status !== 401) accepted.push(`in a header: ${status}`);
  }
  assert.equal((await tablet.call('GET', ME)).status, 200, 'the tablet itself still works');
  assert.equal((await w.call('DELETE', `${DEVICES}/${device}`, { token: owner })).status, 204);
  await steal('both after the device was removed', both);
  await show('the picker after the device was removed', { [HOUSEHOLD]: token });
  tried += 1;
  const reopened = await open(tabletOf(w, both), { id: kid });
  if (reopened.status !== 401) accepted.push(`opened after the device was removed: ${reopened.status}`);
  assert.deepEqual([tried, accepted], [15, []]);
  t.diagnostic(`${tried} uses of stolen cookies, ${accepted.length} accepted`);
});

test('a planted session is replaced by the one that the picker opens', async (t) => {
  const { w, kid, teen, tablet } = await openHouse(t);
  const thief = tabletOf(w);
  await thief.call('POST', SESSION, { name: 'Adult', password: OTHER, transport: 'cookie' });
  const planted = thief.cookies['matinee'] ?? '';
  tablet.cookies['matinee'] = planted;
  await open(tablet, { id: kid });
  assert.notEqual(tablet.cookies['matinee'], planted);
  assert.equal((await thief.call('GET', ME)).status, 401, 'the planted one is over');
  const first = { ...tablet.cookies };
  await open(tablet, { id: teen, pin: '4071' });
  assert.equal((await tabletOf(w, first).call('GET', ME)).status, 401, 'and so is that of the Profile before');
});
