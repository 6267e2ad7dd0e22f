/** Rows for age ratings of several countries. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ceilingOf, isRatingWithin, type Ceiling } from './ratings.ts';

const ROWS: readonly [rating: string, want: Ceiling, country?: string][] = [
  ['G', 'family'],
  ['PG', 'family'],
  ['PG-13', 'teen'],
  ['R', 'all'],
  ['NC-17', 'all'],
  ['Rated PG-13', 'teen'],
  ['Rated R for strong violence', 'all'],
  ['pg-13', 'teen'],
  ['TV-Y', 'family'],
  ['TV-Y7', 'family'],
  ['TV-7', 'family'],
  ['TV-G', 'family'],
  ['TV-PG', 'family'],
  ['TV-14', 'teen'],
  ['TV-MA', 'all'],
  ['TVPG', 'family'],
  ['TV14', 'teen'],
  ['U', 'family'],
  ['12A', 'teen'],
  ['UK:12A', 'teen'],
  ['gb:15', 'all'],
  ['gb:U', 'family'],
  ['GB/18', 'all'],
  ['BBFC 15', 'all'],
  ['bbfc:PG', 'family'],
  ['15', 'all', 'gb'],
  ['FSK 0', 'family'],
  ['FSK 6', 'family'],
  ['FSK 12', 'teen'],
  ['FSK 16', 'all'],
  ['FSK-18', 'all'],
  ['FSK12', 'teen'],
  ['DE:16', 'all'],
  ['DE-12', 'teen'],
  ['de:6', 'family'],
  ['Germany:12', 'teen'],
  ['au:M', 'teen'],
  ['AU:MA15+', 'all'],
  ['AU:MA 15+', 'all'],
  ['AU-PG', 'family'],
  ['AU:R18+', 'all'],
  ['M', 'teen', 'au'],
  ['fr:U', 'family'],
  ['FR:12', 'teen'],
  ['FR:-16', 'all'],
  ['Tous publics', 'family', 'fr'],
  ['NL:AL', 'family'],
  ['NL:9', 'family'],
  ['Kijkwijzer 12', 'teen'],
  ['NL:16', 'all'],
  ['es:A', 'family'],
  ['ES:TP', 'family'],
  ['ES:7', 'family'],
  ['ES:12', 'teen'],
  ['ES:16', 'all'],
  ['se:Btl', 'family'],
  ['SE:7', 'family'],
  ['SE:11', 'teen'],
  ['SE:15', 'all'],
  ['JP:G', 'family'],
  ['JP:PG12', 'teen'],
  ['JP:R15+', 'all'],
  ['JP:R18+', 'all'],
  ['NO:9', 'family'],
  ['DK:11', 'teen'],
  ['FI:K-16', 'all'],
  ['IT:VM14', 'teen'],
  ['PT:M/12', 'teen'],
  ['BR:L', 'family'],
  ['BR:14', 'teen'],
  ['BR:16', 'all'],
  ['RU:6+', 'family'],
  ['KR:15', 'all'],
  ['ca:14A', 'teen'],
  ['ca:18A', 'all'],
  ['A', 'all'],
  ['A', 'family', 'no'],
  ['A', 'family', 'es'],
  ['in:A', 'all'],
  ['in:UA', 'teen'],
  ['IE:12A', 'teen'],
  ['HK:IIB', 'all'],
  ['16+', 'all'],
  ['12', 'teen'],
  ['6', 'family'],
  ['0', 'family'],
  ['18', 'all'],
  ['USA:PG-13 / UK:12A', 'teen'],
  ['NR / DE:12', 'teen'],
  ['US:R', 'all'],
  ['us:TV-14', 'teen'],
  ['MPAA: PG', 'family'],
  ['', 'all'],
  ['NR', 'all'],
  ['Not Rated', 'all'],
  ['Unrated', 'all'],
  ['N/A', 'all'],
  ['banana', 'all'],
  ['DE:banana', 'all'],
  ['__proto__', 'all'],
  ['constructor', 'all'],
  ['1999', 'all'],
  ['Level 6', 'all'],
  ['xx:12', 'teen'],
  ['from 12 years', 'teen'],
  ['T', 'teen'],
  ['constructor:6', 'all'],
];

test('ratings fall under their ceiling', () => {
  for (const [rating, want, country] of ROWS)
    assert.equal(ceilingOf(rating, country), want, `${rating} ${country ?? ''}`);
});

test('a missing rating is seen only without a ceiling', () => {
  assert.equal(isRatingWithin('teen', undefined), false);
  assert.equal(isRatingWithin('all', undefined), true);
  assert.equal(isRatingWithin('teen', 'PG'), true);
  assert.equal(isRatingWithin('family', 'PG-13'), false);
});

test('any rating has a ceiling', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 120 }),
      fc.option(fc.string({ maxLength: 3 }), { nil: undefined }),
      (rating, country) => {
        assert.ok(['family', 'teen', 'all'].includes(ceilingOf(rating, country)));
      },
    ),
  );
  for (const country of ['__proto__', 'constructor', 'toString']) assert.equal(ceilingOf('16', country), 'all');
});
