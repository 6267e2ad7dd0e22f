/**
 * The dashboard in Chromium: from the click on Play to the first picture, and 100 jumps to random places. Each picture
 * carries its number, so that what is shown can be held against the time asked for.
 *
 * The same film repacked into segments, and as it is: what Chromium needs for a file that it reads by itself is the
 * floor.
 */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { chance } from '../../test/chance.ts';
import { closeBrowser, openView, untilPage, type View } from '../../test/flows/browser.ts';
import { signIn } from '../../test/flows/places.ts';
import { ask } from '../../test/faults/child.ts';
import { median, report } from '../report.ts';
import { FIRST_PICTURE_S, numbered, RATE, SECONDS, SHOWN_NUMBER } from './films.ts';
import { type House, openHouse, OWNER } from './house.ts';

const CLICKS = 7;
const CLICK_AIM_MS = 500;
const SEEKS = 100;
const SEEK_AIM_MS = 60;
const WORST_SEEK_AIM_MS = 250;
/** Seconds played after each jump. */
const PLAYED_MS = 300;

export async function benchBrowser(): Promise<void> {
  const house = await openHouse({ Numbered: numbered() });
  const url = house.server.url.replace('127.0.0.1', 'localhost');
  const view = await openView({ url });
  try {
    await signIn(view, { url }, OWNER);
    await view.context.addInitScript(WATCH_CLICK);
    for (const [way, mode] of [
      ['as it is', 'automatic'],
      ['repacked', 'compatible'],
    ] as const) {
      const { status } = await ask(house.server, 'PUT', '/api/v1/configuration/playback.mode', {
        token: house.token,
        body: { value: mode },
      });
      assert.equal(status, 202);
      await clicks(house, view, way);
      await seeks(house, view, way);
    }
  } finally {
    await view.close();
    await closeBrowser();
    await house.close();
  }
}

/** Notes when something was clicked, and when the first picture after it was on the screen. */
const WATCH_CLICK = `addEventListener('click', () => {
  globalThis.clicked = performance.now();
  const look = () => {
    const video = document.querySelector('video');
    if (!video) return requestAnimationFrame(look);
    video.requestVideoFrameCallback(() => { globalThis.firstPicture = performance.now(); });
  };
  look();
}, { capture: true })`;
/**
 * Requests since the click: start and end in milliseconds after the click.
 */
const REQUESTS = `performance.getEntriesByType('resource').filter((one) => one.startTime >= globalThis.clicked && one.startTime <= globalThis.firstPicture)
  .map((one) => [new URL(one.name).pathname.split('/').at(-1), Math.round(one.startTime - globalThis.clicked), Math.round(one.responseEnd - globalThis.clicked)])`;

async function clicks(house: House, { context }: View, way: string): Promise<void> {
  const times: number[] = [];
  let requests: [string, number, number][] = [];
  for (let n = 0; n < CLICKS; n++) {
    const page = await context.newPage();
    await page.goto(`/item/${house.films.get('Numbered')}`);
    await page.waitForLoadState('networkidle');
    await page
      .getByRole('link', { name: /^(Play|Resume)/ })
      .first()
      .click();
    await untilPage(page, 'globalThis.firstPicture !== undefined');
    times.push(await page.evaluate<number>('globalThis.firstPicture - globalThis.clicked'));
    requests = await page.evaluate(REQUESTS);
    await page.goto('about:blank');
    await page.close();
  }
  const [first = 0, ...later] = times;
  const took = median(later);
  report({
    what: `Chromium, ${way}: click on Play to the first picture`,
    figure: `${took.toFixed(0)} ms`,
    aim: `${CLICK_AIM_MS} ms`,
    met: took <= CLICK_AIM_MS,
    note:
      `the first of all ${first.toFixed(0)} ms; the last one asked for ` +
      `${requests.map(([name, from, to]) => `${name} ${from}-${to}`).join(', ')}`,
  });
}

interface Jump {
  ms: number;
  /** Number of the picture that is shown, and of the time that the browser says it shows. */
  number: number;
  told: number;
  /** Whether the place was in the buffer. */
  isHere: boolean;
}
const TOLD = `(mediaTime) => Math.floor((mediaTime - ${FIRST_PICTURE_S}) * ${RATE} + 0.5)`;
const jumpTo = (page: Page, number: number): Promise<Jump> =>
  page.evaluate<Jump>(`new Promise((resolve) => {
    const video = document.querySelector('video');
    const to = ${(number + 0.5) / RATE + FIRST_PICTURE_S};
    const isHere = Array.from({ length: video.buffered.length }, (_, n) => video.buffered.start(n) <= to && to < video.buffered.end(n)).includes(true);
    const began = performance.now();
    video.requestVideoFrameCallback((_, { mediaTime }) => {
      const ms = performance.now() - began;
      resolve({ ms, number: ${SHOWN_NUMBER}, told: (${TOLD})(mediaTime), isHere });
    });
    video.currentTime = to;
  })`);
/**
 * Plays for a moment; returns the number in each picture, the number of its time, and that of the next one: a picture
 * that is read late is the next one.
 */
const playOn = (page: Page): Promise<[number, number][]> =>
  page.evaluate(`new Promise((resolve) => {
    const video = document.querySelector('video');
    const shown = [];
    const note = (_, { mediaTime }) => {
      shown.push([${SHOWN_NUMBER}, (${TOLD})(mediaTime)]);
      if (!video.paused) video.requestVideoFrameCallback(note);
    };
    video.requestVideoFrameCallback(note);
    setTimeout(() => { video.pause(); setTimeout(() => resolve(shown), 100); }, ${PLAYED_MS});
    video.play();
  })`);

async function seeks(house: House, { page }: View, way: string): Promise<void> {
  await page.goto(`/play/${house.films.get('Numbered')}?start=0`);
  await untilPage(page, "document.querySelector('video')?.readyState >= 3");
  await page.evaluate("document.querySelector('video').pause()");
  const random = chance(11);
  const jumps: Jump[] = [];
  let [wrong, shown, astray] = [0, 0, 0];
  for (let n = 0; n < SEEKS; n++) {
    const wanted = Math.floor(random() * (SECONDS - 2) * RATE);
    const jump = await jumpTo(page, wanted);
    jumps.push(jump);
    if (jump.number !== wanted || jump.told !== wanted) wrong += 1;
    const pictures = await playOn(page);
    shown += pictures.length;
    astray += pictures.filter(
      ([number, told], at) => number !== told && number !== (pictures[at + 1]?.[1] ?? told + 1),
    ).length;
  }
  const times = jumps.map(({ ms }) => ms);
  const far = jumps.filter(({ isHere }) => !isHere).map(({ ms }) => ms);
  assert.equal(jumps.length, SEEKS);
  const worst = Math.max(...times);
  const from = `${far.length} of them to places that were not in the buffer: median ${median(far).toFixed(0)} ms`;
  report({
    what: `Chromium, ${way}: ${SEEKS} jumps, median`,
    figure: `${median(times).toFixed(0)} ms`,
    aim: `${SEEK_AIM_MS} ms`,
    met: median(times) <= SEEK_AIM_MS,
    note: from,
  });
  report({
    what: `Chromium, ${way}: ${SEEKS} jumps, worst`,
    figure: `${worst.toFixed(0)} ms`,
    aim: `${WORST_SEEK_AIM_MS} ms`,
    met: worst <= WORST_SEEK_AIM_MS,
  });
  report({
    what: `Chromium, ${way}: ${SEEKS} jumps, pictures other than the one asked for`,
    figure: `${wrong}`,
    aim: '0',
    met: wrong === 0,
  });
  report({
    what: `Chromium, ${way}: pictures lost or doubled while playing on after each jump`,
    figure: `${astray} of ${shown}`,
    aim: '0',
    met: astray === 0,
  });
}
