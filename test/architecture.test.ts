/**
 * The architecture rules hold, and each of them catches its breach.
 *
 * The rules and their reasons are in `architecture/policy.ts`. Every ban, budget and order below is broken on
 * purpose once, in addition to the real sources, and must return exactly one sentence.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as policies from '../src/contract/kernel/access.ts';
import { type Access, isForProfiles } from '../src/contract/kernel/endpoint.ts';
import { subtitles } from '../src/contract/subtitles/library.ts';
import { workbench } from '../src/contract/subtitles/workbench.ts';
import { broken, membersOf } from './architecture/check.ts';
import { DOMAINS } from '../src/domains.ts';
import { BANS, INNER, mayImport, WAIVERS } from './architecture/policy.ts';
import { grown, proseNow, readCounts } from './architecture/prose.ts';
import { sourcesUnder, type Source } from './architecture/read.ts';

const ROOT = join(import.meta.dirname, '..');
const sources = ['src', 'test', 'bench', 'demo'].flatMap((folder) => sourcesUnder(ROOT, folder));
const DOC = '/** x */\n';

/** Breaches of one further file, next to a door for every domain. */
const DOORS: Source[] = DOMAINS.map(({ name }) => ({ at: `${name}/index.ts`, text: DOC }));
const STRICT = { waivers: {}, oversized: {} };
const breaches = (at: string, text: string) => broken([...DOORS, { at, text: DOC + text }], STRICT);
const isCaught = (at: string, text: string, sentence: RegExp) => {
  const found = breaches(at, text);
  assert.equal(found.length, 1, `${at}: ${found.join('; ') || 'nothing found'}`);
  assert.match(found[0] ?? '', sentence);
};

test('the house rules hold', () => assert.deepEqual(broken(sources), []));

test('no area has more unclear wording than prose.json allows, and no exported name two declarations', () => {
  const now = proseNow(ROOT);
  assert.deepEqual([...grown(now, readCounts()), ...now.names], []);
});

test('every waiver says why', () => {
  for (const [key, why] of Object.entries(WAIVERS)) assert.ok(why.length > 20, key);
});

test('a folder imports only lower ones, a domain only doors', () => {
  isCaught('contract/x.ts', "import { a } from '../lib/json.ts';", /contract may import only nothing/);
  isCaught('lib/x/x.ts', "import { a } from '../../http/handle.ts';", /lib may import only contract/);
  isCaught('catalog/x/x.ts', "import { a } from '../../subtitles/index.ts';", /catalog may import only/);
  isCaught('catalog/x/x.ts', "const a = await import('../../subtitles/index.ts');", /catalog may import only/);
  isCaught('subtitles/x/x.ts', "import { a } from '../../catalog/store/reading.ts';", /use the door of catalog/);
  isCaught('subtitles/x/x.ts', "import { implement } from '../../http/handle.ts';", /only a routes\.ts/);
  isCaught('web/app/x.ts', "import { a } from '../../lib/json.ts';", /web may import only contract/);
  isCaught('catalog/x/x.ts', "import { createApp } from '../../app.ts';", /only main\.ts and tests/);
  isCaught('catalog/x/x.ts', "import { world } from '../../../test/world.ts';", /does not import tests/);
});

test('a part of the dashboard imports only the floors below it', () => {
  const caught: readonly (readonly [at: string, to: string, part: string])[] = [
    ['web/lib/navigation/link.tsx', '../../app/pages.ts', 'lib'],
    ['web/lib/format.ts', '../data/client.ts', 'lib'],
    ['web/data/session.ts', '../app/app.tsx', 'data'],
    ['web/data/query.ts', '../kit/layers/toast.tsx', 'data'],
    ['web/kit/forms/button.tsx', '../../app/pages.ts', 'kit'],
    ['web/kit/forms/button.tsx', '../../parts/catalog/cards.tsx', 'kit'],
    ['web/parts/subtitles/words.ts', '../../pages/subtitles/page.tsx', 'parts'],
    ['web/pages/item/way.tsx', '../../player/engine/stream/hls.ts', 'pages/item'],
    ['web/pages/show/page.tsx', '../item/page.tsx', 'pages/show'],
    ['web/pages/home/page.tsx', '../../app/shell.tsx', 'pages/home'],
    ['web/player/page.tsx', '../pages/item/page.tsx', 'player'],
    ['web/workbench/film/use-film.ts', '../../player/page.tsx', 'workbench'],
    ['web/workbench/page.tsx', '../main.tsx', 'workbench'],
    ['web/app/service-worker.ts', '../worker/worker.ts', 'app'],
    ['web/worker/worker.ts', '../lib/cx.ts', 'worker'],
  ];
  for (const [at, to, part] of caught) {
    const sentence = new RegExp(`: ${part} may import only the floors below it$`);
    isCaught(at, `import { a } from '${to}';`, sentence);
    isCaught(at, `import type { A } from '${to}';`, sentence);
    isCaught(at, `export const a = () => import('${to}');`, sentence);
  }
  isCaught('web/extras/x.ts', '', /web has no floor for extras/);
  const styles = {
    at: 'web/kit/states/card.module.css',
    text: ".a {\n  composes: b from '../../parts/catalog/cards.module.css';\n}\n",
  };
  assert.deepEqual(broken([...DOORS, styles], STRICT), [
    'web/kit/states/card.module.css imports web/parts/catalog/cards.module.css: kit may import only the floors ' +
      'below it',
  ]);
  assert.deepEqual(breaches('web/app/pages.ts', "export const a = () => import('../pages/item/page.tsx');"), []);
  assert.deepEqual(breaches('web/main.tsx', "import { App } from './app/app.tsx';"), []);
});

test('styles say start and end, so that layouts hold in right-to-left languages', () => {
  const style = (declaration: string, name: string) => {
    for (const text of [`.a {\n  color: red;\n  ${declaration};\n}\n`, `@media print{.a{${declaration}}}`])
      assert.deepEqual(
        broken([...DOORS, { at: 'web/kit/x.module.css', text }], STRICT),
        [`web/kit/x.module.css: a physical ${name}; write start and end for left and right`],
        declaration,
      );
  };
  for (const side of ['left', 'right']) {
    for (const property of [`margin-${side}`, `padding-${side}`, `border-${side}`, `border-${side}-color`, side])
      style(`${property}: 0`, 'property');
    style(`border-top-${side}-radius: 1rem`, 'property');
    style(`text-align: ${side}`, 'value');
    style(`float: ${side}`, 'value');
    style(`background-position: ${side} 1rem center`, 'value');
    style(`background: linear-gradient(to ${side}, red, blue)`, 'value');
  }
  style('margin: 0 1rem 0 2rem', 'shorthand');
  style('padding: 0 max(1rem, var(--a)) calc(1rem + env(x, 0px)) 0', 'shorthand');
  style('inset: 0 auto 0 0', 'shorthand');
  isCaught('web/kit/x.tsx', 'export const A = () => <p style={{ left: 1 }} />;', /a physical component/);
  isCaught('web/kit/x.tsx', "export const a = { marginLeft: '1rem' };", /a physical component/);
  for (const fine of [
    'margin-inline-start: 1rem',
    'inset-inline-end: 0',
    'margin: 0 1rem 2rem 1rem',
    'padding: 0 calc(1rem + 1px) 2rem',
    '/* left: 0; */ color: red',
    'border-radius: 1px 1px 0 0',
  ])
    assert.deepEqual(broken([...DOORS, { at: 'web/kit/x.css', text: `.left { ${fine}; }` }], STRICT), [], fine);
});

test('a pure folder knows no store, file or process', () => {
  const naming = /naming is pure/;
  isCaught('catalog/naming/x.ts', "import { readingStore } from '../store/reading.ts';", naming);
  isCaught('catalog/naming/x.ts', "import type { Row } from '../store/types.ts';", naming);
  isCaught('catalog/naming/x.ts', "import { createCatalog } from '../index.ts';", naming);
  isCaught('catalog/naming/x.ts', "import { readBounded } from '../../lib/files/index.ts';", naming);
  isCaught('cues/x/x.ts', "import { readBounded } from '../../lib/files/index.ts';", /this folder is pure/);
  isCaught(
    'cues/x.ts',
    "import { createSubtitles } from '../subtitles/index.ts';",
    /cues may import only contract, lib/,
  );
  isCaught('cues/x.ts', "import { createCatalog } from '../catalog/index.ts';", /cues may import only contract, lib/);
  isCaught('cues/x.ts', "import type { Handler } from '../http/handle.ts';", /cues may import only contract, lib/);
  isCaught('playback/plan/x.ts', "import { run } from '../../lib/process/index.ts';", /this folder is pure/);
  for (const { name, folder } of INNER)
    assert.ok(
      sources.some(({ at }) => folder.test(at)),
      `${name}: no such folder`,
    );
});

const BREACH: Record<string, string> = {
  process: "import { spawn } from 'node:child_process';",
  files: "import { readFile } from 'node:fs/promises';",
  environment: 'export const home = process.env.HOME;',
  'xml signatures': "import { SignedXml } from 'xml-crypto';",
  seeds: "import fc from 'fast-check';",
  'for tests': "const app = await createApp({ ...world, hashingCost: boot.get('security.hashing_cost') });",
  framework: "import fastify from 'fastify';",
  network: "import { request } from 'undici';",
  socket: "import { createConnection } from 'node:net';",
  sql: "db.tables().selectFrom('nothing_of_ours');",
  status: 'reply.code(404);',
  engine: "import { sql } from 'kysely';",
  log: "console.log('x');",
  eval: "eval('1');",
  unlayered: "import { a } from './a.js';",
  sentence: "if (error instanceof Failure && error.message === 'no such film') throw error;",
  'server-sentence': 'const { error } = (await reply.json()) as { error?: string };',
  timer: 'const cancel = window.setTimeout(search, 300);',
  access: "const reads = { role: 'owner', via: 'library' } as const;",
  unfiltered: "const found = await catalog.background.subject('x');",
  policy: "const seen = catalog.seenBy({ profile: '', role: 'owner', policy: OWNER_POLICY });",
  rows: 'const evidence = JSON.parse(row.evidence) as string[];',
};

/** Files of the planted breaches of bans that hold for one folder. */
const PLACE: Record<string, string> = {
  'server-sentence': 'web/pages/x/x.tsx',
  timer: 'web/parts/x/x.ts',
  access: 'contract/x/x.ts',
};

test('a domain imports the doors of the domains it uses, and of no others', () => {
  const domains = [...DOMAINS.filter(({ name }) => name !== 'playback'), { name: 'playback', uses: [] }];
  const source = { at: 'playback/x/x.ts', text: `${DOC}import { a } from '../../catalog/index.ts';` };
  assert.deepEqual(broken([...DOORS, source], STRICT), []);
  assert.deepEqual(broken([...DOORS, source], { ...STRICT, domains }), [
    'playback/x/x.ts imports catalog/index.ts: playback may import only contract, lib, cues, config',
  ]);
  isCaught('identity/x.ts', "import { a } from '../catalog/index.ts';", /identity may import only/);
  isCaught('playback/x/x.ts', "import { catalogDomain } from '../../catalog/domain.ts';", /use the door of catalog/);
  assert.deepEqual(breaches('playback/domain.ts', "import { catalogDomain } from '../catalog/domain.ts';"), []);
  isCaught('identity/domain.ts', "import { catalogDomain } from '../catalog/domain.ts';", /identity may import only/);
});

test('the list of domains has those that are used before those that use them', () => {
  const names = DOMAINS.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  DOMAINS.forEach(({ name, uses }, at) => {
    for (const used of uses) assert.ok(names.indexOf(used.name) < at, `${name} uses ${used.name}`);
  });
});

test('what most tests and every command import loads no domain', () => {
  const found = (...more: readonly (readonly [at: string, text: string])[]) =>
    broken([...DOORS, ...more.map(([at, text]) => ({ at, text: DOC + text }))], STRICT);
  const own = ['lists/domain.ts', ''] as const;
  for (const way of ["import { a } from './b.ts';", "import './b.ts';", "export * from './b.ts';"])
    assert.deepEqual(
      found(['settings.ts', way], ['b.ts', "export { a } from './lists/domain.ts';"], own),
      ['settings.ts > b.ts > lists/domain.ts: settings.ts loads no domain'],
      way,
    );
  for (const fine of ["import type { a } from './lists/domain.ts';", "const a = () => import('./lists/domain.ts');"])
    assert.deepEqual(found(['settings.ts', fine], own), [], fine);
});

test('each ban catches its breach, and only outside of where it is allowed', () => {
  const names = BANS.map(({ name }) => name);
  assert.deepEqual(Object.keys(BREACH), names);
  for (const { name, why } of BANS) {
    const at = PLACE[name] ?? 'playback/x/x.ts';
    assert.deepEqual(breaches(at, BREACH[name] ?? ''), [`${at}: ${why}`], name);
  }
});

test('a decision by the sentence or the cause of a failure is caught in its usual forms', () => {
  const texts = ["error.message !== 'x'", "'x' === error.message", "error.message.includes('x')"];
  const others = ['/x/.test(e.message)', 'message.match(/x/)', 'SAID.has(error.message)', 'WORDS[error.message]'];
  const codes = ["error.reason.startsWith('key-')", '/config/.test(error.reason)', 'error.cause === NOT_NEEDED'];
  for (const condition of [...texts, ...others, ...codes, "failed({ cause: 'no offer' })"])
    isCaught('playback/x/x.ts', `export const go = (error: Failure) => ${condition};`, /by the kind and the reason/);
  isCaught('web/pages/x/x.ts', 'export const go = (error: Error) => /config/.test(error.reason);', /by the kind and/);
});

test('the dashboard shows no sentence of the server where a failure has a reason', () => {
  const why = /shows a failure by its reason/;
  for (const shown of [
    'toast({ message: error.message })',
    '<p>{failure?.message}</p>',
    'setError(((await reply.json()) as { error?: string }).error)',
  ])
    isCaught('web/pages/x/x.tsx', `export const go = async (error: Error) => ${shown};`, why);
  isCaught(
    'web/pages/x/x.tsx',
    'export const go = (error: Error) => { const { message } = error; say(message); };',
    why,
  );
});

test('a policy of access has one name, and a name means one policy', () => {
  const named = Object.entries(policies).map(([name, policy]) => [JSON.stringify(Object.entries(policy).sort()), name]);
  assert.deepEqual(
    named.filter(([policy], at) => named.findIndex(([other]) => other === policy) !== at),
    [],
  );
  // The real modules with one more policy: the same name with another meaning, and a new name with the same one.
  for (const group of ['ops/operations.ts', 'identity/profiles.ts', 'subtitles/workbench.ts'])
    for (const planted of [
      "const OWNER_READERS = { role: 'viewer', via: 'admin' };",
      'const seen: Access = SIGNED_IN;',
    ])
      assert.deepEqual(
        breaches(`contract/${group}`, `${readFileSync(join(ROOT, 'src/contract', group), 'utf8')}\n${planted}`).filter(
          (one) => one.includes('policies of access'),
        ),
        [`contract/${group}: policies of access have one name each, in contract/kernel/access.ts`],
        planted,
      );
});

test('a handler cannot get at the catalogue without a filter by any of its names', () => {
  const why = /comes from catalog\.seenBy/;
  isCaught(
    'playback/x/x.ts',
    "import type { CatalogBackground } from '../../catalog/index.ts';\n" +
      'export interface Needs { catalog: CatalogBackground }',
    why,
  );
  isCaught('playback/x/x.ts', "import type { CatalogAdmin as Admin } from '../../catalog/index.ts';", why);
  isCaught(
    'playback/x/x.ts',
    "import type { OpenCatalog } from '../../catalog/index.ts';\n" +
      'export const go = ({ background }: OpenCatalog) => background;',
    why,
  );
  isCaught('subtitles/routes.ts', 'export const go = (needs: Needs) => needs.catalog.admin.libraries();', why);
  assert.deepEqual(
    breaches('playback/markers/analysis/x.ts', "import type { CatalogBackground } from '../../../catalog/index.ts';"),
    [],
  );
});

test('what the subtitles domain answers is for Owners', () => {
  const all = Object.entries({ ...subtitles, ...workbench }) as [string, { access: Access }][];
  assert.ok(all.length > 10);
  assert.deepEqual(
    all.filter(([, { access }]) => !isForProfiles(access) || access.role !== 'owner').map(([name]) => name),
    [],
  );
});

test('a ban is not fooled by a comment, and not silenced by one', () => {
  assert.deepEqual(
    breaches('playback/x/x.ts', "// import { spawn } from 'node:child_process';\nexport const a = 1;"),
    [],
  );
  isCaught('playback/x/x.ts', "/* allowed */ import { spawn } from 'node:child_process';", /lib\/process/);
});

test('no layout of a file evades a rule', () => {
  const filler = 'const value = compute(first, second); '.repeat(110);
  assert.ok(filler.length > 4000);
  const sentence = /lib\/process/;
  const hidden = `${filler.slice(0, 2000)}import { spawn } from 'node:child_process'; ${filler.slice(2014, 3900)}`;
  assert.ok(breaches('playback/x/x.ts', hidden).some((one) => sentence.test(one)));
  isCaught('playback/x/x.ts', "import {\n  // spawn\n  spawn,\n}\n  from\n  'node:child_process';", sentence);
  isCaught('playback/x/x.ts', 'import { spawn } from "node:child_process";', sentence);
  isCaught('playback/x/x.ts', 'export const go = () => import(\n  /* why */ `node:child_process`\n);', sentence);
  isCaught('playback/x/x.ts', "export * from 'node:child_process';", sentence);
  isCaught('playback/x/x.ts', "import { createServer as open } from 'node:net';", /sockets are opened/);
  isCaught('playback/x/x.ts', "import * as net from 'node:net';", /sockets are opened/);
  isCaught('playback/x/x.ts', "import net from 'node:net';", /sockets are opened/);
  isCaught('playback/x/x.ts', 'export const { env } = process;', /the environment is read/);
  isCaught('playback/x/x.ts', "export const fs = process.getBuiltinModule('node:fs');", /modules are ours/);
  // The marks of a comment within a text hide no code.
  isCaught(
    'playback/x/x.ts',
    "const a = '/*';\nimport { spawn } from 'node:child_process';\nconst b = '*/';",
    sentence,
  );
  const upward = /catalog may import only/;
  isCaught('catalog/x/x.ts', "import {\n  a,\n  b,\n} from\n  '../../subtitles/index.ts';", upward);
  isCaught('catalog/x/x.ts', 'import { a } from "../../subtitles/index.ts";', upward);
  isCaught('catalog/x/x.ts', "type A = import(\n  '../../subtitles/index.ts'\n).A;", upward);
  isCaught('catalog/x/x.ts', 'export const a = () => import ( `../../subtitles/index.ts` );', upward);
  isCaught('catalog/x/x.ts', "export { a } from '../../subtitles/index.ts';", upward);
  isCaught('catalog/x/x.ts', 'export const a = (of: string) => import(`../../${of}/index.ts`);', /names its module/);
  isCaught('playback/x/x.ts', `${filler}\n`, /x\.ts:2: over 120 columns/);
  isCaught('playback/x/x.ts', `const a = \`\n\${${filler}}\`;`, /x\.ts:3: over 120 columns/);
  assert.deepEqual(breaches('playback/x/x.ts', `const a = /${'a'.repeat(4000)}/;\n`), []);
  assert.deepEqual(breaches('playback/x/x.ts', `const a = \`\n${'a'.repeat(4000)}\`;\n`), []);
  assert.deepEqual(breaches('web/messages/en/x.ts', `const a = '${'a'.repeat(200)}';\n`), []);
});

test('budgets', () => {
  isCaught('playback/x/x.ts', 'export const a = 1;\n'.repeat(401), /402 lines, over 400/);
  isCaught('playback/x/x.ts', `export function long() {\n${'  go();\n'.repeat(99)}}`, /long: 101 lines, over 100/);
  isCaught(
    'playback/x/x.ts',
    `export const createX = () => ({\n${'  one: () => {\n    go();\n  },\n'.repeat(33)}});`,
    /createX: 101 lines, over 100/,
  );
  assert.deepEqual(breaches('playback/x/x.ts', `export function long() {\n${'  // why\n\n  go();\n'.repeat(98)}}`), []);
  const grown = { at: 'playback/x/x.ts', text: DOC + 'export const a = 1;\n'.repeat(420) };
  assert.deepEqual(broken([...DOORS, grown], { waivers: {}, oversized: { 'playback/x/x.ts': 421 } }), []);
  assert.deepEqual(broken([...DOORS, grown], { waivers: {}, oversized: { 'playback/x/x.ts': 420 } }), [
    'playback/x/x.ts: 421 lines, and it had 420; what is over its budget only shrinks',
  ]);
  const members = Array.from({ length: 13 }, (_, n) => `  m${n}(a: { b: number }): void;\n`);
  const wide = `export interface Wide {\n${members.join('')}}\nexport const createWide = 1;`;
  assert.equal(membersOf(wide, 'Wide'), 13);
  assert.deepEqual(broken([{ at: 'ops/index.ts', text: DOC + wide }], STRICT), [
    'ops/index.ts: the door Wide has 13 members, over 12',
  ]);
  assert.deepEqual(broken([{ at: 'ops/a.ts', text: DOC }], STRICT), ['ops: a domain has a door, index.ts']);
});

test('form: a header, a name, and no waiver that nothing needs', () => {
  assert.equal(broken([{ at: 'lib/x.ts', text: 'export const a = 1;' }], STRICT).length, 1);
  isCaught('lib/x/camelCase.ts', '', /kebab-case/);
  assert.deepEqual(broken([], { waivers: { 'lib/x.ts': 'because' }, oversized: {} }), [
    'lib/x.ts: this waiver is not needed any more',
  ]);
});

test('a table has one owner', () => {
  const made: Source = { at: 'catalog/store/x.ts', text: `${DOC}db.schema.createTable('shelf_mark');` };
  const naming = (at: string, text: string) =>
    broken([made, { at, text: DOC + text }], STRICT).filter((one) => one.includes('shelf_mark'));
  assert.deepEqual(naming('subtitles/store.ts', "tx.selectFrom('shelf_mark');"), [
    'subtitles/store.ts: table shelf_mark belongs to catalog',
  ]);
  assert.deepEqual(naming('subtitles/store.ts', "db.schema.createTable('shelf_mark');"), [
    'subtitles/store.ts: table shelf_mark is made by catalog, too',
  ]);
  assert.deepEqual(naming('catalog/store/y.ts', "tx.selectFrom('shelf_mark');"), []);
});

test('every folder is a floor or in the list of domains', () => {
  const known = new Set<string>(Object.keys(mayImport(DOMAINS)));
  const there = new Set(
    sources.filter(({ at }) => !at.startsWith('../') && at.includes('/')).map(({ at }) => at.split('/')[0] ?? ''),
  );
  assert.deepEqual(
    [...there].filter((folder) => !known.has(folder)),
    [],
  );
});
