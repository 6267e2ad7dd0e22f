/** The house of the tests that open every page: one server and one browser for all of them. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { closeBrowser } from './browser.ts';
import { type Ids, openSettledHome, type SettledHome } from './places.ts';
import { addShelves, type KindIds } from './shelves.ts';

export interface PagesHouse extends SettledHome {
  ids: Ids & KindIds;
}

let opened: PagesHouse | undefined;
export const pagesHouse = (): PagesHouse => opened ?? assert.fail('the house is open');

export async function openPagesHouse(): Promise<void> {
  const settled = await openSettledHome();
  opened = {
    ...settled,
    ids: { ...settled.ids, ...(await addShelves(settled.home, settled.token, settled.ids.film)) },
  };
}
export async function closePagesHouse(): Promise<void> {
  await closeBrowser();
  await opened?.home.close();
}

export const pageChecks: { name: string; run: (t: TestContext) => Promise<void> | void }[] = [];
/** Adds a test that finds the house open. */
export const pageCheck = (name: string, run: (t: TestContext) => Promise<void> | void): void =>
  void pageChecks.push({ name, run });
