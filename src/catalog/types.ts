/** Types that the catalogue shares with the domains above it. */
import type { Card } from '../contract/catalog/cards.ts';
import type { MatchCandidate } from '../contract/catalog/candidates.ts';
import type { AudiobookSeries } from '../contract/catalog/audiobooks.ts';
import type { Artist, Track } from '../contract/catalog/music.ts';
import type { Extra, TrailerPage } from '../contract/catalog/extras.ts';
import type { Item, Pages } from '../contract/catalog/items.ts';
import type { LibraryOptions } from '../config/index.ts';
import type { LibraryKind } from '../contract/catalog/kinds.ts';
import type { Root } from '../lib/files.ts';
import type { FollowedItem } from './core/followed-changes.ts';
import type { ItemRatings } from './core/item-ratings.ts';
import type { BackgroundLayers } from './core/layers.ts';
import type { IndexPage, IndexQuery, RuleMatches, RuleQuestion, SubtitledItems } from './core/library-index/types.ts';
import type { MetadataEdits } from './core/metadata-edits.ts';
import type { AudioGain, MediaInfo } from './probe/types.ts';
import type { CatalogWork, GroupOutline } from './store/reading.ts';

/** A part of the sound of a file, in seconds. One without an end ends with the file. */
export interface PlayableWindow {
  start: number;
  end?: number;
  /** The stream in the file and its codec. `info` has those of the part as it is cut out. */
  stream: number;
  codec: string;
}

/** A file that can be opened, for the domains that read bytes. It never leaves the server. */
export interface PlayableFile {
  /** The id of the version. */
  id: string;
  item: string;
  library: string;
  /** Absolute path of the library's root, and the path below it. */
  root: string;
  relative: string;
  size: number;
  modifiedMs: number;
  part: number;
  /** That of the window, if the item is one. */
  info: MediaInfo | undefined;
  /** The part of the file that the item is; undefined for the whole file. */
  window?: PlayableWindow | undefined;
  available: boolean;
}

/** A track with what is known of its loudness. */
export interface TrackToMeasure {
  item: string;
  file: PlayableFile;
  /** Gains that the tags state. */
  stated: AudioGain;
  /** Result of measuring the same bytes before. Members that are undefined are unknown. */
  measured: AudioGain | undefined;
}
export interface TrackLoudness {
  /**
   * Returns some albums, by their ids after `after`, with a track that was not measured in its present state. Those of
   * libraries that are away are due when these are back.
   */
  due(after: string, most: number): Promise<string[]>;
  /** Returns the tracks of an album. Those whose library is away are not available. */
  tracks(album: string): Promise<TrackToMeasure[]>;
  /** Stores what was measured, if the tracks are still the same. */
  put(results: readonly { track: TrackToMeasure; gain: AudioGain }[]): Promise<void>;
}

/** A sidecar next to a video, as the last scan saw it. */
export interface Sidecar {
  /** Path relative to the library's root. */
  relative: string;
  name: string;
  language: string | undefined;
  role: 'normal' | 'forced' | 'sdh';
  format: string;
  title: string | undefined;
  isHidden: boolean;
  /** Whether it was found to hold no subtitle, so that players are not offered it. Missing if it was not looked up. */
  isUnreadable?: boolean;
  isDefault: boolean;
  size: number;
  modifiedMs: number;
  /** The version that it belongs to, and the part of it. */
  version: string;
  part: number;
}

/** A version of a sidecar that was found to hold no subtitle. */
export type UnreadableSidecar = Pick<Sidecar, 'relative' | 'size' | 'modifiedMs'>;
/** Facts about sidecars, which the domain that reads them supplies. */
export interface SidecarFacts {
  /** Returns the items that have subtitles. The sets stay the same objects until the items change. */
  subtitled(): Promise<SubtitledItems>;
  /** Returns the sidecars of an item that hold no subtitle. */
  unreadable(item: string): Promise<readonly UnreadableSidecar[]>;
}

/** An edit decision list (`Film.edl`) next to a file, as the last scan saw it. */
export interface EditList {
  /** Path relative to the library's root. */
  relative: string;
  size: number;
  modifiedMs: number;
  /** Version and part that it belongs to. */
  version: string;
  part: number;
}

/** A film, an episode or an extra with its files. Work in the background sees films and episodes only. */
export interface Subject {
  id: string;
  library: string;
  kind: 'movie' | 'episode';
  title: string;
  year: number | undefined;
  show: { id: string; title: string; year: number | undefined; ids: Record<string, string> } | undefined;
  season: number | undefined;
  episode: number | undefined;
  episodeEnd: number | undefined;
  ids: Record<string, string>;
  added: number;
  available: boolean;
  files: PlayableFile[];
  sidecars: Sidecar[];
  editLists: EditList[];
  /** Grows with every change of any item: the cursor of `changedSince`. */
  change: number;
  gone: boolean;
}

/** The catalogue as one Profile may see it. Everything that a Profile is shown comes from here. */
export interface VisibleCatalog {
  library(query: LibraryQuery): Promise<LibraryReply>;
  /** Returns the same as JSON, checked against the contract. */
  libraryJson(query: LibraryQuery): Promise<string>;
  /** Playing: lengths, the watch history of the Profile, the next items of its groups, and those that match a rule. */
  watched: {
    /** Returns the seconds of an item, null if they are unknown; undefined for groups and for invisible items. */
    duration(id: string): number | null | undefined;
    /** Returns items, with those that the Profile may see in place of each group. Undefined if one is invisible. */
    itemsOf(ids: readonly string[]): string[] | undefined;
    /** Whether a start on another device does not replace the place in an item at once. */
    isPlaceKept(id: string): boolean;
    history(query: { limit: number; cursor?: string | undefined }): Promise<HistoryReply>;
    /** Returns items that match a rule, in its order. */
    matching(question: RuleQuestion): Promise<RuleMatches>;
    /**
     * Returns the next episode of each show that was watched recently, the latest first. Shows with an episode in
     * progress are left out.
     */
    nextUp(limit: number, options?: { isRewatch?: boolean }): Promise<{ items: Card[]; total: number }>;
    /** Returns the group of an item; undefined without one, and for invisible items. */
    groupOf(id: string): string | undefined;
  };
  recent(query: RecentQuery): Promise<{ items: Card[]; total: number }>;
  /** Returns the page of an item or group that is in this collection of the API. */
  page<C extends keyof Pages>(collection: C, id: string): Promise<Pages[C] | undefined>;
  /** Returns the page of an item. */
  item(id: string): Promise<Item | undefined>;
  /** Trailers and other extras. They are played as items are, by their ids, but are neither watched nor listed. */
  extras: {
    /** Returns whether this is the id of an extra that may be seen. */
    isExtra(id: string): boolean;
    /** Returns the extras of an item, group or section; undefined if that may not be seen. */
    of(id: string): Promise<Extra[] | undefined>;
    /** Returns the trailers of an item that are on the internet; none if it may not be seen. */
    trailers(id: string): Promise<TrailerPage[]>;
  };
  cards(ids: readonly string[]): Promise<Card[]>;
  /** Returns where a picture is: an image file in a library, or a frame of a video. */
  picture(id: string, kind: 'poster' | 'backdrop' | 'thumb' | 'logo'): Promise<ArtworkSource | undefined>;
  /** Returns the file to play: that of the version, or that of the best one. */
  file(id: string, version?: string, part?: number): Promise<PlayableFile | undefined>;
  subject(id: string): Promise<Subject | undefined>;
  isSeen(id: string): boolean;
}
/** A part of a list by its place. */
export interface ListPart {
  offset: number;
  limit: number;
}
/** Artists, series of audiobooks, lyrics and queues, as one Profile may see them. */
export interface VisibleMusic {
  artists(
    query: ListPart & { q?: string | undefined; role: 'all' | 'album' },
  ): Promise<{ items: Artist[]; total: number }>;
  /** Returns a series of audiobooks with its volumes; undefined if the Profile may see none of them. */
  audiobookSeries(id: string): Promise<AudiobookSeries | undefined>;
  artist(id: string): Promise<ShownArtist | undefined>;
  /** Returns a picture in the folder of an artist, null if there is none; undefined if there is no such artist. */
  artistPicture(id: string, kind: 'poster' | 'backdrop'): Promise<ArtworkSource | null | undefined>;
  /** Returns a page of an artist's tracks, those of own albums first; undefined for anything else. */
  artistTracks(id: string, page: ListPart): Promise<{ items: Track[]; total: number } | undefined>;
  /** Returns a track and those after it on its album; undefined for anything else. */
  queue(id: string): Promise<Track[] | undefined>;
  /** Returns the lyrics of a track, undefined if it has none; `no-item` for anything that is no visible track. */
  lyrics(id: string, signal: AbortSignal): Promise<FoundLyrics | 'no-item' | undefined>;
}
/** An artist with albums, and what the folder of the artist says. */
export interface ShownArtist {
  id: string;
  name: string;
  images: Artist['images'];
  biography?: string;
  /** The person of this name in other works. */
  person?: { id: string; image?: string | undefined; works: number };
  albums: Card[];
  appearsOn: Card[];
}
export interface FoundLyrics {
  source: 'file' | 'embedded';
  synced: boolean;
  language?: string;
  lines: { start?: number; text: string }[];
}
interface WithPersonal {
  /** `false` leaves out photos and clips of the household. */
  personal?: 'true' | 'false' | undefined;
}
export interface RecentQuery extends WithPersonal {
  library?: string | undefined;
  limit: number;
}
type SetByListing = 'kinds' | 'only' | 'except' | 'personal' | 'parent' | 'after' | 'texts' | 'textsVersion';
export interface LibraryQuery extends Omit<IndexQuery, SetByListing | 'sort' | 'order' | 'offset'>, WithPersonal {
  /** The list that cursors belong to, if it is not the library itself. */
  list?: 'library' | 'shows' | 'albums';
  view: string;
  offset?: number | undefined;
  cursor?: string | undefined;
  sort?: IndexQuery['sort'] | undefined;
  order?: IndexQuery['order'] | undefined;
}
export interface LibraryReply extends Omit<IndexPage, 'ids' | 'slots' | 'version' | 'offset' | 'last'> {
  items: Card[];
  nextCursor?: string;
}
export interface HistoryReply {
  items: { id: string; item: Card; at: string; position: number; watched: boolean }[];
  total: number;
  nextCursor?: string;
}
export interface ArtworkSource {
  root: string;
  relative: string;
  size: number;
  modifiedMs: number;
  /** Position in seconds if the picture is a frame of a video. */
  frameAt: number | undefined;
  /** Whether it is a photo itself, which is made for the screen as large as that is. */
  isPhoto?: boolean;
  /** Number of the stream if the picture is inside a file of sound. */
  stream?: number;
  /** Name of the entry if the picture is inside that file. */
  entry?: string | undefined;
  /** Changes with the picture. */
  version: string;
}

export interface LibraryState {
  id: string;
  name: string;
  kind: LibraryKind;
  path: string;
  items: number;
  isOnline: boolean;
  isWatching: boolean;
  lastScanAt: number | undefined;
  options: LibraryOptions;
}

/** A file that a scan could not identify or read, and why. */
export interface UnplacedEntry {
  id: string;
  library: string;
  /** Path relative to the library's root, with a slash at the end if it is a folder that cannot be read. */
  file: string;
  reason: string;
  evidence: string[];
  seenAt: number;
  /** The film or show, if the file is shown but no work of the metadata provider is certain to be it. */
  item?: string;
  title?: string;
  candidates?: MatchCandidate[];
}

/**
 * The catalogue without a filter, for work in the background, from which no reply is made, and for operations that
 * only an Owner may call. `app.ts` hands it to the modules that `test/architecture/policy.ts` lists.
 */
export interface CatalogBackground {
  /** Returns films and episodes that changed after `change`, of all libraries or one, the oldest change first. */
  changedSince(change: number, most: number, library?: string): Promise<Subject[]>;
  /** Returns the ids that were deleted after `change`. */
  goneSince(change: number, most: number): Promise<{ id: string; change: number }[]>;
  /** Returns a film or an episode. */
  subject(id: string): Promise<Subject | undefined>;
  /** Returns the ids of a show's episodes, one list for each season; none if there is no such show. */
  seasons(show: string): Promise<string[][]>;
  /** Yields films and shows, present or not, some at a time. */
  works(): AsyncIterable<CatalogWork[]>;
  work(id: string): Promise<CatalogWork | undefined>;
  /** Returns the seasons and episodes of a show. */
  outline(show: string): Promise<GroupOutline>;
  /** Returns every configured library, with the number of its films and shows. */
  libraries(): LibraryState[];
  /** Whether a library is configured and can be reached. */
  isOnline(library: string): boolean;
  /** Returns the options of a library. */
  optionsOf(library: string): LibraryOptions;
  /** Returns an open folder of a library, by its path. */
  root(path: string): Promise<Root>;
  /** Reads the folders of items again after sidecars were written or removed there, each folder once. */
  sidecarsChanged(...ids: string[]): Promise<void>;
  lyrics: BackgroundLyrics;
  /** Facts about items by their source. Metadata services write their layers here. */
  layers: BackgroundLayers;
  /** Loudness of tracks, for the task that measures it. */
  loudness: TrackLoudness;
}

/** Lyrics of all tracks, for work in the background. */
export interface BackgroundLyrics {
  /**
   * Returns tracks that changed after `change`, of all libraries or one, the oldest change first. A track changes with
   * the files of lyrics next to it.
   */
  changedSince(change: number, most: number, library?: string): Promise<FollowedItem[]>;
  of(id: string, signal: AbortSignal): Promise<FoundLyrics | undefined>;
}

/** Operations of the Owner's pages. */
export interface CatalogAdmin {
  /** Ratings by age: their meaning, those set by hand, and what a policy shows. */
  ratings: Omit<ItemRatings, 'open'>;
  /** Edits of metadata and pictures by hand. */
  edits: MetadataEdits;
  libraries: CatalogBackground['libraries'];
  /** Loads the configured libraries again after their list changed. */
  reload(): Promise<void>;
  /**
   * Stores the name that a library is about to have in the list, so that it is recognised if its folder changes too.
   */
  rename(id: string, name: string): Promise<void>;
  /** Returns files that could not be identified or read. */
  unplaced(query: UnplacedQuery): Promise<{ items: UnplacedEntry[]; total: number; nextCursor?: string }>;
}
export interface UnplacedQuery {
  library?: string | undefined;
  offset?: number | undefined;
  cursor?: string | undefined;
  limit: number;
}
