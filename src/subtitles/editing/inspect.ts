/** What is installed, as people are shown it: cues, quality, where it came from, and what was noticed. Pure. */
import type { z } from 'zod';
import type { SubtitleInspection } from '../../contract/subtitles/workbench.ts';
import type { Current } from './sources.ts';
import type { Spot } from './standing.ts';
import { sideInTurns, told } from './view.ts';

type Inspection = z.input<typeof SubtitleInspection>;
/** What is told of it without a look into its text. */
export type Head = Omit<Inspection, 'current' | 'warnings'>;

export async function inspection({
  head,
  spot,
  current,
}: {
  head: Head;
  spot: Spot;
  current: Current | undefined;
}): Promise<Inspection> {
  return {
    ...head,
    ...(current && {
      current: {
        format: current.document.format,
        encoding: current.encoding,
        ...(await sideInTurns(current.document.cues, spot.file.info?.duration)),
      },
    }),
    warnings: noticed(spot, current),
  };
}

const SURE = 0.8;

function noticed({ pictures, track, language, tag, installed, isGone }: Spot, current: Current | undefined): string[] {
  const all: string[] = [];
  if (isGone === true)
    all.push(
      installed
        ? 'This file was changed by hand since it was written here. It can be brought back as it was.'
        : 'The file that was written here was deleted. It can be brought back.',
    );
  if (pictures) all.push('The subtitle in this language is made of pictures. A draft can read them into text.');
  if (track?.source === 'embedded')
    all.push('This text is a track inside the video, which stays as it is: a change is written to a file next to it.');
  if (track && track.language === undefined)
    all.push('The name of the file says no language, so it counts for the first configured one.');
  if (tag !== language) all.push(`This is a variant of the language (${tag}).`);
  if (!current) return all;
  const { by, confidence, bad, encoding, document } = current;
  if (by === 'fallback' || (by === 'detector' && confidence < SURE))
    all.push(`The character set is not certain: ${encoding} was taken. Another one can be chosen.`);
  if (bad > 0) all.push(bad === 1 ? 'One character could not be read.' : `${bad} characters could not be read.`);
  if (document.cues.length === 0) all.push('The file holds no cues.');
  return [...all, ...told(document.warnings)];
}
