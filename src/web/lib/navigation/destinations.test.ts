/** Navigation reaches each page that needs no parameters, and each part of the settings, once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGES, SETTINGS_PARTS, type Page } from '../../../contract/dashboard/pages.ts';
import { DESTINATIONS, destinationsIn, isCurrent, SETTINGS_LABELS } from './destinations.ts';

const all = Object.values(DESTINATIONS);
/** Pages before sign-in, and pages that another page or a player leads to. */
const ELSEWHERE: readonly Page[] = [
  'signIn',
  'welcome',
  'artists',
  'listening',
  'subtitleCleanup',
  'subtitleTiming',
  'about',
];

test('every page without parameters has a destination', () => {
  const plain = (Object.keys(PAGES) as Page[]).filter((page) => !PAGES[page].includes('{'));
  assert.deepEqual(
    plain.filter((page) => !ELSEWHERE.includes(page) && !all.some((one) => one.page === page)),
    [],
  );
});
test('the sections hold each destination once, and the bar and its menu do, too', () => {
  const shown = destinationsIn('main', 'requests', 'libraries', 'owner', 'account');
  assert.deepEqual(new Set(shown), new Set(all));
  assert.equal(shown.length, all.length);
  assert.equal(all.filter(({ isInBar }) => isInBar).length, 4, 'a phone has room for four and the menu');
});
test('a page within another marks that one as current', () => {
  assert.ok(isCurrent(DESTINATIONS.subtitles, 'subtitleItem'));
  assert.ok(isCurrent(DESTINATIONS.settings, 'settingsPart'));
  assert.ok(!isCurrent(DESTINATIONS.home, undefined));
  assert.ok(!isCurrent(DESTINATIONS.home, 'item'));
});
test('every part of the settings has a label', () => {
  assert.deepEqual(Object.keys(SETTINGS_LABELS).sort(), [...SETTINGS_PARTS].sort());
});
