/** Facts that rows of films, shows and episodes have in common. */
import type { SearchTexts } from '../../core/kind.ts';
import type { FacetName, SortName } from '../../core/library-index/types.ts';
import type { Details } from '../../store/records.ts';

/** Added to the search score of films and shows, so that they come before episodes that match as well. */
export const WHOLE_WORK_WEIGHT = 0.3;

export const castAndPlot = ({ people = [], plot = '', tagline = '' }: Partial<Details>): SearchTexts => ({
  people: people.map(({ name }) => name).join(' '),
  plot: `${plot} ${tagline}`,
});

export const VIDEO_FACETS: readonly FacetName[] = [
  'genres',
  'years',
  'ratings',
  'resolutions',
  'languages',
  'libraries',
];
export const VIDEO_SORTS: readonly [SortName, ...SortName[]] = [
  'title',
  'added',
  'year',
  'rating',
  'released',
  'duration',
  'random',
];
