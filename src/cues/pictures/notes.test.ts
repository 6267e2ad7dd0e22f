/** Notes by their shape: found at both ends of a line in several faces, and no letter, figure or bracket is one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draw, type Drawing } from '../../../test/subtitles/picture-writers.ts';
import { findLines, type Page } from './lines.ts';
import { withoutNotes } from './notes.ts';
import { prepare } from './prepare.ts';

const FACES = [
  { size: 52, face: 'DejaVu Sans' },
  { size: 46, face: 'DejaVu Sans', isBold: true },
  { size: 50, face: 'DejaVu Serif' },
  { size: 50, face: 'DejaVu Serif', isItalic: true },
  { size: 24, face: 'DejaVu Sans', outline: 2 },
] as const;
const OTHERS = [
  'dad',
  'Jazz J',
  'd b p q',
  '4 7 1',
  '{ }',
  '[ a ]',
  'ß für ß',
  'f t j',
  'S Z 2',
  '? !',
  'Áá ÉÉ',
  '$ £',
  '9 6',
  'I l |',
  'J.',
  'j',
  'd.',
  '# a #',
  'ð þ',
  'ď',
  'ł',
  '¶',
  '@',
  'r',
  'я Ж',
  '5.',
  'P F',
  'T L',
  'ل م',
];

/** Draws a page as on a disc: full letters, an outline, transparent pixels. */
function pageOf({ width, height, cover, fill }: Drawing, letter: number): Page {
  const indexes = Uint8Array.from(cover, (alpha, at) => (alpha < 6 ? 0 : (fill[at] ?? 0) >= 8 ? 1 : 2));
  const palette = new Uint8Array(1024);
  palette.set([0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 255]);
  const [page] = prepare({ width, height, indexes, palette }, letter);
  const [line] = page ? findLines(page) : [];
  assert.ok(line);
  return line;
}

for (const face of FACES) {
  const look = `${'isBold' in face ? ' bold' : ''}${'isItalic' in face ? ' italic' : ''}`;
  test(`in ${face.face} ${face.size}${look}`, async () => {
    const read = async (text: string): Promise<ReturnType<typeof withoutNotes>> =>
      withoutNotes(pageOf(await draw(text, { outline: 3, ...face }), face.size * 0.6));
    for (const text of OTHERS) {
      const { before, after } = await read(text);
      assert.deepEqual([before, after], [false, false], text);
    }
    // The italic of this face has no note, and a slanted one is left to the recogniser.
    if ('isItalic' in face) return;
    for (const [text, before, after] of [
      ['♪ La la la ♪', true, true],
      ['♪ Oh, sunshine', true, false],
      ['my love ♪', false, true],
      ['♪♪ oh ♪♪', true, true],
    ] as const) {
      const found = await read(text);
      assert.deepEqual([found.before, found.after, found.page !== undefined], [before, after, true], text);
    }
    const alone = await read('♪ ♪');
    assert.deepEqual([alone.page, alone.before || alone.after], [undefined, true]);
  });
}

test('the rest of the line is unchanged, and so is a block of several lines', async () => {
  const page = pageOf(await draw('♪ La la', { size: 52 }), 31);
  const { page: left } = withoutNotes(page);
  const ink = (each: Page | undefined): number =>
    each?.pixels.reduce((sum, value) => sum + (value < 128 ? 1 : 0), 0) ?? 0;
  assert.ok(left && ink(left) < ink(page) && ink(left) > ink(page) * 0.6 && left.width === page.width);
  assert.deepEqual(withoutNotes({ ...page, isBlock: true }), {
    page: { ...page, isBlock: true },
    before: false,
    after: false,
  });
});
