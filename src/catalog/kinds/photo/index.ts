/** Photos, and the clips between them. */
import type { CatalogKind, ItemRows } from '../../core/kind.ts';
import type { FacetName, SortName } from '../../core/library-index/types.ts';
import { itemPage } from '../../core/item/page.ts';
import type { KindPlacement } from '../../core/scan/placement.ts';
import { draftPhoto, isSamePhoto } from './draft.ts';
import { photoKey, photoFiles, type PhotoGuess } from './names.ts';

const FACETS: readonly FacetName[] = ['years', 'cameras', 'libraries'];
/** The newest first. */
const SORTS: readonly [SortName, ...SortName[]] = ['released', 'added', 'title', 'random'];

const placementOf = (item: 'photo' | 'video'): KindPlacement<PhotoGuess> => ({
  version: 2,
  item,
  fileType: photoFiles,
  itemKey: photoKey,
  groupKey: () => undefined,
  isSameWork: isSamePhoto,
  isSureOfWorks: true,
  home: () => undefined,
  ownsFolder: false,
  draft: draftPhoto,
});

const rows: ItemRows = {
  searchWeight: 0,
  searchTexts: () => ({ people: '', plot: '' }),
  card: () => ({}),
  collection: 'items',
  page: itemPage,
};

export const photo: CatalogKind<'photo'> = {
  placement: placementOf('photo') as unknown as KindPlacement,
  facets: FACETS,
  sorts: SORTS,
  rows: { photo: rows },
};
export const clip: CatalogKind<'video'> = {
  placement: placementOf('video') as unknown as KindPlacement,
  facets: FACETS,
  sorts: SORTS,
  rows: { video: rows },
};
