/** Opens every page in the pseudo-locale and in German: no word is hard-coded or in English, no label is cut off. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openView } from './browser.ts';
import { pageCheck, pagesHouse } from './pages-house.ts';
import { places, settled, signIn, untilIdle } from './places.ts';
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
const WIDTHS = [360, 1280] as const;

pageCheck('every page is spoken in messages alone, and cuts none of them off', async (t) => {
  const { home, ids, token } = pagesHouse();
  const view = await openView(home, { isWithoutWorker: true });
  const { page } = view;
  const { data } = await speakPseudo(page);
  // Those of a visitor first: signing in costs a second, and is done once.
  const visited = places(ids).sort((a, b) => Number(b.isSignedOut ?? false) - Number(a.isSignedOut ?? false));
  let isSignedIn = false;
  for (const place of visited) {
    await t.test(place.name, async () => {
      if (place.isSignedOut !== true && !isSignedIn) {
        await signIn(view, home);
        isSignedIn = true;
      }
      // A task that runs shows its progress, in words of the server.
      if (place.name === 'settings-tasks') await untilIdle(home, token);
      await page.goto(place.href);
      if (place.name === 'welcome-scan') await page.getByRole('heading', { name: 'Áĺĺ šét' }).waitFor();
      await settled(page);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        await settled(page);
        const { words, clipped } = await findWords(page, data);
        const left = LEFT[place.name] ?? 0;
        assert.ok(words.length <= left, `${words.length} words at ${width}, ${left} allowed:\n${words.join('\n')}`);
        assert.deepEqual(clipped, [], `at ${width}`);
      }
    });
  }
  await view.close();
});

pageCheck('a German page says nothing in English', async (t) => {
  const { home, ids } = pagesHouse();
  const view = await openView(home, { isWithoutWorker: true, locale: 'de-DE' });
  const { page } = view;
  const { find } = await findEnglish(page);
  const visited = places(ids).sort((a, b) => Number(b.isSignedOut ?? false) - Number(a.isSignedOut ?? false));
  let isSignedIn = false;
  for (const place of visited) {
    await t.test(place.name, async () => {
      if (place.isSignedOut !== true && !isSignedIn) {
        await signIn(view, home);
        isSignedIn = true;
      }
      await page.goto(place.href);
      await settled(page);
      assert.deepEqual(await find(), []);
      if (place.name === 'film') await menuHasCompany(page);
    });
  }
  await view.close();
});

/** On a phone, German labels fill the lines of buttons; the menu behind them must share one. */
async function menuHasCompany(page: Page): Promise<void> {
  for (const width of [320, 375, 412]) {
    await page.setViewportSize({ width, height: 800 });
    await settled(page);
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

pageCheck('English on a German page is found, from the messages and from replies of the server', async () => {
  const { home } = pagesHouse();
  const view = await openView(home, { isWithoutWorker: true, locale: 'de-DE' });
  const { page } = view;
  await signIn(view, home);
  const { find } = await findEnglish(page);
  await page.goto('/settings/configuration');
  await settled(page);
  assert.deepEqual(await find(), []);
  await page.evaluate(`(() => {
    const say = (text) => document.querySelector('main').append(Object.assign(document.createElement('p'), { textContent: text }));
    say('Recently added');
    say('server.name · Name that apps show for this server.');
    say('Kürzlich hinzugefügt');
  })()`);
  assert.deepEqual(await find(), ['p: Recently added', 'p: server.name · Name that apps show for this server.']);
  await view.close();
});

pageCheck('texts for people are told from data in a reply', () => {
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
});

pageCheck('a word in the code and a label that is cut off are found where they are planted', async () => {
  const { home } = pagesHouse();
  const view = await openView(home, { isWithoutWorker: true });
  const { page } = view;
  const { data } = await speakPseudo(page);
  await signIn(view, home);
  await page.goto('/list');
  await settled(page);
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
});

pageCheck('messages, values and data are told from words', () => {
  const data = new Set(['The Lighthouse Keeper']);
  for (const [text, rest] of [
    ['⟦Ŕéšüḿé át ⟦1:26⟧ ····⟧', ''],
    ['The Lighthouse Keeper · ⟦2019⟧', '·'],
    ['⟦Týpé', ''],
    ['⟦Týpé⟧ to confirm', 'to confirm'],
  ] as const)
    assert.equal(unspoken(text, data).trim(), rest);
});
