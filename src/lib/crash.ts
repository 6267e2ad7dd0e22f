/**
 * Named points at which a test may kill this process, to prove that a crash there loses nothing.
 *
 * In production a crash point costs one comparison: nothing is armed and no variable of the environment is
 * read. A test arms a point with `armCrash`, or starts the server with `node --import test/faults/arm.ts`.
 * A new writer adds its names here, in the order in which it passes them.
 */

/** Every crash point there is: `<area>.<writer>.<what has just been done>`. */
export const CRASH_POINTS = [
  'files.write.opened',
  'files.write.written',
  'files.write.synced',
  'files.write.renamed',
  'files.write.done',
  'files.create.linked',
  'files.create.done',
  'files.hide.linked',
  'files.hide.done',
  'files.remove.unlinked',
  'db.migrate.folded',
  'db.migrate.copied',
  'db.migrate.applied',
  'db.migrate.verified',
  'db.migrate.kept',
  'db.migrate.swapped',
  'db.migrate.done',
  'config.save.judged',
  'config.save.written',
  'identity.change.writing',
  'identity.change.written',
  'subtitles.write.preserved',
  'subtitles.write.removed',
  'subtitles.fetch.intent',
  'subtitles.fetch.written',
  'subtitles.fetch.recorded',
  'subtitles.apply.intent',
  'subtitles.apply.written',
  'subtitles.apply.recorded',
  'subtitles.restore.intent',
  'subtitles.restore.written',
  'subtitles.restore.recorded',
  'subtitles.maintain.looked',
  'subtitles.maintain.tried',
  'subtitles.maintain.saved',
  'subtitles.cleanup.intended',
  'subtitles.cleanup.hidden',
  'subtitles.cleanup.recorded',
  'playback.session.writing',
  'playback.session.written',
  'playback.marker.writing',
  'playback.marker.written',
  'playback.segment.made',
  'lists.order.renumbering',
  'lists.order.moved',
  'lists.collection.ordering',
  'lists.collection.ordered',
  'catalog.edit.recorded',
  'catalog.edit.layered',
  'metadata.match.layered',
  'metadata.none.recorded',
  'metadata.order.chosen',
  'remote.certificate.registered',
  'remote.certificate.ordered',
  'remote.certificate.published',
  'remote.certificate.proved',
  'remote.certificate.finalized',
  'remote.certificate.kept',
] as const;

export type CrashPoint = (typeof CRASH_POINTS)[number];

let armed: CrashPoint | null = null;
let passesLeft = 0;
/** Only files whose path contains this count, where it is given. */
let armedPath: string | undefined;

export const isCrashPoint = (name: string): name is CrashPoint => (CRASH_POINTS as readonly string[]).includes(name);

/**
 * Kills this process, as a power cut would, on the `nth` time (from 1) that `name` is passed; with `path`, only for
 * files whose path contains it.
 */
export function armCrash(name: CrashPoint, nth = 1, path?: string): void {
  armed = name;
  passesLeft = nth;
  armedPath = path;
}

/** Notes that a writer has come to `name`, and with which file. Does nothing unless a test armed this point. */
export function crashPoint(name: CrashPoint, path?: () => string): void {
  if (armed !== name) return;
  if (armedPath !== undefined && path?.().includes(armedPath) !== true) return;
  passesLeft -= 1;
  if (passesLeft > 0) return;
  process.kill(process.pid, 'SIGKILL');
  // The signal is on its way; nothing more may be done, or the test would see a step too many.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
