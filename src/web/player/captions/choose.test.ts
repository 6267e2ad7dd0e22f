/** Which subtitle begins. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstSubtitle } from './choose.ts';

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
