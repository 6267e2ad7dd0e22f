/**
 * Records events: in the transaction of their change, or in a separate one. What is refused is merged by the minute,
 * and so is what a Viewer does very often.
 */
import type { Role } from '../contract/kernel/endpoint.ts';
import type { Clock } from '../lib/clock.ts';
import type { CommitCursor } from '../lib/db/index.ts';
import { createAttempts } from './attempts.ts';
import { audienceOf, entryFor } from './event.ts';
import { createRepeats } from './repeats.ts';
import { appendEntries, type EntryStore } from './store/entries.ts';
import type { ActivityTransaction } from './store/tables.ts';
import type { ActivityEvent } from './types.ts';

export interface ActivityProfile {
  id: string;
  role: Role;
}

export interface Recording {
  /** Records an event in a separate transaction, or merged if a Viewer does it very often. */
  record(event: ActivityEvent): Promise<void>;
  /** Records an event of a moment, unless one of its kind with the same target and details is there. */
  recordOnce(event: ActivityEvent, at?: number): Promise<void>;
  /** Returns what records an event within the transaction of its change. */
  recorded(event: ActivityEvent): CommitCursor;
  /** Records a refused attempt; those of the same minute become one entry. */
  refused(event: ActivityEvent): Promise<void>;
  /**
   * Returns a function that counts the event once it is done, if its Viewer has had the entries of this kind for the
   * hour; undefined for an event that gets an entry.
   */
  repeated(event: ActivityEvent): (() => void) | undefined;
  /** Takes over who there is; called once, by the domain that has the Profiles. */
  useProfiles(profiles: () => readonly ActivityProfile[]): void;
  /** Returns the Profiles that are notified of an event. */
  recipients(event: ActivityEvent): string[];
  /** Called when entries with notices are committed. */
  noticed(profiles: readonly string[]): void;
}

/** Returns who is notified of an event, of those there are. */
export function recipientsOf(event: ActivityEvent, profiles: readonly ActivityProfile[]): string[] {
  const audience = audienceOf(event);
  if (audience === undefined) return [];
  const person = audience === 'person' ? (event.profile ?? event.by?.profile) : undefined;
  return profiles.filter(({ id, role }) => id === person || role === 'owner').map(({ id }) => id);
}

export function createRecording({
  entries,
  clock,
  notify,
}: {
  entries: Pick<EntryStore, 'append' | 'isRecorded'>;
  clock: Clock;
  /** Called with the Profiles that have a new notice. */
  notify(profiles: readonly string[]): void;
}): Recording & {
  /** Writes what was counted; with `isAll`, also that of the present minute. */
  flush(isAll?: boolean): Promise<void>;
} {
  const attempts = createAttempts(clock);
  const repeats = createRepeats(clock);
  let profiles = (): readonly ActivityProfile[] => [];

  const noticed = (recipients: readonly string[]): void => {
    if (recipients.length > 0) notify(recipients);
  };
  const recipients = (event: ActivityEvent): string[] => recipientsOf(event, profiles());
  const write = async (event: ActivityEvent, notified = recipients(event), at = clock.now()): Promise<void> => {
    const entry = entryFor({ ...event, notify: notified }, at);
    await entries.append([entry], entry.chain === 'playback' ? 'grouped' : 'safe');
    noticed(notified);
  };
  const repeated: Recording['repeated'] = (event) => {
    if (event.outcome !== 'done') return undefined;
    const actor = event.by?.profile ?? event.actor ?? (event.via === undefined ? event.profile : undefined);
    const viewer = profiles().find(({ id, role }) => id === actor && role === 'viewer');
    return viewer && repeats.isMany(viewer.id, event) ? () => repeats.add(viewer.id, event) : undefined;
  };
  const writeAttempts = (event: ActivityEvent): Promise<void> =>
    write(event, attempts.isNotable(event) ? recipients(event) : []);

  return {
    record: async (event) => {
      const count = repeated(event);
      if (count) count();
      else await write(event);
    },
    repeated,
    recordOnce: async (event, at) => {
      const { details } = entryFor(event, 0);
      if (!(await entries.isRecorded(event.kind, event.target, details))) await write(event, recipients(event), at);
    },
    recorded: (event) => async (tx) => {
      const notified = recipients(event);
      const entry = entryFor({ ...event, notify: notified }, clock.now());
      await appendEntries(tx as unknown as ActivityTransaction, [entry]);
      noticed(notified);
    },
    refused: async (event) => {
      const first = attempts.add(event);
      if (first) await writeAttempts(first);
    },
    useProfiles: (given) => {
      profiles = given;
    },
    recipients,
    noticed,
    flush: async (isAll = false) => {
      for (const event of attempts.take(isAll)) await writeAttempts(event);
      for (const event of repeats.take(isAll)) await write(event, []);
    },
  };
}
