/** The guess that is made from the path of a file, and how certain it is. */
import type { PlacementClueText } from '../../contract/catalog/clues.ts';
import type { ExtraType } from '../../contract/catalog/extras.ts';
import type { Release } from '../../lib/release-name.ts';

/** Ids of metadata services that a name or an NFO states: `tt0123456`, `603`. */
export interface ExternalIds {
  imdb?: string;
  tmdb?: string;
  tvdb?: string;
}

/** Place of an extra, by which its owner is found. Folders are paths below the root of the library. */
export interface ExtraPlace {
  folder: string;
  /** The folder of the film, show, season or episode that it belongs to. */
  home: string;
  /** The name before the mark, of an extra that is next to the videos of its home: `Film` for `Film-trailer.mkv`. */
  beside?: string;
  /** The season that a folder between the home and the extra names. */
  season?: number;
}

/** Content of a folder that holds many works: `TV`, `Movies 4K`. */
export type CollectionContent = 'shows' | 'films';

export interface GuessInput {
  /** The kind of the library. */
  kind: 'movies' | 'shows' | 'mixed';
  /** Content of the folder at the top of the path, in a library of several kinds: `TV/…`. */
  collection?: CollectionContent | undefined;
  /** The path below the library's root, with slashes. */
  path: string;
  /**
   * Names of all files in the same folder, including this one. Pass the same array for every file of a folder: facts
   * about the folder are then computed once. It must not change afterwards.
   */
  siblings: readonly string[];
}

export interface Guess {
  kind: 'movie' | 'episode' | 'extra' | 'sample' | 'unplaced';
  /** Title of the film or extra; of an episode its own title, or that of the show if it has none. */
  title: string;
  sortTitle: string;
  year?: number;
  edition?: string;
  /** The name of this version of the film: `1080p`, `Director's Cut`. */
  version?: string;
  /** 1 for the first of the files that make up one film or episode. */
  part?: number;
  ids: ExternalIds;
  /** `folder` is the show's folder below the library's root; absent if its episodes are among others. */
  show?: { title: string; sortTitle: string; year?: number; ids: ExternalIds; folder?: string };
  /** The name before the numbers of an episode. */
  lead?: { title: string; year?: number };
  season?: number;
  episode?: number;
  episodeEnd?: number;
  /** Number over all seasons, as fansub groups count. */
  absolute?: number;
  /** Identifies a special that no season counts: `ova 1`, `10.5`. */
  special?: string;
  /** Date of the first showing: `2011-11-15`. */
  date?: string;
  episodeTitle?: string;
  extra?: ExtraType;
  extraPlace?: ExtraPlace;
  release: Pick<
    Release,
    | 'resolution'
    | 'source'
    | 'codec'
    | 'bitDepth'
    | 'hdr'
    | 'audio'
    | 'channels'
    | 'group'
    | 'service'
    | 'edition'
    | 'threeD'
    | 'languages'
    | 'flags'
  >;
  /** 0 to 1. Below 0.5 a person should check it. */
  confidence: number;
  /** Reasons: short sentences in plain words, without names from the path. */
  evidence: PlacementClueText[];
  /** Why the file could not be placed. */
  reason?: PlacementClueText;
  /** False for a file that another one is listed for, such as all but one of a disc copied as a folder. */
  isListed?: boolean;
  /** Equal for files that are versions or parts of one film or episode; an extra has that of its item. */
  folderKey: string;
}

/** A special is shown before this episode of a season; without one, after the season. */
export interface AirsPlace {
  season: number;
  before?: number;
}
