/**
 * Runs in a separate thread and does the work that has to wait for the disk: checkpoints, checks, and copies.
 *
 * SQLite syncs inside the call that needs it, for as long as the disk takes. On the main thread every stream would
 * stop for that time. Jobs arrive as messages, one at a time, and each is answered by one message.
 */
import { backup, DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { beginLog, complaints, connectFile } from '../sqlite-file.ts';
import type { UpkeepJob, UpkeepReply, ThreadFailure } from './thread.ts';

const { file } = workerData as { file: string };
let kept: DatabaseSync | undefined;

/** The connection for checkpoints. Opened when it is first needed, and closed with the thread. */
function connection(): DatabaseSync {
  if (kept) return kept;
  kept = connectFile(file, 'write');
  kept.exec('pragma cache_size = -256; pragma busy_timeout = 100');
  return kept;
}

const isBusy = (mode: 'passive' | 'truncate'): boolean =>
  connection().prepare(`pragma wal_checkpoint(${mode})`).get()?.['busy'] !== 0;

function reset(): boolean {
  if (isBusy('truncate')) return true;
  beginLog(connection());
  return false;
}

/**
 * Copies the database as it is at one moment to the new file `to` and checks the copy. The file is complete in itself
 * and not yet synced.
 */
async function copy(to: string): Promise<string[]> {
  const source = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    // All pages in one step: a write between two steps would make it begin again.
    await backup(source, to, { rate: 0x7fff_ffff });
  } finally {
    source.close();
  }
  const made = new DatabaseSync(to, { timeout: 5000 });
  try {
    made.exec('pragma journal_mode = delete');
    return complaints(made);
  } finally {
    made.close();
  }
}

function check(): string[] {
  const db = connectFile(file, 'read');
  try {
    return complaints(db);
  } finally {
    db.close();
  }
}

async function run(job: UpkeepJob): Promise<UpkeepReply> {
  if (job.is === 'check') return { complaints: check(), isBusy: false };
  if (job.is === 'copy') return { complaints: await copy(job.to), isBusy: false };
  return { complaints: [], isBusy: job.is === 'reset' ? reset() : isBusy('passive') };
}

parentPort?.on('message', (job: UpkeepJob) => {
  if (job.is === 'end') {
    kept?.close();
    parentPort?.close();
    return;
  }
  void run(job).then(
    (reply) => parentPort?.postMessage(reply),
    (error: unknown) => {
      const failure: ThreadFailure = {
        message: error instanceof Error ? error.message : String(error),
        errcode: (error as { errcode?: unknown } | null)?.errcode,
      };
      parentPort?.postMessage({ failure });
    },
  );
});
