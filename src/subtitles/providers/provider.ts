/**
 * The interface of subtitle providers: queries, candidates, and the ways in which a provider can fail.
 *
 * Each provider is one file, and all of them pass `test/conformance/provider.ts`. A provider translates a wire format
 * and judges nothing: `subtitles/choosing` decides which candidate is good. Everything from outside is checked first:
 * text is bounded, numbers are in range, and addresses are on the provider's own hosts.
 */

import type { ProviderFaultKind } from '../../contract/subtitles/missing-reasons.ts';
import type { ProviderName } from '../../contract/subtitles/providers.ts';

export type { ProviderName };

/** Ids of films, shows and episodes in public databases. `imdb` is `tt` and at least seven digits. */
export interface KnownIds {
  imdb?: string;
  tmdb?: number;
}

/** A query for one subtitle in one language for one video. Unknown facts are left out, never guessed. */
export interface ProviderQuery {
  kind: 'movie' | 'episode';
  /** The film's title; for an episode the show's. */
  title: string;
  otherTitles?: readonly string[];
  /** The film's year; for an episode the year in which its show began. */
  year?: number;
  /** Ids of this film or episode. */
  ids?: KnownIds;
  /** Ids of the show that the episode belongs to. */
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
  /** The part of the film that the video is, if the film is in several files. */
  part?: PartOfQuery;
  /** Whether only the lines of foreign speech are wanted. */
  forced?: boolean;
  /** A preference, or `only` if a text without sounds and speakers will not do. Default: `avoid`. */
  hearingImpaired?: 'only' | 'prefer' | 'avoid' | 'any';
  /** Whether machine translations are accepted too. */
  machineTranslated?: boolean;
}

/** One of several files of a film. */
export interface PartOfQuery {
  /** Number of the part, from 1, and how many there are. */
  number: number;
  of: number;
  /** Seconds of the film before it. Missing if the length of a part before it is not known. */
  start?: number;
}

/** A subtitle that a provider offers, with everything needed to choose. Unknown facts are left out. */
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
  /** Whether it is an archive of several episodes. */
  pack: boolean;
  hearingImpaired?: boolean;
  /** Whether it has only the lines of foreign speech. */
  forced?: boolean;
  machineTranslated?: boolean;
  /** Whether the provider trusts the uploader. */
  trusted?: boolean;
  fps?: number;
  /** Whether the provider says that its hash of the video equals ours. Evidence, not proof. */
  hashMatch?: boolean;
  uploader?: string;
  downloads?: number;
  /** Data that the provider needs to download it. Contains no secret: it may be stored and logged. */
  file: string;
}

export interface DownloadedFile {
  /** One subtitle as delivered, at most `MAX_SUBTITLE_BYTES` bytes, in any encoding. */
  bytes: Uint8Array;
  /** A file name without a folder; only a hint of the format. */
  name: string;
  /** Number of subtitles in the archive from which it was extracted. */
  archive?: { subtitles: number };
}

export interface ProviderHealth {
  state: 'not-configured' | 'untested' | 'connected' | 'limited' | 'unavailable';
  /** Downloads left before `resetAt`. */
  remaining?: number;
  /** Milliseconds since the epoch. */
  resetAt?: number;
  /** Sentence fragment for users, without an address or a secret. */
  lastError?: string;
  fault?: FaultKind;
}

export interface SubtitleProvider {
  readonly name: ProviderName;
  /** Whether the provider's terms require files to stay exactly as delivered: no clean-up, shift or edit. */
  readonly asDelivered: boolean;
  configured(): boolean;
  /**
   * Returns candidates in the provider's own order, limited in number; an empty list if nothing was found. Throws
   * `ProviderFault`.
   */
  search(ask: ProviderQuery, signal: AbortSignal): Promise<Candidate[]>;
  /** Downloads a candidate, which costs quota. Throws `ProviderFault`. */
  download(candidate: Candidate, ask: ProviderQuery, signal: AbortSignal): Promise<DownloadedFile>;
  /** Tests the credentials without costing quota. Throws only for a cancelled signal. */
  health(signal: AbortSignal): Promise<ProviderHealth>;
}

/**
 * Kinds of provider faults. `choosing/back-off.ts` decides what follows from each.
 *
 * - `bad-credentials`: the key, name or password is refused. Used for nothing else.
 * - `quota`: the day's allowance is used up; `rate-limited`: too many calls.
 * - `not-found`: the provider does not have this subtitle; `gone`: its link expired.
 * - `payment-required`: the account's plan does not include it.
 * - `unavailable`: no reply, or one that is broken or not understood. `hostile`: a reply that must not be used.
 */
export type FaultKind = ProviderFaultKind;

export interface FaultFacts {
  /** Time in milliseconds since the epoch when the provider says that it works again. */
  resetAt?: number;
  /** Seconds to wait, when the provider says so. */
  retryAfter?: number;
  /** SHA-256 of the delivered bytes, if they are at fault. */
  content?: string;
}

/** A provider's failure with its kind. The message contains nothing of the provider's reply. */
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

/** Persistent storage for what a provider remembers across restarts, such as a login token. Stored as a secret. */
export interface ProviderMemory {
  read(name: ProviderName): Promise<string | undefined>;
  write(name: ProviderName, value: string): Promise<void>;
  forget(name: ProviderName): Promise<void>;
}

/** Maximum bytes of a subtitle, an archive and a JSON reply. */
export const MAX_SUBTITLE_BYTES = 4 * 1024 * 1024;
export const MAX_ARCHIVE_BYTES = 10 * 1024 * 1024;
export const MAX_REPLY_BYTES = 2 * 1024 * 1024;
/** Time limit of a call, and of a search of all providers. */
export const CALL_TIMEOUT_MS = 15_000;
/** Maximum number of candidates of one provider that are considered. */
export const MAX_OFFERS_PER_PROVIDER = 3;
