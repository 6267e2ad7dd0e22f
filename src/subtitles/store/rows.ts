/** Objects of the subtitle tables: what stores return and take, and how their JSON columns are read and written. */
import type { Actor, Evidence } from '../../contract/subtitles/library.ts';
import type { Act, FileTable, HidingTable, HistoryTable, ItemTable } from './tables.ts';

/** A subtitle of an item as the catalogue listed it. */
export interface Track {
  source: 'embedded' | 'sidecar';
  language?: string;
  role: 'normal' | 'forced' | 'sdh';
  format: string;
  picture?: true;
  hidden?: true;
  commentary?: true;
  title?: string;
  /** Number of the stream, for an embedded track. */
  stream?: number;
  /** Path below the library, for a file; with `size` and `modified` it identifies the bytes. */
  relative?: string;
  size?: number;
  modified?: number;
}

/** Location of a file relative to its video, so that it is found again when the video was renamed. */
export interface RelativeLocation {
  /**
   * Start of the path, which `rest` follows: the video's path without its ending, its folder, or the library's root.
   */
  from: 'stem' | 'folder' | 'library';
  rest: string;
}

/** Facts about a file that this server wrote. */
export type InstalledFacts = Pick<FileTable, 'source' | 'score' | 'match' | 'origin' | 'delivered' | 'candidate'> & {
  evidence: readonly Evidence[];
};

/** A file that was replaced and whose bytes are preserved. */
export interface PreservedFile {
  /** SHA-256 of the bytes, hex. */
  content: string;
  spot: RelativeLocation;
  language: string;
  role: FileTable['role'];
  format: string;
  /** Left out when the file was the user's own. */
  known?: InstalledFacts;
  /** The original of this file, when it was installed. */
  original?: PreservedFile;
}

/** Files that can be restored. */
export interface Preserved {
  /** The first file, from which all later ones were made or which they replaced. */
  original?: PreservedFile;
  /** The file that was installed before. */
  before?: PreservedFile;
  /**
   * Location of the file itself. Its own bytes are preserved too, so that it can be restored after it was deleted or
   * changed by hand.
   */
  self?: RelativeLocation;
}

/** A file that this server wrote or restored. */
export type InstalledFile = Omit<FileTable, 'evidence' | 'preserved'> & {
  evidence: readonly Evidence[];
  preserved: Preserved;
};
/** A film or episode with its subtitle tracks. */
export type InventoryRow = Omit<ItemTable, 'tracks'> & { tracks: Track[] };
/** A past change of an item's subtitles. */
export type HistoryRow = Omit<HistoryTable, 'evidence' | 'actor'> & { actor: Actor | null };

/** A past change as it is recorded. */
export type NewHistoryRow = Omit<HistoryTable, 'n' | 'evidence' | 'actor'> & {
  evidence: readonly Evidence[];
  actor: Actor | null;
};
/** A file that is about to be hidden. */
export type HidingFile = Omit<HidingTable, 'actor'> & { actor: Actor | null };

/** Everything that a write is about to do. */
export interface Intent {
  file: Omit<InstalledFile, 'size' | 'modified'>;
  /** The file that it replaces. */
  over?: { relative: string; content: string };
  /** Nothing is written: the file that `over` names is removed, and `file` says how it is restored. */
  isRemoval?: true;
  act: Act;
  /** Missing in intents of versions that did not record it. */
  by?: Actor;
  detail?: string;
  /** Freezes the language. */
  freeze?: true;
  /** The replaced file came from there and was rejected by a user. */
  rejects?: { provider: string; candidate: string; content: string };
}

/** JSON of a column; evidence inside preserved files is stored as JSON in JSON. */
type StoredFile = Omit<PreservedFile, 'known' | 'original'> & {
  known?: Omit<InstalledFacts, 'evidence'> & { evidence: string };
  original?: StoredFile;
};
type StoredPreserved = Omit<Preserved, 'original' | 'before'> & { original?: StoredFile; before?: StoredFile };
/** An intent as it is stored. */
export type StoredIntent = Omit<Intent, 'file'> & { file: Omit<FileTable, 'size' | 'modified'> };

export const evidenceFrom = (json: string): Evidence[] => JSON.parse(json) as Evidence[];
export const tracksFrom = (json: string): Track[] => JSON.parse(json) as Track[];
export const actorFrom = (json: string | null): Actor | null => (json === null ? null : (JSON.parse(json) as Actor));
export const actorJson = (actor: Actor | null | undefined): string | null => (actor ? JSON.stringify(actor) : null);
export const entryRow = ({ evidence, actor, ...entry }: NewHistoryRow): Omit<HistoryTable, 'n'> => ({
  ...entry,
  evidence: JSON.stringify(evidence),
  actor: actorJson(actor),
});
export const tracksJson = (tracks: readonly Track[]): string => JSON.stringify(tracks);

export function preservedFrom(json: string): Preserved {
  const { original, before, ...rest } = JSON.parse(json) as StoredPreserved;
  return {
    ...rest,
    ...(original && { original: fileFrom(original) }),
    ...(before && { before: fileFrom(before) }),
  };
}

const fileFrom = ({ known, original, ...rest }: StoredFile): PreservedFile => ({
  ...rest,
  ...(known && { known: { ...known, evidence: evidenceFrom(known.evidence) } }),
  ...(original && { original: fileFrom(original) }),
});

function preservedJson({ original, before, ...rest }: Preserved): string {
  const stored: StoredPreserved = {
    ...rest,
    ...(original && { original: storedFile(original) }),
    ...(before && { before: storedFile(before) }),
  };
  return JSON.stringify(stored);
}

const storedFile = ({ known, original, ...rest }: PreservedFile): StoredFile => ({
  ...rest,
  ...(known && { known: { ...known, evidence: JSON.stringify(known.evidence) } }),
  ...(original && { original: storedFile(original) }),
});

export const installedFrom = ({ evidence, preserved, ...row }: FileTable): InstalledFile => ({
  ...row,
  evidence: evidenceFrom(evidence),
  preserved: preservedFrom(preserved),
});

export const storedRow = ({ evidence, preserved, ...file }: Intent['file']): StoredIntent['file'] => ({
  ...file,
  evidence: JSON.stringify(evidence),
  preserved: preservedJson(preserved),
});

export function intentFrom(json: string): Intent {
  const { file, ...rest } = JSON.parse(json) as StoredIntent;
  const { evidence, preserved, ...row } = file;
  return { ...rest, file: { ...row, evidence: evidenceFrom(evidence), preserved: preservedFrom(preserved) } };
}

export const intentJson = ({ file, ...rest }: Intent): string => JSON.stringify({ ...rest, file: storedRow(file) });
