/** Drafts episodes, and the shows and seasons that they belong to. */
import { parentOf } from '../../core/paths.ts';
import type { ItemDraft, FilesOfItem, FolderView, PlacedDraft, PlacementTools } from '../../core/scan/placement.ts';
import type { ArtworkFile } from '../../naming/artwork.ts';
import type { Nfo } from '../../naming/nfo.ts';
import { fold } from '../../naming/text.ts';
import type { Guess } from '../../naming/types.ts';
import { codecsOf, dynamicRangeOf, languagesOf, resolutionOf } from '../../probe/media-facts.ts';
import {
  artOf,
  baseName,
  daysOf,
  defined,
  detailsOf,
  videoDuration,
  imagesOf,
  leadingVideo,
  NFO_CONFIDENCE,
  portraitsOf,
  nfoFacts,
  type Video,
} from '../video/facts.ts';

export const showKey = ({ show, title }: Guess): string => `show:${fold(show?.title ?? title)}:${show?.year ?? ''}`;

/** Returns the key of an episode within its show. */
export function episodeKey(guess: Guess, name: string): string {
  if (guess.special !== undefined) return `x:${guess.special}`;
  if (guess.date !== undefined && guess.episode === undefined) return `d:${guess.date}`;
  if (guess.episode !== undefined) return `s:${guess.season ?? 1}:${guess.episode}`;
  if (guess.absolute !== undefined) return `a:${guess.absolute}`;
  return `n:${baseName(name).toLowerCase()}`;
}

export async function draftEpisode(
  { files, movedFrom, view: own }: FilesOfItem<Guess>,
  { views, group, section }: PlacementTools,
): Promise<PlacedDraft> {
  const videos: Video[] = await Promise.all(
    files.map(async (file) => ({ ...file, nfos: await views.nfo(file.view, [`${baseName(file.row.name)}.nfo`]) })),
  );
  const [first] = videos as [Video, ...Video[]];
  const { guess } = first;
  const folder = guess.show?.folder;
  const view = folder === undefined ? undefined : await views.of(folder);
  const nfo = view ? (await views.nfo(view, ['tvshow.nfo']))[0] : undefined;
  const show = await group({
    key: showKey(guess),
    movedFrom,
    isNamedByFolder: folder !== undefined || nfo !== undefined,
    draft: () => showOf(guess, view, nfo),
  });
  const ownNfo = videos.find(({ nfos }) => nfos.length > 0)?.nfos[0];
  const number = ownNfo?.season ?? guess.season ?? (guess.date === undefined ? 1 : Number(guess.date.slice(0, 4)));
  const season = await section(show.id, number, async () =>
    seasonOf(number, view, await seasonView(views, own, folder)),
  );
  return {
    key: `episode:${show.id}:${number}:${episodeKey(guess, first.row.name)}`,
    draft: episodeOf(own, videos, { show: show.draft, showFolder: view, season: number }),
    group: show.id,
    section: season,
  };
}

/** Returns the folder of a season, which is directly below that of the show. An episode may have a folder inside it. */
async function seasonView(
  views: PlacementTools['views'],
  own: FolderView,
  show: string | undefined,
): Promise<FolderView | undefined> {
  if (show === undefined || own.path === show) return undefined;
  let path = own.path;
  while (path !== '' && parentOf(path) !== show) path = parentOf(path);
  return path === own.path ? own : path === '' ? undefined : views.of(path);
}

/** `folder` is that of the show, if it has one. */
function showOf(guess: Guess, folder: FolderView | undefined, nfo: Nfo | undefined): ItemDraft {
  const show = guess.show ?? { title: guess.title, sortTitle: guess.sortTitle, ids: {} };
  return {
    kind: 'show',
    title: nfo?.title ?? show.title,
    sortTitle: nfo?.sortTitle ?? (nfo?.title === undefined ? show.sortTitle : ''),
    ...defined({ year: nfo?.year ?? show.year }),
    ...nfoFacts(nfo),
    genres: nfo?.genres ?? [],
    languages: [],
    images: folder ? imagesOf(folder, artOf(folder, 'show'), (picture) => picture.for === 'show') : {},
    // Not that of the episode that happened to be placed first.
    confidence: nfo ? NFO_CONFIDENCE : folder ? 0.8 : 0.6,
    detail: { ...detailsOf({ nfo, guess: { ...guess, evidence: [] }, ids: show.ids }), ...portraitsOf([folder]) },
  };
}

/** The pictures of a season may be in the folder of the show or in its own. */
function seasonOf(number: number, show: FolderView | undefined, own: FolderView | undefined): ItemDraft {
  const isOwn = (picture: ArtworkFile) => picture.for === 'season' && picture.season === number;
  return {
    kind: 'season',
    title: number === 0 ? 'Specials' : `Season ${number}`,
    sortTitle: String(number).padStart(4, '0'),
    genres: [],
    languages: [],
    images: {
      ...(show ? imagesOf(show, artOf(show, 'show'), isOwn) : {}),
      ...(own && own !== show ? imagesOf(own, artOf(own, 'season', number), isOwn) : {}),
    },
    section: number,
    confidence: 1,
    detail: { studios: [], people: [], ids: {}, evidence: [] },
  };
}

/** An episode, or several in one file. The rating of its show applies if its NFO states none. */
function episodeOf(
  folder: FolderView,
  videos: readonly Video[],
  { show, showFolder, season }: { show: ItemDraft; showFolder: FolderView | undefined; season: number },
): ItemDraft {
  const first = leadingVideo(videos);
  const { guess } = first;
  const nfo = episodeNfo(first);
  const detail = detailsOf({ nfo, guess });
  const names = new Set(videos.map(({ row }) => row.name));
  const number = nfo?.episode ?? guess.episode ?? guess.absolute;
  return {
    kind: 'episode',
    title: nfo?.title ?? guess.episodeTitle ?? guess.date ?? (number === undefined ? guess.title : `Episode ${number}`),
    sortTitle: '',
    ...defined({
      year: nfo?.year ?? guess.year ?? (guess.date === undefined ? undefined : Number(guess.date.slice(0, 4))),
      duration: videoDuration(videos),
      resolution: resolutionOf(first.info),
      hdr: dynamicRangeOf(first.info),
    }),
    ...nfoFacts(nfo),
    ...defined({ released: daysOf(nfo?.aired ?? nfo?.premiered ?? guess.date), rating: nfo?.mpaa ?? show.rating }),
    genres: show.genres,
    languages: [...new Set(videos.flatMap(({ info }) => languagesOf(info)))],
    codecs: codecsOf(videos.map(({ info }) => info)),
    images: imagesOf(
      folder,
      artOf(folder, 'season', season),
      (picture) => picture.for === 'episode' && picture.video !== undefined && names.has(picture.video),
    ),
    section: season,
    ...defined({ number, numberEnd: lastEpisode(first, number) }),
    confidence: nfo ? Math.max(guess.confidence, NFO_CONFIDENCE) : guess.confidence,
    detail: {
      ...detail,
      ...portraitsOf(
        [folder, showFolder],
        detail.people.map(({ name }) => name),
      ),
    },
  };
}

/** Returns the last episode of a file that holds several, from its name or else from its NFO. */
function lastEpisode({ guess, nfos }: Video, number: number | undefined): number | undefined {
  if (guess.episodeEnd !== undefined || nfos.length < 2) return guess.episodeEnd;
  const last = Math.max(...nfos.map(({ episode }) => episode ?? 0));
  return number !== undefined && last > number ? last : undefined;
}

/** Several episodes in one file are one item here, with the titles of all and their plots one after the other. */
function episodeNfo({ guess, nfos }: Video): Nfo | undefined {
  const [from, to] = [guess.episode, guess.episodeEnd ?? guess.episode];
  const isOwn = ({ season, episode }: Nfo) =>
    episode !== undefined &&
    from !== undefined &&
    to !== undefined &&
    episode >= from &&
    episode <= to &&
    (season === undefined || guess.season === undefined || season === guess.season);
  // A single NFO applies even if its number differs from that of the file next to it.
  const own = nfos.length > 1 && nfos.some(isOwn) ? nfos.filter(isOwn) : nfos;
  const [first] = own;
  if (!first || own.length === 1) return first;
  const joined = (textOf: (nfo: Nfo) => string | undefined, between: string) =>
    own
      .map(textOf)
      .filter((text) => text !== undefined && text !== '')
      .join(between);
  return {
    ...first,
    ...defined({
      title: joined(({ title }) => title, ' / ') || undefined,
      plot: joined(({ plot, outline }) => plot ?? outline, '\n\n') || undefined,
    }),
  };
}
