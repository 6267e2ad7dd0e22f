/** Describes an installed subtitle for the workbench: cues, quality, source and warnings. Pure. */
import type { z } from 'zod';
import type { SubtitleInspection } from '../../contract/subtitles/views.ts';
import { type SubtitleWarning, warningsInReply } from '../../contract/subtitles/warnings.ts';
import { UNDETERMINED } from '../inventory/coverage.ts';
import type { InventoryTrack } from '../store/rows.ts';
import type { ParsedSubtitle } from './sources.ts';
import type { CurrentSubtitleData } from './current-subtitle.ts';
import { defectWarnings, viewOfCues } from './view.ts';

type Inspection = z.input<typeof SubtitleInspection>;
/** Facts about a subtitle that need no reading of its text. */
export type SubtitleSummary = Omit<Inspection, 'current' | 'warnings' | 'warningReasons'>;

export async function inspectionOf({
  summary,
  subtitle,
  current,
  chosen,
}: {
  summary: SubtitleSummary;
  subtitle: CurrentSubtitleData;
  current: ParsedSubtitle | undefined;
  /** Set if the user chose the character set: the number of characters that it could not read. */
  chosen?: { bad: number } | undefined;
}): Promise<Inspection> {
  return {
    ...summary,
    ...(current && {
      current: {
        format: current.document.format,
        encoding: current.encoding,
        ...(await viewOfCues(current.document.cues, subtitle.file.info?.duration)),
      },
    }),
    ...warningsInReply(warningsOf(subtitle, current, chosen)),
  };
}

const MIN_DETECTION_CONFIDENCE = 0.8;

const plain = (
  reason: Extract<SubtitleWarning, { values: Readonly<Record<string, never>> }>['reason'],
): SubtitleWarning => ({ reason, values: {} });

function unnamed({ source }: InventoryTrack, tag: string): SubtitleWarning {
  if (source === 'embedded') return plain('track-without-language');
  return plain(tag === UNDETERMINED ? 'name-without-language' : 'first-language-assumed');
}

function warningsOf(
  { pictures, track, language, tag, installed, isGone }: CurrentSubtitleData,
  current: ParsedSubtitle | undefined,
  chosen: { bad: number } | undefined,
): SubtitleWarning[] {
  const all: SubtitleWarning[] = [];
  if (isGone === true) all.push(plain(installed ? 'changed-outside' : 'deleted'));
  if (pictures) all.push(plain('pictures'));
  if (track?.source === 'embedded') all.push(plain('inside-video'));
  if (track && (track.language ?? UNDETERMINED) === UNDETERMINED) all.push(unnamed(track, tag));
  if (tag !== language) all.push({ reason: 'variant', values: { tag } });
  if (!current) return all;
  const { by, confidence, encoding, document } = current;
  const bad = chosen?.bad ?? current.bad;
  if (!chosen && (by === 'fallback' || (by === 'detector' && confidence < MIN_DETECTION_CONFIDENCE)))
    all.push({ reason: 'character-set-uncertain', values: { encoding } });
  if (bad > 0) all.push({ reason: 'characters-unread', values: { count: bad } });
  if (document.cues.length === 0) all.push(plain('no-cues'));
  return [...all, ...defectWarnings(document.warnings)];
}
