/** Music, an audiobook, books and comics of the demo: chords, spoken and written sentences, and drawn pages. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { makePdf } from '../src/lib/books/testing-pdf.ts';
import { comicEntries, makeEpub } from '../src/lib/books/testing.ts';
import { makeRar5, makeSeven } from '../src/lib/books/testing-packed.ts';
import { writeZip } from '../src/lib/archive/write-zip.ts';
import type { Look } from './films.ts';
import { picture } from './motifs.ts';
import type { Tools } from './video.ts';

const execute = promisify(execFile);

interface Track {
  title: string;
  seconds: number;
  /** Pitches in Hz that sound together. */
  chord: readonly number[];
  /** Lines with the second at which they are sung. */
  lyrics?: readonly (readonly [number, string])[];
}

interface Album {
  artist: string;
  title: string;
  year: number;
  genre: string;
  look: Look;
  tracks: readonly Track[];
}

const ALBUMS: readonly Album[] = [
  {
    artist: 'The Pilot Boats',
    title: 'Low Tide',
    year: 2021,
    genre: 'Ambient',
    look: { motif: 'waves', colors: ['#0b2a3c', '#1d6a7d', '#f2c57c', '#fdf3df'] },
    tracks: [
      {
        title: 'Slack Water',
        seconds: 24,
        chord: [196, 246.94, 293.66],
        lyrics: [
          [2, 'The water stands, it does not turn'],
          [8, 'The lamps along the harbour burn'],
          [14, 'Wait for the boats to come back in'],
          [19, 'Wait for the evening to begin'],
        ],
      },
      { title: 'Mooring', seconds: 18, chord: [220, 261.63, 329.63] },
      { title: 'Ebb', seconds: 18, chord: [174.61, 220, 261.63] },
    ],
  },
  {
    artist: 'The Pilot Boats',
    title: 'Outer Mark',
    year: 2024,
    genre: 'Ambient',
    look: { motif: 'contours', colors: ['#10241f', '#2d5a4c', '#e7c77a', '#f6f1dc'] },
    tracks: [
      { title: 'Bell Buoy', seconds: 16, chord: [164.81, 196, 246.94] },
      { title: 'Fairway', seconds: 16, chord: [146.83, 174.61, 220] },
    ],
  },
  {
    artist: 'Clara Lindqvist',
    title: 'Night Ferry',
    year: 2017,
    genre: 'Jazz',
    look: { motif: 'moons', colors: ['#171433', '#3b2d6b', '#e9a6c9', '#fbe9f4'] },
    tracks: [
      { title: 'Departure', seconds: 15, chord: [146.83, 185, 220] },
      { title: 'Deck Lights', seconds: 15, chord: [164.81, 207.65, 246.94] },
    ],
  },
];

/** Notes in the folder of an artist, as Kodi and Jellyfin write it. The other artist is known from a film. */
const ARTIST = {
  name: 'The Pilot Boats',
  biography:
    'Three pilots of the harbour, who began to play in the winter in which the fairway was frozen. They record in ' +
    'the boat shed, between two tides, with whatever the wind does to the roof.',
  look: { motif: 'stars', colors: ['#081826', '#1b4a63', '#f2c57c', '#fdf3df'] },
} as const;

const SPOKEN = {
  author: 'Ida Brandt',
  title: 'The Lamp Room',
  narrator: 'Jonas Weiss',
  look: { motif: 'lighthouse', colors: ['#1b1f3a', '#39507a', '#ffd37a', '#fff4d6'] },
  parts: [
    'The lamp room had seven windows. From six of them you saw the sea, and from the seventh you saw the house.',
    'On the second evening the glass was cold. Somebody had left the door open, and the wind had gone up the stairs.',
  ],
} as const;
/** The next volume of its series. */
const SECOND_SPOKEN = {
  ...SPOKEN,
  title: 'The Fog Signal',
  look: { motif: 'mountains', colors: ['#26303a', '#5d6f7d', '#d9e2e6', '#ffffff'] },
  parts: [
    'In the morning there was no sea. There was a white wall, and behind it somebody was counting.',
    'The signal has to be given every two minutes. She gave it, and after the third time it was answered.',
  ],
} as const;

const CHAPTERS = [
  {
    title: 'The seventh window',
    sentences: [
      'The lamp room had seven windows.',
      'From six of them you saw the sea, and from the seventh you saw the house.',
      'Nobody had cleaned the seventh for years, because nobody wanted to look at the house while the lamp was lit.',
    ],
  },
  {
    title: 'Cold glass',
    sentences: [
      'On the second evening the glass was cold.',
      'Somebody had left the door open, and the wind had gone up the stairs ahead of her.',
      'She counted the matches. There were four, and there had been five in the morning.',
    ],
  },
  {
    title: 'What the pilot said',
    sentences: [
      'The pilot said that he had seen two lights.',
      'One was where it should be, and the other one was lower and moved.',
      'He had steered by the first. He did not say what he thought the second had been.',
    ],
  },
] as const;

const put = async (path: string, bytes: string | Uint8Array): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
};
const drawn = (svg: string, width: number, height: number): Promise<Buffer> =>
  sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${svg}</svg>`))
    .jpeg({ quality: 82 })
    .toBuffer();
const cover = (title: string, look: Look, w: number, h: number): Promise<Buffer> =>
  drawn(picture({ look, title, w, h, isPoster: true }), w, h);

async function makeAlbum(root: string, { artist, title, year, genre, look, tracks }: Album, tools: Tools) {
  const folder = join(root, artist, `${title} (${year})`);
  await put(join(folder, 'cover.jpg'), await cover(title, look, 900, 900));
  for (const [n, track] of tracks.entries()) {
    const stem = join(folder, `${String(n + 1).padStart(2, '0')} ${track.title}`);
    const voices = track.chord.map((pitch) => `0.1*sin(2*PI*${pitch}*t)*(0.7+0.3*sin(2*PI*t/6))`).join('+');
    const tags = { title: track.title, artist, album: title, album_artist: artist, date: String(year), genre };
    await execute(tools.ffmpeg, [
      ...['-nostdin', '-v', 'error', '-y', '-f', 'lavfi', '-i', `aevalsrc=${voices}:s=44100:d=${track.seconds}`],
      ...Object.entries({ ...tags, track: `${n + 1}/${tracks.length}` }).flatMap(([name, text]) => [
        '-metadata',
        `${name}=${text}`,
      ]),
      ...['-fflags', '+bitexact', '-c:a', 'flac', '-sample_fmt', 's16', `${stem}.flac`],
    ]);
    if (track.lyrics) {
      const lines = track.lyrics.map(([at, text]) => `[00:${String(at).padStart(2, '0')}.00]${text}\n`);
      await put(`${stem}.lrc`, lines.join(''));
    }
  }
}

/** Speech where this ffmpeg can speak; otherwise a tone for each part. */
async function makeVolume(
  root: string,
  { author, title, narrator, parts, look }: typeof SPOKEN | typeof SECOND_SPOKEN,
  { volume, tools }: { volume: number; tools: Tools },
): Promise<void> {
  const folder = join(root, author, 'Coast', `${volume} - ${title}`);
  await put(join(folder, 'cover.jpg'), await cover(title, look, 900, 900));
  await put(
    join(folder, 'metadata.json'),
    JSON.stringify({
      title,
      authors: [author],
      narrators: [narrator],
      series: [`Coast #${volume}`],
      publishedYear: String(2018 + 2 * volume),
    }),
  );
  const scratch = await mkdtemp(join(tmpdir(), 'demo-spoken-'));
  try {
    for (const [n, text] of parts.entries()) {
      const words = join(scratch, 'words.txt');
      await writeFile(words, text);
      const speech = tools.can('flite') ? `flite=textfile=${words}:voice=rms` : `sine=frequency=${220 + 40 * n}:d=9`;
      await execute(tools.ffmpeg, [
        ...['-nostdin', '-v', 'error', '-y', '-f', 'lavfi', '-i', speech, '-ar', '44100', '-ac', '1'],
        ...['-metadata', `title=${CHAPTERS[n]?.title ?? ''}`, '-metadata', `album=${title}`],
        ...['-metadata', `artist=${author}`, '-metadata', `track=${n + 1}`, '-fflags', '+bitexact'],
        ...['-c:a', 'flac', '-sample_fmt', 's16', join(folder, `${n + 1}.flac`)],
      ]);
    }
  } finally {
    await rm(scratch, { recursive: true });
  }
}

async function makeArtist(root: string): Promise<void> {
  const { name, biography, look } = ARTIST;
  const folder = join(root, name);
  await put(join(folder, 'artist.jpg'), await cover(name, look, 900, 900));
  await put(
    join(folder, 'fanart.jpg'),
    await drawn(picture({ look, title: name, w: 1280, h: 720, isPoster: false }), 1280, 720),
  );
  await put(
    join(folder, 'artist.nfo'),
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      `<artist>\n  <name>${name}</name>\n  <biography>${biography}</biography>\n</artist>\n`,
  );
}

async function makeBooks(root: string): Promise<void> {
  const { author, title, look } = SPOKEN;
  const parts = CHAPTERS.map((chapter) => ({
    title: chapter.title,
    markup: `<h1>${chapter.title}</h1>${chapter.sentences.map((text) => `<p>${text}</p>`.repeat(8)).join('')}`,
  }));
  const front = { name: 'cover.jpg', type: 'image/jpeg', properties: 'cover-image' };
  await put(
    join(root, author, `${title}.epub`),
    makeEpub({
      title,
      authors: [author],
      metadata: '<dc:date>2020-03-01</dc:date><dc:description>A keeper, a lamp and four matches.</dc:description>',
      parts,
      files: [{ ...front, bytes: await cover(title, look, 900, 1350) }],
    }),
  );
  const comic: Look = { motif: 'stars', colors: ['#0d1026', '#2c2f66', '#ffcf5c', '#fff3cf'] };
  // One of each kind of archive: all are read alike.
  const archives = [
    { ending: 'cbz', make: writeZip },
    { ending: 'cbr', make: makeRar5 },
    { ending: 'cb7', make: makeSeven },
  ];
  for (const [index, { ending, make }] of archives.entries()) {
    const volume = index + 1;
    const pages = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => ({
        name: `${String(n + 1).padStart(2, '0')}.jpg`,
        bytes: await cover(`Moon Post ${volume} ${n}`, comic, 900, 1350),
      })),
    );
    const info = { Series: 'Moon Post', Volume: volume, Writer: 'Mika Aalto', Year: 2018 + volume, PageCount: 6 };
    await put(join(root, 'Moon Post', `Moon Post v0${volume}.${ending}`), make(comicEntries(pages, info)));
  }
}

/** A book with a fixed layout: an outline, words that can be selected and searched, and a drawing on each page. */
const WALKS: readonly { title: string; lines: readonly string[] }[] = [
  {
    title: 'Harbour walks',
    lines: ['Harbour walks', '', 'Three walks for a dry day,', 'and one for a wet one.', '', 'Mika Aalto'],
  },
  {
    title: 'The mole',
    lines: [
      'The mole',
      '',
      'Begin at the fish market and keep the water on your left.',
      'The mole is four hundred paces long. Where it bends, an iron',
      'ring is set into the wall: the ferry was tied to it until the',
      'new quay was built.',
      '',
      'At its end stands the small lighthouse. Its lamp turns once in',
      'twelve seconds, and on clear nights it reaches the islands.',
    ],
  },
  {
    title: 'The ropewalk',
    lines: [
      'The ropewalk',
      '',
      'Behind the church a lane runs straight for half a mile. Here',
      'rope was made, and a rope needs a straight line as long as',
      'itself. The lime trees were planted for the shade.',
      '',
      'The last ropemaker kept bees. His hives are still there.',
    ],
  },
  {
    title: 'The wet day',
    lines: [
      'The wet day',
      '',
      'Go to the lighthouse museum. Take the stairs slowly: there',
      'are one hundred and twelve, and the lamp room is worth each.',
      'When the rain stops, you will be the first to see it.',
    ],
  },
];
const HARBOUR =
  '0.93 0.96 0.97 rg 0 0 420 595 re f 0.12 0.42 0.5 rg 0 0 420 110 re f 0.95 0.77 0.49 rg 330 110 18 90 re f ' +
  '0.8 0.25 0.2 rg 330 140 18 20 re f 0.05 0.16 0.24 rg';

async function makeWalks(root: string): Promise<void> {
  await put(
    join(root, 'Mika Aalto', 'Harbour walks.pdf'),
    makePdf({
      title: 'Harbour walks',
      author: 'Mika Aalto',
      pages: WALKS.map(({ lines }) => lines),
      outline: WALKS.map(({ title }, page) => ({ title, page })),
      drawn: HARBOUR,
    }),
  );
}

export type LibraryMaker = (root: string, tools: Tools) => Promise<void>;
/** The libraries that are made here, by their folders; these are also the kinds of the libraries. */
export const MADE_LIBRARIES: Readonly<Record<string, LibraryMaker>> = {
  music: async (root, tools) => {
    for (const album of ALBUMS) await makeAlbum(root, album, tools);
    await makeArtist(root);
  },
  audiobooks: async (root, tools) => {
    await makeVolume(root, SPOKEN, { volume: 1, tools });
    await makeVolume(root, SECOND_SPOKEN, { volume: 2, tools });
  },
  books: async (root) => {
    await makeBooks(root);
    await makeWalks(root);
  },
};
