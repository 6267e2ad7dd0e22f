/**
 * A child's Profile by age, as an Owner keeps it: an age and what it includes, one film allowed and one hidden, and a
 * rating set by hand, each with an undo. Also the pages of the child, up to the empty home that says why it is empty.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask } from '../faults/child.ts';
import { closeAll, type Home, openView, settled, type View } from './browser.ts';
import { openSettledHome, signIn } from './places.ts';
import { passes } from '../until.ts';

const CHILD = { name: 'Mia', password: 'three small wooden boats' };
/** Films of the demo library: rated G, PG-13 and R, and without a rating. */
const FOR_ALL = 'Paper Moons';
const FOR_TEENS = 'Saltwater';
const FOR_ADULTS = 'Night Train to Porto';
const UNRATED = 'Quiet Machines';

let home: Home;
let token: string;
before(async () => {
  ({ home, token } = await openSettledHome());
});
after(closeAll);

/** The ids of all films and shows by title, as the Owner sees them. */
async function everything(): Promise<Map<string, string>> {
  const { body } = await ask<{ items: { id: string; title: string }[] }>(
    home.server,
    'GET',
    '/api/v1/library?limit=200',
    { token },
  );
  return new Map(body.items.map(({ id, title }) => [title, id]));
}

async function edit({ page }: View) {
  await page.goto('/settings/profiles');
  await settled(page);
  await page.getByRole('button', { name: `Edit ${CHILD.name}` }).click();
  return page.getByRole('dialog', { name: `Edit ${CHILD.name}` });
}

/** Chooses an entry of the menu of an item's page. */
async function choose({ page }: View, title: string, entry: string): Promise<void> {
  const id = (await everything()).get(title) ?? assert.fail(`${title} is not in the library`);
  await page.goto(`/item/${id}`);
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  await page.getByRole('button', { name: 'More', exact: true }).first().click();
  await page.getByRole('menuitem', { name: entry }).click();
}

test("a child's Profile by age", async (t) => {
  const owner = await openView(home);
  const child = await openView(home, { expected: /404/ });
  t.after(() => Promise.all([owner.close(), child.close()]));
  await signIn(owner, home);
  const total = (await everything()).size;

  // The Owner makes the Profile, and sees what an age includes and how much it shows.
  await owner.page.goto('/settings/profiles');
  await settled(owner.page);
  await owner.page.getByRole('button', { name: 'New profile' }).click();
  const making = owner.page.getByRole('dialog', { name: 'New profile' });
  await making.getByLabel('Name', { exact: true }).fill(CHILD.name);
  await making.getByLabel('Password', { exact: true }).fill(CHILD.password);
  await making.getByText('No library is allowed, so this profile sees nothing.').waitFor();
  await making.getByLabel('All, including new ones').check();
  const age = making.getByLabel('Age rating limit');
  await age.selectOption('0');
  await making.getByText(/^Shows 1 of \d+ items/).waitFor();
  await age.selectOption('12');
  await making.getByText(/^Includes .*\bPG\b/).waitFor();
  const some = await passes(async () => {
    const words = await making.getByRole('status').textContent();
    const [, shown, of] = /^Shows (\d+) of (\d+) items/.exec(words ?? '') ?? [];
    assert.ok(Number(of) === total && Number(shown) > 1 && Number(shown) < total, words ?? '');
    return Number(shown);
  });
  await making.getByRole('switch', { name: 'Show items without a rating' }).check();
  await passes(async () =>
    assert.ok(Number(/\d+/.exec((await making.getByRole('status').textContent()) ?? '')?.[0]) > some),
  );
  await making.getByRole('switch', { name: 'Show items without a rating' }).uncheck();
  await making.getByRole('button', { name: 'Create profile' }).click();
  await owner.page.getByText('up to age 12; no unrated items').waitFor();

  // The child sees only films that are rated for it.
  await signIn(child, home, CHILD);
  const sees = async (titles: readonly string[], not: readonly string[]) => {
    await child.page.goto('/library?view=movies');
    await settled(child.page);
    for (const title of titles) await child.page.getByRole('link', { name: title }).first().waitFor();
    for (const title of not) assert.equal(await child.page.getByRole('link', { name: title }).count(), 0, title);
  };
  await sees([FOR_ALL], [FOR_TEENS, FOR_ADULTS, UNRATED]);
  const all = await everything();
  await child.page.goto(`/item/${all.get(FOR_ADULTS)}`);
  await child.page.getByRole('heading', { name: 'Page not found' }).waitFor();

  // One film is allowed, one is hidden, and one is rated by hand. Each can be undone.
  await choose(owner, FOR_ADULTS, `Allow for ${CHILD.name}`);
  await owner.page.getByText(`${FOR_ADULTS} is allowed for ${CHILD.name}`).waitFor();
  await choose(owner, FOR_ALL, `Hide from ${CHILD.name}`);
  await owner.page.getByText(`${FOR_ALL} is hidden from ${CHILD.name}`).waitFor();
  await sees([FOR_ADULTS], [FOR_ALL, FOR_TEENS, UNRATED]);
  await choose(owner, FOR_ALL, `Use the rating for ${CHILD.name} again`);
  await owner.page.getByText(`The rating of ${FOR_ALL} applies to ${CHILD.name} again`).waitFor();
  await owner.page.getByRole('button', { name: 'Undo' }).last().click();
  await passes(async () => {
    await owner.page.reload();
    await owner.page.getByRole('button', { name: 'More', exact: true }).first().click();
    assert.equal(await owner.page.getByRole('menuitem', { name: `Hide from ${CHILD.name}` }).count(), 0);
  });

  await choose(owner, UNRATED, 'Set rating');
  const rating = owner.page.getByRole('dialog', { name: `Set the rating of ${UNRATED}` });
  await rating.getByLabel('Age', { exact: true }).selectOption('6');
  await rating.getByRole('button', { name: 'Set rating' }).click();
  await owner.page.getByText(`${UNRATED} is now rated 6`).waitFor();
  await owner.page.getByText('From 6 (set by hand)').waitFor();
  await sees([FOR_ADULTS, UNRATED], [FOR_ALL, FOR_TEENS]);
  await owner.page.getByRole('button', { name: 'Undo' }).last().click();
  await owner.page.getByText('Unrated', { exact: true }).waitFor();

  // The decisions are listed with the Profile, and can be taken back there.
  await owner.page.goto('/settings/profiles');
  await settled(owner.page);
  const list = owner.page.getByRole('region', { name: 'Allowed and hidden items' });
  await passes(async () => assert.equal(await list.getByRole('listitem').count(), 2));
  await list.getByRole('button', { name: `Use the rating of ${FOR_ADULTS} again` }).click();
  await passes(async () => assert.equal(await list.getByRole('listitem').count(), 1));
  await sees([], [FOR_ALL, FOR_ADULTS, FOR_TEENS, UNRATED]);

  // Nothing is left at an age below: the child learns its own limits, the Owner learns the reason.
  const lowering = await edit(owner);
  await lowering.getByLabel('Age rating limit').selectOption('0');
  await lowering.getByText(/^Shows 0 of \d+ items\. Everything in these libraries is above the age/).waitFor();
  await lowering.getByRole('button', { name: 'Save' }).click();
  await owner.page.getByText('up to age 0; no unrated items').waitFor();
  await child.page.goto('/');
  await child.page.getByText('Nothing here is rated for all ages.').waitFor();
  const main = await child.page.locator('main').textContent();
  assert.match(main ?? '', /Items without a rating are not shown to this profile\. An owner of this server can change/);
  for (const title of all.keys()) assert.ok(!main?.includes(title), title);
  assert.equal(await child.page.getByRole('link', { name: /profile sees|folders/ }).count(), 0);
});
