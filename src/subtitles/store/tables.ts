/**
 * The subtitle tables. Only this folder reads or writes them.
 *
 * `subtitle_item` follows the catalogue by cursor: one row a film or episode, with what it has as JSON. Rows that are
 * alike in everything that decides about coverage share a shape, and `subtitle_shape` counts them, so that totals for
 * any language are answered from a few rows and never by reading all items. Counts change in the same transaction as
 * the rows.
 */
import { columns, type Engine, type Kysely, type Migration, table, type Transaction } from '../../lib/db/index.ts';
import { type DraftTable, draftsMigration } from './drafts.ts';
import { type HidingTable, hidingMigration } from './hiding.ts';
import { inventoryIndex } from './inventory-index.ts';
import { dueMigration, type LookTable, upkeepMigration } from './upkeep.ts';
import { actorMigration, type HistoryTable, lineageMigration, type Origin, type WritingTable } from './lineage.ts';

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
  /** Below the library's root: the file that is shown when nobody chooses a version. */
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
  /** What was downloaded for an item and found wrong: never downloaded again for the same file. */
  subtitle_refusal: { item: string; language: string; provider: string; candidate: string; content: string | null; reason: string; at: number };
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
export interface FileTable {
  library: string;
  relative: string;
  item: string;
  language: string;
  role: 'normal' | 'forced' | 'sdh';
  format: string;
  source: string;
  /** None of what somebody made or brought. */
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
  /** What the provider calls it. */
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
export type Tx = Transaction<Tables>;

async function inventory(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await table(db, engine, 'subtitle_item')
    .addColumn('id', c.id, (col) => col.primaryKey().notNull())
    .addColumn('library', c.id, (col) => col.notNull())
    .addColumn('kind', c.text, (col) => col.notNull())
    .addColumn('title', c.text, (col) => col.notNull())
    .addColumn('sort', c.text, (col) => col.notNull())
    .addColumn('words', c.text, (col) => col.notNull())
    .addColumn('year', c.integer)
    .addColumn('context', c.text)
    .addColumn('file', c.text, (col) => col.notNull())
    .addColumn('size', c.integer, (col) => col.notNull())
    .addColumn('modified', c.time, (col) => col.notNull())
    .addColumn('state', c.text, (col) => col.notNull())
    .addColumn('tracks', c.json, (col) => col.notNull())
    .addColumn('shape', c.id, (col) => col.notNull())
    .execute();
  // The shape is in both, so that a filtered page is found without touching the rows before it.
  await db.schema.createIndex('subtitle_item_sort').on('subtitle_item').columns(['sort', 'id', 'shape']).execute();
  await db.schema.createIndex('subtitle_item_modified').on('subtitle_item').columns(['modified', 'id', 'shape']).execute();
  await table(db, engine, 'subtitle_shape').addColumn('id', c.id, (col) => col.primaryKey().notNull()).addColumn('facts', c.json, (col) => col.notNull()).addColumn('items', c.integer, (col) => col.notNull()).execute();
  await table(db, engine, 'subtitle_cursor').addColumn('only', c.integer, (col) => col.primaryKey().notNull()).addColumn('change', c.integer, (col) => col.notNull()).addColumn('gone', c.integer, (col) => col.notNull()).execute();
  await (db as Kysely<Tables>).insertInto('subtitle_cursor').values({ only: 1, change: 0, gone: 0 }).execute();
}

async function searches(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await table(db, engine, 'subtitle_search')
    .addColumn('item', c.id, (col) => col.notNull())
    .addColumn('language', c.text, (col) => col.notNull())
    .addColumn('at', c.time, (col) => col.notNull())
    .addColumn('outcome', c.text, (col) => col.notNull())
    .addColumn('reason', c.text)
    .addPrimaryKeyConstraint('subtitle_search_key', ['item', 'language'])
    .execute();
  await table(db, engine, 'subtitle_pause')
    .addColumn('item', c.id, (col) => col.notNull())
    .addColumn('language', c.text, (col) => col.notNull())
    .addColumn('provider', c.text, (col) => col.notNull())
    .addColumn('failures', c.integer, (col) => col.notNull())
    .addColumn('until', c.time, (col) => col.notNull())
    .addColumn('kind', c.text, (col) => col.notNull())
    .addPrimaryKeyConstraint('subtitle_pause_key', ['item', 'language', 'provider'])
    .execute();
  await table(db, engine, 'subtitle_refusal')
    .addColumn('item', c.id, (col) => col.notNull())
    .addColumn('language', c.text, (col) => col.notNull())
    .addColumn('provider', c.text, (col) => col.notNull())
    .addColumn('candidate', c.text, (col) => col.notNull())
    .addColumn('content', c.text)
    .addColumn('reason', c.text, (col) => col.notNull())
    .addColumn('at', c.time, (col) => col.notNull())
    .addPrimaryKeyConstraint('subtitle_refusal_key', ['item', 'language', 'provider', 'candidate'])
    .execute();
  await table(db, engine, 'subtitle_provider')
    .addColumn('name', c.text, (col) => col.primaryKey().notNull())
    .addColumn('mark', c.text)
    .addColumn('state', c.text, (col) => col.notNull())
    .addColumn('last_success', c.time)
    .addColumn('remaining', c.integer)
    .addColumn('reset_at', c.time)
    .addColumn('last_error', c.text)
    .addColumn('failures', c.integer, (col) => col.notNull())
    .addColumn('until', c.time, (col) => col.notNull())
    .addColumn('kind', c.text)
    .addColumn('memory', c.text)
    .execute();
  await table(db, engine, 'subtitle_budget').addColumn('provider', c.text, (col) => col.primaryKey().notNull()).addColumn('day', c.text, (col) => col.notNull()).addColumn('used', c.integer, (col) => col.notNull()).execute();
}

async function files(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const c = columns(engine);
  await table(db, engine, 'subtitle_file')
    .addColumn('library', c.id, (col) => col.notNull())
    .addColumn('relative', c.text, (col) => col.notNull())
    .addColumn('item', c.id, (col) => col.notNull())
    .addColumn('language', c.text, (col) => col.notNull())
    .addColumn('role', c.text, (col) => col.notNull())
    .addColumn('format', c.text, (col) => col.notNull())
    .addColumn('source', c.text, (col) => col.notNull())
    .addColumn('score', c.integer, (col) => col.notNull())
    .addColumn('match', c.text, (col) => col.notNull())
    .addColumn('evidence', c.json, (col) => col.notNull())
    .addColumn('content', c.text, (col) => col.notNull())
    .addColumn('size', c.integer)
    .addColumn('modified', c.time)
    .addColumn('state', c.text, (col) => col.notNull())
    .addColumn('at', c.time, (col) => col.notNull())
    .addPrimaryKeyConstraint('subtitle_file_key', ['library', 'relative'])
    .execute();
  await db.schema.createIndex('subtitle_file_item').on('subtitle_file').column('item').execute();
  await table(db, engine, 'subtitle_frozen').addColumn('item', c.id, (col) => col.notNull()).addColumn('language', c.text, (col) => col.notNull()).addPrimaryKeyConstraint('subtitle_frozen_key', ['item', 'language']).execute();
}

export const subtitleMigrations: readonly Migration[] = [
  { id: 'subtitles-001-inventory', up: inventory },
  { id: 'subtitles-002-searches', up: searches },
  { id: 'subtitles-003-files', up: files },
  lineageMigration,
  hidingMigration,
  upkeepMigration,
  draftsMigration,
  inventoryIndex,
  actorMigration,
  dueMigration,
];
