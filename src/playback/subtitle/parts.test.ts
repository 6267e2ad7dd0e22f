/**
 * The parts below the road: which track is the best, what a file of the cache is called, and how a pass is shared out.
 */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { SubtitleTrack } from '../../contract/catalog/items.ts';
import { cacheName } from './cache.ts';
import { bestOf } from './choose.ts';
import { createExtractor, nativeFormat, type ExtractionPass } from './extract.ts';

const track = (key: string, language: string | undefined, more: Partial<SubtitleTrack> = {}): SubtitleTrack => ({
  key,
  ...(language !== undefined && { language }),
  title: key,
  role: 'normal',
  format: 'srt',
  source: key.startsWith('f') ? 'sidecar' : 'embedded',
  default: false,
  picture: false,
  ...more,
});

test('the best of a language is the one a person would take', () => {
  const rows: [why: string, tracks: SubtitleTrack[], language: string, expected: string | undefined][] = [
    ['the only one', [track('f0', 'en')], 'en', 'f0'],
    ['none', [track('f0', 'de')], 'en', undefined],
    ['one without a language is none', [track('f0', undefined)], 'en', undefined],
    ['the exact tag', [track('f0', 'pt-br'), track('s1', 'pt')], 'pt', 's1'],
    ['a variant satisfies the base', [track('f0', 'pt-br')], 'pt', 'f0'],
    ['the base does not satisfy a variant', [track('f0', 'pt')], 'pt-br', undefined],
    ['a tag in capitals', [track('f0', 'pt-br')], 'pt-BR', 'f0'],
    ['a sidecar first', [track('s1', 'en'), track('f0', 'en')], 'en', 'f0'],
    [
      'the plain one before the one for the hard of hearing',
      [track('f0', 'en', { role: 'sdh' }), track('f1', 'en')],
      'en',
      'f1',
    ],
    [
      'that one before the forced lines',
      [track('f0', 'en', { role: 'forced' }), track('f1', 'en', { role: 'sdh' })],
      'en',
      'f1',
    ],
    [
      'the whole dialogue before forced lines of a sidecar',
      [track('f0', 'en', { role: 'forced' }), track('s1', 'en')],
      'en',
      's1',
    ],
    ['forced lines before nothing', [track('f0', 'en', { role: 'forced' })], 'en', 'f0'],
    ['text before pictures', [track('f0', 'en', { picture: true }), track('s1', 'en')], 'en', 's1'],
    ['the default one of two', [track('s1', 'en'), track('s2', 'en', { default: true })], 'en', 's2'],
    ['the first of two that are the same', [track('s1', 'en'), track('s2', 'en')], 'en', 's1'],
    ['three letters are two', [track('f0', 'eng')], 'en', 'f0'],
    ['a track without a language as und', [track('f0', 'en'), track('s1', undefined)], 'und', 's1'],
    ['no language is no other', [track('s1', undefined)], 'en', undefined],
    ['what is no language', [track('f0', 'en')], 'xx', undefined],
  ];
  for (const [why, tracks, language, expected] of rows) assert.equal(bestOf(tracks, language)?.key, expected, why);
});

const SOURCE = { root: '/a', relative: 'b', size: 1, mtimeMs: 2, ino: 3 };
test('a name is of everything that something was made from', () => {
  const names = [
    SOURCE,
    { ...SOURCE, root: '/b' },
    { ...SOURCE, relative: 'c' },
    { ...SOURCE, size: 2 },
    { ...SOURCE, mtimeMs: 3 },
    { ...SOURCE, ino: 4 },
  ].map((source) => cacheName(source, '1', 'srt'));
  names.push(cacheName(SOURCE, '2', 'srt'), cacheName(SOURCE, '1', 'vtt'));
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^[0-9a-f]{40}\.[a-z]+$/);
});

const text = async (pieces: AsyncIterable<string>) => {
  let all = '';
  for await (const piece of pieces) all += piece;
  return all;
};

/** A stand-in for ffmpeg that writes a given text to every track. */
function standIn(write: (index: number) => string) {
  const asked: number[][] = [];
  const extractor = createExtractor({
    ffmpeg: {
      extractText: async ({ tracks }) => {
        asked.push(tracks.map(({ stream }) => stream));
        return {
          tracks: tracks.map(({ stream }) => Readable.from([Buffer.from(write(stream))])),
          done: Promise.resolve(),
          stop: () => {},
        };
      },
    },
  });
  return { extractor, asked };
}
const passOf = (count: number, codec = 'subrip', kept: number[] = []): ExtractionPass => ({
  media: '/x',
  isFromZero: false,
  tracks: Array.from({ length: count }, (_, stream) => ({ stream, codec })),
  keep: async (stream) => void kept.push(stream),
});
const signal = new AbortController().signal;

test('a film with very many tracks takes several passes, none of them too wide', async () => {
  for (const codec of ['subrip', 'ass']) {
    const { extractor, asked } = standIn((stream) => `text of ${stream}`);
    const kept: number[] = [];
    for (const stream of [0, 55, 19, 20])
      assert.equal(
        await text(extractor.text('k', passOf(56, codec, kept), { stream, isLive: codec === 'ass' }).pieces(signal)),
        `text of ${stream}`,
      );
    assert.ok(
      asked.every(({ length }) => length <= 40),
      'never more outputs than one pass may have',
    );
    assert.equal(new Set(kept).size, 56);
  }
});

test('a track without measure is let go, and the others are whole', async () => {
  const kept: number[] = [];
  const { extractor } = standIn((stream) => (stream === 0 ? 'x'.repeat(17 * 1024 * 1024) : 'small'));
  const pass = passOf(2, 'subrip', kept);
  const [large, small] = await Promise.allSettled([
    text(extractor.text('k', pass, { stream: 0, isLive: false }).pieces(signal)),
    text(extractor.text('k', pass, { stream: 1, isLive: false }).pieces(signal)),
  ]);
  assert.equal(
    large.status === 'rejected' && (large.reason as Error).message,
    'the subtitle is larger than what can be served',
  );
  assert.deepEqual([small.status === 'fulfilled' && small.value, kept], ['small', [1]]);
});

test('one who has left already waits for nothing', async () => {
  const { extractor } = standIn(() => 'x');
  const gone = AbortSignal.abort();
  await assert.rejects(text(extractor.text('k', passOf(1), { stream: 0, isLive: false }).pieces(gone)));
  assert.equal(extractor.running(), 0);
});

test('each codec is written as what keeps all of it', () => {
  for (const [codec, format] of [
    ['subrip', 'srt'],
    ['ass', 'ass'],
    ['ssa', 'ass'],
    ['webvtt', 'webvtt'],
    ['mov_text', 'srt'],
    ['text', 'srt'],
  ] as const)
    assert.equal(nativeFormat(codec), format);
});
