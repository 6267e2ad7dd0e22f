/** Objects that the stores return and accept, and how their JSON columns are read and written. */
import type { SubtitleNote } from '../../contract/subtitles/notes.ts';
import type { Actor, Evidence, UnreadableReason } from '../../contract/subtitles/states.ts';
import type { Act, InstalledTable, HidingTable, SubtitleHistoryTable, SubtitleItemTable } from './tables.ts';

/** A subtitle of an item, as the catalogue listed it. */
export interface InventoryTrack {
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
  /** Whether the file was read, to see whether it has lines. A file that changed is read again. */
  checked?: true;
  /** Whether the text of the file is for the hard of hearing, whatever its name says. */
  impaired?: true;
  /** Why the file cannot be read. */
  unreadable?: UnreadableReason;
}

/** Whether a file has to be read to know whether it counts. */
export const isUnchecked = (track: InventoryTrack): boolean =>
  track.source === 'sidecar' && !track.picture && !track.hidden && !track.checked;

/** Returns the key of a text among those of its item. */
export const trackKeyOf = ({ source, stream, relative }: InventoryTrack): string =>
  source === 'embedded' ? `stream:${stream ?? -1}` : `file:${relative ?? ''}`;

/** Returns the version of a file: another size or time is another version. */
export const versionOf = ({ size = 0, modified = 0 }: { size?: number; modified?: number }): string =>
  `${size}:${Math.round(modified)}`;

/** Returns the version of a text. One inside the video changes with the video. */
export const versionOfTrack = (track: InventoryTrack): string =>
  track.source === 'embedded' ? 'video' : versionOf(track);

/** Location of a file relative to its video, so that it is found after the video was renamed. */
export interface RelativeLocation {
  /**
   * Start of the path, to which `rest` is appended: the video's path without its extension, its folder, or the
   * library's root.
   */
  from: 'stem' | 'folder' | 'library';
  rest: string;
}

/** Facts about a file that this server wrote. */
export type InstalledFacts = Pick<
  InstalledTable,
  'source' | 'score' | 'match' | 'origin' | 'delivered' | 'candidate'
> & {
  evidence: readonly Evidence[];
};

/** A file that was replaced and whose bytes are preserved. */
export interface PreservedFile {
  /** SHA-256 of the bytes, hex. */
  content: string;
  location: RelativeLocation;
  language: string;
  role: InstalledTable['role'];
  format: string;
  /** Missing when the file was the user's own. */
  known?: InstalledFacts;
  /** The original of this file, if it had one. */
  original?: PreservedFile;
}

/** Files that can be restored. */
export interface RestorableFiles {
  /** The first file, from which all later ones were made or which they replaced. */
  original?: PreservedFile;
  /** The file that was installed before. */
  before?: PreservedFile;
  /**
   * Location of the installed file itself. Its bytes are preserved too, so that it can be restored after it was deleted
   * or changed by hand.
   */
  self?: RelativeLocation;
}

/** A file that this server wrote or restored. */
export type InstalledFile = Omit<InstalledTable, 'evidence' | 'preserved'> & {
  evidence: readonly Evidence[];
  preserved: RestorableFiles;
};
/** A film or episode with its subtitle tracks. */
export type InventoryRow = Omit<SubtitleItemTable, 'tracks'> & { tracks: InventoryTrack[] };
/** A past change of an item's subtitles. */
export type HistoryRow = Omit<SubtitleHistoryTable, 'evidence' | 'actor' | 'notes'> & {
  actor: Actor | null;
  notes: SubtitleNote[] | null;
};

/** A past change as it is recorded. */
export type NewHistoryRow = Omit<SubtitleHistoryTable, 'n' | 'evidence' | 'actor' | 'notes'> & {
  evidence: readonly Evidence[];
  notes: readonly SubtitleNote[] | null;
  actor: Actor | null;
};
/** A file that is about to be hidden. */
export type HidingFile = Omit<HidingTable, 'actor'> & { actor: Actor | null };

/** Everything that a write is about to do. */
export interface Intent {
  file: Omit<InstalledFile, 'size' | 'modified'>;
  /** The file that it replaces. */
  over?: { relative: string; content: string };
  /** Nothing is written: `over` is removed, and `file` records how it can be restored. */
  isRemoval?: true;
  act: Act;
  /** Missing in intents of versions that did not record it. */
  by?: Actor;
  detail?: string;
  /** The notes that `detail` is made of. Missing in intents of versions that recorded only the sentence. */
  notes?: readonly SubtitleNote[];
  /** Freezes the language. */
  freeze?: true;
  /** The provider's subtitle that a user rejected by replacing it. */
  rejects?: { provider: string; candidate: string; content: string };
}

/** JSON of a column; evidence inside preserved files is stored as JSON in JSON, and the location as `spot`. */
type StoredFile = Omit<PreservedFile, 'location' | 'known' | 'original'> & {
  spot: RelativeLocation;
  known?: Omit<InstalledFacts, 'evidence'> & { evidence: string };
  original?: StoredFile;
};
type StoredPreserved = Omit<RestorableFiles, 'original' | 'before'> & { original?: StoredFile; before?: StoredFile };
/** An intent as it is stored. */
export type StoredIntent = Omit<Intent, 'file'> & { file: Omit<InstalledTable, 'size' | 'modified'> };

export const evidenceFrom = (json: string): Evidence[] => JSON.parse(json) as Evidence[];
export const tracksFrom = (json: string): InventoryTrack[] => JSON.parse(json) as InventoryTrack[];
export const actorFrom = (json: string | null): Actor | null => (json === null ? null : (JSON.parse(json) as Actor));
export const actorJson = (actor: Actor | null | undefined): string | null => (actor ? JSON.stringify(actor) : null);
export const entryRow = ({ evidence, actor, notes, ...entry }: NewHistoryRow): Omit<SubtitleHistoryTable, 'n'> => ({
  ...entry,
  evidence: JSON.stringify(evidence),
  actor: actorJson(actor),
  notes: notes && JSON.stringify(notes),
});
export const tracksJson = (tracks: readonly InventoryTrack[]): string => JSON.stringify(tracks);

export function preservedFrom(json: string): RestorableFiles {
  const { original, before, ...rest } = JSON.parse(json) as StoredPreserved;
  return {
    ...rest,
    ...(original && { original: fileFrom(original) }),
    ...(before && { before: fileFrom(before) }),
  };
}

const fileFrom = ({ spot, known, original, ...rest }: StoredFile): PreservedFile => ({
  ...rest,
  location: spot,
  ...(known && { known: { ...known, evidence: evidenceFrom(known.evidence) } }),
  ...(original && { original: fileFrom(original) }),
});

function preservedJson({ original, before, ...rest }: RestorableFiles): string {
  const stored: StoredPreserved = {
    ...rest,
    ...(original && { original: storedFile(original) }),
    ...(before && { before: storedFile(before) }),
  };
  return JSON.stringify(stored);
}

const storedFile = ({ location, known, original, ...rest }: PreservedFile): StoredFile => ({
  ...rest,
  spot: location,
  ...(known && { known: { ...known, evidence: JSON.stringify(known.evidence) } }),
  ...(original && { original: storedFile(original) }),
});

export const installedFrom = ({ evidence, preserved, ...row }: InstalledTable): InstalledFile => ({
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
