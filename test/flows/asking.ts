/**
 * The flow of requests: a child that may not see a film asks for it on a tablet, an Owner chooses it on a phone, and
 * the child sees the answer without loading its page again. Outside its hours it asks for time.
 */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { ask } from '../faults/child.ts';
import { violations } from './axe.ts';
import { openView, settled } from './browser.ts';
import { type SettledHome, signIn } from './places.ts';

const PASSWORD = 'seven cold grey river stones';

/** Called at each step with something to see. Tests have no need of it. */
type Look = (page: Page, name: string) => Promise<void>;

/** A window of an hour that is not now. */
function closedHours() {
  const hour = (new Date().getUTCHours() + 3) % 24;
  const clock = (of: number) => `${String(of % 24).padStart(2, '0')}:00`;
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  return [{ days, start: clock(hour), end: clock(hour + 1), timeZone: 'UTC' }];
}

export async function childAsks({ home, token, ids }: SettledHome, look: Look = async () => {}): Promise<void> {
  const policy = { libraries: 'all', rating: 0, unrated: false };
  const made = await ask<{ id: string }>(home.server, 'POST', '/api/v1/profiles', {
    token,
    body: { name: 'Lotte', password: PASSWORD, policy },
  });
  assert.equal(made.status, 201);
  const child = await openView(home, { width: 820, height: 1180, isTouch: true });
  await signIn(child, home, { name: 'Lotte', password: PASSWORD });
  const owner = await openView(home, { width: 390, height: 844, isTouch: true });
  await signIn(owner, home);
  await owner.page.goto('/');
  await settled(owner.page);

  // A search that finds nothing offers to ask, as every search does.
  await child.page.goto('/search?q=lighthouse%20keeper');
  await child.page.getByText('Nothing found').waitFor();
  await child.page.getByRole('button', { name: 'Ask for “lighthouse keeper”' }).click();
  await child.page.getByText('Request sent. The answer will appear here').waitFor();
  await child.page.goto('/requests');
  const own = child.page.getByRole('listitem').filter({ hasText: 'lighthouse keeper' });
  await own.getByText('Waiting').waitFor();
  assert.deepEqual(await violations(child.page), []);
  await look(child.page, 'child-asked');

  // The Owner is notified on a page that is open already, and answers.
  await owner.page.getByText('New request from Lotte').waitFor();
  await owner.page.goto('/requests');
  await owner.page.getByRole('button', { name: /^Answer: Lotte asks for “lighthouse/ }).click();
  const dialog = owner.page.getByRole('dialog');
  await dialog.getByRole('radio', { name: /Lighthouse Keeper/ }).check();
  await dialog.getByLabel('Message to Lotte').fill('With me on Saturday');
  assert.deepEqual(await violations(owner.page), []);
  await look(owner.page, 'owner-answers');
  await dialog.getByRole('button', { name: 'Allow for 7 days' }).click();
  await owner.page.getByText('Lotte can see the answer now').waitFor();

  await own.getByText('With me on Saturday').waitFor();
  await own.getByRole('link', { name: 'Watch The Lighthouse Keeper' }).click();
  await child.page.getByRole('heading', { name: 'The Lighthouse Keeper', level: 1 }).waitFor();
  assert.equal(new URL(child.page.url()).pathname, `/item/${ids.film}`);

  // Outside the viewing hours, every page says so and offers to ask.
  const closed = { policy: { ...policy, windows: closedHours() } };
  const path = `/api/v1/profiles/${made.body.id}`;
  assert.equal((await ask(home.server, 'PUT', path, { token, body: closed })).status, 200);
  await child.page.goto('/library');
  await child.page.getByRole('heading', { name: 'Watching is not allowed right now', level: 2 }).waitFor();
  assert.deepEqual(await violations(child.page), []);
  await look(child.page, 'closed-hours');
  await child.page.getByText('15 minutes').click();
  await child.page.getByRole('button', { name: 'Ask for more time' }).click();
  await child.page.getByText('Waiting').waitFor();
  await owner.page.getByRole('button', { name: /^Answer: Lotte asks for 15/ }).click();
  await owner.page.getByRole('button', { name: 'Add for today' }).click();
  await owner.page.getByText('Lotte can see the answer now').first().waitFor();
  // The page opens by itself.
  await child.page.getByRole('heading', { name: 'Watching is not allowed right now' }).waitFor({ state: 'detached' });
  await child.page
    .getByRole('link', { name: /The Lighthouse Keeper/ })
    .first()
    .waitFor();

  await ask(home.server, 'DELETE', path, { token });
  await child.context.close();
  await owner.close();
}
