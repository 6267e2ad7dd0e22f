/** Asking for more time: what is sent, what is shown while it waits, and how long a refusal is shown. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { CallFailed } from '../../data/client.ts';
import type { Reply } from '../../data/query.ts';
import { fakeServer, openServed } from '../../data/testing-server.tsx';
import { Toasts } from '../../kit/layers/toast.tsx';
import { AskForTime } from './ask-for-time.tsx';

type Request = Reply<'requests', 'list'>['items'][number];
const REQUEST: Request = {
  id: '0a',
  profile: { id: '0b', name: 'Lotte', face: { colour: 'teal' } },
  kind: 'time',
  minutes: 60,
  createdAt: '2026-11-21T17:30:00.000Z',
  state: 'open',
  seen: false,
};
const HOUR_MS = 3_600_000;
const declined = (msAgo: number): Request => ({
  ...REQUEST,
  state: 'declined',
  answer: { at: new Date(Date.now() - msAgo).toISOString(), word: 'Bed time' },
});

async function openAsk(t: TestContext, items: Request[], language: 'en' | 'de' = 'en') {
  const server = fakeServer();
  let now = items;
  server.on('requests', 'list', () => ({ items: now, total: now.length, open: 0, unseen: 0 }));
  server.on('requests', 'ask', (() => {
    now = [REQUEST, ...now];
  }) as never);
  server.on('requests', 'withdraw', (() => {
    now = now.filter(({ state }) => state !== 'open');
  }) as never);
  const page = await openServed(
    t,
    { server, language },
    <>
      <AskForTime />
      <Toasts />
    </>,
  );
  await page.passes(() => assert.equal(server.asked('requests', 'list').length, 1));
  return { page, server };
}

test('time is asked for once, and the request waits until it is taken back', async (t) => {
  const { page, server } = await openAsk(t, []);
  const choices = page.all('radio') as HTMLInputElement[];
  assert.deepEqual(
    choices.map(({ checked }) => checked),
    [false, true, false],
  );
  assert.ok(choices[2]);
  await page.click(choices[2]);
  await page.click(page.get('button', 'Ask for more time'));
  const takeBack = await page.shown('button', 'Withdraw');
  assert.deepEqual(server.asked('requests', 'ask'), [{ kind: 'time', minutes: 60 }]);
  assert.match(document.body.textContent, /60 .*Waiting/);
  assert.equal(page.all('radio').length, 0);
  await page.click(takeBack);
  await page.shown('button', 'Ask for more time');
  assert.deepEqual(server.asked('requests', 'withdraw'), [{ id: '0a' }]);
});

test('a refusal of the last two hours is shown with its words, and not for longer', async (t) => {
  const { page } = await openAsk(t, [declined(HOUR_MS)]);
  await page.passes(() => assert.match(document.body.textContent, /Bed time/));
  page.get('button', 'Ask for more time');
});

test('an older refusal and requests for titles are not shown', async (t) => {
  const { page } = await openAsk(t, [{ ...REQUEST, kind: 'item', words: 'A film' }, declined(2 * HOUR_MS + 1_000)]);
  await page.shown('button', 'Ask for more time');
  assert.doesNotMatch(document.body.textContent, /Bed time|A film/);
});

test('what the server refuses is said, and can be asked again, in German, too', async (t) => {
  const { page, server } = await openAsk(t, [], 'de');
  server.on('requests', 'ask', () => {
    throw new CallFailed(409, 'there are too many');
  });
  const ask = () => page.get('button', 'Um mehr Zeit bitten');
  await page.click(ask());
  await page.passes(() => assert.match(document.body.textContent, /There are too many\./));
  assert.equal(ask().getAttribute('aria-busy'), null);
});
