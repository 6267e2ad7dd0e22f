/** The house of the tests that open every page: one server and one browser for all of them. */
import type { TestContext } from 'node:test';
import { closeBrowser, type View } from './browser.ts';
import { type Ids, openSettledHome, type Place, places, type SettledHome, signIn } from './places.ts';
import { addShelves, type KindIds } from './shelves.ts';

export interface PagesHouse extends SettledHome {
  ids: Ids & KindIds;
}

/** A test that finds the house open, and leaves it as it was. */
export interface PageCheck {
  name: string;
  run(house: PagesHouse, t: TestContext): Promise<void> | void;
}

export async function openPagesHouse(): Promise<PagesHouse> {
  const settled = await openSettledHome();
  const kinds = await addShelves(settled.home, settled.token, settled.ids.film);
  return { ...settled, ids: { ...settled.ids, ...kinds } };
}
export async function closePagesHouse(house: PagesHouse | undefined): Promise<void> {
  await closeBrowser();
  await house?.home.close();
}

/** Names of the pages that are visited when not all are (`bin/test changed`). */
const VISITED = process.env['VISITED_PAGES']?.split(' ');

/** Runs a test for every page in one window. */
export async function visitPages(
  t: TestContext,
  { home, ids }: PagesHouse,
  view: View,
  visit: (place: Place) => Promise<void>,
): Promise<void> {
  // Those of a visitor first: signing in costs a second, and is done once.
  const visited = places(ids)
    .filter(({ page }) => VISITED?.includes(page) ?? true)
    .sort((a, b) => Number(b.isSignedOut ?? false) - Number(a.isSignedOut ?? false));
  let isSignedIn = false;
  for (const place of visited) {
    await t.test(place.name, async () => {
      if (place.isSignedOut !== true && !isSignedIn) {
        await signIn(view, home);
        isSignedIn = true;
      }
      await visit(place);
    });
  }
}
