/** Names of chapters in several languages, and what only looks like one of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindOfChapter, markersOfChapters } from './chapters.ts';

const NAMES: readonly (readonly [string, ReturnType<typeof kindOfChapter>])[] = [
  ['Intro', 'intro'],
  ['INTRO', 'intro'],
  ['intro 2', 'intro'],
  ['Chapter 2: Intro', 'intro'],
  ['The intro song', 'intro'],
  ['Opening', 'intro'],
  ['Opening 2', 'intro'],
  ['Opening Credits', 'intro'],
  ['01 - Opening', 'intro'],
  ['Opening: Blue Bird', 'intro'],
  ['OP', 'intro'],
  ['OP1', 'intro'],
  ['NCOP', 'intro'],
  ['Main Titles', 'intro'],
  ['Vorspann', 'intro'],
  ['Kapitel 2: Vorspann', 'intro'],
  ['Générique', 'intro'],
  ['Sigla', 'intro'],
  ['Abertura', 'intro'],
  ['Заставка', 'intro'],
  ['オープニング', 'intro'],
  ['片头曲', 'intro'],
  ['오프닝', 'intro'],
  ['[Opening]', 'intro'],
  ['Ｉｎｔｒｏ', 'intro'],
  ['Ending', 'outro'],
  ['ED', 'outro'],
  ['ED 03', 'outro'],
  ['Outro', 'outro'],
  ['Ending theme', 'outro'],
  ['エンディング', 'outro'],
  ['Credits', 'credits'],
  ['End Credits', 'credits'],
  ['The end credits roll', 'credits'],
  ['Abspann', 'credits'],
  ['Abspann & Making-of', 'credits'],
  ['Générique de fin', 'credits'],
  ['Титры', 'credits'],
  ['スタッフロール', 'credits'],
  ['Titoli di coda', 'credits'],
  ['Recap', 'recap'],
  ['Previously on Lost', 'recap'],
  ['Previously', 'recap'],
  ['Was bisher geschah', 'recap'],
  ['あらすじ', 'recap'],
  ['В предыдущих сериях', 'recap'],
  ['Commercial', 'commercial'],
  ['Commercial break 2', 'commercial'],
  ['Werbung', 'commercial'],
  ['CM', 'commercial'],
  ['реклама', 'commercial'],
  // Not these.
  ['Introduction', undefined],
  ['Introductions', undefined],
  ['Opening Night', undefined],
  ['Grand Opening', undefined],
  ['Ed meets Ned', undefined],
  ['Operation', undefined],
  ['Op-Ed', undefined],
  ['Credited', undefined],
  ['The Ending of Things', undefined],
  ['Chapter 5', undefined],
  ['5', undefined],
  ['', undefined],
  ['Themed party', undefined],
  ['Stopp', undefined],
  ['Kredit', undefined],
  ['Part A', undefined],
  ['Интродукция', undefined],
  ['Noncommercial', undefined],
  ['Previously unseen', undefined],
];

test('a chapter is known by its name in several languages, and by whole words only', () => {
  for (const [name, kind] of NAMES) assert.equal(kindOfChapter(name), kind, name);
});

test('a name of any length and any characters is read in a bounded time', () => {
  const begun = process.cpuUsage();
  for (const piece of ['a', ' ', '-', '- ', ':', '#', '1', 'intro', '\u0301', '('])
    for (const length of [200, 201, 100_000]) kindOfChapter(piece.repeat(length).slice(0, length));
  assert.ok(process.cpuUsage(begun).user < 2_000_000, 'microseconds of processor time');
});

test('a chapter is a marker only where such a passage can be', () => {
  const kinds = (chapters: readonly { start: number; end: number; title: string }[], duration?: number) =>
    markersOfChapters(chapters, duration).map(({ kind, start, end }) => `${kind} ${start}-${end}`);
  assert.deepEqual(
    kinds(
      [
        { start: 0, end: 40, title: 'Previously on' },
        { start: 40, end: 130, title: 'Opening' },
        { start: 130, end: 1300, title: 'Part A' },
        { start: 1300, end: 1390, title: 'Credits' },
      ],
      1400,
    ),
    ['recap 0-40', 'intro 40-130', 'credits 1300-1390'],
  );
  assert.deepEqual(
    kinds(
      [
        { start: 0, end: 60, title: 'Credits' },
        { start: 1300, end: 1390, title: 'Opening' },
      ],
      1400,
    ),
    [],
    'credits at the beginning, an opening at the end',
  );
  assert.deepEqual(kinds([{ start: 0, end: 400, title: 'Intro' }], 1400), [], 'an intro of more than five minutes');
  assert.deepEqual(kinds([{ start: 10, end: 60, title: 'Intro' }]), ['intro 10-60'], 'without a known length');
});
