/** Drafts a film from its versions and parts. */
import type { ItemDraft, FilesOfItem, FolderView, PlacedDraft, PlacementTools } from '../../core/scan/placement.ts';
import { factsOf } from '../../naming/folder.ts';
import type { Guess } from '../../naming/types.ts';
import { codecsOf, dynamicRangeOf, languagesOf, resolutionOf } from '../../probe/media-facts.ts';
import {
  artOf,
  baseName,
  defined,
  detailsOf,
  videoDuration,
  highestVideo,
  imagesOf,
  leadingVideo,
  NFO_CONFIDENCE,
  portraitsOf,
  nfoFacts,
  type Video,
} from '../video/facts.ts';

const FOLDER_NFO = 'movie.nfo';

export async function draftFilm(
  { key, files, home, ...found }: FilesOfItem<Guess>,
  { views }: PlacementTools,
): Promise<PlacedDraft> {
  const videos: Video[] = await Promise.all(
    files.map(async (file) => ({
      ...file,
      nfos: await views.nfo(file.view, [`${baseName(file.row.name)}.nfo`, ...(file.isAlone ? [FOLDER_NFO] : [])]),
    })),
  );
  const homeView = home === undefined ? undefined : await views.of(home);
  const homeNfos = homeView ? await views.nfo(homeView, [FOLDER_NFO]) : [];
  const view = homeView ?? found.view;
  return {
    key,
    draft: filmOf(
      view,
      homeNfos.length > 0 ? videos.map((video) => ({ ...video, nfos: homeNfos })) : videos,
      found.isAlone && factsOf(view.videos).mains <= files.length,
    ),
  };
}

/** `isAlone`: the folder holds no other film, so that its pictures belong to this one. */
function filmOf(folder: FolderView, videos: readonly Video[], isAlone: boolean): ItemDraft {
  const {
    guess,
    nfos: [nfo],
  } = leadingVideo(videos);
  const names = new Set(videos.map(({ row }) => row.name));
  const detail = detailsOf({ nfo, guess });
  const art = artOf(folder, isAlone ? 'movie' : 'flat');
  return {
    kind: 'movie',
    title: nfo?.title ?? guess.title,
    sortTitle: nfo?.sortTitle ?? (nfo?.title === undefined ? guess.sortTitle : ''),
    ...defined({
      year: nfo?.year ?? guess.year,
      duration: videoDuration(videos),
      resolution: resolutionOf(highestVideo(videos).info),
      hdr: dynamicRangeOf(highestVideo(videos).info),
    }),
    ...nfoFacts(nfo),
    genres: nfo?.genres ?? [],
    languages: [...new Set(videos.flatMap(({ info }) => languagesOf(info)))],
    codecs: codecsOf(videos.map(({ info }) => info)),
    images: imagesOf(folder, art, ({ video }) => (video === undefined ? isAlone : names.has(video))),
    confidence: nfo ? Math.max(guess.confidence, NFO_CONFIDENCE) : guess.confidence,
    detail: { ...detail, ...portraitsOf([folder], isAlone ? undefined : detail.people.map(({ name }) => name)) },
  };
}
