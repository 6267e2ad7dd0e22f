/** Pictures that an Owner chooses, uploads and restores: a part of the edit of an item. */
import type { ART_KINDS } from '../../contract/catalog/cards.ts';
import type { ItemImages } from '../../contract/catalog/metadata.ts';
import type { CommitCursor } from '../../lib/db/index.ts';
import { found } from '../../lib/failure.ts';
import { tidyEdit } from '../store/layers/edits.ts';
import type { LayerFacts } from '../store/layers/facts.ts';
import type { LayeredItem } from '../store/layers/index.ts';
import type { ImagePlace } from '../store/records.ts';
import { candidatesOf, imageState, type OfferedPicture, type OfferedPictures } from './image-candidates.ts';
import type { KeptPictures } from './kept-pictures.ts';

type ImageKind = (typeof ART_KINDS)[number];
/** The items that the caller may see. */
export interface VisibleItems {
  isSeen(id: string): boolean;
  extras: { isExtra(id: string): boolean };
  /** Returns what records a change of so many items, in its transaction. */
  recorded?: ((count: number) => CommitCursor) | undefined;
}
/** The file of a candidate. */
interface CandidateFile {
  root: string;
  relative: string;
  size: number;
  modifiedMs: number;
  frameAt: undefined;
  version: string;
}

export interface ImageEdits {
  list(seen: VisibleItems, id: string): Promise<ItemImages>;
  /** Returns where a candidate is. */
  candidate(
    seen: VisibleItems,
    of: { id: string; kind: ImageKind; candidate: string },
    signal: AbortSignal,
  ): Promise<CandidateFile>;
  choose(
    seen: VisibleItems,
    of: { id: string; kind: ImageKind; candidate: string },
    signal: AbortSignal,
  ): Promise<ItemImages>;
  upload(seen: VisibleItems, of: { id: string; kind: ImageKind }, bytes: Uint8Array): Promise<ItemImages>;
  restore(seen: VisibleItems, of: { id: string; kind: ImageKind }): Promise<ItemImages>;
}

export interface ImageEditNeeds {
  pictures: KeptPictures;
  rootOf(library: string): string | undefined;
  /** Pictures that a metadata service offers. */
  offered: OfferedPictures;
}
/** How an item is read and its edit changed, as for all other facts. */
export interface EditTools {
  layered(seen: VisibleItems, id: string): Promise<LayeredItem>;
  change(
    seen: VisibleItems,
    ids: readonly string[],
    editOf: (item: LayeredItem) => LayerFacts | null,
  ): Promise<string | undefined>;
  requireSeen(seen: VisibleItems, ids: readonly string[]): void;
}

export function createImageEdits(
  { pictures, offered, rootOf }: ImageEditNeeds,
  { layered, change, requireSeen }: EditTools,
): ImageEdits {
  const imagesOf = async (seen: VisibleItems, id: string, changed?: string): Promise<ItemImages> => {
    const item = await layered(seen, id);
    return {
      items: imageState(item, await offered.of(id)),
      ...(changed !== undefined && { change: changed }),
    };
  };
  const setImage = async (
    seen: VisibleItems,
    { id, kind }: { id: string; kind: ImageKind },
    place: ImagePlace | undefined,
  ) => {
    // Encoding or fetching took a while.
    requireSeen(seen, [id]);
    const changed = await change(seen, [id], ({ layers: own }) => {
      const { [kind]: _replaced, ...images } = own.edit?.images ?? {};
      return tidyEdit({ ...own.edit, images: { ...images, ...(place && { [kind]: place }) } });
    });
    return imagesOf(seen, id, changed);
  };
  const findCandidate = async (
    seen: VisibleItems,
    { id, kind, candidate }: { id: string; kind: ImageKind; candidate: string },
  ) => {
    const item = await layered(seen, id);
    const one = candidatesOf(item, kind, await offered.of(id)).find((own) => own.id === candidate);
    return { item, place: found(one, 'no such picture', 'no-such-picture').place };
  };
  const placeOf = async (id: string, place: ImagePlace | OfferedPicture, signal: AbortSignal): Promise<ImagePlace> =>
    'at' in place ? place : pictures.keep(await offered.fetch(id, place.id, signal));

  return {
    list: (seen, id) => imagesOf(seen, id),
    candidate: async (seen, of, signal) => {
      const { item, place: one } =
        of.kind === 'poster' && offered.isWorkPoster(of.candidate)
          ? { item: await layered(seen, of.id), place: { id: of.candidate, kind: of.kind } }
          : await findCandidate(seen, of);
      const place = await placeOf(of.id, one, signal);
      const root = place.kept ? pictures.folder : rootOf(item.record.library);
      return {
        root: found(root, 'no such picture', 'no-such-picture'),
        relative: place.at,
        size: place.s,
        modifiedMs: place.m,
        frameAt: undefined,
        version: `${place.s}-${place.m}`,
      };
    },
    choose: async (seen, of, signal) => {
      const { place } = await findCandidate(seen, of);
      return setImage(seen, of, await placeOf(of.id, place, signal));
    },
    upload: async (seen, of, bytes) => {
      requireSeen(seen, [of.id]);
      return setImage(seen, of, await pictures.keep(bytes));
    },
    restore: (seen, of) => setImage(seen, of, undefined),
  };
}
