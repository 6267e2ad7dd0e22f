/** Rows for release names: realistic names, what each part of them says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/fast-check.ts';
import { parseRelease, parseReleaseText, type Release } from './release-name.ts';
import { findNumbers, seasonFolder } from './release/numbers.ts';

const ROWS: readonly [name: string, want: Partial<Release>][] = [
  [
    'The.Harbour.Light.1999.1080p.BluRay.x264-KESTREL',
    { title: 'The Harbour Light', year: 1999, resolution: '1080p', source: 'bluray', codec: 'h264', group: 'KESTREL' },
  ],
  ['The.Harbour.Light.1999.1080p.BluRay.x264-KESTREL.mkv', { title: 'The Harbour Light', group: 'KESTREL' }],
  [
    'Winter Road (2021) 2160p UHD BluRay REMUX DV HDR10 HEVC TrueHD 7.1 Atmos-NORTH',
    {
      title: 'Winter Road',
      year: 2021,
      resolution: '2160p',
      source: 'remux',
      hdr: ['dolby vision', 'hdr10'],
      codec: 'h265',
      audio: 'truehd atmos',
      channels: '7.1',
      group: 'NORTH',
    },
  ],
  [
    'Paper.Moons.2018.WEB-DL.1080p.NF.DDP5.1.H.264-TIDE',
    {
      title: 'Paper Moons',
      year: 2018,
      source: 'web-dl',
      service: 'Netflix',
      audio: 'eac3',
      channels: '5.1',
      codec: 'h264',
      group: 'TIDE',
    },
  ],
  [
    'Paper.Moons.2018.1080p.AMZN.WEBRip.AAC2.0.x265-TIDE',
    { service: 'Amazon', source: 'webrip', audio: 'aac', channels: '2.0', codec: 'h265' },
  ],
  [
    'Ninth.Floor.DTS-HD.MA.5.1.1080p.Blu-ray.AVC-ROCK',
    { title: 'Ninth Floor', audio: 'dts-hd ma', channels: '5.1', source: 'bluray', codec: 'h264', group: 'ROCK' },
  ],
  ['Ninth Floor 1080p WEB-DL', { title: 'Ninth Floor', source: 'web-dl', resolution: '1080p' }],
  [
    'Old.Mill.EXTENDED.2003.720p.BRRip.XviD.AC3-ABCD',
    { year: 2003, source: 'bluray', codec: 'xvid', audio: 'ac3', group: 'ABCD' },
  ],
  ['Old.Mill.2003.EXTENDED.720p.BluRay', { edition: 'Extended' }],
  ['Old.Mill.2003.Directors.Cut.1080p.BluRay.x264', { title: 'Old Mill', edition: "Director's Cut" }],
  ["Old Mill (2003) Director's Cut", { title: 'Old Mill', year: 2003, edition: "Director's Cut" }],
  ['Old.Mill.2003.REMASTERED.PROPER.1080p.BluRay.x264-ABC', { edition: 'Remastered', flags: ['proper'] }],
  [
    'Old.Mill.2003.IMAX.2160p.DSNP.WEB-DL.DDP5.1.Atmos.DV.HDR10+.H.265-XYZ',
    { edition: 'IMAX', service: 'Disney+', audio: 'eac3 atmos', hdr: ['dolby vision', 'hdr10+'], codec: 'h265' },
  ],
  ['Cam.2018.1080p.WEB.x264-STRIFE', { title: 'Cam', year: 2018, source: 'web', codec: 'h264' }],
  ['Max.2015.HDCAM.x264', { title: 'Max', source: 'cam' }],
  ['Los.Faros.2016.SPANISH.1080p.BluRay.x264-GUION', { title: 'Los Faros', year: 2016, languages: ['es'] }],
  ['Der.Steg.2019.German.DL.1080p.BluRay.x264-ELBE', { title: 'Der Steg', languages: ['de'], flags: ['multi'] }],
  ['Le.Quai.2012.MULTi.TRUEFRENCH.1080p.WEB-DL.H264-SEINE', { title: 'Le Quai', languages: ['fr'], flags: ['multi'] }],
  ['Le.Quai.2012.VOSTFR.720p.HDTV.x264', { flags: ['subbed'], source: 'hdtv' }],
  ['Il.Molo.2009.iTA.ENG.AC3.DVDRip.XviD-ARNO', { title: 'Il Molo', languages: ['it', 'en'], source: 'dvd' }],
  ['2001.A.Long.Walk.1968.1080p.BluRay', { title: '2001 A Long Walk', year: 1968 }],
  ['1917.2019.2160p.WEB-DL', { title: '1917', year: 2019 }],
  ['1917 (2019)', { title: '1917', year: 2019, strong: 0 }],
  ['Blade.Runner.2049.2017.1080p', { title: 'Blade Runner 2049', year: 2017 }],
  ['Blade Runner 2049', { title: 'Blade Runner 2049' }],
  ['300.2006.1080p', { title: '300', year: 2006 }],
  ['S.W.A.T.2017.S01E02.720p.HDTV.x264-KILL', { title: 'S.W.A.T.', year: 2017, group: 'KILL' }],
  ['Agents.of.S.H.O.R.E.S01E01.Pilot.1080p', { title: 'Agents of S.H.O.R.E.' }],
  ['Mr. Tide (2010)', { title: 'Mr. Tide', year: 2010 }],
  ['some_old_film_1984_dvdrip', { title: 'some old film', year: 1984, source: 'dvd' }],
  ['the-quiet-lake-2011-1080p-bluray', { title: 'the quiet lake', year: 2011 }],
  ['[Tsuki] Umi no Uta - 07 [1080p][HEVC][A1B2C3D4].mkv', { group: 'Tsuki', resolution: '1080p', codec: 'h265' }],
  ['[1080p] Quiet Lake', { title: 'Quiet Lake' }],
  ['(1999) Quiet Lake', { title: 'Quiet Lake', year: 1999 }],
  ['[1999] Quiet Lake [1080p]', { title: 'Quiet Lake', year: 1999, resolution: '1080p' }],
  ['Quiet.Lake.2011.3D.HSBS.1080p.BluRay.x264', { threeD: '3d' }],
  ['Quiet.Lake.1080p.Half-SBS.BluRay', { threeD: 'half side by side' }],
  ['Quiet.Lake.2011.1920x1080.x264', { resolution: '1080p' }],
  ['Quiet.Lake.2011.10bit.1080p.x265', { bitDepth: 10 }],
  ['Quiet.Lake.2011.4K.HDR', { resolution: '2160p', hdr: ['hdr'] }],
  ['Quiet.Lake.2011.1080p.BluRay.x264-GRP[site]', { group: 'GRP' }],
  ['Quiet.Lake.2011.1080p.BluRay.x264-GRP [tag].mkv', { group: 'GRP' }],
  ['Quiet.Lake.2011.1080p.BluRay.x264.AAC5.1-[KSL.ORG].mp4', { group: 'KSL.ORG', audio: 'aac', channels: '5.1' }],
  ['[REC] (2007)', { title: '[REC]', year: 2007 }],
  ['Спокойное озеро (2011) 1080p', { title: 'Спокойное озеро', year: 2011 }],
  ['静かな湖 (2011) [1080p]', { title: '静かな湖', year: 2011 }],
  [
    'Show.Name.S02E05E06.720p.WEB-DL',
    { title: 'Show Name', numbers: { form: 'sxxeyy', season: 2, episode: 5, episodeEnd: 6, start: 10, end: 19 } },
  ],
  ['Just a name', { title: 'Just a name', strong: 0 }],
  ['', { title: '' }],
];

test('release names are read', () => {
  for (const [name, want] of ROWS) {
    const got = parseRelease(name);
    for (const key of Object.keys(want) as (keyof Release)[]) assert.deepEqual(got[key], want[key], `${name}: ${key}`);
  }
});

const NUMBERS: readonly [
  text: string,
  season: number | undefined,
  episode: number | undefined,
  end?: number | undefined,
  date?: string,
][] = [
  ['Show - S01E02 - Name', 1, 2],
  ['show.s1e2.mkv', 1, 2],
  ['Show S01 E02', 1, 2],
  ['Show.S01.E02', 1, 2],
  ['Show S01EP02', 1, 2],
  ['Show - s01 - e02', 1, 2],
  ['Show S01E01E02', 1, 1, 2],
  ['Show S01E01-E03', 1, 1, 3],
  ['Show S01E01-03', 1, 1, 3],
  ['Show S01E01-S01E03', 1, 1, 3],
  ['Show S01E01 & E02', 1, 1, 2],
  ['Show S01E01+E02', 1, 1, 2],
  ['Show S01E01E02E03E04', 1, 1, 4],
  ['Show S01E01 - 100 Days', 1, 1],
  ['Show.S01E01-720p', 1, 1],
  ['Show S01E05-1080p', 1, 5],
  ['Show 1x02 - Name', 1, 2],
  ['Show.01x02', 1, 2],
  ['Show 1x02x03', 1, 2, 3],
  ['Show 1x02-03', 1, 2, 3],
  ['Show 1x02-1x04', 1, 2, 4],
  ['Show 1920x1080', undefined, undefined],
  ['Show 12x104', 12, 104],
  ['Season 1 Episode 2', 1, 2],
  ['Show Season 01, Episode 02', 1, 2],
  ['Staffel 2 Folge 11', 2, 11],
  ['Saison 3 Épisode 4', 3, 4],
  ['Temporada 1 Capítulo 5', 1, 5],
  ['Сезон 2 Серия 7', 2, 7],
  ['2 сезон 7 серия', 2, 7],
  ['Stagione 1 Episodio 9', 1, 9],
  ['第1季第12集', 1, 12],
  ['Show 第3話', undefined, 3],
  ['Show 12화', undefined, 12],
  ['Episode 12', undefined, 12],
  ['Show Ep 7', undefined, 7],
  ['Show E07', undefined, 7],
  ['Show E07-E08', undefined, 7, 8],
  ['Cap.102', 1, 2],
  ['Show S2010E05', 2010, 5],
  ['Show.2011.11.15.Guest', undefined, undefined, undefined, '2011-11-15'],
  ['Show 2011-11-15', undefined, undefined, undefined, '2011-11-15'],
  ['Show 15.11.2011', undefined, undefined, undefined, '2011-11-15'],
  ['Show 2011.02.30', undefined, undefined],
  ['Film 1999', undefined, undefined],
  ['S1m0ne', undefined, undefined],
  ['x264', undefined, undefined],
  ['Apollo 13', undefined, undefined],
  ['Show S01E02a', 1, 2],
  ['Grapes 2', undefined, undefined],
];

test('season and episode numbers are found as they are written', () => {
  for (const [text, season, episode, end, date] of NUMBERS) {
    const got = findNumbers(text);
    assert.deepEqual([got?.season, got?.episode, got?.episodeEnd, got?.date], [season, episode, end, date], text);
  }
});

const FOLDERS: readonly [name: string, season: number | undefined][] = [
  ['Season 1', 1],
  ['Season 01', 1],
  ['season_2', 2],
  ['S01', 1],
  ['s3', 3],
  ['Series 4', 4],
  ['Staffel 2', 2],
  ['Saison 3', 3],
  ['Temporada 1', 1],
  ['Stagione 5', 5],
  ['Сезон 1', 1],
  ['2 сезон', 2],
  ['1ª Temporada', 1],
  ['2nd Season', 2],
  ['Säsong 1', 1],
  ['Sæson 2', 2],
  ['Sesong 3', 3],
  ['Seizoen 4', 4],
  ['Kausi 5', 5],
  ['3. évad', 3],
  ['第1季', 1],
  ['第三季', 3],
  ['시즌 2', 2],
  ['シーズン 2', 2],
  ['Specials', 0],
  ['Season 0', 0],
  ['Season 00', 0],
  ['Especiales', 0],
  ['OVA', 0],
  ['Season 1 (2010)', 1],
  ['Season 2 - The Return', 2],
  ['Season 2010', 2010],
  ['Season III', 3],
  ['Volume 2', 2],
  ['Show Name', undefined],
  ['Seasons of Love', undefined],
  ['Seasons', undefined],
  ['S.W.A.T', undefined],
  ['24', undefined],
  ['Sezon 1', 1],
];

test('season folders are known in many languages', () => {
  for (const [name, season] of FOLDERS) assert.equal(seasonFolder(name)?.season, season, name);
});

test('any text is read without an error', () => {
  const soup = fc.string({
    unit: fc.constantFrom(
      ...'sSeE0123456789x.-_ []()pPtTdDvV+第季話',
      '1080p',
      'x264',
      '(1999)',
      'S01E02',
      'É',
      '\u0000',
      '😀',
    ),
    maxLength: 200,
  });
  fc.assert(
    fc.property(soup, (name) => {
      const got = parseRelease(name);
      assert.ok(got.wordsAt <= name.length);
      seasonFolder(name);
    }),
  );
});

test('very long names are read', () => {
  for (const piece of ['.', '-', 'S01E', '1x', ' (', '1999', '[a]', 'E01-', 'I.', 'a-', 'season ', '1080p.'])
    parseRelease(piece.repeat(10_000 / piece.length));
  for (const piece of ['.', '-', 'S01E', '1x', '1999.', 'E01-', 'season '])
    findNumbers(piece.repeat(10_000 / piece.length));
});

test('a name parsed as a film and as any kind has a result for each, in whichever order', () => {
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(
      [parseReleaseText('4x4 (2019)').numbers?.form, parseReleaseText('4x4 (2019)', 'film').numbers],
      ['nxnn', undefined],
    );
    // More names than are kept.
    for (let n = 0; n < 600; n++) assert.equal(parseReleaseText(`Film ${n} (1999)`).title, `Film ${n}`);
  }
});
