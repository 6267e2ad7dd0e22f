/** Describes an installed subtitle for the workbench: cues, quality, source and warnings. Pure. */
import type { z } from 'zod';
import type { SubtitleInspection } from '../../contract/subtitles/views.ts';
import { UNDETERMINED } from '../inventory/coverage.ts';
import type { InventoryTrack } from '../store/rows.ts';
import type { ParsedSubtitle } from './sources.ts';
import type { CurrentSubtitleData } from './current-subtitle.ts';
import { viewOfCues, warningSentences } from './view.ts';

type Inspection = z.input<typeof SubtitleInspection>;
/** Facts about a subtitle that need no reading of its text. */
export type SubtitleSummary = Omit<Inspection, 'current' | 'warnings'>;

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
    warnings: warningsOf(subtitle, current, chosen),
  };
}

const MIN_DETECTION_CONFIDENCE = 0.8;

function unnamed({ source }: InventoryTrack, tag: string): string {
  if (source === 'embedded') return 'The track names no language.';
  return tag === UNDETERMINED
    ? 'The file name has no language.'
    : 'The file name has no language, so the file counts for the first configured language.';
}

function warningsOf(
  { pictures, track, language, tag, installed, isGone }: CurrentSubtitleData,
  current: ParsedSubtitle | undefined,
  chosen: { bad: number } | undefined,
): string[] {
  const all: string[] = [];
  if (isGone === true)
    all.push(
      installed
        ? 'This file was changed outside this server. The version that the server wrote can be restored.'
        : 'The file that this server wrote was deleted. It can be restored.',
    );
  if (pictures) all.push('The subtitle in this language is made of pictures. A draft can read them into text.');
  if (track?.source === 'embedded')
    all.push('This text is a track inside the video, which stays as it is: a change is written to a file next to it.');
  if (track && (track.language ?? UNDETERMINED) === UNDETERMINED) all.push(unnamed(track, tag));
  if (tag !== language) all.push(`This is a variant of the language (${tag}).`);
  if (!current) return all;
  const { by, confidence, encoding, document } = current;
  const bad = chosen?.bad ?? current.bad;
  if (!chosen && (by === 'fallback' || (by === 'detector' && confidence < MIN_DETECTION_CONFIDENCE)))
    all.push(`The character set is not certain: ${encoding} was assumed. Another one can be chosen.`);
  if (bad > 0) all.push(bad === 1 ? 'One character could not be read.' : `${bad} characters could not be read.`);
  if (document.cues.length === 0) all.push('The file holds no cues.');
  return [...all, ...warningSentences(document.warnings)];
}
