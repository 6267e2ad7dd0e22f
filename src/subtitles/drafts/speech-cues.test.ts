/** Spoken words become readable cues with a confidence. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from '../../../test/fast-check.ts';
import { plainText } from '../../cues/index.ts';
import { cuesFromSpeech, wrapLines, displayWidth } from './speech-cues.ts';
import { readWhisperResult } from './whisper-result.ts';

const token = (text: string, from: number, to: number, p = 0.9) => ({
  text: Buffer.from(text, 'utf8').toString('latin1'),
  offsets: { from, to },
  id: 1,
  p,
});
const file = (transcription: unknown, model: unknown = { type: 'small', multilingual: true, vocab: 51_865 }): Buffer =>
  Buffer.from(JSON.stringify({ model, transcription }), 'latin1');
const segment = (from: number, to: number, tokens: readonly object[], text = 'x') => ({
  offsets: { from, to },
  text,
  tokens,
});
const words = (text: string, from: number, each: number) =>
  text.split(' ').map((word, n) => token(` ${word}`, from + n * each, from + (n + 1) * each - 20));
const heard = (...segments: object[]) => cuesFromSpeech(readWhisperResult(file(segments))?.segments ?? []);
const texts = (of: ReturnType<typeof heard>): string[] => of.cues.map(({ spans }) => plainText(spans));

test('tokens become words without special tokens, with marks attached and cut characters joined', () => {
  const [first, second] = [...Buffer.from('é', 'utf8')].map((byte) => String.fromCharCode(byte));
  const said = readWhisperResult(
    file([
      segment(0, 3000, [
        { text: '[_BEG_]', offsets: { from: 0, to: 0 }, p: 0.1 },
        token(' Hel', 100, 300, 0.8),
        token('lo', 300, 400, 0.6),
        token(',', 400, 410, 0.05),
        { text: ` caf${first}`, offsets: { from: 500, to: 700 }, p: 0.7 },
        { text: second, offsets: { from: 700, to: 800 }, p: 0.9 },
        token('.', 900, 900, 0.1),
        { text: '<|endoftext|>', offsets: { from: 0, to: 0 }, p: 0.1 },
        { text: '[_TT_150]', offsets: { from: 3000, to: 3000 }, p: 0.1 },
      ]),
    ]),
  );
  assert.deepEqual(said?.segments, [
    {
      start: 0,
      end: 3000,
      words: [
        { text: 'Hello,', start: 100, end: 410, confidence: 0.6 },
        { text: 'café.', start: 500, end: 900, confidence: 0.7 },
      ],
    },
  ]);
  assert.equal(said.architecture, 'small');
});

test('a token that ends inside a character and was joined with the mark of the end leaves nothing behind', () => {
  const [first] = [...Buffer.from('é', 'utf8')].map((byte) => String.fromCharCode(byte));
  const said = readWhisperResult(
    file([
      segment(0, 3000, [
        token(' Hello', 0, 900),
        { text: ` ${first}[_TT_150]`, offsets: { from: 900, to: 3000 }, p: 0.4 },
      ]),
    ]),
  );
  assert.deepEqual(
    said?.segments[0]?.words.map(({ text }) => text),
    ['Hello'],
  );
  assert.deepEqual(
    readWhisperResult(
      file([segment(0, 3000, [{ text: `${first}[_TT_150]`, offsets: { from: 0, to: 3000 }, p: 0.4 }], ` ${first}`)]),
    )?.segments,
    [],
  );
});

test('audio removed by a detector is restored in the pauses between words', () => {
  const timesOf = (tokens: readonly object[], from: number, to: number): unknown =>
    readWhisperResult(file([segment(from, to, tokens)]), { isCut: true })?.segments[0]?.words.map(
      ({ text, start, end }) => [text, start, end],
    );
  const end = (at: number) => ({ text: '[_TT_1]', offsets: { from: at, to: at }, p: 0.5 });
  // Ten seconds of the film, of which three are left: a long pause in the middle, a short one, none at all.
  assert.deepEqual(
    timesOf([token(' One', 40_000, 41_000), token(' two', 41_200, 42_950), end(43_000)], 60_000, 70_000),
    [
      ['One', 60_000, 61_000],
      ['two', 68_200, 69_950],
    ],
  );
  assert.deepEqual(
    timesOf([token(' One', 40_200, 41_000), token(' two', 41_000, 43_000), end(43_000)], 60_000, 70_000),
    [
      ['One', 67_200, 68_000],
      ['two', 68_000, 70_000],
    ],
  );
  assert.deepEqual(
    timesOf([token(' One', 40_000, 41_000), token(' two', 41_000, 43_000), end(43_000)], 60_000, 70_000),
    [
      ['One', 67_000, 68_000],
      ['two', 68_000, 70_000],
    ],
  );
  // The first token still belongs to the segment before, a minute ago.
  assert.deepEqual(
    timesOf([token(' One', 10_000, 41_000), token(' two', 41_000, 43_000), end(43_000)], 60_000, 63_000),
    [
      ['One', 60_000, 61_000],
      ['two', 61_000, 63_000],
    ],
  );
  assert.equal(
    readWhisperResult(file([segment(60_000, 70_000, [token(' One', 40_000, 41_000)])]))?.segments[0]?.words[0]?.start,
    60_000,
    'without a detector nothing is moved',
  );
});

test('a language without spaces is cut between its words, and lines hold half as many', () => {
  const said = heard(
    segment(
      0,
      8000,
      '今日は天気がとてもいいですからみんなで公園に行きましょうそしてお弁当を食べて夕方まで遊びましょう。'
        .split('')
        .map((char, n) => token(char, n * 150, n * 150 + 150)),
    ),
  );
  assert.ok(said.cues.length >= 1);
  assert.ok(said.words.length > 20 && said.words.every(({ text }) => text.length <= 2));
  for (const text of texts(said)) for (const line of text.split('\n')) assert.ok(displayWidth(line) <= 42, line);
  assert.equal(
    texts(said).join('').replaceAll('\n', ''),
    '今日は天気がとてもいいですからみんなで公園に行きましょうそしてお弁当を食べて夕方まで遊びましょう。',
  );
});

test('cues end with sentences and pauses, in at most two even lines, and no scrap is left', () => {
  const said = heard(
    segment(
      0,
      12_000,
      words(
        'The quick brown fox jumps over the lazy dog near the river bank, and nobody in the village has ever ' +
          'seen it come back. Strange.',
        0,
        300,
      ),
    ),
    segment(15_000, 17_000, words('Yes.', 15_000, 500)),
  );
  assert.deepEqual(texts(said), [
    'The quick brown fox jumps over\nthe lazy dog near the river bank,',
    'and nobody in the village\nhas ever seen it come back.',
    'Strange.',
    'Yes.',
  ]);
  for (const [n, { start, end }] of said.cues.entries()) {
    const next = said.cues[n + 1];
    assert.ok(end > start && (!next || end <= next.start));
  }
  assert.ok((said.cues[3]?.end ?? 0) - (said.cues[3]?.start ?? 0) >= 1000, 'a short one stays long enough to be read');
  assert.equal(said.repeated, 0);
});

test('several cues at the same time can all be read', () => {
  const said = heard(
    segment(1000, 1000, [token(' Here.', 1000, 1000)]),
    segment(1000, 1000, [token(' There.', 1000, 1000)]),
    segment(1100, 3000, words('Everywhere now.', 1100, 400)),
  );
  assert.deepEqual(
    [texts(said), said.cues.map(({ start, end }) => [start, end])],
    [
      ['Here.', 'There.', 'Everywhere now.'],
      [
        [1000, 1400],
        [1400, 1800],
        [1800, 2800],
      ],
    ],
  );
});

test('repeated cues are kept with a low confidence', () => {
  const loop = [0, 1, 2, 3].map((n) =>
    segment(n * 3000, n * 3000 + 2000, words('Thank you for watching.', n * 3000, 400)),
  );
  const said = heard(
    ...loop,
    segment(20_000, 22_000, words('A real line.', 20_000, 400)),
    segment(30_000, 34_000, words('no no no no no no no', 30_000, 300)),
  );
  assert.equal(said.cues.length, 6);
  assert.deepEqual(
    said.confidence.map((sure) => sure <= 0.1),
    [true, true, true, true, false, true],
  );
  assert.equal(said.repeated, 5);
});

test('without tokens the words share the time; blank audio says nothing', () => {
  const said = heard(
    { offsets: { from: 1000, to: 3000 }, text: ' Good evening everybody' },
    { offsets: { from: 5000, to: 6000 }, text: ' [BLANK_AUDIO]' },
  );
  assert.deepEqual([texts(said), said.confidence], [['Good evening everybody'], [0.5]]);
  assert.equal(said.cues[0]?.start, 1000);
});

test('the architecture is read from the file', () => {
  const of = (model: unknown) => readWhisperResult(file([], model))?.architecture;
  assert.equal(of({ type: 'base', multilingual: false }), 'base.en');
  assert.equal(of({ type: 'large', vocab: 51_866, text: { layer: 4 } }), 'large.v3.turbo');
  assert.equal(of({ type: 'large', vocab: 51_866, text: { layer: 32 } }), 'large.v3');
  assert.equal(of({ type: 'large', vocab: 51_865, text: { layer: 32 } }), 'large.v2');
  assert.equal(of('x'), undefined);
});

test('a file that is no result is refused', () => {
  for (const text of ['', '{', '[]', 'null', '{"transcription":1}', '"x"'])
    assert.equal(readWhisperResult(Buffer.from(text)), undefined, text);
  assert.deepEqual(
    readWhisperResult(
      Buffer.from(
        '{"transcription":[null,1,{"offsets":{"from":-1,"to":2}},{"text":"x","offsets":{"from":0,"to":1e300}}]}',
      ),
    )?.segments,
    [],
  );
});

test('for any words, cues are in order, do not overlap and have lines that fit', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abcde.,!? 今日は\u00e9'), minLength: 1, maxLength: 12 });
  const spoken = fc.array(
    fc.record({
      from: fc.integer({ min: 0, max: 60_000 }),
      length: fc.integer({ min: -100, max: 40_000 }),
      words: fc.array(fc.record({ text: word, at: fc.integer({ min: -5000, max: 90_000 }), p: fc.double() }), {
        maxLength: 40,
      }),
    }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(spoken, (segments) => {
      const said = heard(
        ...segments.map(({ from, length, words: of }) =>
          segment(
            from,
            from + length,
            of.map(({ text, at, p }) => token(` ${text}`, at, at + 200, p)),
          ),
        ),
      );
      for (const [n, { start, end, spans }] of said.cues.entries()) {
        assert.ok(Number.isInteger(start) && Number.isInteger(end) && start >= 0 && end > start);
        assert.ok(end <= (said.cues[n + 1]?.start ?? Infinity));
        const lines = plainText(spans).split('\n');
        assert.ok(
          lines.length <= 2 && lines.every((line) => displayWidth(line) <= 42 || !line.includes(' ')),
          plainText(spans),
        );
      }
      assert.ok(
        said.words.every(({ confidence, cue }) => confidence >= 0 && confidence <= 1 && cue < said.cues.length),
      );
      assert.equal(said.confidence.length, said.cues.length);
    }),
    { numRuns: 150 },
  );
});

test('lines are broken evenly, after a mark where there is one', () => {
  assert.deepEqual(wrapLines('Short enough.'), ['Short enough.']);
  assert.deepEqual(wrapLines('I have been there once before, and I will never go back to it again.'), [
    'I have been there once before,',
    'and I will never go back to it again.',
  ]);
  assert.equal(wrapLines('word '.repeat(30).trim()), undefined);
});
