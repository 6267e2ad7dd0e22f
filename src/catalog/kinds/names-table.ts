/**
 * Table of names and where each belongs, grouped by pattern. `## pattern` starts a pattern, `@library folder/` a folder
 * whose rows are siblings, `@library` alone rows that have nothing next to them. `+ name` is a sibling without a row.
 *
 * A row says `Show (2010) S1E2-3 "Title" @2012-03-29 p1` for an episode, `film Title (1999) p1 ed=Extended v=1080p` for
 * a film, else `extra`, `sample` or `unmatched`. Title, edition and version are compared if the row states them.
 */
export const NAMES_TABLE = `
## checksum
@shows Umi no Uta/
[Tsuki] Umi no Uta - 07 [E63F2984].mkv => Umi no Uta S1E7
[Tsuki] Umi no Uta - 08 [1E2A3B4C].mkv => Umi no Uta S1E8
[Tsuki] Umi no Uta - 09 [00E12345].mkv => Umi no Uta S1E9
[Tsuki] Umi no Uta - 10 (ABCD1234).mkv => Umi no Uta S1E10
[Tsuki] Umi no Uta - 11v2 [EEEE0001].mkv => Umi no Uta S1E11
[Tsuki] Umi no Uta - 12 [12345678].mkv => Umi no Uta S1E12
@shows Kaze/
Kaze 01 [E63F2984].mkv => Kaze S1E1
Kaze 02 [E7721A0B].mkv => Kaze S1E2
Kaze 03 [D0E11111].mkv => Kaze S1E3
Kaze_04_[720p]_[E4C0FFEE].mkv => Kaze S1E4
@shows
[Tsuki] Umi no Uta - 07 [E63F2984].mkv => Umi no Uta S1E7
Umi no Uta/Season 1/[Tsuki] Umi no Uta - 07 [1080p][E63F2984].mkv => Umi no Uta S1E7
Umi no Uta/Season 2/Umi no Uta - 07 [A1E20304].mkv => Umi no Uta S2E7
Umi no Uta/Umi no Uta - S01E07 [E63F2984].mkv => Umi no Uta S1E7
Umi no Uta/Umi no Uta - 1x07 [E63F2984].mkv => Umi no Uta S1E7
Umi no Uta/[Tsuki]_Umi_no_Uta_-_07_[H264][E63F2984].mkv => Umi no Uta S1E7
Umi no Uta/[Tsuki] Umi no Uta - 07 [BD 1080p FLAC][E63F2984].mkv => Umi no Uta S1E7
Umi no Uta/[Tsuki] Umi no Uta - Episode 07 [E63F2984].mkv => Umi no Uta S1E7
Umi no Uta/[Tsuki] Umi no Uta - 07 {E63F2984}.mkv => Umi no Uta S1E7
Umi no Uta/[Tsuki] Umi no Uta - 07 - The Reef [E63F2984].mkv => Umi no Uta S1E7 "The Reef"
@mixed Anime/Umi no Uta/
[Tsuki] Umi no Uta - 01 [E63F2984].mkv => Umi no Uta S1E1
[Tsuki] Umi no Uta - 02 [E1230000].mkv => Umi no Uta S1E2

## picture size
@shows Umi no Uta/
[Tsuki] Umi no Uta - 05 [848x480].mkv => Umi no Uta S1E5
[Tsuki] Umi no Uta - 06 [848x480 H264].mkv => Umi no Uta S1E6
[Tsuki] Umi no Uta - 07 (720x576 DVD).mkv => Umi no Uta S1E7
[Tsuki] Umi no Uta - 08 (1280x720).mkv => Umi no Uta S1E8
[Tsuki] Umi no Uta - 09 [1920x1080 x264 FLAC].mkv => Umi no Uta S1E9
[Tsuki] Umi no Uta - 10 [704x396].avi => Umi no Uta S1E10
@shows
Pilot Light/Pilot Light S01E02 720x576.mkv => Pilot Light S1E2
Pilot Light/Pilot Light S01E02 640x360.mp4 => Pilot Light S1E2
Pilot Light/Season 1/02 - First Night (640x480).avi => Pilot Light S1E2 "First Night"
Pilot Light/Season 1/Pilot Light 02 624x352.avi => Pilot Light S1E2
Pilot Light/Pilot Light - 02 (1024x576 XviD).avi => Pilot Light S1E2
Pilot Light/Pilot Light - 1x02 (720x400).avi => Pilot Light S1E2
Pilot Light/Pilot_Light_02_512x384_DivX.avi => Pilot Light S1E2
Pilot Light/Pilot Light Ep02 [960x720].mkv => Pilot Light S1E2
Pilot Light/Pilot.Light.02.720x304.avi => Pilot Light S1E2
Pilot Light/Pilot Light 02 [3840x2160].mkv => Pilot Light S1E2
@movies
Quiet Lake (1999) [720x576].avi => film Quiet Lake (1999)
Quiet Lake 848x480.avi => film Quiet Lake
Quiet.Lake.1999.640x272.XviD.avi => film Quiet Lake (1999)
@mixed
Quiet Lake 720x576.avi => film Quiet Lake
Quiet Lake (1999) 848x480.mkv => film Quiet Lake (1999)

## season before a counted episode
@shows
The Season/The Season - 02.mkv => The Season S1E2
Series 7/Season 1/Series 7 - 02.mkv => Series 7 S1E2
@shows Umi no Uta/
Umi no Uta S2 - 05.mkv => Umi no Uta S2E5
Umi no Uta S2 - 06.mkv => Umi no Uta S2E6
Umi no Uta S3 - 06.mkv => Umi no Uta S3E6
@shows Kaze/
Kaze 2nd Season - 05.mkv => Kaze S2E5
Kaze 3rd Season - 05.mkv => Kaze S3E5
Kaze Season 4 - 05.mkv => Kaze S4E5
Kaze Season 4 - 06 [1080p].mkv => Kaze S4E6
Kaze Second Season - 07.mkv => Kaze S2E7
@shows
[Tsuki] Umi no Uta S2 - 05 [1080p].mkv => Umi no Uta S2E5
[Tsuki] Umi no Uta 2nd Season - 05 [1080p].mkv => Umi no Uta S2E5
[Tsuki] Umi no Uta Season 2 - 05 (1080p) [E63F2984].mkv => Umi no Uta S2E5
[Tsuki] Umi no Uta S02 - 05.mkv => Umi no Uta S2E5
[Tsuki]_Umi_no_Uta_S2_-_05_[720p].mkv => Umi no Uta S2E5
Umi no Uta/[Tsuki] Umi no Uta S2 - 05v2 [1080p].mkv => Umi no Uta S2E5
Umi no Uta/Umi no Uta S2 05.mkv => Umi no Uta S2E5
Umi no Uta/Umi no Uta S2 - 13-14.mkv => Umi no Uta S2E13-14
Umi no Uta/Umi no Uta S2 - 05 - The Reef.mkv => Umi no Uta S2E5 "The Reef"
Umi no Uta/Umi.no.Uta.S2.05.mkv => Umi no Uta S2E5
Umi no Uta/Season 2/Umi no Uta S2 - 05.mkv => Umi no Uta S2E5
Umi no Uta/Season 2/Umi no Uta 2nd Season - 05.mkv => Umi no Uta S2E5
Umi no Uta S2/Umi no Uta S2 - 05.mkv => Umi no Uta S2E5
Umi no Uta S2/[Tsuki] Umi no Uta S2 - 05 [720p].mkv => Umi no Uta S2E5
Umi no Uta 2nd Season/Umi no Uta 2nd Season - 05.mkv => Umi no Uta S2E5
Umi no Uta 2nd Season/05.mkv => Umi no Uta S2E5
Umi no Uta/Umi no Uta 2nd Season/05.mkv => Umi no Uta S2E5
Umi no Uta/Umi no Uta - Staffel 2 - 05.mkv => Umi no Uta S2E5
Umi no Uta/Umi no Uta Saison 2 - 05.mkv => Umi no Uta S2E5
Umi no Uta/Umi no Uta - Temporada 2 - 05.mkv => Umi no Uta S2E5
Umi no Uta/Umi no Uta (Season 2) - 05.mkv => Umi no Uta S2E5
Umi no Uta/[Tsuki] Umi no Uta (2nd Season) - 05.mkv => Umi no Uta S2E5
Umi no Uta/Umi no Uta - S2 - 05.mkv => Umi no Uta S2E5
Umi no Uta/Umi no Uta - S2 - E05.mkv => Umi no Uta S2E5
Umi no Uta/Umi no Uta Season 2 Episode 05.mkv => Umi no Uta S2E5
Umi no Uta/Umi no Uta 2nd Season Episode 05.mkv => Umi no Uta S2E5
Umi no Uta/Umi no Uta 2nd Season Ep 05.mkv => Umi no Uta S2E5
Pilot Light/Pilot Light Series 3 - 02.mkv => Pilot Light S3E2
Pilot Light/Season 2 - 05.mkv => Pilot Light S2E5
Pilot Light/S2 - 05.mkv => Pilot Light S2E5

## number in the title
@shows 86/
86 - 01.mkv => 86 S1E1
86 - 02.mkv => 86 S1E2
86 - 03.mkv => 86 S1E3
@shows
[Tsuki] 86 - 01 [1080p].mkv => 86 S1E1
86/[Tsuki] 86 - 01 [1080p].mkv => 86 S1E1
86/86 - 01.mkv => 86 S1E1
86/86 01.mkv => 86 S1E1
86/86 Eighty-Six - 01.mkv => 86 S1E1
86/Season 1/86 - 11.mkv => 86 S1E11
86/Season 2/86 - 11.mkv => 86 S2E11
86/86 S01E11.mkv => 86 S1E11
24/Season 2/24 - 05.mkv => 24 S2E5
24/24 - 05.mkv => 24 S1E5
@shows 91 Days/
91 Days - 05.mkv => 91 Days S1E5
91 Days - 06.mkv => 91 Days S1E6
91 Days - 07 [720p].mkv => 91 Days S1E7
@shows
91 Days - 05.mkv => 91 Days S1E5
[Tsuki] 91 Days - 05 [1080p].mkv => 91 Days S1E5
[Tsuki] 91 Days - 05 [E63F2984].mkv => 91 Days S1E5
91 Days/91 Days 05.mkv => 91 Days S1E5
91 Days/Season 1/91 Days - 05.mkv => 91 Days S1E5
91 Days/05.mkv => 91 Days S1E5
@shows 5-toubun no Hanayome/
5-toubun no Hanayome - 05.mkv => 5-toubun no Hanayome S1E5
5-toubun no Hanayome - 06.mkv => 5-toubun no Hanayome S1E6
@shows
[Tsuki] 5-toubun no Hanayome - 05 [1080p].mkv => 5-toubun no Hanayome S1E5
5-toubun no Hanayome - 05.mkv => 5-toubun no Hanayome S1E5
[Tsuki] 5-toubun no Hanayome S2 - 05 [1080p].mkv => 5-toubun no Hanayome S2E5
@shows 100 Years Quest/
100 Years Quest - 01.mkv => 100 Years Quest S1E1
100 Years Quest - 02.mkv => 100 Years Quest S1E2
@shows
100 Years Quest - 01.mkv => 100 Years Quest S1E1
Fairy Tale/Fairy Tale 100 Years Quest - 01.mkv => Fairy Tale S1E1
Fairy Tale 100 Years Quest/[Tsuki] Fairy Tale 100 Years Quest - 01.mkv => Fairy Tale 100 Years Quest S1E1
@shows 9-1-1/
9-1-1 01.mkv => 9-1-1 S1E1
9-1-1 02.mkv => 9-1-1 S1E2
@shows
9-1-1/9-1-1 01.mkv => 9-1-1 S1E1
9-1-1/Season 2/9-1-1 01.mkv => 9-1-1 S2E1
9-1-1/Season 2/9-1-1 - 01 - Alarm.mkv => 9-1-1 S2E1 "Alarm"
9-1-1/9-1-1 - S02E01.mkv => 9-1-1 S2E1
9-1-1.S02E01.720p.HDTV.x264-TIDE.mkv => 9-1-1 S2E1
@shows Room 104/
Room 104 - 01.mkv => Room 104 S1E1
Room 104 - 02.mkv => Room 104 S1E2
@shows Apollo 13 Diaries/
Apollo 13 Diaries 01.mkv => Apollo 13 Diaries S1E1
Apollo 13 Diaries 02.mkv => Apollo 13 Diaries S1E2
@shows Adam-12/
Adam-12 01.avi => Adam-12 S1E1
Adam-12 02.avi => Adam-12 S1E2
@shows
Adam-12/Adam-12 - 01.avi => Adam-12 S1E1
Hawaii Five-0/Season 1/Hawaii Five-0 - 03.mkv => Hawaii Five-0 S1E3
12 Keys/Season 1/12 Keys - 04.mkv => 12 Keys S1E4
12 Keys/Season 1/12 Keys 04.mkv => 12 Keys S1E4
The 4400/The 4400 - 07.mkv => The 4400 S1E7
The 100/Season 3/The 100 - 07 - Storm.mkv => The 100 S3E7 "Storm"
The 100/Season 3/The 100 307.mkv => The 100 S3E7
Room 237/Room 237 - 07.mkv => Room 237 S1E7
3rd Stone/3rd Stone - 04.mkv => 3rd Stone S1E4
@shows Mob 100/
Mob 100 - 1.mkv => Mob 100 S1E1
Mob 100 - 2.mkv => Mob 100 S1E2
@shows Two 2 Tango/
Two 2 Tango 1.mkv => Two 2 Tango S1E1
Two 2 Tango 2.mkv => Two 2 Tango S1E2
@shows Anime/
[Tsuki] Zero 7 - 01.mkv => Zero 7 S1E1
[Tsuki] Zero 7 - 02.mkv => Zero 7 S1E2
@mixed Anime/
[Tsuki] 86 - 01 [1080p].mkv => 86 S1E1
[Tsuki] 91 Days - 01 [1080p].mkv => 91 Days S1E1

@shows Pilot Light/Season 1/
1 - 12.mkv => Pilot Light S1E1
2 - 7.mkv => Pilot Light S1E2
3 - 99.mkv => Pilot Light S1E3
@shows Anime/
5 Nights 1.mkv => 5 Nights S1E1
5 Nights 2.mkv => 5 Nights S1E2

## one of several
@shows
8 of 9/Season 1/8 of 9 - Episode 2.mkv => 8 of 9 S1E2
@shows Deep Sea/
Deep Sea 1 of 6.mkv => Deep Sea S1E1
Deep Sea 2 of 6.mkv => Deep Sea S1E2
Deep Sea 3 of 6.mkv => Deep Sea S1E3
@shows Old Rivers/
Old Rivers 1of11.avi => Old Rivers S1E1
Old Rivers 2of11.avi => Old Rivers S1E2
Old Rivers 11of11.avi => Old Rivers S1E11
@shows
Deep Sea/Deep Sea (1 of 6).mkv => Deep Sea S1E1
Deep Sea/Deep Sea - 1 of 6 - Shallows.mkv => Deep Sea S1E1 "Shallows"
Deep Sea/Deep.Sea.1of6.Shallows.720p.HDTV.x264-TIDE.mkv => Deep Sea S1E1 "Shallows"
Deep Sea/BBC Deep Sea 1of6 Shallows.avi => Deep Sea S1E1 "Shallows"
Deep Sea/01of06 - Shallows.mkv => Deep Sea S1E1 "Shallows"
Deep Sea/Season 1/Deep Sea 1 of 6.mkv => Deep Sea S1E1
Deep Sea/Season 2/Deep Sea 4of6.mkv => Deep Sea S2E4
Deep.Sea.1of6.Shallows.720p.HDTV.x264-TIDE.mkv => Deep Sea S1E1 "Shallows"
Deep Sea/Deep Sea Part 2 of 6.mkv => Deep Sea S1E2
Deep Sea/Deep Sea Episode 2 of 6.mkv => Deep Sea S1E2
Deep Sea/Deep Sea Ep 2 of 6.mkv => Deep Sea S1E2
Deep Sea/Deep Sea [2 of 6].mkv => Deep Sea S1E2
Deep Sea/Deep Sea 02 of 06.mkv => Deep Sea S1E2
@shows The Siege/
The Siege Part 1.mkv => The Siege S1E1
The Siege Part 2.mkv => The Siege S1E2
The Siege Part 3.mkv => The Siege S1E3
@shows The Wall/
The Wall - Part One.mkv => The Wall S1E1
The Wall - Part Two.mkv => The Wall S1E2
@shows The Dunes/
The Dunes (Part 1).mkv => The Dunes S1E1
The Dunes (Part 2).mkv => The Dunes S1E2
@shows The Fleet/
The.Fleet.Part.I.720p.mkv => The Fleet S1E1
The.Fleet.Part.II.720p.mkv => The Fleet S1E2
@shows
The Siege/The Siege Part 1.mkv => The Siege S1E1
The Siege/The Siege Pt 2.mkv => The Siege S1E2
The Siege/The.Siege.Part2.1080p.WEB.mkv => The Siege S1E2
The Siege/Part 3.mkv => The Siege S1E3
The Siege/Part 3 - Thaw.mkv => The Siege S1E3 "Thaw"
The Siege/The Siege Pt.IV.mkv => The Siege S1E4
The Siege/Season 1/The Siege Part 2.mkv => The Siege S1E2
The Siege/The Siege - S01E02 - Storm Part 2.mkv => The Siege S1E2 "Storm Part 2"
The Siege/The Siege - Teil 2.mkv => The Siege S1E2
The Siege/The Siege Chapter 4.mkv => The Siege S1E4

## parts of a film
@movies Quiet Lake (1999)/
Quiet Lake CD1of2.avi => film Quiet Lake (1999) p1
Quiet Lake CD2of2.avi => film Quiet Lake (1999) p2
@movies Winter Road (2001)/
Winter Road (1 of 2).avi => film Winter Road (2001) p1
Winter Road (2 of 2).avi => film Winter Road (2001) p2
@movies
Old Mill (2003) (1 of 2).avi => film Old Mill (2003) p1
Old.Mill.2003.CD1of2.DVDRip.XviD-ABC.avi => film Old Mill (2003) p1
Old.Mill.2003.DVDRip.XviD-ABC.CD2.avi => film Old Mill (2003) p2
Old Mill (2003) cd 1 of 2.avi => film Old Mill (2003) p1
Old Mill (2003)/Old Mill - Disc 1 of 2.mkv => film Old Mill (2003) p1
Old Mill (2003)/CD2/om.avi => film Old Mill (2003) p2
Old Mill (2003)/CD 1 of 2/om.avi => film Old Mill (2003) p1
@movies Films/
Tall Tree (1980) [1 of 2].avi => film Tall Tree (1980) p1
Tall Tree (1980) [2 of 2].avi => film Tall Tree (1980) p2
Short Tree (1981) 1of2.avi => film Short Tree (1981) p1
Short Tree (1981) 2of2.avi => film Short Tree (1981) p2
Small Tree (1982) 1 of 2.avi => film Small Tree (1982) p1
Small Tree (1982) 2 of 2.avi => film Small Tree (1982) p2
Late Tree (1983)-cd1.avi => film Late Tree (1983) p1
Late Tree (1983)-cd2.avi => film Late Tree (1983) p2
Last Tree (1984).part1.mkv => film Last Tree (1984) p1
Last Tree (1984).part2.mkv => film Last Tree (1984) p2
@movies Films/
Dunes Part One (2021).mkv => film Dunes Part One (2021)
Dunes Part Two (2024).mkv => film Dunes Part Two (2024)
@movies
1 of 2 Brothers (1999).mkv => film 1 of 2 Brothers (1999)
One of Us (2017).mkv => film One of Us (2017)
Best of 3 (2010).mkv => film Best of 3 (2010)
@mixed Films/Quiet Lake (1999)/
Quiet Lake CD1of2.avi => film Quiet Lake (1999) p1
Quiet Lake CD2of2.avi => film Quiet Lake (1999) p2

## umbrella folder
@shows Star Trek/
Star.Trek.Discovery.S01E01.1080p.WEB.mkv => Star Trek Discovery S1E1
Star.Trek.Discovery.S01E02.1080p.WEB.mkv => Star Trek Discovery S1E2
Star.Trek.Picard.S01E01.1080p.WEB.mkv => Star Trek Picard S1E1
Star.Trek.Picard.S01E02.1080p.WEB.mkv => Star Trek Picard S1E2
@shows Law & Order/
Law & Order SVU - S01E01.mkv => Law & Order SVU S1E1
Law & Order Criminal Intent - S01E01.mkv => Law & Order Criminal Intent S1E1
Law & Order - S01E01.mkv => Law & Order S1E1
@shows HD TV/
Friends.S01E01.720p.BluRay.mkv => Friends S1E1
Seinfeld.S01E01.720p.BluRay.mkv => Seinfeld S1E1
@shows
HD TV/Friends.S01E01.720p.BluRay.mkv => Friends S1E1
HD Shows/Friends.S01E01.720p.BluRay.mkv => Friends S1E1
TV 4K/Friends.S01E01.2160p.mkv => Friends S1E1
My TV Shows/Friends S01E01.mkv => Friends S1E1
TV Shows/Season 1/Friends S01E01.mkv => Friends S1E1
TV Series/Friends S01E01.mkv => Friends S1E1
HD TV/Friends/Friends.S01E01.mkv => Friends S1E1
HD TV/Friends/Season 1/Friends.S01E01.mkv => Friends S1E1
TV (1080p)/Friends S01E01.mkv => Friends S1E1
Anime/[Tsuki] Umi no Uta - 07.mkv => Umi no Uta S1E7
New TV/Friends S01E01.mkv => Friends S1E1
Ongoing/Friends S01E01.mkv => Friends S1E1
@shows CSI/
CSI Miami S01E01.mkv => CSI Miami S1E1
CSI Miami S01E02.mkv => CSI Miami S1E2
CSI NY S01E01.mkv => CSI NY S1E1
CSI NY S01E02.mkv => CSI NY S1E2
@shows Marvel/
Loki.S01E01.mkv => Loki S1E1
Hawkeye.S01E01.mkv => Hawkeye S1E1
@shows Evenings/
Pilot Light S01E01.mkv => Pilot Light S1E1
Late Desk S02E03.mkv => Late Desk S2E3
@shows Anime/
[Tsuki] Umi no Uta - 07.mkv => Umi no Uta S1E7
[Tsuki] Kaze - 07.mkv => Kaze S1E7
[Tsuki] Hoshi - 01.mkv => Hoshi S1E1
@shows Weekly/
[Tsuki] Kaze - 01.mkv => Kaze S1E1
[Tsuki] Hoshi - 01.mkv => Hoshi S1E1
@shows Pilot Light/
Pilot Light - First Night - S01E01.mkv => Pilot Light S1E1
Pilot Light - Second Night - S01E02.mkv => Pilot Light S1E2
@shows The Late Desk/
The Late Desk US S01E01.mkv => The Late Desk S1E1
The.Late.Desk.S01E02.mkv => The Late Desk S1E2
@shows Pilot Light (UK)/
pilot.light.uk.s01e01.mkv => Pilot Light (UK) S1E1
pilot.light.s01e02.mkv => Pilot Light (UK) S1E2

## shows of a mixed library
@mixed
TV/Pilot Light/07 - The Reef.mkv => Pilot Light S1E7 "The Reef"
TV/Pilot Light/Pilot Light 07.mkv => Pilot Light S1E7
TV/Pilot Light/Season 1/07.mkv => Pilot Light S1E7
TV/Pilot Light S01E07.mkv => Pilot Light S1E7
Shows/Pilot Light/Pilot Light - 07.mkv => Pilot Light S1E7
Shows/Pilot Light/Episode 7.mkv => Pilot Light S1E7
Series/Pilot Light/Pilot Light 107.mkv => Pilot Light S1E107
Series/Pilot Light/1/07.mkv => Pilot Light S1E7
Anime/Umi no Uta/Umi no Uta 07.mkv => Umi no Uta S1E7
Anime/Umi no Uta/07.mkv => Umi no Uta S1E7
Anime/Umi no Uta - 07.mkv => Umi no Uta S1E7
Anime/Umi no Uta/[Tsuki] Umi no Uta [07][1080p].mkv => Umi no Uta S1E7
TV Shows/Deep Sea/Deep Sea 1of6.mkv => Deep Sea S1E1
TV Shows/Deep Sea/Deep Sea Part 1.mkv => Deep Sea S1E1
Serien/Pilot Light/07.mkv => Pilot Light S1E7
Séries/Pilot Light/07.mkv => Pilot Light S1E7
HD TV/Pilot Light/07 - The Reef.mkv => Pilot Light S1E7
tv/pilot light/pilot light 07.mkv => pilot light S1E7
TV/The Late Desk/The Late Desk 2011-11-15.mkv => The Late Desk S2011 @2011-11-15
TV/Apollo 13/Apollo 13 - 02.mkv => Apollo 13 S1E2
TV/Quiet Lake (1999).mkv => film Quiet Lake (1999)
Movies/Quiet Lake (1999)/Quiet Lake (1999).mkv => film Quiet Lake (1999)
Movies/Apollo 13/Apollo 13.mkv => film Apollo 13
Movies/Star Saga Episode 4.mkv => film Star Saga Episode 4
Movies/Ocean 12.mkv => film Ocean 12
Films/District 9.mkv => film District 9
Anime Movies/Umi no Uta 2.mkv => film Umi no Uta 2

## number in brackets
@shows Umi no Uta/
[Tsuki][Umi no Uta][05][1080p].mkv => Umi no Uta S1E5
[Tsuki][Umi no Uta][06][1080p].mkv => Umi no Uta S1E6
@shows
[Tsuki] Umi no Uta [05] [1080p].mkv => Umi no Uta S1E5
[Tsuki][Umi no Uta][05][BDRip 1080p].mkv => Umi no Uta S1E5
[Tsuki][Umi_no_Uta][05][GB][720P].mp4 => Umi no Uta S1E5
【Tsuki】【Umi no Uta】【05】【1080p】.mkv => Umi no Uta S1E5
Umi no Uta/[05].mkv => Umi no Uta S1E5
Umi no Uta/[05] The Reef.mkv => Umi no Uta S1E5 "The Reef"
Umi no Uta/Umi no Uta [05].mkv => Umi no Uta S1E5
Umi no Uta/Umi no Uta (05).mkv => Umi no Uta S1E5
Umi no Uta/Umi no Uta [05v2].mkv => Umi no Uta S1E5
Umi no Uta/Umi no Uta [05] [E63F2984].mkv => Umi no Uta S1E5
Umi no Uta/Season 2/Umi no Uta [05].mkv => Umi no Uta S2E5
Umi no Uta/Umi no Uta [1080p][05].mkv => Umi no Uta S1E5
Umi no Uta/[Tsuki][Umi no Uta][13-14][1080p].mkv => Umi no Uta S1E13-14
Umi no Uta/[Tsuki] Umi no Uta S2 [05][1080p].mkv => Umi no Uta S2E5
Umi no Uta/[Tsuki][Umi no Uta S2][05][1080p].mkv => Umi no Uta S2E5
Umi no Uta/[Tsuki][Umi no Uta][Ep05][1080p].mkv => Umi no Uta S1E5
Pilot Light/Pilot Light [1x05].mkv => Pilot Light S1E5
Pilot Light/Pilot Light [S01E05].mkv => Pilot Light S1E5
Pilot Light/Pilot Light [01.05].mkv => Pilot Light S1E5
@movies
Quiet Lake [05].mkv => film Quiet Lake [05]

## number between dots
@shows Pilot Light/
Pilot.Light.05.First.Night.mkv => Pilot Light S1E5 "First Night"
Pilot.Light.06.Second.Night.mkv => Pilot Light S1E6 "Second Night"
Pilot.Light.07.Third.Night.mkv => Pilot Light S1E7 "Third Night"
@shows
Pilot Light/Pilot.Light.05.mkv => Pilot Light S1E5
Pilot Light/Pilot.Light.05.First.Night.720p.x264.mkv => Pilot Light S1E5 "First Night"
Pilot Light/Pilot.Light.05.720p.AAC2.0.mkv => Pilot Light S1E5
Pilot Light/Pilot.Light.05.DD5.1.mkv => Pilot Light S1E5
Pilot Light/Season 2/Pilot.Light.05.First.Night.mkv => Pilot Light S2E5 "First Night"
Pilot Light/Season 2/05.First.Night.mkv => Pilot Light S2E5 "First Night"
Pilot Light/05.First.Night.mkv => Pilot Light S1E5 "First Night"
Pilot Light/Pilot_Light_05_First_Night.mkv => Pilot Light S1E5 "First Night"
Pilot Light/Pilot.Light.E05.First.Night.mkv => Pilot Light S1E5 "First Night"
Pilot Light/Pilot.Light.Ep.05.mkv => Pilot Light S1E5
Umi no Uta/Umi.no.Uta.05.1080p.WEB.H264-TIDE.mkv => Umi no Uta S1E5
Umi no Uta/umi-no-uta-05.mkv => Umi no Uta S1E5
Umi no Uta/umi.no.uta.105.mkv => Umi no Uta S1E105
Pilot Light/Pilot.Light.S2.E05.First.Night.mkv => Pilot Light S2E5 "First Night"
Pilot Light/pilot.light.5.mkv => Pilot Light S1E5
Pilot Light/Pilot Light.05.mkv => Pilot Light S1E5
Pilot Light/Pilot Light.05.First Night.mkv => Pilot Light S1E5 "First Night"

## cross and letters
@shows
The Late Desk/The Late Desk 2022x12.mkv => The Late Desk S2022E12
The Late Desk/The Late Desk - 2022x12 - Guest.mkv => The Late Desk S2022E12 "Guest"
The Late Desk/Season 2022/The.Late.Desk.2022x12.mkv => The Late Desk S2022E12
The Late Desk/The Late Desk - 2022x103.mkv => The Late Desk S2022E103
Pilot Light/Pilot Light S01x02.mkv => Pilot Light S1E2
Pilot Light/Pilot Light - S01x02 - First Night.mkv => Pilot Light S1E2 "First Night"
Pilot Light/Pilot Light S01xE02.mkv => Pilot Light S1E2
Pilot Light/Pilot.Light.S01xE02.720p.mkv => Pilot Light S1E2
Pilot Light/Pilot Light s1x2.mkv => Pilot Light S1E2
Pilot Light/Pilot Light S01 x 02.mkv => Pilot Light S1E2
Pilot Light/Pilot Light S01x02-03.mkv => Pilot Light S1E2-3
Pilot Light/Pilot Light S01xE02xE03.mkv => Pilot Light S1E2-3
Pilot Light/Pilot Light 1x02.mkv => Pilot Light S1E2
Pilot Light/Pilot Light 01x02x03.mkv => Pilot Light S1E2-3
Pilot Light/Pilot Light (1x02).mkv => Pilot Light S1E2
Pilot Light/1x02.mkv => Pilot Light S1E2
Pilot Light/1x02 - First Night.mkv => Pilot Light S1E2 "First Night"
Pilot Light/S01x02.mkv => Pilot Light S1E2
Pilot Light/Pilot Light S01EP02.mkv => Pilot Light S1E2
Pilot Light/Pilot Light S01.E02.mkv => Pilot Light S1E2
Pilot Light/Pilot Light S01_E02.mkv => Pilot Light S1E2
Pilot Light/Pilot Light [S01] [E02].mkv => Pilot Light S1E2
Pilot Light/Pilot Light Se01Ep02.mkv => Pilot Light S1E2
Pilot Light/Pilot Light Season1Episode2.mkv => Pilot Light S1E2
Pilot Light/Pilot Light T01E02.mkv => Pilot Light S1E2
Pilot Light/Pilot Light S01E02v2.mkv => Pilot Light S1E2
Pilot Light/Pilot Light S2022E12.mkv => Pilot Light S2022E12
Pilot Light/Pilot Light 1X02.mkv => Pilot Light S1E2
Pilot Light/Pilot Light 1×02.mkv => Pilot Light S1E2

## several episodes in a file
@shows Bleach/
Bleach - 312.mkv => Bleach S1E312
Bleach - 313-314.mkv => Bleach S1E313-314
Bleach - 315.mkv => Bleach S1E315
@shows
Bleach - 313-314.mkv => Bleach S1E313-314
[Tsuki] Bleach - 313-314 [720p].mkv => Bleach S1E313-314
Bleach/Bleach 313-314.mkv => Bleach S1E313-314
Bleach/[Tsuki]_Bleach_-_313-314_[E63F2984].mkv => Bleach S1E313-314
Bleach/Bleach 01+02.mkv => Bleach S1E1-2
Bleach/Bleach - 01+02 [720p].mkv => Bleach S1E1-2
Bleach/Bleach - 01&02.mkv => Bleach S1E1-2
Bleach/Bleach - 01~02.mkv => Bleach S1E1-2
Bleach/Bleach - 01 & 02.mkv => Bleach S1E1-2
Bleach/Bleach - 01 + 02.mkv => Bleach S1E1-2
Bleach/01-02.mkv => Bleach S1E1-2
Bleach/01+02.mkv => Bleach S1E1-2
Bleach/01-02 - Two Nights.mkv => Bleach S1E1-2 "Two Nights"
Bleach/Season 2/Bleach - 01-02.mkv => Bleach S2E1-2
Bleach/Season 2/01+02 - Two Nights.mkv => Bleach S2E1-2 "Two Nights"
Bleach/Bleach Ep 01-02.mkv => Bleach S1E1-2
Bleach/Bleach Episodes 01-02.mkv => Bleach S1E1-2
Bleach/Bleach E01-E02.mkv => Bleach S1E1-2
Bleach/Bleach S01E01-02.mkv => Bleach S1E1-2
Bleach/Bleach S01E01E02E03.mkv => Bleach S1E1-3
Bleach/Bleach S01E01 E02.mkv => Bleach S1E1-2
Bleach/Bleach S01E01+E02.mkv => Bleach S1E1-2
Bleach/Bleach S01E01 & S01E02.mkv => Bleach S1E1-2
Bleach/Bleach S01E01, E02.mkv => Bleach S1E1-2
Bleach/Bleach 1x01-02.mkv => Bleach S1E1-2
Bleach/Bleach 1x01+1x02.mkv => Bleach S1E1-2
Bleach/Bleach 1x01 & 1x02.mkv => Bleach S1E1-2
Bleach/Bleach S01E01-S01E02.mkv => Bleach S1E1-2
Bleach/Bleach - 05 - 100 Men.mkv => Bleach S1E5 "100 Men"
Bleach/Bleach S01E05 - 100 Men.mkv => Bleach S1E5 "100 Men"

## specials by name
@shows Umi no Uta/
Umi no Uta - 01.mkv => Umi no Uta S1E1
Umi no Uta - SP01.mkv => Umi no Uta S0E1
Umi no Uta - SP02.mkv => Umi no Uta S0E2
Umi no Uta - OVA 1.mkv => Umi no Uta S0E1
Umi no Uta - OVA 2.mkv => Umi no Uta S0E2
Umi no Uta - NCOP1.mkv => extra
Umi no Uta - NCED1.mkv => extra
@shows
Umi no Uta/[Tsuki] Umi no Uta - SP01 [1080p].mkv => Umi no Uta S0E1
Umi no Uta/Umi no Uta SP1.mkv => Umi no Uta S0E1
Umi no Uta/Umi no Uta Special 1.mkv => Umi no Uta S0E1
Umi no Uta/Umi no Uta - Special 02 - Beach.mkv => Umi no Uta S0E2 "Beach"
Umi no Uta/[Tsuki] Umi no Uta OVA [1080p].mkv => Umi no Uta S0
Umi no Uta/[Tsuki] Umi no Uta - OVA1 [1080p].mkv => Umi no Uta S0E1
Umi no Uta/Umi no Uta OAD 01.mkv => Umi no Uta S0E1
Umi no Uta/Umi no Uta OVA - 01.mkv => Umi no Uta S0E1
Umi no Uta/Umi no Uta - ONA 03.mkv => Umi no Uta S0E3
Umi no Uta/[Tsuki] Umi no Uta NCOP1 [BD 1080p].mkv => extra
Umi no Uta/[Tsuki] Umi no Uta - NCOP [1080p].mkv => extra
Umi no Uta/[Tsuki] Umi no Uta - NCED01v2 [1080p].mkv => extra
Umi no Uta/[Tsuki] Umi no Uta - Creditless OP 01.mkv => extra
Umi no Uta/[Tsuki] Umi no Uta - Creditless ED.mkv => extra
Umi no Uta/[Tsuki] Umi no Uta - Clean Opening.mkv => extra
Umi no Uta/[Tsuki][Umi no Uta][NCOP][1080p].mkv => extra
Umi no Uta/[Tsuki][Umi no Uta][SP01][1080p].mkv => Umi no Uta S0E1
Umi no Uta/Season 1/Umi no Uta - NCOP1.mkv => extra
Umi no Uta/Season 1/Umi no Uta - OVA 1.mkv => Umi no Uta S0E1
Umi no Uta/Season 2/Umi no Uta - SP01.mkv => Umi no Uta S0E1
Umi no Uta/Specials/Umi no Uta - SP01.mkv => Umi no Uta S0E1
Umi no Uta/Specials/Umi no Uta - OVA 1.mkv => Umi no Uta S0E1
Umi no Uta/OVA/Umi no Uta OVA 01.mkv => Umi no Uta S0E1
Umi no Uta/OVA/01.mkv => Umi no Uta S0E1
Umi no Uta/SP/[Tsuki] Umi no Uta [SP01].mkv => Umi no Uta S0E1
Umi no Uta/[Tsuki] Umi no Uta - PV1 [1080p].mkv => extra
Umi no Uta/[Tsuki] Umi no Uta - Menu 01 [1080p].mkv => extra
Umi no Uta/[Tsuki] Umi no Uta - CM01.mkv => extra
Umi no Uta/[Tsuki] Umi no Uta - Preview 03.mkv => extra
Umi no Uta/Umi no Uta S00E01.mkv => Umi no Uta S0E1
Umi no Uta/Umi no Uta - S01SP01.mkv => Umi no Uta S0E1
Umi no Uta/Umi no Uta - S01E00.mkv => Umi no Uta S1E0
Umi no Uta/NC/Umi no Uta NCOP.mkv => extra
Pilot Light/Pilot Light - Christmas Special S00E05.mkv => Pilot Light S0E5
Pilot Light/Season 3/Pilot Light 3x00 - Christmas Special.mkv => Pilot Light S3E0 "Christmas Special"
Pilot Light/Pilot Light - 5 - Special Forces.mkv => Pilot Light S1E5 "Special Forces"
Ova Show/Ova Show - 03.mkv => Ova Show S1E3

## decimal number
@shows Umi no Uta/
Umi no Uta - 10.mkv => Umi no Uta S1E10
Umi no Uta - 10.5.mkv => Umi no Uta S0
Umi no Uta - 11.mkv => Umi no Uta S1E11
@shows
[Tsuki] Umi no Uta - 10.5 [1080p].mkv => Umi no Uta S0
Umi no Uta/Umi no Uta 10.5.mkv => Umi no Uta S0
Umi no Uta/[Tsuki] Umi no Uta - 07.5 [E63F2984].mkv => Umi no Uta S0
Umi no Uta/[Tsuki]_Umi_no_Uta_-_13.5_[720p].mkv => Umi no Uta S0
Umi no Uta/10.5.mkv => Umi no Uta S0
Umi no Uta/10.5 - Recap.mkv => Umi no Uta S0 "Recap"
Umi no Uta/Season 1/Umi no Uta - 10.5.mkv => Umi no Uta S0
Umi no Uta/Season 1/10.5 - Recap.mkv => Umi no Uta S0 "Recap"
Umi no Uta/[Tsuki][Umi no Uta][10.5][1080p].mkv => Umi no Uta S0
Umi no Uta/Umi no Uta - Episode 10.5.mkv => Umi no Uta S0
Umi no Uta/Umi no Uta Ep10.5.mkv => Umi no Uta S0
Umi no Uta/Umi no Uta S01E10.5.mkv => Umi no Uta S0
Umi no Uta/Umi no Uta - S01E10.5 - Recap.mkv => Umi no Uta S0 "Recap"
Umi no Uta/Umi no Uta - 10 [AAC 5.1].mkv => Umi no Uta S1E10
Umi no Uta/Umi no Uta - 10 5.1.mkv => Umi no Uta S1E10
Umi no Uta/Umi.no.Uta.10.5.1.mkv => Umi no Uta S1E10

## date
@shows The Late Desk/
The Late Desk 03-29-2012.mkv => The Late Desk S2012 @2012-03-29
The Late Desk 04-05-2012.mkv => The Late Desk S2012 @2012-04-05
The Late Desk 04-12-2012.mkv => The Late Desk S2012 @2012-04-12
@shows The Evening/
The Evening 29-03-2012.mkv => The Evening S2012 @2012-03-29
The Evening 05-04-2012.mkv => The Evening S2012 @2012-04-05
@shows
The Late Desk/The Late Desk 03-29-2012.mkv => The Late Desk S2012 @2012-03-29
The Late Desk/The Late Desk - 03.29.2012 - Guest.mkv => The Late Desk S2012 "Guest" @2012-03-29
The Late Desk/The.Late.Desk.03.29.2012.720p.mkv => The Late Desk S2012 @2012-03-29
The Late Desk/The Late Desk 29.03.2012.mkv => The Late Desk S2012 @2012-03-29
The Late Desk/The Late Desk 29 March 2012.mkv => The Late Desk S2012 @2012-03-29
The Late Desk/The Late Desk - 29 Mar 2012 - Guest.mkv => The Late Desk S2012 "Guest" @2012-03-29
The Late Desk/The Late Desk March 29, 2012.mkv => The Late Desk S2012 @2012-03-29
The Late Desk/The Late Desk - Mar 29 2012.mkv => The Late Desk S2012 @2012-03-29
The Late Desk/The.Late.Desk.2012.Mar.29.mkv => The Late Desk S2012 @2012-03-29
The Late Desk/The Late Desk 29th March 2012.mkv => The Late Desk S2012 @2012-03-29
The Late Desk/The Late Desk March 29th 2012.mkv => The Late Desk S2012 @2012-03-29
The Late Desk/The.Late.Desk.29.March.2012.720p.HDTV.mkv => The Late Desk S2012 @2012-03-29
The Late Desk/The Late Desk 29. März 2012.mkv => The Late Desk S2012 @2012-03-29
The Late Desk/The Late Desk 29 mars 2012.mkv => The Late Desk S2012 @2012-03-29
The Late Desk/The Late Desk 29 de marzo de 2012.mkv => The Late Desk S2012 @2012-03-29
The Late Desk/The Late Desk 29 maggio 2012.mkv => The Late Desk S2012 @2012-05-29
The Late Desk/The Late Desk 20120329.mkv => The Late Desk S2012 @2012-03-29
The Late Desk/The Late Desk - 2012.03.29 - Guest.mkv => The Late Desk S2012 "Guest" @2012-03-29
The Late Desk/The.Late.Desk.2012.03.29.Guest.720p.WEB.mkv => The Late Desk S2012 "Guest" @2012-03-29
The Late Desk/The Late Desk (2012-03-29).mkv => The Late Desk S2012 @2012-03-29
The Late Desk/The Late Desk [2012-03-29].mkv => The Late Desk S2012 @2012-03-29
The Late Desk/The Late Desk 2012_03_29.mkv => The Late Desk S2012 @2012-03-29
The Late Desk/The Late Desk 2012 03 29.mkv => The Late Desk S2012 @2012-03-29
The Late Desk/2012-03-29.mkv => The Late Desk S2012 @2012-03-29
The Late Desk/2012-03-29 - Guest.mkv => The Late Desk S2012 "Guest" @2012-03-29
The Late Desk/2012/The Late Desk 03-29-2012.mkv => The Late Desk S2012 @2012-03-29
The Late Desk/Season 2012/The Late Desk - 29 March 2012.mkv => The Late Desk S2012 @2012-03-29
The Late Desk/The Late Desk 2012-3-9.mkv => The Late Desk S2012 @2012-03-09
The.Late.Desk.2012.03.29.720p.HDTV.x264-TIDE.mkv => The Late Desk S2012 @2012-03-29
The Late Desk March 29 2012.mkv => The Late Desk S2012 @2012-03-29

## edition before the year
@movies
Quiet.Lake.EXTENDED.2013.1080p.BluRay.x264-KESTREL.mkv => film Quiet Lake (2013) ed=Extended
Quiet.Lake.UNRATED.2013.1080p.BluRay.mkv => film Quiet Lake (2013) ed=Unrated
Quiet.Lake.REMASTERED.1999.1080p.BluRay.mkv => film Quiet Lake (1999) ed=Remastered
Quiet.Lake.Extended.Cut.2003.1080p.mkv => film Quiet Lake (2003) ed=Extended
Quiet.Lake.Directors.Cut.2003.1080p.mkv => film Quiet Lake (2003) ed=Director's Cut
Quiet Lake Director's Cut (2003).mkv => film Quiet Lake (2003) ed=Director's Cut
Quiet Lake Extended Edition (2003)/Quiet Lake Extended Edition (2003).mkv => film Quiet Lake (2003) ed=Extended
Quiet Lake [Extended] (2003).mkv => film Quiet Lake (2003) ed=Extended
Quiet Lake (Extended) (2003).mkv => film Quiet Lake (2003) ed=Extended
Quiet Lake (Director's Cut) (2003).mkv => film Quiet Lake (2003) ed=Director's Cut
Quiet Lake - Director's Cut (2003).mkv => film Quiet Lake (2003) ed=Director's Cut
Quiet.Lake.THEATRICAL.2003.720p.mkv => film Quiet Lake (2003) ed=Theatrical
Quiet.Lake.UNCUT.1987.DVDRip.mkv => film Quiet Lake (1987) ed=Uncut
Quiet.Lake.DC.2003.1080p.BluRay.mkv => film Quiet Lake (2003) ed=Director's Cut
Quiet.Lake.IMAX.2013.1080p.mkv => film Quiet Lake (2013) ed=IMAX
Quiet.Lake.Special.Edition.1987.1080p.mkv => film Quiet Lake (1987) ed=Special Edition
Quiet.Lake.2013.EXTENDED.1080p.BluRay.mkv => film Quiet Lake (2013) ed=Extended
Quiet Lake (2013) Extended.mkv => film Quiet Lake (2013) ed=Extended
Quiet Lake (2013) {edition-Extended}.mkv => film Quiet Lake (2013) ed=Extended
Quiet.Lake.PROPER.2013.1080p.mkv => film Quiet Lake (2013)
The Final Cut (2004).mkv => film The Final Cut (2004)
The.Final.Cut.2004.1080p.mkv => film The Final Cut (2004)
Uncut Stones (2019).mkv => film Uncut Stones (2019)
Extended Family (2010).mkv => film Extended Family (2010)
Criterion (2010).mkv => film Criterion (2010)
The.Special.Edition.1999.mkv => film The Special Edition (1999)

## language words
@movies
Il.Molo.iTALiAN.2009.DVDRip.XviD-ARNO.avi => film Il Molo (2009)
Il.Molo.2009.iTALiAN.DVDRip.XviD-ARNO.avi => film Il Molo (2009)
Il.Molo.iTALiAN.DVDRip.XviD-ARNO.avi => film Il Molo
Der.Steg.GERMAN.2013.1080p.BluRay.mkv => film Der Steg (2013)
Der.Steg.GERMAN.1080p.BluRay.mkv => film Der Steg
Der.Steg.German.DL.1080p.BluRay.x264-ELBE.mkv => film Der Steg
Der.Steg.2013.German.DL.1080p.BluRay.mkv => film Der Steg (2013)
Le.Quai.FRENCH.2012.DVDRip.mkv => film Le Quai (2012)
Le.Quai.MULTi.2012.1080p.mkv => film Le Quai (2012)
Le.Quai.MULTi.1080p.BluRay.mkv => film Le Quai
Le.Quai.TRUEFRENCH.DVDRip.XviD.avi => film Le Quai
Los.Faros.SPANiSH.2016.1080p.mkv => film Los Faros (2016)
Los.Faros.SPANiSH.1080p.BluRay.mkv => film Los Faros
Los Faros (2016) [Spanish].mkv => film Los Faros (2016)
Bryggan.SWEDiSH.2010.DVDRip.mkv => film Bryggan (2010)
Bryggan.NORDiC.1080p.BluRay.mkv => film Bryggan
Broen.DANiSH.720p.BluRay.mkv => film Broen
Most.PL.DVDRip.XviD.avi => film Most
Quiet.Lake.DUBBED.1999.DVDRip.avi => film Quiet Lake (1999)
The.Good.German.2006.1080p.BluRay.mkv => film The Good German (2006)
The Danish Girl (2015).mkv => film The Danish Girl (2015)
The.Italian.Job.1969.1080p.mkv => film The Italian Job (1969)
French Kiss (1995).mkv => film French Kiss (1995)
The English Patient (1996).mkv => film The English Patient (1996)
An.American.Pickle.2020.mkv => film An American Pickle (2020)

## promo clips
@movies Quiet.Lake.1999.1080p.BluRay.x264-RARBG/
Quiet.Lake.1999.1080p.BluRay.x264-RARBG.mp4 => film Quiet Lake (1999)
RARBG.com.mp4 => sample
@movies Winter.Road.2001.1080p.BluRay.x264-RARBG/
Winter.Road.2001.1080p.BluRay.x264-RARBG.mp4 => film Winter Road (2001)
RARBG.mp4 => sample
@movies Old Mill (2003) [1080p]/
Old.Mill.2003.1080p.BluRay.x264-[YTS.AM].mp4 => film Old Mill (2003)
www.YTS.AM.mp4 => sample
@movies
Quiet Lake (1999)/RARBG.com.mp4 => sample
RARBG.COM.mp4 => sample
Quiet Lake (1999)/ETRG.mp4 => sample
Quiet Lake (1999)/www.example.com.mp4 => sample
Quiet Lake (1999)/YIFY.mp4 => sample
Quiet Lake (1999)/Downloaded from www.example.org.mp4 => sample
Quiet Lake (1999)/Visit www.example.net for more.avi => sample
Dot.Com (2001).mkv => film Dot Com (2001)
Chat.com The Movie (2001).mkv => film Chat.com The Movie (2001)
@shows Pilot Light/Season 1/
Pilot.Light.S01E01.mkv => Pilot Light S1E1
RARBG.com.mp4 => sample
RARBG_DO_NOT_MIRROR.mp4 => sample

## extras of a season
@shows
Pilot Light/Season 1/Featurettes/Making of.mkv => extra
Pilot Light/Season 1/Featurettes/Pilot Light - Making of Season 1.mkv => extra
Pilot Light/Season 1/Extras/Deleted Scene 1.mkv => extra
Pilot Light/Season 1/Extras/S01E01 Deleted Scenes.mkv => extra
Pilot Light/Season 1/Extras/01 - Making of.mkv => extra
Pilot Light/Season 1/Bonus/Gag Reel.mkv => extra
Pilot Light/Season 1/Deleted Scenes/S01E03.mkv => extra
Pilot Light/Season 1/Behind the Scenes/One.mkv => extra
Pilot Light/Season 1/Interviews/Captain.mkv => extra
Pilot Light/Season 1/Special Features/One.mkv => extra
Pilot Light/Featurettes/Season 1/Making of.mkv => extra
Pilot Light/Extras/Season 1/Making of.mkv => extra
Pilot Light/Extras/Season 1/01 - Making of.mkv => extra
Pilot Light/Extras/Disc 1/Making of.mkv => extra
Pilot Light/Season 1 Extras/Making of.mkv => extra
Pilot Light/Season 1/Season 1 Featurettes/Making of.mkv => extra
Pilot Light/Season 1/Bonus Disc/Making of.mkv => extra
Pilot Light/Season 1/Bloopers/Bloopers.mkv => extra
Pilot Light/Season 1/Trailers/Season 1 Trailer.mkv => extra
Pilot Light/Season 1/Other/Promo.mkv => extra
Pilot Light/Season 1/Featurettes/Disc 2/Interview.mkv => extra
Pilot Light/Pilot.Light.S01.1080p.BluRay-TIDE/Featurettes/Making of.mkv => extra
Pilot Light/Season 1/Sample/pl-s.mkv => sample
Extras/Season 1/Extras - S01E01.mkv => Extras S1E1
TV/Extras/Season 1/Extras - S01E01.mkv => Extras S1E1
Extras (2005)/Season 1/Extras S01E01.mkv => Extras (2005) S1E1
@movies
Quiet Lake (1999)/Extras/Season of Ice.mkv => extra
Quiet Lake (1999)/Featurettes/Disc 2/One.mkv => extra
Quiet Lake (1999)/Bonus Disc/One.mkv => extra

## season packs
@shows
Series.7.S01.1080p.WEB-TIDE/Series.7.S01E02.1080p.WEB-TIDE.mkv => Series 7 S1E2
Series 7/Series 7 S01E02.mkv => Series 7 S1E2
The Complete Idiot/Season 1/02.mkv => The Complete Idiot S1E2
Pilot Light S17 Complete Season 17/Pilot Light S17E01.mkv => Pilot Light S17E1
Pilot Light S17 Complete Season 17/01.mkv => Pilot Light S17E1
Pilot Light S17 Complete Season 17/Pilot Light - 01 - First Night.mkv => Pilot Light S17E1 "First Night"
Pilot Light Season 17 Complete/S17E01.mkv => Pilot Light S17E1
Pilot Light Complete Season 17/01 - First Night.mkv => Pilot Light S17E1
Pilot.Light.S17.COMPLETE.1080p.WEB-TIDE/Pilot.Light.S17E01.mkv => Pilot Light S17E1
Pilot.Light.S17.COMPLETE.1080p.WEB-TIDE/01.mkv => Pilot Light S17E1
Pilot.Light.S17.Season.17.1080p/e01.mkv => Pilot Light S17E1
Pilot Light - Season 17/01.mkv => Pilot Light S17E1
Pilot Light - The Complete Seventh Season/01.mkv => Pilot Light S7E1
Pilot Light (2010) Season 17 S17 (1080p BluRay)/Pilot Light (2010) - S17E01.mkv => Pilot Light (2010) S17E1
Pilot Light (2010) Season 17/01 - First Night.mkv => Pilot Light (2010) S17E1
Pilot Light/Pilot Light S17 Complete Season 17/01.mkv => Pilot Light S17E1
Pilot Light/Pilot Light Season 17 Complete 720p/01.mkv => Pilot Light S17E1
Pilot Light Staffel 3/01.mkv => Pilot Light S3E1
Pilot Light 3. Staffel/01.mkv => Pilot Light S3E1
Pilot Light/Pilot.Light.S01-S03.1080p/Season 2/Pilot.Light.S02E05.mkv => Pilot Light S2E5
Pilot.Light.S01-S03.COMPLETE.1080p/Pilot.Light.S02E05.mkv => Pilot Light S2E5
Pilot Light Complete Series/Season 2/05.mkv => Pilot Light S2E5
Pilot Light - The Complete Series (2010)/Season 2/05.mkv => Pilot Light (2010) S2E5
Pilot Light Complete/Pilot Light S02E05.mkv => Pilot Light S2E5
Pilot Light Seasons 1-3/Season 2/05.mkv => Pilot Light S2E5
Pilot Light Seasons 1 to 3/Season 2/Pilot Light 2x05.mkv => Pilot Light S2E5
[Tsuki] Umi no Uta S2 [BD 1080p]/[Tsuki] Umi no Uta S2 - 05.mkv => Umi no Uta S2E5
[Tsuki] Umi no Uta (01-12) [1080p]/[Tsuki] Umi no Uta - 05 [1080p].mkv => Umi no Uta S1E5
[Tsuki] Umi no Uta [1080p]/[Tsuki] Umi no Uta - 05 [1080p].mkv => Umi no Uta S1E5

## open brackets
@movies
Quiet Lake [Multi Sub 1080p].mkv => film Quiet Lake
Quiet Lake (Ultra HD 2160p).mkv => film Quiet Lake
Quiet Lake (1999.mkv => film Quiet Lake (1999)
Quiet Lake [1999.mkv => film Quiet Lake (1999)
Quiet Lake (1999) [1080p.mkv => film Quiet Lake (1999)
Quiet Lake {tmdb-603.mkv => film Quiet Lake
Quiet Lake (1999 - 1080p).mkv => film Quiet Lake (1999)
Quiet Lake [BluRay Rip 720p x264].mkv => film Quiet Lake
Quiet Lake [Remux by someone 1080p].mkv => film Quiet Lake
Quiet Lake (Dual Audio 1080p BluRay).mkv => film Quiet Lake
Quiet Lake (fan edit 1080p).mkv => film Quiet Lake
@shows
Pilot Light/Pilot Light - S01E02 - First Night (1080p.mkv => Pilot Light S1E2 "First Night"
Pilot Light/Pilot Light - S01E02 - First Night [Multi Sub 1080p].mkv => Pilot Light S1E2 "First Night"
Pilot Light/Pilot Light - S01E02 - First Night (Web Rip 1080p).mkv => Pilot Light S1E2 "First Night"
Pilot Light/Pilot Light (S01E02).mkv => Pilot Light S1E2
Pilot Light/Pilot Light [S01E02] First Night.mkv => Pilot Light S1E2 "First Night"
Pilot Light (S01E02) First Night.mkv => Pilot Light S1E2 "First Night"
Pilot Light [S01E02.mkv => Pilot Light S1E2
Pilot Light [1x02] First Night [720p.mkv => Pilot Light S1E2 "First Night"
[Tsuki] Umi no Uta - 05 (1080p.mkv => Umi no Uta S1E5
[Tsuki] Umi no Uta (TV - 05 [1080p].mkv => Umi no Uta S1E5
Umi no Uta/[Tsuki] Umi no Uta - 05 - The Reef (BD 1080p.mkv => Umi no Uta S1E5 "The Reef"

## disc folders
@movies
Quiet Lake (1999)/BDMV/index.bdmv => unmatched
Quiet Lake (1999)/BDMV/STREAM/00001.m2ts => unmatched
Quiet Lake (1999)/BDMV/BACKUP/index.bdmv => unmatched
Quiet Lake (1999)/VIDEO_TS/VIDEO_TS.IFO => unmatched
Quiet Lake (1999)/VIDEO_TS/VTS_01_1.VOB => unmatched
Quiet Lake (1999)/video_ts/vts_01_1.vob => unmatched
Quiet Lake (1999)/Disc 1/BDMV/STREAM/00001.m2ts => unmatched
Quiet Lake (1999)/VTS_01_1.VOB => unmatched
@shows
Pilot Light/Season 1/Disc 1/VIDEO_TS/VTS_01_1.VOB => unmatched
Pilot Light/Season 1/BDMV/STREAM/00002.m2ts => unmatched
Pilot Light/Season 1 Disc 1.iso => unmatched

## repost tags
@movies
Quiet.Lake.1999.1080p.BluRay.x264-KESTREL-postbot.mkv => film Quiet Lake (1999) g=KESTREL
Quiet.Lake.1999.1080p.BluRay.x264-KESTREL-Obfuscated.mkv => film Quiet Lake (1999) g=KESTREL
Quiet.Lake.1999.1080p.BluRay.x264-KESTREL-AsRequested.mkv => film Quiet Lake (1999) g=KESTREL
Quiet.Lake.1999.1080p.BluRay.x264-KESTREL-xpost.mkv => film Quiet Lake (1999) g=KESTREL
Quiet.Lake.1999.1080p.BluRay.x264-KESTREL-Rakuv.mkv => film Quiet Lake (1999) g=KESTREL
Quiet.Lake.1999.1080p.BluRay.x264-KESTREL-BUYMORE.mkv => film Quiet Lake (1999) g=KESTREL
Quiet.Lake.1999.1080p.BluRay.x264-KESTREL-Scrambled.mkv => film Quiet Lake (1999) g=KESTREL
Quiet.Lake.1999.1080p.BluRay.x264-KESTREL[rarbg].mkv => film Quiet Lake (1999) g=KESTREL
Quiet.Lake.1999.1080p.BluRay.x264-KESTREL.[eztv].mkv => film Quiet Lake (1999) g=KESTREL
Quiet.Lake.1999.1080p.BluRay.x264-KESTREL_postbot.mkv => film Quiet Lake (1999) g=KESTREL
Quiet.Lake.1999.1080p.BluRay.x264-KESTREL-NZBGeek.mkv => film Quiet Lake (1999) g=KESTREL
@shows
Pilot.Light.S01E02.1080p.WEB.H264-TIDE-postbot.mkv => Pilot Light S1E2 g=TIDE
Pilot.Light.S01E02.1080p.WEB.H264-TIDE-Obfuscated.mkv => Pilot Light S1E2 g=TIDE
Pilot.Light.S01E02.1080p.WEB.H264-TIDE[eztv.re].mkv => Pilot Light S1E2 g=TIDE
Pilot.Light.S01E02.1080p.WEB.H264-TIDE-xpost.mkv => Pilot Light S1E2 g=TIDE
Pilot.Light.S01E02.1080p.WEB.H264-TIDE [TGx].mkv => Pilot Light S1E2 g=TIDE
Pilot.Light.S01E02.1080p.WEB.H264-TIDE.mkv => Pilot Light S1E2 g=TIDE

## household
@movies
Quiet Lake (1999).mkv => film Quiet Lake (1999)
Quiet Lake (1999)/Quiet Lake (1999).mkv => film Quiet Lake (1999)
Quiet Lake (1999)/Quiet Lake (1999) - 2160p.mkv => film Quiet Lake (1999) v=2160p
Quiet Lake (1999)/Quiet Lake (1999) [1080p].mkv => film Quiet Lake (1999) v=1080p
Quiet Lake (1999)/Quiet Lake (1999) - Director's Cut.mkv => film Quiet Lake (1999) ed=Director's Cut
Quiet Lake (1999) {tmdb-603}/Quiet Lake (1999).mkv => film Quiet Lake (1999)
Quiet Lake (1999) [imdbid-tt0133093]/Quiet Lake.mkv => film Quiet Lake (1999)
Quiet.Lake.1999.1080p.BluRay.x264-KESTREL.mkv => film Quiet Lake (1999)
Quiet.Lake.1999.2160p.UHD.BluRay.REMUX.HDR.HEVC.Atmos-KESTREL.mkv => film Quiet Lake (1999)
Quiet_Lake_1999_720p.mkv => film Quiet Lake (1999)
quiet.lake.1999.dvdrip.xvid.avi => film quiet lake (1999)
1999 - Quiet Lake.mkv => film Quiet Lake (1999)
[1999] Quiet Lake.mkv => film Quiet Lake (1999)
Quiet Lake [1999].mkv => film Quiet Lake (1999)
Quiet Lake.mkv => film Quiet Lake
Quiet Lake 2.mkv => film Quiet Lake 2
Lake, The (2003).mkv => film The Lake (2003)
1917 (2019).mkv => film 1917 (2019)
300 (2006).mkv => film 300 (2006)
9 (2009)/9.mkv => film 9 (2009)
Se7en Lakes (1995).mkv => film Se7en Lakes (1995)
Lake 2049 (2017).mkv => film Lake 2049 (2017)
2001 A Long Walk (1968).mkv => film 2001 A Long Walk (1968)
4x4 (2019).mkv => film 4x4 (2019)
12 Men (1957).mkv => film 12 Men (1957)
Ocean's 11 (2001).mkv => film Ocean's 11 (2001)
Lake & Sea (2003).mkv => film Lake & Sea (2003)
Lake - The Long Night (2003).mkv => film Lake - The Long Night (2003)
Amélie am See (2001).mkv => film Amélie am See (2001)
Спокойное озеро (1972).mkv => film Спокойное озеро (1972)
静かな湖 (2001).mkv => film 静かな湖 (2001)
Action/Quiet Lake (1999).mkv => film Quiet Lake (1999)
Lake Collection/Lake One (1999)/Lake One (1999).mkv => film Lake One (1999)
Quiet Lake (1999)/Quiet Lake (1999)-trailer.mkv => film Quiet Lake (1999)
Quiet Lake (1999)/trailers/Teaser.mp4 => extra
Quiet Lake (1999)/Sample/ql-s.mkv => sample
Quiet Lake (1999)/extras/Making of.mkv => extra
Quiet Lake (1999) cd1.avi => film Quiet Lake (1999) p1
Pilot Light - S01E02.mkv => unmatched
@movies Quiet Lake (1999)/
Quiet Lake (1999).mkv => film Quiet Lake (1999)
Quiet Lake (1999)-trailer.mkv => extra trailer
Quiet Lake (1999)-behindthescenes.mkv => extra
Quiet Lake (1999)-sample.mkv => sample
@movies Lake Trilogy/
Lake One (1999).mkv => film Lake One (1999)
Lake Two (2003).mkv => film Lake Two (2003)
Lake Three (2007).mkv => film Lake Three (2007)
@shows
Pilot Light/Season 1/Pilot Light - S01E02 - First Night.mkv => Pilot Light S1E2 "First Night"
Pilot Light/Season 01/Pilot Light S01E02.mkv => Pilot Light S1E2
Pilot Light (2010)/Season 1/Pilot Light (2010) - S01E02 - First Night.mkv => Pilot Light (2010) S1E2 "First Night"
Pilot Light (2010) {tvdb-7}/Season 1/Pilot Light - S01E02.mkv => Pilot Light (2010) S1E2
Pilot Light/Season 1/pilot.light.s01e02.1080p.web.h264-tide.mkv => Pilot Light S1E2
Pilot Light/Season 1/Pilot Light - S01E01-E03.mkv => Pilot Light S1E1-3
Pilot Light/Season 1/Pilot Light - S01E01-03.mkv => Pilot Light S1E1-3
Pilot Light/Season 1/Pilot Light 1x02x03.mkv => Pilot Light S1E2-3
Pilot Light/Season 1/s1e2.mkv => Pilot Light S1E2
Pilot Light/Season 1/Season 1 Episode 2.mkv => Pilot Light S1E2
Pilot Light/Season 1/Episode 2.mkv => Pilot Light S1E2
Pilot Light/Season 1/E02.mkv => Pilot Light S1E2
Pilot Light/Season 1/02 - First Night.mkv => Pilot Light S1E2 "First Night"
Pilot Light/Season 1/02.mkv => Pilot Light S1E2
Pilot Light/Season 1/02. First Night.mkv => Pilot Light S1E2 "First Night"
Pilot Light/Season 1/102 - First Night.mkv => Pilot Light S1E2 "First Night"
Pilot Light/Season 2/Pilot.Light.207.First.Night.mkv => Pilot Light S2E7 "First Night"
Pilot Light/Season 1/Pilot Light 02.mkv => Pilot Light S1E2
Pilot Light/Staffel 2/Pilot Light - 05 - Nacht.mkv => Pilot Light S2E5 "Nacht"
Pilot Light/Saison 3/Pilot Light S03E04.mkv => Pilot Light S3E4
Pilot Light/Temporada 1/Pilot Light 1x05.mkv => Pilot Light S1E5
Маяк/Сезон 2/Маяк - 2 сезон 7 серия.mkv => Маяк S2E7
Маяк/Сезон 2/07 серия.mkv => Маяк S2E7
灯台/第1季/第12集.mkv => 灯台 S1E12
灯台/灯台 第12話.mkv => 灯台 S1E12
등대/등대 12화.mkv => 등대 S1E12
Pilot Light/Specials/Pilot Light - S00E01 - Christmas.mkv => Pilot Light S0E1 "Christmas"
Pilot Light/Season 00/Pilot Light S00E03.mkv => Pilot Light S0E3
Pilot Light/Specials/Christmas.mkv => Pilot Light S0 "Christmas"
Pilot Light/Pilot Light - S01E02.mkv => Pilot Light S1E2
Pilot Light/Pilot Light - Episode 12.mkv => Pilot Light S1E12
Pilot.Light.S01E02.720p.HDTV.x264-TIDE.mkv => Pilot Light S1E2
Pilot.Light.S01E02.720p.HDTV.x264-TIDE/pilot.light.s01e02.720p.hdtv.x264-tide.mkv => Pilot Light S1E2
Pilot.Light.S01.1080p.WEB-DL.H264-TIDE/Pilot.Light.S01E02.1080p.WEB-DL.H264-TIDE.mkv => Pilot Light S1E2
Pilot Light/1/Pilot Light 02.mkv => Pilot Light S1E2
Pilot Light/S02/Pilot Light - S02E02.mkv => Pilot Light S2E2
Pilot Light/Series 3/Pilot Light - S03E02.mkv => Pilot Light S3E2
The Late Desk/Season 2011/The Late Desk - 2011-11-15 - Guest.mkv => The Late Desk S2011 "Guest" @2011-11-15
The Late Desk/The.Late.Desk.2011.11.15.Guest.720p.mkv => The Late Desk S2011 "Guest" @2011-11-15
The Late Desk/The Late Desk 15.11.2011.mkv => The Late Desk S2011 @2011-11-15
Umi no Uta/[Tsuki] Umi no Uta - 012 [1080p][A1B2C3D4].mkv => Umi no Uta S1E12
Umi no Uta/[Tsuki] Umi no Uta - 12v2 [1080p].mkv => Umi no Uta S1E12
Umi no Uta/Umi no Uta - 1042.mkv => Umi no Uta S1E1042
Umi no Uta/[Tsuki]_Umi_no_Uta_-_07_[720p].mkv => Umi no Uta S1E7
1883 (2021)/Season 1/1883 S01E03.mkv => 1883 (2021) S1E3
S.W.A.L.K. (2017)/Season 1/S.W.A.L.K. S01E03.mkv => S.W.A.L.K. (2017) S1E3
The Pilot Light (UK)/Season 1/the.pilot.light.uk.s01e01.mkv => The Pilot Light (UK) S1E1
Show, The/Season 1/The Show S01E01.mkv => The Show S1E1
Pilot Light/Season 1/Pilot Light - S01E02a.mkv => Pilot Light S1E2 p1
Pilot Light/Season 1/Pilot Light - S01E02 - Storm, Part 2.mkv => Pilot Light S1E2 "Storm, Part 2"
Pilot Light/making of.mkv => unmatched
Film (1999).mkv => unmatched
Aliens.1986.Special.Edition.1080p.BluRay.mkv => unmatched
Film.Part.2.2001.mkv => unmatched
lacing-1.mkv => unmatched
@shows Pilot Light/Season 1/
01 - 100 Men.mkv => Pilot Light S1E1 "100 Men"
02 - Room 5.mkv => Pilot Light S1E2 "Room 5"
03 - 1984.mkv => Pilot Light S1E3
04 - The Reef.mkv => Pilot Light S1E4 "The Reef"
@shows Pilot Light/
Pilot Light - 01 - Day 1.mkv => Pilot Light S1E1 "Day 1"
Pilot Light - 02 - Day 1 again.mkv => Pilot Light S1E2 "Day 1 again"
Pilot Light - 03 - 5 to 12.mkv => Pilot Light S1E3 "5 to 12"
@mixed
Pilot Light/Season 1/Pilot Light S01E02.mkv => Pilot Light S1E2
Shows/Pilot Light (2010)/Season 1/02 - Night.mkv => Pilot Light (2010) S1E2 "Night"
Pilot.Light.S01E02.mkv => Pilot Light S1E2
Films/Quiet Lake (1999)/Quiet Lake (1999).mkv => film Quiet Lake (1999)
Films/Quiet Lake (1999).mkv => film Quiet Lake (1999)
Apollo 13 (1995).mkv => film Apollo 13 (1995)
Apollo 13.mkv => film Apollo 13
Ocean 11/Ocean 11.mkv => film Ocean 11
Star Saga Episode 4 (1977).mkv => film Star Saga Episode 4 (1977)
Holiday.mkv => film Holiday
[REC] (2007).mkv => film [REC] (2007)
`;
