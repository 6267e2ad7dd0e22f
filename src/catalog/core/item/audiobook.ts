/** Facts of an audiobook: the people behind it, and where its files start. */
import type { AudiobookFacts } from '../../../contract/catalog/audiobooks.ts';
import type { Item } from '../../../contract/catalog/items.ts';
import type { ItemRecord } from '../../store/records.ts';
import type { OpenableFile } from './files.ts';

const MAX_CHAPTERS = 2_000;

/** Returns undefined for any other item. `parts` are the files in order. */
export function audiobookFacts(item: ItemRecord, parts: readonly OpenableFile[]): AudiobookFacts | undefined {
  const { audiobook } = item.detail;
  if (audiobook === undefined) return undefined;
  let start = 0;
  const files = parts.map(({ info }, index) => {
    const own = { index, start, ...(info?.duration !== undefined && { duration: info.duration }) };
    start += info?.duration ?? 0;
    return own;
  });
  return {
    authors: [...item.artists],
    narrators: audiobook.narrators,
    ...(audiobook.series && { series: audiobook.series }),
    files,
  };
}

/** Returns one chapter for each file of a book whose files have none. */
export function chaptersOfFiles(parts: readonly OpenableFile[]): Item['chapters'] {
  let start = 0;
  const chapters: Item['chapters'] = [];
  for (const [at, { info }] of parts.slice(0, MAX_CHAPTERS).entries()) {
    if (info?.duration === undefined) break;
    chapters.push({ start, end: start + info.duration, title: info.audio?.title ?? `Chapter ${at + 1}` });
    start += info.duration;
  }
  return chapters;
}
