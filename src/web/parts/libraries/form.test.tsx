/** The form of a library: what a folder proposes, what was chosen stays, and what a change does is said before. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { CallFailed } from '../../data/client.ts';
import { fakeServer, type FakeServer, openServed } from '../../data/testing-server.tsx';
import { Toasts } from '../../kit/layers/toast.tsx';
import { descriptionOf, type Page } from '../../lib/testing-page.ts';
import { type Library, LibraryForm } from './form.tsx';

const FOLDERS = { path: '/srv', parent: '/', folders: [{ name: 'Serien', path: '/srv/Serien' }] };
const NOTHING = { videos: 0, sounds: 0, books: 0, photos: 0 };
const FILMS: Library = {
  id: '0a',
  name: 'Films',
  kind: 'movies',
  path: '/srv/films',
  items: 3,
  online: true,
  watching: true,
  managed: false,
};

interface Opened extends Page {
  server: FakeServer;
  value(label: string): string;
  closings(): number;
}
async function openForm(t: TestContext, library?: Library, language: 'en' | 'de' = 'en'): Promise<Opened> {
  const server = fakeServer();
  server.on('libraries', 'folders', ({ path = '/srv' }) => ({ ...FOLDERS, path, ...NOTHING, videos: 2 }));
  server.on('libraries', 'list', { items: [FILMS], total: 1 });
  server.on('configuration', 'list', { settings: [], groups: [] } as never);
  server.on('ratings', 'list', { countries: ['DE'], systems: [] } as never);
  let closings = 0;
  const page = await openServed(
    t,
    { server, language },
    <>
      <LibraryForm library={library} onClose={() => closings++} />
      <Toasts />
    </>,
  );
  return {
    ...page,
    server,
    closings: () => closings,
    value: (label) =>
      ([...page.all('textbox', label), ...page.all('combobox', label)][0] as HTMLInputElement | undefined)?.value ?? '',
  };
}

test('a folder proposes a name and a kind, until others are chosen', async (t) => {
  const page = await openForm(t);
  await page.click(await page.shown('button', 'Serien'));
  assert.deepEqual(['Folder', 'Name', 'Content'].map(page.value), ['/srv/Serien', 'Serien', 'shows']);
  await page.choose(page.get('combobox', 'Content'), 'Music');
  await page.type(page.get('textbox', 'Folder'), '/srv/Kino');
  assert.deepEqual(['Name', 'Content'].map(page.value), ['Kino', 'music'], 'a kind that was chosen stays');
  await page.type(page.get('textbox', 'Name'), 'Songs');
  await page.type(page.get('textbox', 'Folder'), '/srv/Filme');
  assert.deepEqual(['Name', 'Content'].map(page.value), ['Songs', 'music'], 'a name that was chosen stays');
});

test('a library is added with what is in the form', async (t) => {
  const page = await openForm(t);
  const add = () => page.get('button', 'Add library') as HTMLButtonElement;
  assert.ok(add().disabled, 'without a folder');
  page.server.on('libraries', 'create', { ...FILMS, id: '0b' } as never);
  await page.type(page.get('textbox', 'Folder'), ' /srv/Kino ');
  await page.type(page.get('textbox', 'Name'), ' ');
  assert.ok(add().disabled, 'without a name');
  await page.type(page.get('textbox', 'Name'), ' Cinema ');
  await page.click(add());
  const [body] = page.server.asked('libraries', 'create');
  assert.deepEqual([body?.name, body?.path, body?.kind], ['Cinema', '/srv/Kino', 'movies']);
  await page.passes(() => assert.equal(page.closings(), 1));
});

test('a refusal is shown at the folder, and nothing is lost', async (t) => {
  const page = await openForm(t);
  page.server.on('libraries', 'create', () => {
    throw new CallFailed(409, 'this folder lies in another library');
  });
  await page.type(page.get('textbox', 'Folder'), '/srv/films/old');
  await page.click(page.get('button', 'Add library'));
  await page.passes(() =>
    assert.match(descriptionOf(page.get('textbox', 'Folder')), /This folder lies in another library\./),
  );
  assert.deepEqual([page.value('Folder'), page.closings()], ['/srv/films/old', 0]);
});

test('options that are set and reset stay on show', async (t) => {
  const page = await openForm(t);
  const options = () => document.querySelector('details');
  assert.ok(options()?.open === false);
  await page.after(() => options()?.setAttribute('open', ''));
  const nfo = page.get('switch', /NFO/);
  await page.click(nfo);
  await page.click(nfo);
  assert.ok(options()?.open);
});

test('what the kind cannot have is not offered', async (t) => {
  const page = await openForm(t);
  await page.after(() => document.querySelector('details')?.setAttribute('open', ''));
  const switches = async (content: string) => {
    await page.choose(page.get('combobox', 'Content'), content);
    return page.all('switch').length;
  };
  assert.deepEqual([await switches('Films'), await switches('Music'), await switches('Photos')], [2, 1, 0]);
});

test('another folder or kind of a library says what it does, in German, too', async (t) => {
  const page = await openForm(t, FILMS, 'de');
  const warnings = () => document.querySelectorAll('.n-warn').length;
  await page.shown('dialog', 'Films bearbeiten');
  assert.equal(warnings(), 0);
  await page.type(page.get('textbox', 'Ordner'), '/srv/kino');
  assert.equal(warnings(), 1);
  await page.choose(page.get('combobox', 'Inhalt'), 'Serien');
  assert.equal(warnings(), 2);
  assert.equal(page.value('Name'), 'Films', 'its name stays');
});
