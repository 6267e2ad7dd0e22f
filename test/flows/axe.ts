/** Findings of axe on a page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { calm } from './browser.ts';
import { inRealTime } from './settled.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
interface Found {
  id: string;
  help: string;
  nodes: { target: string[]; failureSummary?: string }[];
}

/** Rules that judge colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Expression for everything that axe judges besides colours: the elements, and where and whether each is seen. */
const LAYOUT = `JSON.stringify([
  document.title,
  [...document.documentElement.attributes].filter(({ name }) => !['data-theme', 'data-pending'].includes(name)).map(({ name, value }) => name + value),
  [...document.querySelectorAll('meta[name=viewport]')].map(({ content }) => content),
  document.body.outerHTML,
  [...document.body.querySelectorAll('*')].map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [x, y, width, height, one.checkVisibility({ opacityProperty: true, visibilityProperty: true })];
  }),
])`;

/**
 * Returns the findings in each theme, by theme. A theme that changes nothing but colours is asked about colours only,
 * which takes half the time: the other rules would find what they found in the theme before.
 */
export async function violationsInThemes<Theme extends string>(
  page: Page,
  themes: readonly Theme[],
  enter: (theme: Theme) => Promise<void>,
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  let judged: unknown;
  for (const theme of themes) {
    await enter(theme);
    const layout = await page.evaluate<unknown>(LAYOUT);
    found[theme] = await violations(page, layout === judged ? OF_COLOURS : undefined);
    judged = layout;
  }
  return found;
}

/** Asks all rules unless given, once every picture is there and nothing moves. */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  await calm(page);
  // Through the debugger, which the page's own policy does not hinder. Half a megabyte, so once for each document.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(inRealTime(`(() => { ${axe} })()`));
  const found = await page.evaluate(async (runOnly) => {
    const run = (globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Found[] }> } }).axe;
    return (await run.run({ resultTypes: ['violations'], ...(runOnly && { runOnly }) })).violations;
  }, rules);
  return found.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes
        .map(({ target }) => target.join(' '))
        .slice(0, 4)
        .join(' | ')}`,
  );
}
