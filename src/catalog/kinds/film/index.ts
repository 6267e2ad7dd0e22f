/** Films. */
import { PLACEMENT_CLUES } from '../../../contract/catalog/clues.ts';
import type { CatalogKind } from '../../core/kind.ts';
import { itemPage } from '../../core/item/page.ts';
import { parentOf } from '../../core/paths.ts';
import { findNumbers } from '../../../lib/release/numbers.ts';
import { stemOf } from '../../naming/text.ts';
import type { Guess, GuessInput } from '../../naming/types.ts';
import { unplaced, type VideoPlacement, videoFiles } from '../video/files.ts';
import { isSameWork } from '../video/same-work.ts';
import { castAndPlot, VIDEO_FACETS, VIDEO_SORTS, WHOLE_WORK_WEIGHT } from '../video/rows.ts';
import { draftFilm } from './draft.ts';
import { placeFilm } from './names.ts';

const EPISODE_IN_FILMS = PLACEMENT_CLUES.episodeAmongFilms;

/** In a folder of shows, a name without a year is more likely an episode that nothing numbers than a film. */
const placeAmongShows = ({ collection }: GuessInput, guess: Guess): Guess | undefined =>
  collection === 'shows' && guess.year === undefined ? undefined : guess;

const placement: VideoPlacement = {
  version: 3,
  item: 'movie',
  fileType: videoFiles,
  place: (input, folders, file) => {
    const form = input.kind === 'movies' ? findNumbers(stemOf(file))?.form : undefined;
    return form === 'sxxeyy' || form === 'words'
      ? unplaced(stemOf(file), folders, EPISODE_IN_FILMS)
      : placeAmongShows(input, placeFilm(input, folders, file));
  },
  unplacedReason: PLACEMENT_CLUES.noTitle,
  extraKey: (input, folders, title) => placeFilm(input, folders, `${title}.mkv`).folderKey,
  groupKey: () => undefined,
  isSameWork,
  itemKey: ({ folderKey }) => `film:${folderKey}`,
  // Each part may be in a separate folder, such as `CD1`.
  home: ({ folderKey }: Guess, folder) =>
    parentOf(folderKey) === folder.normalize('NFC') ? undefined : parentOf(folder),
  ownsFolder: true,
  draft: draftFilm,
};

export const film: CatalogKind<'movie'> = {
  placement,
  facets: VIDEO_FACETS,
  sorts: VIDEO_SORTS,
  rows: {
    movie: {
      searchWeight: WHOLE_WORK_WEIGHT,
      searchTexts: castAndPlot,
      card: () => ({}),
      collection: 'items',
      page: itemPage,
    },
  },
};
