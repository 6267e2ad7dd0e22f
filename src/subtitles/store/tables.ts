/**
 * The subtitle tables. Only this folder reads or writes them.
 *
 * `subtitle_item` follows the catalogue by cursor: one row a film or episode, with what it has as JSON. Rows that are
 * alike in everything that decides about coverage share a shape, and `subtitle_shape` counts them, so that totals for
 * any language are answered from a few rows and never by reading all items. Counts change in the same transaction as
 * the rows.
 */
import type { DRAFT_METHODS, DRAFT_STATES } from '../../contract/subtitles/workbench.ts';
import type { Transaction } from '../../lib/db/index.ts';

export interface ItemTable {
  id: string;
  library: string;
  kind: 'movie' | 'episode';
  title: string;
  /** Folded, for sorting: no article, numbers padded, episodes in their order. */
  sort: string;
  /** Folded, for searching. */
  words: string;
  year: number | null;
  context: string | null;
  /** Below the library's root: the file that is shown when no version is chosen. */
  file: string;
  size: number;
  modified: number;
  /** Whether the file was looked into: `known`, `unknown` (not yet) or `broken`. */
  state: 'known' | 'unknown' | 'broken';
  /** JSON of Track[]. */
  tracks: string;
  shape: string;
  /** When it was last searched for, in any language; 0 for never. */
  searched: number;
}
export interface Tables {
  subtitle_item: ItemTable;
  subtitle_shape: { id: string; facts: string; items: number };
  subtitle_cursor: { only: number; change: number; gone: number };
  /** The last search for a language of an item, and how it ended. */
  subtitle_search: { item: string; language: string; at: number; outcome: SearchOutcome; reason: string | null };
  /** When a provider may be asked again for this item and language. */
  subtitle_pause: { item: string; language: string; provider: string; failures: number; until: number; kind: string };
  /** Downloads that were wrong for an item. They are never downloaded again for the same file. */
  subtitle_refusal: {
    item: string;
    language: string;
    provider: string;
    candidate: string;
    content: string | null;
    reason: string;
    at: number;
  };
  /** Files that this server wrote, and those that it put back. */
  subtitle_installed: FileTable;
  subtitle_writing: WritingTable;
  subtitle_history: HistoryTable;
  /** Files that a clean-up is about to hide. */
  subtitle_hiding: HidingTable;
  subtitle_draft: DraftTable;
  /** Languages of items that an Owner froze. */
  subtitle_frozen: { item: string; language: string };
  subtitle_provider: ProviderTable;
  subtitle_look: LookTable;
  subtitle_budget: { provider: string; day: string; used: number };
}
export type SearchOutcome = 'found' | 'nothing' | 'refused' | 'failed';
/** A regular subtitle, one for foreign parts only, or one for the hard of hearing. */
export type Role = 'normal' | 'forced' | 'sdh';
export interface FileTable {
  library: string;
  relative: string;
  item: string;
  language: string;
  role: Role;
  format: string;
  source: string;
  /** Null for files that a user made or imported. */
  score: number | null;
  match: 'verified' | 'unverified' | 'embedded' | 'found';
  /** JSON of Evidence[]. */
  evidence: string;
  /** SHA-256 of the bytes, hex. */
  content: string;
  size: number;
  modified: number;
  origin: Origin;
  /** SHA-256 of the bytes as they came from outside, where they are preserved. */
  delivered: string | null;
  /** The provider's id of it. */
  candidate: string | null;
  /** JSON of Preserved. */
  preserved: string;
  at: number;
}
export interface ProviderTable {
  name: string;
  /** Sealed: which credentials the rest is about. */
  mark: string | null;
  state: 'untested' | 'connected' | 'limited' | 'unavailable';
  last_success: number | null;
  remaining: number | null;
  reset_at: number | null;
  last_error: string | null;
  failures: number;
  until: number;
  kind: string | null;
  /** Sealed: what the provider remembers over a restart. */
  memory: string | null;
}
/** `own` is a user's own file that was replaced once and restored. */
export type Origin = 'fetched' | 'edited' | 'imported' | 'draft' | 'own';
export type Act = 'fetched' | 'upgraded' | 'applied' | 'restored' | 'hidden';
export interface HistoryTable {
  /** Grows. */
  n: number;
  item: string;
  language: string;
  role: Role;
  library: string;
  relative: string;
  /** SHA-256 of the file before and after the change. */
  before: string | null;
  after: string | null;
  source: string;
  score: number | null;
  match: string;
  evidence: string;
  act: Act;
  detail: string | null;
  at: number;
  /** JSON of Actor; null of what was done before it was written down. */
  actor: string | null;
}
export interface WritingTable {
  library: string;
  relative: string;
  item: string;
  at: number;
  /** JSON of Intent. */
  intent: string;
}
/** Says that a file is about to be hidden; gone once it is settled. */
export interface HidingTable {
  library: string;
  relative: string;
  item: string;
  language: string;
  role: Role;
  /** As it was planned: bytes, milliseconds with their fraction. */
  size: number;
  modified: string;
  at: number;
  /** JSON of Actor. */
  actor: string | null;
}
export interface DraftTable {
  id: string;
  /** Grows. */
  n: number;
  item: string;
  language: string;
  method: (typeof DRAFT_METHODS)[number];
  state: Exclude<(typeof DRAFT_STATES)[number], 'none'>;
  message: string | null;
  /** JSON of the video's bytes that it belongs to. */
  video: string;
  /** Compressed JSON of what was made. */
  made: Uint8Array | null;
  started: number;
  ended: number | null;
}
/** When it is next worth looking for something better for a language of an item. */
export interface LookTable {
  item: string;
  language: string;
  until: number;
}
export type Tx = Transaction<Tables>;
