/**
 * Table of names in the forms of other countries, sites and programs. It is written as `names-table.ts` is.
 */
export const NAMES_FROM_ELSEWHERE = `
## tags in front
@movies
[h265 - HEVC] Quiet Lake 2 1080p French AC3 6CH.mkv => film Quiet Lake 2
[h265 - HEVC] Quiet Lake (2010).mkv => film Quiet Lake (2010)
[BluRay 1080p x265] Quiet Lake.mkv => film Quiet Lake
[BD][1080p][HEVC] Quiet Lake 1988.mkv => film Quiet Lake (1988)
(1080p) Quiet Lake (2010).mkv => film Quiet Lake (2010)
[4K UHD] - Quiet Lake (2010).mkv => film Quiet Lake (2010)
{1080p} Quiet Lake (2010).mkv => film Quiet Lake (2010)
[x265] [REC] (2007).mkv => film [REC] (2007)
[AV1] 300 (2006).mkv => film 300 (2006)
[4K] 2012.mkv => film 2012
@shows
[h265 - HEVC] Pilot Light S01E02.mkv => Pilot Light S1E2

## years that belong to a title
@movies
2001 - A Space Odyssey.mkv => film 2001 - A Space Odyssey
2001 - A Space Odyssey (1968).mkv => film 2001 - A Space Odyssey (1968)
2010 - The Year We Make Contact.mkv => film 2010 - The Year We Make Contact
1992 - Reservoir Dogs.mkv => film Reservoir Dogs (1992)

## Turkish
@shows
Dizi/Dizi 2.Sezon 7.Bölüm 1080p.mkv => Dizi S2E7
Dizi/Dizi 2. Sezon 7. Bölüm 23 Nisan.mkv => Dizi S2E7
Dizi/Dizi 2 Sezon 7 Bolum.mkv => Dizi S2E7
Dizi/Dizi 1. Sezon 5. Bölüm.mkv => Dizi S1E5
Dizi/Sezon 2/Dizi 7.Bölüm.mkv => Dizi S2E7
Dizi/1.Sezon/Dizi 5.BÖLÜM.mkv => Dizi S1E5
Dizi/Dizi 12.bolum.mkv => Dizi S1E12
Dizi/Dizi S2B7.mkv => Dizi S2E7
Dizi/Dizi S01B12 720p.mkv => Dizi S1E12
Dizi/Dizi Sezon 2 Bölüm 7.mkv => Dizi S2E7
Dizi/Dizi 2x07 Türkçe Dublaj.mkv => Dizi S2E7 "undefined"
@movies
Sakin Göl 2010 Türkçe Dublaj 1080p.mkv => film Sakin Göl (2010)
Sakin Göl Altyazılı 720p.mkv => film Sakin Göl

## full width
@movies
Ｑｕｉｅｔ　Ｌａｋｅ （１９５３）.mkv => film Quiet Lake (1953)
静かな湖（2001）.mkv => film 静かな湖 (2001)
Quiet Lake ２０１０.mkv => film Quiet Lake (2010)
@shows
灯台/灯台 第１２話.mkv => 灯台 S1E12
灯台/灯台 Ｓ０１Ｅ０２.mkv => 灯台 S1E2
灯台/[Tsuki] 灯台 － ０５.mkv => 灯台 S1E5
灯台/第２季/０３.mkv => 灯台 S2E3

## numbers without a letter between
@shows
Pilot.Light.S0615.400p.WEB-DL.Rus.Eng.avi => Pilot Light S6E15
Pilot Light/Pilot.Light.S0102.Title.mkv => Pilot Light S1E2 "Title"
Pilot Light/Pilot Light S2019.mkv => unmatched

## numbers in titles of episodes
@shows
Pilot.Light.S01E04.2-45.PM.[HDTV-720p].mkv => Pilot Light S1E4 "2-45 PM"
Pilot.Light.S01E05.10-15.AM.mkv => Pilot Light S1E5 "10-15 AM"
Pilot.Light.S01E04.7.Days.mkv => Pilot Light S1E4 "7 Days"
Pilot.Light.S02E21.18.5.4.720p.mkv => Pilot Light S2E21
Pilot Light/Pilot Light S03E04.5.mkv => Pilot Light S0

## last episodes
@shows
[Tsuki][国漫][灯台][Pilot Light][Lighthouse][2019][215 END][AVC][GB][1080P].mkv => Pilot Light (2019) S1E215
[Tsuki][国漫][Pilot Light][2019][234 Fin][AVC][GB][1080P].mkv => Pilot Light (2019) S1E234
[Tsuki] Pilot Light [2019][215 END][1080p].mkv => Pilot Light (2019) S1E215
[Tsuki][Pilot Light][12_END].mkv => Pilot Light S1E12
[Tsuki] Pilot Light - 12 END [1080p].mkv => Pilot Light S1E12
[Tsuki] Pilot Light - 13v2 (END).mkv => Pilot Light S1E13 "undefined"
@mixed
[Tsuki][灯台][Pilot Light][2019][215 END][1080P].mkv => Pilot Light (2019) S1E215

## season with a year before the episode
@shows
Mastercook Italia - Stagione 6 (2016) 720p Episodio 13 spyro.mkv => Mastercook Italia S6E13
Mastercook - Temporada 3 (2015) Capitulo 4.mkv => Mastercook S3E4
Pilot Light - Temporada 3 [HDTV 720p][Cap.304].mkv => Pilot Light S3E4
[Tsuki] Pilot Light S2 [05].mkv => Pilot Light S2E5
@mixed
Mastercook Italia - Stagione 6 (2016) 720p Episodio 13 spyro.mkv => Mastercook Italia S6E13

## number over all seasons in brackets
@shows
Duckman/Duckman - 101 (01) - 20021107 - I, Duckman.avi => Duckman S1E1 "I, Duckman"
Duckman - 101 (01) - 20021107 - I, Duckman.avi => Duckman S1E1 "I, Duckman"
Duckman - 110 (10) - 20021218 - Cellar Beware.avi => Duckman S1E10 "Cellar Beware"
`;
