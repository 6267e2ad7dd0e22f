/** States of a page: what is announced, what can be done about it, and what is said when a page does not exist. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallFailed } from '../../data/client.ts';
import { openPage } from '../../lib/testing-page.ts';
import { Badge, EmptyState, ErrorState, Notice, Pending, ProgressBar } from './states.tsx';

const gone = new CallFailed(404, 'no such item');
const refused = new CallFailed(500, 'the disk is full');

test('a failure is announced with its reason, and can be tried again', async (t) => {
  let tries = 0;
  const page = await openPage(t, <ErrorState title="No films" error={refused} retry={() => tries++} />, {
    language: 'de',
  });
  const alert = page.get('alert');
  assert.equal(page.get('heading', 'No films').tagName, 'H2');
  assert.match(alert.textContent, /The disk is full\./);
  await page.click(page.get('button', 'Erneut versuchen'));
  assert.equal(tries, 1);
  await page.draw(<ErrorState title="No films" says="They are elsewhere." retryLabel="Look" retry={() => tries++} />);
  assert.match(page.get('alert').textContent, /They are elsewhere\./);
  await page.click(page.get('button', 'Look'));
  assert.equal(tries, 2);
});

test('a failure that replaces the page is its title', async (t) => {
  const page = await openPage(t, <ErrorState isAlone title="This film is broken" error={refused} />);
  assert.equal(page.get('heading', 'This film is broken').tagName, 'H1');
  assert.equal(document.title, 'This film is broken · Matinee');
  assert.equal(page.all('button').length, 0, 'nothing to try');
});

test('a page that does not exist leads home, and is not tried again', async (t) => {
  const page = await openPage(t, <ErrorState isAlone title="This film is broken" error={gone} retry={() => {}} />);
  assert.equal(page.get('heading').textContent, 'Page not found');
  assert.equal(document.title, 'Page not found · Matinee');
  assert.equal(page.get('link', 'Go to the home page').getAttribute('href'), '/');
  assert.equal(page.all('button').length, 0);
  assert.doesNotMatch(page.get('alert').textContent, /no such item/i);
  await page.draw(<ErrorState title="The cast" error={gone} />);
  assert.equal(page.get('heading').textContent, 'The cast', 'a part of a page keeps its title');
  assert.match(page.get('alert').textContent, /No such item\./);
});

test('waiting is said after 0.7 s, in a region that was there before', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const page = await openPage(t, <Pending says="Reading the files" />);
  const region = page.get('status');
  await page.after(() => t.mock.timers.tick(699));
  assert.equal(region.textContent, '');
  await page.after(() => t.mock.timers.tick(1));
  assert.ok(page.get('status') === region, 'the same element');
  assert.equal(region.textContent, 'Reading the files');
});

test('progress is a whole number of percent within bounds, or unknown', async (t) => {
  const page = await openPage(t, <ProgressBar value={0.426} label="Scan" />);
  const bar = () => page.get('progressbar', 'Scan').getAttribute('aria-valuenow');
  assert.equal(bar(), '43');
  for (const [value, percent] of [
    [-1, '0'],
    [7, '100'],
    [undefined, null],
  ] as const) {
    await page.draw(<ProgressBar value={value} label="Scan" />);
    assert.equal(bar(), percent);
  }
});

test('an empty state has a title, and what to do about it', async (t) => {
  const page = await openPage(
    t,
    <EmptyState title="Nothing here" action={<button type="button">Add</button>}>
      Add a library.
    </EmptyState>,
  );
  assert.equal(page.get('heading', 'Nothing here').tagName, 'H2');
  assert.match(document.body.textContent, /Add a library\./);
  page.get('button', 'Add');
  await page.draw(<EmptyState title="Nothing here" />);
  assert.equal(document.body.textContent, 'Nothing here');
});

test('only a note about a danger interrupts', async (t) => {
  const page = await openPage(
    t,
    <>
      <Notice>Plain</Notice>
      <Notice tone="warn">Warned</Notice>
      <Notice tone="danger">Broken</Notice>
      <Badge tone="good">4K</Badge>
    </>,
  );
  assert.deepEqual(page.texts('alert'), ['Broken']);
});
