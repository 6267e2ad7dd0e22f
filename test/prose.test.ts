/**
 * The check of wording finds each construction that it bans, and lets good English pass. That the tree keeps to its
 * counts is tested in `architecture.test.ts`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  areaOf,
  breachesOf,
  duplicateFaults,
  duplicatesOf,
  grown,
  helperFaults,
  lowered,
  proseOf,
  SHARED_NAMES,
  subjectFaults,
} from './architecture/prose.ts';
import { PATTERNS } from './architecture/prose-patterns.ts';

const namesOf = (file: string, text: string) => proseOf(file, text).map(({ pattern }) => pattern);

test('each pattern finds its examples and lets its counterexamples pass', () => {
  for (const { name, kinds, finds, allows } of PATTERNS) {
    for (const kind of kinds) {
      const isFound = (text: string) => breachesOf(kind, text).some((found) => found.name === name);
      for (const text of finds) assert.ok(isFound(text), `${name}: not found in ${kind} "${text}"`);
      for (const text of allows) assert.ok(!isFound(text), `${name}: found in ${kind} "${text}"`);
    }
  }
});

test('each kind of text is read where it occurs', () => {
  assert.deepEqual(namesOf('src/lib/x.ts', '/** Rows.\n * Kept\n * in\n * vain. */\nexport const rows = 1;'), [
    'in vain',
  ]);
  assert.deepEqual(namesOf('src/lib/x.ts', '// One line that goes\n// on for ever.\nexport const rows = 1;'), [
    'goes on',
  ]);
  assert.deepEqual(namesOf('src/lib/x.ts', "fail(new Failure('conflict', 'somebody was faster'));"), ['somebody']);
  assert.deepEqual(namesOf('src/lib/x.ts', 'fail(`${name} stands there`);'), ['stands']);
  assert.deepEqual(namesOf('src/contract/x.ts', "read({ summary: 'What a Profile may see' });"), ['clause as subject']);
  assert.deepEqual(namesOf('src/contract/x.ts', "text().describe('Where it is');"), ['clause as subject']);
  assert.deepEqual(namesOf('src/web/x.tsx', 'export const Note = () => <p>Nobody is here</p>;'), ['somebody']);
  assert.deepEqual(namesOf('src/lib/x.test.ts', "test('begins anew', () => {});"), ['anew']);
  assert.deepEqual(namesOf('src/lib/x.test.ts', "const cue = 'Nobody said that';"), []);
  assert.deepEqual(namesOf('docs/x.md', '# Title\n\nA file that lies\nbeside the film.\n'), ['beside']);
  assert.deepEqual(namesOf('docs/x.md', '```\nput it beside the film\n```\n'), []);
  assert.deepEqual(namesOf('src/lib/lane.ts', ''), ['file name']);
  assert.deepEqual(namesOf('src/lib/x.ts', 'export function createShelf() {}'), ['exported name']);
  assert.deepEqual(namesOf('src/lib/x.ts', 'export const { n } = limits;'), ['short export']);
  assert.deepEqual(namesOf('src/lib/x.ts', 'export interface Seen { id: string }'), ['participle as type']);
  assert.deepEqual(namesOf('src/lib/x.ts', 'interface Seen { id: string }'), []);
});

test('a finding has its line, and code in a comment is not prose', () => {
  const [found] = proseOf('src/lib/x.ts', '/** Rows. */\n\n/** Tells `rows`. */\nexport const rows = 1;');
  assert.equal(found?.line, 3);
  assert.deepEqual(namesOf('src/lib/x.ts', '/** Calls `nobody()` of "somebody". */'), []);
});

test('doors and messages are areas of their own', () => {
  assert.equal(areaOf('src/catalog/index.ts', 'comment'), 'doors');
  assert.equal(areaOf('src/catalog/scan/place.ts', 'message'), 'messages');
  assert.equal(areaOf('src/catalog/scan/place.ts', 'comment'), 'src/catalog');
  assert.equal(areaOf('src/web/pages/home.tsx', 'message'), 'src/web');
  assert.equal(areaOf('src/contract/kernel/endpoint.ts', 'statement'), 'src/contract');
  assert.equal(areaOf('docs/install.md', 'document'), 'docs');
});

test('one exported name is declared by one module', () => {
  const one = { file: 'src/a.ts', text: 'export const placeOf = 1;' };
  const other = { file: 'src/b.ts', text: 'export function placeOf() {}' };
  assert.deepEqual([...duplicatesOf([one, other])], [['placeOf', ['src/a.ts', 'src/b.ts']]]);
  assert.deepEqual([...duplicatesOf([one, { file: 'src/b.ts', text: "export { placeOf } from './a.ts';" }])], []);
  const alias = { file: 'src/c.ts', text: "export { cellOf as placeOf } from './b.ts';" };
  assert.deepEqual([...duplicatesOf([one, alias])], [['placeOf', ['src/a.ts', 'src/c.ts']]]);
  const pair = { file: 'src/a.ts', text: 'export const Cue = 1;\nexport type Cue = string;' };
  assert.deepEqual([...duplicatesOf([pair])], []);
  assert.deepEqual([...duplicatesOf([one, { ...other, file: 'src/b.test.ts' }])], []);
  assert.match(duplicateFaults([one, other])[0] ?? '', /^placeOf: exported by src\/a.ts and src\/b.ts; /);
  for (const [name, why] of Object.entries(SHARED_NAMES)) assert.ok(why.length > 20, name);
});

test('a helper that opens something for a test is named so', () => {
  const helper = (name: string, returns = 'Promise<World>') => ({
    file: 'src/lib/x/testing.ts',
    text: `export async function ${name}(t: TestContext): ${returns} {}`,
  });
  assert.match(helperFaults([helper('world')])[0] ?? '', /^src\/lib\/x\/testing\.ts world: /);
  assert.deepEqual(helperFaults([helper('openWorld'), helper('bounded', 'Promise<void>')]), []);
  assert.deepEqual(helperFaults([{ ...helper('world'), file: 'src/lib/x/x.ts' }]), []);
});

test('counts only go down', () => {
  const allowed = { subjectsAfter: '', areas: { 'src/lib': 3, test: 2 } };
  const now = (areas: Record<string, number>) => ({ areas });
  assert.deepEqual(grown(now({ 'src/lib': 3 }), allowed), []);
  assert.match(grown(now({ 'src/lib': 4 }), allowed)[0] ?? '', /^src\/lib: 4 findings, 3 allowed/);
  assert.match(grown(now({ 'src/ops': 1 }), allowed)[0] ?? '', /^src\/ops: 1 findings, 0 allowed/);
  assert.deepEqual(lowered(now({ 'src/lib': 1, test: 5 }), allowed), {
    subjectsAfter: '',
    areas: { 'src/lib': 1, test: 2 },
  });
  // Text that moves to a new folder brings its count along, but not into an area that has none.
  assert.deepEqual(lowered(now({ 'src/lib': 1, 'src/ops': 2 }), allowed).areas, { 'src/lib': 1, 'src/ops': 2 });
  assert.deepEqual(lowered(now({ 'src/lib': 3, 'src/ops': 3 }), allowed).areas, { 'src/lib': 3 });
  assert.deepEqual(lowered(now({ 'src/lib': 1, 'src/web': 1 }), allowed).areas, { 'src/lib': 1 });
});

test('a commit subject has one area and an imperative verb', () => {
  assert.deepEqual(subjectFaults('subtitles: keep the first original on re-fetch'), []);
  assert.deepEqual(subjectFaults('house: embed the licence in the package'), []);
  for (const [subject, fault] of [
    ['keep the first original', /area: imperative/],
    ['subtitles: Keep the first original', /area: imperative/],
    [`subtitles: keep ${'x'.repeat(60)}`, /over 72/],
    ['subtitles: what stays is the first original', /imperative verb/],
    ['subtitles: moving the originals', /imperative verb/],
    ['subtitles: keep originals beside the film', /beside/],
  ] as const)
    assert.match(subjectFaults(subject).join('; '), fault);
});
