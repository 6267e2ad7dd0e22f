/** Many items at once: the facts that all of them have, a preview, and then exactly what the preview showed. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { BulkResult } from '../../../contract/catalog/metadata.ts';
import { CallFailed } from '../../data/client.ts';
import { fakeServer, type FakeServer, openServed } from '../../data/testing-server.tsx';
import { Confirms } from '../../kit/layers/confirm.tsx';
import { Toasts } from '../../kit/layers/toast.tsx';
import type { Page } from '../../lib/testing-page.ts';
import { BulkDialog } from './bulk-dialog.tsx';

const CHANGED: BulkResult['items'] = [
  {
    id: '0a',
    title: 'Part 1',
    changes: [{ fact: 'artists', before: ['Ada'], after: ['The guests'], locked: true }],
  },
];

interface Opened extends Page {
  server: FakeServer;
  closings(): number;
}
async function openBulk(
  t: TestContext,
  kinds: BulkResult['kinds'],
  items: BulkResult['items'] = CHANGED,
): Promise<Opened> {
  const server = fakeServer();
  server.on('metadata', 'bulk', ({ dryRun = false }) => ({
    kinds,
    items,
    digest: 'd1',
    ...(!dryRun && { change: '0c' }),
  }));
  let closings = 0;
  const page = await openServed(
    t,
    { server },
    <>
      <BulkDialog ids={['0a', '0b']} onClose={() => closings++} />
      <Confirms />
      <Toasts />
    </>,
  );
  await page.passes(() => assert.ok(page.all('textbox').length > 1));
  return { ...page, server, closings: () => closings };
}

test('only what items of every kind have is offered', async (t) => {
  const page = await openBulk(t, ['track']);
  page.get('textbox', 'Set the artists');
  assert.equal(page.all('textbox', 'Add studios').length, 0);
});

test('items of several kinds have only what each of them has', async (t) => {
  const mixed = await openBulk(t, ['track', 'movie']);
  assert.equal(mixed.all('textbox', 'Set the artists').length, 0);
  mixed.get('textbox', 'Add genres');
});

test('a preview changes nothing, and what it showed is then changed', async (t) => {
  const page = await openBulk(t, ['track']);
  await page.type(page.get('textbox', 'Set the artists'), 'The guests');
  await page.click(page.get('button', 'Preview'));
  const preview = await page.shown('region', 'Preview of the changes');
  assert.match(preview.textContent, /Part 1.*Artists: Ada → The guests/);
  assert.equal(preview.tabIndex, 0, 'a long preview can be scrolled with the keys');
  const asked = () => page.server.asked('metadata', 'bulk').slice(1);
  assert.deepEqual(asked(), [
    { ids: ['0a', '0b'], set: { artists: ['The guests'] }, add: { genres: [] }, remove: { genres: [] }, dryRun: true },
  ]);
  await page.click(page.get('button', 'Change 1 item'));
  await page.passes(() => assert.equal(page.closings(), 1));
  assert.deepEqual([asked()[1]?.dryRun, asked()[1]?.digest], [false, 'd1']);
  page.get('button', 'Undo');
});

test('names are added and removed one by one, unless the list is set as a whole', async (t) => {
  const page = await openBulk(t, ['track']);
  const field = (label: string) => page.get('textbox', label) as HTMLTextAreaElement;
  await page.type(field('Set the artists'), 'x');
  assert.ok(field('Add artists').disabled && field('Remove artists').disabled);
  await page.type(field('Set the artists'), '');
  assert.ok(!field('Add artists').disabled);
  await page.type(field('Add artists'), 'Earth, Wind\n\n Fire ');
  await page.type(field('Add genres'), 'Matinee, Late show');
  await page.click(page.get('button', 'Preview'));
  await page.shown('region', 'Preview of the changes');
  const [, request] = page.server.asked('metadata', 'bulk');
  assert.deepEqual(request?.add, { artists: ['Earth, Wind', 'Fire'], genres: ['Matinee', 'Late show'] });
  await page.click(page.get('button', 'Back'));
  assert.equal(field('Add artists').value, 'Earth, Wind\n\n Fire ', 'the form is as it was left');
});

test('a preview without changes cannot be applied', async (t) => {
  const page = await openBulk(t, ['movie'], []);
  await page.click(page.get('button', 'Preview'));
  assert.equal((await page.shown('region', 'Preview of the changes')).textContent, 'Nothing would change');
  assert.ok((page.get('button', /^Change/) as HTMLButtonElement).disabled);
});

test('Escape asks before what was typed is lost, and an empty form closes at once', async (t) => {
  const page = await openBulk(t, ['movie']);
  const escape = () =>
    page.after(() =>
      page.get('dialog', 'Edit 2 items').dispatchEvent(new Event('cancel', { bubbles: false, cancelable: true })),
    );
  await escape();
  assert.equal(page.closings(), 1);
  const year = page.get('spinbutton', 'Set the year') as HTMLInputElement;
  await page.type(year, '1999');
  await escape();
  await page.shown('dialog', 'Discard your changes?');
  const cancel = page.all('button', 'Cancel').at(-1);
  assert.ok(cancel);
  await page.click(cancel);
  assert.deepEqual([year.value, page.closings()], ['1999', 1]);
  await escape();
  await page.click(await page.shown('button', 'Discard'));
  await page.passes(() => assert.equal(page.closings(), 2));
});

test('items that changed since the preview lead back to the form, which says so', async (t) => {
  const page = await openBulk(t, ['movie']);
  await page.type(page.get('textbox', 'Add genres'), 'Matinee');
  await page.click(page.get('button', 'Preview'));
  await page.shown('region', 'Preview of the changes');
  page.server.on('metadata', 'bulk', () => {
    throw new CallFailed(409, 'they were changed since');
  });
  await page.click(page.get('button', 'Change 1 item'));
  await page.passes(() => assert.match(page.get('dialog').textContent, /They were changed since\./));
  assert.equal((page.get('textbox', 'Add genres') as HTMLInputElement).value, 'Matinee');
  assert.equal(page.closings(), 0);
});
