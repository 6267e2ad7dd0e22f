/**
 * Placement: how files become items. A scan asks the kinds of its library what a file is, groups files by the key of
 * their item, and has the kind draft each item from names, headers and companions. A kind declares its placement; the
 * scan knows nothing else about it.
 */
import type { ItemKind, LibraryKind } from '../../../contract/catalog/kinds.ts';
import type { Nfo } from '../../naming/nfo.ts';
import type { MediaInfo } from '../../probe/types.ts';
import type { FileWindow } from '../../probe/window.ts';
import type { CompanionFile, Details, FileRecord, ImagePlaces } from '../../store/records.ts';

/** The facts in the name of a file that every kind needs. Kinds extend it with further facts. */
export interface FileGuess {
  /** `extra`, `sample` and `unplaced` make no item. */
  kind: ItemKind | 'extra' | 'sample' | 'unplaced';
  edition?: string;
  /** The name of this version of the item: `1080p`, `Director's Cut`. */
  version?: string;
  /** 1 for the first of several files that make up one version. */
  part?: number;
  /** Short sentences that explain the guess, without names from the path. */
  evidence: string[];
  /** Why the file could not be placed. */
  reason?: string;
  /** False for a file that another one is listed for, such as all but one of a disc copied as a folder. */
  isListed?: boolean;
}

export interface GuessedFile<G extends FileGuess = FileGuess> {
  row: FileRecord;
  guess: G;
}

/** A file of an item with everything that is known about it. */
export interface PlacedFile<G extends FileGuess = FileGuess> extends GuessedFile<G> {
  info: MediaInfo | undefined;
  view: FolderView;
  /** Whether its folder holds no other item, so that pictures and NFO of the folder belong to this one. */
  isAlone: boolean;
}

/** A folder by the names of what it holds. */
export interface FolderView {
  path: string;
  videos: readonly string[];
  companions: readonly CompanionFile[];
}

/** An item before it has an id. */
export interface ItemDraft {
  kind: ItemKind;
  title: string;
  /** Empty: derived from the title. */
  sortTitle: string;
  originalTitle?: string;
  year?: number;
  /** Days since the epoch. */
  released?: number;
  rating?: string;
  communityRating?: number;
  duration?: number;
  resolution?: string;
  hdr?: string;
  /** Codecs of the video and sound of all its files. */
  codecs?: readonly string[];
  camera?: string;
  /** Path of the folder that it is listed under, for kinds that are listed by folder. */
  folder?: string;
  genres: string[];
  languages: string[];
  /** Artists of an album or track, authors of an audiobook. */
  artists?: string[];
  images: ImagePlaces;
  /** Number of the section, such as a season or disc. */
  section?: number;
  /** Number within the section, and the last number of a file that holds several. */
  number?: number;
  numberEnd?: number;
  confidence: number;
  detail: Details;
}

/**
 * A draft with its place: the key by which the next scan finds the item again, and the ids of its group and section.
 */
export interface PlacedDraft {
  key: string;
  draft: ItemDraft;
  group?: string;
  section?: string;
}

export interface FilesOfItem<G extends FileGuess = FileGuess> {
  /** The key that `itemKey` returned. */
  key: string;
  /** Sorted by path; at least one. */
  files: readonly PlacedFile<G>[];
  /** The folder in which the scan found the item first, and whether it holds no other item. */
  view: FolderView;
  isAlone: boolean;
  /** The folder of the item if its files are in folders below that. */
  home: string | undefined;
  /** The item that one of the files belonged to before. */
  movedFrom: string | undefined;
}

export interface WantedGroup {
  key: string;
  /** Key of the same group if an edit made it. */
  otherKey?: string;
  movedFrom: string | undefined;
  /**
   * Whether a folder or an NFO names the group. Otherwise it is named after one of its files, and keeps its first name.
   */
  isNamedByFolder: boolean;
  draft(): ItemDraft;
}

export interface WantedItem extends PlacedDraft {
  rows: readonly FileRecord[];
  /** The item that a file belonged to before it moved, or before a rule placed it elsewhere. */
  movedFrom: string | undefined;
  /** Whether its files or subtitles changed, so that listeners have to be notified. */
  isTouched: boolean;
}

/** Tools for a kind that drafts an item. */
export interface PlacementTools {
  views: {
    /** Returns a folder of the library; undefined for an unknown one. */
    of(path: string): Promise<FolderView | undefined>;
    /** Returns the documents of the first of these NFO files that the folder has. */
    nfo(view: FolderView, names: readonly string[]): Promise<readonly Nfo[]>;
    /** Returns the bytes of a small file in the folder; undefined if it is not there or cannot be read. */
    bytes(view: FolderView, name: string): Promise<Uint8Array | undefined>;
    /** Returns the text of the first of these small files that the folder has. */
    text(view: FolderView, names: readonly string[]): Promise<string | undefined>;
  };
  /** Returns the id of the group with this key, and its draft. Creates the group if there is none. */
  group(wanted: WantedGroup): Promise<{ id: string; draft: ItemDraft }>;
  /** Returns the id of a section of a group. Creates the section if there is none. */
  section(group: string, number: number, draft: () => Promise<ItemDraft>): Promise<string>;
}

export interface FileToGuess {
  library: LibraryKind;
  /** Path relative to the library's root, with slashes. */
  path: string;
  /**
   * Names of all files in the same folder, including this one. Pass the same array for every file of a folder: facts
   * about the folder are computed once for each array, which must not change afterwards.
   */
  siblings: readonly string[];
}

/** A type of files that one or several kinds consist of. Kinds of the same library share it. */
export interface FileType<P> {
  isMedia(name: string): boolean;
  /** Returns what a file is, by asking the placements of the library's kinds in their order. */
  guess(input: FileToGuess, placements: readonly P[]): FileGuess;
}

export interface KindPlacement<G extends FileGuess = FileGuess> {
  /** Raise it when the rules of this placement change, so that the next scan places every file again. */
  version: number;
  /** The kind of item that files of this placement make. */
  item: ItemKind;
  fileType: FileType<never>;
  /** Returns the key of the item that a file belongs to, among the files of one library. */
  itemKey(guess: G, name: string): string;
  /** Returns the key of the group of an item; undefined for kinds without groups. */
  groupKey(guess: G): string | undefined;
  /** True if tags decide about the group, so that no name says that a file has left it. */
  isGroupedByTags?: boolean;
  /**
   * Returns whether two files with the same item key are versions or parts of one work. Without evidence for it they
   * become two items.
   */
  isSameWork(a: PlacedFile<G>, b: PlacedFile<G>): boolean;
  /** True if `isSameWork` is certain, so that no one has to check works with the same key. */
  isSureOfWorks?: boolean;
  /** Returns the folder of an item whose files are in folders below that; undefined for all other items. */
  home(guess: G, folder: string): string | undefined;
  /** Returns whether the pictures and NFO of a folder belong to the item if the folder holds no other one. */
  ownsFolder: boolean;
  /**
   * Returns the parts of a file that are items, if a cue sheet says so; none for a file that is one item. The key of
   * such an item is that of the file with the number of the window, and its draft sees the info of the window.
   */
  windows?(file: PlacedFile<G>, views: PlacementTools['views']): Promise<readonly FileWindow[]>;
  draft(item: FilesOfItem<G>, tools: PlacementTools): Promise<PlacedDraft>;
}
