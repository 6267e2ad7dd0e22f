/** Facts of the page of a photo or a clip: when, where and how it was taken. */
import type { Item } from '../../../contract/catalog/items.ts';
import { isPersonal } from '../../../contract/catalog/kinds.ts';
import type { ItemRecord } from '../../store/records.ts';
import type { PageNeeds, Viewer } from '../kind.ts';
import type { IndexRow } from '../library-index/types.ts';
import { folderFacts } from '../photo-lists.ts';
import type { OpenableFile } from './files.ts';

type PhotoFacts = Pick<Item, 'taken' | 'camera' | 'lens' | 'exposure' | 'dimensions' | 'folder' | 'motion' | 'place'>;

export async function photoFacts(
  { store, nameOf }: Pick<PageNeeds, 'store' | 'nameOf'>,
  { item, row, files, viewer }: { item: ItemRecord; row: IndexRow; files: readonly OpenableFile[]; viewer: Viewer },
): Promise<PhotoFacts> {
  const { taken } = item.detail;
  if (!isPersonal(row.kind) || !taken) return {};
  const folder = folderFacts(row, nameOf);
  // Programs with a key or a link are not shown places: people are, in their own session.
  const place = viewer.isInSession === true ? await store.place(await store.fileIds(item.id)) : undefined;
  return {
    taken: { at: taken.local, ...(taken.offset !== undefined && { offset: taken.offset }), by: taken.by },
    ...(item.camera !== null && { camera: item.camera }),
    ...exposureOf(files),
    ...dimensionsOf(files[0]),
    ...(folder && { folder: { id: folder.id, title: folder.title } }),
    ...motionOf(files),
    ...(place && { place }),
  };
}

function exposureOf(files: readonly OpenableFile[]): Pick<Item, 'lens' | 'exposure'> {
  const capture = files.map(({ info }) => info?.capture).find((one) => one?.exposure ?? one?.aperture ?? one?.iso);
  if (!capture) return {};
  const { lens, exposure: seconds, aperture, iso, focalLength } = capture;
  return {
    ...(lens !== undefined && { lens }),
    exposure: {
      ...(seconds !== undefined && { seconds }),
      ...(aperture !== undefined && { aperture }),
      ...(iso !== undefined && { iso }),
      ...(focalLength !== undefined && { focalLength }),
    },
  };
}

/** Returns the size of a picture as it is shown: turned by its orientation. */
function dimensionsOf(file: OpenableFile | undefined): Pick<Item, 'dimensions'> {
  const { width, height } = file?.info?.streams.find(({ type }) => type === 'video') ?? {};
  if (!width || !height) return {};
  const isSideways = (file?.info?.capture?.orientation ?? 1) > 4;
  return { dimensions: isSideways ? { width: height, height: width } : { width, height } };
}

/** Returns the video within the picture's file, or the clip next to it. */
function motionOf(files: readonly OpenableFile[]): Pick<Item, 'motion'> {
  const [first] = files;
  const within = files.find(({ info }) => info?.capture?.motion);
  const inside = within?.info?.capture?.motion;
  if (within && inside) return { motion: { version: within.id, start: inside.at, size: inside.size } };
  const clip = files.find((file) => file !== first && file.info?.duration !== undefined);
  return clip && clip.size > 0 ? { motion: { version: clip.id, start: 0, size: clip.size } } : {};
}
