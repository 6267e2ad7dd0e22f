/** Program of a test: moves an item of a collection in a database file, and dies at a crash point if one is named. */
import { armCrash, isCrashPoint } from '../../lib/crash.ts';
import { systemClock } from '../../lib/clock.ts';
import { openDatabase } from '../../lib/db/index.ts';
import { collectionStore } from '../store/collections.ts';
import { listMigrations } from '../store/playlists.ts';

const [file = '', item = '', before = '', point = ''] = process.argv.slice(2);
const db = await openDatabase({ file, migrations: listMigrations, clock: systemClock });
if (isCrashPoint(point)) armCrash(point);
const store = collectionStore(db);
const [row] = await store.all();
if (!row) throw new Error('the file has no collection');
await store.move(row, [], { item, before });
await db.close();
