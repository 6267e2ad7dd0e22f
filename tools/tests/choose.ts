/**
 * Chooses what a change can break: the files of tests that reach a changed file, and the pages that show it.
 *
 * A file reaches those that it names in any text, as an import or as a path, because a path too many costs seconds and
 * one too few hides a failure. Tests of one module are found in that way. A test of the whole product reaches
 * everything, which says nothing: reaching therefore ends at the files that assemble the product. Such a test is
 * chosen when it names an address that belongs to the change: of an endpoint in the contract of the changed domain, or
 * of a page of the dashboard that contains the changed module. Two things are
 * left out, because many tests have them in common: an address that many name, and a helper of many that a change of
 * the product reaches.
 *
 * A changed file that no file names (a picture, a table that is found by its folder) chooses the tests of its folder.
 * Documents have tests that always run.
 */
import { dirname, join, normalize } from 'node:path';

export interface Choice {
  /** Files of tests, sorted. */
  tests: readonly string[];
  /** Names of the pages of the dashboard that contain a changed module, if only these are to be visited. */
  pages: readonly string[];
}

/** Files that bring everything together. What imports them is a test of the whole product. */
const ASSEMBLES = /^src\/(app|domains|main|migrations|run|settings|contract\/api|web\/app\/pages|[\w-]+\/domain)\.ts$/;
const IS_TEST = /\.test\.tsx?$/;
/** Visits every page. */
const VISITS = 'test/flows/pages.test.ts';
/** Texts that may be a path or an address. */
const TEXTS = /['"`]([\w@./?=&${}-]{2,160})/g;
/** Imports of types, which the compiler checks. */
const TYPES = /^(?:import|export) type [^;]*;/gm;
/** Share of the tests of the whole product that may name an address before it counts as set-up. */
const TOO_MANY = 0.15;
/** Helpers of more tests than this are set-up, too. */
const MAX_TESTS_OF_HELPER = 4;

/** Chooses among `files`: paths relative to the root with their text, empty for what is not read. */
export function choose(files: ReadonlyMap<string, string>, changed: readonly string[]): Choice {
  const named = new Map([...files].map(([file, text]) => [file, namedIn(file, text, files)]));
  const users = new Map<string, string[]>();
  for (const [file, others] of named)
    for (const other of others) {
      const known = users.get(other);
      if (known) known.push(file);
      else users.set(other, [file]);
    }
  const tests = [...files.keys()].filter((file) => IS_TEST.test(file));
  const reached = reach(changed, users, testsOfHelpers(tests, named));
  const chosen = new Set([...reached].filter((file) => IS_TEST.test(file)));
  for (const file of changed)
    if (!users.has(file) && !/\.md$|\.test\.tsx?$/.test(file))
      for (const test of testsNear(file, tests)) chosen.add(test);
  const pages = pagesIn(files, reached);
  const own = [...addressesOfDomains(files, changed), ...pages.map(({ address }) => address)].map(shapeOf);
  for (const [test, addresses] of addressesOfTests(tests, named, files))
    if (own.some((shape) => addresses.some((address) => shape.test(address)))) chosen.add(test);
  const areAllVisited = chosen.has(VISITS) || pages.length === 0;
  if (!areAllVisited) chosen.add(VISITS);
  return {
    tests: [...chosen].filter((file) => files.has(file)).sort(),
    pages: areAllVisited ? [] : pages.map(({ name }) => name),
  };
}

/** The files that a text names: relative to it, next to it, or from the root. */
function namedIn(file: string, text: string, files: ReadonlyMap<string, string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [, name = ''] of text.replaceAll(TYPES, '').matchAll(TEXTS)) {
    const at = name.startsWith('.') || !files.has(name) ? normalize(join(dirname(file), name)) : name;
    if (at !== file && files.has(at)) found.add(at);
  }
  return found;
}

/**
 * The changed files and those that reach them, up to the files that assemble the product and, when the product is what
 * changed, up to the helpers of many tests.
 */
function reach(
  changed: readonly string[],
  users: ReadonlyMap<string, readonly string[]>,
  testsOf: ReadonlyMap<string, number>,
): ReadonlySet<string> {
  const found = new Set(changed);
  const isEnd = (file: string): boolean => ASSEMBLES.test(file) || IS_TEST.test(file);
  const isSetUp = (from: string, to: string): boolean =>
    !isOfTests(from) && isOfTests(to) && (testsOf.get(to) ?? 0) > MAX_TESTS_OF_HELPER;
  for (const file of found)
    if (!isEnd(file)) for (const user of users.get(file) ?? []) if (!isSetUp(file, user)) found.add(user);
  return found;
}
const isOfTests = (file: string): boolean => file.startsWith('test/');

/** The tests of the folder of a file, or of the nearest folder above that has some, below `src` and the like. */
function testsNear(file: string, tests: readonly string[]): readonly string[] {
  for (let folder = dirname(file); folder.includes('/'); folder = dirname(folder)) {
    const near = tests.filter((test) => test.startsWith(`${folder}/`));
    if (near.length > 0) return near;
  }
  return [];
}

/** The addresses of the endpoints that the contract of a changed domain has. */
function addressesOfDomains(files: ReadonlyMap<string, string>, changed: readonly string[]): readonly string[] {
  const domains = new Set(changed.flatMap((file) => /^src\/(?:contract\/)?([\w-]+)\//.exec(file)?.[1] ?? []));
  return [...files].flatMap(([file, text]) => {
    const domain = /^src\/contract\/([\w-]+)\//.exec(file)?.[1];
    if (domain === undefined || !domains.has(domain)) return [];
    return [...text.matchAll(/\bpath: '\/api\/v1(\/[^']+)'/g)].map(([, path = '']) => path);
  });
}

/** The pages of the dashboard whose module is reached. */
function pagesIn(
  files: ReadonlyMap<string, string>,
  reached: ReadonlySet<string>,
): readonly { name: string; address: string }[] {
  const table = 'src/web/app/pages.ts';
  const addresses = new Map(
    [...(files.get('src/contract/dashboard/pages.ts') ?? '').matchAll(/^ {2}(\w+): '(\/[^']*)',$/gm)].map(
      ([, name = '', address = '']) => [name, address],
    ),
  );
  return [...(files.get(table) ?? '').matchAll(/^ {2}(\w+): .*import\('([^']+)'\)/gm)].flatMap(
    ([, name = '', module = '']) => {
      const address = addresses.get(name);
      return address !== undefined && reached.has(normalize(join(dirname(table), module))) ? [{ name, address }] : [];
    },
  );
}

/** Tests outside `src` with the addresses that they and their own helpers name, without those that belong to set-up. */
function addressesOfTests(
  tests: readonly string[],
  named: ReadonlyMap<string, ReadonlySet<string>>,
  files: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly string[]> {
  const whole = tests.filter(isOfTests);
  const uses = testsOfHelpers(tests, named);
  const found = new Map(
    whole.map((test) => {
      const own = [...helpersOf(test, named)].filter((file) => (uses.get(file) ?? 0) <= MAX_TESTS_OF_HELPER);
      const texts = [test, ...own].flatMap((file) =>
        [...(files.get(file) ?? '').matchAll(TEXTS)].map(([, text = '']) => text),
      );
      return [test, new Set(texts.filter((text) => text.startsWith('/')).map(addressIn))] as const;
    }),
  );
  const counts = countOf([...found.values()].flatMap((some) => [...some]));
  const isOwn = (address: string) => (counts.get(address) ?? 0) <= Math.max(3, TOO_MANY * whole.length);
  return new Map([...found].map(([test, some]) => [test, [...some].filter(isOwn)]));
}

/** How many tests of the whole product each helper has. */
const testsOfHelpers = (tests: readonly string[], named: ReadonlyMap<string, ReadonlySet<string>>) =>
  countOf(tests.filter(isOfTests).flatMap((test) => [...helpersOf(test, named)]));

/** The files outside `src` that a test reaches, without itself and other tests. */
function helpersOf(test: string, named: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const found = new Set([test]);
  for (const file of found)
    for (const other of named.get(file) ?? []) if (isOfTests(other) && !IS_TEST.test(other)) found.add(other);
  found.delete(test);
  return found;
}

function countOf(all: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

/** `/items/x/markers` of `/api/v1/items/${id}/markers?q=1`: what is put in, in the form of an id. */
const addressIn = (text: string): string =>
  text
    .replace(/^\/api\/v1(?=\/)/, '')
    .replace(/[?#].*$/, '')
    .replaceAll(/\$\{[^}]*\}?/g, 'x');

const shapeOf = (address: string): RegExp => new RegExp(`^${address.replaceAll(/\{\w+\}/g, '[\\w-]+')}/?$`);
