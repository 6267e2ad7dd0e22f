/** Every edit produces a policy that makes sense, and words that describe it. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { NEW_VIEWER, OWNER_POLICY, Policy } from '../../../../contract/identity/profiles.ts';
import {
  addWindow,
  ageWords,
  asField,
  changeWindow,
  daysWords,
  emptyWords,
  endOfDay,
  offeredAges,
  policyWords,
  removeWindow,
  toggleDay,
  windowWords,
  withAll,
  withLibrary,
  wrongWith,
} from './policy.ts';
import { speak } from '../../../messages/catalogue.ts';

before(() => speak(['en']));

const [A, B, C] = ['a', 'b', 'c'].map((one) => one.repeat(16)) as [string, string, string];

test('libraries go on and off, and one off from all leaves the others', () => {
  assert.deepEqual(withLibrary(NEW_VIEWER, A, true, [A, B]).libraries, [A]);
  assert.deepEqual(withLibrary(OWNER_POLICY, B, false, [A, B, C]).libraries, [A, C]);
  assert.equal(withAll(NEW_VIEWER, true, [A]).libraries, 'all');
});
test('windows are added, changed and removed, and the result is accepted by the server', () => {
  const one = addWindow(NEW_VIEWER, 'Europe/Zurich');
  const two = changeWindow(addWindow(one, 'Asia/Tokyo'), 1, { days: ['monday'], start: '22:00', end: '06:00' });
  assert.deepEqual(
    two.windows.map(({ timeZone }) => timeZone),
    ['Europe/Zurich', 'Europe/Zurich'],
  );
  assert.equal(Policy.safeParse(two).success, true);
  assert.equal(wrongWith(two), undefined);
  assert.deepEqual(removeWindow(two, 0).windows, [two.windows[1]]);
});
test('what is wrong is said for the window it is in', () => {
  const one = addWindow(NEW_VIEWER, 'Europe/Zurich');
  assert.deepEqual(wrongWith(changeWindow(one, 0, { days: [] })), { at: 0, says: 'Choose at least one day.' });
  assert.equal(wrongWith(changeWindow(one, 0, { start: '' }))?.says, 'Enter a start time.');
  assert.equal(wrongWith(changeWindow(one, 0, { start: '10:00', end: '10:00' }))?.says, 'Start and end must differ.');
  assert.equal(wrongWith(changeWindow(one, 0, { timeZone: 'Mars/Olympus' }))?.says, 'There is no such time zone.');
});
test('days stay in order, and midnight is the end of a day', () => {
  assert.deepEqual(toggleDay(['sunday'], 'monday'), ['monday', 'sunday']);
  assert.deepEqual(toggleDay(['monday', 'sunday'], 'monday'), ['sunday']);
  assert.deepEqual([endOfDay('00:00'), endOfDay('19:30'), asField('24:00')], ['24:00', '19:30', '00:00']);
});
test('words', () => {
  assert.equal(daysWords(['monday', 'tuesday', 'wednesday', 'thursday', 'friday']), 'Mon to Fri');
  assert.equal(daysWords(['sunday', 'saturday']), 'Sat and Sun');
  assert.equal(daysWords(['monday', 'wednesday', 'sunday']), 'Mon, Wed, and Sun');
  assert.equal(
    windowWords({ days: ['friday'], start: '20:00', end: '01:00', timeZone: 'UTC' }),
    'Fri 20:00 to 01:00 the next day',
  );
  assert.deepEqual(
    policyWords(NEW_VIEWER, () => undefined),
    ['no library', 'up to age 7', 'no unrated items', 'at any time', 'only at home, no downloads'],
  );
});

test('ages are offered with those of the country and the chosen one', () => {
  assert.deepEqual(
    offeredAges([0, 6, 12, 16, 18], 'all'),
    Array.from({ length: 19 }, (_, age) => age),
  );
  assert.deepEqual(offeredAges([0, 8, 21], 7).slice(-3), [17, 18, 21]);
  assert.deepEqual([0, 12, 'all' as const].map(ageWords), ['For all ages (0)', 'Up to 12', 'Everything']);
});
test('an empty profile is explained', () => {
  const none = { libraries: 0, rating: 0, unrated: 0, items: 0 };
  const why = (policy: Partial<Policy>, total: number, hidden: Partial<typeof none>) =>
    emptyWords({ ...OWNER_POLICY, ...policy }, { shown: 0, total, hidden: { ...none, ...hidden } });
  assert.match(why({ libraries: [] }, 5, { libraries: 5 }) ?? '', /^No library is allowed/);
  assert.match(why({}, 0, {}) ?? '', /^Nothing has been scanned/);
  assert.match(why({ libraries: [A] }, 5, { libraries: 5 }) ?? '', /^Nothing has been scanned/);
  assert.match(why({ rating: 6 }, 5, { rating: 5 }) ?? '', /rated above 6/);
  assert.match(why({ rating: 6, libraries: [A] }, 5, { rating: 3, libraries: 2 }) ?? '', /rated above 6/);
  assert.match(why({ rating: 6 }, 5, { unrated: 5 }) ?? '', /^Nothing in these libraries has a rating/);
  assert.match(why({ rating: 6 }, 5, { unrated: 3, rating: 2 }) ?? '', /^Everything in these libraries is above/);
  assert.equal(emptyWords(OWNER_POLICY, { shown: 1, total: 5, hidden: { ...none, rating: 4 } }), undefined);
});
