/** Values that conditions offer: what is in the library, the libraries and the playlists. */
import type { RuleField } from '../../../contract/catalog/rule-fields.ts';
import { useAsk } from '../../data/query.ts';
import { languageLabel, resolution } from '../../lib/format.ts';
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

/** The classes of high dynamic range, by their usual names. */
const HDR_CLASSES: readonly OfferedValue[] = [
  { value: 'hdr10', label: 'HDR10' },
  { value: 'hlg', label: 'HLG' },
  { value: 'dolby-vision', label: 'DV' },
];
/** Codecs that libraries usually hold, video before sound, by their usual names. */
const CODECS: readonly OfferedValue[] = [
  { value: 'h264', label: 'H.264' },
  { value: 'hevc', label: 'HEVC (H.265)' },
  { value: 'av1', label: 'AV1' },
  { value: 'vp9', label: 'VP9' },
  { value: 'vp8', label: 'VP8' },
  { value: 'vc1', label: 'VC-1' },
  { value: 'mpeg4', label: 'MPEG-4' },
  { value: 'mpeg2video', label: 'MPEG-2' },
  { value: 'aac', label: 'AAC' },
  { value: 'ac3', label: 'AC-3' },
  { value: 'eac3', label: 'E-AC-3' },
  { value: 'truehd', label: 'TRUEHD' },
  { value: 'dts', label: 'DTS' },
  { value: 'flac', label: 'FLAC' },
  { value: 'alac', label: 'ALAC' },
  { value: 'opus', label: 'OPUS' },
  { value: 'vorbis', label: 'VORBIS' },
  { value: 'mp3', label: 'MP3' },
];

export function useRuleChoices(): RuleChoices {
  const { data: library } = useAsk('catalog', 'library', { view: 'all', limit: 1 });
  const { data: libraries } = useAsk('libraries', 'list', {});
  const { data: playlists } = useAsk('playlists', 'list', {});
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
    hdr: HDR_CLASSES,
    codec: CODECS,
    language: plain(facets?.languages, languageLabel),
    playlist: playlists?.items.map(({ id, name }) => ({ value: id, label: name })) ?? [],
  };
  return { of: (field) => offered[field] ?? [], isClosed: (field) => offered[field] !== undefined };
}
