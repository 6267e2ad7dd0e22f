/** Shows with their seasons and episodes. */
import { PLACEMENT_CLUES } from '../../../contract/catalog/clues.ts';
import type { CatalogKind } from '../../core/kind.ts';
import { itemPage } from '../../core/item/page.ts';
import type { Guess } from '../../naming/types.ts';
import { type VideoPlacement, videoFiles } from '../video/files.ts';
import { isSameWork } from '../video/same-work.ts';
import { castAndPlot, VIDEO_FACETS, VIDEO_SORTS, WHOLE_WORK_WEIGHT } from '../video/rows.ts';
import { draftEpisode, episodeKey, showKey } from './draft.ts';
import { placeEpisode } from './names.ts';
import { byEpisode, countEpisodes, episodeAfterLast, nextEpisode } from './next-up.ts';
import { showPage } from './page.ts';

const placement: VideoPlacement = {
  version: 4,
  item: 'episode',
  fileType: videoFiles,
  place: placeEpisode,
  unplacedReason: PLACEMENT_CLUES.noSeasonEpisodeOrDate,
  groupKey: showKey,
  isSameWork,
  itemKey: (guess: Guess, name) => `${showKey(guess)}#${episodeKey(guess, name)}`,
  home: () => undefined,
  ownsFolder: false,
  draft: draftEpisode,
};

export const show: CatalogKind<'show'> = {
  placement,
  facets: VIDEO_FACETS,
  sorts: VIDEO_SORTS,
  rows: {
    show: {
      searchWeight: WHOLE_WORK_WEIGHT,
      searchTexts: castAndPlot,
      card: () => ({}),
      collection: 'shows',
      page: showPage,
      itemOrder: byEpisode,
      counts: countEpisodes,
      next: nextEpisode,
      nextUp: episodeAfterLast,
    },
    season: {},
    episode: {
      searchWeight: 0,
      searchTexts: castAndPlot,
      card: ({ section, number }, more, group) => ({
        ...(group && { show: { id: group.id, title: group.title } }),
        ...(section !== null && { season: section }),
        ...(number !== null && { episode: number }),
        ...(more?.episode_end != null && { episodeEnd: more.episode_end }),
      }),
      collection: 'items',
      page: itemPage,
    },
  },
};
