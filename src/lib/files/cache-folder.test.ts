/** Folders of files that can be rebuilt: bounded, whole after any fault, and used again after each. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import { plant } from '../../../test/faults/planted.ts';
import { replaced } from '../../../test/faults/replaced.ts';
import * as real from './cache-folder.ts';
import * as realCalls from './calls.ts';
import {
  bounded,
  type CacheParts,
  concurrent,
  damaged,
  emptied,
  failing,
  killed,
  restarted,
  short,
  unclean,
} from './testing-cache-folder.ts';

const REAL: CacheParts = { createCacheFolder: real.createCacheFolder, calls: realCalls };
type CacheScenario = (t: TestContext, parts: CacheParts) => Promise<void>;
const scenarios: [name: string, scenario: CacheScenario][] = [
  ['the files used longest ago go first, and none that has to stay', bounded],
  ['the order of use survives a restart', restarted],
  ['what a killed writer left goes, and what is not of the cache is left alone', unclean],
  ['a file of another size than was written is none', damaged],
  ['a folder that is emptied while it is used is filled again', emptied],
  [
    'a disk that cannot be written to at any step keeps what it has, is left alone for a while, and is used again',
    failing,
  ],
  ['a disk with little free space is left to others', short],
  ['writing, reading and removing at the same time leaves what is counted', concurrent],
  ['a writer killed at any step leaves the file whole or not there', killed],
];
for (const [name, scenario] of scenarios) test(name, (t) => scenario(t, REAL));

type PlantedFault = [name: string, scenario: CacheScenario, from: string, to: string];
/** Faults by the module that they are planted in. */
const faults: Record<string, PlantedFault[]> = {
  'cache-folder.ts': [
    ['files that have to stay go', bounded, 'isPinned?.(file) !== true', 'true'],
    ['a file of any size is kept', bounded, 'bytes.length > maxFileBytes ||', ''],
    ['an emptied folder is not made', emptied, "error.kind === 'missing')) throw error;", 'false)) throw error;'],
    ['an emptied folder has no room', emptied, '      opening = undefined;\n      await open().catch(() => {});', ''],
    ['a full disk is asked each time', failing, '|| room.isResting()', ''],
    [
      'a folder that is read-only is not read',
      failing,
      '(error: unknown) => error);',
      '(error: unknown) => { throw error; });',
    ],
  ],
  'cache/files.ts': [
    ['reading is no use', bounded, 'await use(file, size, known);', ''],
    ['the time of use is not stored', restarted, 'if (!isFresh) await utimes', 'if (false) await utimes'],
    [
      'the time of use is stored each time',
      restarted,
      'known !== undefined && Math.abs(now - known.usedMs) < STAMP_MS',
      'known === undefined',
    ],
    ['empty files are whole', unclean, 'size === 0 && !isDurable', 'false'],
    ['any length is whole', damaged, 'known.size !== size && files.get(file) === known', 'false'],
    ['files of an emptied folder are there', emptied, 'if (files.get(file) === known) forget(file);', ''],
    ['a file that is removed while it is read is counted', concurrent, 'if (files.get(file) !== known) return;', ''],
    ['a file that is being removed is read', concurrent, '    await removing.get(file);\n', ''],
    [
      'writing does not wait for removing',
      concurrent,
      'locks.run(file, async () => {',
      '(async (work: () => Promise<void>) => work())(async () => {',
    ],
  ],
  'cache/room.ts': [
    ['a full disk is never asked again', failing, 'clock.monotonic() - trouble.since < RETRY_MS', 'true'],
    ['a full disk is logged each time', failing, 'if (!trouble) log.warn', 'log.warn'],
    ['room is not noticed', failing, '          trouble = undefined;', ''],
    ['the disk is not measured', short, 'if (unmeasured === Infinity) throw', 'if (false) throw'],
    ['a fuller disk changes nothing', short, '(free + used) * maxDiskPart', 'maxBytes'],
    ['the disk is measured each time', short, 'if (unmeasured < MEASURE_BYTES) return;', ''],
  ],
  'cache/usage.ts': [
    ['sizes of replaced files are counted twice', bounded, '    forget(name);\n    files.set', '    files.set'],
    [
      'files are read in any order',
      restarted,
      '.sort((a, b) => a.usedMs - b.usedMs)',
      '.sort((a, b) => b.usedMs - a.usedMs)',
    ],
  ],
  'cache/listing.ts': [
    ['leftovers stay', unclean, 'if (isFirst) await unlink(path).catch(() => {});', ''],
    ['other files are counted', unclean, 'names.test(own) ? await', 'true ? await'],
    ['other folders are counted', unclean, '!groups?.test(name)) continue', '!groups) continue'],
    ['leftovers of a killed writer stay', killed, 'if (isFirst) await unlink(path).catch(() => {});', ''],
  ],
};

const DOOR = 'cache-folder.ts';
const BEGINNING = 'export function createCacheFolder(';
test('each fault that is planted turns its scenario red', async (t) => {
  // One copy of the tree for all: each fault is another module in it, and another door that imports it.
  const copy = plant(t, { file: `lib/files/${DOOR}`, from: BEGINNING, to: BEGINNING });
  const calls = (await import(copy('lib/files/calls.ts').href)) as typeof realCalls;
  const textOf = (file: string): string => readFileSync(copy(`lib/files/${file}`), 'utf8');
  const door = textOf(DOOR);
  let planted = 0;
  for (const [file, own] of Object.entries(faults))
    for (const [name, scenario, from, to] of own) {
      planted += 1;
      const broken = replaced(textOf(file), { file, from, to });
      const module = copy(`lib/files/broken-${planted}.ts`);
      if (file === DOOR) writeFileSync(module, broken);
      else {
        const part = file.replace('.ts', `-${planted}.ts`);
        writeFileSync(copy(`lib/files/${part}`), broken);
        writeFileSync(module, replaced(door, { file: DOOR, from: `'./${file}'`, to: `'./${part}'` }));
      }
      const { createCacheFolder } = (await import(module.href)) as typeof real;
      await t.test(name, (inner) =>
        assert.rejects(scenario(inner, { createCacheFolder, calls }), assert.AssertionError),
      );
    }
});
