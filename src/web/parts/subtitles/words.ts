/** Subtitle states in words: providers, matches, sources, reasons. */
import { CallFailed, sentence } from '../../data/client.ts';
import type { Reply } from '../../data/query.ts';

export type Inventory = Reply<'subtitles', 'inventory'>;
export type SubtitleItem = Inventory['items'][number];
export type LanguageState = SubtitleItem['languages'][number];
export type Provider = Inventory['providers'][number];
export type Fetched = Reply<'subtitles', 'fetch'>;

const SOURCES: Readonly<Record<string, string>> = {
  subtitles_a: 'Provider A',
  subtitles_b: 'Provider B',
  subtitles_c: 'Provider C',
  embedded: 'In the file',
  sidecar: 'Beside the file',
  edited: 'Edited here',
  imported: 'A file given here',
  draft: 'A draft made here',
  none: 'Nowhere',
};
export const sourceName = (source: string): string => SOURCES[source] ?? source;

export const MATCH_WORDS: Readonly<Record<NonNullable<LanguageState['installed']>['match'], string>> = {
  verified: 'Made for this very file',
  unverified: 'Fits by its name; its timing was not checked',
  embedded: 'Part of the file',
  found: 'Was there before',
};
export const PROVIDER_WORDS: Readonly<
  Record<Provider['state'], { label: string; tone: 'good' | 'warn' | 'danger' | 'plain' }>
> = {
  'not-configured': { label: 'Not set up', tone: 'plain' },
  untested: { label: 'Not tested', tone: 'plain' },
  connected: { label: 'Connected', tone: 'good' },
  limited: { label: 'Limit reached', tone: 'warn' },
  unavailable: { label: 'Not reachable', tone: 'danger' },
};
const ROLES: Readonly<Record<LanguageState['role'], string>> = {
  normal: '',
  forced: 'forced',
  sdh: 'for the hard of hearing',
};
export const roleWords = (role: LanguageState['role']): string => ROLES[role];

/** The server says cue, as files do; these pages say line throughout. */
const inLines = (text: string): string =>
  text.replace(/\b(c)ue(s?)\b/gi, (_, c: string, s: string) => `${c === 'C' ? 'Line' : 'line'}${s}`);
/** Fragments of the server as sentences of their own. */
export const asSentence = (text: string): string =>
  text === '' ? '' : inLines(`${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? '' : '.'}`);

/** A failed fetch in words. `isSetup` says that a setting has to be made first. */
export function refusal(error: unknown): { says: string; isSetup: boolean } {
  const reason = error instanceof CallFailed ? (error.members.reason ?? '') : '';
  return {
    says: sentence(error),
    isSetup:
      /config|language/.test(reason) ||
      (error instanceof CallFailed && error.status === 503 && /configured/.test(error.message)),
  };
}
export const titleOf = ({ title, year, context }: Pick<SubtitleItem, 'title' | 'year' | 'context'>): string =>
  context ? `${title}, ${context}` : year ? `${title} (${year})` : title;
