/** Sorts the videos of a folder into the items that they make. Files that make none are loose, with the reason. */
import { PLACEMENT_CLUES } from '../../../contract/catalog/clues.ts';
import { itemFacts } from '../../../contract/catalog/kinds.ts';
import type { FileRecord } from '../../store/records.ts';
import { joined } from '../paths.ts';
import { type GatheredFolder, NOT_READ } from './gather.ts';
import type { FileGuess, FolderView, GuessedFile, KindPlacement } from './placement.ts';
import type { ScanScope } from './scope.ts';
import type { Views } from './views.ts';

/** The files of one item in one folder. */
export interface ItemGroup {
  key: string;
  placement: KindPlacement;
  folder: GatheredFolder;
  view: FolderView;
  /** Whether the folder holds no other item, so that its pictures and NFO belong to this one. */
  isAlone: boolean;
  /** The folder of the item if its files are in folders below that. */
  home: string | undefined;
  files: GuessedFile[];
  /** Whether listeners have to be notified even if the item is the same as before. */
  isTouched: boolean;
}

/** In a folder of so few videos, a subtitle that changed may belong to any of them. */
const MAX_SHARED_SUBTITLES = 20;
const UNPLACED = PLACEMENT_CLUES.nameSaysNothing;

/** Returns what the name of a file means in its library; `names` are those of all files in its folder. */
export const guessFile = ({ kinds, libraryKind }: ScanScope, row: FileRecord, names: readonly string[]): FileGuess =>
  kinds.guess({ library: libraryKind, path: joined(row.folder, row.name), siblings: names });

/** Returns the same for a file by its row alone, and the folder that it is in. */
export async function guessStoredFile(
  scope: ScanScope,
  views: Pick<Views, 'of'>,
  row: FileRecord,
): Promise<{ guess: FileGuess; view: FolderView }> {
  const view = (await views.of(row.folder)) ?? { path: row.folder, videos: [row.name], companions: [] };
  return { guess: guessFile(scope, row, [...view.videos, ...view.companions.map(({ n }) => n)]), view };
}

/** Returns whether a placement makes items that lists show. Extras are shown with their item only. */
export const isListedPlacement = ({ item }: Pick<KindPlacement, 'item'>): boolean => itemFacts(item).role === 'item';

export function itemGroupsOf(one: GatheredFolder, scope: ScanScope): { groups: ItemGroup[]; loose: FileRecord[] } {
  const view: FolderView = {
    path: one.folder.path,
    videos: one.videos.map(({ name }) => name),
    companions: one.companions,
  };
  const byKey = new Map<string, ItemGroup>();
  const loose: FileRecord[] = [...one.flaws];
  for (const row of one.videos) {
    const guess = guessFile(scope, row, one.names);
    const placement = scope.kinds.placementOf(guess);
    if (!placement) {
      loose.push({
        ...row,
        label: guess.kind,
        problem: guess.kind === 'unplaced' && guess.isListed !== false ? (guess.reason ?? UNPLACED) : null,
        evidence: guess.evidence,
        probed: NOT_READ,
      });
      continue;
    }
    const key = placement.itemKey(guess, row.name);
    const group = byKey.get(key) ?? {
      key,
      placement,
      folder: one,
      view,
      isAlone: false,
      home: placement.home(guess, row.folder),
      files: [],
      isTouched: false,
    };
    group.files.push({ row, guess });
    byKey.set(key, group);
  }
  const groups = [...byKey.values()];
  const items = groups.filter(({ placement }) => isListedPlacement(placement));
  for (const group of groups) {
    group.isAlone = items.length === 1 && group.placement.ownsFolder;
    group.isTouched =
      group.files.some(({ row }) => one.unread.has(row.id) || one.moved.has(row.id)) || hasChangedTexts(group, one);
  }
  return { groups, loose };
}

function hasChangedTexts({ files }: ItemGroup, { changedTexts, videos }: GatheredFolder): boolean {
  if (changedTexts.length === 0 || videos.length <= MAX_SHARED_SUBTITLES) return changedTexts.length > 0;
  return files.some(({ row }) => {
    const base = row.name
      .replace(/\.[^.]+$/, '')
      .normalize('NFC')
      .toLowerCase();
    return changedTexts.some((name) => name.startsWith(base));
  });
}
