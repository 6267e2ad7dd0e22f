/** NFO files of Kodi and of others, and hostile ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/fast-check.ts';
import { parseNfo, type Nfo } from './nfo.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (text: string): Nfo => {
  const got = parseNfo(bytes(text));
  assert.ok(got.ok, got.ok ? '' : got.reason);
  return got.nfo;
};
const refused = (input: string | Uint8Array): string => {
  const got = parseNfo(typeof input === 'string' ? bytes(input) : input);
  return got.ok ? 'accepted' : got.reason;
};

const FILM = `<?xml version="1.0" encoding="UTF-8" standalone="yes" ?>
<!-- written by hand -->
<movie>
  <title>Quiet Lake &amp; Loud Sea</title><originaltitle>Stilles Wasser</originaltitle><sorttitle>Quiet Lake 1</sorttitle>
  <ratings>
    <rating name="themoviedb" max="10"><value>6.1</value><votes>1,204</votes></rating>
    <rating name="imdb" max="100" default="true"><value>73</value></rating>
  </ratings>
  <year>1999</year><premiered>1999-03-31</premiered><runtime>136</runtime><mpaa>Rated PG-13</mpaa>
  <plot><![CDATA[A boat < a ship.]]></plot><outline>A boat.</outline><tagline>It&#39;s deep &#x2014; so deep</tagline>
  <genre>Drama</genre><genre>Adventure / Family</genre><studio>Pier Pictures</studio><country>DE</country>
  <director>Ida Holm</director><credits>Tom Reed</credits><writer>Ann Lee</writer><tag>boats</tag>
  <set tmdbcolid="77"><name>Lakes</name><overview>All of them.</overview></set>
  <uniqueid type="imdb" default="true">tt0133093</uniqueid><uniqueid type="tmdb">603</uniqueid>
  <actor><name>Second</name><role>Captain</role><order>1</order></actor>
  <actor><name>First</name><order>0</order><thumb>http://example.org/a.jpg</thumb></actor>
  <actor><name>Third</name><order>2</order><tmdbid>31</tmdbid><imdbid>nm0000158</imdbid>
    <thumb>https://image.tmdb.org/t/p/original/x-1.jpg</thumb></actor>
  <actor><name>Fourth</name><order>3</order><tmdbid>-1</tmdbid><imdbid>nm1/../x</imdbid>
    <thumb>https://image.tmdb.org/t/p/w185/../../x.jpg</thumb></actor>
</movie>`;

test('all members of a film are read', () => {
  const nfo = read(FILM);
  assert.deepEqual(nfo, {
    kind: 'movie',
    title: 'Quiet Lake & Loud Sea',
    originalTitle: 'Stilles Wasser',
    sortTitle: 'Quiet Lake 1',
    year: 1999,
    premiered: '1999-03-31',
    runtime: 136,
    mpaa: 'Rated PG-13',
    plot: 'A boat < a ship.',
    outline: 'A boat.',
    tagline: "It's deep — so deep",
    rating: 7.3,
    ratings: [
      { name: 'themoviedb', value: 6.1, votes: 1204 },
      { name: 'imdb', value: 7.3 },
    ],
    genres: ['Drama', 'Adventure', 'Family'],
    studios: ['Pier Pictures'],
    countries: ['DE'],
    directors: ['Ida Holm'],
    writers: ['Tom Reed', 'Ann Lee'],
    tags: ['boats'],
    set: 'Lakes',
    setId: '77',
    actors: [
      { name: 'First', order: 0 },
      { name: 'Second', role: 'Captain', order: 1 },
      { name: 'Third', order: 2, ids: { tmdb: '31', imdb: 'nm0000158' }, picture: '/x-1.jpg' },
      { name: 'Fourth', order: 3 },
    ],
    ids: { imdb: 'tt0133093', tmdb: '603' },
  });
});

test('shows, episodes and several episodes are read', () => {
  const show = read(
    '<tvshow><title>Pilot Light</title><id>1234</id><premiered>2010-02-30</premiered><year>2010</year></tvshow>',
  );
  assert.deepEqual(
    [show.kind, show.title, show.ids, show.year, show.premiered],
    ['show', 'Pilot Light', { tvdb: '1234' }, 2010, undefined],
  );
  const two = parseNfo(
    bytes(
      '<?xml ' +
        'version="1.0"?>\n<episodedetails><title>One</title><season>1</season><episode>1</episode><aired>' +
        '2010-01-05</aired></episodedetails>\n' +
        '<episodedetails><title>Two</title><season>1</season><episode>2</episode></episodedetails>',
    ),
  );
  assert.ok(two.ok);
  assert.deepEqual(
    two.documents.map(({ title, season, episode }) => [title, season, episode]),
    [
      ['One', 1, 1],
      ['Two', 1, 2],
    ],
  );
  assert.deepEqual([two.nfo.aired, two.nfo.year], ['2010-01-05', 2010]);
});

test('addresses are read, alone and after the elements', () => {
  assert.deepEqual(read('https://www.imdb.com/title/tt0133093/').ids, { imdb: 'tt0133093' });
  assert.deepEqual(read('http://www.themoviedb.org/movie/603-quiet-lake').ids, { tmdb: '603' });
  assert.deepEqual(read('https://www.themoviedb.org/tv/55\nhttps://thetvdb.com/?tab=series&id=1234').ids, {
    tmdb: '55',
    tvdb: '1234',
  });
  assert.deepEqual(read('<movie><title>a</title></movie>\nhttps://www.imdb.com/title/tt0133093/').ids, {
    imdb: 'tt0133093',
  });
  assert.match(refused('see http://example.org/'), /neither/);
});

test('declared encodings are used', () => {
  const latin = Uint8Array.from([
    ...bytes('<?xml version="1.0" encoding="ISO-8859-1"?><movie><title>'),
    0xc9,
    0x74,
    0xe9,
    ...bytes('</title></movie>'),
  ]);
  const got = parseNfo(latin);
  assert.ok(got.ok && got.nfo.title === 'Été');
  assert.equal(read('\ufeff<movie><title>Été</title></movie>').title, 'Été');
  const wide = Buffer.from('\ufeff<movie><title>Été</title></movie>', 'utf16le');
  const widely = parseNfo(wide);
  assert.ok(widely.ok && widely.nfo.title === 'Été');
  assert.match(
    refused(Uint8Array.from([...bytes('<movie><title>'), 0xc9, 0x74, ...bytes('</title></movie>')])),
    /encoding/,
  );
  assert.match(refused('<?xml version="1.0" encoding="x-mystery"?><movie/>'), /encoding/);
});

test('invalid values are left out', () => {
  const nfo = read(
    '<movie><title>  </title><year>banana</year><runtime>2h ' +
      '16m</runtime><rating>11</rating><premiered>1999-13-01</premiered><uniqueid ' +
      'type="imdb">nm1</uniqueid><tmdbid>0</tmdbid><season>-1</season></movie>',
  );
  assert.deepEqual(
    [nfo.title, nfo.year, nfo.runtime, nfo.rating, nfo.premiered, nfo.ids, nfo.season],
    [undefined, undefined, 136, undefined, undefined, {}, undefined],
  );
  assert.equal(
    read('<movie><title>Tom & Jerry &unknown; &amp;lt;</title></movie>').title,
    'Tom & Jerry &unknown; &lt;',
  );
  assert.equal(read('<movie><title>a\u202eb\u0007c</title></movie>').title, 'abc');
});

const HOSTILE: readonly [name: string, text: string, reason: RegExp][] = [
  [
    'entities that grow',
    '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><movie><title>&b;</title></movie>',
    /document type/,
  ],
  ['an outside entity', '<?xml version="1.0"?><!DOCTYPE movie SYSTEM "file:///etc/passwd"><movie/>', /document type/],
  ['a doctype inside', '<movie><!DOCTYPE x><title>a</title></movie>', /document type/],
  ['a style sheet', '<?xml version="1.0"?><?xml-stylesheet href="a"?><movie/>', /processing instruction/],
  ['a late declaration', '<movie><?xml version="1.0"?></movie>', /processing instruction/],
  ['depth', '<movie>'.repeat(65) + '</movie>'.repeat(65), /deeply/],
  ['attributes', `<movie ${Array.from({ length: 65 }, (_, i) => `a${i}="1"`).join(' ')}/>`, /attributes/],
  ['the same attribute twice', '<movie a="1" a="2"/>', /well formed/],
  ['elements', `<movie>${'<a/>'.repeat(20_001)}</movie>`, /too many elements/],
  ['size', `<movie>${' '.repeat(1024 * 1024)}</movie>`, /1 MiB/],
  ['tags that do not match', '<movie><title>a</movie></title>', /match/],
  ['an open element', '<movie><title>a</title>', /not closed/],
  ['an open comment', '<movie><!-- ', /not closed/],
  ['a prototype', '<movie><__proto__><title>x</title></__proto__></movie>', /proper name/],
  ['a constructor', '<movie><constructor/></movie>', /proper name/],
  ['an attribute of the prototype', '<movie __proto__="1"/>', /well formed/],
  ['another document', '<html><body>hello</body></html>', /no film/],
  ['nothing', '', /neither/],
  ['a broken attribute', '<movie a=1/>', /attribute/],
  ['a tag in an attribute', '<movie a="<b>"/>', /attribute/],
];

test('hostile files are refused with a reason', () => {
  for (const [name, text, reason] of HOSTILE) assert.match(refused(text), reason, name);
  assert.equal(({} as Record<string, unknown>)['title'], undefined);
});

test('the maximum nesting is read', () => {
  assert.equal(refused('<movie>' + '<a>'.repeat(63) + '</a>'.repeat(63) + '</movie>'), 'accepted');
});

test('any bytes have a result', () => {
  const piece = fc.constantFrom(
    '<movie>',
    '</movie>',
    '<title>',
    '</title>',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '<!DOCTYPE',
    '<?xml',
    '?>',
    '&amp;',
    '&#0;',
    '&#x110000;',
    '&#xD800;',
    '<a b="c"',
    '/>',
    '<actor><name>x</name></actor>',
    ' ',
    'é',
    '<',
    '>',
    '"',
    "'",
    '=',
    'tt0133093',
    '__proto__',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const got = parseNfo(bytes(pieces.join('')));
      assert.ok(got.ok || got.reason.length > 0);
      const wrapped = parseNfo(bytes(`<movie>${pieces.join('')}</movie>`));
      assert.ok(wrapped.ok || wrapped.reason.length > 0);
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (input) => assert.equal(typeof parseNfo(input).ok, 'boolean')),
  );
  for (const part of ['<', '<a', '<a ', '<a b', '&', '<!--', '<a b="', '<a>', ' '])
    parseNfo(bytes(part.repeat(1_000_000 / part.length)));
});

test('the place of a special is read as Kodi, Jellyfin and Emby write it', () => {
  const airs = (inner: string) => read(`<episodedetails>${inner}</episodedetails>`).airs;
  assert.deepEqual(airs('<displayseason>2</displayseason><displayepisode>3</displayepisode>'), {
    season: 2,
    before: 3,
  });
  assert.deepEqual(airs('<displayseason>2</displayseason><displayepisode>4096</displayepisode>'), { season: 2 });
  assert.deepEqual(airs('<airsbefore_season>1</airsbefore_season><airsbefore_episode>5</airsbefore_episode>'), {
    season: 1,
    before: 5,
  });
  assert.deepEqual(airs('<airsbefore_season>1</airsbefore_season>'), { season: 1, before: 0 });
  assert.deepEqual(airs('<airsafter_season>4</airsafter_season>'), { season: 4 });
  for (const none of [
    '',
    '<displayseason>-1</displayseason><displayepisode>-1</displayepisode>',
    '<displayepisode>2</displayepisode>',
  ])
    assert.equal(airs(none), undefined, none);
});
