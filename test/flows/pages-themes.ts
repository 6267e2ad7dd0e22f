/** Looking at a page in both themes: what axe finds, whether it scrolls sideways, and whether it can be installed. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { violations, violationsInThemes } from './axe.ts';
import { calm, openView, settled, untilPage } from './browser.ts';
import { type PageCheck, type PagesHouse } from './pages-house.ts';
import { inTheme, signIn } from './places.ts';
import { until } from '../until.ts';

export const WIDTHS = [360, 1280, 1920] as const;
export const THEMES = ['dark', 'light'] as const;
/** Findings in each theme where there are none. */
export const NONE = { dark: [], light: [] };

/** Returns the innermost elements that make a page scroll sideways. */
export const tooWide = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const root = document.documentElement;
    if (root.scrollWidth <= root.clientWidth) return [];
    const clips = (one) => one && one !== document.body && (getComputedStyle(one).overflowX !== 'visible' || clips(one.parentElement));
    const isTooWide = (one) => one.getBoundingClientRect().right > root.clientWidth + 1 && !clips(one.parentElement);
    const found = [...document.body.querySelectorAll('*')].filter((one) => isTooWide(one) && ![...one.children].some(isTooWide));
    return found.length === 0 ? ['the page'] : found.slice(0, 5).map((one) => one.tagName.toLowerCase() + '.' + one.className + ': ' + one.textContent.slice(0, 60));
  })()`);

/** Findings of axe in a document, by width and theme. */
const judged = new Map<string, Record<string, string[]>>();
/** The theme in the HTML of a page. */
const THEME = / data-theme="(\w+)"/;
/** Asks axe once for pages that are the same document: settings begin with their first part. */
export async function violationsOnce(page: Page, width: number): Promise<Record<string, string[]>> {
  await settled(page);
  await calm(page);
  const html = await page.evaluate<string>('document.documentElement.outerHTML');
  const key = `${width} ${html.replace(THEME, '')}`;
  // The theme that the page has comes first: changing it draws the whole page again.
  const themes = THEME.exec(html)?.[1] === THEMES[0] ? THEMES : THEMES.toReversed();
  const found = judged.get(key) ?? (await violationsInThemes(page, themes, (theme) => inTheme(page, theme)));
  judged.set(key, found);
  return found;
}

async function findsWhatIsPlanted({ home }: PagesHouse): Promise<void> {
  const view = await openView(home);
  await signIn(view, home);
  await view.page.goto('/list');
  await settled(view.page);
  await view.page.evaluate(
    "document.querySelector('main').append(document.createElement('button'), document.createElement('img'))",
  );
  assert.match((await violations(view.page)).join('\n'), /button-name[\s\S]*image-alt|image-alt[\s\S]*button-name/);
  await view.page.evaluate("document.querySelectorAll('main > button, main > img').forEach((one) => one.remove())");
  // A grey that is read on black and not on white, and a button that only the light theme shows.
  await view.page.evaluate(`(() => {
    const grey = Object.assign(document.createElement('p'), { textContent: 'Grey words' });
    grey.style.color = '#999';
    document.querySelector('main').append(grey);
  })()`);
  const enter = (theme: (typeof THEMES)[number]) => inTheme(view.page, theme);
  const inGrey = await violationsInThemes(view.page, THEMES, enter);
  assert.deepEqual(inGrey['dark'], []);
  assert.match(String(inGrey['light']), /^color-contrast: [^:]*: p$/);
  await view.page.evaluate("document.querySelector('main').lastChild.remove()");
  const withButton = await violationsInThemes(view.page, THEMES, async (theme) => {
    await view.page.evaluate(
      theme === 'dark'
        ? "document.querySelector('main').append(Object.assign(document.createElement('button'), { hidden: true }))"
        : "document.querySelector('main').lastChild.hidden = false",
    );
    await enter(theme);
  });
  assert.deepEqual(withButton['dark'], []);
  assert.match(String(withButton['light']), /button-name/);
  await view.page
    .evaluate("document.body.append(Object.assign(document.createElement('script'), { textContent: '1' }))")
    .catch(() => {});
  await until('a complaint', () => view.complaints.length > 0);
  await assert.rejects(view.close(), /policy|Trusted|script/i);
}

async function canBeInstalled({ home }: PagesHouse): Promise<void> {
  const view = await openView(home, { expected: /Failed to fetch|ERR_/ });
  await signIn(view, home);
  const { page } = view;
  await page.goto('/');
  await settled(page);
  const manifest = await page.evaluate<{
    name: string;
    icons: { src: string; sizes: string }[];
    start_url: string;
    display: string;
  }>("fetch(document.querySelector('link[rel=manifest]').href).then((reply) => reply.json())");
  assert.equal(manifest.display, 'standalone');
  assert.ok(manifest.name.length > 0 && manifest.start_url.startsWith('/'));
  for (const size of ['192x192', '512x512']) {
    const icon = manifest.icons.find(({ sizes }) => sizes.split(' ').includes(size));
    assert.ok(icon, size);
    assert.equal((await view.context.request.get(icon.src)).status(), 200);
  }
  assert.equal(
    await page.evaluate<string>("navigator.serviceWorker.ready.then((one) => one.active ? 'active' : 'none')"),
    'active',
  );
  await view.close();
}

async function asksWithoutWorker({ home }: PagesHouse): Promise<void> {
  const view = await openView(home);
  await signIn(view, home);
  const { page, context } = view;
  await page.goto('/');
  await settled(page);
  await untilPage(page, 'navigator.serviceWorker.controller !== null');
  const [worker] = context.serviceWorkers();
  assert.ok(worker);
  let isBusy = true;
  const busy = worker.evaluate('(() => { for (const end = Date.now() + 20_000; Date.now() < end;); })()').then(
    () => (isBusy = false),
    // Closing the window ends the worker.
    () => undefined,
  );
  const status = await page.evaluate("fetch('/api/v1/me').then((reply) => reply.status)");
  assert.deepEqual([status, isBusy], [200, true]);
  await Promise.all([view.close(), busy]);
}

/** Returns the checks of pages in all themes and widths, which only read the house. */
export const themeChecks = (): PageCheck[] => [
  { name: 'what these tests look for is found where it is planted', run: findsWhatIsPlanted },
  { name: 'it can be installed, and the shell comes back without the server', run: canBeInstalled },
  {
    name: 'the API is asked without the worker, which may be asleep when a page sends its last words',
    run: asksWithoutWorker,
  },
];
