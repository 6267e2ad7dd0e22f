/**
 * How often the header reader agrees with ffprobe, field by field, over a folder of media.
 *
 *     node bench/probe-parity.ts FOLDER [MOST_FILES]
 *
 * Prints, for each field, how many of the compared files agree, the files that differ, why the
 * reader left files to ffprobe, and what both cost. Reads the folder only.
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fromFfprobe } from '../src/catalog/probe/from-ffprobe.ts';
import { createHead, readHeader } from '../src/catalog/probe/read.ts';
import { probeFile } from '../src/catalog/probe/testing/corpus.ts';
import { differences } from '../src/catalog/probe/testing/differences.ts';
import { withHeaderFile } from '../src/lib/files/header.ts';

const [folder = '', most = '100000'] = process.argv.slice(2);
if (folder === '') {
  console.error('usage: node bench/probe-parity.ts FOLDER [MOST_FILES]');
  process.exit(2);
}

const media = /\.(?:mkv|mka|mks|webm|mp4|m4v|m4a|m4b|mov|3gp|avi|ts|m2ts|mpg|wmv|flv|ogm|ogg|opus|mp3|flac|wav)$/i;
const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => media.test(path))
  .sort()
  .slice(0, Number(most));
const head = createHead();
Error.stackTraceLimit = 0;

const reasons = new Map<string, number>();
const fields = new Map<string, number>();
let compared = 0;
let equal = 0;
let failed = 0;
let readerMs = 0;
let ffprobeMs = 0;
const count = (into: Map<string, number>, name: string): void => void into.set(name, (into.get(name) ?? 0) + 1);

for (const path of paths) {
  const full = join(folder, path);
  const began = performance.now();
  const found = withHeaderFile(full, (size, at) => ({ size, reading: readHeader(size, at, head) }));
  readerMs += performance.now() - began;
  if (found === undefined || found.size === 0) {
    failed += 1;
    continue;
  }
  const { reading, size } = found;
  if (!('info' in reading)) {
    count(reasons, reading.uncertain);
    continue;
  }
  const asked = performance.now();
  const expected = fromFfprobe(await probeFile(full).catch(() => ({})), { size, container: reading.info.container });
  ffprobeMs += performance.now() - asked;
  compared += 1;
  const unlike = expected === undefined ? ['ffprobe: reads nothing'] : differences(reading.info, expected);
  if (unlike.length === 0) equal += 1;
  else console.log(`${path}\n  ${unlike.join('\n  ')}`);
  for (const line of new Set(unlike.map((one) => one.slice(0, one.indexOf(':')).replace(/\.\d+/g, ''))))
    count(fields, line);
}

const share = (part: number): string => `${((100 * part) / Math.max(1, compared)).toFixed(2)} %`;
console.log(
  `files ${paths.length}, unreadable ${failed}, left to ffprobe ${paths.length - failed - compared}, compared ` +
    `${compared}, alike ${equal} (${share(equal)})`,
);
for (const [name, wrong] of fields) console.log(`  ${name}: ${share(compared - wrong)} alike`);
for (const [why, times] of [...reasons].sort((a, b) => b[1] - a[1])) console.log(`  left to ffprobe: ${why}: ${times}`);
console.log(
  `reader ${(readerMs / Math.max(1, paths.length)).toFixed(3)} ms a file, ffprobe ` +
    `${(ffprobeMs / Math.max(1, compared)).toFixed(1)} ms a file`,
);
