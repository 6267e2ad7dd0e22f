/**
 * The demo library as a list: invented films and a show, in folders and under names as people have them.
 *
 * Between them they hold what a real shelf holds: several containers and codecs, versions, parts, tracks,
 * chapters, sidecars in old encodings, a file that cannot be placed and one that is broken. In a browser some play
 * as they are, and the others need each way in which a server can help: another container (Two Voices), other sound
 * (Árbol de sombra), another picture (The Glass Orchard) or both (Paper Moons).
 */

export type Motif = 'lighthouse' | 'moons' | 'rails' | 'waves' | 'voices' | 'contours' | 'mountains' | 'tree' | 'stars' | 'horizon' | 'gears' | 'orchard' | 'harbour';

export interface Look {
  motif: Motif;
  /** From the sky down: background, middle, light, and the ink of the title. */
  colors: readonly [string, string, string, string];
  /** Text on the poster if the font lacks the title's letters. */
  lettering?: string;
}

export interface Sidecar {
  /** Suffix to the video's name: `de.srt`. */
  suffix: string;
  language: string;
  encoding?: 'utf-8' | 'windows-1252' | 'windows-1251' | 'utf-16le' | 'shift_jis';
  format?: 'srt' | 'ass' | 'vtt';
  kind?: 'forced' | 'sdh';
}

export interface Track {
  language: string;
  title?: string;
  format?: 'srt' | 'ass';
  commentary?: true;
}

export interface Video {
  /** With its folder, from the library's root. */
  file: string;
  codec: 'h264' | 'hevc' | 'vp9' | 'av1' | 'mpeg4';
  size: readonly [number, number];
  seconds: number;
  audio?: readonly Track[];
  /** Audio codec. Default: AAC, or Opus with VP9. AC-3 has six channels. */
  sound?: 'ac3' | 'mp3';
  /** Seconds at which the melody of its show begins: what is found as its intro. */
  intro?: number;
  subtitles?: readonly Track[];
  chapters?: readonly string[];
  sidecars?: readonly Sidecar[];
  /** Words that are spoken and, in the providers' subtitle, written. */
  isSpoken?: true;
  /** The languages in which the stand-in providers have a subtitle for it. */
  offered?: readonly string[];
}

export interface Film {
  title: string;
  year: number;
  look: Look;
  /** Whether it has a poster and a backdrop. */
  hasArt: boolean;
  imdb: string;
  plot?: string;
  genres?: readonly string[];
  mpaa?: string;
  rating?: number;
  director?: string;
  actors?: readonly (readonly [name: string, role: string])[];
  videos: readonly Video[];
}

const HD = [1280, 720] as const;
const SD = [640, 360] as const;
const folder = (name: string, file: string) => `Films/${name}/${file}`;

export const FILMS: readonly Film[] = [
  {
    title: 'The Lighthouse Keeper', year: 2019, imdb: 'tt9900101', hasArt: true,
    look: { motif: 'lighthouse', colors: ['#0d1b2a', '#1b3a57', '#f4d58d', '#fdf6e3'] },
    plot: 'A keeper who has not spoken for a year answers a voice on the radio, and learns that the ship it comes from went down before he was born.',
    genres: ['Drama', 'Mystery'], mpaa: 'PG', rating: 7.8, director: 'Ines Aldana',
    actors: [['Tomas Verhoeven', 'The keeper'], ['Mara Lindqvist', 'The voice']],
    videos: [{ file: folder('The Lighthouse Keeper (2019)', 'The Lighthouse Keeper (2019).mp4'), codec: 'h264', size: HD, seconds: 150, isSpoken: true, offered: ['en', 'fr', 'es'], sidecars: [{ suffix: 'de.srt', language: 'de', encoding: 'windows-1252' }] }],
  },
  {
    title: 'Paper Moons', year: 2021, imdb: 'tt9900102', hasArt: true,
    look: { motif: 'moons', colors: ['#2b1a3f', '#6a3d7c', '#f7c59f', '#fff4e6'] },
    plot: 'Two sisters fold a moon for every night their mother is away, and run out of paper on the last one.',
    genres: ['Family', 'Animation'], mpaa: 'G', rating: 8.1, director: 'Hana Okafor', actors: [['Lia Moreau', 'Odile'], ['Nell Moreau', 'June']],
    videos: [{ file: folder('Paper Moons (2021) [1080p]', 'Paper.Moons.2021.1080p.BluRay.x265-DEMO.mkv'), codec: 'hevc', size: [1920, 1080], seconds: 24, audio: [{ language: 'eng' }], sound: 'ac3', offered: ['en', 'de'] }],
  },
  {
    title: 'Night Train to Porto', year: 2017, imdb: 'tt9900103', hasArt: true,
    look: { motif: 'rails', colors: ['#11151c', '#364156', '#e76f51', '#f6ede4'] },
    plot: 'A conductor has until morning to find which of nine passengers is travelling under his name.',
    genres: ['Thriller'], mpaa: 'R', rating: 7.1, director: 'Rui Saldanha', actors: [['Beatriz Couto', 'Clara'], ['Jon Ferrer', 'The conductor']],
    videos: [{ file: folder('Night Train to Porto (2017)', 'Night Train to Porto (2017).webm'), codec: 'vp9', size: SD, seconds: 20, audio: [{ language: 'por' }], sidecars: [{ suffix: 'pt-BR.srt', language: 'pt' }, { suffix: 'en.vtt', language: 'en', format: 'vtt' }] }],
  },
  {
    title: 'Saltwater', year: 2023, imdb: 'tt9900104', hasArt: true,
    look: { motif: 'waves', colors: ['#073b4c', '#118ab2', '#8fd3d1', '#eafcff'] },
    plot: 'The last ferry of the season does not turn back.',
    genres: ['Drama'], mpaa: 'PG-13', rating: 6.9, director: 'Sofie Dahl', actors: [['Idris Bell', 'Matthew']],
    videos: [{ file: folder('Saltwater (2023)', 'Saltwater (2023).mkv'), codec: 'av1', size: SD, seconds: 30, audio: [{ language: 'eng' }], sidecars: [{ suffix: 'en.srt', language: 'en' }] }],
  },
  {
    title: 'Two Voices', year: 2015, imdb: 'tt9900105', hasArt: true,
    look: { motif: 'voices', colors: ['#3d0c11', '#8f2d2d', '#f2a65a', '#fff1dc'] },
    plot: 'An interpreter falls in love with what she leaves out.',
    genres: ['Romance', 'Comedy'], mpaa: 'PG', rating: 7.5, director: 'Anouk Bernard', actors: [['Mara Lindqvist', 'Judith'], ['Emil Sander', 'The ambassador'], ['Clara Lindqvist', 'The singer']],
    videos: [{
      file: folder('Two Voices (2015)', 'Two Voices (2015).mkv'), codec: 'h264', size: HD, seconds: 40,
      audio: [{ language: 'eng', title: 'English stereo' }, { language: 'deu', title: 'Deutsch' }, { language: 'eng', title: 'Commentary by the director', commentary: true }],
      subtitles: [{ language: 'eng', title: 'English' }, { language: 'deu', title: 'Deutsch (Schilder)', format: 'ass' }],
      chapters: ['The reception', 'What was said', 'What was meant', 'Credits'],
    }],
  },
  {
    title: 'The Cartographer', year: 2012, imdb: 'tt9900106', hasArt: true,
    look: { motif: 'contours', colors: ['#1f2a1d', '#4b6043', '#d9c77e', '#f8f4e3'] },
    plot: 'She was paid to draw the border. She drew the river instead.',
    genres: ['Adventure', 'History'], mpaa: 'PG', rating: 7.9, director: 'Ines Aldana', actors: [['Beatriz Couto', 'Irene']],
    videos: [
      { file: folder('The Cartographer (2012)', 'The Cartographer (2012) - 1080p.mp4'), codec: 'h264', size: [1920, 1080], seconds: 15, offered: ['en'], sidecars: [{ suffix: 'fr.srt', language: 'fr' }] },
      { file: folder('The Cartographer (2012)', 'The Cartographer (2012) - 720p.mp4'), codec: 'h264', size: HD, seconds: 15 },
    ],
  },
  {
    title: 'Long Winter', year: 2008, imdb: 'tt9900107', hasArt: true,
    look: { motif: 'mountains', colors: ['#22304a', '#6c87a8', '#e8f0f7', '#ffffff'] },
    plot: 'Snow closes the pass in September. Everybody in the inn had a reason to be elsewhere.',
    genres: ['Drama'], mpaa: 'R', rating: 7.3, director: 'Sofie Dahl', actors: [['Emil Sander', 'The innkeeper']],
    videos: [
      { file: folder('Long Winter (2008)', 'Long Winter (2008) - cd1.mp4'), codec: 'h264', size: SD, seconds: 20, sidecars: [{ suffix: 'en.srt', language: 'en' }] },
      { file: folder('Long Winter (2008)', 'Long Winter (2008) - cd2.mp4'), codec: 'h264', size: SD, seconds: 20, sidecars: [{ suffix: 'en.srt', language: 'en' }] },
    ],
  },
  {
    title: 'Árbol de sombra', year: 2011, imdb: 'tt9900108', hasArt: true,
    look: { motif: 'tree', colors: ['#2a1f14', '#7a4b2a', '#e9b872', '#fdf0d5'] },
    plot: 'Tres hermanos heredan un árbol, y nadie hereda su sombra.',
    genres: ['Drama', 'Family'], mpaa: 'PG', rating: 7.0, director: 'Lucía Prado', actors: [['Jon Ferrer', 'Mateo']],
    videos: [{ file: folder('Árbol de sombra (2011)', 'Árbol de sombra (2011).mkv'), codec: 'h264', size: SD, seconds: 60, audio: [{ language: 'spa' }], sound: 'ac3', sidecars: [{ suffix: 'spa.srt', language: 'es', encoding: 'windows-1252' }, { suffix: 'ru.srt', language: 'ru', encoding: 'windows-1251' }] }],
  },
  {
    title: '夜の灯台', year: 2014, imdb: 'tt9900109', hasArt: true,
    look: { motif: 'stars', colors: ['#0b1026', '#2b3a67', '#e0b1cb', '#f5f3ff'], lettering: 'Yoru no tōdai' },
    plot: '灯台守の娘は、消えた船の名前を数える。',
    genres: ['Drama', 'Fantasy'], mpaa: 'PG', rating: 8.0, director: 'Hana Okafor', actors: [['Aoi Minami', 'Yui']],
    videos: [{ file: folder('夜の灯台 (2014)', '夜の灯台 (2014).mkv'), codec: 'h264', size: SD, seconds: 20, audio: [{ language: 'jpn' }], sidecars: [{ suffix: 'ja.srt', language: 'ja', encoding: 'shift_jis' }, { suffix: 'en.ass', language: 'en', format: 'ass' }] }],
  },
  {
    title: 'Borderland', year: 2018, imdb: 'tt9900110', hasArt: true,
    look: { motif: 'horizon', colors: ['#3a0f2b', '#c8553d', '#f9c784', '#fff5e4'] },
    plot: 'A road, a fence, and a radio that only plays the other side.',
    genres: ['Western', 'Thriller'], mpaa: 'R', rating: 6.7, director: 'Rui Saldanha', actors: [['Idris Bell', 'Cole']],
    videos: [{
      file: folder('Borderland (2018)', 'Borderland (2018).mp4'), codec: 'h264', size: SD, seconds: 24,
      sidecars: [{ suffix: 'en.srt', language: 'en' }, { suffix: 'en.forced.srt', language: 'en', kind: 'forced' }, { suffix: 'en.sdh.srt', language: 'en', kind: 'sdh' }, { suffix: 'it.srt', language: 'it', encoding: 'utf-16le' }],
    }],
  },
  {
    title: 'Quiet Machines', year: 2020, imdb: 'tt9900111', hasArt: false,
    look: { motif: 'gears', colors: ['#101418', '#39424e', '#8fb8de', '#eef4fa'] },
    videos: [{ file: 'Films/Quiet.Machines.2020.720p.WEB-DL.AAC2.0.H264-DEMO.mkv', codec: 'h264', size: HD, seconds: 12, audio: [{ language: 'eng' }], offered: ['en'] }],
  },
  {
    title: 'The Glass Orchard', year: 1998, imdb: 'tt9900112', hasArt: true,
    look: { motif: 'orchard', colors: ['#12302b', '#2f6f5e', '#f3dfa2', '#fbfaf0'] },
    plot: 'The blower who made the orchard wants one apple back.',
    genres: ['Fantasy'], mpaa: 'PG', rating: 7.6, director: 'Lucía Prado', actors: [['Tomas Verhoeven', 'The blower']],
    videos: [{ file: folder("The Glass Orchard (1998) {edition-Director's Cut}", "The Glass Orchard (1998) {edition-Director's Cut}.avi"), codec: 'mpeg4', size: SD, seconds: 60, sound: 'mp3', sidecars: [{ suffix: 'srt', language: 'en' }] }],
  },
];

export interface Episode {
  season: number;
  /** More than one where a file holds several. */
  numbers: readonly number[];
  title: string;
  video: Video;
}

const at = (season: string, file: string) => `Shows/Harbour Lights (2016)/${season}/${file}`;
const episode = (season: number, numbers: readonly number[], title: string, file: string, more: Partial<Video> = {}): Episode => ({
  season, numbers, title,
  // The first season has an intro, which comes later from episode to episode. It is less than a fifth of an episode:
  // more would only be suggested.
  video: { file, codec: 'h264', size: SD, ...(season === 1 ? { seconds: 150, intro: 2 + 3 * (numbers[0] ?? 0) } : { seconds: 15 }), audio: [{ language: 'eng' }], ...more },
});

export const SHOW = {
  title: 'Harbour Lights', year: 2016, imdb: 'tt9900200', folder: 'Shows/Harbour Lights (2016)',
  look: { motif: 'harbour', colors: ['#10192b', '#27476e', '#ffb563', '#fff4e0'] } satisfies Look,
  plot: 'A harbour master, a smuggler and the town that needs them both.',
  genres: ['Drama', 'Crime'], mpaa: 'TV-14', rating: 8.3,
  actors: [['Mara Lindqvist', 'Astrid Holm'], ['Idris Bell', 'Peter Nash']] as const,
  episodes: [
    episode(1, [1], 'The arrival', at('Season 01', 'Harbour Lights - S01E01 - The arrival.mkv'), { subtitles: [{ language: 'eng', title: 'English' }] }),
    episode(1, [2], 'Low water', at('Season 01', 'Harbour Lights - S01E02 - Low water.mkv'), { offered: ['en'] }),
    episode(1, [3], 'The pilot boat', at('Season 01', 'Harbour Lights - S01E03 - The pilot boat.mkv'), { sidecars: [{ suffix: 'en.srt', language: 'en' }, { suffix: 'sv.srt', language: 'sv' }] }),
    episode(1, [4], 'Fog signal', at('Season 01', 'Harbour Lights - S01E04 - Fog signal.mp4'), { codec: 'h264' }),
    episode(2, [1], 'Another winter', at('Season 02', 'harbour.lights.s02e01.720p.web.h264-demo.mkv'), { offered: ['en'] }),
    episode(2, [2, 3], 'The inquiry', at('Season 02', 'harbour.lights.s02e02e03.720p.web.h264-demo.mkv'), { sidecars: [{ suffix: 'en.srt', language: 'en' }] }),
    episode(2, [4], 'Harbour lights', at('Season 02', 'Harbour Lights 2x04 Harbour lights.webm'), { codec: 'vp9' }),
    episode(0, [1], 'Behind the harbour', at('Specials', 'Harbour Lights - S00E01 - Behind the harbour.mp4')),
  ],
} as const;

/** Odd files of a real library: not playable, broken, and empty. */
export const STRAYS = { unplaced: 'Films/Holidays 2004/VIDEO_TS/VTS_01_1.VOB', broken: 'Films/Broken Reel (2003)/Broken Reel (2003).mkv', empty: 'Films/Empty Can (2001)/Empty Can (2001).mp4' } as const;

/** Names of all actors, each once. */
export const ACTORS = [
  ...new Set([...FILMS.flatMap(({ actors = [] }) => actors), ...SHOW.actors].map(([name]) => name)),
];
