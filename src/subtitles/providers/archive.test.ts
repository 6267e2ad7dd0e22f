/**
 * Which file of an archive is extracted, and which archives are refused. Hostile archives are in the conformance suite
 * of providers.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeZip } from '../../../test/stand-ins/zip.ts';
import { extractSubtitle } from './archive.ts';
import { type ProviderQuery, type Candidate, MAX_SUBTITLE_BYTES, ProviderFault } from './provider.ts';

/** A plain archive of named members. */
const zip = (members: Record<string, string | Buffer>): Buffer =>
  makeZip(
    Object.entries(members).map(([name, content]) => ({
      name,
      data: typeof content === 'string' ? Buffer.from(content) : content,
    })),
  );

const film: ProviderQuery = {
  kind: 'movie',
  title: 'Film',
  year: 2001,
  language: 'en',
  fileName: 'Film.2001.1080p.BluRay.x264-GRP.mkv',
};
const part: ProviderQuery = {
  kind: 'episode',
  title: 'Show',
  season: 1,
  episode: 2,
  language: 'en',
  fileName: 'Show.S01E02.mkv',
};
const offer: Candidate = { provider: 'subtitles_a', id: '1', language: 'en', releases: [], pack: false, file: '1' };
const pack = { ...offer, pack: true };
const named = (...names: string[]) => zip(Object.fromEntries(names.map((name) => [name, `bytes of ${name}`])));
const take = async (bytes: Uint8Array, ask = film, candidate = offer) =>
  extractSubtitle(bytes, 'given.srt', { candidate, ask }).then(
    ({ name }) => name,
    (error: unknown) => (error instanceof ProviderFault ? error.kind : assert.fail(String(error))),
  );

const rows: readonly [title: string, ask: ProviderQuery, candidate: Candidate, names: string[], taken: string][] = [
  ['alone', film, offer, ['a.srt'], 'a.srt'],
  ['in a folder', film, offer, ['Subs/', 'Subs/a.srt', 'readme.txt'], 'a.srt'],
  ['text before others', film, offer, ['a.ass', 'a.srt', 'a.vtt'], 'a.srt'],
  [
    'the release that is ours',
    film,
    offer,
    ['Film.2001.DVDRip-OLD.srt', 'Film.2001.1080p.BluRay.x264-GRP.srt'],
    'Film.2001.1080p.BluRay.x264-GRP.srt',
  ],
  ['plain before hearing impaired', film, offer, ['Film.2001.1080p.BluRay.x264-GRP.SDH.srt', 'Film.srt'], 'Film.srt'],
  [
    'hearing impaired when preferred',
    { ...film, hearingImpaired: 'prefer' },
    offer,
    ['Film.SDH.srt', 'Film.srt'],
    'Film.SDH.srt',
  ],
  ['our language', film, offer, ['Film.fr.srt', 'Film.en.srt', 'Film.de.srt'], 'Film.en.srt'],
  ['only another language', film, offer, ['Film.fr.srt'], 'not-found'],
  ['forced is not the whole', film, offer, ['Film.forced.srt'], 'not-found'],
  ['forced when wanted', { ...film, forced: true }, offer, ['Film.srt', 'Film.forced.srt'], 'Film.forced.srt'],
  ['our episode of a pack', part, pack, ['Show.S01E01.srt', 'Show.S01E02.srt', 'Show.S01E03.srt'], 'Show.S01E02.srt'],
  ['our episode under another numbering', part, pack, ['Show 1x01.srt', 'Show 1x02.srt'], 'Show 1x02.srt'],
  ['a pack without our episode', part, pack, ['Show.S01E01.srt', 'Show.S01E03.srt'], 'not-found'],
  ['the same episode of another season', part, pack, ['Show.S02E02.srt'], 'not-found'],
  ['several that name no episode', part, offer, ['a.srt', 'b.srt'], 'not-found'],
  ['a pack with one that names no episode', part, pack, ['a.srt'], 'not-found'],
  ['one that names no episode', part, offer, ['a.srt'], 'a.srt'],
  ['an episode for a film', film, offer, ['Show.S01E02.srt'], 'not-found'],
  ['nothing that is a subtitle', film, offer, ['a.txt', 'b.nfo', '.hidden.srt', '__MACOSX/a.srt'], 'not-found'],
  ['folders up and away', film, offer, ['x/../../a.srt'], 'hostile'],
  ['a drive', film, offer, ['C:/a.srt'], 'hostile'],
];
for (const [title, ask, candidate, names, taken] of rows)
  test(`archive: ${title}`, async () => assert.equal(await take(named(...names), ask, candidate), taken));

test('a plain file is returned byte for byte', async () => {
  const bytes = Buffer.from([0xff, 0xfe, 0x31, 0x00]);
  assert.deepEqual((await extractSubtitle(bytes, 'x.srt', { candidate: offer, ask: film })).bytes, bytes);
});
test('too large is refused, in an archive and out of it', async () => {
  const random = Buffer.from(Array.from({ length: MAX_SUBTITLE_BYTES + 1 }, (_, n) => (n * 2654435761) >>> 24));
  assert.equal(await take(zip({ 'a.srt': random })), 'hostile');
  assert.equal(await take(Buffer.alloc(MAX_SUBTITLE_BYTES + 1, 65)), 'hostile');
});
test('a small zip bomb is refused too', async () => {
  assert.equal(await take(zip({ 'a.srt': Buffer.alloc(3 * 1024 * 1024, 65) })), 'hostile');
  assert.equal(await take(zip({ 'a.srt': Buffer.alloc(900 * 1024, 65) })), 'a.srt');
});
test('an archive that is cut anywhere is refused, never half read', async () => {
  const whole = named('a.srt', 'b.srt');
  for (let length = 5; length < whole.length; length++)
    assert.equal(await take(whole.subarray(0, length)), 'hostile', String(length));
});
test('an archive entry that was changed is refused', async () => {
  const bytes = zip({ 'a.srt': 'x'.repeat(50) });
  // The size in both headers stays; the deflated stream now ends early.
  bytes[35] = 0x03;
  assert.equal(await take(bytes), 'hostile');
});
test('markup that is a subtitle is not taken for a web page', async () => {
  assert.equal(
    await take(Buffer.from('<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml"></tt>')),
    'given.srt',
  );
  assert.equal(await take(Buffer.from('<SAMI><BODY></BODY></SAMI>')), 'given.srt');
  assert.equal(await take(Buffer.from('  <!DOCTYPE HTML><html></html>')), 'hostile');
});

const double: ProviderQuery = { ...part, episode: 1, episodeEnd: 2, fileName: 'Show.S01E01E02.mkv' };
const second: ProviderQuery = { ...part, season: 2, episode: 5, fileName: 'Show.S02E05.1080p.WEB.h264-GRP.mkv' };
const anime: ProviderQuery = { ...part, season: 1, episode: 7, fileName: '[Group] Show - 07 [1080p].mkv' };
const late: ProviderQuery = { ...part, season: 1, episode: 31, fileName: '[Group] Show - 31 [1080p].mkv' };
const special: ProviderQuery = { ...part, season: 0, episode: 3, fileName: 'Show.S00E03.mkv' };
const { season: _season, episode: _episode, ...bare } = part;
const daily: ProviderQuery = { ...bare, fileName: 'Show.2024.05.06.Guest.1080p.WEB.h264-GRP.mkv' };
const many = (name: (n: string) => string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => name(String(from + n).padStart(2, '0')));

const packs: readonly [title: string, ask: ProviderQuery, candidate: Candidate, names: string[], taken: string][] = [
  ['one of many', part, pack, many((n) => `Show.S01E${n}.srt`, 1, 24), 'Show.S01E02.srt'],
  [
    'of several seasons',
    second,
    pack,
    ['S01/Show.S01E05.srt', 'S02/Show.S02E05.srt', 'S03/Show.S03E05.srt'],
    'Show.S02E05.srt',
  ],
  [
    'the release that is ours, of two of the same episode',
    second,
    pack,
    ['Show.S02E05.1080p.WEB.h264-OTHER.srt', 'Show.S02E05.GRP.srt'],
    'Show.S02E05.GRP.srt',
  ],
  ['a double episode', double, pack, ['Show.S01E01E02.srt', 'Show.S01E03.srt'], 'Show.S01E01E02.srt'],
  ['a double episode under another writing', double, pack, ['Show.1x01-02.srt', 'Show.1x03.srt'], 'Show.1x01-02.srt'],
  ['no half of a double episode', double, pack, ['Show.S01E01.srt', 'Show.S01E02.srt'], 'not-found'],
  ['no double for half of it', part, pack, ['Show.S01E01E02.srt', 'Show.S01E03.srt'], 'not-found'],
  ['numbers alone', anime, pack, many((n) => `[Subs] Show - ${n} [720p].ass`, 1, 12), '[Subs] Show - 07 [720p].ass'],
  ['numbers alone, a second version', anime, pack, ['Show - 06.ass', 'Show - 07v2.ass'], 'Show - 07v2.ass'],
  ['nothing but numbers', anime, pack, many((n) => `${n}.srt`, 1, 12), '07.srt'],
  [
    'counted over the seasons, as our own name is',
    late,
    pack,
    many((n) => `[Subs] Show - ${n}.ass`, 25, 36),
    '[Subs] Show - 31.ass',
  ],
  [
    'numbers within a later season',
    second,
    { ...pack, season: 2 },
    many((n) => `Show - ${n}.srt`, 1, 10),
    'Show - 05.srt',
  ],
  [
    'numbers over all seasons say nothing about a later one',
    second,
    { ...pack, season: 2 },
    many((n) => `Show - ${n}.srt`, 3, 36),
    'not-found',
  ],
  ['numbers of a pack whose season nobody states', second, pack, many((n) => `Show - ${n}.srt`, 1, 10), 'not-found'],
  ['numbers without the one', anime, pack, ['Show - 06.ass', 'Show - 08.ass'], 'not-found'],
  [
    'a number within the season that its name states',
    anime,
    pack,
    [
      '[Subs] Show S2 - 07.ass',
      '[Subs] Show Season 3 - 07.ass',
      '[Subs] Show 4th Season - 07.ass',
      '[Subs] Show - 07.ass',
    ],
    '[Subs] Show - 07.ass',
  ],
  [
    'a number of another season alone',
    anime,
    pack,
    ['[Subs] Show S2 - 07.ass', '[Subs] Show 2nd Season - 07.ass'],
    'not-found',
  ],
  [
    'a number of our season',
    second,
    pack,
    ['[Subs] Show S2 - 04.ass', '[Subs] Show S2 - 05 [1080p].ass', '[Subs] Show S3 - 05.ass'],
    '[Subs] Show S2 - 05 [1080p].ass',
  ],
  [
    'a number of our season, in words',
    second,
    pack,
    ['[Subs] Show 1st Season - 05.ass', '[Subs] Show 2nd Season - 05.ass'],
    '[Subs] Show 2nd Season - 05.ass',
  ],
  [
    'our own number counts within a later season, and theirs over all of them',
    { ...second, fileName: '[Group] Show - 05.mkv' },
    pack,
    many((n) => `Show - ${n}.srt`, 1, 24),
    'not-found',
  ],
  [
    'both count within a later season',
    { ...second, fileName: '[Group] Show - 05.mkv' },
    { ...pack, season: 2 },
    many((n) => `Show - ${n}.srt`, 1, 10),
    'Show - 05.srt',
  ],
  [
    'our own number counts over all seasons, as theirs do',
    { ...second, fileName: '[Group] Show - 17.mkv' },
    pack,
    many((n) => `Show - ${n}.srt`, 1, 24),
    'Show - 17.srt',
  ],
  [
    'a special is not the episode of that number alone',
    { ...special, fileName: '[Group] Show - 03.mkv' },
    pack,
    many((n) => `Show - ${n}.srt`, 1, 12),
    'not-found',
  ],
  [
    'an episode between two others',
    anime,
    pack,
    ['Show - 06.5.ass', 'Show - 07.5 [1080p].ass', '07.5.srt'],
    'not-found',
  ],
  [
    'a number before a resolution',
    anime,
    pack,
    ['Show.-.06.1080p.WEB.srt', 'Show.-.07.1080p.WEB.srt'],
    'Show.-.07.1080p.WEB.srt',
  ],
  ['a special', special, pack, ['Show.S00E02.srt', 'Show.S00E03.srt', 'Show.S01E03.srt'], 'Show.S00E03.srt'],
  ['a special is not the episode of that number', special, pack, ['Show.S01E03.srt', 'Show.S02E03.srt'], 'not-found'],
  ['a day', daily, pack, ['Show.2024.05.06.srt', 'Show.2024.05.07.srt'], 'Show.2024.05.06.srt'],
  ['another day', daily, pack, ['Show.2024.05.07.srt', 'Show.2024.05.08.srt'], 'not-found'],
  ['a day alone in an archive', daily, offer, ['Show.2024.05.07.srt'], 'not-found'],
  [
    'another language, by its folder',
    part,
    pack,
    ['French/Show.S01E02.srt', 'English/Show.S01E02.srt'],
    'Show.S01E02.srt',
  ],
  ['only another language, by its folder', part, pack, ['French/Show.S01E02.srt', 'de/Show.S01E02.srt'], 'not-found'],
  [
    'only another language, by its name',
    part,
    pack,
    ['Show.S01E02.French.srt', 'Show S01E02 (German).srt', 'Show.S01E02.pt-br.srt', 'Show S01E02 [it].srt'],
    'not-found',
  ],
  [
    'our language, by its name',
    part,
    pack,
    ['Show.S01E02.Spanish.srt', 'Show.S01E02.English.srt'],
    'Show.S01E02.English.srt',
  ],
  ['a piece of a film', film, offer, ['Film.CD1.srt'], 'not-found'],
  ['two pieces of a film', film, offer, ['Film Disc 1.srt', 'Film Disc 2.srt'], 'not-found'],
  ['two parts that may be films', film, offer, ['Film.Part.1.srt', 'Film.Part.2.srt'], 'not-found'],
  [
    'the disc that our file is',
    { ...film, part: { number: 2, of: 2 } },
    offer,
    ['Film.CD1.srt', 'Film.CD2.srt', 'Film.srt'],
    'Film.CD2.srt',
  ],
  ['no disc of a film in three', { ...film, part: { number: 3, of: 3 } }, offer, ['Film.CD1.srt'], 'not-found'],
  [
    'the part that our film is',
    { ...film, fileName: 'Film.Part.2.2001.mkv' },
    offer,
    ['Film.Part.1.srt', 'Film.Part.2.srt'],
    'Film.Part.2.srt',
  ],
  [
    'a film with numbers in its title',
    { ...film, fileName: '4x4 (2019).mkv' },
    offer,
    ['4x4.2019.srt'],
    '4x4.2019.srt',
  ],
];
for (const [title, ask, candidate, names, taken] of packs)
  test(`of an archive with several: ${title}`, async () =>
    assert.equal(await take(named(...names), ask, candidate), taken));
test('of folders in two languages the right one is used', async () => {
  const got = await extractSubtitle(named('French/Show.S01E02.srt', 'English/Show.S01E02.srt'), 'x', {
    candidate: pack,
    ask: part,
  });
  assert.equal(Buffer.from(got.bytes).toString(), 'bytes of English/Show.S01E02.srt');
});
test('an archive is no larger than it may be, packed or unpacked', async () => {
  const noise = (size: number): Buffer =>
    Buffer.from(Uint32Array.from({ length: size / 4 }, (_, n) => Math.imul(n + 1, 2654435761) ^ (n << 7)).buffer);
  const MIB = 1024 * 1024;
  assert.equal(await take(zip({ 'a.srt': 'x', 'b.bin': noise(9 * MIB) })), 'a.srt');
  assert.equal(await take(zip({ 'a.srt': 'x', 'b.bin': noise(11 * MIB) })), 'hostile');
  const filler = Buffer.alloc(1000 * 1024, 65);
  const filled = (members: number) =>
    zip(
      Object.fromEntries([['a.srt', 'x'], ...Array.from({ length: members }, (_, n) => [`${n}.bin`, filler] as const)]),
    );
  assert.equal(await take(filled(120)), 'a.srt');
  assert.equal(await take(filled(140)), 'hostile', 'more than a season unpacks to, each member within its bounds');
  const members = (count: number) => named(...Array.from({ length: count }, (_, n) => `${n}.txt`), 'a.srt');
  assert.deepEqual([await take(members(399)), await take(members(400))], ['a.srt', 'hostile']);
});
