/** A program that writes one file and may be killed on the way: `node --import arm.ts writer.ts HOW PATH [ROOT]`. */
import { hideFile, inRoot, openRoot, writeWhole } from '../../src/lib/files.ts';
import type { FileLocation } from '../../src/lib/files.ts';

const [how = '', path = '', root] = process.argv.slice(2);
const place: FileLocation = root === undefined ? path : inRoot(await openRoot(root), path);
if (how === 'replace') await writeWhole(place, 'new'.repeat(100_000));
if (how === 'create') await writeWhole(place, 'new'.repeat(100_000), { exclusive: true });
if (how === 'hide') await hideFile(place);
process.stdout.write('done');
