/** The episodes of each show: their slots, and their order by number, made when asked for and kept for a while. */
import type { Rows } from './rows.ts';

/** Shows whose order is kept: more than a page lists. */
const ORDERS_KEPT = 400;

export interface Episodes {
  /** Call after a row was put, and `unlink` before it is put anew or dropped; with its id. */
  link(slot: number, id: string): void;
  unlink(slot: number, id: string): void;
  /** Links every row that is there, when none was linked so far. */
  linkAll(): void;
  /** The slots of a show's episodes, in no order. */
  of(show: string): readonly number[];
  /** The slot of an episode's show; -1 when it has none on the shelf. */
  showOf(slot: number): number;
  ordered(show: string): { slots: readonly number[]; ids: readonly string[] };
}

const NONE: readonly number[] = [];

export function createEpisodes(rows: Rows): Episodes {
  /** By the number that `rows.shows` gives a show's id. */
  const own: (number[] | undefined)[] = [];
  const orders = new Map<number, { slots: readonly number[]; ids: readonly string[] }>();
  /** The slot of each show by the same number, and one; 0 is not known, so it is looked for. */
  const showSlots: number[] = [];

  const numberOf = (slot: number): number => (rows.kinds.get(slot) === 'episode' ? rows.shows.number(slot) : 0);
  /** A row that comes or goes under the id of a show is looked for anew. */
  const forget = (id: string) => {
    const number = rows.shows.find(id);
    if (number !== undefined) showSlots[number] = 0;
  };
  return {
    link: (slot, id) => {
      forget(id);
      const number = numberOf(slot);
      if (number === 0) return;
      (own[number] ??= []).push(slot);
      orders.delete(number);
    },
    linkAll: () => {
      for (let slot = 0; slot < rows.ids.end(); slot++) {
        const number = numberOf(slot);
        if (number !== 0) (own[number] ??= []).push(slot);
      }
    },
    unlink: (slot, id) => {
      forget(id);
      const number = numberOf(slot);
      const at = number === 0 ? -1 : (own[number]?.indexOf(slot) ?? -1);
      if (at >= 0) own[number]?.splice(at, 1);
      orders.delete(number);
    },
    of: (show) => own[rows.shows.find(show) ?? 0] ?? NONE,
    showOf: (slot) => {
      const number = rows.shows.number(slot);
      if (number === 0) return -1;
      const known = showSlots[number] ?? 0;
      if (known > 0) return known - 1;
      const found = rows.ids.find(rows.shows.get(slot) ?? '');
      // What is not there is looked for each time: it may come.
      showSlots[number] = found + 1;
      return found;
    },
    ordered: (show) => {
      const number = rows.shows.find(show) ?? 0;
      const had = orders.get(number);
      if (had) return had;
      const slots = (own[number] ?? NONE).toSorted((a, b) => byNumber(rows, a, b));
      const made = { slots, ids: slots.map(rows.ids.get) };
      orders.set(number, made);
      if (orders.size > ORDERS_KEPT) orders.delete(orders.keys().next().value ?? 0);
      return made;
    },
  };
}

/** Specials come after the seasons, and what has no number after what has. */
function byNumber({ seasons, episodes, released, sortTitles }: Rows, a: number, b: number): number {
  const season = (slot: number) => (seasons.raw(slot) === 0 ? 1e6 : (seasons.get(slot) ?? 1e7));
  const place = (slot: number) => episodes.get(slot) ?? released.get(slot) ?? 1e9;
  return season(a) - season(b) || place(a) - place(b) || sortTitles.compare(a, b) || a - b;
}
