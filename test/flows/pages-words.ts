/** Looking at the words of a page: none is hard-coded or in English, and no label is cut off. */
import assert from 'node:assert/strict';
import { calm, openView, settled } from './browser.ts';
import { type PageCheck, type PagesHouse } from './pages-house.ts';
import { signIn } from './places.ts';
import { findEnglish, saidIn } from './english.ts';
import { findWords, speakPseudo, unspoken } from './pseudo-locale.ts';

/** On a phone, German labels fill the lines of buttons; the menu behind them must share one. */
async function menuHasCompany({ home, ids }: PagesHouse): Promise<void> {
  const view = await openView(home, { isWithoutWorker: true, locale: 'de-DE' });
  const { page } = view;
  await signIn(view, home);
  await page.goto(`/item/${ids.film}`);
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
  await view.close();
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
  const view = await openView(home, { isWithoutWorker: true, locale: 'de-DE' });
  const { page } = view;
  const { data } = await speakPseudo(page);
  await signIn(view, home);
  await page.goto('/list');
  await settled(page);
  await calm(page);
  await page.evaluate(`(() => {
    const word = Object.assign(document.createElement('button'), { textContent: 'Save all', title: 'Hard-coded' });
    const label = Object.assign(document.createElement('p'), { textContent: '⟦Langes Wort⟧' });
    label.style.cssText = 'width: 30px; overflow: hidden; white-space: nowrap';
    document.querySelector('main').append(word, label);
  })()`);
  const { words, clipped } = await findWords(page, data);
  assert.deepEqual(words, ['button: Save all', 'button[title]: Hard-coded']);
  assert.deepEqual(clipped, ['p: ⟦Langes Wort⟧']);
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
  { name: 'the menu of a film shares a line on phones', run: menuHasCompany },
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
