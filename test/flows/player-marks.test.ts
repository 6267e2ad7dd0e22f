/**
 * Passages and preview pictures in the player: skipping by a button and automatically, with undo; pictures over the
 * bar; the next episode.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { ask } from '../faults/child.ts';
import { passes, until } from '../until.ts';
import { closeAll, hasPlayed, type Home, NOTE_BEGIN, type openView, untilPage, type View } from './browser.ts';
import { openSettledHome, openSignedIn } from './places.ts';
import { makePlayed, PLAYED } from './played-films.ts';

let home: Home;
let token = '';
const ids: Record<string, string> = {};
before(async () => {
  ({ home, token } = await openSettledHome({ prepare: ({ media }) => makePlayed(media) }));
  for (const name of ['firstEpisode', 'secondEpisode'] as const) {
    const { body } = await ask<{ items: { id: string; title: string }[] }>(
      home.server,
      'GET',
      `/api/v1/library?q=${encodeURIComponent(PLAYED[name].title)}&view=all`,
      { token },
    );
    ids[name] = body.items.find(({ title }) => title === PLAYED[name].title)?.id ?? '';
  }
  if (!ids['firstEpisode']) {
    // Episodes are found through their show.
    const { body } = await ask<{ items: { id: string }[] }>(home.server, 'GET', '/api/v1/library?q=two%20lamps', {
      token,
    });
    const show = await ask<{ seasons: { episodes: { id: string }[] }[] }>(
      home.server,
      'GET',
      `/api/v1/shows/${body.items[0]?.id}`,
      { token },
    );
    [ids['firstEpisode'], ids['secondEpisode']] = (show.body.seasons[0]?.episodes ?? []).map(({ id }) => id) as [
      string,
      string,
    ];
  }
  for (const marker of [
    { kind: 'intro', start: 4, end: 12 },
    { kind: 'credits', start: 20, end: 24 },
  ]) {
    assert.equal(
      (await ask(home.server, 'PUT', `/api/v1/items/${ids['firstEpisode']}/markers`, { token, body: marker })).status,
      200,
    );
  }
});
after(closeAll);

async function play(query = '', needs: Parameters<typeof openView>[1] = {}): Promise<View> {
  const view = await openSignedIn(home, { realTime: 'plays', ...needs });
  await view.page.goto(`/play/${ids['firstEpisode']}${query}`);
  await untilPage(view.page, "document.querySelector('video')?.readyState >= 3");
  return view;
}
const jump = (page: Page, time: number, isPaused = false) =>
  page.evaluate(
    `(() => { const video = document.querySelector('video'); ${isPaused ? 'video.pause();' : 'video.play();'} ` +
      `video.currentTime = ${time}; })()`,
  );
const time = "document.querySelector('video').currentTime";

test('the intro is skipped by a button, which is there while it plays', async () => {
  const view = await play('?start=0');
  const { page } = view;
  // The film is paused before the intro: a slow machine would look for the button when it is there.
  await jump(page, 1, true);
  const skip = page.getByRole('button', { name: 'Skip intro' });
  await skip.waitFor({ state: 'detached' });
  await jump(page, 6, true);
  await skip.click();
  await untilPage(page, `Math.abs(${time} - 12) < 0.5`);
  await skip.waitFor({ state: 'detached' });
  await jump(page, 5, true);
  await skip.waitFor();
  await page.keyboard.press('s');
  await untilPage(page, `Math.abs(${time} - 12) < 0.5`);
  await view.close();
});

test('a picture of that time appears over the bar, for a pointer and for a finger', async () => {
  const view = await play('?start=0', { isTouch: true });
  const { page } = view;
  await jump(page, 0, true);
  const bar = page.getByRole('slider', { name: 'Position' });
  const box = await bar.boundingBox();
  assert.ok(box);
  const over = (share: number) => page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
  // The pictures are made when they are first asked for.
  const look = async (): Promise<boolean> => {
    await page.mouse.move(box.x, box.y - 300);
    await over(0.5);
    return (await page.locator('[data-tile]').count()) > 0;
  };
  await until('the pictures to be made', look, { everyMs: 300 });
  const styleOf = () =>
    page.evaluate<string>(
      "(({ backgroundImage, backgroundPosition }) => backgroundImage.replace(/ticket=[^&\"]*/, '') + " +
        "backgroundPosition)(document.querySelector('[data-tile] > div').style)",
    );
  const middle = await styleOf();
  await over(0.05);
  await passes(async () => assert.notEqual(await styleOf(), middle, 'another time has another picture'));
  assert.match(middle, /trickplay.*\.jpg/);
  const touch = await view.context.newCDPSession(page);
  const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', share: number) =>
    touch.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: box.x + box.width * share, y: box.y + box.height / 2 }],
    });
  await page.mouse.move(box.x, box.y - 300);
  await finger('touchStart', 0.2);
  await finger('touchMove', 0.7);
  await untilPage(page, "document.querySelector('[data-tile]') !== null");
  await finger('touchEnd', 0.7);
  await untilPage(page, `Math.abs(${time} - 16.8) < 0.6`);
  await view.close();
});

test('what the settings say is skipped automatically, and undone for five seconds', async () => {
  assert.equal(
    (await ask(home.server, 'PUT', '/api/v1/configuration/playback.auto_skip', { token, body: { value: '["intro"]' } }))
      .status,
    202,
  );
  const view = await play('?start=0');
  const { page } = view;
  // The way back is there for five seconds only, and a slow machine may look too late: the page notes the jumps, and
  // takes the way back itself.
  await page.evaluate(`(() => {
    const video = document.querySelector('video');
    globalThis.jumps = [];
    video.addEventListener('seeking', () => globalThis.jumps.push(Math.round(video.currentTime * 2) / 2));
    const takeBack = () => {
      const undo = [...document.querySelectorAll('button')].find((one) => one.textContent.includes('Undo'));
      if (undo && globalThis.jumps.length === 2) undo.click();
    };
    video.addEventListener('seeked', takeBack);
    new MutationObserver(takeBack).observe(document.body, { childList: true, subtree: true });
  })()`);
  const jumped = (...times: number[]) =>
    passes(async () => assert.deepEqual(await page.evaluate<number[]>('globalThis.jumps'), times));
  await jump(page, 3.5);
  await jumped(3.5, 12, 4);
  await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
  // It was undone: it plays on through the intro. Jumping into it does not skip it either.
  await untilPage(page, hasPlayed(5));
  await jump(page, 7);
  await untilPage(page, hasPlayed(7.5));
  await jumped(3.5, 12, 4, 7);
  await view.close();
  await ask(home.server, 'PUT', '/api/v1/configuration/playback.auto_skip', { token, body: { value: '[]' } });
});

test('the next episode is offered with the credits, counts down at the end, and begins', async () => {
  const view = await play('?start=0');
  const { page } = view;
  await jump(page, 20.5, true);
  const card = page.getByRole('region', { name: 'Next episode' });
  await card.waitFor();
  assert.match(await card.innerText(), /The Second Lamp/);
  await page.getByRole('button', { name: 'Skip credits' }).waitFor({ state: 'detached' });
  await page.evaluate(`globalThis.former = document.querySelector('video'); ${NOTE_BEGIN}`);
  await jump(page, 23.6);
  // Pressed in the page, before it begins by itself.
  await untilPage(
    page,
    `(() => {
      const card = document.querySelector('section[aria-label="Next episode"]');
      if (!card?.textContent.includes('in ')) return false;
      [...card.querySelectorAll('button')].find((one) => one.textContent === 'Play').click();
      return true;
    })()`,
  );
  await page.waitForURL(`**/play/${ids['secondEpisode']}`);
  await untilPage(page, `document.querySelector('video') !== globalThis.former && ${hasPlayed()}`);
  assert.ok((await page.evaluate<number>('globalThis.begunAt')) < 0.5, 'from its start');
  await view.close();
});

test('the next episode is offered once its title is known, however slowly it is loaded', async () => {
  const view = await openSignedIn(home, { realTime: 'plays' });
  const { page } = view;
  const asked = Promise.withResolvers<Route>();
  await page.route(`**/api/v1/items/${ids['secondEpisode']}`, (route) => asked.resolve(route));
  await page.goto(`/play/${ids['firstEpisode']}?start=0`);
  await untilPage(page, "document.querySelector('video')?.readyState >= 3");
  await page.evaluate(`(() => {
    globalThis.offers = [];
    new MutationObserver(() => {
      const card = document.querySelector('section[aria-label="Next episode"]');
      if (card) globalThis.offers.push(card.querySelector('h2')?.textContent ?? '');
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  })()`);
  await jump(page, 20.5, true);
  const route = await asked.promise;
  await untilPage(page, "!document.querySelector('video').seeking");
  // The player has seen the new time, and has drawn what follows from it.
  await page.evaluate(`new Promise((resolve) => {
    const video = document.querySelector('video');
    const drawn = () => requestAnimationFrame(() => requestAnimationFrame(resolve));
    video.addEventListener('timeupdate', drawn, { once: true });
    video.currentTime = 21;
  })`);
  await route.continue();
  await page.getByRole('region', { name: 'Next episode' }).waitFor();
  assert.deepEqual([...new Set(await page.evaluate<string[]>('globalThis.offers'))], ['The Second Lamp']);
  await view.close();
});
