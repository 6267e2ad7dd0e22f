/** Requests for the file of an item: its present content, through its library, only for permitted callers. */
import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makePrincipal } from '../http/testing.ts';
import { OWNER_POLICY } from '../contract/identity/profiles.ts';
import { downloadName, etagOf } from './opening.ts';
import { HIDDEN, ID, openTestMedia, makeStream } from './testing.ts';

test('a film is sent with its type and its own validator', async (t) => {
  const m = await openTestMedia(t, {
    info: { container: 'mp4', streams: [makeStream(0, 'video', 'h264')] },
    name: 'Film.mp4',
  });
  m.write('Film.mp4', 'x'.repeat(1000));
  const whole = await m.get(`/media/${ID}`);
  assert.deepEqual(
    [
      whole.status,
      whole.headers.get('content-type'),
      whole.headers.get('content-length'),
      whole.headers.get('cache-control'),
      whole.headers.get('content-disposition'),
    ],
    [200, 'video/mp4', '1000', 'private, no-cache', null],
  );
  await whole.arrayBuffer();
  const etag = whole.headers.get('etag') ?? '';
  assert.equal((await m.get(`/media/${ID}`, { 'if-none-match': etag })).status, 304);
  const part = await m.get(`/media/${ID}`, { range: 'bytes=10-19', 'if-range': etag });
  assert.deepEqual([part.status, (await part.text()).length], [206, 10]);
  const head = await m.get(`/media/${ID}`, {}, 'HEAD');
  assert.deepEqual([head.status, head.headers.get('content-length'), head.headers.get('etag')], [200, '1000', etag]);
  assert.equal((await m.get(`/media/${ID}`, { range: 'bytes=1000-' })).status, 416);
});

test('a file that changed since the scan is served as it is now', async (t) => {
  const m = await openTestMedia(t);
  m.write('Film.mkv', 'before');
  const before = await m.get(`/media/${ID}`);
  assert.equal(await before.text(), 'before');
  m.file.size = 6;
  m.write('Film.mkv', 'and after');
  m.file.size = 6;
  const after = await m.get(`/media/${ID}`, { range: 'bytes=0-2', 'if-range': before.headers.get('etag') ?? '' });
  assert.deepEqual(
    [after.status, await after.text()],
    [200, 'and after'],
    'a range of the old file is not mixed with the new one',
  );
});

test('for a second after its check, a replaced file is sent with the old bytes and their validator', async (t) => {
  const clock = { time: 0, monotonic: () => clock.time, now: () => Date.now() };
  const m = await openTestMedia(t, { needs: { clock } });
  m.write('Film.mkv', 'before');
  const etag = (await m.get(`/media/${ID}`)).headers.get('etag') ?? '';
  m.write('new', 'and after');
  renameSync(join(m.folder, 'new'), join(m.folder, 'Film.mkv'));
  clock.time = 999;
  const old = await m.get(`/media/${ID}`, { range: 'bytes=0-2', 'if-range': etag });
  assert.deepEqual([old.status, old.headers.get('etag'), await old.text()], [206, etag, 'bef']);
  clock.time = 1_000;
  const now = await m.get(`/media/${ID}`, { range: 'bytes=0-2', 'if-range': etag });
  assert.deepEqual([now.status, await now.text()], [200, 'and after']);
});

test('a validator changes with size, time and inode, each alone', () => {
  const base = { size: 10, mtimeMs: 1000.5, ino: 7 };
  const tags = [base, { ...base, size: 11 }, { ...base, mtimeMs: 1000.501 }, { ...base, ino: 8 }].map(etagOf);
  assert.equal(new Set(tags).size, 4);
});

test('a replacement of the same size and time has another validator', async (t) => {
  const m = await openTestMedia(t);
  const at = new Date(2020, 1, 1);
  const tag = async (text: string) => {
    m.write('new', text);
    utimesSync(join(m.folder, 'new'), at, at);
    renameSync(join(m.folder, 'new'), join(m.folder, 'Film.mkv'));
    return (await m.get(`/media/${ID}`, {}, 'HEAD')).headers.get('etag');
  };
  m.write('keeps the inode busy', '');
  const first = await tag('aaa');
  renameSync(join(m.folder, 'Film.mkv'), join(m.folder, 'old'));
  assert.notEqual(await tag('bbb'), first);
});

test('what is hidden, unknown or another version is not there', async (t) => {
  const m = await openTestMedia(t);
  m.write('Film.mkv', 'x');
  for (const path of [
    `/media/${HIDDEN}`,
    `/download/${HIDDEN}`,
    `/subtitle/${HIDDEN}?language=en`,
    `/api/v1/items/${HIDDEN}/playback`,
    `/media/${ID}?version=${HIDDEN}`,
    `/media/${ID}?part=2`,
  ]) {
    const reply = await m.get(path);
    assert.deepEqual(
      [reply.status, await reply.json()],
      [404, { error: 'no such item', reason: 'no-such-item' }],
      path,
    );
  }
  assert.equal((await m.get(`/media/${ID}?version=${m.file.id}&part=1`)).status, 200);
  assert.equal((await m.get(`/media/${ID}?version=x`)).status, 400);
  assert.equal((await m.get(`/media/${ID}?unknown=1`)).status, 400);
  assert.equal((await m.get(`/media/${ID}`, { authorization: 'Bearer nobody' })).status, 401);
});

test('a library that is away is 503, a file that is gone 404, and nothing tells where', async (t) => {
  const m = await openTestMedia(t);
  const gone = await m.get(`/media/${ID}`);
  assert.deepEqual([gone.status, await gone.json()], [404, { error: 'the file is not there', reason: 'no-such-file' }]);
  m.file.available = false;
  const offline = await m.get(`/media/${ID}`);
  assert.deepEqual(
    [offline.status, await offline.json()],
    [503, { error: 'this library cannot be reached', reason: 'library-offline' }],
  );
  m.file.root = join(m.base, 'unplugged');
  const away = await m.get(`/media/${ID}`);
  assert.deepEqual(
    [away.status, await away.json()],
    [503, { error: 'this library cannot be reached', reason: 'library-offline' }],
  );
});

test('no link is followed out of a library, nor a folder taken for a film', async (t) => {
  const m = await openTestMedia(t);
  symlinkSync('/etc/passwd', join(m.folder, 'Film.mkv'));
  const link = await m.get(`/media/${ID}`);
  assert.deepEqual(
    [link.status, await link.json()],
    [503, { error: 'the file cannot be read', reason: 'file-unavailable' }],
  );
  rmSync(join(m.folder, 'Film.mkv'));
  mkdirSync(join(m.folder, 'Film.mkv'));
  assert.equal((await m.get(`/media/${ID}`)).status, 503);
  m.file.relative = '../../../etc/passwd';
  const out = await m.get(`/media/${ID}`);
  assert.ok(out.status >= 400 && !(await out.text()).includes('root:'));
});

test('a download has a name, and is for those who may', async (t) => {
  const m = await openTestMedia(t);
  m.write('Film.mkv', 'film');
  const reply = await m.get(`/download/${ID}`);
  assert.deepEqual(
    [reply.status, reply.headers.get('content-type'), await reply.text()],
    [200, 'application/octet-stream', 'film'],
  );
  assert.equal(
    reply.headers.get('content-disposition'),
    'attachment; filename="Le Voyage dans la Lune (1902).mkv"; ' +
      `filename*=UTF-8''Le%20Voyage%20dans%20la%20Lune%20%281902%29.mkv`,
  );
  assert.equal((await m.get(`/download/${ID}`, { range: 'bytes=1-2' })).status, 206);
  m.road.tokens.set(
    'careful',
    makePrincipal({ credential: '5'.repeat(16), policy: { ...OWNER_POLICY, download: false } }),
  );
  const refused = await m.get(`/download/${ID}`, { authorization: 'Bearer careful' });
  assert.deepEqual(
    [refused.status, await refused.json()],
    [403, { error: 'this Profile may not download', reason: 'downloads-not-allowed' }],
  );
  const hidden = await m.get(`/download/${HIDDEN}`, { authorization: 'Bearer careful' });
  assert.equal(hidden.status, 403, 'and does not learn what is there');
  m.road.tokens.set('key', makePrincipal({ credential: '6'.repeat(16), via: new Set(['stream']) }));
  assert.equal((await m.get(`/download/${ID}`, { authorization: 'Bearer key' })).status, 403);
  assert.equal((await m.get(`/media/${ID}`, { authorization: 'Bearer key' })).status, 200);
});

test('names of downloads are ones that every file system takes', () => {
  const film = {
    kind: 'movie' as const,
    title: 'A',
    year: undefined,
    show: undefined,
    season: undefined,
    episode: undefined,
    episodeEnd: undefined,
  };
  const episode = { ...film, kind: 'episode' as const, title: 'Pilot', show: { title: 'Show' }, season: 1, episode: 2 };
  for (const [of, extension, part, expected] of [
    [{ ...film, year: 2001 }, 'mkv', undefined, 'A (2001).mkv'],
    [film, '', undefined, 'A'],
    [{ ...film, title: '../..' }, 'mkv', undefined, 'media.mkv'],
    [{ ...film, title: 'a/b\\c:d*e?f"g<h>i|j\u0000k\nl' }, 'mkv', undefined, 'a b c d e f g h i j k l.mkv'],
    [{ ...film, title: '...x...' }, 'mkv', undefined, 'x.mkv'],
    [{ ...film, title: 'a\u202evkm.exe\u2069\u200e' }, 'mkv', undefined, 'avkm.exe.mkv'],
    [film, 'mkv', { number: 2 }, 'A - part 2.mkv'],
    [episode, 'mp4', undefined, 'Show - S01E02 - Pilot.mp4'],
    [{ ...episode, episodeEnd: 3, title: '' }, 'mp4', undefined, 'Show - S01E02-E03.mp4'],
    [{ ...film, title: '日'.repeat(200) }, 'mkv', undefined, `${'日'.repeat(60)}.mkv`],
  ] as const)
    assert.equal(downloadName(of, extension, part), expected);
});
