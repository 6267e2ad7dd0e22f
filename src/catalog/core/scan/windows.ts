/**
 * Windows: tracks that are parts of a file. A file that a cue sheet divides makes an item for each window, and none for
 * itself. Windows are kept by the id of their file, so that they keep their items when it moves.
 */
import { isSameRecord, type FileRecord, type FileWindows } from '../../store/records.ts';
import { type FileWindow, windowInfo } from '../../probe/window.ts';
import type { PlacedFile, KindPlacement } from './placement.ts';
import type { Views } from './views.ts';

type StoredWindow = FileWindows['windows'][number];
export type StoredWindows = ReadonlyMap<string, readonly StoredWindow[]>;

/** Returns the key of the item that a window is, from the key of its file. */
export const windowKey = (key: string, number: number): string => `${key}#${number}`;

/**
 * Returns the files of a window each, none if the file is one item. A file whose header cannot be read now keeps the
 * windows that it had.
 */
export async function windowsOfFile(
  placement: KindPlacement,
  file: PlacedFile,
  { had, views }: { had: readonly StoredWindow[]; views: Views },
): Promise<PlacedFile[]> {
  const { info, row } = file;
  const found = info === undefined ? had : ((await placement.windows?.(file, views)) ?? []);
  return found.map(({ number, start, end, tags }) => {
    const window: FileWindow = { number, start, end, tags };
    const item = had.find((one) => one.number === number)?.item ?? null;
    return { ...file, row: { ...row, item, window }, info: info && windowInfo(info, window) };
  });
}

/** Collects what becomes of the windows of the files of a batch. */
export interface WindowWrites {
  /** Adds a row that was placed. A file without a window loses those that it had. */
  add(row: FileRecord): void;
  /** Returns the files whose windows changed, and the items of windows that are no longer there. */
  result(): { windows: FileWindows[]; left: string[] };
}

export function createWindowWrites(had: StoredWindows): WindowWrites {
  const now = new Map<string, StoredWindow[]>();
  return {
    add: ({ id, item, window }) => {
      const own = now.get(id) ?? [];
      now.set(id, own);
      if (window && item !== null) own.push({ ...window, item });
    },
    result: () => {
      const windows: FileWindows[] = [];
      const left: string[] = [];
      for (const [file, own] of now) {
        own.sort((a, b) => a.number - b.number);
        const before = had.get(file) ?? [];
        const isSame =
          own.length === before.length &&
          own.every((one, i) =>
            isSameRecord(one, before[i] as StoredWindow, ['number', 'item', 'start', 'end', 'tags']),
          );
        if (isSame) continue;
        windows.push({ file, windows: own });
        const items = new Set(own.map(({ item }) => item));
        left.push(...before.map(({ item }) => item).filter((item) => !items.has(item)));
      }
      return { windows, left };
    },
  };
}
