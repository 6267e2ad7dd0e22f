/** For tests of the stores: rows of the inventory, of which only what a test is about has to be said. */
import type { NewItem } from './inventory.ts';
import type { InventoryTrack } from './rows.ts';
import type { SubtitleItemTable, SubtitleTx } from './tables.ts';

/** Returns the id of the item with a number. */
export const idOf = (n: number): string => n.toString(16).padStart(16, '0');

/** Returns an item of library `l`: a film without subtitles, unless `facts` say otherwise. */
export const makeItem = (n: number, facts: Partial<NewItem> = {}): NewItem => ({
  id: idOf(n),
  library: 'l',
  kind: 'movie',
  title: `t${n}`,
  sort: `t${n}`,
  words: `t${n}`,
  year: null,
  context: null,
  file: `${n}.mkv`,
  size: 1,
  modified: 1,
  state: 'known',
  tracks: [],
  held: [],
  part: null,
  ...facts,
});

/** Returns the subtitle file of a language, as the scan found it. */
export const makeSidecar = (language = 'en', facts: Partial<InventoryTrack> = {}): InventoryTrack => ({
  source: 'sidecar',
  role: 'normal',
  format: 'srt',
  language,
  relative: `Film.${language}.srt`,
  size: 5,
  modified: 7,
  ...facts,
});

/** Writes an item as an earlier version did, for tests of migrations. `more` are columns that it had then. */
export async function writeEarlierItem(
  tx: SubtitleTx,
  { held: _held, part: _part, tracks, ...row }: NewItem,
  more: Partial<SubtitleItemTable> = {},
): Promise<void> {
  await tx
    .insertInto('subtitle_item')
    .values({
      ...row,
      tracks: JSON.stringify(tracks),
      shape: 'a'.repeat(16),
      searched: 0,
      ...more,
    } as SubtitleItemTable)
    .execute();
}
