/**
 * The thread that copies a live database page by page and checks the copy, so that the server goes on meanwhile.
 * It reads one moment in time and holds up no writer. Leaves a file complete in itself, not yet synced.
 */
import { backup, DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { complaints } from './sqlite-file.ts';

const { from, to } = workerData as { from: string; to: string };

const source = new DatabaseSync(from, { readOnly: true, timeout: 5000 });
// All pages in one step: between steps a write would make it begin again.
await backup(source, to, { rate: 0x7fff_ffff });
source.close();
const copy = new DatabaseSync(to, { timeout: 5000 });
copy.exec('pragma journal_mode = delete');
const found = complaints(copy);
copy.close();
parentPort?.postMessage(found);
