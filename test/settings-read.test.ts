/**
 * Each setting is read by the domain that declares it, or by one that uses it; or it names the feature that will.
 *
 * Reads are found in the sources: calls of `get` and `on` with the key as a literal. The rules between settings, which
 * only judge values, do not count.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseSync } from 'oxc-parser';
import { settingSet, type Setting } from '../src/config/index.ts';
import { booleanSamples } from '../src/config/samples.ts';
import { setting, settingGroup } from '../src/config/setting.ts';
import { boolean } from '../src/config/types/basic.ts';
import { DOMAINS } from '../src/domains.ts';
import { SETTINGS } from '../src/settings.ts';
import { sourcesUnder, type Source } from './architecture/read.ts';

const NOT_READERS = /\.test\.ts$|(^|\/)testing|^config\/(rules|later)\.ts$|\/settings\.ts$|^web\/|^contract\//;

interface Owner {
  name: string;
  uses: readonly { name: string }[];
  settings: readonly Setting[];
}

/** Returns where each key is read, by the folder of the reader; '' is the top of `src`. */
function readsIn(sources: readonly Source[], keys: ReadonlySet<string>): Map<string, Set<string>> {
  const reads = new Map<string, Set<string>>();
  for (const { at, text } of sources.filter((one) => !NOT_READERS.test(one.at))) {
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      if (Array.isArray(node)) return node.forEach(visit);
      const {
        type,
        callee,
        arguments: given,
      } = node as {
        type?: string;
        callee?: { name?: string; property?: { name?: string } };
        arguments?: { value?: unknown }[];
      };
      const key = given?.[0]?.value;
      if (
        type === 'CallExpression' &&
        /^(get|on)$/.test(callee?.property?.name ?? callee?.name ?? '') &&
        keys.has(String(key))
      ) {
        const folders = reads.get(String(key)) ?? new Set();
        reads.set(String(key), folders.add(at.includes('/') ? (at.split('/')[0] ?? '') : ''));
      }
      Object.values(node).forEach(visit);
    };
    visit(parseSync(at, text).program);
  }
  return reads;
}

/** Returns a sentence for each setting whose declaration and readers do not agree. */
function faultsOf(owners: readonly Owner[], sources: readonly Source[]): string[] {
  const { all } = settingSet(owners.flatMap(({ settings }) => settings));
  const reads = readsIn(sources, new Set(all.map(({ key }) => key)));
  return owners.flatMap(({ name, settings }) =>
    settings.flatMap(({ key, until }) => {
      const readers = [...(reads.get(key) ?? [])];
      if (readers.length === 0) return until === undefined ? [`${key} is read by no code; say \`until\``] : [];
      if (until !== undefined) return [`${key} is read; it is not for later`];
      const may = (folder: string): boolean =>
        name === 'config' ||
        folder === name ||
        owners.some((one) => one.name === folder && one.uses.some((used) => used.name === name));
      return readers
        .filter((folder) => !may(folder))
        .map((folder) => `${key} is declared by ${name} and read by ${folder || 'the assembly'}`);
    }),
  );
}

const sources = sourcesUnder(join(import.meta.dirname, '..'), 'src');

test('each setting is read where it is declared, or says what it waits for', () => {
  assert.deepEqual(faultsOf(DOMAINS, sources), []);
  const later = SETTINGS.all.filter(({ until }) => until !== undefined).length;
  assert.ok(later > 0 && later < SETTINGS.all.length / 2, `${later} of ${SETTINGS.all.length} are for later`);
});

test('a setting that nothing reads, one that is read too early, and one that another domain reads are found', () => {
  const declared = (key: string, until?: string): Setting =>
    setting({
      key,
      env: `SERVICE_${key.toUpperCase().replace('.', '_')}`,
      group: settingGroup('x', 'X'),
      title: 'X',
      type: boolean,
      restart: false,
      doc: 'X.',
      samples: booleanSamples,
      ...(until !== undefined && { until }),
    });
  const owners: Owner[] = [
    { name: 'low', uses: [], settings: [declared('x.one'), declared('x.two', 'Later'), declared('x.three')] },
    { name: 'high', uses: [{ name: 'low' }], settings: [declared('x.four')] },
  ];
  const read = (at: string, text: string): Source => ({ at, text });
  assert.deepEqual(
    faultsOf(owners, [
      read('high/a.ts', "config.get('x.one'); const mine = config.get('x.four');"),
      read('high/settings.ts', "config.get('x.three');"),
    ]),
    ['x.three is read by no code; say `until`'],
  );
  assert.deepEqual(
    faultsOf(owners, [
      read('low/a.ts', "config.get('x.one'); needs.config.on('x.two', () => {}); config.get('x.three')"),
      read('low/b.ts', "config.get('x.four')"),
    ]),
    ['x.two is read; it is not for later', 'x.four is declared by high and read by low'],
  );
});
