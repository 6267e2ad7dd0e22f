/** Table of file paths and their guesses. The other names of a file's folder are those of the rows around it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/fast-check.ts';
import { fold } from '../naming/text.ts';
import type { Guess, GuessInput } from '../naming/types.ts';
import { kinds } from './index.ts';

const guess = ({ kind, ...file }: GuessInput): Guess => kinds.guess({ library: kind, ...file }) as Guess;

type Row = readonly [kind: GuessInput['kind'], path: string, says: string, siblings?: readonly string[]];

/** `movie Title (1999) {tmdb-1} v=… ed=… p=1` and `episode Show (2010) S1E2-3 "Name" abs=… date=…`. */
function told(got: Guess): string {
  const year = (of: { year?: number } | undefined) => (of?.year === undefined ? '' : ` (${of.year})`);
  const ids = (of: Guess['ids'] | undefined) => Object.entries(of ?? {}).map(([name, id]) => ` ${name}=${id}`).join('');
  const also = `${got.edition === undefined ? '' : ` ed=${got.edition}`}${got.part === undefined ? '' : ` p=${got.part}`}`;
  if (got.kind === 'movie') return `movie ${got.title}${year(got)}${ids(got.ids)}${got.version === undefined ? '' : ` v=${got.version}`}${also}`;
  if (got.kind === 'extra') return `extra ${got.extra}`;
  if (got.kind !== 'episode') return got.kind;
  const numbers = `${got.season === undefined ? '' : `S${got.season}`}${got.episode === undefined ? '' : `E${got.episode}`}${got.episodeEnd === undefined ? '' : `-${got.episodeEnd}`}`;
  return `episode ${got.show?.title}${year(got.show)}${ids(got.show?.ids)} ${numbers}${got.episodeTitle === undefined ? '' : ` "${got.episodeTitle}"`}${got.absolute === undefined ? '' : ` abs=${got.absolute}`}${got.date === undefined ? '' : ` date=${got.date}`}${also}`;
}

const place = ([kind, path, , siblings]: Row): Guess => guess({ kind, path, siblings: siblings ?? [path.split('/').at(-1) ?? ''] });

function check(rows: readonly Row[]): void {
  const wrong = rows.flatMap((row) => (told(place(row)) === row[2] ? [] : [`${row[0]}: ${row[1]}\n  is   ${told(place(row))}\n  want ${row[2]}`]));
  assert.deepEqual(wrong, []);
}

const FILMS: readonly Row[] = [
  ['movies', 'Quiet Lake (1999)/Quiet Lake (1999).mkv', 'movie Quiet Lake (1999)'],
  ['movies', 'Quiet Lake (1999)/Quiet Lake (1999) - 2160p.mkv', 'movie Quiet Lake (1999) v=2160p'],
  ['movies', "Quiet Lake (1999)/Quiet Lake (1999) - Director's Cut.mkv", "movie Quiet Lake (1999) v=Director's Cut ed=Director's Cut"],
  ['movies', 'Quiet Lake (1999)/Quiet Lake (1999) [1080p].mkv', 'movie Quiet Lake (1999) v=1080p'],
  ['movies', "Quiet Lake (1999)/Quiet Lake (1999) {edition-Director's Cut}.mkv", "movie Quiet Lake (1999) ed=Director's Cut"],
  ['movies', 'Quiet Lake (1999) {tmdb-603}/Quiet Lake (1999).mkv', 'movie Quiet Lake (1999) tmdb=603'],
  ['movies', 'Quiet Lake (1999) [imdbid-tt0133093]/Quiet Lake.mkv', 'movie Quiet Lake (1999) imdb=tt0133093'],
  ['movies', 'Quiet Lake (1999) [tmdbid=603]/q.mkv', 'movie Quiet Lake (1999) tmdb=603'],
  ['movies', 'Quiet Lake (1999) {imdb-tt0133093}.mkv', 'movie Quiet Lake (1999) imdb=tt0133093'],
  ['movies', 'Quiet Lake (1999) (tt0133093).mkv', 'movie Quiet Lake (1999) imdb=tt0133093'],
  ['movies', 'Quiet Lake (1999) tt0133093.mkv', 'movie Quiet Lake (1999) imdb=tt0133093'],
  ['movies', 'Quiet Lake.mkv', 'movie Quiet Lake'],
  ['movies', 'Quiet.Lake.1999.1080p.BluRay.x264-KESTREL.mkv', 'movie Quiet Lake (1999) v=1080p'],
  ['movies', 'Quiet.Lake.1999.1080p.BluRay.x264-KESTREL/quiet.lake.1999.1080p.bluray.x264-kestrel.mkv', 'movie Quiet Lake (1999) v=1080p'],
  ['movies', 'Quiet.Lake.1999.1080p.BluRay.x264-KESTREL/kstl-ql1080.mkv', 'movie Quiet Lake (1999)'],
  ['movies', 'Quiet Lake [1999]/Quiet Lake [1999].avi', 'movie Quiet Lake (1999)'],
  ['movies', 'Quiet_Lake_1999.avi', 'movie Quiet Lake (1999)'],
  ['movies', '(1999) Quiet Lake.mkv', 'movie Quiet Lake (1999)'],
  ['movies', '[1999] Quiet Lake.mkv', 'movie Quiet Lake (1999)'],
  ['movies', '1999 - Quiet Lake.mkv', 'movie Quiet Lake (1999)'],
  ['movies', '2001 A Long Walk (1968)/2001 A Long Walk (1968).mkv', 'movie 2001 A Long Walk (1968)'],
  ['movies', '2001.A.Long.Walk.1968.720p.mkv', 'movie 2001 A Long Walk (1968) v=720p'],
  ['movies', '1917 (2019)/1917 (2019).mkv', 'movie 1917 (2019)'],
  ['movies', '1917.2019.1080p.WEB-DL.mkv', 'movie 1917 (2019) v=1080p'],
  ['movies', '1917.mkv', 'movie 1917'],
  ['movies', '300 (2006).mkv', 'movie 300 (2006)'],
  ['movies', '9 (2009)/9.mkv', 'movie 9 (2009)'],
  ['movies', '2012 (2009).mkv', 'movie 2012 (2009)'],
  ['movies', 'Blade Runner 2049 (2017).mkv', 'movie Blade Runner 2049 (2017)'],
  ['movies', 'Blade Runner 2049.mkv', 'movie Blade Runner 2049'],
  ['movies', 'Summer of 1984 (2018).mkv', 'movie Summer of 1984 (2018)'],
  ['movies', '1984 (1984)/1984 (1984) - 720p.mkv', 'movie 1984 (1984) v=720p'],
  ['movies', 'Спокойное озеро (1972)/Спокойное озеро (1972).mkv', 'movie Спокойное озеро (1972)'],
  ['movies', '静かな湖 (2001).mkv', 'movie 静かな湖 (2001)'],
  ['movies', '고요한 호수.2013.1080p.mkv', 'movie 고요한 호수 (2013) v=1080p'],
  ['movies', 'Lake, The (2003).mkv', 'movie The Lake (2003)'],
  ['movies', 'Lake & Sea - The Meeting (2003).mkv', 'movie Lake & Sea - The Meeting (2003)'],
  ['movies', 'S.W.A.L.K. (1971).mkv', 'movie S.W.A.L.K. (1971)'],
  ['movies', 'A.I.Lake.2001.mkv', 'movie A.I. Lake (2001)'],
  ['movies', 'Action/Quiet Lake (1999).mkv', 'movie Quiet Lake (1999)'],
  ['movies', 'Action/Old/Quiet Lake.mkv', 'movie Quiet Lake'],
  ['movies', 'Lake Collection/Lake One (1999)/Lake One.mkv', 'movie Lake One (1999)'],
  ['movies', 'Lake (1999)/movie.mkv', 'movie Lake (1999)'],
  ['movies', 'Lake/movie.mkv', 'movie Lake'],
  ['movies', 'Lake Series (1999-2003)/Lake One (1999).mkv', 'movie Lake One (1999)', ['Lake One (1999).mkv', 'Lake Two (2003).mkv']],
  ['movies', 'Lake Series (1999-2003)/Lake Two (2003).mkv', 'movie Lake Two (2003)', ['Lake One (1999).mkv', 'Lake Two (2003).mkv']],
  ['movies', 'Lake (1999)/Lake (2000).mkv', 'movie Lake (1999)'],
  ['movies', 'Lake (1999)/Completely Other Name.mkv', 'movie Lake (1999)'],
  ['movies', 'Quiet Lake (1999)/Quiet Lake cd1.avi', 'movie Quiet Lake (1999) p=1', ['Quiet Lake cd1.avi', 'Quiet Lake cd2.avi']],
  ['movies', 'Quiet Lake (1999)/Quiet Lake cd2.avi', 'movie Quiet Lake (1999) p=2', ['Quiet Lake cd1.avi', 'Quiet Lake cd2.avi']],
  ['movies', 'Quiet Lake (1999) - part1.mkv', 'movie Quiet Lake (1999) p=1', ['Quiet Lake (1999) - part1.mkv', 'Quiet Lake (1999) - part2.mkv']],
  ['movies', 'Quiet Lake (1999) pt2.mkv', 'movie Quiet Lake (1999) p=2', ['Quiet Lake (1999) pt1.mkv', 'Quiet Lake (1999) pt2.mkv']],
  ['movies', 'Quiet.Lake.1999.CD1.DVDRip.XviD-ABC.avi', 'movie Quiet Lake (1999) p=1', ['Quiet.Lake.1999.CD1.DVDRip.XviD-ABC.avi', 'Quiet.Lake.1999.CD2.DVDRip.XviD-ABC.avi']],
  ['movies', 'Quiet Lake (1999)/CD1/ql.avi', 'movie Quiet Lake (1999) p=1'],
  ['movies', 'Quiet Lake (1999)/Disc 2/ql.avi', 'movie Quiet Lake (1999) p=2'],
  ['movies', 'Quiet Lake (1999) disc1.mkv', 'movie Quiet Lake (1999) p=1'],
  ['movies', 'The Long Lake Part 2 (2011).mkv', 'movie The Long Lake Part 2 (2011)'],
  ['movies', 'The Long Lake - Part 1 (2010).mkv', 'movie The Long Lake - Part 1 (2010)', ['The Long Lake - Part 1 (2010).mkv', 'The Long Lake - Part 2 (2011).mkv']],
  ['movies', 'Dunes Part Two (2024).mkv', 'movie Dunes Part Two (2024)'],
  ['movies', 'Quiet Lake (1999)/Quiet Lake (1999)-trailer.mkv', 'extra trailer', ['Quiet Lake (1999).mkv', 'Quiet Lake (1999)-trailer.mkv']],
  ['movies', 'Quiet Lake (1999)/trailer.mp4', 'extra trailer', ['Quiet Lake (1999).mkv', 'trailer.mp4']],
  ['movies', 'Quiet Lake (1999)/trailers/Teaser.mp4', 'extra trailer'],
  ['movies', 'Quiet Lake (1999)/extras/Making of.mkv', 'extra other'],
  ['movies', 'Quiet Lake (1999)/Behind The Scenes/On the ice.mkv', 'extra behind-the-scenes'],
  ['movies', 'Quiet Lake (1999)/Featurettes/Boats.mkv', 'extra featurette'],
  ['movies', 'Quiet Lake (1999)/Deleted Scenes/Dock.mkv', 'extra deleted-scene'],
  ['movies', 'Quiet Lake (1999)/Interviews/Captain.mkv', 'extra interview'],
  ['movies', 'Quiet Lake (1999)/Quiet Lake (1999)-behindthescenes.mkv', 'extra behind-the-scenes', ['Quiet Lake (1999).mkv', 'Quiet Lake (1999)-behindthescenes.mkv']],
  ['movies', 'Quiet Lake (1999)/Dock-deleted.mkv', 'extra deleted-scene', ['Quiet Lake (1999).mkv', 'Dock-deleted.mkv']],
  ['movies', 'Quiet Lake (1999)/Dock-short.mkv', 'extra short', ['Quiet Lake (1999).mkv', 'Dock-short.mkv']],
  ['movies', 'Quiet Lake (1999)/Captain-interview.mkv', 'extra interview', ['Quiet Lake (1999).mkv', 'Captain-interview.mkv']],
  ['movies', 'Quiet Lake (1999)/Quiet Lake (1999)-sample.mkv', 'sample', ['Quiet Lake (1999).mkv', 'Quiet Lake (1999)-sample.mkv']],
  ['movies', 'Quiet Lake (1999)/Sample/ql-s.mkv', 'sample'],
  ['movies', 'Quiet Lake (1999)/sample.mkv', 'sample', ['Quiet Lake (1999).mkv', 'sample.mkv']],
  ['movies', 'Quiet.Lake.1999.1080p/sample-quiet.lake.mkv', 'sample', ['quiet.lake.mkv', 'sample-quiet.lake.mkv']],
  ['movies', 'The-Interview.mkv', 'movie The-Interview'],
  ['movies', 'Trailer Park (2006).mkv', 'movie Trailer Park (2006)'],
  ['movies', 'The Sample (2010).mkv', 'movie The Sample (2010)'],
  ['movies', 'Shorts (2009)/Shorts (2009).mkv', 'movie Shorts (2009)'],
  ['movies', 'Quiet Lake (1999)/VIDEO_TS/VTS_01_1.VOB', 'unplaced'],
  ['movies', 'Quiet Lake (1999)/VIDEO_TS/VIDEO_TS.IFO', 'unplaced'],
  ['movies', 'Quiet Lake (1999)/BDMV/STREAM/00001.m2ts', 'unplaced'],
  ['movies', 'Quiet Lake (1999)/Quiet Lake.iso', 'unplaced'],
  ['movies', 'Quiet Lake (1999)/notes.txt', 'unplaced'],
  ['movies', 'Pilot Light - S01E02.mkv', 'unplaced'],
  ['movies', 'Quiet.Lake.1999.3D.HSBS.1080p.BluRay.mkv', 'movie Quiet Lake (1999) v=1080p'],
  ['movies', 'Quiet.Lake.1999.REMASTERED.1080p.BluRay.mkv', 'movie Quiet Lake (1999) v=1080p ed=Remastered'],
  ['movies', 'Quiet.Lake.Extended.Cut.2003.1080p.mkv', 'movie Quiet Lake (2003) v=1080p ed=Extended'],
  ['movies', 'Quiet Lake/Quiet Lake - Final Cut.mkv', 'movie Quiet Lake v=Final Cut', ['Quiet Lake.mkv', 'Quiet Lake - Final Cut.mkv']],
  ['movies', 'Quiet Lake/Quiet Lake.mkv', 'movie Quiet Lake', ['Quiet Lake.mkv', 'Quiet Lake - Final Cut.mkv']],
  ['movies', 'Four Walls 4x4 (2019).mkv', 'movie Four Walls 4x4 (2019)'],
  ['movies', '4x4 (2019).mkv', 'movie 4x4 (2019)'],
  ['movies', '[REC] (2007).mkv', 'movie [REC] (2007)'],
  ['movies', '(500) Days Away (2009).mkv', 'movie (500) Days Away (2009)'],
  ['movies', 'www.example.org - Quiet Lake 1999 720p BluRay.mkv', 'movie Quiet Lake (1999) v=720p'],
  ['movies', 'Films 2010/Quiet Lake.mkv', 'movie Quiet Lake'],
  ['movies', 'Films 4K/Quiet Lake.mkv', 'movie Quiet Lake'],
  ['movies', 'Quiet.Lake.1080p.BluRay.x264-KESTREL/ksl-ql.mkv', 'movie Quiet Lake'],
  ['movies', 'Quiet Lake (1999) - Final Cut - 1080p.mkv', 'movie Quiet Lake (1999) v=Final Cut - 1080p ed=Final Cut'],
  ['movies', 'Lakes - Rivers - Seas (2018) (1080p BluRay x265 10bit)/Lakes - Rivers - Seas (2018) (1080p BluRay x265 10bit).mkv', 'movie Lakes - Rivers - Seas (2018) v=1080p'],
  ['mixed', '4x4 (2019)/4x4 (2019).mkv', 'movie 4x4 (2019)'],
  ['mixed', 'Star Saga Episode 4 (1977).mkv', 'movie Star Saga Episode 4 (1977)'],
  ['mixed', 'Films/Quiet Lake (1999)/Quiet Lake (1999).mkv', 'movie Quiet Lake (1999)'],
  ['mixed', 'Films/Quiet Lake (1999).mkv', 'movie Quiet Lake (1999)'],
  ['mixed', 'Apollo 13 (1995).mkv', 'movie Apollo 13 (1995)'],
  ['mixed', 'Apollo 13.mkv', 'movie Apollo 13'],
  ['mixed', 'Ocean 11/Ocean 11.mkv', 'movie Ocean 11'],
  ['mixed', 'Holiday.mkv', 'movie Holiday'],
];

const SHOWS: readonly Row[] = [
  ['shows', 'Pilot Light (2010)/Season 01/Pilot Light - S01E02 - First Night.mkv', 'episode Pilot Light (2010) S1E2 "First Night"'],
  ['shows', 'Pilot Light (2010)/Season 01/Pilot Light (2010) - S01E02 - First Night.mkv', 'episode Pilot Light (2010) S1E2 "First Night"'],
  ['shows', 'Pilot Light (2010) {tvdb-1234}/Season 01/Pilot Light - S01E02.mkv', 'episode Pilot Light (2010) tvdb=1234 S1E2'],
  ['shows', 'Pilot Light [tmdbid-55]/Season 1/S01E02.mkv', 'episode Pilot Light tmdb=55 S1E2'],
  ['shows', 'Pilot Light/Season 1/Pilot.Light.S01E02.First.Night.1080p.WEB-DL.H264-TIDE.mkv', 'episode Pilot Light S1E2 "First Night"'],
  ['shows', 'Pilot Light/Season 1/pilot.light.s01e02.1080p.web.h264-tide.mkv', 'episode Pilot Light S1E2'],
  ['shows', 'Pilot Light/Season 1/Pilot Light - S01E02 - First Night [1080p].mkv', 'episode Pilot Light S1E2 "First Night"'],
  ['shows', 'Pilot Light/Season 1/Pilot Light S01E02 (2010) First Night.mkv', 'episode Pilot Light S1E2 "First Night"'],
  ['shows', 'Pilot Light/Season 1/Pilot Light - S01E01E02 - Both.mkv', 'episode Pilot Light S1E1-2 "Both"'],
  ['shows', 'Pilot Light/Season 1/Pilot Light - S01E01-E03.mkv', 'episode Pilot Light S1E1-3'],
  ['shows', 'Pilot Light/Season 1/Pilot Light - S01E01-03.mkv', 'episode Pilot Light S1E1-3'],
  ['shows', 'Pilot Light/Season 1/Pilot Light - 1x02 - First Night.mkv', 'episode Pilot Light S1E2 "First Night"'],
  ['shows', 'Pilot Light/Season 1/Pilot Light 1x02x03.mkv', 'episode Pilot Light S1E2-3'],
  ['shows', '9-1-1/Season 1/9-1-1 - S01E01 - Pilot.mkv', 'episode 9-1-1 S1E1 "Pilot"'],
  ['shows', 'Pilot Light/Season 1/Pilot.Light.S01E01.part1_of.two.1080p.mkv', 'episode Pilot Light S1E1 "part1 of two"'],
  ['shows', 'Pilot Light/Pilot Light - [01x02] - Night.avi', 'episode Pilot Light S1E2 "Night"'],
  ['shows', 'Pilot Light/Season 1/s1e2.mkv', 'episode Pilot Light S1E2'],
  ['shows', 'Pilot Light/Season 1/Season 1 Episode 2.mkv', 'episode Pilot Light S1E2'],
  ['shows', 'Pilot Light/Season 1/Episode 2.mkv', 'episode Pilot Light S1E2'],
  ['shows', 'Pilot Light/Season 1/Pilot Light Ep02.mkv', 'episode Pilot Light S1E2'],
  ['shows', 'Pilot Light/Season 1/E02.mkv', 'episode Pilot Light S1E2'],
  ['shows', 'Pilot Light/Season 1/02 - First Night.mkv', 'episode Pilot Light S1E2 "First Night"'],
  ['shows', 'Pilot Light/Season 1/02.mkv', 'episode Pilot Light S1E2'],
  ['shows', 'Pilot Light/Season 1/02. First Night.mkv', 'episode Pilot Light S1E2 "First Night"'],
  ['shows', 'Pilot Light/Season 1/102 - First Night.mkv', 'episode Pilot Light S1E2 "First Night"'],
  ['shows', 'Pilot Light/Season 1/Pilot Light - 02 - First Night.mkv', 'episode Pilot Light S1E2 "First Night"'],
  ['shows', 'Pilot Light/Season 1/Pilot Light 02.mkv', 'episode Pilot Light S1E2'],
  ['shows', 'Pilot Light/Season 2/Pilot.Light.207.First.Night.mkv', 'episode Pilot Light S2E7 "First Night"'],
  ['shows', 'Pilot Light/Staffel 2/Pilot Light - 05 - Nacht.mkv', 'episode Pilot Light S2E5 "Nacht"'],
  ['shows', 'Pilot Light/Saison 3/Pilot Light S03E04.mkv', 'episode Pilot Light S3E4'],
  ['shows', 'Pilot Light/Temporada 1/Pilot Light 1x05.mkv', 'episode Pilot Light S1E5'],
  ['shows', 'Маяк/Сезон 2/Маяк - 2 сезон 7 серия.mkv', 'episode Маяк S2E7'],
  ['shows', 'Маяк/Сезон 2/07 серия.mkv', 'episode Маяк S2E7'],
  ['shows', '灯台/第1季/第12集.mkv', 'episode 灯台 S1E12'],
  ['shows', 'Pilot Light/Specials/Pilot Light - S00E01 - Christmas.mkv', 'episode Pilot Light S0E1 "Christmas"'],
  ['shows', 'Pilot Light/Season 00/Pilot Light S00E03.mkv', 'episode Pilot Light S0E3'],
  ['shows', 'Pilot Light/Specials/01 - Christmas.mkv', 'episode Pilot Light S0E1 "Christmas"'],
  ['shows', 'Pilot Light/Specials/Christmas.mkv', 'episode Pilot Light S0 "Christmas"'],
  ['shows', 'Pilot Light/Season 2/Pilot Light - S03E01.mkv', 'episode Pilot Light S3E1'],
  ['shows', 'Pilot Light/Pilot Light - S01E02.mkv', 'episode Pilot Light S1E2'],
  ['shows', 'Pilot Light/Pilot Light - Episode 12.mkv', 'episode Pilot Light S1E12'],
  ['shows', 'Pilot.Light.S01E02.720p.HDTV.x264-TIDE.mkv', 'episode Pilot Light S1E2'],
  ['shows', 'Pilot.Light.S01E02.720p.HDTV.x264-TIDE/pilot.light.s01e02.720p.hdtv.x264-tide.mkv', 'episode Pilot Light S1E2'],
  ['shows', 'Pilot.Light.S01.1080p.WEB-DL.H264-TIDE/Pilot.Light.S01E02.1080p.WEB-DL.H264-TIDE.mkv', 'episode Pilot Light S1E2'],
  ['shows', 'TV/Pilot.Light.S01E02.720p.HDTV.x264-TIDE/tide-s01e02.mkv', 'episode Pilot Light S1E2'],
  ['shows', 'Pilot.Light.S01E02.720p.HDTV.x264-TIDE/tide-pl.mkv', 'episode Pilot Light S1E2'],
  ['shows', 'Pilot.Light.S01.1080p.WEB-DL.H264-TIDE/02.mkv', 'episode Pilot Light S1E2'],
  ['shows', 'Pilot Light (2010)/Pilot.Light.S01.1080p.WEB-DL/Pilot.Light.S01E02.mkv', 'episode Pilot Light (2010) S1E2'],
  ['shows', 'Pilot Light (2010)/Pilot Light Season 2/Pilot Light S02E03.mkv', 'episode Pilot Light (2010) S2E3'],
  ['shows', 'Pilot Light Season 2/Pilot Light S02E03.mkv', 'episode Pilot Light S2E3'],
  ['shows', 'Drama/Pilot Light/Season 1/Pilot Light S01E03.mkv', 'episode Pilot Light S1E3'],
  ['shows', 'Pilot Light/Season 1/Pilot Light S01E03 - Extended 1080p/pilot light s01e03.mkv', 'episode Pilot Light S1E3'],
  ['shows', 'Pilot Light/1/Pilot Light 02.mkv', 'episode Pilot Light S1E2'],
  ['shows', 'Pilot Light/S02/Pilot Light - S02E02.mkv', 'episode Pilot Light S2E2'],
  ['shows', 'Pilot Light/Series 3/Pilot Light - S03E02.mkv', 'episode Pilot Light S3E2'],
  ['shows', 'Pilot Light/Season 1 (2010)/Pilot Light - S01E02.mkv', 'episode Pilot Light S1E2'],
  ['shows', 'The Late Desk/Season 2011/The Late Desk - 2011-11-15 - Guest.mkv', 'episode The Late Desk S2011 "Guest" date=2011-11-15'],
  ['shows', 'The Late Desk/The.Late.Desk.2011.11.15.Guest.720p.mkv', 'episode The Late Desk S2011 "Guest" date=2011-11-15'],
  ['shows', 'The Late Desk/The Late Desk 15.11.2011.mkv', 'episode The Late Desk S2011 date=2011-11-15'],
  ['shows', 'The Late Desk/2011/The Late Desk 2011-11-15.mkv', 'episode The Late Desk S2011 date=2011-11-15'],
  ['shows', 'Umi no Uta/[Tsuki] Umi no Uta - 012 [1080p][A1B2C3D4].mkv', 'episode Umi no Uta S1E12 abs=12'],
  ['shows', 'Umi no Uta/[Tsuki] Umi no Uta - 12v2 [1080p].mkv', 'episode Umi no Uta S1E12 abs=12'],
  ['shows', '[Tsuki] Umi no Uta - 012 [1080p].mkv', 'episode Umi no Uta S1E12 abs=12'],
  ['shows', 'Umi no Uta/Season 2/[Tsuki] Umi no Uta S2 - 05 (1080p).mkv', 'episode Umi no Uta S2E5'],
  ['shows', 'Umi no Uta/Umi no Uta - 1042.mkv', 'episode Umi no Uta S1E1042 abs=1042'],
  ['shows', 'Umi no Uta/[Tsuki]_Umi_no_Uta_-_07_[720p].mkv', 'episode Umi no Uta S1E7 abs=7'],
  ['shows', 'Umi no Uta/Umi no Uta - 07 - The Reef.mkv', 'episode Umi no Uta S1E7 "The Reef" abs=7'],
  ['shows', 'Pilot Light/07 - The Reef.mkv', 'episode Pilot Light S1E7 "The Reef" abs=7'],
  ['shows', '24/Season 1/24 - S01E02 - Hour Two.mkv', 'episode 24 S1E2 "Hour Two"'],
  ['shows', '1883 (2021)/Season 1/1883 S01E03.mkv', 'episode 1883 (2021) S1E3'],
  ['shows', 'S.W.A.L.K. (2017)/Season 1/S.W.A.L.K. S01E03.mkv', 'episode S.W.A.L.K. (2017) S1E3'],
  ['shows', 'Extras/Season 1/Extras - S01E01 - The Boat.mkv', 'episode Extras S1E1 "The Boat"'],
  ['shows', 'TV/Extras/Season 1/Extras - S01E01.mkv', 'episode Extras S1E1'],
  ['shows', 'Pilot Light/Extras/Making of.mkv', 'extra other'],
  ['shows', 'Pilot Light/Season 1/Featurettes/S01E01 making of.mkv', 'extra featurette'],
  ['shows', 'Pilot Light/Season 1/Pilot Light S01E02-trailer.mkv', 'extra trailer', ['Pilot Light S01E02.mkv', 'Pilot Light S01E02-trailer.mkv']],
  ['shows', 'Pilot Light/Season 1/sample.mkv', 'sample', ['Pilot Light S01E02.mkv', 'sample.mkv']],
  ['shows', 'Pilot Light/Season 1/Pilot Light - S01E02a.mkv', 'episode Pilot Light S1E2 p=1'],
  ['shows', 'Pilot Light/Season 1/Pilot Light - S01E02 - pt1.mkv', 'episode Pilot Light S1E2 p=1', ['Pilot Light - S01E02 - pt1.mkv', 'Pilot Light - S01E02 - pt2.mkv']],
  ['shows', 'Pilot Light/Season 1/Pilot Light - S01E02 - pt2.mkv', 'episode Pilot Light S1E2 p=2', ['Pilot Light - S01E02 - pt1.mkv', 'Pilot Light - S01E02 - pt2.mkv']],
  ['shows', 'Pilot Light/Season 1/Pilot Light - S01E02 - Storm (1).mkv', 'episode Pilot Light S1E2 "Storm (1)"'],
  ['shows', 'Pilot Light/Season 1/Pilot Light - S01E02 - Storm, Part 2.mkv', 'episode Pilot Light S1E2 "Storm, Part 2"'],
  ['shows', 'TV/Pilot Light S01E01.mkv', 'episode Pilot Light S1E1', ['Pilot Light S01E01.mkv', 'Late Desk S02E03.mkv']],
  ['shows', 'TV/Late Desk S02E03.mkv', 'episode Late Desk S2E3', ['Pilot Light S01E01.mkv', 'Late Desk S02E03.mkv']],
  ['shows', 'Evenings/Pilot Light S01E01.mkv', 'episode Pilot Light S1E1', ['Pilot Light S01E01.mkv', 'Late Desk S02E03.mkv']],
  ['shows', 'The Pilot Light (UK)/Season 1/the.pilot.light.uk.s01e01.mkv', 'episode The Pilot Light (UK) S1E1'],
  ['shows', 'PLN/Season 1/Pilot Light Nights S01E01.mkv', 'episode PLN S1E1'],
  ['shows', 'Pilot Light/making of.mkv', 'unplaced'],
  ['shows', 'Film (1999).mkv', 'unplaced'],
  ['shows', 'Pilot Light/Season 1/clip of the boat.mkv', 'unplaced'],
  ['shows', 'Show, The/Season 1/The Show S01E01.mkv', 'episode The Show S1E1'],
  ['mixed', 'Pilot Light/Season 1/Pilot Light S01E02.mkv', 'episode Pilot Light S1E2'],
  ['mixed', 'Shows/Pilot Light (2010)/Season 1/02 - Night.mkv', 'episode Pilot Light (2010) S1E2 "Night"'],
  ['mixed', 'Pilot.Light.S01E02.mkv', 'episode Pilot Light S1E2'],
  ['mixed', 'Pilot Light 1x02.mkv', 'episode Pilot Light S1E2'],
  ['mixed', 'Anime/[Tsuki] Umi no Uta - 07 [1080p].mkv', 'episode Umi no Uta S1E7 abs=7'],
  ['mixed', 'Umi no Uta/Umi no Uta - 02.mkv', 'episode Umi no Uta S1E2 abs=2', ['Umi no Uta - 01.mkv', 'Umi no Uta - 02.mkv', 'Umi no Uta - 03.mkv']],
  ['mixed', 'The Late Desk/The.Late.Desk.2011.11.15.mkv', 'episode The Late Desk S2011 date=2011-11-15'],
  ['mixed', 'Kids/Pilot Light S01E02.mkv', 'episode Pilot Light S1E2'],
];

test('films are placed', () => check(FILMS));
test('episodes are placed', () => check(SHOWS));

test('versions and parts share a key, films side by side do not', () => {
  const key = (path: string, siblings: readonly string[], kind: GuessInput['kind'] = 'movies') => guess({ kind, path, siblings }).folderKey;
  const versions = ['Lake (1999) - 1080p.mkv', 'Lake (1999) - 2160p.mkv', 'Lake (1999).mkv', 'Lake (1999) cd1.avi', 'Lake (1999)-trailer.mkv'];
  assert.equal(new Set(versions.map((name) => key(`Lake (1999)/${name}`, versions))).size, 1);
  assert.equal(new Set(versions.map((name) => key(name, versions))).size, 1);
  const others = ['Lake (1999).mkv', 'Lake (2003).mkv', 'Lake 2 (2004).mkv'];
  assert.equal(new Set(others.map((name) => key(name, others))).size, 3);
  const episodes = ['Show - S01E01 - 720p.mkv', 'Show - S01E01 - 1080p.mkv', 'Show - S01E02.mkv'];
  assert.equal(new Set(episodes.map((name) => key(`Show/Season 1/${name}`, episodes, 'shows'))).size, 2);
  assert.equal(key('Lake/VIDEO_TS/VTS_01_1.VOB', []), key('Lake/VIDEO_TS/VTS_01_2.VOB', []));
});

test('uncertain guesses have a low confidence', () => {
  const sure = guess({ kind: 'movies', path: 'Lake (1999)/Lake (1999).mkv', siblings: ['Lake (1999).mkv'] });
  const unsure = guess({ kind: 'movies', path: 'Lake (1999)/Lake (2000).mkv', siblings: ['Lake (2000).mkv'] });
  assert.ok(sure.confidence > 0.9 && unsure.confidence < sure.confidence);
  assert.ok(unsure.evidence.includes('folder and file name different years'));
  assert.match(guess({ kind: 'movies', path: 'Lake/BDMV/index.bdmv', siblings: [] }).reason ?? '', /Blu-ray/);
});

test('titles are sorted without articles, accents and case, and numbers by their size', () => {
  const sorted = (name: string) => guess({ kind: 'movies', path: `${name} (1999).mkv`, siblings: [] }).sortTitle;
  const rows: [string, string][] = [['The Lake', 'lake'], ['A Lake', 'lake'], ["L'Été", 'ete'], ['Die Brücke', 'die brucke'], ['Lake 10', 'lake 000010'], ['The', 'the'], ['Les Lacs', 'lacs'], ['¡Adiós!', 'adios'], ['Lake, The', 'lake'], ['静かな湖', '静かな湖']];
  for (const [title, want] of rows) assert.equal(sorted(title), want.normalize('NFKD').replaceAll(/\p{M}/gu, ''), title);
});

test('any path has a guess', () => {
  const soup = fc.string({ unit: fc.constantFrom(...' .-_/()[]{}0129sSeExX', 'Season 1', 'S01E02', '(1999)', 'cd1', 'part', '.mkv', '-trailer', 'Lake', '{tmdb-1}', 'SP01', '1 of 2', '[05]', '10.5', 'S2 - ', '[E63F2984]', 'TV', 'é', '\u0000', '..'), maxLength: 40 });
  fc.assert(fc.property(fc.constantFrom('movies', 'shows', 'mixed'), soup, fc.array(soup, { maxLength: 4 }), (kind, path, siblings) => {
    const got = guess({ kind, path, siblings });
    assert.ok(got.title !== '' && got.sortTitle !== '' && got.confidence >= 0 && got.confidence <= 1 && got.evidence.length > 0, JSON.stringify(got));
    assert.equal(got.kind === 'unplaced', got.reason !== undefined);
  }));
  for (const piece of ['a', '.', '-', ' ', '(', '[', '1', '1 - ', 'cd1', 'S01E01', '1999.', 'part a', '{tmdb-1}', 'I.', '1of', '01+', '[05]', 'SP1 ', '9-', 'March 1 ', '2nd Season ', '1.5', 'ABCDEF01', 'www.a.', 'EXTENDED ', 'German DL ', '-postbot']) {
    const long = `${piece.repeat(Math.ceil(4000 / piece.length)).slice(0, 4000)}.mkv`;
    for (const kind of ['movies', 'shows', 'mixed'] as const) guess({ kind, path: long, siblings: [long] });
  }
});

test('ASCII text is folded as any other text is', () => {
  const slow = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/['’`]/g, '').replaceAll('&', ' and ').replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim();
  for (let code = 0; code < 256; code++) {
    const text = `A${String.fromCharCode(code)}b ${String.fromCharCode(code)}7`;
    assert.equal(fold(text), slow(text), `character ${code}`);
  }
});
