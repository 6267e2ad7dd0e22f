/**
 * The audio player in the browser. Two tracks that were cut from one tone are played one behind the other, and every
 * sample that reaches the speaker is compared with the tone; the small player stays while pages change.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { ask } from '../faults/child.ts';
import { until } from '../until.ts';
import { violations } from './axe.ts';
import { closeAll, hasPlayed, type Home, untilPage } from './browser.ts';
import type { Page } from 'playwright-core';
import { openSettledHome, openSignedIn } from './places.ts';
import { trackIsEdited, tracksAreEditedTogether } from './album-edits.ts';
import {
  focusStaysAboveThePlayer,
  musicPlaysOnToABook,
  lyricsAreAskedForOnce,
  oneTabIsHeard,
} from './listening-pages.ts';
import { sleepTimerStops } from './sleep-timer.ts';

/** Frames of the whole tone and of its first part, at 44.1 kHz: no whole number of periods or frames of a codec. */
const RATE = 44_100;
const [ALL, CUT] = [RATE * 7, 150_013];
const HZ = 441;
/** Second track of an album in one file: 2 seconds and 37 frames of 588 samples behind its start, as a sheet says. */
const SECOND = { stamp: '00:02:37', sample: (2 * 75 + 37) * 588 };
/** Seconds of each of the two files of a book. */
const FILE_S = 20;

let home: Home;
let token: string;
let film: string;
let album: string;
let image: string;
before(async () => {
  const settledHome = await openSettledHome();
  ({ home, token } = settledHome);
  ({ film } = settledHome.ids);
  ({ album, image } = await addAlbums());
});
after(closeAll);

interface Listed {
  id: string;
  userData: { playCount: number };
}
const get = async <T>(path: string): Promise<T> => (await ask<T>(home.server, 'GET', `/api/v1${path}`, { token })).body;

/**
 * Makes an album of two tracks that are one tone, with lyrics for the second, and one of a single file with a cue
 * sheet, which is the whole tone.
 */
async function addAlbums(): Promise<{ album: string; image: string }> {
  const library = join(dirname(home.media), 'music');
  const folder = join(library, 'The Oscillators', 'Continuous');
  const single = join(library, 'The Oscillators', 'Image');
  for (const each of [folder, single]) mkdirSync(each, { recursive: true });
  const tone = `sine=frequency=${HZ}:sample_rate=${RATE}:duration=${ALL / RATE}`;
  for (const [file, filter, tags] of [
    [join(folder, '1.flac'), `atrim=end_sample=${CUT}`, ['album=Continuous', 'title=Part 1', 'track=1']],
    [join(folder, '2.flac'), `atrim=start_sample=${CUT}`, ['album=Continuous', 'title=Part 2', 'track=2']],
    [join(single, 'Image.flac'), 'anull', ['album=Image']],
  ] as const)
    execFileSync('ffmpeg', [
      ...['-v', 'error', '-f', 'lavfi', '-i', tone, '-af', `${filter},asetpts=N/SR/TB`],
      ...['artist=The Oscillators', ...tags].flatMap((tag) => ['-metadata', tag]),
      ...['-c:a', 'flac', file],
    ]);
  copyFileSync(join(single, 'Image.flac'), join(dirname(home.media), 'all.flac'));
  const tracks = ['00:00:00', SECOND.stamp, '00:05:00'].map(
    (start, i) => `TRACK 0${i + 1} AUDIO\nTITLE "Section ${i + 1}"\nINDEX 01 ${start}\n`,
  );
  writeFileSync(join(single, 'Image.cue'), `FILE "Image.flac" WAVE\n${tracks.join('')}`);
  writeFileSync(join(folder, '2.lrc'), '[00:00.00]Hum\n[00:01.50]Hum on\n[00:02.50]Hum to the end\n');
  const body = { name: 'Music', path: library, kind: 'music' };
  assert.equal((await ask(home.server, 'POST', '/api/v1/libraries', { token, body })).status, 201);
  return until('both albums', async () => {
    const { items } = await get<{ items: { id: string; title: string; tracks?: number }[] }>('/albums');
    const idOf = (name: string, count: number) =>
      items.find(({ title, tracks: found }) => title === name && found === count)?.id;
    const [two, three] = [idOf('Continuous', 2), idOf('Image', 3)];
    return two !== undefined && three !== undefined ? { album: two, image: three } : undefined;
  });
}

/** Notes every sound that is given to the audio clock, with its samples. A script of the page. */
const RECORD = `
  scheduled = [];
  const { start } = AudioBufferSourceNode.prototype;
  AudioBufferSourceNode.prototype.start = function (when = 0, offset = 0, ...rest) {
    const { buffer, context } = this;
    if (!(context instanceof OfflineAudioContext))
      scheduled.push({ rate: buffer.sampleRate, when, offset, samples: buffer.getChannelData(0).slice() });
    return start.call(this, when, offset, ...rest);
  };`;

/** Renders what was scheduled, and counts the samples that differ from those of the tone from `from` on. */
const countWrong = (from = 0): string => `(async () => {
  const [{ rate, when: first }] = scheduled;
  const begin = Math.floor(first * rate);
  const ends = scheduled.map(({ when, offset, samples }) => Math.round(when * rate) + samples.length - offset * rate);
  const end = Math.max(...ends);
  const offline = new OfflineAudioContext(1, end, rate);
  for (const { when, offset, samples } of scheduled) {
    const node = offline.createBufferSource();
    node.buffer = offline.createBuffer(1, samples.length, rate);
    node.buffer.copyToChannel(samples, 0);
    node.connect(offline.destination);
    node.start(when, offset);
  }
  const heard = (await offline.startRendering()).getChannelData(0);
  const tone = await offline.decodeAudioData(await (await fetch('/tones/all.flac')).arrayBuffer());
  const wrong = tone.getChannelData(0).slice(${from}).filter((sample, at) => sample !== heard[begin + at]).length;
  return { sounds: scheduled.length, frames: end - begin, wrong };
})()`;

test('an album is one tone, its player stays while pages change, and a film silences it', async (t) => {
  const view = await openSignedIn(home, { realTime: 'plays', isWithoutWorker: true });
  t.after(view.close);
  const { page } = view;
  await page.addInitScript(RECORD);
  await page.route('**/tones/all.flac', (route) =>
    route.fulfill({ path: join(dirname(home.media), 'all.flac'), contentType: 'audio/flac' }),
  );
  await page.goto(`/album/${album}`);
  await page.getByRole('main').getByRole('button', { name: 'Play', exact: true }).click();
  const player = page.getByRole('region', { name: 'Audio player' });
  await player.getByRole('link', { name: /Part 1/ }).waitFor();
  await page.getByRole('link', { name: 'Search' }).first().click();
  await page.getByRole('searchbox').waitFor();
  await player.getByRole('link', { name: /Part 2/ }).waitFor();
  assert.deepEqual(await page.evaluate(countWrong()), { sounds: 2, frames: ALL, wrong: 0 });
  const { discs } = await get<{ discs: { tracks: Listed[] }[] }>(`/albums/${album}`);
  await until('the first track to count as played', async () => {
    const { userData } = await get<Listed>(`/items/${discs[0]?.tracks[0]?.id}`);
    return userData.playCount === 1;
  });

  await player.getByRole('link', { name: /Part 2/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Part 2' }).waitFor();
  await page.getByRole('button', { name: 'Repeat is off' }).click();
  await page
    .getByRole('button', { name: 'Pause' })
    .or(page.getByRole('button', { name: 'Play' }))
    .first()
    .waitFor();
  await page.getByRole('tab', { name: 'Lyrics' }).click();
  await page.getByRole('button', { name: 'Hum on' }).click();
  await page.locator('[aria-current]', { hasText: 'Hum' }).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByRole('tab', { name: 'Queue' }).click();
  await page.getByRole('button', { name: 'Remove Part 1 from the queue' }).click();
  await page.getByText('1 entry').waitFor();

  await page.goBack();
  await page.getByRole('searchbox').fill('lighthouse keeper');
  await page.locator(`main a[href="/item/${film}"]`).first().press('Enter');
  await page
    .getByRole('main')
    .getByRole('link', { name: /^(Play|Resume)$/ })
    .click();
  await untilPage(page, hasPlayed());
  await page.goBack();
  await player.getByRole('button', { name: 'Play', exact: true }).waitFor();

  await page.reload();
  await player.getByRole('link', { name: /Part 2/ }).waitFor();
  await player.getByRole('button', { name: 'Play', exact: true }).click();
  await untilPage(page, 'scheduled.length === 1');
  await playMixedList(view.page, discs[0]?.tracks.map(({ id }) => id) ?? []);
});

test('a track is edited in its album, and the album follows', (t) => trackIsEdited(t, home, album));
test('tracks are selected in their album, and get an artist together', (t) => tracksAreEditedTogether(t, home, album));

test('a track without lyrics is asked for them once', (t) => lyricsAreAskedForOnce(t, home, token, album));
test('music that begins in one tab pauses that of another', (t) => oneTabIsHeard(t, home, image));
test('arrows do not lead to what the small player covers', (t) => focusStaysAboveThePlayer(t, home, image));
test('music plays on while an EPUB is opened', (t) => musicPlaysOnToABook(t, home, token, image));

test('an album in one file has its tracks, and they follow each other without a gap', async (t) => {
  const view = await openSignedIn(home, { realTime: 'plays', isWithoutWorker: true });
  t.after(view.close);
  const { page } = view;
  await page.addInitScript(RECORD);
  await page.route('**/tones/all.flac', (route) =>
    route.fulfill({ path: join(dirname(home.media), 'all.flac'), contentType: 'audio/flac' }),
  );
  await page.goto(`/album/${image}`);
  const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Section' });
  await rows.nth(2).waitFor();
  assert.deepEqual(
    (await rows.allTextContents()).map((text) => /Section \d/.exec(text)?.[0]),
    ['Section 1', 'Section 2', 'Section 3'],
  );
  await rows
    .nth(1)
    .getByRole('button', { name: /Section 2/ })
    .first()
    .click();
  const player = page.getByRole('region', { name: 'Audio player' });
  await player.getByRole('link', { name: /Section 2/ }).waitFor();
  await player.getByRole('link', { name: /Section 3/ }).waitFor();
  assert.deepEqual(await page.evaluate(countWrong(SECOND.sample)), {
    sounds: 2,
    frames: ALL - SECOND.sample,
    wrong: 0,
  });
});

test('an artist plays with all tracks, and an album is put behind them', async (t) => {
  const view = await openSignedIn(home, { realTime: 'plays', isWithoutWorker: true });
  t.after(view.close);
  const { page } = view;
  const { items } = await get<{ items: { id: string; name: string }[] }>('/artists');
  await page.goto(`/artist/${items.find(({ name }) => name === 'The Oscillators')?.id}`);
  await page.getByRole('heading', { level: 1, name: 'The Oscillators' }).waitFor();
  const content = page.getByRole('main');
  await content.getByRole('button', { name: 'Play', exact: true }).click();
  const player = page.getByRole('region', { name: 'Audio player' });
  const playing = player.getByRole('link', { name: /Part|Section/ });
  await playing.waitFor();
  const card = content.locator(`a[href="/album/${album}"]`).first();
  await card.focus();
  await page.keyboard.press('m');
  await page.getByRole('menuitem', { name: 'Add to queue' }).click();
  await playing.click();
  await page.getByText('7 entries').waitFor();
});

/** Plays a list of two tracks with a film behind them: both tracks are queued, and the film follows the last. */
async function playMixedList(page: Page, tracks: string[]): Promise<void> {
  const body = { name: 'Mixed', ids: [...tracks, film] };
  const made = await ask<{ id: string }>(home.server, 'POST', '/api/v1/playlists', { token, body });
  assert.equal(made.status, 201);
  await page.goto(`/playlist/${made.body.id}`);
  await page.getByRole('main').getByRole('link', { name: 'Play', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Part 1' }).waitFor();
  await page.getByText('2 entries').waitFor();
  // The choice of the album still holds.
  for (const name of ['Repeating the queue', 'Repeating this track']) await page.getByRole('button', { name }).click();
  await page.getByRole('main').getByRole('button', { name: 'Next' }).click();
  await page.getByRole('heading', { level: 1, name: 'Part 2' }).waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Next' }).click();
  await untilPage(page, hasPlayed());
  const { pathname, searchParams } = new URL(page.url());
  assert.deepEqual([pathname, searchParams.get('playlist')], [`/play/${film}`, made.body.id]);
}

test('the sleep timer stops at the end of the track, and the next one waits', (t) =>
  sleepTimerStops(t, { home, token }));

/** Makes a book of two files. */
async function addBook(): Promise<string> {
  const library = join(dirname(home.media), 'audiobooks');
  const folder = join(library, 'Ada Voss', 'The Long Hum');
  mkdirSync(folder, { recursive: true });
  for (const file of ['1.flac', '2.flac'])
    execFileSync('ffmpeg', [
      ...['-v', 'error', '-f', 'lavfi', '-i', `sine=frequency=${HZ}:sample_rate=8000:duration=${FILE_S}`],
      ...['-metadata', 'album=The Long Hum', '-metadata', 'artist=Ada Voss', '-c:a', 'flac', join(folder, file)],
    ]);
  const body = { name: 'Audiobooks', path: library, kind: 'audiobooks' };
  assert.equal((await ask(home.server, 'POST', '/api/v1/libraries', { token, body })).status, 201);
  const books = () => get<{ items: { id: string; duration?: number }[] }>('/library?view=audiobooks');
  await until('the book with both files', async () => (await books()).items[0]?.duration === 2 * FILE_S);
  return (await books()).items[0]?.id ?? '';
}

test('a book is resumed over the boundary of its files, and on another device', async (t) => {
  const book = await addBook();
  const start = { position: FILE_S - 3 };
  assert.equal((await ask(home.server, 'PUT', `/api/v1/items/${book}/progress`, { token, body: start })).status, 200);
  const place = "Number(document.querySelector('input[type=range][max]')?.value)";
  const view = await openSignedIn(home, { realTime: 'plays', isWithoutWorker: true });
  t.after(view.close);
  const { page } = view;
  await page.goto(`/play/${book}`);
  await page.getByRole('button', { name: 'Speed: 1×' }).click();
  await page.getByRole('menuitemradio', { name: '2×', exact: true }).click();
  // The page pauses itself as soon as it is in the second file: a test that looks later would find it further on.
  await page.evaluate(`new Promise((resolve) => {
    const look = () => {
      if (!(${place} > ${FILE_S})) return void requestAnimationFrame(look);
      document.querySelector('button[aria-label^="Pause"]').click();
      resolve();
    };
    look();
  })`);
  assert.deepEqual(await violations(page), []);
  await until('the position in the second file', async () => {
    const { userData } = await get<{ userData: { position: number } }>(`/items/${book}`);
    return userData.position > FILE_S && userData.position < FILE_S + 3;
  });

  // After a reload the book is at its place before it plays, and keys jump as far as its buttons.
  await page.goto('/listening');
  await page.getByRole('tabpanel').getByRole('button').nth(1).waitFor();
  await untilPage(page, `${place} > ${FILE_S}`);
  await page.getByRole('button', { name: 'Back button: 15 seconds' }).waitFor();
  const before = await page.evaluate<number>(place);
  await page.keyboard.press('j');
  await untilPage(page, `Math.abs(${place} - ${before - 15}) < 0.1`);

  const other = await openSignedIn(home, { realTime: 'plays', isWithoutWorker: true, width: 360, height: 740 });
  t.after(other.close);
  await other.page.goto(`/play/${book}`);
  await other.page.getByRole('heading', { level: 1, name: 'The Long Hum' }).waitFor();
  await untilPage(other.page, `${place} > ${FILE_S}`);
  await other.page.getByRole('button', { name: 'Speed: 2×' }).waitFor();
  await other.page.getByRole('button', { name: 'Pause' }).click();
  await other.page.getByRole('tab', { name: 'Last places' }).click();
  await other.page
    .getByRole('tabpanel')
    .getByRole('button', { name: /0:1\d|0:2\d|0:3\d/ })
    .first()
    .waitFor();
  await other.page.goto(`/audiobook/${book}`);
  await other.page.getByRole('button', { name: 'Go back to where you were' }).click();
  await other.page.getByRole('menuitem').first().waitFor();
});

/** Makes a series of books of a second each; returns the id of the one titled `Tenth`. */
async function addSeries(): Promise<string> {
  const library = join(dirname(home.media), 'serial');
  const volumes = [
    ['Tenth', '10'],
    ['Second', '2'],
    ['Between', '1.5'],
    ['Unnumbered', undefined],
    ['First', '1'],
  ] as const;
  for (const [title, number] of volumes) {
    const folder = join(library, 'Ida Holm', title);
    mkdirSync(folder, { recursive: true });
    const tags = [`album=${title}`, 'artist=Ida Holm', 'SERIES=Tides', ...(number ? [`SERIES-PART=${number}`] : [])];
    execFileSync('ffmpeg', [
      ...['-v', 'error', '-f', 'lavfi', '-i', `sine=frequency=${HZ}:sample_rate=8000:duration=60`],
      ...tags.flatMap((tag) => ['-metadata', tag]),
      ...['-c:a', 'flac', join(folder, '1.flac')],
    ]);
  }
  const body = { name: 'Serial', path: library, kind: 'audiobooks' };
  const made = await ask<{ id: string }>(home.server, 'POST', '/api/v1/libraries', { token, body });
  assert.equal(made.status, 201);
  const books = () =>
    get<{ items: { id: string; title: string }[] }>(`/library?view=audiobooks&library=${made.body.id}`);
  await until('all volumes', async () => (await books()).items.length === volumes.length);
  return (await books()).items.find(({ title }) => title === 'Tenth')?.id ?? '';
}

test('the series of an audiobook opens with its volumes by number, and continues with the next one', async (t) => {
  const book = await addSeries();
  const view = await openSignedIn(home, { realTime: 'plays', isWithoutWorker: true, width: 390, height: 844 });
  t.after(view.close);
  const { page } = view;
  await page.goto(`/audiobook/${book}`);
  await page.getByRole('link', { name: 'Tides, book 10' }).click();
  await page.getByRole('heading', { level: 1, name: 'Tides' }).waitFor();
  const volumes = page.getByRole('list', { name: 'Volumes' }).getByRole('listitem');
  const shown = async () => (await volumes.allInnerTexts()).map((text) => text.trim().split('\n')[0]);
  assert.deepEqual(await shown(), ['First', 'Between', 'Second', 'Tenth', 'Unnumbered']);
  await page.getByText('5 volumes').waitFor();
  await page.getByText('5 mins', { exact: true }).waitFor();
  assert.equal(await page.title(), 'Tides · Matinee');
  assert.deepEqual(await violations(page), []);
  await page.getByRole('button', { name: 'Play Vol. 1', exact: true }).waitFor();
  const first = await volumes.first().getByRole('link').getAttribute('href');
  const path = `/api/v1/items/${first?.split('/').at(-1) ?? ''}/progress`;
  assert.equal((await ask(home.server, 'PUT', path, { token, body: { position: 0, watched: true } })).status, 200);
  // The page follows marks that are made elsewhere.
  await page.getByText('1 finished').waitFor();
  await page.getByRole('button', { name: 'Continue: Vol. 1.5' }).click();
  await page
    .getByRole('region', { name: 'Audio player' })
    .getByRole('link', { name: /Between/ })
    .waitFor();
});
