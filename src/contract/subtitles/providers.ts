/**
 * The subtitle providers: the letter that configuration and API call each by, its name for people, and where its key
 * is had. Every label, search word and link of a provider is derived from here.
 */

interface ProviderDeclaration {
  readonly title: string;
  /** Page on which an account shows its API key. */
  readonly keyPage: string;
}

export const SUBTITLE_PROVIDERS = {
  subtitles_a: { title: 'SubDL', keyPage: 'https://subdl.com/panel/api' },
  subtitles_b: { title: 'SubSource', keyPage: 'https://subsource.net/dashboard/profile' },
  subtitles_c: { title: 'OpenSubtitles.com', keyPage: 'https://www.opensubtitles.com/en/consumers' },
} as const satisfies Readonly<Record<string, ProviderDeclaration>>;

export type ProviderName = keyof typeof SUBTITLE_PROVIDERS;
export const PROVIDER_NAMES = ['subtitles_a', 'subtitles_b', 'subtitles_c'] as const satisfies readonly ProviderName[];
