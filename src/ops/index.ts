/** Running the server: events, tasks, diagnostics and health. */
import type { Diagnostics } from './diagnostics.ts';
import type { Restart } from './restart.ts';
import type { ActivityReading } from './activity/reading.ts';
import { createHub, type EventReader, type Hub, readerOf } from './hub.ts';
import type { Bus, Topic } from '../lib/bus.ts';
import type { Clock } from '../lib/clock.ts';
import { shownTask, type Tasks } from '../lib/tasks/index.ts';
import type { Principal } from '../contract/kernel/principal.ts';
import type { Event } from '../contract/ops/operations.ts';
import type { Policy } from '../contract/identity/profiles.ts';

export { createExpiring } from './activity/expiring.ts';
export { createActivityReading } from './activity/reading.ts';
export { createDiagnostics, findingsOfParts } from './diagnostics.ts';
export { createRoomCheck } from './disk.ts';
export type { Diagnostics } from './diagnostics.ts';
export { createDatabaseCare } from './database-care.ts';
export { createInstallation, databaseFile, TRACES } from './installation.ts';
export type { InstallationFile } from './installation.ts';
export { laterFindings } from './later.ts';
export { createRestart, NO_RESTARTER } from './restart.ts';
export type { RestartFailure, Restarter } from './restart.ts';
export type { Hub } from './hub.ts';

/** Kinds of events that only administration receives. */
const ADMIN_TOPICS: readonly (readonly [Topic, Event['kind']])[] = [
  ['subtitles.changed', 'subtitles'],
  ['config.changed', 'configuration'],
  ['playback.changed', 'playback'],
];

/** Decides which mailboxes receive an event. */
export interface Audience {
  /** Returns the current policy of a Profile; undefined once it is removed. */
  policyOf(profile: string): Policy | undefined;
  /** Grows when a Profile watches something or changes its lists. */
  watchedBy(profile: string): number;
  /** Grows when a Profile changes its playlists. */
  listedBy(profile: string): number;
  /** Grows when a request of a Profile is made or answered. */
  requestedBy(profile: string): number;
  isOwner(profile: string): boolean;
  /** Grows when a Profile has a new notice, or has seen some. */
  noticesOf(profile: string): number;
  /** Returns a function that says who can see the changes of the catalogue since the last call. */
  takeVisibleChanges(): (policy: Policy) => boolean;
}

export interface Ops {
  hub: Hub;
  /**
   * Number of the newest event for a session; undefined while no event stream of its Profile is open, and for API keys
   * and links, which may lack the right to read events.
   */
  newestEvent(by: Principal): number | undefined;
  tasks: Tasks;
  diagnostics: Diagnostics;
  restart: Restart;
  activity: ActivityReading;
  /** Whether the server can do its work. */
  isReady(): Promise<boolean>;
}

/** Ties what the domains announce to the event stream. */
export function createOps({
  bus,
  tasks,
  clock,
  diagnostics,
  restart,
  activity,
  isReady,
  audience,
}: {
  bus: Bus;
  tasks: Tasks;
  clock: Clock;
  diagnostics: Diagnostics;
  restart: Restart;
  activity: ActivityReading;
  isReady(): Promise<boolean>;
  audience: Audience;
}): Ops {
  const watched = changes(audience.watchedBy);
  const listed = changes(audience.listedBy);
  const requested = changes(audience.requestedBy);
  const allowed = changes(audience.policyOf);
  const noticed = changes(audience.noticesOf);
  const hub = createHub({
    clock,
    opened: ({ profile }) => {
      watched.begin(profile);
      listed.begin(profile);
      requested.begin(profile);
      allowed.begin(profile);
      noticed.begin(profile);
    },
  });
  const isAdmin = (reader: EventReader): boolean => reader.isAdmin;
  for (const [topic, kind] of ADMIN_TOPICS) bus.on(topic, () => hub.publish({ kind }, isAdmin));
  tasks.watch((status) => hub.publish({ kind: 'task', task: shownTask(status) }, isAdmin));

  bus.on('watching.changed', () => hub.publish({ kind: 'watching' }, watched.look()));
  bus.on('lists.changed', () => hub.publish({ kind: 'lists' }, listed.look()));
  bus.on('requests.changed', () => {
    const isOwn = requested.look();
    hub.publish({ kind: 'requests' }, (reader) => isOwn(reader) || reader.isAdmin);
  });
  bus.on('activity.noticed', () => {
    const isNoticed = noticed.look();
    // An API key of an Owner without administration learns nothing of it.
    hub.publish(
      { kind: 'security' },
      (reader) => (reader.isAdmin || !audience.isOwner(reader.profile)) && isNoticed(reader),
    );
  });
  // Another policy is another catalogue.
  bus.on('identity.changed', () => hub.publish({ kind: 'catalog' }, allowed.look()));
  bus.on('catalog.changed', () => {
    const isSeen = audience.takeVisibleChanges();
    hub.publish({ kind: 'catalog' }, ({ profile }) => {
      const policy = audience.policyOf(profile);
      return policy !== undefined && isSeen(policy);
    });
  });
  return {
    hub,
    newestEvent: (by) => (by.via === 'session' ? hub.newest(readerOf(by)) : undefined),
    tasks,
    diagnostics,
    restart,
    activity,
    isReady,
  };
}

/**
 * Follows a value of each Profile from when it is first listened to. `look` returns whose value is another one than at
 * the look before.
 */
function changes<V>(valueOf: (profile: string) => V): {
  begin(profile: string): void;
  look(): (reader: EventReader) => boolean;
} {
  const before = new Map<string, V>();
  return {
    begin: (profile) => {
      if (!before.has(profile)) before.set(profile, valueOf(profile));
    },
    look: () => {
      // Both mailboxes of one Profile receive it.
      const looked = new Map<string, boolean>();
      return ({ profile }) => {
        const had = looked.get(profile);
        if (had !== undefined) return had;
        const value = valueOf(profile);
        const isOther = before.get(profile) !== value;
        before.set(profile, value);
        looked.set(profile, isOther);
        return isOther;
      };
    },
  };
}
