/** Flows of the player: menus in all widths, fingers, keys, the lock screen, a remote control, and another device. */
import assert from 'node:assert/strict';
import { violations } from './axe.ts';
import { NOTE_BEGIN, untilPage } from './browser.ts';
import { inTheme } from './places.ts';
import { flow, ids, openWindow, play, seek } from './player-house.ts';
import { passes } from '../until.ts';

const MENUS = ['Subtitles', 'Audio and speed', 'Quality and details'] as const;
flow('every menu, in both themes and three widths, for axe and for eyes', async () => {
  const view = await play('lines', '?subtitle=en');
  const { page } = view;
  await seek(page, 3.5);
  await page.keyboard.press('i');
  for (const [width, height] of [
    [360, 740],
    [1280, 800],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const theme of ['dark', 'light'] as const) {
      await inTheme(page, theme);
      for (const name of MENUS) {
        await page.getByRole('button', { name, exact: true }).click();
        const panel = page.getByRole('dialog', { name });
        await panel.waitFor();
        assert.deepEqual(await violations(page), [], `${name}, ${theme}, ${width} wide`);
        await passes(async () => {
          const box = await panel.boundingBox();
          assert.ok(
            box && box.x >= 0 && box.x + box.width <= width && box.y >= 0 && box.y + box.height <= height,
            `${name} is on the screen at ${width}: ${JSON.stringify(box)}`,
          );
        });
        if (process.env['SCREENS'])
          await page.screenshot({
            path: `${process.env['SCREENS']}/${name.replaceAll(' ', '-')}-${theme}-${width}.png`,
          });
        await page.keyboard.press('Escape');
        await panel.waitFor({ state: 'detached' });
      }
    }
    assert.ok(
      (await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')) <= 0,
    );
  }
  await view.close();
});

flow('fingers: two taps on a side, a swipe along the picture, a swipe up the right half', async () => {
  const view = await play('lines', '?start=0', { width: 740, height: 360, isTouch: true });
  const { page } = view;
  await seek(page, 5);
  const debug = await view.context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
    debug.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
  const tap = async (x: number) => {
    await Promise.all([touch('touchStart', x, 150), touch('touchEnd')]);
  };
  const time = "document.querySelector('video').currentTime";
  // Sent together: on a busy machine two taps must still be one gesture.
  await Promise.all([tap(650), tap(650)]);
  await untilPage(page, `Math.abs(${time} - 15) < 0.5`);
  await touch('touchStart', 500, 150);
  for (let x = 480; x >= 300; x -= 20) await touch('touchMove', x, 152);
  // 200 of 740 pixels, of a third of 24 seconds.
  await untilPage(page, "document.body.textContent.includes('Back 2 seconds')");
  await touch('touchEnd');
  await untilPage(page, `Math.abs(${time} - 13) < 0.5`);
  await page.evaluate("document.querySelector('video').volume = 0.5");
  await touch('touchStart', 600, 210);
  for (let y = 200; y >= 120; y -= 20) await touch('touchMove', 600, y);
  await touch('touchEnd');
  await untilPage(page, "Math.abs(document.querySelector('video').volume - 0.75) < 0.03");
  await view.close();
});

flow('phone: a tap shows and hides the controls, two on the left go back, two in the middle pause', async () => {
  const view = await play('lines', '?start=0', { width: 390, height: 844, isTouch: true });
  const { page } = view;
  await page.evaluate("document.querySelector('video').currentTime = 12");
  const debug = await view.context.newCDPSession(page);
  const tap = async (x: number, y = 300) => {
    await Promise.all([
      debug.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] }),
      debug.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
    ]);
  };
  const isShown =
    "getComputedStyle(document.querySelector('[aria-label=\"Full screen\"], [aria-label=Subtitles]').closest('div'))" +
    ".opacity !== '0' && getComputedStyle(document.querySelector('header')).visibility === 'visible'";
  await Promise.all([tap(195), tap(195)]);
  await untilPage(page, "document.querySelector('video').paused");
  const paused = await page.evaluate<number>("document.querySelector('video').currentTime");
  assert.ok(paused >= 12, `paused at ${paused}`);
  await Promise.all([tap(60), tap(60)]);
  await untilPage(page, `Math.abs(document.querySelector('video').currentTime - ${paused - 10}) < 0.5`);
  await page.evaluate("document.querySelector('video').play()");
  await untilPage(page, isShown);
  if (process.env['SCREENS']) await page.screenshot({ path: `${process.env['SCREENS']}/phone.png` });
  await view.close();
});

/**
 * A faithful picture in picture, because a browser without a window has none: it needs a gesture, and sends its events.
 */
const PICTURE = `(() => {
  let element = null;
  Object.defineProperty(document, 'pictureInPictureEnabled', { get: () => true });
  Object.defineProperty(document, 'pictureInPictureElement', { get: () => element });
  HTMLVideoElement.prototype.requestPictureInPicture = async function () {
    if (this.readyState === 0) throw new DOMException('no metadata', 'InvalidStateError');
    if (!navigator.userActivation.isActive) throw new DOMException('no gesture', 'NotAllowedError');
    element = this;
    this.dispatchEvent(new Event('enterpictureinpicture', { bubbles: true }));
    return {};
  };
  document.exitPictureInPicture = async () => {
    if (!element) throw new DOMException('none', 'InvalidStateError');
    const left = element;
    element = null;
    left.dispatchEvent(new Event('leavepictureinpicture', { bubbles: true }));
  };
})()`;
flow('picture in picture: its button says what it does, also after the small window was closed by hand', async () => {
  const view = await openWindow();
  const { page } = view;
  await page.addInitScript(PICTURE);
  await page.goto(`/play/${ids['lines']}`);
  await untilPage(page, "document.querySelector('video')?.readyState >= 3");
  await page.getByRole('button', { name: 'Picture in picture', exact: true }).click();
  await page.getByRole('button', { name: 'Leave picture in picture' }).waitFor();
  await untilPage(page, "document.pictureInPictureElement === document.querySelector('video')");
  // The button of the small window.
  await page.evaluate('document.exitPictureInPicture()');
  await page.getByRole('button', { name: 'Picture in picture', exact: true }).waitFor();
  await page.keyboard.press('p');
  await page.getByRole('button', { name: 'Leave picture in picture' }).click();
  await untilPage(page, 'document.pictureInPictureElement === null');
  await view.close();
});

flow('keys of headphones and the lock screen: title, place, play, pause, jumps, next and previous', async () => {
  const view = await openWindow();
  const { page } = view;
  await page.addInitScript(`
    globalThis.pressed = {};
    const set = MediaSession.prototype.setActionHandler;
    MediaSession.prototype.setActionHandler = function (name, handler) { set.call(this, name, handler); globalThis.pressed[name] = handler; };
    const place = MediaSession.prototype.setPositionState;
    MediaSession.prototype.setPositionState = function (state) { place.call(this, state); globalThis.place = state; };
  `);
  await page.goto(`/play/${ids['firstEpisode']}?start=0`);
  await untilPage(page, "document.querySelector('video')?.readyState >= 3");
  const press = (action: string, details: object = {}) =>
    page.evaluate(`globalThis.pressed['${action}']({ action: '${action}', ...${JSON.stringify(details)} })`);
  const time = "document.querySelector('video').currentTime";
  await passes(async () =>
    assert.deepEqual(
      await page.evaluate(
        `(({ title, artist }) => [title, artist, typeof globalThis.pressed.pause])(
          navigator.mediaSession.metadata ?? {})`,
      ),
      ['The First Lamp', 'Two Lamps', 'function'],
    ),
  );
  await press('pause');
  await untilPage(page, "document.querySelector('video').paused");
  await press('seekto', { seekTime: 3 });
  await untilPage(page, `Math.abs(${time} - 3) < 0.2`);
  await press('seekforward', { seekOffset: 8 });
  await untilPage(page, `Math.abs(${time} - 11) < 0.2`);
  await press('seekbackward', { seekOffset: 5 });
  await passes(async () =>
    assert.deepEqual(
      await page.evaluate(`[${time}, globalThis.place?.position, globalThis.place?.duration].map(Math.round)`),
      [6, 6, 24],
    ),
  );
  await press('play');
  await untilPage(page, "!document.querySelector('video').paused");
  await untilPage(page, 'globalThis.pressed.previoustrack === null && globalThis.pressed.nexttrack !== null');
  await press('nexttrack');
  await page.waitForURL(`**/play/${ids['secondEpisode']}`);
  await untilPage(
    page,
    "navigator.mediaSession.metadata?.title === 'The Second Lamp' && globalThis.pressed.nexttrack === null && " +
      'globalThis.pressed.previoustrack !== null',
  );
  await press('previoustrack');
  await page.waitForURL(`**/play/${ids['firstEpisode']}`);
  await view.close();
});

flow('another device goes on where this one was left', async () => {
  const here = await play('styled', '?start=0');
  await seek(here.page, 9);
  await here.page.goto('about:blank');
  // The last report is on its way when the page is gone.
  await passes(async () => {
    const reply = await here.context.request.get(`/api/v1/items/${ids['styled']}`);
    const { userData } = (await reply.json()) as { userData: { position: number } };
    assert.ok(Math.abs(userData.position - 9) < 0.5, `left at ${userData.position}`);
  });
  await here.close();
  const there = await openWindow({ width: 390, height: 844, isTouch: true });
  // The page notes a notification that is there for some seconds: a slow machine looks too late.
  await there.page.addInitScript(`
    const note = () => {
      if (document.body?.textContent.includes('Resumed at 0:09')) globalThis.said = true;
    };
    new MutationObserver(note).observe(document, { childList: true, subtree: true, characterData: true });
    ${NOTE_BEGIN}
  `);
  await there.page.goto(`/item/${ids['styled']}`);
  await there.page
    .getByRole('link', { name: /^(Resume|Continue|Play)\b/ })
    .first()
    .click();
  await untilPage(there.page, 'globalThis.said === true && Math.abs(globalThis.begunAt - 9) < 0.5');
  await there.close();
});

flow('the keyboard: the list of keys is behind the question mark, and what it says is what they do', async () => {
  const view = await play('lines', '?start=0');
  const { page } = view;
  const video = "document.querySelector('video')";
  await seek(page, 6);
  await page.keyboard.press('?');
  const list = page.getByRole('dialog');
  await list.waitFor();
  const words = await list.innerText();
  for (const one of [
    'Play or pause',
    'Subtitles off or on',
    'Audio earlier or later by 0.05 seconds',
    'Skip the intro, recap or credits',
    'Picture in picture',
    'Next or previous episode',
    'This list',
  ])
    assert.ok(words.includes(one), one);
  await page.keyboard.press('k');
  assert.equal(await page.evaluate(`${video}.paused`), true, 'the keys of the list are its own');
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  const keys: [string, string][] = [
    ['k', '!V.paused'],
    ['k', 'V.paused'],
    [' ', '!V.paused'],
    ['k', 'V.paused'],
    ['5', 'Math.abs(V.currentTime - 12) < 0.3'],
    ['j', 'Math.abs(V.currentTime - 2) < 0.3'],
    ['l', 'Math.abs(V.currentTime - 12) < 0.3'],
    ['ArrowLeft', 'Math.abs(V.currentTime - 2) < 0.3'],
    ['ArrowRight', 'Math.abs(V.currentTime - 12) < 0.3'],
    ['Home', 'V.currentTime < 0.1'],
    ['3', 'Math.abs(V.currentTime - 7.2) < 0.3'],
    ['m', 'V.muted'],
    ['m', '!V.muted'],
    ['ArrowDown', 'Math.abs(V.volume - 0.95) < 0.01'],
    ['ArrowUp', 'V.volume > 0.99'],
    ['Shift+>', 'V.playbackRate === 1.25'],
    ['Shift+<', 'V.playbackRate === 1'],
    ['.', 'V.currentTime > 7.25 && V.currentTime < 7.4'],
    [',', 'Math.abs(V.currentTime - 7.2) < 0.02'],
    ['c', "document.querySelector('[data-captions=below]')"],
    ['i', "document.querySelector('[data-stats]')"],
    ['q', "document.querySelector('[role=dialog]')"],
  ];
  for (const [key, expected] of keys) {
    await page.keyboard.press(key);
    await untilPage(page, expected.replaceAll('V.', `${video}.`)).catch((error: unknown) =>
      assert.fail(`${key}: ${String(error)}`),
    );
  }
  // A panel is closed first, even where it does not have the focus.
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await page.evaluate('location.pathname'), `/play/${ids['lines']}`);
  await page.keyboard.press('Escape');
  await page.waitForURL(`**/item/${ids['lines']}`);
  await view.close();
});

flow(
  'a remote control: arrows bring the buttons and move among them, colours open the menus, Back closes',
  async () => {
    const view = await openWindow({ width: 1920, height: 1080 });
    await view.page.addInitScript(
      "Object.defineProperty(navigator, 'userAgent', { value: navigator.userAgent + ' SMART-TV Tizen/5.5' })",
    );
    const { page } = view;
    await page.goto(`/play/${ids['lines']}?start=0`);
    await untilPage(page, "document.querySelector('video')?.readyState >= 3");
    const press = (key: string, keyCode: number) =>
      page.evaluate(
        `document.activeElement.dispatchEvent(new KeyboardEvent('keydown',
          { key: '${key}', keyCode: ${keyCode}, bubbles: true, cancelable: true }))`,
      );
    const focused = () => page.evaluate<string>("document.activeElement?.getAttribute('aria-label') ?? ''");
    await press('ColorF0Red', 403);
    await untilPage(page, "document.querySelector('video').querySelector('track') !== null");
    await press('ColorF3Blue', 406);
    await page.getByRole('dialog', { name: 'Quality and details' }).waitFor();
    await press('GoBack', 461);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Pause', exact: true }).focus();
    await passes(async () => assert.equal(await focused(), 'Pause'));
    await page.keyboard.press('ArrowRight');
    await untilPage(page, "document.activeElement?.getAttribute('aria-label') === 'Back 10 seconds'");
    // The focus is seen from the sofa.
    await untilPage(
      page,
      `(({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2)(
        getComputedStyle(document.activeElement))`,
    );
    await press('MediaPause', 19);
    await untilPage(page, "document.querySelector('video').paused");
    // A slider takes left and right; up leads out of it to the bar, and down back to the same column.
    const isAt = (label: string) =>
      untilPage(page, `document.activeElement?.getAttribute('aria-label') === '${label}'`);
    await page.getByRole('slider', { name: 'Volume' }).focus();
    await page.keyboard.press('ArrowUp');
    await isAt('Position');
    await page.keyboard.press('ArrowDown');
    await isAt('Volume');
    if (process.env['SCREENS']) await page.screenshot({ path: `${process.env['SCREENS']}/tv.png` });
    await press('GoBack', 461);
    await page.waitForURL(`**/item/${ids['lines']}`);
    // Above the actions of a film there is only the sidebar, which left leads to.
    await page.getByRole('button', { name: 'Mark as watched', exact: true }).focus();
    await page.keyboard.press('ArrowUp');
    assert.match(await page.evaluate<string>('document.activeElement.textContent'), /Mark as watched/);
    await page.keyboard.press('ArrowLeft');
    await untilPage(page, "document.activeElement?.getAttribute('href')?.startsWith('/play/')");
    await view.close();
  },
);
