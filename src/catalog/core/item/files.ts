/** The files of an item, and the sidecars and edit lists next to them. */
import { isDoubt } from '../../../contract/catalog/clues.ts';
import { sidecarsOfFolder } from '../../naming/sidecars.ts';
import { rankOf } from '../../probe/media-facts.ts';
import type { MediaInfo } from '../../probe/types.ts';
import type { CompanionFile, FileRecord } from '../../store/records.ts';
import type { EditList, PlayableFile, Sidecar, SidecarFacts } from '../../types.ts';
import type { PageNeeds } from '../kind.ts';
import { joined, splitPath } from '../paths.ts';

export type OpenableFile = PlayableFile & { label: string; problem: string | null };

/** Returns the files of an item as they can be opened, the best version first. */
export async function filesOf(
  { itemFiles, rootOf, isOnline }: Pick<PageNeeds, 'itemFiles' | 'rootOf' | 'isOnline'>,
  id: string,
): Promise<OpenableFile[]> {
  const files = (await itemFiles.of(id)).map(({ row, info, window }) => ({
    ...playable(row, { root: rootOf(row.library) ?? '', info, window, isOnline: isOnline(row.library) }),
    label: row.label,
    problem: isDoubt(row.problem) ? null : row.problem,
  }));
  return files.sort((a, b) => (a.id === b.id ? a.part - b.part : rankOf(b.info) - rankOf(a.info)));
}

const playable = (
  row: FileRecord,
  {
    root,
    info,
    window,
    isOnline,
  }: { root: string; info: MediaInfo | undefined; window: PlayableFile['window']; isOnline: boolean },
): PlayableFile => ({
  id: row.version,
  item: row.item ?? '',
  library: row.library,
  root,
  relative: joined(row.folder, row.name),
  size: row.size,
  modifiedMs: row.mtime,
  part: row.part,
  info,
  ...(window && { window }),
  available: isOnline && (row.problem === null || isDoubt(row.problem)),
});

type NearStore = Pick<PageNeeds['store'], 'companionsNear' | 'videosIn'>;

/**
 * Returns the sidecars of an item, including hidden ones: those in each file's folder and in its folders of subtitles.
 */
export async function itemSidecars(store: NearStore, files: readonly PlayableFile[]): Promise<Sidecar[]> {
  const all: Sidecar[] = [];
  for (const file of files) {
    const { folder, name } = splitPath(file.relative);
    const flat = (await store.companionsNear(file.library, folder)).flatMap(({ below, companions }) =>
      companions.map((one) => (below === '' ? one : { ...one, n: joined(below, one.n) })),
    );
    const near = nearTo(name, await store.videosIn(file.library, folder), flat);
    const found = sidecarsOfFolder({ videos: near.videos, files: near.companions.map(({ n }) => n) }).of.get(name);
    for (const one of found ?? []) {
      const companion = flat.find(({ n }) => n === one.file);
      if (!companion) continue;
      all.push({
        relative: joined(folder, one.file),
        name: one.file,
        language: one.language,
        role: one.role,
        format: one.format,
        title: one.title,
        isHidden: one.hidden,
        isDefault: one.default,
        size: companion.s,
        modifiedMs: companion.m,
        version: file.id,
        part: file.part,
      });
    }
  }
  return all;
}

/** Whether a sidecar belongs to a file: to its version, and to its part of that. */
export const belongsTo = ({ version, part }: Pick<Sidecar, 'version' | 'part'>, file: PlayableFile): boolean =>
  version === file.id && part === file.part;

/** Returns the sidecars of an item, with those marked that were found to hold no subtitle. */
export async function markedSidecars(
  { store, sidecarFacts }: { store: NearStore; sidecarFacts: SidecarFacts },
  item: string,
  files: readonly PlayableFile[],
): Promise<Sidecar[]> {
  const sidecars = await itemSidecars(store, files);
  if (!sidecars.some(({ isHidden }) => !isHidden)) return sidecars;
  const unreadable = await sidecarFacts.unreadable(item);
  return sidecars.map((one) =>
    // Another version of the file has not been read yet.
    unreadable.some(
      ({ relative, size, modifiedMs }) =>
        relative === one.relative && size === one.size && modifiedMs === Math.round(one.modifiedMs),
    )
      ? { ...one, isUnreadable: true }
      : one,
  );
}

const EDIT_LIST = '.edl';

/** Returns the edit lists of files. Each has the name of its video with another extension, in the same folder. */
export async function editListsOf(store: NearStore, files: readonly PlayableFile[]): Promise<EditList[]> {
  const all: EditList[] = [];
  for (const file of files) {
    const { folder, name } = splitPath(file.relative);
    const companions = (await store.companionsNear(file.library, folder))
      .filter(({ below }) => below === '')
      .flatMap((near) => near.companions);
    const wanted = name
      .replace(/\.[^.]+$/, EDIT_LIST)
      .normalize('NFC')
      .toLowerCase();
    const found = companions.find(({ n }) => n.normalize('NFC').toLowerCase() === wanted);
    if (found)
      all.push({
        relative: joined(folder, found.n),
        size: found.s,
        modifiedMs: found.m,
        version: file.id,
        part: file.part,
      });
  }
  return all;
}

/** Returns a store that reads the files next to videos once for each folder. */
export function readOnce(store: NearStore): NearStore {
  const read = new Map<string, ReturnType<NearStore['companionsNear']>>();
  return {
    ...store,
    companionsNear: (library, folder) => {
      const key = `${library}/${folder}`;
      const found = read.get(key) ?? store.companionsNear(library, folder);
      read.set(key, found);
      return found;
    },
  };
}

/** Folders with more videos are narrowed down to the names that start like the video's. */
const MAX_COMPARED_VIDEOS = 20;
function nearTo(
  video: string,
  videos: readonly string[],
  companions: readonly CompanionFile[],
): { videos: readonly string[]; companions: readonly CompanionFile[] } {
  if (videos.length <= MAX_COMPARED_VIDEOS) return { videos, companions };
  const base = video.replace(/\.[^.]+$/, '').toLowerCase();
  const isNear = (name: string) =>
    (name.split('/').at(-1) ?? '').toLowerCase().startsWith(base) || name.toLowerCase().includes(`/${base}/`);
  return { videos: videos.filter(isNear), companions: companions.filter(({ n }) => isNear(n)) };
}
