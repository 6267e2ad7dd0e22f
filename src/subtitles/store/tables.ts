/**
 * The subtitle tables. Only this folder reads or writes them.
 *
 * `subtitle_item` follows the catalogue by cursor, with one row per film or episode and its tracks as JSON. Rows that
 * are alike in everything that decides about coverage share a shape. `subtitle_shape` counts the rows of each shape, so
 * totals for any language come from a few rows. Counts change in the same transaction as the rows.
 */
import type { TimingVerdict } from '../../contract/subtitles/states.ts';
import type { DRAFT_SOURCES, DRAFT_STATES } from '../../contract/subtitles/views.ts';
import type { Transaction } from '../../lib/db/index.ts';

export interface SubtitleItemTable {
  /** Key of the file: the id of the item, and for the later parts of a film with the number of the part. */
  id: string;
  library: string;
  kind: 'movie' | 'episode';
  title: string;
  /** Folded title for sorting: without an article, with padded numbers, and episodes in order. */
  sort: string;
  /** Folded words for searching. */
  words: string;
  year: number | null;
  context: string | null;
  /** Path below the library's root of the main file, which is played when the user chooses no version. */
  file: string;
  size: number;
  modified: number;
  /** Whether the file was probed: `known`, `unknown` (not yet) or `broken`. */
  state: 'known' | 'unknown' | 'broken';
  /** JSON of Track[]. */
  tracks: string;
  shape: string;
  /** Time of the last search in any language; 0 for never. */
  searched: number;
  /** 1 if a file next to the video was not read yet, else 0. */
  unchecked: number;
  /** 1 if the timing audit has not judged a text or the whole item yet, else 0. */
  unaudited: number;
  /** Number of the part, of a film in several files. Its rows together are one item. */
  part: number | null;
}
export interface SubtitleTables {
  subtitle_item: SubtitleItemTable;
  /** Keys of the parts of films, kept as long as the item, so that everything about them is deleted with it. */
  subtitle_part: { id: string; item: string };
  subtitle_shape: { id: string; facts: string; items: number };
  subtitle_cursor: { only: number; change: number; gone: number };
  /** Result of the last search for an item, language and role. */
  subtitle_search: {
    item: string;
    language: string;
    role: SubtitleRole;
    at: number;
    outcome: SearchOutcome;
    reason: string | null;
    /** JSON of the reason with its values; null for searches of versions that recorded only the sentence. */
    why: string | null;
  };
  /** Time when a provider may be asked again for an item, language and role. */
  subtitle_pause: {
    item: string;
    language: string;
    role: SubtitleRole;
    provider: string;
    failures: number;
    until: number;
    kind: string;
  };
  /** Downloads that do not fit an item. They are not downloaded again for the same file. */
  subtitle_refusal: {
    item: string;
    language: string;
    provider: string;
    candidate: string;
    content: string | null;
    reason: string;
    at: number;
  };
  /** Files that this server wrote or restored. */
  subtitle_installed: InstalledTable;
  subtitle_writing: WritingTable;
  subtitle_history: SubtitleHistoryTable;
  /** Files that a clean-up is about to hide. */
  subtitle_hiding: HidingTable;
  subtitle_draft: DraftTable;
  /** Languages of items that an Owner froze. */
  subtitle_frozen: { item: string; language: string };
  subtitle_provider: ProviderTable;
  subtitle_look: LookTable;
  subtitle_audit: AuditTable;
  subtitle_budget: { provider: string; day: string; used: number };
}
export type SearchOutcome = 'found' | 'nothing' | 'refused' | 'failed';
/** A regular subtitle, one for foreign parts only, or one for the hard of hearing. */
export type SubtitleRole = 'normal' | 'forced' | 'sdh';
export interface InstalledTable {
  library: string;
  relative: string;
  item: string;
  language: string;
  role: SubtitleRole;
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
  /** SHA-256 of the bytes as a provider or a user delivered them, when they are preserved. */
  delivered: string | null;
  /** The provider's id of the subtitle. */
  candidate: string | null;
  /** JSON of Preserved. */
  preserved: string;
  at: number;
}
export interface ProviderTable {
  name: string;
  /** Sealed hash of the credentials that the rest of the row is about. */
  mark: string | null;
  state: 'untested' | 'connected' | 'limited' | 'unavailable';
  last_success: number | null;
  remaining: number | null;
  reset_at: number | null;
  last_error: string | null;
  failures: number;
  until: number;
  kind: string | null;
  /** Sealed data that the provider keeps over a restart. */
  memory: string | null;
}
/** `own` is a user's own file that was replaced once and restored. */
export type Origin = 'fetched' | 'edited' | 'imported' | 'draft' | 'own';
export type Act = 'fetched' | 'upgraded' | 'applied' | 'restored' | 'hidden' | 'deleted';
export interface SubtitleHistoryTable {
  /** Grows. */
  n: number;
  item: string;
  language: string;
  role: SubtitleRole;
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
  /** JSON of the notes that `detail` is made of; null for entries of versions that recorded only the sentence. */
  notes: string | null;
  at: number;
  /** JSON of Actor; null for entries from before actors were recorded. */
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
/** A file that is about to be hidden. The row is deleted when the result is recorded. */
export interface HidingTable {
  library: string;
  relative: string;
  item: string;
  language: string;
  role: SubtitleRole;
  /** Size in bytes and time in milliseconds with their fraction, as planned. */
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
  method: (typeof DRAFT_SOURCES)[number];
  state: Exclude<(typeof DRAFT_STATES)[number], 'none'>;
  message: string | null;
  /** JSON of DraftNote[]. */
  notes: string | null;
  /** JSON of the VideoBinding that the draft was made from. */
  video: string;
  /** Compressed JSON of the DraftContent. */
  made: Uint8Array | null;
  started: number;
  ended: number | null;
}
/** Time of the next search for a better subtitle of an item, language and role. */
export interface LookTable {
  item: string;
  language: string;
  role: SubtitleRole;
  until: number;
}
/** Judgement of a text by the timing audit. */
export interface AuditTable {
  item: string;
  /** Key of the text: `file:` with its path below the library, or `stream:` with its number. */
  track: string;
  /** Version of the video, and of the text: size and time, as `versionOf` writes them. */
  video: string;
  version: string;
  /** Version of the method that judged it. */
  method: number;
  /** SHA-256 of the file, hex; null for a text inside the video. */
  content: string | null;
  verdict: TimingVerdict;
  /** JSON of JudgementFacts. */
  facts: string;
  /** 1 for a text inside the video that has a file over it, which is shown instead; else 0. */
  covered: number;
  at: number;
}
export type SubtitleTx = Transaction<SubtitleTables>;
