/** Viewing windows as a table of moments. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAYS, type Policy } from '../contract/identity/profiles.ts';
import { checkWindows, isWithinWindows, nextWindowChange } from './windows.ts';

type Day = (typeof DAYS)[number];
const window = (days: Day[], start: string, end: string, timeZone = 'Europe/Zurich'): Policy['windows'][number] => ({
  days,
  start,
  end,
  timeZone,
});

// 2026-11-20 is a Friday. Zurich is one hour ahead of UTC in winter and two in summer.
const rows: [name: string, windows: Policy['windows'], at: string, is: boolean][] = [
  ['no windows', [], '2026-11-20T03:00:00Z', true],
  ['before the start', [window(['friday'], '16:00', '20:00')], '2026-11-20T14:59:59Z', false],
  ['at the start', [window(['friday'], '16:00', '20:00')], '2026-11-20T15:00:00Z', true],
  ['just before the end', [window(['friday'], '16:00', '20:00')], '2026-11-20T18:59:59Z', true],
  ['at the end', [window(['friday'], '16:00', '20:00')], '2026-11-20T19:00:00Z', false],
  ['another day', [window(['saturday'], '16:00', '20:00')], '2026-11-20T16:00:00Z', false],
  [
    'the second of two',
    [window(['monday'], '00:00', '24:00'), window(['friday'], '16:00', '20:00')],
    '2026-11-20T16:00:00Z',
    true,
  ],
  ['until the end of the day', [window(['friday'], '22:00', '24:00')], '2026-11-20T22:59:59Z', true],
  ['and no further', [window(['friday'], '22:00', '24:00')], '2026-11-20T23:00:00Z', false],
  ['into the next day, on the evening', [window(['friday'], '22:00', '02:00')], '2026-11-20T21:30:00Z', true],
  ['into the next day, after midnight', [window(['friday'], '22:00', '02:00')], '2026-11-21T00:30:00Z', true],
  ['into the next day, over', [window(['friday'], '22:00', '02:00')], '2026-11-21T01:00:00Z', false],
  ['after midnight of its own day', [window(['friday'], '22:00', '02:00')], '2026-11-20T00:30:00Z', false],
  ['from Sunday into Monday', [window(['sunday'], '22:00', '02:00')], '2026-11-23T00:30:00Z', true],
  ['start and end alike are a whole day', [window(['friday'], '12:00', '12:00')], '2026-11-21T10:59:00Z', true],
  ['start and end alike, over', [window(['friday'], '12:00', '12:00')], '2026-11-21T11:00:00Z', false],
  [
    'another zone has another day',
    [window(['saturday'], '00:00', '06:00', 'Pacific/Auckland')],
    '2026-11-20T12:00:00Z',
    true,
  ],
  ['the day before summer time', [window(['saturday'], '16:00', '17:00')], '2026-03-28T15:30:00Z', true],
  ['the day of summer time', [window(['sunday'], '16:00', '17:00')], '2026-03-29T14:30:00Z', true],
  ['and not by the winter clock', [window(['sunday'], '16:00', '17:00')], '2026-03-29T15:30:00Z', false],
  ['an hour that is skipped', [window(['sunday'], '02:00', '03:00')], '2026-03-29T01:00:00Z', false],
  ['an hour that comes twice, first', [window(['sunday'], '02:00', '03:00')], '2026-10-25T00:30:00Z', true],
  ['an hour that comes twice, again', [window(['sunday'], '02:00', '03:00')], '2026-10-25T01:30:00Z', true],
  ['a zone of half an hour', [window(['friday'], '17:30', '17:31', 'Asia/Kolkata')], '2026-11-20T12:00:30Z', true],
];
for (const [name, windows, at, is] of rows)
  test(`a moment in viewing windows: ${name}`, () => assert.equal(isWithinWindows(windows, Date.parse(at)), is));

test('windows that cannot be evaluated are refused', () => {
  for (const zone of [
    'Mars/Olympus',
    '+01:00',
    '',
    ' Europe/Zurich',
    'Europe/Zurich[u-ca=hebrew]',
    '../etc/localtime',
  ]) {
    assert.throws(() => checkWindows([window(['friday'], '16:00', '20:00', zone)]), { kind: 'invalid' }, zone);
  }
  assert.throws(() => checkWindows([window(['friday'], '24:00', '02:00')]), { kind: 'invalid' });
  checkWindows([
    window(['friday'], '16:00', '24:00', 'UTC'),
    window(['friday'], '16:00', '20:00', 'America/Argentina/Buenos_Aires'),
  ]);
});

test('the next change of windows', () => {
  const at = (moment: string): number => Date.parse(moment);
  const all = [...DAYS];
  const next: [name: string, windows: Policy['windows'], now: string, change: string | undefined][] = [
    ['none', [], '2026-11-20T12:00:00Z', undefined],
    ['opens today', [window(['friday'], '16:00', '20:00')], '2026-11-20T12:00:00Z', '2026-11-20T15:00:00Z'],
    ['closes today', [window(['friday'], '16:00', '20:00')], '2026-11-20T15:00:00Z', '2026-11-20T19:00:00Z'],
    ['opens in a week', [window(['friday'], '16:00', '20:00')], '2026-11-20T19:00:00Z', '2026-11-27T15:00:00Z'],
    ['never closes', [window(all, '00:00', '24:00')], '2026-11-20T12:00:00Z', undefined],
    [
      'two that touch',
      [window(['friday'], '16:00', '18:00'), window(['friday'], '18:00', '21:00')],
      '2026-11-20T16:00:00Z',
      '2026-11-20T20:00:00Z',
    ],
    ['past midnight', [window(['friday'], '22:00', '01:00')], '2026-11-20T23:30:00Z', '2026-11-21T00:00:00Z'],
    ['until midnight', [window(['friday'], '22:00', '24:00')], '2026-11-20T21:30:00Z', '2026-11-20T23:00:00Z'],
    ['a day of 23 hours', [window(all, '04:00', '03:00')], '2027-03-28T00:30:00Z', '2027-03-28T01:00:00Z'],
  ];
  for (const [name, windows, now, change] of next) {
    const expected = change === undefined ? undefined : at(change);
    assert.equal(nextWindowChange(windows, at(now)), expected, name);
    assert.equal(nextWindowChange(windows, at(now)), expected, `${name}, again`);
  }
});
