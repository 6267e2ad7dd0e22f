/** Drafts an audiobook from its files, their tags, the names of its folders, and a `metadata.json` or OPF in it. */
import { PLACEMENT_CLUES } from '../../../contract/catalog/clues.ts';
import type { FilesOfItem, FolderView, PlacedDraft, PlacedFile, PlacementTools } from '../../core/scan/placement.ts';
import { fold } from '../../naming/text.ts';
import { codecsOf } from '../../probe/media-facts.ts';
import type { AudioTags } from '../../probe/types.ts';
import type { AudiobookDetails, ImagePlaces } from '../../store/records.ts';
import { tracksOfSheet } from '../music/cue.ts';
import { named } from '../../core/people/identity.ts';
import { discOf } from '../music/names.ts';
import type { SoundGuess } from '../sound/files.ts';
import { statedInTags } from '../stated.ts';
import { artOf, daysOf, defined, imagesOf } from '../video/facts.ts';
import { describedIn } from './metadata.ts';
import { readBookNames, withoutParts } from './names.ts';

type BookFile = PlacedFile<SoundGuess>;
const [TAGGED, NAMED] = [0.9, 0.6];

/** Compares names as people count: `2.mp3` before `10.mp3`. */
const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const path = ({ row }: BookFile): string => `${row.folder}/${row.name}`;
const discOfFile = ({ info, guess }: BookFile): number =>
  info?.audio?.disc.number ?? discOf(guess.folders.at(-1) ?? '') ?? 1;

/** Returns the files by disc, track and name. */
function inOrder(files: readonly BookFile[]): BookFile[] {
  const tracks = new Set(files.map((file) => `${discOfFile(file)}/${file.info?.audio?.track.number}`));
  // Numbers that repeat or are missing say nothing about the order.
  const hasTracks = tracks.size === files.length && files.every(({ info }) => info?.audio?.track.number !== undefined);
  const trackOf = ({ info }: BookFile) => (hasTracks ? (info?.audio?.track.number ?? 0) : 0);
  return files.toSorted(
    (a, b) => discOfFile(a) - discOfFile(b) || trackOf(a) - trackOf(b) || natural.compare(path(a), path(b)),
  );
}

/** Returns the title that the tags of all files have in common, without the number of a disc. */
function albumOf(files: readonly BookFile[]): string | undefined {
  const albums = new Set(files.flatMap(({ info }) => info?.audio?.album ?? []));
  if (albums.size <= 1) return files[0]?.info?.audio?.album;
  const titles = new Set([...albums].map((album) => withoutParts(album).trim()));
  return titles.size === 1 ? [...titles][0] : undefined;
}

export async function draftAudiobook(
  { key, files, view, home }: FilesOfItem<SoundGuess>,
  { views }: PlacementTools,
): Promise<PlacedDraft> {
  const ordered = inOrder(files);
  // The order is that of the tags, which the names did not say.
  for (const [at, { guess }] of ordered.entries()) guess.part = at + 1;
  const [first] = ordered as [BookFile, ...BookFile[]];
  const folder = (home === undefined ? undefined : await views.of(home)) ?? view;
  const tags = first.info?.audio;
  const own = readBookNames(first.guess.folders, first.row.name, first.guess.siblings);
  const described = await describedIn(folder, views);
  // In a folder of several books it may be that of another one.
  const others = folder.videos.length - files.filter(({ row }) => row.folder === folder.path).length;
  const album = albumOf(ordered);
  const titles = [album, own.title].map((title) => fold(title ?? ''));
  const metadata = others > 0 && !titles.includes(fold(described?.title ?? '')) ? undefined : described;
  const authors = firstOf(metadata?.authors, tags?.albumArtists, tags?.artists, own.author);
  const narrators = firstOf(metadata?.narrators, tags?.narrators, own.narrator, composersOf(tags, authors));
  const statedSeries = metadata?.series ?? tags?.series;
  const details: AudiobookDetails = {
    narrators,
    ...defined({
      series: statedSeries ?? own.series,
      chapters: await chaptersOfSheets(ordered, views),
    }),
  };
  const year = Number(metadata?.publishedYear ?? tags?.date?.slice(0, 4) ?? own.year ?? Number.NaN);
  return {
    key,
    draft: {
      kind: 'audiobook',
      title: metadata?.title ?? album ?? (files.length === 1 ? tags?.title : undefined) ?? own.title,
      sortTitle: '',
      ...defined({
        year: Number.isInteger(year) && year > 0 && year < 2200 ? year : undefined,
        released: daysOf(tags?.date),
        duration: durationOf(ordered),
      }),
      genres: metadata?.genres && metadata.genres.length > 0 ? metadata.genres : (tags?.genres ?? []),
      languages: [],
      codecs: codecsOf(ordered.map(({ info }) => info)),
      artists: authors,
      images: pictures(folder, first),
      confidence: album === undefined ? NAMED : TAGGED,
      detail: {
        ...defined({ plot: metadata?.description ?? tags?.description }),
        studios: firstOf(metadata?.publisher, tags?.publisher),
        people: [...named(authors, 'author'), ...named(narrators, 'narrator')],
        ids: {},
        audiobook: details,
        music: { artists: [...authors, ...narrators] },
        ...statedInTags({
          title: metadata?.title ?? album ?? (files.length === 1 ? tags?.title : undefined),
          year: metadata?.publishedYear ?? tags?.date,
          released: tags?.date,
          plot: metadata?.description ?? tags?.description,
          genres: metadata?.genres?.length ? metadata.genres : tags?.genres,
          studios: metadata?.publisher ?? tags?.publisher,
          series: statedSeries?.name,
          seriesNumber: statedSeries?.position,
          people: firstOf(metadata?.authors, tags?.albumArtists, tags?.artists, metadata?.narrators, tags?.narrators),
        }),
        evidence: [album === undefined ? PLACEMENT_CLUES.namedAsTrack : PLACEMENT_CLUES.tagsSaySo],
      },
    },
  };
}

/** Returns the names of the first source that has some. */
function firstOf(...sources: (string | readonly string[] | null | undefined)[]): string[] {
  const found = sources.find((source) => source != null && source.length > 0);
  return found == null ? [] : typeof found === 'string' ? [found] : [...found];
}

/** Many files name the narrator as their composer. */
const composersOf = (tags: AudioTags | undefined, authors: readonly string[]): string[] =>
  (tags?.composers ?? []).filter((name) => !authors.includes(name));

/** Returns undefined if the length of a file is not known. */
function durationOf(files: readonly BookFile[]): number | undefined {
  const all = files.map(({ info }) => info?.duration);
  return all.some((one) => one === undefined) ? undefined : all.reduce<number>((sum, one) => sum + (one ?? 0), 0);
}

const MAX_SHEET_CHAPTERS = 2_000;

/** Returns the chapters that cue sheets name, in seconds of the whole book; undefined if a file has chapters inside. */
async function chaptersOfSheets(
  files: readonly BookFile[],
  views: PlacementTools['views'],
): Promise<AudiobookDetails['chapters']> {
  if (files.some(({ info }) => (info?.chapters.length ?? 0) > 0)) return undefined;
  const chapters: NonNullable<AudiobookDetails['chapters']> = [];
  let offset = 0;
  for (const file of files) {
    if (file.info?.duration === undefined) return undefined;
    for (const { start, end, tags } of await tracksOfSheet(file, views))
      chapters.push({
        start: offset + start,
        end: offset + end,
        title: tags.title ?? `Chapter ${chapters.length + 1}`,
      });
    offset += file.info.duration;
  }
  return chapters.length === 0 ? undefined : chapters.slice(0, MAX_SHEET_CHAPTERS);
}

function pictures(folder: FolderView, { row, info }: BookFile): ImagePlaces {
  const places = imagesOf(folder, artOf(folder, 'movie'), ({ video }) => video === undefined || video === row.name);
  const cover = info?.audio?.cover;
  if (places.poster !== undefined || cover === undefined) return places;
  const at = row.folder === '' ? row.name : `${row.folder}/${row.name}`;
  return { ...places, poster: { at, s: row.size, m: row.mtime, stream: cover } };
}
