/** The ages of certifications: a table of ways to write them, every mark of the table, and hostile texts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/fast-check.ts';
import { ageOf, examplesOf, MAX_AGE, RATED_COUNTRIES } from './ages.ts';
import { CERTIFICATIONS, EXEMPT, UNRATED_WORDS } from './certifications.ts';

/** Undefined: unrated. The third member is the country of the household. */
const ROWS: readonly [rating: string, age: number | undefined, household?: string][] = [
  // The United States, with and without the country.
  ['G', 0],
  ['PG', 10],
  ['PG-13', 13],
  ['NC-17', 18],
  ['R', 17, 'us'],
  ['Rated PG-13', 13],
  ['Rated PG-13 for some violence, and language', 13],
  ['Rated: PG', 10],
  ['MPAA: PG', 10],
  ['USA:PG-13', 13],
  ['USA: R', 17],
  ['US-PG-13', 13],
  ['US-TV-MA', 17],
  ['us:TV-14', 14],
  ['us-tv:TV-14', 14],
  ['TV-Y', 0],
  ['TV-Y7', 7],
  ['TV-Y7-FV', 7],
  ['TV-PG', 10],
  ['TV-14-LV', 14],
  ['TVPG', 10],
  ['TV-MA', 17],
  ['TV-MA-LSV', 17],
  ['Approved', 10],
  // Britain and Ireland.
  ['U', 0],
  ['gb:U', 0],
  ['UK:PG', 8],
  ['UK:12A', 12],
  ['gb-15', 15],
  ['GB/18', 18],
  ['BBFC 15', 15],
  ['PG', 8, 'gb'],
  ['IE:12A', 12],
  ['Ireland:15A', 15],
  // Germany, Austria, Switzerland.
  ['DE:FSK 12', 12],
  ['FSK-12', 12],
  ['FSK12', 12],
  ['FSK: 6', 6],
  ['de-12', 12],
  ['de/16', 16],
  ['Germany:12', 12],
  ['West Germany:18', 18],
  ['FSK 0', 0],
  ['ab 12', 12],
  ['ab 12 Jahren', 12],
  ['AT:10', 10],
  ['CH-14', 14],
  // The rest of Europe.
  ['Tous publics', 0],
  ['FR:-16', 16],
  ['Kijkwijzer 12', 12],
  ['NL:AL', 0],
  ['BE:KNT/ENA', 16],
  ['ES:7/i', 7],
  ['A', 0, 'es'],
  ['IT:VM14', 14],
  ['VM 18', 18],
  ['PT:M/12', 12],
  ['GR:K-12', 12],
  ['se:Btl', 0],
  ['SE-11', 11],
  ['NO:A', 0],
  ['DK:A', 0],
  ['DK:F', undefined],
  ['FI:K-16', 16],
  ['IS:L', 0],
  ['EE:MS-6', 6],
  ['LV:7+', 7],
  ['LT:N-13', 13],
  ['PL:BO', 0],
  ['CZ:15+', 15],
  ['SK:MP 12', 12],
  ['HU:KN', 0],
  ['RO:AP-12', 12],
  ['BG:C', 12],
  ['HR:15', 15],
  ['SI:12', 12],
  ['RU:6+', 6],
  ['UA:16+', 16],
  ['TR:13A', 13],
  ['Genel İzleyici', 0],
  // The Americas.
  ['CA:14A', 14],
  ['CA-QC:13+', 13],
  ['ca-qc-13+', 13],
  ['Ontario:AA', 14],
  ['BR:L', 0],
  ['BR:A14', 14],
  ['MX:AA', 0],
  ['MX:B-15', 15],
  ['AR:SAM 13', 13],
  ['CL:TE+7', 7],
  ['CO:15', 15],
  ['PE:14', 14],
  // Asia, Africa and Oceania.
  ['IN:UA', 12],
  ['U/A', 12],
  ['U/A 13+', 13],
  ['UA 16+', 16],
  ['IN:A', 18],
  ['JP:PG12', 12],
  ['EIRIN:R15+', 15],
  ['KR:15', 15],
  ['South Korea:19', 19],
  ['HK:IIB', 16],
  ['Hong Kong:III', 18],
  ['TW:PG12', 12],
  ['SG:R21', 21],
  ['SG:NC16', 16],
  ['MY:P13', 13],
  ['TH:น 13+', 13],
  ['PH:R-16', 16],
  ['ID:21+', 21],
  ['VN:C16', 16],
  ['AU:MA 15+', 15],
  ['M', 15, 'au'],
  ['NZ:M', 16],
  ['NZ:RP13', 13],
  ['ZA:10-12PG', 10],
  ['IL:14+', 14],
  ['AE:18TC', 18],
  ['SA:R15', 15],
  ['EG:12+', 12],
  ['NG:12A', 12],
  ['KE:GE', 0],
  // No country: the household's, else the strictest reading.
  ['A', 18],
  ['A', 0, 'no'],
  ['A', 18, 'in'],
  ['M', 17],
  ['R', 18],
  ['K', 13],
  ['K', 0, 'gr'],
  ['12', 12],
  ['15', 15],
  ['12+', 12],
  ['-16', 16],
  ['16', 16, 'de'],
  ['from 12 years', 12],
  ['PG-13', 13, 'de'],
  ['xx:12', 12],
  // Several: that of the household's country, else the strictest.
  ['USA:PG-13 / UK:12A', 13],
  ['USA:PG-13 / UK:12A', 12, 'gb'],
  ['USA:R / Germany:12', 17],
  ['USA:R / Germany:12', 12, 'de'],
  ['NR / DE:12', 12],
  ['DE:banana / US:PG', 10],
  // Unrated, and what only looks like a rating.
  ['', undefined],
  ['NR', undefined],
  ['Not Rated', undefined],
  ['Unrated', undefined],
  ['US:NR', undefined],
  ['N/A', undefined],
  ['?', undefined],
  ['E', undefined],
  ['banana', undefined],
  ['DE:banana', undefined],
  ['xx:PG-banana', undefined],
  ['Level 6', undefined],
  ['12 años', 12],
  ['Season 1', undefined],
  ['1999', undefined],
  ['22', undefined],
  ['99', undefined],
  ['0x12', undefined],
  ['1e1', undefined],
  ['12.5', undefined],
  ['__proto__', undefined],
  ['constructor', undefined],
  ['constructor:6', undefined],
  ['toString:0', undefined],
];

test('certifications stand for ages', () => {
  for (const [rating, age, household] of ROWS)
    assert.equal(ageOf(rating, household), age, `${rating} in ${household ?? 'no country'}`);
});

test('every mark of the table is read as its own country does, in every way of writing', () => {
  let count = 0;
  for (const [country, byAge] of Object.entries(CERTIFICATIONS))
    for (const [age, marks] of Object.entries(byAge))
      for (const mark of marks.split(',').map((one) => one.trim())) {
        for (const text of [`${country}:${mark}`, `${country.toUpperCase()}: ${mark.toLowerCase()}`])
          assert.equal(ageOf(text), Number(age), text);
        assert.equal(ageOf(mark, country), Number(age), `${mark} at home in ${country}`);
        const bare = ageOf(mark);
        assert.ok(bare === undefined || bare >= Number(age), `${mark} without a country is not below ${country}`);
        count++;
      }
  for (const [country, marks] of Object.entries(EXEMPT))
    for (const mark of marks.split(',')) assert.equal(ageOf(`${country}:${mark.trim()}`), undefined);
  for (const word of UNRATED_WORDS.split(',')) assert.equal(ageOf(word.trim()), undefined, word);
  assert.ok(count > 400 && RATED_COUNTRIES.length > 60, `${count} marks of ${RATED_COUNTRIES.length} countries`);
});

test('examples of a country are read back as their ages', () => {
  for (const country of RATED_COUNTRIES)
    for (const { age, ratings } of examplesOf(country))
      for (const rating of ratings) assert.equal(ageOf(rating, country), age, `${country} ${rating}`);
  assert.deepEqual(examplesOf('cn'), []);
  assert.deepEqual(examplesOf('__proto__'), []);
});

/**
 * Marks that the words "teen" and "all" held before ages replaced "family" (now 7) and "teen" (now 13). A Profile
 * must not
 * see more than it did, so these may not fall below 8 and 14.
 */
const FORMERLY = {
  teen: {
    any: 'T,PG-13,PG13,PG12,PG-12,PG15,TV-13,TV-14,12A,TEEN,M/12,14A,R13',
    us: 'GP',
    gb: '12,12A',
    ie: '12,12A,12RA',
    au: 'M',
    nz: 'M,R13,RP13',
    ca: '13+,14A,14+,PA',
    de: '12,FSK12',
    at: '12,14',
    ch: '12,14',
    fr: '12,-12',
    nl: '12,14',
    be: '12,14',
    es: '12,13',
    pt: 'M/12,M/14,12,14',
    it: 'VM12,VM14,14+,12+',
    se: '11',
    no: '12',
    dk: '11',
    fi: 'K12,K-12,12',
    is: '12,14',
    pl: '12',
    cz: '12,12+',
    hu: '12',
    ro: 'AP-12,AP12,12',
    gr: 'K12,K-12,12',
    ru: '12+',
    ua: '12+',
    tr: '13A,13+,12A',
    br: '12,14,A12,A14',
    mx: 'B,B12',
    ar: 'SAM13,SAM 13,13',
    in: 'UA,U/A,UA13+,U/A 13+',
    jp: 'PG12,PG-12',
    kr: '12,12+',
    hk: 'IIA',
    tw: '12+,PG12',
    sg: 'PG13',
    my: '13,P13',
    th: '13,13+',
    za: '13',
  },
  all: {
    any: 'R,NC-17,X,XXX,TV-MA,MA,MA15+,MA-17,R18,R18+,X18+,18A,A,AO,18+,R-18',
    gb: '15,18,R18',
    ie: '15,15A,15RA,16,18',
    au: 'MA15+,MA 15+,MA15,AV15+,R18+,X18+,RC',
    nz: 'R15,R16,RP16,R18,RP18',
    ca: '16+,18A,18+,R,A,E',
    de: '16,18,FSK16,FSK18',
    at: '16,18',
    ch: '16,18',
    fr: '16,-16,18,-18,X',
    nl: '16,18',
    be: '16,18,KNT,KNT/ENA',
    es: '16,18,X',
    pt: 'M/16,M/18,16,18,P',
    it: 'VM18,18+',
    se: '15',
    no: '15,18',
    dk: '15,F',
    fi: 'K16,K-16,K18,K-18,16,18',
    is: '16,18',
    pl: '15,16,18',
    cz: '15,15+,18,18+',
    hu: '16,18,X',
    ro: 'N-15,N15,15,IM-18,18,IM-18-XXX',
    gr: 'K16,K-16,K17,K18,K-18',
    ru: '16+,18+',
    ua: '16+,18+',
    tr: '16+,18+',
    br: '16,18,A16,A18',
    mx: 'B15,B-15,C,D',
    ar: 'SAM16,SAM 16,SAM18,SAM 18,C',
    in: 'A,S,UA16+,U/A 16+',
    jp: 'R15+,R-15,R15,R18+,R-18,R18',
    kr: '15,15+,18,19,19+,RESTRICTED SCREENING',
    hk: 'IIB,III',
    tw: '15+,18+,PG15,R',
    sg: 'NC16,M18,R21',
    my: '16,18,18SG,18SX,18PA,18PL',
    th: '15,15+,18,18+,20,20-',
    za: '16,18,X18',
  },
};

test('nothing that the former words kept from a Profile falls below the age that replaces them', () => {
  for (const [marks, least] of [
    [FORMERLY.teen, 8],
    [FORMERLY.all, 14],
  ] as const)
    for (const [country, list] of Object.entries(marks))
      for (const mark of list.split(',')) {
        const age = ageOf(country === 'any' ? mark : `${country}:${mark}`);
        assert.ok(age === undefined || age >= least, `${country}:${mark} is ${age}`);
      }
});

test('any text is read without an error, as an age or as unrated', () => {
  const piece = fc.constantFrom(
    ...['DE', ':', '-', '/', ' / ', 'PG', 'FSK ', '12', '+', 'Rated ', ';', '\u0000', '𝟙𝟚', 'İ'],
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.array(piece, { maxLength: 30 }).map((all) => all.join('')),
      ),
      fc.option(fc.string({ maxLength: 12 }), { nil: undefined }),
      (rating, household) => {
        const age = ageOf(rating, household);
        assert.ok(age === undefined || (Number.isInteger(age) && age >= 0 && age <= MAX_AGE));
      },
    ),
    { seed: 7, numRuns: 1_000 },
  );
  for (const country of ['__proto__', 'constructor', 'toString']) assert.equal(ageOf('16', country), 16);
});

test('a word that no table has is unrated, whatever is around it', () => {
  const word = fc.string({ unit: fc.constantFrom(...'jqzw'), minLength: 3, maxLength: 12 });
  fc.assert(
    fc.property(word, fc.constantFrom('', 'DE:', 'gb-', 'Rated ', 'USA: '), (text, before) => {
      assert.equal(ageOf(before + text), undefined);
    }),
    { seed: 7 },
  );
});

test('long and crowded texts are unrated, in little time', () => {
  for (const text of ['12 / '.repeat(1_000), 'DE:'.repeat(200_000), '-'.repeat(399), 'a-'.repeat(199), ' '.repeat(1e6)])
    assert.equal(ageOf(text), undefined);
  assert.equal(ageOf(Array.from({ length: 41 }, () => '12').join(';')), undefined);
});
