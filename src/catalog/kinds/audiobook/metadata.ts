/** Facts of an audiobook from a `metadata.json`, as Audiobookshelf writes it, or an OPF, as Calibre does. */
import { z } from 'zod';
import { readLoosePackage } from '../../../lib/books/epub.ts';
import type { FolderView, PlacementTools } from '../../core/scan/placement.ts';
import type { AudiobookDetails } from '../../store/records.ts';

const JSON_FILES = ['metadata.json'];
const PACKAGE_FILES = ['metadata.opf'];
const MAX_TEXT = 20_000;

/** Facts of a description. Lists may be empty. */
interface DescribedBook {
  title?: string | null | undefined;
  authors: string[];
  narrators: string[];
  series?: AudiobookDetails['series'];
  genres: string[];
  publishedYear?: string | null | undefined;
  publisher?: string | null | undefined;
  description?: string | null | undefined;
}

const text = z.string().max(MAX_TEXT).nullish().catch(undefined);
const names = z.array(z.string().max(500)).max(100).catch([]);
/** The members that Audiobookshelf writes, as far as they are used. */
const Metadata = z.object({
  title: text,
  authors: names,
  narrators: names,
  series: names,
  genres: names,
  publishedYear: text,
  publisher: text,
  description: text,
  language: text,
});

/** Returns the facts next to a book. The JSON wins, because the program that writes it also shows them for editing. */
export async function describedIn(
  folder: FolderView,
  views: PlacementTools['views'],
): Promise<DescribedBook | undefined> {
  const json = parseMetadata(await views.text(folder, JSON_FILES));
  const opf = describedByPackage(await views.text(folder, PACKAGE_FILES));
  if (!json || !opf) return json ?? opf;
  const known = Object.entries(json).filter(([, value]) => value != null && value.length !== 0);
  return { ...opf, ...Object.fromEntries(known) };
}

function describedByPackage(text: string | undefined): DescribedBook | undefined {
  const read = text === undefined ? undefined : readLoosePackage(text);
  if (!read) return undefined;
  const { title, authors, subjects, published, publisher, description, series, volume } = read.facts;
  return {
    title,
    authors,
    narrators: read.narrators,
    ...(series !== undefined && {
      series: { name: series, ...(volume?.number !== undefined && { position: String(volume.number) }) },
    }),
    genres: subjects,
    publishedYear: published?.slice(0, 4),
    publisher,
    description,
  };
}

/** Reads `Name #1.5`. */
function seriesIn(entry: string | undefined): AudiobookDetails['series'] {
  const [, name, position] = /^(.{1,300}?)(?:\s+#(\d{1,4}(?:\.\d{1,3})?))?$/.exec(entry?.trim() ?? '') ?? [];
  return name === undefined ? undefined : { name, ...(position !== undefined && { position }) };
}

function parseMetadata(json: string | undefined): DescribedBook | undefined {
  if (json === undefined) return undefined;
  try {
    const { series, ...rest } = Metadata.parse(JSON.parse(json));
    const found = seriesIn(series[0]);
    return { ...rest, ...(found && { series: found }) };
  } catch {
    return undefined;
  }
}
