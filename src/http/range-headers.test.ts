/** Headers of ranges, conditions and file names as RFC 9110 has them, row by row. */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { attachment, firstByteOf, isRangeFresh, judge, readDate, readRanges } from './ranges.ts';

const MOST = Array.from({ length: 32 }, (_, i) => `${i * 10}-${i * 10}`).join(',');
const RANGES: readonly [
  header: string | undefined,
  size: number,
  expected: [number, number][] | undefined,
  why: string,
][] = [
  [undefined, 100, undefined, 'no header'],
  ['bytes=0-0', 100, [[0, 0]], 'the first byte'],
  ['bytes=0-', 100, [[0, 99]], 'all of it'],
  ['bytes=10-19', 100, [[10, 19]], 'a piece'],
  ['bytes=90-200', 100, [[90, 99]], 'an end beyond the end'],
  ['bytes=99-', 100, [[99, 99]], 'the last byte'],
  ['bytes=-1', 100, [[99, 99]], 'a suffix of one'],
  ['bytes=-100', 100, [[0, 99]], 'a suffix of all'],
  ['bytes=-500', 100, [[0, 99]], 'a suffix of more than all'],
  ['bytes=-0', 100, [], 'a suffix of nothing'],
  ['bytes=100-', 100, [], 'beyond the end'],
  ['bytes=100-200,300-400', 100, [], 'all beyond the end'],
  ['bytes=0-0,100-', 100, [[0, 0]], 'one of two beyond the end'],
  [
    'bytes=0-1,50-51',
    100,
    [
      [0, 1],
      [50, 51],
    ],
    'two',
  ],
  [
    'bytes=50-51,0-1',
    100,
    [
      [50, 51],
      [0, 1],
    ],
    'two, in the order asked',
  ],
  ['bytes=0-10,5-20', 100, [[0, 20]], 'overlapping'],
  ['bytes=0-9,10-19', 100, [[0, 19]], 'touching'],
  ['bytes=0-9,20-29,5-25', 100, [[0, 29]], 'one that joins two'],
  [
    'bytes=0-9, 20-29 ,-5',
    100,
    [
      [0, 9],
      [20, 29],
      [95, 99],
    ],
    'with spaces',
  ],
  ['bytes=,0-1,,', 100, [[0, 1]], 'empty elements of the list'],
  ['BYTES=0-1', 100, [[0, 1]], 'a unit in capitals'],
  ['bytes=0-0', 0, [], 'an empty file'],
  ['bytes=-1', 0, [], 'a suffix of an empty file'],
  ['lines=0-1', 100, undefined, 'another unit'],
  ['bytes 0-1', 100, undefined, 'no equals sign'],
  ['bytes=', 100, undefined, 'nothing'],
  ['bytes=-', 100, undefined, 'a hyphen'],
  ['bytes=5', 100, undefined, 'no hyphen'],
  ['bytes=9-5', 100, undefined, 'the end before the start'],
  ['bytes=0-1,9-5', 100, undefined, 'one that is not valid spoils all'],
  ['bytes=a-b', 100, undefined, 'letters'],
  ['bytes=1-2-3', 100, undefined, 'two hyphens'],
  ['bytes=0x1-2', 100, undefined, 'hexadecimal'],
  ['bytes=1.5-2', 100, undefined, 'a fraction'],
  ['bytes=99999999999999999999-', 100, [], 'a start of more digits than a number has'],
  [`bytes=${'9'.repeat(3000)}-`, 100, [], 'a start of more digits than any file'],
  [`bytes=${'0'.repeat(30)}5-${'9'.repeat(400)}`, 100, [[5, 99]], 'leading zeros, and an end of any length'],
  [`bytes=-${'9'.repeat(400)}`, 100, [[0, 99]], 'a suffix of any length'],
  [
    'bytes=9007199254740993-9007199254740992',
    100,
    undefined,
    'the end before the start by one, beyond what a number tells apart',
  ],
  ['bytes=9007199254740992-9007199254740993', 100, [], 'beyond the end, by the same numbers'],
  [`bytes=${MOST}`, 1000, Array.from({ length: 32 }, (_, i) => [i * 10, i * 10]), 'as many as allowed'],
  [`bytes=${MOST},999-999`, 1000, undefined, 'one too many'],
];
test('ranges are read as section 14 has them', () => {
  for (const [header, size, expected, why] of RANGES) assert.deepEqual(readRanges(header, size), expected, why);
});

test('no set of ranges sends a byte twice', () => {
  for (const [header, size] of RANGES) {
    const ranges = readRanges(header, size) ?? [];
    const seen = new Set<number>();
    for (const [first, last] of ranges)
      for (let at = first; at <= last; at++) assert.ok(seen.size < seen.add(at).size, `${header} sends ${at} twice`);
  }
});

const AT = Date.UTC(1994, 10, 6, 8, 49, 37);
test('dates are read in three forms only', () => {
  for (const text of [
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
    'sun, 06 nov 1994 08:49:37 gmt',
  ])
    assert.equal(readDate(text), AT, text);
  for (const text of [
    undefined,
    '',
    '0',
    '5',
    '2024-01-02',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 06 Nov 1994 25:49:37 GMT',
    'Sun, 06 Foo 1994 08:49:37 GMT',
    'yesterday',
  ])
    assert.equal(readDate(text), undefined, text ?? 'none');
});

const MODIFIED = Date.UTC(2024, 0, 2, 3, 4, 5, 678);
const SAME = 'Tue, 02 Jan 2024 03:04:05 GMT';
const BEFORE = 'Tue, 02 Jan 2024 03:04:04 GMT';
const CONDITIONS: readonly [headers: IncomingMessage['headers'], expected: string, why: string][] = [
  [{}, 'send', 'no condition'],
  [{ 'if-none-match': '"abc"' }, 'unchanged', 'the tag that it has'],
  [{ 'if-none-match': 'W/"abc"' }, 'unchanged', 'a weak tag is compared weakly'],
  [{ 'if-none-match': '"x", "abc"' }, 'unchanged', 'one of several'],
  [{ 'if-none-match': '*' }, 'unchanged', 'any'],
  [{ 'if-none-match': '"x"' }, 'send', 'another tag'],
  [{ 'if-none-match': '"x"', 'if-modified-since': SAME }, 'send', 'the date is not looked at beside a tag'],
  [{ 'if-modified-since': SAME }, 'unchanged', 'not since then'],
  [{ 'if-modified-since': BEFORE }, 'send', 'since then'],
  [{ 'if-modified-since': '0' }, 'send', 'what is no date is no condition'],
  [{ 'if-match': '"abc"' }, 'send', 'the tag that it has'],
  [{ 'if-match': '*' }, 'send', 'any'],
  [{ 'if-match': 'W/"abc"' }, 'failed', 'a weak tag never matches strongly'],
  [{ 'if-match': '"x"' }, 'failed', 'another tag'],
  [{ 'if-match': '"x"', 'if-none-match': '"abc"' }, 'failed', 'If-Match is asked first'],
  [{ 'if-match': '"abc"', 'if-none-match': '"abc"' }, 'unchanged', 'then If-None-Match'],
  [{ 'if-match': '"abc"', 'if-unmodified-since': BEFORE }, 'send', 'the date is not looked at beside If-Match'],
  [{ 'if-unmodified-since': SAME }, 'send', 'unmodified'],
  [{ 'if-unmodified-since': BEFORE }, 'failed', 'modified'],
  [{ 'if-unmodified-since': BEFORE, 'if-none-match': '"abc"' }, 'failed', '412 comes before 304'],
];
test('conditions are judged in the order of section 13.2.2', () => {
  for (const [headers, expected, why] of CONDITIONS)
    assert.equal(judge({ headers }, { etag: 'abc', modified: MODIFIED }), expected, why);
  assert.equal(
    judge({ headers: { 'if-modified-since': SAME } }, { etag: 'abc' }),
    'send',
    'without a date of ours there is nothing to compare',
  );
});

test('If-Range holds for our strong tag and our very date only', () => {
  const rows: [string | undefined, boolean][] = [
    [undefined, true],
    ['"abc"', true],
    ['"x"', false],
    ['W/"abc"', false],
    [SAME, true],
    [BEFORE, false],
    ['Tue, 02 Jan 2024 03:04:06 GMT', false],
    ['abc', false],
    ['', false],
  ];
  for (const [header, expected] of rows)
    assert.equal(isRangeFresh(header, { etag: 'abc', modified: MODIFIED }), expected, header ?? 'none');
});

test('a name in a header is plain, and whole for those who can read it', () => {
  assert.equal(
    attachment('Amélie "x" 100%.mkv'),
    `attachment; filename="Am_lie _x_ 100_.mkv"; filename*=UTF-8''Am%C3%A9lie%20%22x%22%20100%25.mkv`,
  );
  assert.ok(!attachment('a\r\nx: y').includes('\n'));
  assert.equal(
    attachment('film\u202e4pm.mkv'),
    `attachment; filename="film4pm.mkv"; filename*=UTF-8''film4pm.mkv`,
    'nothing turns the name around',
  );
  assert.equal(
    attachment('half \ud83d.srt'),
    `attachment; filename="half _.srt"; filename*=UTF-8''half%20%EF%BF%BD.srt`,
    'half a character is no reason to fail',
  );
});

test('the first byte is told from a header that asks for one place', () => {
  for (const [header, expected] of [
    [undefined, 0],
    ['bytes=7-', 7],
    ['bytes=7-9', 7],
    ['bytes=-7', 0],
    ['bytes=x', 0],
    ['lines=7-', 0],
  ] as const)
    assert.equal(firstByteOf(header), expected, String(header));
});
