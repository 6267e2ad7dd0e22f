/** The metadata editor: what is typed is locked, what is unlocked returns, and nothing is lost by leaving. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Metadata } from '../../../contract/catalog/metadata.ts';
import { CallFailed } from '../../data/client.ts';
import { fakeServer, type FakeServer, openServed } from '../../data/testing-server.tsx';
import { Confirms } from '../../kit/layers/confirm.tsx';
import { Toasts } from '../../kit/layers/toast.tsx';
import { assertFocus, descriptionOf, type Page } from '../../lib/testing-page.ts';
import { MetadataDialog } from './metadata-dialog.tsx';

const VALUES: Metadata['values'] = {
  title: 'Our pier',
  sortTitle: 'our pier',
  originalTitle: null,
  year: 2001,
  released: null,
  tagline: null,
  plot: 'Two sisters rebuild a pier.',
  genres: ['Drama', 'Comedy'],
  studios: [],
  people: [],
  communityRating: null,
};
const FILM: Metadata = {
  id: '0a',
  kind: 'movie',
  values: VALUES,
  sources: { title: 'edit', plot: 'tmdb' },
  locked: ['title'],
  without: { title: 'The Long Pier' },
  lockedByFile: false,
};

interface Opened extends Page {
  server: FakeServer;
  field(label: string): HTMLInputElement;
  isLocked(label: string): boolean;
  closings(): number;
}
async function openEditor(t: TestContext, film: Metadata = FILM, language: 'en' | 'de' = 'en'): Promise<Opened> {
  const server = fakeServer();
  server.on('metadata', 'read', film);
  server.on('metadata', 'edit', { ...film, change: '0c' });
  let closings = 0;
  const page = await openServed(
    t,
    { server, language },
    <>
      <MetadataDialog id="0a" title="Our pier" onClose={() => closings++} />
      <Confirms />
      <Toasts />
    </>,
  );
  await page.passes(() => assert.ok(page.all('textbox').length > 5));
  return {
    ...page,
    server,
    closings: () => closings,
    field: (label) => [...page.all('textbox', label), ...page.all('spinbutton', label)][0] as HTMLInputElement,
    isLocked: (label) => page.get('button', `Lock: ${label}`).getAttribute('aria-pressed') === 'true',
  };
}
const editsOf = ({ server }: Opened) => server.asked('metadata', 'edit').map(({ id: _, ...edit }) => edit);

test('each fact has its source, and those of the kind alone are shown', async (t) => {
  const page = await openEditor(t);
  assert.equal(descriptionOf(page.field('Summary')), 'From TMDB');
  assert.equal(descriptionOf(page.field('Title')), 'Edited by hand');
  assert.equal(descriptionOf(page.field('Genres')), 'Not set · Separate with commas');
  assert.equal(page.field('Genres').value, 'Drama, Comedy');
  assert.equal(page.all('textbox', 'Artists').length, 0);
});

test('a track has facts that a film has not, and lacks others', async (t) => {
  const track = await openEditor(t, { ...FILM, kind: 'track', values: { ...VALUES, artists: ['Ada'], track: 3 } });
  assert.equal(track.all('textbox', 'Tagline').length, 0);
  assert.equal(track.field('Artists').value, 'Ada');
  assert.equal(track.field('Track').value, '3');
});

test('what is typed is locked, and alone is sent', async (t) => {
  const page = await openEditor(t);
  assert.deepEqual(['Title', 'Year'].map(page.isLocked), [true, false]);
  await page.type(page.field('Year'), '1999');
  assert.ok(page.isLocked('Year'));
  await page.click(page.get('button', 'Save'));
  await page.passes(() => assert.equal(page.closings(), 1));
  assert.deepEqual(editsOf(page), [{ year: 1999, unlock: [] }]);
  await page.passes(() => page.get('button', 'Undo'));
});

test('a fact that is unlocked has the value again that it has without the edit', async (t) => {
  const page = await openEditor(t);
  await page.click(page.get('button', 'Lock: Title'));
  assert.equal(page.field('Title').value, 'The Long Pier');
  await page.type(page.field('Summary'), 'x');
  await page.click(page.get('button', 'Lock: Summary'));
  assert.equal(page.field('Summary').value, VALUES.plot);
  await page.click(page.get('button', 'Save'));
  await page.passes(() => assert.equal(page.closings(), 1));
  assert.deepEqual(editsOf(page), [{ unlock: ['title'] }]);
});

test('an editor in which nothing changed closes without a question and sends nothing', async (t) => {
  const page = await openEditor(t);
  await page.type(page.field('Year'), '2001');
  await page.click(page.get('button', 'Lock: Year'));
  await page.click(page.get('button', 'Cancel'));
  assert.equal(page.closings(), 1);
  await page.click(page.get('button', 'Save'));
  await page.passes(() => assert.equal(page.closings(), 2));
  assert.deepEqual(editsOf(page), []);
});

test('leaving asks whether to discard what was typed', async (t) => {
  const page = await openEditor(t);
  await page.type(page.field('Title'), 'The pier');
  await page.click(page.get('button', 'Cancel'));
  await page.shown('dialog', 'Discard your changes?');
  const cancel = page.all('button', 'Cancel').at(-1);
  assertFocus(cancel, 'Enter keeps what was typed');
  assert.ok(cancel);
  await page.click(cancel);
  assert.deepEqual([page.field('Title').value, page.closings()], ['The pier', 0]);
  await page.click(page.get('button', 'Cancel'));
  await page.click(await page.shown('button', 'Discard'));
  await page.passes(() => assert.equal(page.closings(), 1));
  assert.deepEqual(editsOf(page), []);
});

test('a person without a job cannot be saved, and the line is named', async (t) => {
  const page = await openEditor(t);
  const save = () => page.get('button', 'Save') as HTMLButtonElement;
  await page.type(page.field('Cast and crew'), 'Ada, Regina, actor\nGrace');
  assert.match(descriptionOf(page.field('Cast and crew')), /“Grace” needs a name and one of the jobs/);
  assert.ok(save().disabled);
  await page.type(page.field('Cast and crew'), 'Ada, Regina, actor\nGrace, director');
  assert.ok(!save().disabled);
  await page.type(page.field('Title'), '  ');
  assert.ok(save().disabled, 'a title cannot be empty');
});

test('a scan in between does not take away what is being typed', async (t) => {
  const page = await openEditor(t);
  await page.type(page.field('Title'), 'The pier');
  page.server.on('metadata', 'read', { ...FILM, values: { ...VALUES, title: 'Scanned', year: 1950 } });
  const { readAgain } = await import('../../data/query.ts');
  await page.after(() => readAgain('metadata'));
  await page.passes(() => assert.equal(page.server.asked('metadata', 'read').length, 2));
  assert.deepEqual([page.field('Title').value, page.field('Year').value], ['The pier', '2001']);
});

test('a refusal is shown and keeps the editor open; a locked NFO is said, in German, too', async (t) => {
  const page = await openEditor(t, { ...FILM, lockedByFile: true }, 'de');
  assert.match(page.get('dialog').textContent, /NFO/);
  page.server.on('metadata', 'edit', () => {
    throw new CallFailed(409, 'it was changed elsewhere');
  });
  await page.type(page.field('Titel'), 'Der Steg');
  await page.click(page.get('button', 'Speichern'));
  await page.passes(() => assert.match(page.texts('alert').join(), /It was changed elsewhere\./));
  assert.equal(page.closings(), 0);
});
