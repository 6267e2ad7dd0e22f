/** Opens every page in the pseudo-locale and in German: no word is hard-coded or in English, no label is cut off. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { calm, openView, settled } from './browser.ts';
import { type PageCheck, type PagesHouse, visitPages } from './pages-house.ts';
import { goInside, type Place, signIn, untilIdle } from './places.ts';
import { findEnglish, saidIn } from './english.ts';
import { findWords, speakPseudo, unspoken } from './pseudo-locale.ts';

/** Words that pages still hold in code, which only become fewer. */
const LEFT: Readonly<Record<string, number>> = {
  workbench: 90,
  'workbench-empty': 110,
  // Names of products.
  'settings-hardware': 3,
  subtitles: 1,
};

/**
 * Returns a function that opens one place after the other in a window. Most are opened as by a link, which saves the
 * start of the dashboard. A new document is loaded for the first place, the first after signing in, the same page with
 * another query, and after the pages of the first run, which redirect when their step is missing from the address.
 */
function placeOpener(page: Page): (place: Place) => Promise<void> {
  let mayGoInside = false;
  return async ({ name, href, isSignedOut = false }) => {
    const here = new URL(page.url());
    const isInside = mayGoInside && !isSignedOut && new URL(href, here).pathname !== here.pathname;
    // After a page that could not be opened, too.
    mayGoInside = false;
    if (isInside) await goInside(page, href);
    else {
      await page.goto(href);
      await settled(page);
      await calm(page);
    }
    mayGoInside = !isSignedOut && !name.startsWith('welcome');
  };
}

async function speaksInMessages(house: PagesHouse, t: TestContext): Promise<void> {
  const { home, token } = house;
  let widths = [1280, 360];
  const view = await openView(home, { isWithoutWorker: true, height: 900 });
  const { page } = view;
  const { data } = await speakPseudo(page);
  const open = placeOpener(page);
  await visitPages(t, house, view, async (place) => {
    // A task that runs shows its progress, in words of the server.
    if (place.name === 'settings-tasks') await untilIdle(home, token);
    await open(place);
    if (place.name === 'welcome-scan') {
      await page.getByRole('heading', { name: 'Áĺĺ šét' }).waitFor();
      await settled(page);
      await calm(page);
    }
    for (const width of widths) {
      if (width !== page.viewportSize()?.width) {
        await page.setViewportSize({ width, height: 900 });
        await settled(page);
        await calm(page);
      }
      const { words, clipped } = await findWords(page, data);
      const left = LEFT[place.name] ?? 0;
      assert.ok(words.length <= left, `${words.length} words at ${width}, ${left} allowed:\n${words.join('\n')}`);
      assert.deepEqual(clipped, [], `at ${width}`);
    }
    // The next page begins with the width that the window has.
    widths = widths.toReversed();
  });
  await view.close();
}

async function saysNothingInEnglish(house: PagesHouse, t: TestContext): Promise<void> {
  const view = await openView(house.home, { isWithoutWorker: true, locale: 'de-DE' });
  const { page } = view;
  const { find } = await findEnglish(page);
  const open = placeOpener(page);
  await visitPages(t, house, view, async (place) => {
    await open(place);
    assert.deepEqual(await find(), []);
    if (place.name === 'film') await menuHasCompany(page);
  });
  await view.close();
}

/** On a phone, German labels fill the lines of buttons; the menu behind them must share one. */
async function menuHasCompany(page: Page): Promise<void> {
  for (const width of [320, 375, 412]) {
    await page.setViewportSize({ width, height: 800 });
    await settled(page);
    await calm(page);
    const alone = await page.evaluate<boolean>(`(() => {
      const middle = (one) => one.getBoundingClientRect().top + one.getBoundingClientRect().height / 2;
      const menu = document.querySelector('[class*=actions] [aria-haspopup=menu]');
      const others = [...document.querySelectorAll('[class*=actions] a, [class*=actions] button')].filter((one) => one !== menu);
      return !others.some((one) => Math.abs(middle(one) - middle(menu)) < 8);
    })()`);
    assert.equal(alone, false, `the menu stands alone on a line at ${width}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

async function findsPlantedEnglish({ home }: PagesHouse): Promise<void> {
  const view = await openView(home, { isWithoutWorker: true, locale: 'de-DE' });
  const { page } = view;
  await signIn(view, home);
  const { find } = await findEnglish(page);
  await page.goto('/settings/configuration');
  await settled(page);
  await calm(page);
  assert.deepEqual(await find(), []);
  await page.evaluate(`(() => {
    const say = (text) => document.querySelector('main').append(Object.assign(document.createElement('p'), { textContent: text }));
    say('Recently added');
    say('server.name · Name that apps show for this server.');
    say('Kürzlich hinzugefügt');
  })()`);
  assert.deepEqual(await find(), ['p: Recently added', 'p: server.name · Name that apps show for this server.']);
  await view.close();
}

function tellsTextsFromData(): void {
  const reply = {
    settings: [{ title: 'Server name', summary: 'Name.', labels: { a: 'On' }, key: 'server.name' }],
    items: [{ title: 'Saltwater', evidence: ['The year is in brackets'] }],
    tasks: [
      {
        title: 'Clean up',
        progress: 1,
        detail: '3 items forgotten',
        error: 'no room',
        why: { reason: 'disk-full', values: {} },
      },
    ],
    // "20 Videos" in German; the other differs.
    runs: [
      { progress: 1, detail: '20 videos', remarks: [{ reason: 'videos', values: { count: 20 } }] },
      { progress: 1, detail: '2 recordings', remarks: [{ reason: 'albums', values: { count: 2 } }] },
    ],
  };
  assert.deepEqual(
    [...saidIn(reply)],
    [
      'server name',
      'name',
      'on',
      'the year is in brackets',
      'clean up',
      '3 items forgotten',
      'no room',
      '2 recordings',
    ],
  );
}

async function findsPlantedWords({ home }: PagesHouse): Promise<void> {
  const view = await openView(home, { isWithoutWorker: true });
  const { page } = view;
  const { data } = await speakPseudo(page);
  await signIn(view, home);
  await page.goto('/list');
  await settled(page);
  await calm(page);
  await page.evaluate(`(() => {
    const word = Object.assign(document.createElement('button'), { textContent: 'Save all', title: 'Hard-coded' });
    const label = Object.assign(document.createElement('p'), { textContent: '⟦Ĺöñǧ ĺáƀéĺ⟧' });
    label.style.cssText = 'width: 30px; overflow: hidden; white-space: nowrap';
    document.querySelector('main').append(word, label);
  })()`);
  const { words, clipped } = await findWords(page, data);
  assert.deepEqual(words, ['button: Save all', 'button[title]: Hard-coded']);
  assert.deepEqual(clipped, ['p: ⟦Ĺöñǧ ĺáƀéĺ⟧']);
  await view.close();
}

function tellsMessagesFromWords(): void {
  const data = new Set(['The Lighthouse Keeper']);
  for (const [text, rest] of [
    ['⟦Ŕéšüḿé át ⟦1:26⟧ ····⟧', ''],
    ['The Lighthouse Keeper · ⟦2019⟧', '·'],
    ['⟦Týpé', ''],
    ['⟦Týpé⟧ to confirm', 'to confirm'],
  ] as const)
    assert.equal(unspoken(text, data).trim(), rest);
}

/** Returns the checks of words, which only read the house. */
export const wordChecks = (): PageCheck[] => [
  { name: 'every page is spoken in messages alone, and cuts none of them off', run: speaksInMessages },
  { name: 'a German page says nothing in English', run: saysNothingInEnglish },
  {
    name: 'English on a German page is found, from the messages and from replies of the server',
    run: findsPlantedEnglish,
  },
  { name: 'texts for people are told from data in a reply', run: tellsTextsFromData },
  {
    name: 'a word in the code and a label that is cut off are found where they are planted',
    run: findsPlantedWords,
  },
  { name: 'messages, values and data are told from words', run: tellsMessagesFromWords },
];
