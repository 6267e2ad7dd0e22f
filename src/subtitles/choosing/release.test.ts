/**
 * Release names as people meet them, what is read of each, and the order in which an experienced person would try them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/fast-check.ts';
import type { ProviderQuery, Candidate } from '../providers/provider.ts';
import { chooseCandidates } from './choose.ts';
import { readRelease } from './release.ts';
import { score } from './score.ts';

/** name | m (film) or e (episode) | title | year | group | source | cut */
const NAMES = String.raw`
  1917.2019.1080p.BluRay.x264-SPARKS | m|1917|2019|sparks|bluray|
  2012.2009.1080p.BluRay.x264-METiS | m|2012|2009|metis|bluray|
  Blade.Runner.2049.2017.2160p.UHD.BluRay.x265-TERMiNAL | m|Blade Runner 2049|2017|terminal|bluray|
  2001.A.Space.Odyssey.1968.REMASTERED.1080p.BluRay.x264-NODLABS | m|2001 A Space Odyssey|1968|nodlabs|bluray|
  Wonder.Woman.1984.2020.1080p.WEB.H264-NAISU | m|Wonder Woman 1984|2020|naisu|web|
  The.Lord.of.the.Rings.The.Two.Towers.2002.EXTENDED.REMASTERED.1080p.BluRay.x265.HEVC.10bit.6CH.AC3-d3g | m|The Lord of the Rings The Two Towers|2002|d3g|bluray|Extended
  Aliens.1986.Special.Edition.REMASTERED.1080p.BluRay.x264-PiGNUS | m|Aliens|1986|pignus|bluray|Special Edition
  Apocalypse.Now.1979.Final.Cut.2160p.UHD.BluRay.REMUX.DV.HDR.HEVC.Atmos-TRiToN | m|Apocalypse Now|1979|triton|bluray|Final Cut
  Kingdom.of.Heaven.2005.Directors.Cut.Roadshow.1080p.BluRay.DTS.x264-D-Z0N3 | m|Kingdom of Heaven|2005|d-z0n3|bluray|Director's Cut
  Film.2001.1080p.BluRay.x264-Fight-BB | m|Film|2001|fight-bb|bluray|
  Inception (2010) (1080p BluRay x265 10bit Tigole) | m|Inception|2010|tigole|bluray|
  Dune Part One (2021) [1080p] [WEBRip] [5.1] [YTS.MX] | m|Dune Part One|2021|yify|web|
  Dune.Part.Two.2024.1080p.WEBRip.x264.AAC5.1-[YTS.MX] | m|Dune Part Two|2024|yify|web|
  The.Mandalorian.S01E01.2160p.DSNP.WEB-DL.DDP5.1.Atmos.DV.H.265-MZABI | e|The Mandalorian||mzabi|web|
  The.Mandalorian.S01E01.Chapter.1.1080p.WEB-DL.DDP5.1.H264-TOMMY | e|The Mandalorian||tommy|web|
  The.Office.US.S02E01.The.Dundies.1080p.AMZN.WEB-DL.DDP5.1.H.264-NTb | e|The Office US||ntb|web|
  Game.of.Thrones.S08E03.PROPER.1080p.WEB.H264-MEMENTO[rarbg] | e|Game of Thrones||memento|web|
  Better.Call.Saul.S06E13.1080p.WEB.H264-CAKES[eztv.re] | e|Better Call Saul||cakes|web|
  Mr.Robot.S01E01.REPACK.720p.HDTV.x264-KILLERS | e|Mr Robot||killers|hdtv|
  Marvels.Agents.of.S.H.I.E.L.D.S01E01.720p.HDTV.X264-DIMENSION | e|Marvels Agents of S.H.I.E.L.D.||dimension|hdtv|
  9-1-1.S01E01.720p.HDTV.x264-AVS | e|9-1-1||avs|hdtv|
  9-1-1.Lone.Star.S02E05.1080p.WEB.h264-GOSSIP | e|9-1-1 Lone Star||gossip|web|
  24.S01E01.DVDRip.XviD-MEDiEVAL | e|24||medieval|dvd|
  The.100.S01E01.720p.HDTV.X264-DIMENSION | e|The 100||dimension|hdtv|
  1883.S01E01.1080p.WEB.H264-CAKES | e|1883||cakes|web|
  1923.S01E02.1080p.WEB.h264-TRUFFLE | e|1923||truffle|web|
  Yellowjackets.S02E01.1080p.PMTP.WEB-DL.DDP5.1.H.264-NTb | e|Yellowjackets||ntb|web|
  The.Daily.Show.2024.05.06.Jon.Stewart.1080p.WEB.h264-EDITH | e|The Daily Show||edith|web|
  Jimmy.Kimmel.2019.03.12.Guest.Name.720p.WEB.x264-TBS | e|Jimmy Kimmel||tbs|web|
  WWE.Monday.Night.RAW.2023.01.02.1080p.WEB.h264-HEEL | e|WWE Monday Night RAW||heel|web|
  [SubsPlease] Jujutsu Kaisen - 07 (1080p) [ABCD1234].mkv | e|Jujutsu Kaisen||subsplease||
  [Erai-raws] Shingeki no Kyojin - The Final Season - 16 [1080p][Multiple Subtitle][ABCD1234].mkv | e|Shingeki no Kyojin - The Final Season||erai-raws||
  [HorribleSubs] One Piece - 900 [720p].mkv | e|One Piece||horriblesubs||
  [Judas] Spy x Family - S01E01.mkv | e|Spy x Family||judas||
  [Moozzi2] Steins;Gate - 01 (BD 1920x1080 x.264 FLAC).mkv | e|Steins;Gate||moozzi2|bluray|
  Cowboy.Bebop.S01E05.1080p.BluRay.10-Bit.Dual-Audio.TrueHD.x265-iAHD | e|Cowboy Bebop||iahd|bluray|
  Spirited.Away.2001.JAPANESE.1080p.BluRay.x264.DTS-FGT | m|Spirited Away|2001|fgt|bluray|
  Das.Boot.1981.Directors.Cut.German.DL.1080p.BluRay.x264-RSG | m|Das Boot|1981|rsg|bluray|Director's Cut
  Das.Leben.der.Anderen.2006.German.1080p.BluRay.x264-DETAiLS | m|Das Leben der Anderen|2006|details|bluray|
  Le.Fabuleux.Destin.d.Amelie.Poulain.2001.FRENCH.1080p.BluRay.x264-ULSHD | m|Le Fabuleux Destin d Amelie Poulain|2001|ulshd|bluray|
  Amelie.2001.1080p.BluRay.x264-CiNEFiLE | m|Amelie|2001|cinefile|bluray|
  La.Casa.de.Papel.S01E01.SPANISH.1080p.NF.WEB-DL.DD5.1.x264-ExKinoRay | e|La Casa de Papel||exkinoray|web|
  Parasite.2019.KOREAN.1080p.BluRay.x264.DTS-HD.MA.7.1-FGT | m|Parasite|2019|fgt|bluray|
  Parasite.2019.REPACK.1080p.BluRay.x264-REGRET | m|Parasite|2019|regret|bluray|
  Crouching.Tiger.Hidden.Dragon.2000.CHINESE.REMASTERED.1080p.BluRay.H264.AAC-VXT | m|Crouching Tiger Hidden Dragon|2000|vxt|bluray|
  Joker.2019.1080p.WEB-DL.DD5.1.H264-FGT | m|Joker|2019|fgt|web|
  Joker.2019.2160p.WEB-DL.DDP5.1.Atmos.HDR.HEVC-EVO | m|Joker|2019|evo|web|
  Avengers.Endgame.2019.IMAX.2160p.DSNP.WEB-DL.DDP5.1.Atmos.HDR.HEVC-FLUX | m|Avengers Endgame|2019|flux|web|
  Top.Gun.Maverick.2022.IMAX.1080p.WEBRip.DD5.1.x264-CM | m|Top Gun Maverick|2022|cm|web|
  Oppenheimer.2023.1080p.BluRay.DD5.1.x264-GalaxyRG | m|Oppenheimer|2023|galaxyrg|bluray|
  Oppenheimer.2023.1080p.10bit.BluRay.8CH.x265.HEVC-PSA | m|Oppenheimer|2023|psa|bluray|
  Oppenheimer.2023.BluRay.1080p.TrueHD.7.1.x264-MTeam | m|Oppenheimer|2023|mteam|bluray|
  Oppenheimer 2023 1080p BluRay REMUX AVC DTS-HD MA 5.1-FraMeSToR | m|Oppenheimer|2023|framestor|bluray|
  Film.2001.1080p.BluRay.x264-GRP-Obfuscated | m|Film|2001|grp|bluray|
  Film.2001.1080p.BluRay.x264-GRP-xpost | m|Film|2001|grp|bluray|
  Film.2001.1080p.BluRay.x264-GRP.en.srt | m|Film|2001|grp|bluray|
  Film.2001.1080p.BluRay.x264-GRP.eng.sdh.srt | m|Film|2001|grp|bluray|
  Film.2001.1080p.BluRay.x264-GRP_Track3.eng.srt | m|Film|2001|grp|bluray|
  Film.2001.1080p.BluRay.x264-GRP.HI.srt | m|Film|2001|grp|bluray|
  Film.2001.1080p.BluRay.DTS-ES.x264-GRP | m|Film|2001|grp|bluray|
  Film.2001.1080p.BluRay.DTS-HD.MA.5.1.x264-GRP | m|Film|2001|grp|bluray|
  Film.2001.1080p.BluRay.AVC.DTS-HD | m|Film|2001||bluray|
  Film.2001.COMPLETE.UHD.BLURAY-GRP | m|Film|2001|grp|bluray|
  Film.2001.NTSC.DVDR-GRP | m|Film|2001|grp|dvd|
  Film.2001.DVDRip.XviD-DiAMOND | m|Film|2001|diamond|dvd|
  film-2001-1080p-bluray-x264-grp | m|film|2001|grp|bluray|
  Film_2001_1080p_BluRay_x264-GRP | m|Film|2001|grp|bluray|
  Film.[2001].1080p.BluRay | m|Film|2001||bluray|
  Film {2001} 1080p | m|Film|2001|||
  Se7en.1995.1080p.BluRay.x264-GRP | m|Se7en|1995|grp|bluray|
  S1m0ne.2002.DVDRip.XviD-GRP | m|S1m0ne|2002|grp|dvd|
  Mission.Impossible.Dead.Reckoning.Part.One.2023.1080p.AMZN.WEB-DL.DDP5.1.H.264-FLUX | m|Mission Impossible Dead Reckoning Part One|2023|flux|web|
  X.2022.1080p.BluRay.x264-GRP | m|X|2022|grp|bluray|
  M.1931.Criterion.1080p.BluRay.x264-GRP | m|M|1931|grp|bluray|
  It.2017.1080p.BluRay.x264-SPARKS | m|It|2017|sparks|bluray|
  It.Chapter.Two.2019.1080p.WEB-DL | m|It Chapter Two|2019||web|
  Up.2009.1080p.BluRay | m|Up|2009||bluray|
  Ma.2019.1080p.BluRay.x264-GECKOS | m|Ma|2019|geckos|bluray|
  Us.2019.1080p.WEB-DL | m|Us|2019||web|
  Red.2010.1080p.BluRay.x264 | m|Red|2010||bluray|
  Hook.1991.1080p.BluRay | m|Hook|1991||bluray|
  Web.of.Lies.2018.1080p.WEB-DL | m|Web of Lies|2018||web|
  TV.Set.2006.DVDRip | m|TV Set|2006||dvd|
  The.Extended.Family.2020.1080p.WEB | m|The Extended Family|2020||web|
  The.Complete.History.2010.720p.HDTV | m|The Complete History|2010||hdtv|
  Line.of.Duty.S01E01.720p.HDTV.x264-TLA | e|Line of Duty||tla|hdtv|
  Now.You.See.Me.2013.EXTENDED.1080p.BluRay.x264-SPARKS | m|Now You See Me|2013|sparks|bluray|Extended
  Uncut.Gems.2019.1080p.NF.WEB-DL.DDP5.1.x264-NTG | m|Uncut Gems|2019|ntg|web|
  The.French.Dispatch.2021.1080p.BluRay | m|The French Dispatch|2021||bluray|
  The.Italian.Job.1969.1080p.BluRay | m|The Italian Job|1969||bluray|
  The.Danish.Girl.2015.1080p.BluRay | m|The Danish Girl|2015||bluray|
  An.American.Pickle.2020.1080p.WEB | m|An American Pickle|2020||web|
  Dual.2022.1080p.WEB.H264-SLOT | m|Dual|2022|slot|web|
  Limitless.2011.UNRATED.EXTENDED.1080p.BluRay | m|Limitless|2011||bluray|Unrated
  Limited.Partnership.2014.720p.WEB | m|Limited Partnership|2014||web|
  Proper.Manors.2012.720p.WEB | m|Proper Manors|2012||web|
  Internal.Affairs.1990.1080p.WEB-DL | m|Internal Affairs|1990||web|
  Repo.Men.2010.UNRATED.1080p | m|Repo Men|2010|||Unrated
  Extraction.2.2023.1080p.NF.WEB-DL.DDP5.1.Atmos.HDR.DV.HEVC-CMRG | m|Extraction 2|2023|cmrg|web|
  Toy.Story.4.2019.1080p | m|Toy Story 4|2019|||
  Fast.X.2023.1080p.WEB-DL | m|Fast X|2023||web|
  Rocky.IV.1985.Rocky.vs.Drago.Directors.Cut.1080p | m|Rocky IV|1985|||Director's Cut
  Terminator.2.Judgment.Day.1991.Theatrical.Cut.REMASTERED.1080p.BluRay | m|Terminator 2 Judgment Day|1991||bluray|
  Star.Wars.Episode.IV.A.New.Hope.1977.Despecialized.720p | m|Star Wars Episode IV A New Hope|1977|||Despecialized
  Star.Wars.Episode.4.1977.1080p | m|Star Wars Episode 4|1977|||
  Seven.Samurai.1954.Criterion.Collection.1080p.BluRay.x264-GRP | m|Seven Samurai|1954|grp|bluray|
  1080p.BluRay.x264-GRP | m|||grp|bluray|
  BluRay | m||||bluray|
  YIFY | m|YIFY||||
  WEB-DL AMZN NTb | m||||web|
  720p.WEB.x264-TBS | m|||tbs|web|
  The.Office.US.S02.1080p.BluRay.x264-ROVERS | e|The Office US||rovers|bluray|
  Friends.S01-S10.COMPLETE.1080p.BluRay.x264-GRP | e|Friends||grp|bluray|
  Planet.Earth.II.S01.2160p.UHD.BluRay.x265-SCOTLUHD | e|Planet Earth II||scotluhd|bluray|
  Sherlock.S00E01.Unaired.Pilot.720p.BluRay | e|Sherlock|||bluray|
  Doctor.Who.2005.S13E00.Eve.of.the.Daleks.1080p.HDTV | e|Doctor Who|2005||hdtv|
  Battlestar.Galactica.2003.S01E01E02.1080p.BluRay | e|Battlestar Galactica|2003||bluray|
  The.X-Files.S01E01.1080p.BluRay.x264-AVCDVD | e|The X-Files||avcdvd|bluray|
  X-Men.2000.1080p.BluRay | m|X-Men|2000||bluray|
  Spider-Man.No.Way.Home.2021.1080p.BluRay.x264-SPARKS | m|Spider-Man No Way Home|2021|sparks|bluray|
  WALL-E.2008.1080p.BluRay.x264-HDEX | m|WALL-E|2008|hdex|bluray|
  Ocean's Eleven (2001) 1080p BrRip x264 - YIFY | m|Ocean's Eleven|2001|yify|bluray|
  Ocean's Eleven 2001 1080p BluRay x264 DTS-WiKi | m|Ocean's Eleven|2001|wiki|bluray|
  Léon.1994.1080p.BluRay.x264-CtrlHD | m|Léon|1994|ctrlhd|bluray|
  Amélie (2001) [BluRay] [1080p] [YTS.AM] | m|Amélie|2001|yify|bluray|
  (500) Days of Summer 2009 1080p BluRay | m|(500) Days of Summer|2009||bluray|
  10.Cloverfield.Lane.2016.1080p | m|10 Cloverfield Lane|2016|||
  12.Angry.Men.1957.1080p.BluRay | m|12 Angry Men|1957||bluray|
  21.Jump.Street.2012.1080p | m|21 Jump Street|2012|||
  300.Rise.of.an.Empire.2014.1080p | m|300 Rise of an Empire|2014|||
  8.Mile.2002 | m|8 Mile|2002|||
  Zero.Dark.Thirty.2012.1080p | m|Zero Dark Thirty|2012|||
  The.Twilight.Zone.1959.S01E01.1080p | e|The Twilight Zone|1959|||
  Fargo.1996.REMASTERED.720p.BluRay.x264-AMIABLE | m|Fargo|1996|amiable|bluray|
  Fargo.S01E01.720p.HDTV.x264-2HD | e|Fargo||2hd|hdtv|
  Law.and.Order.SVU.S20E01.HDTV.x264-KILLERS | e|Law and Order SVU||killers|hdtv|
  The.Last.of.Us.S01E01.When.Youre.Lost.in.the.Darkness.2160p.MAX.WEB-DL.DDP5.1.Atmos.DV.HDR.H.265-FLUX | e|The Last of Us||flux|web|
  Max.2015.1080p.BluRay | m|Max|2015||bluray|
  Severance.S01E01.Good.News.About.Hell.2160p.ATVP.WEB-DL.DDP5.1.Atmos.HDR.H.265-CasStudio | e|Severance||casstudio|web|
  Squid.Game.S01E01.DUBBED.1080p.NF.WEBRip.x264-GRP | e|Squid Game||grp|web|
  Dark.S01E01.GERMAN.1080p.NF.WEBRip.DD5.1.x264-GRP | e|Dark||grp|web|
  Dark.S01E01.1080p.WEB.x264-STRiFE | e|Dark||strife|web|
  Shōgun.2024.S01E01.1080p.DSNP.WEB-DL | e|Shōgun|2024||web|
`;

test('release names are parsed', () => {
  const rows = NAMES.split('\n')
    .map((row) => row.trim())
    .filter((row) => row !== '');
  assert.ok(rows.length > 120);
  for (const row of rows) {
    const [name = '', wanted = ''] = row.split(' | ');
    const kind = wanted.startsWith('m') ? 'movie' : 'episode';
    const { title, year = '', group = '', source = '', cut = '' } = readRelease(name, kind);
    assert.equal([kind[0] === 'm' ? 'm' : 'e', title, year, group, source, cut].join('|'), wanted, name);
  }
});

test('suffixes after a release do not make it another', () => {
  const whole = (name: string) => readRelease(name, 'movie').whole;
  for (const also of [
    '.en.srt',
    '.eng.sdh.srt',
    '.pt-br.srt',
    '.HI.srt',
    '_Track3.eng.srt',
    '-xpost',
    '-Obfuscated.mkv',
    '.forced.en.srt',
  ])
    assert.equal(whole(`Film.2001.1080p.BluRay.x264-GRP${also}`), whole('Film.2001.1080p.BluRay.x264-GRP'), also);
  assert.notEqual(
    whole('Film.2001.1080p.BluRay.x264-NL'),
    whole('Film.2001.1080p.BluRay.x264'),
    'behind a dash it is a group',
  );
});

test('any name is parsed without an error, and a long one quickly', () => {
  const soup = fc.string({
    unit: fc.constantFrom(
      ...'sSeE0123456789.-_ []()',
      '1080p',
      'x264',
      '(1999)',
      'S01E02',
      '.en',
      '-GRP',
      'WEB-DL',
      'É',
      '\u0000',
      '😀',
    ),
    maxLength: 300,
  });
  fc.assert(fc.property(soup, fc.constantFrom('movie', 'episode'), (name, kind) => void readRelease(name, kind)));
  for (const piece of ['.en', '-', '.', '[a]', ' S01', 'x264-']) readRelease(piece.repeat(30_000), 'episode');
});

const film: ProviderQuery = {
  kind: 'movie',
  title: 'Heat',
  year: 1995,
  ids: { imdb: 'tt0113277' },
  language: 'en',
  fileName: 'Heat.1995.1080p.BluRay.x264-RARBG.mkv',
};
const cut: ProviderQuery = {
  ...film,
  title: 'Aliens',
  year: 1986,
  fileName: 'Aliens.1986.Special.Edition.1080p.BluRay.x264-PiGNUS.mkv',
};
const web: ProviderQuery = {
  kind: 'episode',
  title: 'Fargo',
  showIds: { imdb: 'tt2802850' },
  season: 2,
  episode: 5,
  language: 'en',
  fileName: 'Fargo.S02E05.The.Gift.1080p.AMZN.WEB-DL.DDP5.1.H.264-NTb.mkv',
};
const hdtv: ProviderQuery = { ...web, fileName: 'Fargo.S02E05.720p.HDTV.x264-KILLERS.mkv' };
const yify: ProviderQuery = { ...film, fileName: 'Heat (1995) [1080p] [BluRay] [YTS.MX].mp4' };
const anime: ProviderQuery = {
  ...web,
  title: 'Frieren',
  season: 1,
  episode: 7,
  fileName: '[SubsPlease] Frieren - 07 (1080p) [ABCD1234].mkv',
};

/** Best first; each is worth more than the next. */
const ORDERS: readonly [title: string, ask: ProviderQuery, names: readonly string[]][] = [
  [
    'a film on disc',
    film,
    [
      'Heat.1995.1080p.BluRay.x264-RARBG',
      'Heat.1995.720p.BluRay.x265-RARBG',
      'Heat.1995.REMASTERED.1080p.BluRay.x264-AMIABLE',
      'Heat.1995.2160p.UHD.BluRay.REMUX.HEVC-FraMeSToR',
      'Heat.1995.1080p.WEBRip.x264-RARBG',
      'Heat.1995.DVDRip.XviD-OLD',
      'Heat.1995.Directors.Cut.1080p.BluRay.x264-RARBG',
    ],
  ],
  [
    'a longer cut',
    cut,
    [
      'Aliens.1986.Special.Edition.1080p.BluRay.x264-PiGNUS',
      'Aliens.1986.Special.Edition.REMASTERED.1080p.BluRay.x264-PiGNUS',
      'Aliens.1986.Special.Edition.720p.BluRay.x264-OTHER',
      'Aliens.1986.1080p.BluRay.x264-OTHER',
      'Aliens.1986.Extended.1080p.BluRay.x264-PiGNUS',
    ],
  ],
  [
    'a series from a service',
    web,
    [
      'Fargo.S02E05.The.Gift.1080p.AMZN.WEB-DL.DDP5.1.H.264-NTb',
      'Fargo.S02E05.The.Gift.720p.AMZN.WEB-DL.DDP5.1.H.264-NTb',
      'Fargo.S02E05.1080p.WEB-DL.H.264-FLUX',
      'Fargo.S02E05.1080p.NF.WEB-DL.H.264-NTb',
      'Fargo.S02E05.1080p.BluRay.x264-ROVERS',
      'Fargo.S02E05.720p.HDTV.x264-KILLERS',
      'Fargo.S02E05.HDTV.XviD-AFG',
    ],
  ],
  [
    'a broadcast',
    hdtv,
    [
      'Fargo.S02E05.720p.HDTV.x264-KILLERS',
      'Fargo.S02E05.HDTV.x264-KILLERS',
      'Fargo.S02E05.720p.HDTV.x264-DIMENSION',
      'Fargo.S02E05.HDTV.XviD-AFG',
      'Fargo.S02E05.720p.WEB-DL.x264-KILLERS',
      'Fargo.S02E05.1080p.WEB-DL.x265-NTb',
    ],
  ],
  [
    'a signature in brackets',
    yify,
    [
      'Heat.1995.1080p.BluRay.x264-[YTS.AM]',
      'Heat.1995.720p.BrRip.x264.YIFY',
      'Heat.1995.1080p.BluRay.x264-SPARKS',
      'Heat.1995.1080p.WEBRip.x264-[YTS.MX]',
      'Heat.1995.DVDRip',
    ],
  ],
  [
    'a fansub',
    anime,
    [
      '[SubsPlease] Frieren - 07 (1080p) [ABCD1234]',
      '[SubsPlease] Frieren - 07 (1080p) [0F0F0F0F]',
      '[SubsPlease] Frieren - 07 (720p) [00000000]',
      '[Other] Frieren - 07 (1080p) [11111111]',
      'Frieren - 07',
    ],
  ],
];
const offer = (ask: ProviderQuery, name: string, n = 0): Candidate => ({
  provider: 'subtitles_c',
  id: String(n),
  language: 'en',
  releases: [name],
  title: ask.title,
  pack: false,
  file: '1',
  ...(ask.kind === 'movie'
    ? { ids: ask.ids ?? {}, ...(ask.year !== undefined && { year: ask.year }) }
    : { showIds: ask.showIds ?? {}, season: ask.season ?? 0, episode: ask.episode ?? 0 }),
});

for (const [title, ask, names] of ORDERS) {
  test(`in the order of an experienced person: ${title}`, () => {
    const scores = names.map((name) => score(offer(ask, name), ask));
    assert.deepEqual(
      scores.flatMap(({ conflicts }) => conflicts),
      [],
    );
    for (const [n, one] of scores.entries()) {
      const next = scores[n + 1];
      if (next) assert.ok(one.score > next.score, `${names[n]} (${one.score}) before ${names[n + 1]} (${next.score})`);
    }
    assert.equal(scores.at(-1)?.match, 'weak');
    const shuffled = names.map((name, n) => offer(ask, name, n)).toReversed();
    assert.deepEqual(
      chooseCandidates(shuffled, ask).best.map(({ candidate }) => candidate.releases[0]),
      names.slice(0, 3),
    );
  });
}

test('a group is found in a name without a group suffix', () => {
  const group = (name: string, ask = web) => score(offer(ask, name), ask).evidence.some(({ kind }) => kind === 'group');
  assert.deepEqual(
    ['WEB-DL AMZN NTb', 'Fargo S02E05 WEB NTb 1080p', 'Fargo S02E05 WEB', 'NTb'].map((name) => group(name)),
    [true, true, false, true],
  );
  assert.deepEqual(
    ['YIFY', 'YTS', 'Heat BluRay YIFY', 'Heat'].map((name) => group(name, yify)),
    [true, true, true, false],
  );
});

test('every number of the evidence is explained in plain words, and they add up', () => {
  for (const [, ask, names] of ORDERS) {
    for (const name of names) {
      const { evidence, score: sum } = score({ ...offer(ask, name), fps: 25, trusted: true }, { ...ask, fps: 23.976 });
      assert.equal(
        Math.max(
          0,
          Math.min(
            100,
            evidence.reduce((all, { points }) => all + points, 0),
          ),
        ),
        sum,
      );
      for (const { detail, points } of evidence)
        assert.ok(points !== 0 && /^[a-z][a-zA-Z0-9 ,.:'()-]{5,90}$/.test(detail), detail);
    }
  }
});
