/**
 * The rows of the library index in columns. Filters, orders and counts read the columns; a row object is created when
 * one is needed. An item takes less than two hundred bytes, including room to grow.
 */
import type { ItemKind } from '../../../contract/catalog/kinds.ts';
import { createNumbers, createValues, type Numbers, type Values } from './columns.ts';
import { createIds, type SlotIds } from './ids.ts';
import { createSeriesOf } from './series-ids.ts';
import { createTextBlock, type TextBlock } from './text-block.ts';
import type { IndexRow } from './types.ts';

export interface IndexRows {
  ids: SlotIds;
  titles: TextBlock;
  sortTitles: TextBlock;
  /** Number 0 marks an empty slot. */
  kinds: Values<ItemKind>;
  libraries: Values<string>;
  /** The certification that counts: set by hand, or as stated. */
  ratings: Values<string>;
  /** The certification that tags state. */
  stated: Values<string>;
  resolutions: Values<string>;
  cameras: Values<string>;
  folders: Values<string>;
  genres: Values<readonly string[]>;
  languages: Values<readonly string[]>;
  artists: Values<readonly string[]>;
  series: Values<readonly string[]>;
  filmSets: Values<string>;
  studios: Values<readonly string[]>;
  hdr: Values<string>;
  codecs: Values<readonly string[]>;
  parents: Values<string>;
  years: Values<number>;
  released: Numbers;
  community: Numbers;
  added: Numbers;
  duration: Numbers;
  sections: Numbers;
  numbers: Numbers;
  airs: Values<number>;
  originalTitle(slot: number): string | null;
  /** Returns the id of the series of a book or audiobook; null for anything else. */
  seriesOf(slot: number): string | null;
  isThere(slot: number): boolean;
  /** Returns the row of a slot as an object; undefined for an empty slot. */
  at(slot: number): IndexRow | undefined;
  put(slot: number, row: IndexRow): void;
  drop(slot: number): void;
  /** Returns all rows as views of the columns. Copy them before anything changes. */
  image(): IndexImage;
  /** Fills empty columns with an image. */
  restore(image: IndexImage): void;
}

/** The columns by name. */
type Columns = Omit<IndexRows, 'originalTitle' | 'seriesOf' | 'isThere' | 'at' | 'put' | 'drop' | 'image' | 'restore'>;
type ImageOf<C> = C extends { image(): infer I } ? I : never;
export type IndexImage = { [C in keyof Columns]: ImageOf<Columns[C]> } & {
  originals: readonly (readonly [slot: number, title: string])[];
};

const createColumns = (): Columns => ({
  ids: createIds(),
  titles: createTextBlock(),
  sortTitles: createTextBlock(),
  kinds: createValues<ItemKind>(),
  libraries: createValues<string>(),
  ratings: createValues<string>(),
  stated: createValues<string>(),
  resolutions: createValues<string>(),
  cameras: createValues<string>(),
  folders: createValues<string>(),
  genres: createValues<readonly string[]>(),
  languages: createValues<readonly string[]>(),
  artists: createValues<readonly string[]>(),
  series: createValues<readonly string[]>(),
  filmSets: createValues<string>(),
  studios: createValues<readonly string[]>(),
  hdr: createValues<string>(),
  codecs: createValues<readonly string[]>(),
  parents: createValues<string>(),
  years: createValues<number>(),
  released: createNumbers(),
  community: createNumbers(),
  added: createNumbers(),
  duration: createNumbers(),
  sections: createNumbers(),
  numbers: createNumbers(),
  airs: createValues<number>(),
});

export function createIndexRows(): IndexRows {
  const columns = createColumns();
  /** Few items have an original title, so there is no column for it. */
  const originals = new Map<number, string>();
  const { kinds, titles, sortTitles } = columns;
  return {
    ...columns,
    originalTitle: (slot) => originals.get(slot) ?? null,
    seriesOf: createSeriesOf(columns),
    isThere: (slot) => kinds.number(slot) !== 0,
    image: () =>
      ({
        ...Object.fromEntries(
          Object.entries(columns).map(([name, column]) => [name, (column as { image(): unknown }).image()]),
        ),
        originals: [...originals],
      }) as unknown as IndexImage,
    restore: (image) => {
      for (const [name, column] of Object.entries(columns))
        (column as { restore(of: unknown): void }).restore(image[name as keyof IndexImage]);
      for (const [slot, title] of image.originals) originals.set(slot, title);
    },
    put: (slot, row) => {
      if (row.originalTitle === null) originals.delete(slot);
      else originals.set(slot, row.originalTitle);
      putRow(columns, slot, row);
    },
    drop: (slot) => {
      kinds.put(slot, null);
      originals.delete(slot);
      titles.put(slot, '');
      sortTitles.put(slot, '');
    },
    at: (slot) => rowAt(columns, slot, originals.get(slot) ?? null),
  };
}

function putRow(to: Columns, slot: number, row: IndexRow): void {
  to.titles.put(slot, row.title);
  to.sortTitles.put(slot, row.sortTitle);
  to.kinds.put(slot, row.kind);
  to.libraries.put(slot, row.library);
  to.ratings.put(slot, row.rating);
  to.stated.put(slot, row.rating);
  to.resolutions.put(slot, row.resolution);
  to.cameras.put(slot, row.camera ?? null);
  to.folders.put(slot, row.folder ?? null);
  to.genres.put(slot, row.genres);
  to.languages.put(slot, row.languages);
  to.artists.put(slot, row.artists?.length ? row.artists : null);
  to.series.put(slot, row.series?.length ? row.series : null);
  to.filmSets.put(slot, row.filmSet ?? null);
  to.studios.put(slot, row.studios?.length ? row.studios : null);
  to.hdr.put(slot, row.hdr ?? null);
  to.codecs.put(slot, row.codecs?.length ? row.codecs : null);
  to.parents.put(slot, row.parent);
  to.years.put(slot, row.year);
  to.released.put(slot, row.released);
  to.community.put(slot, row.communityRating);
  to.added.put(slot, row.added);
  to.duration.put(slot, row.duration);
  to.sections.put(slot, row.section);
  to.numbers.put(slot, row.number);
  to.airs.put(slot, row.airsAt ?? null);
}

function rowAt(from: Columns, slot: number, originalTitle: string | null): IndexRow | undefined {
  const kind = from.kinds.get(slot);
  if (kind === null) return undefined;
  return {
    id: from.ids.get(slot),
    kind,
    library: from.libraries.get(slot) ?? '',
    title: from.titles.get(slot),
    sortTitle: from.sortTitles.get(slot),
    originalTitle,
    year: from.years.get(slot),
    released: from.released.get(slot),
    rating: from.ratings.get(slot),
    communityRating: from.community.get(slot),
    added: from.added.get(slot) ?? 0,
    duration: from.duration.get(slot),
    resolution: from.resolutions.get(slot),
    genres: from.genres.get(slot) ?? [],
    languages: from.languages.get(slot) ?? [],
    ...(from.artists.number(slot) !== 0 && { artists: from.artists.get(slot) ?? [] }),
    ...(from.series.number(slot) !== 0 && { series: from.series.get(slot) ?? [] }),
    ...(from.filmSets.number(slot) !== 0 && { filmSet: from.filmSets.get(slot) }),
    ...(from.studios.number(slot) !== 0 && { studios: from.studios.get(slot) ?? [] }),
    ...(from.hdr.number(slot) !== 0 && { hdr: from.hdr.get(slot) }),
    ...(from.codecs.number(slot) !== 0 && { codecs: from.codecs.get(slot) ?? [] }),
    parent: from.parents.get(slot),
    section: from.sections.get(slot),
    number: from.numbers.get(slot),
    ...(from.airs.number(slot) !== 0 && { airsAt: from.airs.get(slot) }),
    ...(from.folders.number(slot) !== 0 && { camera: from.cameras.get(slot), folder: from.folders.get(slot) }),
  };
}
