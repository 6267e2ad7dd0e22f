/** Findings of axe on a page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
interface Found {
  id: string;
  help: string;
  nodes: { target: string[]; failureSummary?: string }[];
}

export async function violations(page: Page): Promise<string[]> {
  // Through the debugger, which the page's own policy does not hinder. Half a megabyte, so once for each document.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const run = (globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Found[] }> } }).axe;
    return (await run.run({ resultTypes: ['violations'] })).violations;
  });
  return found.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes
        .map(({ target }) => target.join(' '))
        .slice(0, 4)
        .join(' | ')}`,
  );
}
