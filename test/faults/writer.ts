/** A program that writes one file and may be killed on the way: `node --import arm.ts writer.ts HOW PATH [ROOT]`. */
import { hideFile, inside, openRoot, writeWhole } from '../../src/lib/files.ts';
import type { Place } from '../../src/lib/files.ts';

const [how = '', path = '', root] = process.argv.slice(2);
const place: Place = root === undefined ? path : inside(await openRoot(root), path);
if (how === 'replace') await writeWhole(place, 'new'.repeat(100_000));
if (how === 'create') await writeWhole(place, 'new'.repeat(100_000), { exclusive: true });
if (how === 'hide') await hideFile(place);
process.stdout.write('done');
