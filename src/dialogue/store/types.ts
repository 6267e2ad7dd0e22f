/** Requests to the thread of the dialogue index, and its replies. Plain data. */
import type { FollowedPosition } from '../../catalog/index.ts';
import type { FoundLine, Line } from '../lines.ts';

/** Whether the lines of an item are spoken or sung. */
export type DialogueSource = 'subtitles' | 'lyrics';

/** An item in the index. */
export interface IndexedItem {
  /** Its number in the index: rows of items with higher numbers come later. */
  number: number;
  id: string;
  source: DialogueSource;
  /** Changes when its texts do. */
  signature: string;
}

/** A text of an item as it was read. */
export interface ReadText {
  /** BCP 47 tag, if it is known. */
  language?: string | undefined;
  /** Version that the times belong to. */
  version?: string | undefined;
  /** Milliseconds before the part of the film that the text belongs to. */
  offset?: number;
  content: { bytes: Uint8Array; extension: string } | { lines: readonly Line[] };
}

/** How far the index has followed the catalogue. */
export interface IndexCursor {
  films: FollowedPosition;
  tracks: FollowedPosition;
  /** The last deletion that was looked at. */
  gone: number;
}

export interface DialogueQuestion {
  q: string;
  source: DialogueSource;
  /** Only lines in this language. */
  language?: string | undefined;
  /** Numbers of the items that may be found, as a bit set. */
  visible: Uint8Array;
  after?: { stage: 'phrase' | 'near'; item: number } | undefined;
  limit: number;
}

export interface DialogueMatch {
  item: number;
  lines: (FoundLine & { language?: string; version?: string })[];
  /** Whether the item has more lines with these words. */
  hasMore: boolean;
}

export interface DialogueMatches {
  items: DialogueMatch[];
  /** Position of the next page. */
  next?: { stage: 'phrase' | 'near'; item: number };
}

export type DialogueRequest =
  | { is: 'open' }
  | { is: 'put'; item: Omit<IndexedItem, 'number'>; texts: readonly ReadText[] }
  | { is: 'follow'; removed: readonly string[]; cursor: IndexCursor }
  | { is: 'find'; question: DialogueQuestion };

export interface DialogueReplies {
  open: { items: IndexedItem[]; cursor: IndexCursor };
  put: { number: number; lines: number };
  follow: Record<string, never>;
  find: DialogueMatches;
}
