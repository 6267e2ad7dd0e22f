/** The pictures that an Owner can choose for an item: those that its layers name, and those that a service offers. */
import { ART_KINDS } from '../../contract/catalog/cards.ts';
import type { ItemImages } from '../../contract/catalog/metadata.ts';
import { sourceOfImage } from '../store/layers/facts.ts';
import type { LayeredItem } from '../store/layers/index.ts';
import type { ImagePlace } from '../store/records.ts';
import { imageVersion } from './cards/image-version.ts';

type ImageKind = (typeof ART_KINDS)[number];

/** A picture of a metadata service that is not stored here. */
export interface OfferedPicture {
  /** Lower-case letters, digits and hyphens, with a letter first; at most 64 characters. */
  id: string;
  kind: ImageKind;
  width?: number;
  height?: number;
  /** Language of the words in it. */
  language?: string;
}
/** Pictures that a metadata service offers for items. */
export interface OfferedPictures {
  of(item: string): Promise<readonly OfferedPicture[]>;
  /** Whether an id is that of the poster of a work that an item could be. It can be fetched, and is not in the list. */
  isWorkPoster(picture: string): boolean;
  /** Returns the bytes of a picture. */
  fetch(item: string, picture: string, signal: AbortSignal): Promise<Uint8Array>;
}

type State = ItemImages['items'][number];
interface Candidate {
  id: string;
  source: State['candidates'][number]['source'];
  place: ImagePlace | OfferedPicture;
}

/** Layers whose pictures are shown if an Owner chose none, by the name of the candidate. */
const FROM_LAYERS = [
  ['folder', 'name'],
  ['folder-nfo', 'nfo'],
  ['tags', 'tags'],
  ['match', 'match'],
  ['tmdb', 'tmdb'],
] as const;
const isSamePlace = (a: ImagePlace | undefined, b: ImagePlace | OfferedPicture): boolean =>
  'at' in b && a?.at === b.at && a.s === b.s && a.m === b.m;

/** Returns the candidates of one kind of picture, those that are stored here first. */
export function candidatesOf(
  { layers }: LayeredItem,
  kind: ImageKind,
  offered: readonly OfferedPicture[],
): Candidate[] {
  const all: Candidate[] = FROM_LAYERS.flatMap(([id, source]) => {
    const place = layers[source]?.images?.[kind];
    return place ? [{ id, source: id === 'folder-nfo' ? 'folder' : id, place }] : [];
  });
  const chosen = layers.edit?.images?.[kind];
  if (chosen && !all.some(({ place }) => isSamePlace(chosen, place)))
    all.unshift({ id: 'upload', source: 'upload', place: chosen });
  return [
    ...all,
    ...offered.filter((one) => one.kind === kind).map((place): Candidate => ({ id: place.id, source: 'tmdb', place })),
  ];
}

/** Returns the state of every kind of picture. */
export const imageState = (item: LayeredItem, offered: readonly OfferedPicture[]): State[] =>
  ART_KINDS.map((kind) => {
    const { id } = item.record;
    const source = sourceOfImage(item.layers, kind);
    const place = source && item.layers[source]?.images?.[kind];
    return {
      kind,
      ...(place && { version: imageVersion(place) }),
      chosen: source === 'edit',
      candidates: candidatesOf(item, kind, offered).map((one) => {
        const version = 'at' in one.place ? `?v=${imageVersion(one.place)}` : '';
        const { language, width, height } = 'at' in one.place ? {} : one.place;
        return {
          id: one.id,
          source: one.source,
          shown: isSamePlace(place, one.place),
          ...(language !== undefined && { language }),
          ...(width !== undefined && { width }),
          ...(height !== undefined && { height }),
          url: `/api/v1/items/${id}/images/${kind}/${one.id}${version}`,
        };
      }),
    };
  });
