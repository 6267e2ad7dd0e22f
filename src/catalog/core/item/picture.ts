/** Finds a picture of an item: an image file in its library, or a frame of its video. */
import type { ART_KINDS } from '../../../contract/catalog/cards.ts';
import { itemFacts, type ItemKind } from '../../../contract/catalog/kinds.ts';
import type { ItemRecord } from '../../store/records.ts';
import type { ArtworkSource } from '../../types.ts';
import { isVideo } from '../cards/cards.ts';
import { imageVersion } from '../cards/image-version.ts';
import type { PageNeeds } from '../kind.ts';
import type { IndexRow } from '../library-index/types.ts';
import { filesOf } from './files.ts';

/** Position of the frame as a fraction of the duration: after the logos, before anything that spoils the story. */
const FRAME_FRACTION = 0.12;

export async function pictureOf(
  needs: Pick<PageNeeds, 'itemFiles' | 'rootOf' | 'isOnline' | 'keptPictures'>,
  item: ItemRecord,
  kind: (typeof ART_KINDS)[number],
): Promise<ArtworkSource | undefined> {
  const place = item.images[kind];
  const library = needs.rootOf(item.library);
  const root = place?.kept === true ? needs.keptPictures : library;
  if (root === undefined) return undefined;
  if (place)
    return {
      root,
      relative: place.at,
      size: place.s,
      modifiedMs: place.m,
      frameAt: place.stream === undefined ? undefined : 0,
      ...(place.stream !== undefined && { stream: place.stream }),
      entry: place.entry,
      version: imageVersion(place),
      ...(itemFacts(item.kind as ItemKind).medium === 'picture' && { isPhoto: true }),
    };
  if (kind !== 'thumb' || item.duration === null || !isVideo({ kind: item.kind as IndexRow['kind'] })) return undefined;
  const file = (await filesOf(needs, item.id))[0];
  if (!file?.available) return undefined;
  return {
    root: file.root,
    relative: file.relative,
    size: file.size,
    modifiedMs: file.modifiedMs,
    frameAt: Math.round((file.info?.duration ?? item.duration) * FRAME_FRACTION),
    version: imageVersion({ s: file.size, m: file.modifiedMs }),
  };
}
