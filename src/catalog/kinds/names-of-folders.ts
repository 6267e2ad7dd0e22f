/**
 * Table of names that mean something only together: several shows in one folder, and one show under several names. It
 * is written as `names-table.ts` is.
 */
export const NAMES_OF_FOLDERS = `
## several shows in a season or pack folder
@shows Comedies/Season 1/
Friends S01E01.mkv => Friends S1E1
Friends S01E02.mkv => Friends S1E2
Seinfeld S01E01.mkv => Seinfeld S1E1
@shows Evenings.S01.1080p.WEB-TIDE/
Pilot.Light.S01E01.1080p.mkv => Pilot Light S1E1
Late.Desk.S01E01.1080p.mkv => Late Desk S1E1
@shows CSI.S01/
CSI.Miami.S01E01.mkv => CSI Miami S1E1
CSI.NY.S01E01.mkv => CSI NY S1E1
@shows Star Trek/Season 1/
Star Trek Discovery S01E01.mkv => Star Trek Discovery S1E1
Star Trek Picard S01E01.mkv => Star Trek Picard S1E1
@shows The Office/
The Office (US) S01E01.mkv => The Office (US) S1E1
The Office (UK) S01E02.mkv => The Office (UK) S1E2
@shows
The.Office.S01.720p/The.Office.US.S01E01.mkv => The Office US S1E1
@shows The Office/Season 1/
The Office (US) - S01E01.mkv => The Office (US) S1E1
The Office (UK) - S01E01.mkv => The Office (UK) S1E1
@shows Ghosts/Season 1/
Ghosts.US.S01E01.mkv => Ghosts US S1E1
Ghosts.S01E01.mkv => Ghosts S1E1
@shows Pilot Light/Season 2/
Pilot Light S02E01.mkv => Pilot Light S2E1
Late Desk S02E01.mkv => Late Desk S2E1
@shows Charmed (2018)/Season 1/
Charmed (2018) S01E01.mkv => Charmed (2018) S1E1
Charmed (1998) S01E01.mkv => Charmed (1998) S1E1
@shows Nights/Season 1/
[Tsuki] Kaze - 01.mkv => Kaze S1E1
[Tsuki] Hoshi - 01.mkv => Hoshi S1E1
@shows Desks/2020/
The Early Desk 2020-01-02.mkv => The Early Desk S2020 @2020-01-02
The Late Desk 2020-01-02.mkv => The Late Desk S2020 @2020-01-02
@shows Box/Season 1/
Alpha S01E01 One.mkv => Alpha S1E1
Alpha S01E02 Two.mkv => Alpha S1E2
Beta S01E03 Three.mkv => Beta S1E3
@shows
Evenings/Friends.S01E01.720p-TIDE/friends.s01e01.mkv => Friends S1E1
Evenings/Seinfeld.S01E01.720p-TIDE/seinfeld.s01e01.mkv => Seinfeld S1E1
@mixed Comedies/Season 1/
Friends S01E01.mkv => Friends S1E1
Seinfeld S01E01.mkv => Seinfeld S1E1

@shows NCIS/Season 1/
NCIS S01E01.mkv => NCIS S1E1
NCIS Los Angeles S01E01.mkv => NCIS Los Angeles S1E1
NCIS.LA.S01E02.mkv => NCIS S1E2
@shows Utopia/Season 1/
Utopia (2013) S01E01.mkv => Utopia (2013) S1E1
Utopia (AU) S01E01.mkv => Utopia (AU) S1E1
Utopia (2020) S01E01.mkv => Utopia (2020) S1E1
@shows Life on Mars (US)/Season 1/
Life on Mars S01E01.mkv => Life on Mars (US) S1E1
Life on Mars (UK) S01E01.mkv => Life on Mars (UK) S1E1

## one show under several names
@shows Game of Thrones/Season 1/
Game.of.Thrones.S01E01.1080p.mkv => Game of Thrones S1E1
itv-got-s01e01-720p.mkv => Game of Thrones S1E1
got-s01e02.mkv => Game of Thrones S1E2
@shows Star Trek TNG/Season 1/
Star Trek TNG S01E01.mkv => Star Trek TNG S1E1
Star Trek The Next Generation S01E01.mkv => Star Trek TNG S1E1
@shows Kaze/Season 2/
[Tsuki] Kaze 2 - 01.mkv => Kaze S2E1
[Hoshi] Kaze - 01.mkv => Kaze S2E1
[Yama] Kaze S2 - 01.mkv => Kaze S2E1
@shows Pilot Light/Season 1/
Pilot Light (Dub) S01E01.mkv => Pilot Light S1E1
Pilot Light (Sub) S01E01.mkv => Pilot Light S1E1
Pilot.Light.German.S01E02.mkv => Pilot Light S1E2
Pilot.Light.S01E02.mkv => Pilot Light S1E2
@shows House/Season 1/
House.S01E01.mkv => House S1E1
House.MD.S01E01.1080p.mkv => House S1E1
@shows Gotham Knights/Season 1/
DC's Gotham Knights S01E01.mkv => Gotham Knights S1E1
Gotham Knights S01E01.mkv => Gotham Knights S1E1
@shows Pilot Light/Season 3/
First Night - S03E01.mkv => Pilot Light S3E1
Second Night - S03E02.mkv => Pilot Light S3E2
@shows Haus des Geldes/Staffel 1/
La.casa.de.papel.S01E01.mkv => Haus des Geldes S1E1
La.casa.de.papel.S01E02.mkv => Haus des Geldes S1E2
`;
