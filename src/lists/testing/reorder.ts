/** Program of a test: moves an entry of a playlist in a database file, and dies at a crash point if one is named. */
import { armCrash, isCrashPoint } from '../../lib/crash.ts';
import { systemClock } from '../../lib/clock.ts';
import { openDatabase } from '../../lib/db/index.ts';
import { listMigrations, listStore } from '../store/playlists.ts';

const [file = '', entry = '', before = '', point = ''] = process.argv.slice(2);
const db = await openDatabase({ file, migrations: listMigrations, clock: systemClock });
if (isCrashPoint(point)) armCrash(point);
await listStore(db).move('list', { entry, before });
await db.close();
