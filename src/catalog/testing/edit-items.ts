/**
 * Program of a test: edits the year of items in a database file, or uploads a picture for them, and dies at a crash
 * point if one is named.
 */
import { systemClock } from '../../lib/clock.ts';
import { armCrash, isCrashPoint } from '../../lib/crash.ts';
import { openDatabase } from '../../lib/db/index.ts';
import { readBounded } from '../../lib/files.ts';
import { createKeptPictures } from '../core/kept-pictures.ts';
import { catalogMigrations } from '../store/migrations.ts';
import { editStore } from '../store/layers/edits.ts';

const [file = '', ids = '', picture = '', folder = '', point = ''] = process.argv.slice(2);
const MAX_BYTES = 1024 * 1024;

const db = await openDatabase({ file, migrations: catalogMigrations, clock: systemClock });
if (isCrashPoint(point)) armCrash(point);
const poster =
  picture === '' ? undefined : await createKeptPictures(folder).keep(await readBounded(picture, MAX_BYTES));
await editStore(db).change(ids.split(','), {
  check: () => {},
  editOf: ({ layers }) => ({ ...layers.edit, ...(poster ? { images: { poster } } : { year: 1999 }) }),
  now: systemClock.now(),
});
await db.close();
