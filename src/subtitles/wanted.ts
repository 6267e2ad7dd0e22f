/**
 * The subtitles that are wanted, by library: the language of `subtitles.language` first, then those of
 * `subtitles.wanted`. A library that has entries of its own there wants exactly these.
 */
import type { CatalogBackground } from '../catalog/index.ts';
import type { Config } from '../config/index.ts';
import type { WantedSubtitle } from '../contract/subtitles/library.ts';
import { isSameSubtitle } from './inventory/coverage.ts';

export interface WantedList {
  /** Returns the language of requests that name none, for which files without a language count. */
  first(): string | undefined;
  /** Returns what is wanted in a library, in order of preference. */
  in(library: string): readonly WantedSubtitle[];
  /** Returns what is wanted in any library: the general list first, then what single libraries add. */
  all(): readonly WantedSubtitle[];
}

export interface WantedNeeds {
  config: Pick<Config, 'get'>;
  catalog: Pick<CatalogBackground, 'libraries'>;
}

export function createWanted({ config, catalog }: WantedNeeds): WantedList {
  const entries = () => config.get('subtitles.wanted') ?? [];
  const general = (): WantedSubtitle[] => {
    const language = config.get('subtitles.language');
    return distinct([
      ...(language === undefined ? [] : [{ language, role: 'normal' as const }]),
      ...entries().flatMap((one) => (one.library === undefined ? subtitleOf(one) : [])),
    ]);
  };
  const wantedIn = (id: string): WantedSubtitle[] => {
    const name = catalog.libraries().find((library) => library.id === id)?.name;
    const own = entries().filter(({ library }) => library !== undefined && (library === id || library === name));
    return own.length === 0 ? general() : distinct(own.flatMap(subtitleOf));
  };
  return {
    first: () => general()[0]?.language,
    in: wantedIn,
    all: () => distinct([...general(), ...catalog.libraries().flatMap(({ id }) => wantedIn(id))]),
  };
}

/** Returns the languages of a list, each once. */
export const distinctLanguages = (wanted: readonly WantedSubtitle[]): string[] => [
  ...new Set(wanted.map(({ language }) => language)),
];

/** Returns what a list wants of a language. A language that it does not have is wanted as regular text. */
export function wantedOf(wanted: readonly WantedSubtitle[], language: string): readonly WantedSubtitle[] {
  const own = wanted.filter((one) => one.language === language);
  return own.length === 0 ? [{ language, role: 'normal' }] : own;
}

/** Returns the subtitle that an entry names: none where it only says that its library wants nothing. */
const subtitleOf = ({ language, kind = 'normal' }: { language?: string; kind?: WantedSubtitle['role'] }) =>
  language === undefined ? [] : [{ language, role: kind }];

const distinct = (all: readonly WantedSubtitle[]): WantedSubtitle[] =>
  all.filter((one, at) => all.findIndex((other) => isSameSubtitle(one, other)) === at);
