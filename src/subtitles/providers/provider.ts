/**
 * What a subtitle provider is: the shapes that every provider answers in, and the ways in which one may fail.
 *
 * One file a provider; all of them pass `test/conformance/provider.ts`. A provider translates a wire format and
 * judges nothing: which candidate is good is decided in `subtitles/choosing`. Everything that comes from outside is
 * hostile until it was checked: text is bounded, numbers are ranged, addresses stay on the provider's own hosts.
 */

import type { ProviderName } from '../../contract/subtitles/library.ts';

export type { ProviderName };

/** The ids by which films, shows and episodes are known elsewhere. `imdb` is `tt` and at least seven digits. */
export interface KnownIds {
  imdb?: string;
  tmdb?: number;
}

/** What is wanted: one subtitle, in one language, for one video. Unknown is left out, never guessed. */
export interface Ask {
  kind: 'movie' | 'episode';
  /** The film's title; for an episode the show's. */
  title: string;
  otherTitles?: readonly string[];
  /** The film's year; for an episode the year in which its show began. */
  year?: number;
  /** The ids of this film, or of this very episode. */
  ids?: KnownIds;
  /** The ids of the show that the episode belongs to. */
  showIds?: KnownIds;
  season?: number;
  /** For a file with several episodes: the first. */
  episode?: number;
  /** For a file with several episodes: the last. */
  episodeEnd?: number;
  /** A lowercase BCP 47 tag: `en`, `pt-br`. */
  language: string;
  /** The video's name without a folder, extension included. */
  fileName: string;
  /** OSHash of the video: 16 lowercase hex characters. */
  hash?: string;
  /** Bytes. */
  size?: number;
  /** Frames a second. */
  fps?: number;
  /** Seconds. */
  duration?: number;
  /** Only the lines of foreign speech are wanted. */
  forced?: boolean;
  /** What people prefer; it never rejects. Left out: plain subtitles are preferred. */
  hearingImpaired?: 'prefer' | 'avoid' | 'any';
  /** People asked for machine translations too. */
  machineTranslated?: boolean;
}

/** A subtitle that a provider offers, with all that choosing needs to know. Unknown is left out. */
export interface Candidate {
  provider: ProviderName;
  /** The provider's own id of this subtitle, as text. */
  id: string;
  /** A lowercase BCP 47 tag. */
  language: string;
  /** Names of the releases that it was made for; may be empty. At most 20, at most 256 characters each. */
  releases: readonly string[];
  title?: string;
  year?: number;
  ids?: KnownIds;
  showIds?: KnownIds;
  season?: number;
  episode?: number;
  /** The last episode, when one file covers several. */
  episodeEnd?: number;
  /** An archive with a season in it. */
  pack: boolean;
  hearingImpaired?: boolean;
  /** Only the lines of foreign speech. */
  forced?: boolean;
  machineTranslated?: boolean;
  /** The provider vouches for the uploader. */
  trusted?: boolean;
  fps?: number;
  /** The provider says that its hash of the video is ours. Evidence, not proof. */
  hashMatch?: boolean;
  uploader?: string;
  downloads?: number;
  /** What the provider needs in order to download it. Without a secret: it may be stored and shown in a log. */
  file: string;
}

export interface Downloaded {
  /** One subtitle as it was delivered, at most `MOST_SUBTITLE` bytes, in whatever encoding. */
  bytes: Uint8Array;
  /** A bare file name without a folder; a hint of the format and nothing more. */
  name: string;
  /** The subtitle was the one chosen among so many in an archive. */
  archive?: { subtitles: number };
}

export interface Health {
  state: 'not-configured' | 'untested' | 'connected' | 'limited' | 'unavailable';
  /** Downloads left before `resetAt`. */
  remaining?: number;
  /** Milliseconds since the epoch. */
  resetAt?: number;
  /** A plain sentence fragment without an address or a secret. */
  lastError?: string;
  fault?: FaultKind;
}

export interface Provider {
  readonly name: ProviderName;
  /** Its terms want every file kept byte for byte as it was delivered: no clean-up, shift or edit in place. */
  readonly asDelivered: boolean;
  configured(): boolean;
  /** Offers in the provider's own order, bounded; nothing found is an empty list. Throws `ProviderFault`. */
  search(ask: Ask, signal: AbortSignal): Promise<Candidate[]>;
  /** Costs quota. Throws `ProviderFault`. */
  download(candidate: Candidate, ask: Ask, signal: AbortSignal): Promise<Downloaded>;
  /** Tries the credentials without costing quota. Never throws but for a cancelled signal. */
  health(signal: AbortSignal): Promise<Health>;
}

/**
 * How a provider may fail. What follows from each is said in `choosing/back-off.ts`.
 * - `bad-credentials`: the key, name or password is refused. Nothing else may be called so.
 * - `quota`: the day's allowance is used up; `rate-limited`: too fast.
 * - `not-found`: this subtitle does not exist there; `gone`: its link expired.
 * - `payment-required`: the account's plan does not include it.
 * - `unavailable`: silent, broken or not understood. `hostile`: an answer that must not be used.
 */
export type FaultKind =
  | 'bad-credentials'
  | 'quota'
  | 'rate-limited'
  | 'not-found'
  | 'gone'
  | 'payment-required'
  | 'unavailable'
  | 'hostile';

export interface FaultFacts {
  /** Milliseconds since the epoch at which the provider says that it works again. */
  resetAt?: number;
  /** Seconds to wait, when the provider says so. */
  retryAfter?: number;
  /** SHA-256 of what was delivered, when that is what is wrong. */
  content?: string;
}

/** A provider's failure as a value with a kind. The message is ours: nothing of the answer is echoed in it. */
export class ProviderFault extends Error {
  readonly kind: FaultKind;
  readonly resetAt: number | undefined;
  readonly retryAfter: number | undefined;
  readonly content: string | undefined;

  constructor(kind: FaultKind, message: string, facts: FaultFacts = {}) {
    super(message);
    this.name = 'ProviderFault';
    this.kind = kind;
    this.resetAt = facts.resetAt;
    this.retryAfter = facts.retryAfter;
    this.content = facts.content;
  }
}

/** A small persisted place for what a provider must remember over a restart (a login token). Kept as a secret. */
export interface ProviderMemory {
  read(name: ProviderName): Promise<string | undefined>;
  write(name: ProviderName, value: string): Promise<void>;
  forget(name: ProviderName): Promise<void>;
}

/** Bytes of one subtitle, of one archive and of one JSON answer. */
export const MOST_SUBTITLE = 4 * 1024 * 1024;
export const MOST_ARCHIVE = 10 * 1024 * 1024;
export const MOST_JSON = 2 * 1024 * 1024;
/** Milliseconds for one call, and for one search of all providers. */
export const CALL_TIMEOUT = 15_000;
/** Offers that one provider may bring into the choice. */
export const MOST_OFFERS = 3;
