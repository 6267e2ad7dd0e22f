/** Words of the activity log, and of notices about security. */
import type { ActivityCategory, ActivityKind, ActivityKindsByCategory } from '../../contract/activity/kinds.ts';
import { area } from './catalogue.ts';

/** Parts of the sentence of an entry. Names are as they are shown. */
export interface EntryParts {
  /** Profile or part of the server that did it. */
  who: string;
  /** Profile that it is about. */
  whom: string;
  /** Whether both are the same. */
  isOwn: boolean;
  /** Title or name of the thing that it is about; empty if it has none. */
  what: string;
  isRefused: boolean;
  /** Number in the details. */
  count: number;
  /** Word in the details: a setting, a language, a kind of library, a task or a role, or a date. */
  word: string;
}
/** A sentence for each kind of entry. */
export type EntrySentences = { readonly [K in ActivityKind]: (parts: EntryParts) => string };
/** A name for each kind of entry, as it is chosen in a filter. */
export type EntryKindNames = {
  readonly [C in ActivityCategory]: { readonly [K in ActivityKindsByCategory[C]]: string };
};

export let activityWords: typeof import('./en/activity.ts').activityEnglish;
area<typeof activityWords>(
  {
    en: () => import('./en/activity.ts').then(({ activityEnglish }) => activityEnglish),
    de: () => import('./de/activity.ts').then(({ activityGerman }) => activityGerman),
  },
  (loaded) => (activityWords = loaded),
);
