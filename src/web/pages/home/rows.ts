/** The order of the rows of home, as a Profile chose it. Pure. */
import { isPersonal, type ItemKind } from '../../../contract/catalog/kinds.ts';
import { HOME_ROWS } from '../../../contract/identity/home.ts';

/** A row of home as preferences keep it. */
export interface HomeRow {
  row: string;
  hidden: boolean;
}

/** Returns the rows that are there without any choice, in their usual order. */
export const usualRows = (libraries: readonly { id: string }[]): string[] =>
  HOME_ROWS.flatMap((row) => (row === 'recent' ? libraries.map(({ id }) => `recent:${id}`) : [row]));

/** Whether a row was pinned, so that it can be taken away again. */
export const isPinnedRow = (row: string): boolean => /^(playlist|smart|collection):/.test(row);

/** Returns the ids of the collections among rows. */
export const collectionsIn = (rows: readonly { row: string }[]): string[] =>
  rows.flatMap(({ row }) => (row.startsWith('collection:') ? [row.slice('collection:'.length)] : []));

/**
 * Returns the rows to show and to edit. Rows in `chosen` have its order, as far as they still exist; others follow the
 * row that is usually before them, so that a new library appears without a choice.
 */
export function homeRows(
  usual: readonly string[],
  chosen: readonly { row: string; hidden?: boolean | undefined }[],
  exists: (row: string) => boolean,
): HomeRow[] {
  const rows: HomeRow[] = [];
  for (const { row, hidden = false } of chosen)
    if (exists(row) && !rows.some((one) => one.row === row)) rows.push({ row, hidden });
  for (const [at, row] of usual.entries()) {
    if (rows.some((one) => one.row === row)) continue;
    const before = usual[at - 1];
    rows.splice(rows.findIndex((one) => one.row === before) + 1, 0, { row, hidden: false });
  }
  return rows;
}

/** Moves a row by so many places, as far as there is room. */
export function withRowMoved(rows: readonly HomeRow[], row: string, by: number): HomeRow[] {
  const from = rows.findIndex((one) => one.row === row);
  const moved = rows[from];
  if (!moved) return [...rows];
  const rest = rows.filter((one) => one !== moved);
  rest.splice(Math.min(Math.max(0, from + by), rest.length), 0, moved);
  return rest;
}

type Pictured = {
  kind: ItemKind;
  images: { backdrop?: string | undefined; thumb?: string | undefined };
  available: boolean;
};
const isWide = ({ images, available }: Pictured): boolean =>
  available && (images.backdrop !== undefined || images.thumb !== undefined);
/**
 * Returns the item to feature: the first with a wide picture that can be played now, else the first at all. Photos
 * come last, because the name of a file is no headline.
 */
export const featuredIn = <C extends Pictured>(cards: readonly C[]): C | undefined =>
  cards.find((card) => !isPersonal(card.kind) && isWide(card)) ?? cards.find(isWide) ?? cards[0];
