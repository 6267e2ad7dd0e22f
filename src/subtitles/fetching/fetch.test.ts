/** Fetching, whole: real catalogue, database, files and network, and stand-ins that count what they are asked. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { preparedEnvironment } from '../../../test/prepared.ts';
import { KEY_A, KEY_C, PASSWORD_C } from '../../../test/stand-ins/index.ts';
import {
  filesNextTo,
  fails,
  KEEPERS,
  NIGHT,
  night,
  RELEASE,
  openScene,
  SIGNAL,
} from '../../../test/subtitles/scene.ts';
import { until } from '../../../test/until.ts';
import { subtitles as endpoints } from '../../contract/subtitles/library.ts';
import { isStray } from '../../lib/files.ts';
import { installingStore } from '../store/installing.ts';

test('a missing subtitle is found, checked, installed next to the film, and recorded', async (t) => {
  const s = await openScene(t, { videos: { [NIGHT]: {}, [KEEPERS]: {} } });
  const before = await s.inventory();
  assert.deepEqual([before.total, before.ready, before.wanted, before.coverage], [2, 0, 2, 0]);
  const id = await s.idOf('Night');
  const fetched = await s.fetch(id);
  assert.deepEqual(endpoints.fetch.result.parse(fetched), fetched);
  assert.equal(fetched.language, 'en');
  assert.equal(fetched.file, `${NIGHT}.en.srt`);
  assert.equal(fetched.match, 'unverified');
  assert.ok(['subtitles_a', 'subtitles_c'].includes(fetched.source));
  assert.ok(fetched.score >= 60);
  const kinds = fetched.evidence.map(({ kind }) => kind);
  for (const kind of ['title', 'year', 'release', 'language', 'unverified'])
    assert.ok(kinds.includes(kind), `${kind} in ${kinds.join()}`);

  assert.deepEqual(await filesNextTo(s), [`${RELEASE}.en.srt`, `${RELEASE}.mkv`]);
  assert.match(await readFile(join(s.media, fetched.file), 'utf8'), /^1\r?\n00:00:01,000 --> /);
  const after = await s.inventory();
  assert.deepEqual(endpoints.inventory.result.parse(after), after);
  assert.deepEqual([after.total, after.ready, after.wanted, after.coverage], [2, 1, 1, 50]);
  const state = after.items.find((item) => item.id === id)?.languages[0];
  assert.deepEqual(
    [state?.installed?.managed, state?.installed?.source, state?.installed?.score, state?.evidence.length],
    [true, fetched.source, fetched.score, fetched.evidence.length],
  );
  assert.ok(state?.lastSearch);
  assert.equal(after.providers.find(({ name }) => name === 'subtitles_c')?.state, 'connected');

  const asked = s.calls().length;
  await fails(s.fetch(id), 'conflict', undefined, /already/);
  assert.equal(s.calls().length, asked, 'what is there is not asked for again');

  const episode = await s.fetch(await s.idOf('S01E02'));
  assert.equal(episode.file, `${KEEPERS}.en.srt`);
  const said = s.lines.join('\n') + JSON.stringify([fetched, episode, after]);
  for (const secret of [KEY_A, KEY_C, PASSWORD_C]) assert.ok(!said.includes(secret));
  assert.ok(!s.lines.join('').includes('Living'), 'no title in the log');
});

test('a file that cannot be read is preserved and replaced', async (t) => {
  const s = await openScene(t, { before: (media) => writeFile(join(media, `${NIGHT}.en.srt`), 'no subtitle at all') });
  const id = await s.idOf('Night');
  const [before] = (await s.inventory()).items;
  assert.deepEqual([before?.missing, before?.languages[0]?.installed?.unreadable], [['en'], 'no-cues']);
  const fetched = await s.fetch(id);
  assert.equal(fetched.file, `${NIGHT}.en.srt`);
  assert.match(await readFile(join(s.media, fetched.file), 'utf8'), /^1\r?\n00:00:01,000 --> /);
  const [after] = (await s.inventory()).items;
  assert.deepEqual([after?.ready, after?.languages[0]?.restorable], [true, true]);
  await s.subtitles.workbench.restore({ id, language: 'en' }, SIGNAL);
  assert.equal(await readFile(join(s.media, fetched.file), 'utf8'), 'no subtitle at all');
});

test('text for the hard of hearing is detected from its content and named so', async (t) => {
  const s = await openScene(t);
  const fetched = await s.fetch(await s.idOf('Night'), 'DE');
  assert.equal(fetched.file, `${NIGHT}.de.sdh.srt`);
  assert.equal(fetched.language, 'de');
});

test('local obstacles are refused before a provider is asked or anything is written', async (t) => {
  const other = 'Charade (1963)/Charade.1963.1080p.BluRay.x264-PARIS';
  const inner = 'Inside (2001)/Inside.2001';
  const loose = 'Loose (2002)/Loose.2002';
  const text = '1\n00:00:01,000 --> 00:00:02,000\nHello there, my old friend.\n';
  const s = await openScene(t, {
    videos: { [NIGHT]: {}, [other]: {}, [inner]: { texts: [{ srt: text, language: 'eng' }] }, [loose]: {} },
    before: async (media) => {
      await writeFile(join(media, `${other}.en-US.srt`), text);
      await writeFile(join(media, `${loose}.srt`), text);
    },
  });
  const id = await s.idOf('Night');
  await fails(s.fetch(id, 'xx'), 'invalid');
  await fails(s.fetch(id, '../en'), 'invalid');
  await fails(s.fetch('0123456789abcdef', 'en'), 'missing');
  await fails(s.fetch(await s.idOf('Charade')), 'conflict', undefined, /already/);
  await fails(s.fetch(await s.idOf('Inside')), 'conflict', undefined, /already/);
  await fails(s.fetch(await s.idOf('Loose')), 'conflict', undefined, /already/);
  await installingStore(s.db).freeze(id, 'en', true);
  await fails(s.fetch(id), 'conflict', undefined, /frozen/);
  await installingStore(s.db).freeze(id, 'en', false);

  // A user's file that no scan has seen.
  await writeFile(join(s.media, `${NIGHT}.en.srt`), 'mine');
  await fails(s.fetch(id), 'conflict', undefined, /name already exists/);
  assert.equal(await readFile(join(s.media, `${NIGHT}.en.srt`), 'utf8'), 'mine');
  // A video that is not the one that was scanned.
  await rename(join(s.media, `${NIGHT}.en.srt`), join(s.media, 'mine.txt'));
  await rename(join(s.media, `${NIGHT}.mkv`), join(s.media, 'away.bin'));
  await fails(s.fetch(id), 'unavailable', 'file-unavailable');
  await writeFile(join(s.media, `${NIGHT}.mkv`), 'short');
  await fails(s.fetch(id), 'conflict', undefined, /changed/);
  assert.deepEqual(s.calls(), []);
  assert.deepEqual(await filesNextTo(s), [`${RELEASE}.mkv`]);
});

test('without a configured language the request must name one', async (t) => {
  const s = await openScene(t, { env: { SERVICE_SUBTITLE_LANGUAGE: '' } });
  const id = await s.idOf('Night');
  await fails(s.fetch(id), 'conflict', undefined, /no subtitle language/);
  assert.deepEqual(s.calls(), []);
  await s.config.save('subtitles.language', 'en');
  const { languages, wanted } = await s.inventory();
  assert.deepEqual([languages, wanted], [['en'], 1], 'coverage follows the setting at once');
  assert.equal((await s.fetch(id)).language, 'en');
});

test('without a provider the fetch is unavailable, and says whether one waits for a restart', async (t) => {
  const s = await openScene(t, { providers: [] });
  const id = await s.idOf('Night');
  await fails(s.fetch(id), 'unavailable', 'none-configured');
  await s.config.save('integrations.subtitles_a.url', 'https://subdl.example.org');
  await fails(s.fetch(id), 'unavailable', 'none-configured');
  await s.config.save('integrations.subtitles_a.api_key', 'a-key-of-subdl');
  const waits = /^SubDL is set up and waits for a restart$/;
  await fails(s.fetch(id), 'unavailable', 'waits-for-restart', waits);
  await fails(s.subtitles.workbench.candidates({ id }, SIGNAL), 'unavailable', 'waits-for-restart', waits);
  await s.config.save('integrations.subtitles_a.api_key', '');
  await s.config.save('integrations.subtitles_a.url', '');
  assert.deepEqual(
    (await s.inventory()).providers.map(({ state }) => state),
    ['not-configured', 'not-configured', 'not-configured'],
  );
});

test('two at once: the second fails at once', async (t) => {
  const s = await openScene(t);
  const id = await s.idOf('Night');
  const both = await Promise.allSettled([s.fetch(id), s.fetch(id)]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  assert.match(String((both[1] as PromiseRejectedResult).reason), /being fetched/);
  assert.equal(s.calls().filter((step) => step === 'file').length, 1);
});

test('failing providers are not asked until their pause ends, also after a restart', async (t) => {
  const s = await openScene(t);
  const id = await s.idOf('Night');
  s.standIns.subtitles_a.fault({ fault: '502', on: 'search' });
  s.standIns.subtitles_c.fault({ fault: 'rate-limited', on: 'search', retryAfter: 90 });
  const first = await fails(s.fetch(id), 'unavailable', 'providers-failing');
  assert.ok((first.members.retryAfterSeconds ?? 0) > 30);
  const states = (await s.inventory()).providers;
  assert.deepEqual(
    states.map(({ state }) => state),
    ['unavailable', 'not-configured', 'limited'],
  );
  assert.ok(states[0]?.lastError && states[0].nextRetry);
  const asked = s.calls().length;
  await fails(s.fetch(id), 'unavailable', 'providers-failing');
  await s.restart();
  await fails(s.fetch(id), 'unavailable', 'providers-failing');
  assert.equal(s.calls().length, asked, 'nobody was asked meanwhile');
  const [item] = (await s.inventory({ status: 'wanted' })).items;
  assert.ok(item?.languages[0]?.reason, 'it is still wanted, with the reason');
  assert.equal(item.languages[0].why?.reason, 'provider-failed');
  s.clock.at += 62_000;
  assert.equal((await s.fetch(id)).source, 'subtitles_a', 'the one whose minute is over');
  assert.equal((await s.inventory()).providers[0]?.state, 'connected');
});

test('a failing provider does not keep the others from delivering', async (t) => {
  const s = await openScene(t);
  s.standIns.subtitles_a.fault({ fault: 'quota', on: 'file', times: 3 });
  s.standIns.subtitles_a.fault({ fault: '502', on: 'search' });
  assert.equal((await s.fetch(await s.idOf('Night'))).source, 'subtitles_c');
});

test('a provider that replies but cannot deliver is paused longer each time', async (t) => {
  const s = await openScene(t, { providers: ['subtitles_a'] });
  const id = await s.idOf('Night');
  const waits: number[] = [];
  for (let n = 0; n < 4; n++) {
    s.standIns.subtitles_a.fault({ fault: '502', on: 'file' });
    const { members } = await fails(s.fetch(id), 'unavailable', 'providers-failing');
    waits.push(Math.round((members.retryAfterSeconds ?? 0) / 60));
    s.clock.at += (members.retryAfterSeconds ?? 0) * 1000;
  }
  assert.deepEqual(waits, [1, 2, 4, 8]);
});

test('a media folder that cannot be written to is reported before a provider is asked', async (t) => {
  const s = await openScene(t);
  const id = await s.idOf('Night');
  await s.close();
  // Permissions do not stop a superuser, so the program runs as another user.
  const isRoot = process.getuid?.() === 0;
  const nobody = 65_534;
  if (isRoot)
    for (const one of await readdir(s.folder, { recursive: true }).then((all) => [
      '',
      ...all.filter((name) => !name.startsWith('media')),
    ]))
      await chown(join(s.folder, one), nobody, nobody);
  await chmod(dirname(join(s.media, NIGHT)), 0o555);
  const program = fileURLToPath(new URL('../../../test/subtitles/fetcher.ts', import.meta.url));
  const asNobody = async (...more: string[]) =>
    (
      await promisify(execFile)(
        process.execPath,
        [
          program,
          s.folder,
          id,
          JSON.stringify({ SERVICE_SUBTITLE_LANGUAGE: 'en', ...s.standIns.environment }),
          ...more,
        ],
        { env: preparedEnvironment(), ...(isRoot && { uid: nobody, gid: nobody }) },
      )
    ).stdout;
  try {
    assert.match(await asNobody(), /refused conflict: the media folder cannot be written to/);
    assert.match(await asNobody('maintain'), /refused unavailable: the media folder cannot be written to/);
  } finally {
    await chmod(dirname(join(s.media, NIGHT)), 0o755);
  }
  assert.deepEqual(s.calls(), []);
  assert.deepEqual(await filesNextTo(s), [`${RELEASE}.mkv`]);
  await s.restart();
});

test('a wrong key pauses for a day, and another key ends the pause', async (t) => {
  const s = await openScene(t, { providers: ['subtitles_a'] });
  const id = await s.idOf('Night');
  s.standIns.subtitles_a.fault({ fault: 'unauthorized', on: 'search' });
  await fails(s.fetch(id), 'unavailable', 'providers-failing', /credentials/);
  s.clock.at += 23 * 3_600_000;
  const asked = s.calls().length;
  await fails(s.fetch(id), 'unavailable', 'providers-failing');
  assert.equal(s.calls().length, asked);
  await s.restart({ SERVICE_SUBTITLES_A_URL: `${s.standIns.subtitles_a.url}/` });
  assert.equal((await s.fetch(id)).source, 'subtitles_a');
});

test('a weak match is not downloaded, and an item that was searched without success says so', async (t) => {
  const s = await openScene(t, { env: { SERVICE_SUBTITLE_LANGUAGE: 'fr' } });
  const id = await s.idOf('Night');
  await fails(s.fetch(id), 'unavailable', 'none-trusted');
  assert.ok(!s.calls().includes('file') && !s.calls().includes('grant'));
  const reply = await s.inventory();
  assert.deepEqual([reply.wanted, reply.unavailable], [0, 1]);
  assert.ok(reply.items[0]?.languages[0]?.reason && reply.items[0].languages[0].lastSearch);
  await fails(s.fetch(id, 'it'), 'unavailable', 'none-offered');
  assert.deepEqual(await filesNextTo(s), [`${RELEASE}.mkv`]);
});

test('a download that was refused is never downloaded again', async (t) => {
  const lines = Array.from({ length: 12 }, (_, n) => ({
    start: n * 4 + 1,
    end: n * 4 + 3,
    text:
      [
        'Wo bist du die ganze Zeit gewesen?',
        'Ich habe am Bahnhof auf dich gewartet.',
        'Niemand weiß, dass wir hier sind.',
      ][n % 3] ?? '',
  }));
  const s = await openScene(t, {
    fixtures: { items: [{ ...night, subtitles: [{ language: 'en', releases: [RELEASE], lines }] }] },
  });
  const id = await s.idOf('Night');
  await fails(s.fetch(id), 'unavailable', 'none-trusted', /language/);
  const files = () => s.calls().filter((step) => step === 'file').length;
  const before = files();
  assert.ok(before >= 1);
  await fails(s.fetch(id), 'unavailable', 'none-trusted');
  assert.equal(files(), before);
  assert.deepEqual(await filesNextTo(s), [`${RELEASE}.mkv`]);
});

test('text inside the video that names no language is used before a provider is asked', async (t) => {
  const sentence = [
    'Where have you been all this time?',
    'I was waiting for you at the station.',
    'Nobody knows that we are here.',
  ];
  const srt = Array.from(
    { length: 12 },
    (_, n) =>
      `${n + 1}\n00:00:${String(n * 4 + 1).padStart(2, '0')},000 --> ` +
      `00:00:${String(n * 4 + 3).padStart(2, '0')},000\n${sentence[n % 3]}\n`,
  ).join('\n');
  const s = await openScene(t, { videos: { [NIGHT]: { texts: [{ srt }] } }, providers: [] });
  const id = await s.idOf('Night');
  await fails(s.fetch(id, 'de'), 'unavailable', 'none-configured');
  const fetched = await s.fetch(id);
  assert.deepEqual([fetched.source, fetched.match, fetched.score], ['embedded', 'embedded', 100]);
  assert.match(await readFile(join(s.media, fetched.file), 'utf8'), /waiting for you at the station/);
  assert.deepEqual(s.calls(), []);
  assert.equal((await s.inventory()).ready, 1);
});

test('hostile archives leave nothing, and only that item is paused at the provider', async (t) => {
  const s = await openScene(t, { providers: ['subtitles_a'] });
  const id = await s.idOf('Night');
  s.standIns.subtitles_a.fault({ fault: 'zip-slip', on: 'file' });
  await fails(s.fetch(id), 'unavailable', 'providers-failing');
  assert.deepEqual(await filesNextTo(s), [`${RELEASE}.mkv`]);
  await fails(s.fetch(id), 'unavailable', 'providers-failing');
  const [item] = (await s.inventory()).items;
  assert.ok(item?.languages[0]?.nextRetry);
  assert.equal((await s.fetch(id, 'de')).language, 'de', 'another language of it is not paused');
});

test('a client that leaves ends the search, and nothing is written', async (t) => {
  const s = await openScene(t);
  const id = await s.idOf('Night');
  s.standIns.subtitles_a.fault({ fault: 'hang', on: 'search' });
  s.standIns.subtitles_c.fault({ fault: 'hang', on: 'search' });
  const leaving = new AbortController();
  const work = s.subtitles.fetch({ id }, leaving.signal);
  await until('both providers to be asked', () => s.calls().length >= 2);
  leaving.abort(new Error('left'));
  await assert.rejects(work, /left/);
  assert.deepEqual(await filesNextTo(s), [`${RELEASE}.mkv`]);
  assert.equal((await s.fetch(id)).language, 'en', 'nobody is blamed for it');
});

test('the providers are tested at no cost', async (t) => {
  const s = await openScene(t, { providers: ['subtitles_a', 'subtitles_b', 'subtitles_c'] });
  const before = (await s.inventory()).providers;
  assert.deepEqual(
    before.map(({ state }) => state),
    ['untested', 'untested', 'untested'],
  );
  const tested = await s.subtitles.testProviders(SIGNAL);
  assert.deepEqual(endpoints.testProviders.result.parse(tested), tested);
  assert.deepEqual([tested.attempted, tested.connected], [3, 3]);
  assert.ok(tested.providers.every(({ state, configured }) => state === 'connected' && configured));
  assert.ok((tested.providers[0]?.remaining ?? 0) > 0 && (tested.providers[2]?.remaining ?? 0) > 0);
  assert.deepEqual([...new Set(s.calls())].sort(), ['account', 'login', 'search']);

  s.standIns.subtitles_a.fault({ fault: 'unauthorized', on: 'account' });
  const again = await s.subtitles.testProviders(SIGNAL);
  assert.deepEqual([again.connected, again.providers[0]?.state], [2, 'unavailable']);
  assert.match(again.providers[0]?.lastError ?? '', /credentials/);
  await s.restart();
  assert.equal((await s.inventory()).providers[0]?.state, 'unavailable', 'kept over a restart');
  assert.equal((await s.subtitles.testProviders(SIGNAL)).connected, 3, 'a test may be made while it is paused');
  assert.equal((await s.inventory()).providers[0]?.nextRetry, undefined);
});

test('no temporary files are left', async (t) => {
  const s = await openScene(t);
  await s.fetch(await s.idOf('Night'));
  await mkdir(join(s.media, 'x'));
  assert.ok(!(await readdir(s.media, { recursive: true })).some(isStray));
  assert.deepEqual(await installingStore(s.db).intents(), []);
});
