/** Faces of Profiles: colours, drawn pictures and uploads, and who sees them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { FACE_COLOURS } from '../../contract/identity/faces.ts';
import type { Face } from '../../contract/identity/profiles.ts';
import { eachEngine } from '../../lib/db/testing.ts';
import { identityMigrations } from '../index.ts';
import { makeViewer, openIdentityWorld, setUp, type World } from '../testing-world.ts';

const MINE = '/api/v1/me/picture';
const makePicture = (colour: string, width = 900, height = 500): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: colour } })
    .jpeg()
    .withExif({ IFD0: { Copyright: 'a place that is nobody’s business' } })
    .toBuffer();

/** Sends bytes as a picture. */
async function upload(w: World, path: string, token: string, bytes: Uint8Array, type = 'image/jpeg') {
  const reply = await w.http.server.inject({
    method: 'PUT',
    url: path,
    remoteAddress: '192.168.1.20',
    headers: { host: 'localhost', authorization: `Bearer ${token}`, 'content-type': type },
    payload: Buffer.from(bytes),
  });
  return { status: reply.statusCode, body: JSON.parse(reply.body) as Face & { face?: Face; reason?: string } };
}
async function pictureAt(w: World, path: string, headers: Record<string, string>, remoteAddress = '192.168.1.20') {
  const reply = await w.http.server.inject({ method: 'GET', url: path, remoteAddress, headers });
  return { status: reply.statusCode, bytes: reply.rawPayload, headers: reply.headers };
}
const withToken = (token: string) => ({ host: 'localhost', authorization: `Bearer ${token}` });
const faceOf = async (w: World, token: string): Promise<Face> =>
  ((await w.call('GET', '/api/v1/me', { token })).body['profile'] as { face: Face }).face;

eachEngine('a face is chosen, uploaded and replaced, and survives a restart', identityMigrations, async (t, db) => {
  const w = await openIdentityWorld(t, { db });
  const owner = await setUp(w);
  const { id, token } = await makeViewer(w, owner);
  const first = await faceOf(w, token);
  assert.ok(FACE_COLOURS.includes(first.colour) && first.avatar === undefined);
  const put = (body: object, who = owner) => w.call('PUT', `/api/v1/profiles/${id}/face`, { token: who, body });
  assert.deepEqual((await put({ colour: 'teal', avatar: 'fox' })).body['face'], { colour: 'teal', avatar: 'fox' });
  assert.deepEqual(await faceOf(await w.again(), token), { colour: 'teal', avatar: 'fox' });
  assert.equal((await put({ avatar: 'dragon' })).status, 400);
  assert.equal((await put({ avatar: 'owl' }, token)).status, 403);

  const sent = await upload(w, `/api/v1/profiles/${id}/picture`, owner, await makePicture('#d02020'));
  const version = sent.body.face?.picture;
  assert.deepEqual([sent.status, sent.body.face], [200, { colour: 'teal', picture: version }], 'it replaces the fox');
  const again = await w.again();
  const shown = await pictureAt(again, `/api/v1/profiles/${id}/picture?v=${version}`, withToken(token));
  assert.equal(shown.status, 200);
  const { width, height, format, exif } = await sharp(shown.bytes).metadata();
  assert.deepEqual([width, height, format, exif], [352, 352, 'webp', undefined]);
  assert.match(String(shown.headers['cache-control']), /immutable/);
  const mine = await w.call('PUT', '/api/v1/me/face', { token, body: { avatar: 'owl', colour: null } });
  assert.deepEqual(mine.body, { colour: first.colour, avatar: 'owl' });
  const rows = await db.tables<{ identity_picture: object }>().selectFrom('identity_picture').selectAll().execute();
  assert.equal(rows.length, 0, 'the bytes go with the picture');
});

test('a picture is seen by its Profile and by Owners, and by no one else', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const { id, token } = await makeViewer(w, owner);
  const other = await makeViewer(w, owner, {}, 'Vera');
  assert.equal((await upload(w, MINE, token, await makePicture('#2040d0'))).status, 200);
  const path = `/api/v1/profiles/${id}/picture`;
  for (const [who, status] of [
    [token, 200],
    [owner, 200],
    [other.token, 404],
  ] as const)
    assert.equal((await pictureAt(w, path, withToken(who))).status, status);
  assert.equal((await pictureAt(w, path, { host: 'localhost' })).status, 401);
  assert.equal((await pictureAt(w, `/api/v1/profiles/${other.id}/picture`, withToken(owner))).status, 404);

  // The picker of a household device shows those in it, at home and with the cookie of the device.
  const profiles = [{ id, opens: 'nothing' }];
  const made = await w.call('POST', '/api/v1/household/devices', { token: owner, body: { name: 'TV', profiles } });
  const cookie = `matinee-household=${made.cookies['matinee-household']}`;
  const picker = await w.call('GET', '/api/v1/household', { cookie });
  const [shown] = picker.body['profiles'] as { face: Face }[];
  assert.ok(shown?.face.picture);
  const ofPicker = (one: string) => `/api/v1/household/pictures/${one}`;
  const asDevice = { host: 'localhost', cookie };
  assert.equal((await pictureAt(w, ofPicker(id), asDevice)).status, 200);
  const refused = [
    await pictureAt(w, ofPicker(id), { host: 'localhost' }),
    await pictureAt(w, ofPicker(id), { ...asDevice, cookie: `${cookie}x` }),
    await pictureAt(w, ofPicker(id), asDevice, '203.0.113.7'),
    await pictureAt(w, ofPicker(other.id), asDevice),
    await pictureAt(w, ofPicker('f'.repeat(16)), asDevice),
  ].map(({ status }) => status);
  assert.deepEqual(refused, [404, 404, 404, 404, 404]);
  // A Profile that a picker opened changes nothing about itself.
  const opened = await w.call('POST', '/api/v1/household/open', { cookie, body: { id } });
  const both = `${cookie}; matinee=${opened.cookies['matinee']}`;
  assert.equal((await w.call('PUT', '/api/v1/me/face', { cookie: both, body: { avatar: 'cat' } })).status, 403);
});

test('what is no picture is refused, and changes nothing: 0 of 5 kept', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const before = await faceOf(w, owner);
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>';
  const jpeg = await makePicture('#208020');
  const bomb = await sharp({ create: { width: 9_000, height: 6_000, channels: 3, background: '#fff' } })
    .png({ compressionLevel: 9 })
    .toBuffer();
  const reasons = [];
  for (const bytes of [Buffer.from(svg), Buffer.from('x'), jpeg.subarray(0, 200), Buffer.alloc(1_000), bomb])
    reasons.push((await upload(w, MINE, owner, bytes, 'image/png')).body.reason);
  assert.deepEqual(reasons, Array(5).fill('picture-not-readable'));
  assert.equal((await upload(w, MINE, owner, jpeg, 'image/svg+xml')).status, 400);
  assert.equal((await upload(w, MINE, owner, Buffer.alloc(16 * 1024 * 1024 + 1))).status, 413);
  assert.deepEqual(await faceOf(w, owner), before);
});

test('an Owner sets the language of a Profile, and a key does not', async (t) => {
  const w = await openIdentityWorld(t);
  const owner = await setUp(w);
  const { id, token } = await makeViewer(w, owner);
  const put = (body: object, who = owner) => w.call('PUT', `/api/v1/profiles/${id}`, { token: who, body });
  assert.equal((await put({ language: 'DE' })).body['language'], 'de');
  const me = await w.call('GET', '/api/v1/me', { token });
  assert.equal((me.body['preferences'] as { language: string }).language, 'de');
  assert.equal((await put({ name: 'Vera' })).body['language'], 'de');
  assert.equal((await put({ language: null })).body['language'], undefined);
  assert.equal((await put({ language: 'klingon' })).status, 400);
  const key = await w.call('POST', '/api/v1/api-keys', { token: owner, body: { name: 'k', scopes: ['admin'] } });
  const secret = String(key.body['secret']);
  assert.equal((await put({ language: 'fr' }, secret)).body['reason'], 'key-viewer-policy-only');
});
