/** Values that conditions offer: what is in the library, the libraries and the playlists. */
import type { RuleField } from '../../../contract/catalog/rule-fields.ts';
import { useAll, useAsk } from '../../data/query.ts';
import { codec, languageLabel, resolution } from '../../lib/format.ts';
import { LANGUAGES } from '../../lib/language-list.ts';
import { ruleWords as m } from '../../messages/rules.ts';

interface OfferedValue {
  value: string;
  label: string;
}
export interface RuleChoices {
  of(field: RuleField): readonly OfferedValue[];
  /** Whether a field has no other values than those offered. */
  isClosed(field: RuleField): boolean;
}

/** The classes of high dynamic range. */
const HDR_CLASSES = ['hdr10', 'hlg', 'dolby-vision'] as const;
/** Codecs that libraries usually hold, video before sound. */
const USUAL_CODECS = [
  ...['h264', 'hevc', 'av1', 'vp9', 'vp8', 'vc1', 'mpeg4', 'mpeg2video'],
  ...['aac', 'ac3', 'eac3', 'truehd', 'dts', 'flac', 'alac', 'opus', 'vorbis', 'mp3'],
] as const;
const named = (values: readonly string[]): OfferedValue[] => values.map((value) => ({ value, label: codec(value) }));

/** The languages that subtitles are fetched in, by their names. */
const subtitleLanguages = (): OfferedValue[] =>
  LANGUAGES.map((value) => ({ value, label: languageLabel(value) })).sort((a, b) => a.label.localeCompare(b.label));

export function useRuleChoices(): RuleChoices {
  const { data: library } = useAsk('catalog', 'library', { view: 'all', limit: 1 });
  const { data: libraries } = useAll('libraries', 'list', {});
  const { data: playlists } = useAll('playlists', 'list', {});
  const plain = (counts: readonly { value: string }[] | undefined, label = (value: string) => value) =>
    counts?.map(({ value }) => ({ value, label: label(value) })) ?? [];
  const facets = library?.facets;
  const offered: Partial<Record<RuleField, readonly OfferedValue[]>> = {
    kind: [
      { value: 'movie', label: m.movie },
      { value: 'episode', label: m.episode },
      { value: 'video', label: m.video },
      { value: 'track', label: m.track },
      { value: 'audiobook', label: m.audiobook },
    ],
    library: libraries?.items.map(({ id, name }) => ({ value: id, label: name })) ?? [],
    genre: plain(facets?.genres),
    rating: plain(facets?.ratings),
    resolution: plain(facets?.resolutions, resolution),
    hdr: named(HDR_CLASSES),
    codec: named(USUAL_CODECS),
    language: plain(facets?.languages, languageLabel),
    subtitle: subtitleLanguages(),
    playlist: playlists?.items.map(({ id, name }) => ({ value: id, label: name })) ?? [],
  };
  return { of: (field) => offered[field] ?? [], isClosed: (field) => offered[field] !== undefined };
}
