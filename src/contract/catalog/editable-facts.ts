/**
 * The facts of items that an Owner may edit, and the kinds that have each. This file imports no schema library, so that
 * the dashboard can load it.
 */
import type { ItemKind } from './kinds.ts';

const VIDEO = ['movie', 'show', 'episode'] as const;

/**
 * The facts in the order in which an editor shows them. `kinds` are those whose editor shows the fact; `isOwn` ones
 * cannot be set for others, which have no place for them.
 */
const FACTS = {
  title: { kinds: 'all' },
  sortTitle: { kinds: 'all' },
  originalTitle: { kinds: [...VIDEO, 'book', 'audiobook'] },
  artists: { kinds: ['album', 'track'], isOwn: true },
  disc: { kinds: ['track'], isOwn: true },
  track: { kinds: ['track'], isOwn: true },
  series: { kinds: ['book', 'audiobook'], isOwn: true },
  seriesNumber: { kinds: ['audiobook'], isOwn: true },
  volume: { kinds: ['book'], isOwn: true },
  chapter: { kinds: ['book'], isOwn: true },
  year: { kinds: [...VIDEO, 'album', 'track', 'book', 'audiobook'] },
  released: { kinds: [...VIDEO, 'album', 'track', 'book', 'audiobook'] },
  tagline: { kinds: VIDEO },
  plot: { kinds: 'all' },
  genres: { kinds: 'all' },
  studios: { kinds: ['movie', 'show', 'album', 'book', 'audiobook'] },
  people: { kinds: [...VIDEO, 'track', 'book', 'audiobook'] },
  communityRating: { kinds: [...VIDEO, 'book', 'audiobook'] },
} as const satisfies Record<string, { kinds: 'all' | readonly ItemKind[]; isOwn?: true }>;

export type EditableFact = keyof typeof FACTS;
const factsTable: Readonly<Record<EditableFact, { kinds: 'all' | readonly ItemKind[]; isOwn?: true }>> = FACTS;
export const EDITABLE_FACTS = Object.keys(FACTS) as EditableFact[];

const isOfKind = (fact: EditableFact, kind: ItemKind): boolean => {
  const { kinds } = factsTable[fact];
  return kinds === 'all' || kinds.includes(kind);
};
/** Returns the facts that the editor of a kind shows. */
export const factsOfEditor = (kind: ItemKind): EditableFact[] => EDITABLE_FACTS.filter((fact) => isOfKind(fact, kind));
/** Facts that only some kinds can have. */
export const KIND_FACTS = EDITABLE_FACTS.filter((fact) => factsTable[fact].isOwn === true);
/** Returns whether a fact can be set for items of a kind. */
export const canHaveFact = (fact: EditableFact, kind: ItemKind): boolean =>
  factsTable[fact].isOwn !== true || isOfKind(fact, kind);
