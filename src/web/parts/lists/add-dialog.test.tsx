/** Adding to a playlist: one that is there or a new one, in requests that the server accepts. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { CallFailed } from '../../data/client.ts';
import { fakeServer, openServed } from '../../data/testing-server.tsx';
import { Toasts } from '../../kit/layers/toast.tsx';
import { descriptionOf } from '../../lib/testing-page.ts';
import { PlaylistDialog } from './playlist-dialog.tsx';

const LISTS = [
  { id: '0a', name: 'Evenings', own: true },
  { id: '0b', name: 'Of a guest', own: false },
  { id: '0c', name: 'Sundays', own: true },
];

async function openDialog(t: TestContext, { lists = LISTS, ids = ['01'] }: { lists?: typeof LISTS; ids?: string[] }) {
  const server = fakeServer();
  server.on('playlists', 'list', { items: lists, total: lists.length } as never);
  server.on('playlists', 'add', ({ ids: some }) => ({ added: some.length }) as never);
  server.on('playlists', 'create', ({ ids: some = [] }) => ({ id: '0d', items: some.length }) as never);
  let closings = 0;
  const page = await openServed(
    t,
    { server },
    <>
      <PlaylistDialog ids={ids} onClose={() => closings++} />
      <Toasts />
    </>,
  );
  const add = () => page.get('button', 'Add') as HTMLButtonElement;
  return { page, server, add, closings: () => closings };
}

test('own playlists can be chosen, and the first one is', async (t) => {
  const { page, server, add, closings } = await openDialog(t, {});
  const choice = await page.shown('combobox', 'Playlist');
  assert.deepEqual(page.texts('option'), ['Evenings', 'Sundays', 'New playlist']);
  assert.equal(page.all('textbox').length, 0);
  await page.choose(choice, 'Sundays');
  await page.click(add());
  await page.passes(() => assert.equal(closings(), 1));
  assert.deepEqual(server.asked('playlists', 'add'), [{ id: '0c', ids: ['01'] }]);
  assert.match(document.body.textContent, /1 item added to “Sundays”/);
});

test('without a playlist a new one is named, and it cannot be nameless', async (t) => {
  const { page, server, add, closings } = await openDialog(t, { lists: [] });
  const name = await page.shown('textbox', 'Name');
  assert.equal(page.all('combobox').length, 0);
  assert.ok(add().disabled);
  await page.type(name, '  ');
  assert.ok(add().disabled);
  await page.type(name, ' Evenings ');
  await page.click(add());
  await page.passes(() => assert.equal(closings(), 1));
  assert.deepEqual(server.asked('playlists', 'create'), [{ name: 'Evenings', ids: ['01'] }]);
  assert.deepEqual(server.asked('playlists', 'add'), []);
});

test('a new playlist begins with the first 500 items and gets the others after that', async (t) => {
  const ids = Array.from({ length: 1_201 }, (_, n) => n.toString(16));
  const { page, server, add, closings } = await openDialog(t, { ids });
  await page.choose(await page.shown('combobox', 'Playlist'), 'New playlist');
  await page.type(page.get('textbox', 'Name'), 'All');
  await page.click(add());
  await page.passes(() => assert.equal(closings(), 1));
  assert.deepEqual(
    [...server.asked('playlists', 'create'), ...server.asked('playlists', 'add')].map((one) => one.ids?.length),
    [500, 500, 201],
  );
  assert.match(document.body.textContent, /1,201 items added to “All”/);
});

test('a refusal is shown at the field that it is about', async (t) => {
  const { page, server, add, closings } = await openDialog(t, {});
  const refuse = () => {
    throw new CallFailed(409, 'there are too many');
  };
  server.on('playlists', 'add', refuse);
  server.on('playlists', 'create', refuse);
  const choice = await page.shown('combobox', 'Playlist');
  await page.click(add());
  await page.passes(() => assert.match(descriptionOf(choice), /There are too many\./));
  await page.choose(choice, 'New playlist');
  await page.type(page.get('textbox', 'Name'), 'All');
  await page.click(add());
  await page.passes(() => assert.match(descriptionOf(page.get('textbox', 'Name')), /There are too many\./));
  assert.equal(descriptionOf(choice), '');
  assert.equal(closings(), 0);
});
