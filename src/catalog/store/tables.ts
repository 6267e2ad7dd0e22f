/**
 * The catalogue's tables. Only this folder reads or writes them.
 *
 * A file is a video as a scan saw it; an item is what people see. A file belongs to one
 * item at most, or it has windows: parts that are tracks, each of which belongs to one item.
 * An item's `key` says where its place is in a library (a film's folder, a show's season and number), so
 * that a second scan finds it again; its id never changes. Every change of an item takes the next
 * number of `catalog_counter`, which is the cursor for the domains above.
 */
export interface LibraryTable {
  id: string;
  name: string;
  path: string;
  kind: string;
  added: number;
  last_scan: number | null;
  /** Its last full scan, which looks at every file and not only at folders that changed. */
  last_full: number | null;
  /** When it left the configuration. Its items wait for it to come back. */
  removed: number | null;
  /** Options of its scans, as text that is only compared: another one means that every file is placed again. */
  scan_options: string | null;
}
export interface FolderTable {
  library: string;
  path: string;
  mtime: number;
  /** A digest of all names, sizes and times in it, by which an unchanged folder is known without listing it to us. */
  signature: string;
  /** JSON of the files next to the videos: subtitles, pictures, NFO. */
  aside: string;
}
export interface MediaFileTable {
  id: string;
  library: string;
  folder: string;
  name: string;
  size: number;
  mtime: number;
  ino: string;
  item: string | null;
  /** Which version of the item it is, and which part of that. */
  version: string;
  label: string;
  part: number;
  /** Why it has no place, or what is wrong with it. */
  problem: string | null;
  /** JSON: why it was placed where it is. */
  evidence: string;
  /** The number of the probe that looked into it; 0 when none could. */
  probed: number;
  missing: number | null;
  seen: number;
}
/** A part of a file that is a track. The file itself then belongs to no item. */
export interface WindowTable {
  file: string;
  number: number;
  item: string;
  /** Seconds. */
  starts: number;
  ends: number;
  /** JSON: the tags of the track. */
  tags: string;
}
/** Measured gain of a track. Null where nothing is known: silence, or a file that cannot be decoded. */
export interface LoudnessTable {
  item: string;
  /** The part of a file that was measured, and its version. */
  source: string;
  /** The change of the item up to which this is valid. */
  change: number;
  gain: number | null;
  peak: number | null;
  album_gain: number | null;
  album_peak: number | null;
}

/** Numbers that `airs_at` has for each season: more than a season has episodes. */
export const AIRS_PER_SEASON = 100_000;

export interface InfoTable {
  file: string;
  info: string;
}
export interface CatalogItemTable {
  id: string;
  library: string;
  key: string;
  kind: string;
  title: string;
  sort_title: string;
  original_title: string | null;
  year: number | null;
  released: number | null;
  rating: string | null;
  community_rating: number | null;
  added: number;
  duration: number | null;
  resolution: string | null;
  /** The class of high dynamic range: hdr10, hlg or dolby-vision. */
  hdr: string | null;
  /** JSON: codecs of its video and sound, as ffmpeg names them. */
  codecs: string;
  /** JSON: the studios of `detail`, for the library index. */
  studios: string;
  /** The camera that took it. */
  camera: string | null;
  /** The folder that it is listed under, for kinds that are listed by folder. */
  folder: string | null;
  /** JSON lists. */
  genres: string;
  languages: string;
  /** JSON: artists of an album or track, authors of an audiobook. */
  artists: string;
  /** JSON: the name of the series of an audiobook, and its number if it has one; empty for others. */
  series: string;
  /** JSON: kind of picture to where it is. */
  images: string;
  show: string | null;
  season: string | null;
  season_number: number | null;
  episode_number: number | null;
  episode_end: number | null;
  /** JSON of the set of films that it belongs to: the same as in `detail`, for the library index. */
  film_set: string | null;
  /**
   * Place of a special among the regular episodes: the number of a season times `AIRS_PER_SEASON`, and that of the
   * episode it comes before. The highest one is after the season.
   */
  airs_at: number | null;
  confidence: number;
  /** JSON: plot, tagline, studios, people, ids, evidence. */
  detail: string;
  /** Whether a file of it is there. */
  present: number;
  missing: number | null;
  change: number;
  /** Whether `catalog_layer` has its layers. Without them, everything that is shown is from its files. */
  layered: number;
}
/** The facts of one source about an item. */
export interface LayerTable {
  item: string;
  source: string;
  /** JSON. */
  facts: string;
}
/** The point at which the picture or clip of a file was taken. */
export interface PlaceTable {
  file: string;
  latitude: number;
  longitude: number;
}
/** The certification that an Owner set for an item. It stays when the item is scanned again. */
export interface SetRatingTable {
  item: string;
  rating: string;
  at: number;
}
export interface GoneTable {
  id: string;
  change: number;
}
export interface CounterTable {
  only: number;
  change: number;
}
/** The row of `catalog_counter` that counts changes, and the row that holds the key of the saved index. */
export const CHANGES = 1;
export const SNAPSHOT_KEY = 2;
export interface WatchTable {
  profile: string;
  item: string;
  position: number;
  watched: number;
  play_count: number;
  listed: number | null;
  rating: number | null;
  last_played: number | null;
  /** Whether it was taken off continue watching. */
  dismissed: number;
  session: string | null;
  sequence: number | null;
  /** Books only: the part and the place in it from 0 to 1, and how much is read in percent. */
  part: number | null;
  part_offset: number | null;
  percent: number | null;
  /** Audiobooks only: the file that the position is in, and the seconds in that file. */
  file: string | null;
  file_offset: number | null;
}
/** One of the last places of a Profile in an item of several files. */
export interface PlacesTable {
  profile: string;
  item: string;
  /** When the place was reached first. */
  began: number;
  /** The session that reported it; '' for a report without one. */
  session: string;
  at: number;
  position: number;
  device: string | null;
  file: string | null;
  file_offset: number | null;
}
/** How a Profile listens to an item. Null is the default. */
export interface ListeningTable {
  profile: string;
  item: string;
  speed: number | null;
  skip_back: number | null;
  skip_forward: number | null;
  at: number;
}
/** The files of an item with last places, as they were when the places were computed last. */
export interface LayoutTable {
  item: string;
  /** JSON: a layout of `file-places.ts`. */
  files: string;
}
export interface WatchHistoryTable {
  profile: string;
  item: string;
  session: string;
  at: number;
  position: number;
  watched: number;
  /** When a person removed it. A report after that time shows it again. */
  removed: number | null;
}
/** The owner of an extra: an item or group, and a section of the group. Null if none was found. */
export interface ExtraTable {
  item: string;
  library: string;
  owner: string | null;
  section: string | null;
}
/** An act of an Owner that changed edits, to undo it. */
export interface EditTable {
  id: string;
  at: number;
  /** JSON: the edit of each item before and after. */
  items: string;
}
export interface CatalogTables {
  catalog_library: LibraryTable;
  catalog_folder: FolderTable;
  catalog_file: MediaFileTable;
  catalog_window: WindowTable;
  catalog_loudness: LoudnessTable;
  catalog_info: InfoTable;
  catalog_place: PlaceTable;
  catalog_item: CatalogItemTable;
  catalog_rating: SetRatingTable;
  catalog_gone: GoneTable;
  catalog_counter: CounterTable;
  catalog_watch: WatchTable;
  catalog_history: WatchHistoryTable;
  catalog_extra: ExtraTable;
  catalog_layer: LayerTable;
  catalog_edit: EditTable;
  catalog_places: PlacesTable;
  catalog_listening: ListeningTable;
  catalog_layout: LayoutTable;
}
