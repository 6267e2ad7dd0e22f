/**
 * Removes a subtitle file: because a restore leaves none, or because a person deletes it. The bytes are preserved
 * first, so a restore brings the file back under its name.
 */
import type { z } from 'zod';
import type { Actor } from '../../contract/subtitles/states.ts';
import type { workbench as endpoints } from '../../contract/subtitles/workbench.ts';
import { Failure } from '../../lib/failure.ts';
import { fileToRestore, videoTextUnder } from '../history/lineage.ts';
import { tracksIn } from '../inventory/item.ts';
import type { InstalledFile } from '../store/rows.ts';
import type { CurrentSubtitle } from './current-subtitle.ts';
import {
  announceWritten,
  changedFailure,
  refuseChangedItem,
  refuseUnwritable,
  type WriteNeeds,
} from './write-checks.ts';

/** A current subtitle that is a text file next to its video. */
type InstalledSubtitle = CurrentSubtitle & Required<Pick<CurrentSubtitle, 'installed' | 'track'>>;

/** Returns the exact file that deleting a subtitle would remove. */
export function describeInstalled(current: CurrentSubtitle): z.input<typeof endpoints.installed.result> {
  const { tag, role, installed, track, fingerprint } = requireInstalled(current);
  return {
    language: tag,
    role,
    file: installed.relative,
    format: track.format,
    size: installed.bytes.byteLength,
    fingerprint,
  };
}

/**
 * Deletes the file of a subtitle and keeps its bytes. Throws `Failure('conflict')` if there is none, if it is inside
 * the video, or if it is not the one of `fingerprint`.
 */
export async function deleteInstalled(
  needs: WriteNeeds,
  { current, fingerprint, by }: { current: CurrentSubtitle; fingerprint?: string | undefined; by?: Actor | undefined },
  signal: AbortSignal,
): Promise<void> {
  const { subject, file, root, installed, tag } = requireInstalled(current);
  if (fingerprint !== undefined && fingerprint !== current.fingerprint) throw changedFailure();
  await refuseUnwritable(current, installed.relative);
  signal.throwIfAborted();
  await needs.installer.remove({
    item: subject.id,
    file,
    root,
    row: rowOf(requireInstalled(current)),
    over: { relative: installed.relative, content: installed.content },
    by,
    act: 'deleted',
    notes: [{ reason: 'deleted', values: { file: nameOf(installed.relative) } }],
    check: () => refuseChangedItem(needs, current, installed.relative),
  });
  await announceWritten(needs, subject.id);
  needs.log.info('subtitles.deleted', { item: subject.id, language: tag });
}

const nameOf = (relative: string): string => relative.slice(relative.lastIndexOf('/') + 1);

function requireInstalled(current: CurrentSubtitle): InstalledSubtitle {
  const { installed, track, pictures, tag, language } = current;
  if (track?.source === 'embedded' || pictures?.source === 'embedded')
    throw new Failure('conflict', 'this subtitle is inside the video, and cannot be deleted', {
      reason: 'subtitle-embedded',
    });
  if (pictures)
    throw new Failure('conflict', 'a picture subtitle is too large to be preserved, so it cannot be deleted here', {
      reason: 'pictures-not-preserved',
    });
  // A variant is not what was asked for, although it covers the language.
  if (!installed || !track || tag !== language)
    throw new Failure('conflict', 'there is no subtitle file in this language', { reason: 'no-subtitle-to-change' });
  return { ...current, installed, track };
}

/** Returns the row of the file. One that this server did not write is recorded as the user's own. */
const rowOf = ({ subject, file, row, installed, tag, role, track }: InstalledSubtitle): InstalledFile =>
  row ?? {
    library: file.library,
    relative: installed.relative,
    item: subject.id,
    language: tag,
    role,
    format: track.format,
    source: 'sidecar',
    score: null,
    match: 'found',
    origin: 'own',
    evidence: [],
    content: installed.content,
    delivered: null,
    candidate: null,
    preserved: {},
    size: 0,
    modified: 0,
    at: 0,
  };

/**
 * Removes a file of this server if that restores what is asked for: one step back from a file that replaced nothing, or
 * the text inside the video, which is the original of everything written over it. Returns false if a file is to be
 * restored instead, or if the installed file is not ours.
 */
export async function removeRestored(
  needs: WriteNeeds,
  { current, to, by }: { by?: Actor | undefined; current: CurrentSubtitle; to: 'original' | 'previous' | undefined },
  signal: AbortSignal,
): Promise<boolean> {
  const { row, installed, subject, file, root } = current;
  if (!row || !installed || row.origin === 'own' || row.content !== installed.content) return false;
  const isOverVideoText = videoTextUnder(row, tracksIn(subject, file)) !== undefined;
  if (to === 'previous' ? fileToRestore(row.preserved, 'previous') : !isOverVideoText) return false;
  await refuseUnwritable(current, installed.relative);
  signal.throwIfAborted();
  const over = { relative: installed.relative, content: installed.content };
  await needs.installer.remove({
    item: subject.id,
    file,
    root,
    row,
    over,
    by,
    notes: [{ reason: isOverVideoText ? 'video-text-used-again' : 'none-before', values: {} }],
    ...(to !== 'previous' && { freeze: true as const }),
    check: () => refuseChangedItem(needs, current, over.relative),
  });
  await announceWritten(needs, subject.id);
  needs.log.info('subtitles.taken-back', { item: subject.id, language: row.language });
  return true;
}
