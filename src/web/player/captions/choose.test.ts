/** Which subtitle begins, and which one a key switches on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstSubtitle, subtitleForKey } from './choose.ts';

type T = Parameters<typeof firstSubtitle>[0][number];
const track = (key: string, language: string, change: Partial<T> = {}): T => ({
  key,
  language,
  role: 'normal',
  default: false,
  picture: false,
  ...change,
});
const all = [
  track('s1', 'de'),
  track('s2', 'en', { role: 'sdh' }),
  track('s3', 'en'),
  track('s4', 'de', { role: 'forced' }),
  track('s5', 'pt-br'),
  track('s6', 'ja', { picture: true }),
];
const prefer = (subtitleMode: 'automatic' | 'always' | 'forced' | 'off', subtitles = ['en']) => ({
  subtitleMode,
  subtitles,
  audio: ['de'],
});
const first = (asks: Partial<Parameters<typeof firstSubtitle>[1]>) =>
  firstSubtitle(all, { preferences: prefer('automatic'), spoken: 'fr', ...asks })?.key;

test('the address comes first: a key, or a language that a regional one serves', () => {
  assert.equal(first({ asked: 's5', preferences: prefer('off') }), 's5');
  assert.equal(first({ asked: 'EN' }), 's3');
  assert.equal(first({ asked: 'pt' }), 's5');
  assert.equal(first({ asked: 'ja' }), 's6');
});
test('automatic shows what is needed to follow', () => {
  assert.equal(first({ spoken: 'fr' }), 's3');
  assert.equal(first({ spoken: 'de' }), 's4');
  assert.equal(first({ spoken: 'en-us' }), undefined);
});
test('always, forced and off', () => {
  assert.equal(first({ preferences: prefer('always'), spoken: 'de' }), 's3');
  assert.equal(first({ preferences: prefer('forced'), spoken: 'de' }), 's4');
  assert.equal(first({ preferences: prefer('off') }), undefined);
});
test('what was chosen by hand holds for the next episode', () => {
  assert.equal(first({ chosen: 'off' }), undefined);
  assert.equal(first({ chosen: { language: 'en', role: 'sdh' } }), 's2');
  assert.equal(first({ chosen: { language: 'nl', role: 'normal' }, spoken: 'fr' }), 's3');
});
test('text before pictures of a language, pictures before nothing, and nothing is burned in unasked', () => {
  const tracks = [
    track('p', 'en', { picture: true }),
    track('t', 'en'),
    track('q', 'nl', { picture: true }),
    { ...track('b', 'it', { picture: true }), delivery: 'burn' as const },
  ];
  const begin = (subtitles: string[], asked?: string) =>
    firstSubtitle(tracks, { preferences: prefer('always', subtitles), spoken: 'fr', ...(asked && { asked }) })?.key;
  assert.deepEqual([begin(['en']), begin(['nl']), begin(['it']), begin(['it'], 'b')], ['t', 'q', undefined, 'b']);
});

test('a key switches on the preferred language, then that of the browser, then of the server, then of the file', () => {
  const on = (
    subtitles: string[],
    browser: string[],
    server?: string,
    { tracks = all, language }: { tracks?: readonly T[]; language?: string } = {},
  ) => subtitleForKey(tracks, { preferences: { subtitles, ...(language && { language }) }, browser, server })?.key;
  assert.equal(on(['en'], ['de-DE'], 'ja'), 's3', 'the Profile first: the regular one before the one with sounds');
  assert.equal(on(['nl', 'pt'], ['de-DE'], 'ja'), 's5', 'its second choice before the browser');
  assert.equal(on([], ['de-DE'], 'ja', { language: 'en' }), 's3', 'its language where it chose none for subtitles');
  assert.equal(on(['nl'], ['fr-FR', 'de-DE'], 'ja'), 's1', 'then the browser, in its order');
  assert.equal(on(['nl'], ['fr'], 'ja'), 's6', 'then the server');
  assert.equal(on(['nl'], ['fr'], 'it'), 's1', 'then the order of the file');
  assert.equal(on(['nl'], []), 's1');
  assert.equal(subtitleForKey(all, { preferences: undefined, browser: ['en-US'], server: 'ja' })?.key, 's3');
});
test('a key takes forced lines last, and what must be drawn into the video after what need not', () => {
  const forced = track('f', 'en', { role: 'forced' });
  const burned = { ...track('b', 'en', { picture: true }), delivery: 'burn' as const };
  const pictures = { ...track('p', 'en', { picture: true }), delivery: 'picture' as const };
  const on = (...tracks: (typeof burned | typeof pictures | T)[]) =>
    subtitleForKey(tracks, { preferences: { subtitles: ['en'] }, browser: [], server: undefined })?.key;
  assert.equal(on(forced, track('d', 'de')), 'd');
  assert.equal(on(forced), 'f');
  assert.equal(on(burned, pictures), 'p');
  assert.equal(on(burned, track('d', 'de')), 'b', 'the language counts more');
  assert.equal(on(), undefined);
});
