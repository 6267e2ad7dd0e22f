/** Photos in the browser: the days of a library, one photo on the whole screen, zoomed, and a slideshow. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { ask } from '../faults/child.ts';
import { passes } from '../until.ts';
import { violations } from './axe.ts';
import { advance, closeAll, openView, settled, untilPage, type View, type ViewNeeds } from './browser.ts';
import { addPhotos } from './photo-folder.ts';
import { daysShareRows, scrubberGivesWay } from './photo-days.ts';
import { openSettledHome, type SettledHome, signIn } from './places.ts';

let house: SettledHome;
let view: View;
before(async () => {
  house = await openSettledHome();
  const { home } = house;
  await addPhotos(house);
  view = await openView(home);
  await signIn(view, home);
});
after(closeAll);

/** Notes the names of the dialog under which, right after a change of the page, nothing in it had the focus. */
const watchFocus = (page: Page) =>
  page.evaluate(`(() => {
    globalThis.unfocused = [];
    const look = () => {
      const dialog = document.querySelector('dialog[open]');
      if (dialog && !dialog.contains(document.activeElement)) globalThis.unfocused.push(dialog.ariaLabel);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
  })()`);

test('days and folders, a photo on the whole screen, zoom and slideshow', async () => {
  const { page, complaints } = view;
  await page.goto('/');
  await settled(page);
  await page.getByRole('navigation').getByRole('link', { name: 'Photos' }).click();
  await page.getByRole('heading', { name: 'Photos', level: 1 }).waitFor();
  await settled(page);
  const dates = ['2024-07-02', '2024-06-30', '2024-01-05', '2023-12-24', '2023-05-01'];
  const long = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  assert.deepEqual(
    await page.locator('main h2').evaluateAll((all) => all.map((one) => one.ariaLabel)),
    dates.map((date) => long.format(new Date(`${date}T12:00:00`))),
  );
  await daysShareRows(page);
  const size = page.viewportSize() ?? assert.fail();
  await page.setViewportSize({ width: 360, height: 740 });
  await untilPage(page, 'document.documentElement.scrollWidth === 360');
  await scrubberGivesWay(page);
  await page.setViewportSize(size);
  const months = page.getByRole('slider', { name: 'Jump to a month' });
  const stop = (): Promise<string | null> => months.getAttribute('aria-valuetext');
  await passes(async () =>
    assert.deepEqual([await months.getAttribute('aria-valuemax'), await stop()], ['3', 'January – July 2024']),
  );

  await page.getByRole('tab', { name: 'Folders' }).click();
  await page.getByRole('link', { name: /Lisbon/ }).click();
  await page.getByRole('heading', { name: 'Lisbon', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'tram' }).click();
  await watchFocus(page);
  const viewer = page.getByRole('dialog', { name: 'tram, photo 2 of 3' });
  await viewer.waitFor();
  const stage = viewer.getByRole('img', { name: 'tram' });
  await untilPage(page, `[...document.querySelectorAll('dialog img')].some((one) => one.naturalWidth > 600)`);

  // Arrow keys lead along the list, and the address follows.
  await viewer.getByRole('button', { name: 'Previous photo' }).waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('dialog', { name: 'sea, photo 1 of 3' }).waitFor();
  await page.getByRole('button', { name: 'Next photo' }).waitFor();
  await page.keyboard.press('ArrowRight');
  await viewer.waitFor();
  assert.deepEqual(await page.evaluate('globalThis.unfocused'), [], 'no key is lost between two photos');

  const zoom = () => stage.getAttribute('data-zoom');
  await stage.dblclick();
  assert.equal(await zoom(), '2.50');
  await untilPage(page, `[...document.querySelectorAll('dialog img')].some((one) => one.src.includes('/media/'))`);
  await page.mouse.wheel(0, 100);
  assert.ok(Number(await zoom()) < 2.5);
  await stage.dblclick();
  assert.equal(await zoom(), '1.00');
  await viewer.getByRole('button', { name: 'Zoom in' }).click();
  assert.equal(await zoom(), '1.50');
  // The arrows move a zoomed photo, and lead to no other.
  await stage.focus();
  await page.keyboard.press('ArrowRight');
  await untilPage(page, `/translate\\(-\\d/.test(document.querySelector('[data-zoom] > div').style.transform)`);
  await viewer.waitFor();

  await viewer.getByRole('button', { name: 'Information' }).click();
  await viewer.getByText('Matinee One').waitFor();
  await viewer.getByText('10:00').waitFor();
  assert.match(
    (await viewer.getByRole('link', { name: 'Download the original' }).getAttribute('href')) ?? '',
    /download/,
  );

  await viewer.getByRole('button', { name: 'Slideshow', exact: true }).click();
  await advance(page, 5_100);
  await page.getByRole('dialog', { name: 'tower, photo 3 of 3' }).waitFor();
  await page.keyboard.press('Escape');
  await untilPage(page, `document.querySelector('dialog') === null`);
  await page.getByRole('heading', { name: 'Lisbon', level: 1 }).waitFor();
  assert.deepEqual(complaints.splice(0), []);
});

test('other formats: one zoomed in full, one that moves, and a damaged one', async () => {
  const { page, complaints } = view;
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/');
  await settled(page);
  await page.getByRole('navigation').getByRole('link', { name: 'Photos' }).click();
  await page.getByRole('tab', { name: 'Folders' }).click();
  await page.getByRole('link', { name: /Formats/ }).click();
  await page.getByRole('link', { name: 'IMG_20230501_070000' }).click();
  const hasPicture = (part: string) =>
    untilPage(
      page,
      `[...document.querySelectorAll('[data-zoom] img')].some((one) => one.currentSrc.includes('${part}'))`,
    );
  await hasPicture('width=1280');
  await page.getByRole('img', { name: 'IMG_20230501_070000' }).dblclick();
  await hasPicture('width=3840');
  // A key that is pressed before the next photo is known leads there as soon as it is.
  await page.reload();
  await page.getByRole('dialog', { name: 'IMG_20230501_070000' }).waitFor();
  await page.keyboard.press('PageDown');
  await page.getByText('This picture cannot be shown').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('img', { name: 'IMG_20230501_070200' }).waitFor();
  await hasPicture('/media/');
  await page.keyboard.press('Escape');
  await untilPage(page, "document.querySelector('dialog') === null");
  // The photo leaves no step behind: Back leads to the page before its folder.
  await page.goBack();
  await page.getByRole('link', { name: /Formats/ }).waitFor();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  assert.deepEqual(complaints.splice(0), []);
});

/** Opens a clip of the folder with clips, at its address. */
async function openClip(page: Page, title: string): Promise<void> {
  const path = '/api/v1/library?view=photos';
  const { body } = await ask<Titles>(house.home.server, 'GET', path, { token: house.token });
  await page.goto(`/item/${body.items.find((one) => one.title === title)?.id}`);
  await page.getByRole('dialog', { name: new RegExp(`^${title},`) }).waitFor();
}
interface Titles {
  items: { id: string; title: string }[];
}
/**
 * Notes what clips do, as `heard`: `moves CLIP` when its picture moves. They play so slowly that none ends before it is
 * looked at, until `hurry`. A script for the page.
 */
const NOTE_CLIPS = `{
  globalThis.heard = [];
  let rate = 0.1;
  document.addEventListener('loadeddata', ({ target }) => (target.playbackRate = rate), true);
  globalThis.hurry = () => (document.querySelector('video').playbackRate = rate = 1);
  const note = (what, video) => globalThis.heard.push(what + ' ' + video.closest('dialog')?.ariaLabel.split(',')[0]);
  for (const type of ['pause', 'seeked', 'ended'])
    document.addEventListener(type, ({ target }) => note(type, target), true);
  document.addEventListener('timeupdate', ({ target }) => {
    if (target.videoWidth > 0 && target.currentTime > 0 && !target.paused && !target.seeking) note('moves', target);
  }, true);
}`;
/** Waits until clips have done these things, one after the other, and forgets what they have done until then. */
const hears = async (page: Page, ...events: readonly string[]): Promise<void> => {
  const [first = assert.fail(), ...more] = events;
  await untilPage(page, `globalThis.heard.includes('${first}')`);
  await page.evaluate(`globalThis.heard.splice(0, globalThis.heard.indexOf('${first}') + 1)`);
  if (more.length > 0) await hears(page, ...more);
};
/** Opens a window in which clips are noted. */
async function openClips(needs: Omit<ViewNeeds, 'realTime'> = {}): Promise<View> {
  const opened = await openView(house.home, { ...needs, realTime: 'plays' });
  await signIn(opened, house.home);
  await opened.page.addInitScript(NOTE_CLIPS);
  return opened;
}
const sessions = async (): Promise<string[]> => {
  const path = '/api/v1/playback-sessions';
  const { body } = await ask<{ items: { item: { title: string } }[] }>(house.home.server, 'GET', path, house);
  return body.items.map(({ item }) => item.title);
};
const [MP4, AVI] = ['VID_20230501_090100', 'VID_20230501_090200'];

test('clips between photos play in the viewer, and are left as photos are', async () => {
  const opened = await openClips();
  const { page } = opened;
  await page.goto('/library?view=photos&by=folders');
  await page.getByRole('link', { name: /Clips/ }).click();
  await page.getByRole('link', { name: MP4 }).click();
  const viewer = page.getByRole('dialog', { name: `${MP4}, clip, 2 of 4` });
  await viewer.waitFor();
  await hears(page, `moves ${MP4}`);
  await page.keyboard.press(' ');
  await hears(page, `pause ${MP4}`);
  await viewer.getByRole('button', { name: 'Play', exact: true }).waitFor();
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(await sessions(), [MP4]);
  // It is zoomed and moved as photos are, and one that is moved is not tapped.
  const stage = viewer.getByRole('group', { name: MP4 });
  const isZoomed = (scale: string) => passes(async () => assert.equal(await stage.getAttribute('data-zoom'), scale));
  await stage.focus();
  await page.keyboard.press('+');
  await isZoomed('1.50');
  await page.keyboard.press('-');
  await isZoomed('1.00');
  await page.mouse.move(400, 300);
  await page.mouse.wheel(0, -400);
  await isZoomed('2.72');
  await page.mouse.down();
  await page.mouse.move(460, 330, { steps: 3 });
  await page.mouse.up();
  await untilPage(page, `/translate\\(\\d/.test(document.querySelector('[data-zoom] > div').style.transform)`);
  await page.keyboard.press('0');
  await isZoomed('1.00');
  assert.equal(await page.evaluate(`document.querySelector('video').paused`), true);
  // A remote control reaches the controls with arrows, and the seek bar keeps those to its sides.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await untilPage(page, `document.activeElement.getAttribute('aria-label') === 'Position'`);
  const place = () => page.evaluate<number>(`document.querySelector('video').currentTime`);
  const before = await place();
  await page.evaluate('globalThis.heard.splice(0)');
  await page.keyboard.press('ArrowRight');
  await hears(page, `seeked ${MP4}`);
  assert.ok((await place()) > before + 0.5, 'it is paused, and further on');
  await viewer.getByRole('button', { name: 'Mute' }).click();
  await viewer.getByRole('button', { name: 'Unmute' }).waitFor();
  // A click on the picture plays, and the one after is muted as well.
  await viewer.getByRole('group', { name: MP4 }).click({ position: { x: 400, y: 200 } });
  await hears(page, `moves ${MP4}`);
  await viewer.getByRole('group', { name: MP4 }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('dialog', { name: `${AVI}, clip, 3 of 4` }).waitFor();
  await hears(page, `moves ${AVI}`);
  assert.equal(await page.evaluate(`document.querySelector('video').muted`), true);
  await passes(async () => assert.deepEqual(await sessions(), [AVI]));
  await page.keyboard.press('m');
  await untilPage(page, `!document.querySelector('video').muted`);
  await page.keyboard.press('ArrowRight');
  await page.getByRole('dialog', { name: 'IMG_20230501_090300, photo 4 of 4' }).waitFor();
  await untilPage(page, `document.querySelector('video') === null`);
  await passes(async () => assert.deepEqual(await sessions(), []));
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Clips', level: 1 }).waitFor();
  // The photo shown last has the focus, not the clip that was opened.
  await untilPage(page, `document.activeElement.getAttribute('aria-label') === 'IMG_20230501_090300'`);
  await opened.close();
});

test('a slideshow plays the clips to their end, and pauses them', async () => {
  const opened = await openClips();
  const { page } = opened;
  await page.goto('/library?view=photos&by=folders');
  await page.getByRole('link', { name: /Clips/ }).click();
  await page.getByRole('link', { name: 'IMG_20230501_090000' }).click();
  await page.getByRole('dialog', { name: 'IMG_20230501_090000, photo 1 of 4' }).waitFor();
  await page.clock.install();
  await page.keyboard.press('s');
  await page.clock.runFor(5_100);
  await page.getByRole('dialog', { name: `${MP4}, clip, 2 of 4` }).waitFor();
  await hears(page, `moves ${MP4}`);
  await page.keyboard.press('s');
  await hears(page, `pause ${MP4}`);
  await page.evaluate('globalThis.hurry()');
  await page.keyboard.press('s');
  // Its end, and not a time, leads to the next one.
  await hears(page, `moves ${MP4}`, `ended ${MP4}`, `moves ${AVI}`, `ended ${AVI}`);
  await page.getByRole('dialog', { name: 'IMG_20230501_090300, photo 4 of 4' }).waitFor();
  await page.clock.runFor(5_100);
  await page.getByRole('button', { name: 'Slideshow', exact: true }).waitFor();
  await opened.close();
});

test('a phone swipes past clips, and hears one that a browser begins without sound', async () => {
  const phone = await openClips({ width: 390, height: 844, isTouch: true, locale: 'de-DE' });
  const { page, context } = phone;
  // As browsers do before the first touch of a page.
  await page.addInitScript(`{
    const play = HTMLMediaElement.prototype.play;
    let isTouched = false;
    addEventListener('touchend', () => (isTouched = true), true);
    HTMLMediaElement.prototype.play = function () {
      return this.muted || isTouched
        ? play.call(this)
        : Promise.reject(new DOMException('refused', 'NotAllowedError'));
    };
  }`);
  await openClip(page, MP4);
  await hears(page, `moves ${MP4}`);
  await page.getByRole('button', { name: 'Ton einschalten' }).tap();
  await page.getByRole('button', { name: 'Stummschalten' }).waitFor();
  await untilPage(page, `!document.querySelector('video').muted`);
  const debug = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number) =>
    debug.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: 300 }] });
  await touch('touchStart', 340);
  for (const x of [280, 200, 100]) await touch('touchMove', x);
  await touch('touchEnd', 100);
  await page.getByRole('dialog', { name: new RegExp(`^${AVI}, Clip`) }).waitFor();
  await hears(page, `moves ${AVI}`);
  await phone.close();
});

test('a clip that cannot be played says so, and does not stop the way on', async () => {
  const other = await openView(house.home, { realTime: 'plays', isWithoutWorker: true });
  const { page } = other;
  await signIn(other, house.home);
  await page.route('**/media/**', (route) => route.fulfill({ contentType: 'video/mp4', body: 'damaged' }));
  await page.route('**/hls/**', (route) => route.fulfill({ status: 404, json: {} }));
  await openClip(page, MP4);
  await page.getByRole('alert').getByText('This clip cannot be played here').waitFor();
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('PageDown');
  await page.getByRole('dialog', { name: new RegExp(`^${AVI},`) }).waitFor();
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
  await page.keyboard.press('PageDown');
  await untilPage(page, `document.querySelector('dialog [role=alert]') === null`);
  await other.close();
});

test('a clip that is left while its player is loading asks for nothing after its session', async () => {
  const other = await openView(house.home, { realTime: 'plays', isWithoutWorker: true });
  const { page, complaints } = other;
  await signIn(other, house.home);
  const library = /\/assets\/hls-(?!library)/;
  const left = Promise.withResolvers<void>();
  const playlists: string[] = [];
  page.on('request', (request) => request.url().includes('.m3u8') && playlists.push(request.url()));
  await page.route(library, async (route) => {
    await left.promise;
    await route.continue();
  });
  const wanted = page.waitForRequest(library);
  await openClip(page, AVI);
  const url = (await wanted).url();
  const ended = page.waitForResponse((reply) => reply.request().method() === 'DELETE');
  await page.keyboard.press('PageDown');
  await ended;
  left.resolve();
  await page.evaluate(`import(${JSON.stringify(url)}).then(() => new Promise((resolve) => setTimeout(resolve)))`);
  assert.deepEqual([playlists, complaints.splice(0)], [[], []]);
  await other.close();
});

test('the address of an item leads to the photo', async () => {
  const { page } = view;
  const { home, token } = house;
  const { body } = await ask<Titles>(home.server, 'GET', '/api/v1/library?view=photos', { token });
  const [photo] = body.items;
  assert.ok(photo);
  await page.goto(`/item/${photo.id}`);
  await page.getByRole('dialog', { name: new RegExp(`^${photo.title},`) }).waitFor();
});

test('a folder of photos is found by its name, on the page of the search and in the palette', async () => {
  const { page, complaints } = view;
  await page.goto('/search?q=lisb');
  const section = page.getByRole('region', { name: 'Photo folders' });
  await section.getByRole('link', { name: 'Lisbon' }).click();
  await page.getByRole('heading', { name: 'Lisbon', level: 1 }).waitFor();
  await page.goto('/');
  await settled(page);
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox').fill('winter');
  await page.getByRole('option', { name: 'Winter Photo folder' }).click();
  await page.getByRole('heading', { name: 'Winter', level: 1 }).waitFor();
  assert.deepEqual(complaints.splice(0), []);
});
