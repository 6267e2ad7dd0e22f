/** Records in the activity log what people do to subtitles, in the transaction that notes the change. */
import type { ActivityEvent } from '../activity/index.ts';
import type { Actor } from '../contract/subtitles/states.ts';
import type { CommitCursor } from '../lib/db/index.ts';

/** Returns what records an event within the transaction of its change. */
export type RecordSubtitleActivity = (event: ActivityEvent) => CommitCursor;

/** Returns the author of a change as the activity log has it. */
export function authorOf(by: Actor | null | undefined): Pick<ActivityEvent, 'actor' | 'via' | 'profile'> {
  if (!by || by.is === 'server') return { via: 'server' };
  return { actor: by.profile, profile: by.profile, via: by.is === 'key' ? 'key' : 'session' };
}
