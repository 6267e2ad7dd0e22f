/**
 * The subtitles that are wanted, by library: the language of `subtitles.language` first, then those of
 * `subtitles.wanted`. The entries of a library replace those of the server.
 */
import type { CatalogBackground } from '../catalog/index.ts';
import type { Config, WantedSubtitleSetting } from '../config/index.ts';
import type { WantedSubtitle } from '../contract/subtitles/states.ts';
import type { WantedSubtitles } from '../contract/subtitles/wanted.ts';
import { Failure } from '../lib/failure.ts';
import { HOLDS_VIDEO, isSameSubtitle } from './inventory/coverage.ts';

export interface WantedSource {
  /** Returns the language of requests that name none, for which files without a language count. */
  first(): string | undefined;
  /** Returns what is wanted in a library, in order of preference. */
  in(library: string): readonly WantedSubtitle[];
  /** Returns what is wanted in any library: the general list first, then what single libraries add. */
  all(): readonly WantedSubtitle[];
}

export interface WantedList extends WantedSource {
  /** Returns the general list, and that of each library with films or shows. */
  list(): WantedSubtitles;
  /** Changes the general list or that of a library. Throws `Failure('missing')` if there is no such library. */
  save(change: {
    library?: string | undefined;
    wants?: readonly WantedSubtitle[] | undefined;
  }): Promise<WantedSubtitles>;
}

export interface WantedNeeds {
  config: Pick<Config, 'get' | 'change' | 'all'>;
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
  const wantsOf = (library: LibraryName | undefined): WantedSubtitle[] => {
    const own = library ? entries().filter(isOf(library)) : [];
    return own.length === 0 ? general() : distinct(own.flatMap(subtitleOf));
  };
  const list = (): WantedSubtitles => {
    const language = config.get('subtitles.language');
    return {
      ...(language !== undefined && { language }),
      managed: config.all().find(({ key }) => key === 'subtitles.wanted')?.managed === true,
      wants: general(),
      libraries: catalog
        .libraries()
        .filter(({ kind }) => HOLDS_VIDEO.includes(kind))
        .map((library) => ({
          library: library.id,
          name: library.name,
          own: entries().some(isOf(library)),
          wants: wantsOf(library),
        })),
    };
  };
  return {
    first: () => general()[0]?.language,
    in: (id) => wantsOf(catalog.libraries().find((one) => one.id === id)),
    all: () => distinct([...general(), ...catalog.libraries().flatMap(wantsOf)]),
    list,
    save: async ({ library: id, wants }) => {
      const library = catalog.libraries().find((one) => one.id === id);
      if (id !== undefined && !library)
        throw new Failure('missing', 'no such library', { reason: 'no-such-subtitle-library' });
      await config.change('subtitles.wanted', (saved = []) => {
        const isReplaced = library ? isOf(library) : (one: WantedSubtitleSetting) => one.library === undefined;
        const next = [...saved.filter((one) => !isReplaced(one)), ...entriesOf(distinct(wants ?? []), library?.id)];
        // A library that wants nothing has an entry that says so; else it would follow the general list.
        if (library && wants?.length === 0) next.push({ library: library.id });
        return next.length === 0 ? '' : JSON.stringify(next);
      });
      return list();
    },
  };
}

type LibraryName = Pick<ReturnType<CatalogBackground['libraries']>[number], 'id' | 'name'>;
/** Returns a test of entries: whether they are of this library, by its id or its name. */
const isOf =
  ({ id, name }: LibraryName) =>
  ({ library }: WantedSubtitleSetting): boolean =>
    library !== undefined && (library === id || library === name);

const entriesOf = (wants: readonly WantedSubtitle[], library: string | undefined): WantedSubtitleSetting[] =>
  wants.map(({ language, role }) => ({
    language,
    ...(role !== 'normal' && { kind: role }),
    ...(library !== undefined && { library }),
  }));

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
