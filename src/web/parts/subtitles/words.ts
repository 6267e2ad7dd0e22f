/** Subtitle states in words: providers, matches, sources, reasons. */
import { SUBTITLE_PROVIDERS, type ProviderName } from '../../../contract/subtitles/providers.ts';
import { CallFailed, sentence } from '../../data/client.ts';
import type { Reply } from '../../data/query.ts';
import { facts, languageLabel } from '../../lib/format.ts';
import { subtitlesWords as m } from '../../messages/subtitles.ts';

export type Inventory = Reply<'subtitles', 'inventory'>;
export type InventoryItem = Inventory['items'][number];
export type ItemLanguage = InventoryItem['languages'][number];
export type InventoryProvider = Inventory['providers'][number];
export type FetchResult = Reply<'subtitles', 'fetch'>;

const sourceNames = (): Readonly<Record<string, string>> => ({
  embedded: m.embedded,
  sidecar: m.existingFile,
  edited: m.editedHere,
  imported: m.imported,
  draft: m.draftLabel,
  none: m.none,
});
export const sourceName = (source: string): string =>
  SUBTITLE_PROVIDERS[source as ProviderName]?.title ?? sourceNames()[source] ?? source;

export const matchWords = (): Readonly<Record<NonNullable<ItemLanguage['installed']>['match'], string>> => ({
  verified: m.madeForThisExactFile,
  unverified: m.matchesByNameTimingNot,
  embedded: m.partOfTheFile,
  found: m.alreadyThere,
});
type Unreadable = NonNullable<NonNullable<ItemLanguage['installed']>['unreadable']>;
/** Why a file cannot be read, and what to do about it. */
export const unreadableWords = (): Readonly<Record<Unreadable, string>> => ({
  empty: m.unreadableEmpty,
  'no-cues': m.unreadableNoCues,
  'not-a-subtitle': m.unreadableNotASubtitle,
  damaged: m.unreadableDamaged,
  'too-large': m.unreadableTooLarge,
});
interface ProviderLabel {
  label: string;
  tone: 'good' | 'warn' | 'danger' | 'plain';
}
const providerLabels = (): Readonly<Record<InventoryProvider['state'], ProviderLabel>> => ({
  'not-configured': { label: m.notSetUp, tone: 'plain' },
  untested: { label: m.notTested, tone: 'plain' },
  connected: { label: m.connected, tone: 'good' },
  limited: { label: m.limitReached, tone: 'warn' },
  unavailable: { label: m.notReachable, tone: 'danger' },
});
/** One whose first key is saved and not yet in force is set up: it only waits. */
export const providerLabel = ({
  state,
  restartPending,
}: Pick<InventoryProvider, 'state' | 'restartPending'>): ProviderLabel =>
  restartPending ? { label: m.waitsForARestart, tone: 'warn' } : providerLabels()[state];
const roleNames = (): Readonly<Record<ItemLanguage['role'], string>> => ({
  normal: '',
  forced: m.forcedRole,
  sdh: m.forTheHardOfHearing,
});
export const roleWords = (role: ItemLanguage['role']): string => roleNames()[role];

/** The kinds of subtitles, to choose from. */
export const subtitleKinds = () =>
  (
    [
      ['normal', m.regularKind],
      ['sdh', m.kindForTheHardOfHearing],
      ['forced', m.forcedKind],
    ] as const
  ).map(([value, label]) => ({ value, label }));

/** The file that a request is about: an item, and one of its parts if it is a film in several files. */
export interface SubtitleAddress {
  id: string;
  part?: number | undefined;
}
/** A subtitle by its language and kind. */
export type SubtitleKey = Pick<ItemLanguage, 'language' | 'role'>;
export const subtitleName = ({ language, role }: SubtitleKey): string =>
  facts(languageLabel(language), roleWords(role)).join(', ');
/** The name of a subtitle where there is little room: `English, SDH`. */
export const shortName = (one: SubtitleKey): string =>
  one.role === 'sdh' ? facts(languageLabel(one.language), 'SDH').join(', ') : subtitleName(one);
/** Returns the name of a part of a film, the first one by default; undefined for an item with one file. */
export const partName = (
  part: number | undefined,
  item: Pick<InventoryItem, 'parts'> | undefined,
): string | undefined => {
  const number = part ?? item?.parts?.[0]?.part;
  return number === undefined ? undefined : m.part({ part: number });
};
/** Returns the state of a subtitle of an item, or of a part of it. */
export const stateIn = (
  { languages, parts }: Pick<InventoryItem, 'languages' | 'parts'>,
  { part, ...key }: SubtitleKey & Pick<SubtitleAddress, 'part'>,
): ItemLanguage | undefined =>
  (parts?.find((one) => one.part === part)?.languages ?? languages).find((state) => isSameKind(state, key));
export const isSameKind = (a: SubtitleKey, b: SubtitleKey): boolean => a.language === b.language && a.role === b.role;

/** The server says cue, as files do; these pages say line throughout. */
const inLines = (text: string): string =>
  text.replace(/\b(c)ue(s?)\b/gi, (_, c: string, s: string) => `${c === 'C' ? m.line : 'line'}${s}`);
/** Returns a message of the server as a sentence. */
export const asSentence = (text: string): string =>
  text === '' ? '' : inLines(`${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? '' : '.'}`);

export interface FetchRefusal {
  says: string;
  isSetup: boolean;
  isRestart: boolean;
  isChoice: boolean;
}
/**
 * A failed fetch in words. `isSetup` says that a setting has to be made first, `isRestart` that one was made and
 * waits for a restart, `isChoice` that the providers have subtitles, from which a person may choose one.
 */
export function refusal(error: unknown): FetchRefusal {
  const reason = error instanceof CallFailed ? error.reason : undefined;
  return {
    says: sentence(error),
    isSetup: reason === 'none-configured' || reason === 'no-language-configured',
    isRestart: reason === 'waits-for-restart',
    isChoice: reason === 'none-trusted',
  };
}
export const inventoryTitle = ({ title, year, context }: Pick<InventoryItem, 'title' | 'year' | 'context'>): string =>
  context ? `${title}, ${context}` : year ? `${title} (${year})` : title;
