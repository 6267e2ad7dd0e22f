/** The names of the facts that a layer may state. */
export const FACT_NAMES = [
  'title',
  'sortTitle',
  'originalTitle',
  'year',
  'released',
  'rating',
  'communityRating',
  'plot',
  'tagline',
  'genres',
  'studios',
  'people',
  'ids',
  'images',
  'set',
  'trailers',
] as const;
export type FactName = (typeof FACT_NAMES)[number];
