/**
 * A small library of every kind, whose titles, people, genres and texts all have one word: a test that looks for this
 * word finds every trace.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exifOf, jpegWith, quarters } from '../src/catalog/probe/testing/pictures.ts';
import { flac } from '../src/catalog/testing/sound.ts';
import { grow, makeNfo, type Tree } from '../src/catalog/testing/world.ts';
import type { LibraryKind } from '../src/contract/catalog/kinds.ts';
import { makePdf } from '../src/lib/books/testing-pdf.ts';
import { makeComic, makeEpub } from '../src/lib/books/testing.ts';

/** Folders of the libraries, and their kinds. */
export const LIBRARIES: Readonly<Record<string, LibraryKind>> = {
  films: 'movies',
  shows: 'shows',
  music: 'music',
  audiobooks: 'audiobooks',
  books: 'books',
  photos: 'photos',
};
/** Ratings of films, shows and books: for all ages, or for adults. */
interface Rating {
  film: string;
  show: string;
  book: string;
}
const FOR_ALL: Rating = { film: 'G', show: 'TV-Y', book: 'Everyone' };
const FOR_ADULTS: Rating = { film: 'NC-17', show: 'TV-MA', book: 'Adults Only 18+' };

/** Length of a film that can have markers, and of a clip that is no live photo. */
const LONG_S = 20;

const put = (path: string, bytes: string | Uint8Array): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
};
const subtitle = (text: string): string => `1\n00:00:00,500 --> 00:00:01,500\n${text}\n`;
const person = (name: string): string => `<name>${name}</name><role>Somebody</role>`;

/** A picture: a page of a comic, a portrait, a poster. */
export const page = await quarters(40, 60);

/** Writes two films of a set with a trailer, subtitles and people. */
const filmsOf = (word: string, { set, rating }: { set: string; rating: Rating }): Tree =>
  Object.fromEntries(
    ['One (2001)', 'Two (2002)'].flatMap((name, n) => {
      const [stem, title] = [`${word} ${name}`, `${word} ${name.slice(0, 3)}`];
      const facts = { title, year: 2001 + n, mpaa: rating.film, genre: `${word} genre`, studio: `${word} Works` };
      return [
        [`${stem}/${stem}.mp4`, n === 0 ? LONG_S : true],
        [`${stem}/${stem}-trailer.mp4`, true],
        [`${stem}/.actors/${word}_Actor.jpg`, page],
        [`${stem}/${stem}.en.srt`, subtitle(`The ${word} umbrella of the harbour`)],
        [
          `${stem}/movie.nfo`,
          makeNfo('movie', { ...facts, set, director: 'Shared Director', actor: person(`${word} Actor`) }),
        ],
      ] as const;
    }),
  );

const episodesOf = (word: string, show: string, numbers: readonly string[], rating: Rating): Tree =>
  Object.fromEntries(
    numbers.flatMap((number) => {
      const [season = '1', episode = '1'] = number.split('x');
      const at = `${show}/Season ${season}/${show} S${season.padStart(2, '0')}E${episode.padStart(2, '0')}`;
      const facts = {
        title: `${word} part ${number}`,
        season,
        episode,
        mpaa: rating.show,
        director: 'Shared Director',
      };
      return [
        [`${at}.mkv`, true],
        [`${at}.nfo`, makeNfo('episodedetails', { ...facts, actor: person(`${word} Guest`) })],
      ] as const;
    }),
  );

interface Sound {
  artist: string;
  album: string;
  titles: Readonly<Record<number, string>>;
}
function putTracks(folder: string, { artist, album, titles }: Sound): void {
  for (const [n, title] of Object.entries(titles)) {
    const tags = { TITLE: title, ALBUM: album, ALBUMARTIST: artist, ARTIST: artist, TRACKNUMBER: n, GENRE: album };
    put(join(folder, `${n}.flac`), flac(tags));
    put(join(folder, `${n}.lrc`), `[00:00.50]We sang of the ${title} umbrella\n`);
  }
}

function putVolume(root: string, word: string, { series, volume }: { series: string; volume: number }): void {
  const folder = join(root, `${series} Author`, series, `${volume} - ${word} Tale ${volume}`);
  const title = `${word} Tale ${volume}`;
  const tags = { TITLE: title, ALBUM: title, ARTIST: `${series} Author`, SERIES: series, NARRATOR: `${word} Reader` };
  put(join(folder, '1.flac'), flac({ ...tags, 'SERIES-PART': String(volume) }));
}

function putIssue(root: string, word: string, { series, number, rating }: Issue): void {
  const pages = [1, 2].map((n) => ({ name: `${n}.jpg`, bytes: page }));
  const facts = { Series: series, Number: number, Title: `${word} issue ${number}`, Genre: `${word} genre` };
  const info = { ...facts, Writer: `${word} Writer`, AgeRating: rating.book };
  put(join(root, series, `${series} v01 c00${number}.cbz`), makeComic(pages, info));
}
interface Issue {
  series: string;
  number: number;
  rating: Rating;
}

function putPhotos(root: string, word: string, folder: string): void {
  const exif = exifOf({ original: '2024:05:02 10:00:00', offset: '+01:00', camera: `${word} Camera`, place: true });
  put(join(root, folder, `${word} photo.jpg`), jpegWith(page, { exif }));
  grow(join(root, folder), { [`${word} clip.mp4`]: LONG_S });
}

/** Makes something of every kind below `root`, in separate groups. */
export function makeEveryKind(root: string, word: string): void {
  const rating = FOR_ALL;
  grow(join(root, 'films'), filmsOf(word, { set: `${word} Set`, rating }));
  grow(join(root, 'shows'), {
    [`${word} Show/tvshow.nfo`]: makeNfo('tvshow', {
      title: `${word} Show`,
      mpaa: rating.show,
      genre: `${word} genre`,
    }),
    ...episodesOf(word, `${word} Show`, ['1x1', '1x2'], rating),
  });
  putTracks(join(root, 'music', `${word} Band`, `${word} Album`), {
    artist: `${word} Band`,
    album: `${word} Album`,
    titles: { 1: `${word} Song`, 2: `${word} Dance` },
  });
  put(join(root, 'music', `${word} Band`, 'artist.jpg'), page);
  put(join(root, 'music', `${word} Band`, 'artist.nfo'), makeNfo('artist', { biography: `The life of ${word}` }));
  for (const volume of [1, 2]) putVolume(join(root, 'audiobooks'), word, { series: `${word} Saga`, volume });
  for (const number of [1, 2]) putIssue(join(root, 'books'), word, { series: `${word} Comic`, number, rating });
  const parts = [{ title: 'One', markup: `<p>The ${word} lighthouse.</p><img src="map.jpg" alt=""/>` }];
  const files = [{ name: 'map.jpg', type: 'image/jpeg', bytes: page }];
  put(
    join(root, 'books', 'Novels', `${word} Novel.epub`),
    makeEpub({ title: `${word} Novel`, authors: [word], parts, files }),
  );
  put(join(root, 'books', 'Tables', `${word} Table.pdf`), makePdf({ title: `${word} Table`, pages: [[word]] }));
  putPhotos(join(root, 'photos'), word, `${word} Day`);
}

/** Adds films, episodes and books for adults, named after `word`, to the groups of another word. */
export function makeAdultParts(root: string, word: string, of: string): void {
  grow(join(root, 'films'), filmsOf(word, { set: `${of} Set`, rating: FOR_ADULTS }));
  grow(join(root, 'shows'), episodesOf(word, `${of} Show`, ['1x3', '2x1'], FOR_ADULTS));
  putIssue(join(root, 'books'), word, { series: `${of} Comic`, number: 3, rating: FOR_ADULTS });
}

/** Adds parts of kinds that no rating hides, named after `word`, to the groups of another word. */
export function makeUnratedParts(root: string, word: string, of: string): void {
  putTracks(join(root, 'music', `${of} Band`, `${of} Album`), {
    artist: `${of} Band`,
    album: `${of} Album`,
    titles: { 3: `${word} Song` },
  });
  putVolume(join(root, 'audiobooks'), word, { series: `${of} Saga`, volume: 3 });
  putPhotos(join(root, 'photos'), word, `${of} Day`);
}
