/** Pictures: which address is asked for, what is shown without one, and what a screen reader says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AVATARS } from '../../../contract/identity/faces.ts';
import arrowLeft from 'lucide/dist/esm/icons/arrow-left.mjs';
import x from 'lucide/dist/esm/icons/x.mjs';
import { openPage } from '../../lib/testing-page.ts';
import { Artwork } from './artwork.tsx';
import { AVATAR_SHAPES } from './avatars.ts';
import { ProfileFace } from './face.tsx';
import { Icon } from './icon.tsx';
import { hueOf, initialsOf } from './letters.ts';
import { Portrait } from './portrait.tsx';

const picture = (): HTMLImageElement => {
  const [found, ...more] = document.querySelectorAll('img');
  assert.ok(found && more.length === 0);
  return found;
};
const letters = () => document.querySelector<HTMLElement>('[data-letters]')?.dataset['letters'];
const breaks = () => picture().dispatchEvent(new Event('error'));

test('the letters of a title leave out its article, and its colour is always the same', () => {
  for (const [title, initials] of [
    ['The Third Man', 'TM'],
    ['Das Boot', 'B'],
    ['Les Misérables', 'M'],
    ['Alien', 'A'],
    ['a', 'A'],
    ['𝒜lpha beta gamma', '𝒜B'],
    ['', ''],
  ] as const)
    assert.equal(initialsOf(title), initials, title);
  assert.equal(hueOf('Alien'), hueOf('Alien'));
  assert.notEqual(hueOf('Alien'), hueOf('Aliens'));
  for (const title of ['', 'Alien', '𝒜']) assert.ok(hueOf(title) >= 0 && hueOf(title) < 360);
});

test('artwork is asked for by its version, in several widths, from its owner', async (t) => {
  const shared = { id: '0a', kind: 'poster', version: 'v/1', title: 'Alien', sizes: '160px' } as const;
  const page = await openPage(t, <Artwork {...shared} />);
  assert.equal(picture().getAttribute('src'), '/api/v1/art/0a?kind=poster&width=320&v=v%2F1');
  assert.match(picture().srcset, /width=\d+&v=v%2F1 \d+w, /);
  assert.deepEqual([picture().sizes, picture().loading, picture().alt], ['160px', 'lazy', '']);
  await page.draw(<Artwork {...shared} of="artist" isEager alt="Ida" />);
  assert.match(picture().src, /\/artists\/0a\/picture\?kind=poster&width=320/);
  assert.equal(picture().loading, 'eager');
  page.get('img', 'Ida');
  await page.draw(<Artwork {...shared} of="collection" />);
  assert.match(picture().src, /\/collections\/0a\/picture\?width=320/);
});

test('a tile with the title takes the place of artwork that is missing or broken', async (t) => {
  let broken = 0;
  const shared = { id: '0a', title: 'The Third Man', sizes: '1px', onBroken: () => broken++ };
  const page = await openPage(t, <Artwork {...shared} kind="poster" version={undefined} />);
  assert.equal(document.body.textContent, 'The Third Man');
  assert.equal(page.all('img').length, 0, 'the title is next to it');
  await page.draw(<Artwork {...shared} kind="backdrop" version={undefined} alt="A picture" />);
  assert.equal(letters(), 'TM');
  page.get('img', 'A picture');
  await page.draw(<Artwork {...shared} kind="backdrop" version="1" />);
  await page.after(breaks);
  assert.deepEqual([letters(), broken], ['TM', 1]);
  await page.draw(<Artwork {...shared} kind="backdrop" version="2" />);
  assert.match(picture().src, /v=2$/, 'another version is tried');
});

test('a portrait has the initials without a picture, and is not read', async (t) => {
  const page = await openPage(t, <Portrait id="0a" name="Ida Brandt" version={undefined} />);
  assert.equal(letters(), 'IB');
  await page.draw(<Portrait id="0a" name="Ida Brandt" version="1" />);
  assert.equal(picture().getAttribute('src'), '/api/v1/people/0a/picture?width=160&v=1');
  await page.draw(<Portrait id="0a" name="Ida Brandt" version="1" isLarge />);
  assert.match(picture().src, /width=320/);
  assert.equal(page.all('img').length, 0);
  await page.after(breaks);
  assert.equal(letters(), 'IB');
});

test('a face is the picture of a Profile, else the drawn one, else the letters', async (t) => {
  const shared = { id: '0a', name: 'Ida Brandt' };
  const page = await openPage(t, <ProfileFace {...shared} face={{ colour: 'teal' }} />);
  assert.equal(letters(), 'IB');
  await page.draw(<ProfileFace {...shared} face={{ colour: 'teal', avatar: 'cat' }} />);
  assert.equal(document.querySelectorAll('path').length, AVATAR_SHAPES.cat.length);
  assert.equal(letters(), undefined);
  await page.draw(<ProfileFace {...shared} face={{ colour: 'teal', avatar: 'cat', picture: 'p1' }} />);
  assert.equal(picture().getAttribute('src'), '/api/v1/profiles/0a/picture?v=p1');
  await page.after(breaks);
  assert.equal(document.querySelectorAll('path').length, AVATAR_SHAPES.cat.length, 'a picture that is broken');
  // The picker has no session.
  await page.draw(<ProfileFace {...shared} face={{ colour: 'teal', picture: 'p2' }} isInPicker />);
  assert.equal(picture().getAttribute('src'), '/api/v1/household/pictures/0a?v=p2');
  assert.equal(page.all('img').length, 0, 'the name is next to it');
});

test('every drawn face stays on its disc', () => {
  assert.deepEqual(Object.keys(AVATAR_SHAPES).sort(), [...AVATARS].sort());
  for (const [name, shapes] of Object.entries(AVATAR_SHAPES))
    for (const [, path] of shapes)
      for (const [, X = '', Y = ''] of path.matchAll(/M(-?[\d.]+) (-?[\d.]+)/g))
        assert.ok(Math.hypot(Number(X) - 32, Number(Y) - 32) <= 32, `${name} ${path}`);
});

test('icons along a line of text are mirrored where text runs from right to left, and others are not', async (t) => {
  const page = await openPage(t, <Icon of={arrowLeft} />);
  const transform = () => document.querySelector('svg')?.style.transform;
  assert.equal(transform(), 'scaleX(var(--forward))');
  await page.draw(<Icon of={x} isFilled />);
  assert.equal(transform(), '');
  assert.equal(document.querySelector('svg')?.getAttribute('fill'), 'currentColor');
});
