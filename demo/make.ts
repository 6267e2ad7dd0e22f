/**
 * Makes the demo library: `node demo/make.ts FOLDER`.
 *
 * Below FOLDER it leaves `media/`, `photos/`, `music/`, `audiobooks/` and `books/` (the libraries), `providers.json`
 * (what the stand-in providers have for the videos), `metadata.json` and `metadata/` (pages and pictures of the
 * stand-in metadata provider) and `made.json`. A part whose recipe is that of the last run is kept, and half a part is
 * made again.
 */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';
import { backdrop, poster, type TitledPicture } from './art.ts';
import { ACTORS, type Film, FILMS, SHOW, STRAYS, type Video } from './films.ts';
import { episodeId, offers } from './offers.ts';
import { makeMetadata } from './metadata.ts';
import { makePhotos } from './photos.ts';
import { portrait, portraitFile } from './portraits.ts';
import { type LibraryMaker, MADE_LIBRARIES } from './shelves.ts';
import { canMake, findTools, makeVideo, type Tools } from './video.ts';
import { encoded, linesIn, written } from './words.ts';

const put = async (path: string, bytes: string | Buffer) => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
};
const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const tag = (name: string, value: string | number | undefined) =>
  value === undefined ? '' : `  <${name}>${xml(String(value))}</${name}>\n`;

interface Described {
  title: string;
  year: number;
  imdb: string;
  plot?: string;
  genres?: readonly string[];
  mpaa?: string;
  rating?: number;
  director?: string;
  actors?: readonly (readonly [string, string])[];
}

const nfo = (root: string, { title, year, imdb, plot, genres = [], mpaa, rating, director, actors = [] }: Described) =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<${root}>\n${[
    tag('title', title),
    tag('year', year),
    tag('plot', plot),
    tag('mpaa', mpaa),
    tag('rating', rating),
    tag('director', director),
    ...genres.map((genre) => tag('genre', genre)),
    `  <uniqueid type="imdb" default="true">${imdb}</uniqueid>\n`,
    ...actors.map(
      ([name, role]) => `  <actor>\n    <name>${xml(name)}</name>\n    <role>${xml(role)}</role>\n  </actor>\n`,
    ),
  ].join('')}</${root}>\n`;

async function sidecars(root: string, video: Video): Promise<void> {
  const stem = join(root, video.file.slice(0, -extname(video.file).length));
  for (const { suffix, language, encoding = 'utf-8', format = 'srt', kind } of video.sidecars ?? []) {
    await put(`${stem}.${suffix}`, encoded(written(linesIn(language, video.seconds, kind), format), encoding));
  }
}

async function pictures(folder: string, titled: TitledPicture): Promise<void> {
  await put(join(folder, 'poster.jpg'), await poster(titled));
  await put(join(folder, 'backdrop.jpg'), await backdrop(titled));
}

/** Portraits next to a film or show, as a media centre exports them. */
async function portraits(folder: string, actors: Described['actors'] = []): Promise<void> {
  for (const [name] of actors)
    await put(join(folder, '.actors', portraitFile(name)), await portrait(name, ACTORS.indexOf(name)));
}

async function describeFilm(root: string, film: Film): Promise<void> {
  const [first] = film.videos;
  if (!first) return;
  const folder = join(root, dirname(first.file));
  if (film.hasArt) await pictures(folder, film);
  if (film.plot !== undefined) {
    await put(join(folder, 'movie.nfo'), nfo('movie', film));
    await portraits(folder, film.actors);
  }
  for (const video of film.videos) await sidecars(root, video);
}

async function describeShow(root: string): Promise<void> {
  const folder = join(root, SHOW.folder);
  await pictures(folder, SHOW);
  await put(join(folder, 'tvshow.nfo'), nfo('tvshow', SHOW));
  await portraits(folder, SHOW.actors);
  for (const season of [1, 2])
    await put(
      join(folder, `season0${season}-poster.jpg`),
      await poster({ ...SHOW, title: `${SHOW.title}`, over: `Season ${season}` }),
    );
  for (const { video, season, numbers, title } of SHOW.episodes) {
    await sidecars(root, video);
    // People have files about some episodes, not about all.
    if (season !== 1) continue;
    const path = join(root, `${video.file.slice(0, -extname(video.file).length)}.nfo`);
    const episode = numbers[0] ?? 1;
    await put(
      path,
      '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<episodedetails>\n' +
        `${tag('title', title)}${tag('season', season)}${tag('episode', episode)}` +
        `${tag('plot', `In which ${title.toLowerCase()} changes the harbour.`)}  <uniqueid type="imdb" ` +
        `default="true">${episodeId(season, episode)}</uniqueid>\n</episodedetails>\n`,
    );
  }
}

/** Bytes that begin as a Matroska file and go on as nothing. */
const brokenBytes = () =>
  Buffer.concat([
    Buffer.from('1a45dfa3a3', 'hex'),
    ...Array.from({ length: 64 }, (_, n) => createHash('sha256').update(`broken ${n}`).digest()),
  ]);

/** Runs pieces of work in parallel, longest first. */
async function together(work: readonly (() => Promise<void>)[], atOnce: number): Promise<void> {
  const waiting = [...work];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let one = waiting.shift(); one; one = waiting.shift()) await one();
    }),
  );
}

async function makeAll(root: string, tools: Tools): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'demo-'));
  try {
    const videos = [
      ...FILMS.flatMap(({ title, look, videos: own }) => own.map((video) => ({ video, title, look }))),
      ...SHOW.episodes.map(({ video, title }) => ({ video, title, look: SHOW.look })),
    ].sort((a, b) => b.video.seconds * b.video.size[0] - a.video.seconds * a.video.size[0]);
    const making = videos.map((one) => () => makeVideo({ ...one, root, scratch, tools }));
    const describing = [...FILMS.map((film) => () => describeFilm(root, film)), () => describeShow(root)];
    await together([...making, ...describing], Math.min(4, availableParallelism()));
    await put(join(root, STRAYS.broken), brokenBytes());
    await put(join(root, STRAYS.empty), '');
    await put(join(root, STRAYS.unplaced), Buffer.from('000001ba4400040004010189c3f8', 'hex'));
  } finally {
    await rm(scratch, { recursive: true });
  }
}

async function makeMedia(folder: string, tools: Tools): Promise<void> {
  const part = await mkdtemp(join(folder, 'media-'));
  try {
    await makeAll(part, tools);
    const fixtures = await offers(part, (video) => canMake(video, tools));
    await rm(join(folder, 'media'), { recursive: true, force: true });
    await rename(part, join(folder, 'media'));
    await writeFile(join(folder, 'providers.json'), `${JSON.stringify(fixtures, null, 2)}\n`);
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw error;
  }
}

interface Part {
  /** Texts of this folder that it is made by: another text, another part. */
  texts: readonly string[];
  make(folder: string, tools: Tools): Promise<void>;
}
const libraryPart = (name: string, texts: readonly string[], make: LibraryMaker): Part => ({
  texts,
  make: async (folder, tools) => {
    await rm(join(folder, name), { recursive: true, force: true });
    await make(join(folder, name), tools);
  },
});
const PARTS: Readonly<Record<string, Part>> = {
  media: { texts: ['art', 'films', 'make', 'motifs', 'offers', 'portraits', 'video', 'words'], make: makeMedia },
  photos: libraryPart('photos', ['photos'], makePhotos),
  ...Object.fromEntries(
    Object.entries(MADE_LIBRARIES).map(([name, make]) => [name, libraryPart(name, ['shelves', 'motifs'], make)]),
  ),
  metadata: {
    texts: ['art', 'films', 'metadata', 'motifs'],
    make: async (folder) => {
      await rm(join(folder, 'metadata'), { recursive: true, force: true });
      await makeMetadata(folder);
    },
  },
};

async function recipeOf({ texts }: Part): Promise<string> {
  const hash = createHash('sha256');
  for (const name of texts) hash.update(await readFile(join(import.meta.dirname, `${name}.ts`)));
  return hash.digest('hex');
}

/** Makes missing parts. Returns whether there were any. */
export async function makeDemo(folder: string): Promise<boolean> {
  const stamp = join(folder, 'made.json');
  const made = await readFile(stamp, 'utf8').then(
    (text) => JSON.parse(text) as Record<string, string>,
    () => ({}) as Record<string, string>,
  );
  let tools: Tools | undefined;
  for (const [name, part] of Object.entries(PARTS)) {
    const recipe = await recipeOf(part);
    if (made[name] === recipe) continue;
    tools ??= await findTools();
    await mkdir(folder, { recursive: true });
    await part.make(folder, tools);
    made[name] = recipe;
    await writeFile(stamp, `${JSON.stringify(made)}\n`);
  }
  return tools !== undefined;
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('usage: node demo/make.ts FOLDER');
  await makeDemo(resolve(folder));
}
