/** Reads the subtitle of a change and everything that the change needs: its text, its draft and its alignment. */
import type { SubtitleChange } from '../../contract/subtitles/change.ts';
import { Failure } from '../../lib/failure.ts';
import type { Drafts } from '../drafts/types.ts';
import type { SubtitleRole } from '../store/tables.ts';
import { type CurrentSubtitle, type CurrentSubtitleNeeds, dataOf, loadCurrentSubtitle } from './current-subtitle.ts';
import type { EditWorker } from './edit-worker/edit-worker.ts';
import { bringsText, type ChangeRequest, unreadableWarning, type UnreadableWarning } from './propose.ts';
import { currentBytes, draftFor } from './sources.ts';
import { sync, type SyncNeeds } from './sync.ts';
import { changedFailure } from './write-checks.ts';

export interface ReadChangeNeeds extends CurrentSubtitleNeeds, SyncNeeds {
  drafts: Pick<Drafts, 'finished'>;
  editWorker: Pick<EditWorker, 'compare'>;
  isAsDelivered(source: string): boolean;
}

/** A subtitle, named exactly, and the alignment that was measured of its bytes. */
export interface MeasuredFix {
  id: string;
  language: string;
  role: SubtitleRole;
  /** Key of the text, as `trackKeyOf` returns it. */
  only: string;
  fingerprint: string;
  synced: NonNullable<ChangeRequest['synced']>;
}

/** A change, and the subtitle that it is of. */
export interface PreparedRequest {
  current: CurrentSubtitle;
  trying: ChangeRequest;
}

/** Reads the current subtitle and everything that the change needs. */
export async function readChange(
  needs: ReadChangeNeeds,
  {
    id,
    fingerprint,
    by: _by,
    ...asked
  }: SubtitleChange & { by?: unknown; id: string; fingerprint?: string | undefined },
  signal: AbortSignal,
  measured?: MeasuredFix,
): Promise<PreparedRequest> {
  const current = await loadCurrentSubtitle(needs, id, {
    language: asked.language,
    role: asked.currentRole,
    only: measured?.only,
  });
  if (fingerprint !== undefined && fingerprint !== current.fingerprint) throw changedFailure();
  let unread: UnreadableWarning | undefined;
  const text = await currentBytes(needs, current, signal).catch((error: unknown) => {
    if (!(bringsText(asked) && error instanceof Failure && error.kind === 'conflict')) throw error;
    unread = unreadableWarning(error);
    return undefined;
  });
  const draft = await draftFor(needs.drafts, current, asked.draftId);
  const trying: ChangeRequest = {
    subtitle: dataOf(current),
    text,
    asked,
    draft,
    isAsDelivered: needs.isAsDelivered(current.source),
    unread,
  };
  if (measured) return { current, trying: { ...trying, synced: measured.synced } };
  if (asked.automaticSync !== true) return { current, trying };
  const { cues, isOwn, prepared } = await needs.editWorker.compare(trying, signal);
  const { alignment: found, view } = await sync(needs, current, { cues, isOwn }, signal);
  // The moved cues are not needed, because applying the change moves them again.
  const alignment = found.outcome === 'moved' ? (({ cues: _cues, ...rest }) => rest)(found) : found;
  return { current, trying: { ...trying, prepared, synced: { alignment, view } } };
}

/** Returns the request of a fix. */
export const changeOfFix = ({ id, language, role, fingerprint }: Omit<MeasuredFix, 'synced'>) => ({
  id,
  language,
  currentRole: role,
  fingerprint,
});
