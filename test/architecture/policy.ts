/**
 * The house rules as tables: who may import whom, what is kept where, how large things grow, and every
 * waiver with its reason. `check.ts` applies them; `../architecture.test.ts` proves that each one bites.
 */

/** The folders of `src`, low to high. A folder imports only those before it in its list. */
const FLOOR = ['contract', 'lib'] as const;
export const DOMAINS = ['config', 'identity', 'catalog', 'subtitles', 'playback', 'social', 'downloads', 'ops', 'compat'] as const;

/** What a folder may import of the others. `http` is open to a domain's routes.ts alone. */
export const MAY: Record<string, readonly string[]> = {
  contract: [],
  lib: ['contract'],
  http: FLOOR,
  'web-files': FLOOR,
  web: ['contract'],
  ...Object.fromEntries(DOMAINS.map((domain, at) => [domain, [...FLOOR, ...DOMAINS.slice(0, at)]])),
};

/** Folders that tie operations to HTTP in their routes.ts, and are otherwise reached by their index.ts. */
export const WITH_DOOR: readonly string[] = [...DOMAINS, 'web-files'];

export interface Ban {
  name: string;
  /** Read against the code of a file, comments left out. */
  pattern: RegExp;
  allowed: RegExp;
  why: string;
  /** Tests stand outside the machine room: they make files and start processes to break things. */
  isForTests?: true;
}

const HELPERS = 'catalog/(probe/testing/|scan/look\\.ts$)';

/**
 * Modules that `app.ts` hands the catalogue without a filter: they show nothing to anybody, or to Owners alone. No
 * routes.ts is among them, and a test says that every endpoint of `subtitles` is the Owner's.
 */
export const UNFILTERED = [
  'subtitles/(?!routes\\.ts)',
  'playback/extras\\.ts$',
  'playback/markers/analysis/',
  'playback/trickplay/background\\.ts$',
  'playback/media-index/walk/background\\.ts$',
] as const;

export const BANS: readonly Ban[] = [
  { name: 'process', pattern: /from 'node:(child_process|cluster|worker_threads)'/, allowed: /^lib\/(process|db)\//, why: 'processes are started in lib/process, which bounds and ends them; threads are in lib/db' },
  // scan/look.ts runs in a process of its own that may hang on a dead share and be killed; probe/testing makes clips for tests.
  { name: 'files', pattern: /from 'node:fs(\/promises)?'/, allowed: new RegExp(`^lib/|^${HELPERS}`), why: 'files are touched in lib/, which writes them whole and follows no link' },
  { name: 'environment', pattern: /\bprocess\.env\b/, allowed: /^config\/environment\.ts$|^lib\/process\/testing-helper\.ts$|^lib\/lane\.ts$/, why: 'the environment is read in config/, which validates it (lib/lane reads only the size of the thread pool, which no setting can change)' },
  { name: 'framework', pattern: /from 'fastify'/, allowed: /^http\//, why: 'only http/ knows the web framework' },
  { name: 'network', pattern: /from '(undici|node:(http|https|http2|tls|dgram|dns|dns\/promises))'|\bfetch\(\s*['"`]https?:/, allowed: /^lib\/net\/|^http\//, why: 'the network is reached through lib/net, which guards addresses and sizes; http/ listens' },
  { name: 'socket', pattern: /import (?!type\b)\{[^}]*\b(createConnection|createServer|connect|Socket|Server)\b[^}]*\} from 'node:net'/, allowed: /^lib\/net\/|^http\//, why: 'sockets are opened in lib/net and http/ alone' },
  { name: 'sql', pattern: /\.(selectFrom|insertInto|updateTable|deleteFrom|createTable|alterTable|dropTable)\(|\bsql(<[^>]*>)?`|\b(CREATE|ALTER|DROP) (TABLE|INDEX)\b/, allowed: /\/store\.ts$|\/store\/|^lib\/db\/|^lib\/tasks\/store\.ts$/, why: "SQL is in a domain's store.ts, or its store folder" },
  { name: 'status', pattern: /\.(code|status|writeHead)\(\s*[1-5]\d\d\b/, allowed: /^http\//, why: 'statuses come from the STATUS table' },
  { name: 'engine', pattern: /from '(kysely|node:sqlite|pg|@electric-sql\/pglite)'/, allowed: /^lib\/db\/|\/store\.ts$|\/store\/|^lib\/tasks\/store\.ts$/, why: 'the database is known to stores and lib/db' },
  { name: 'log', pattern: /from 'pino'|\bconsole\.\w+\(/, allowed: /^lib\/log\.ts$|^main\.ts$|^web\//, why: 'lib/log keeps secrets and titles out of what is written' },
  { name: 'eval', pattern: /\beval\(|new Function\(|from 'node:vm'/, allowed: /^\.\.\/test\/architecture/, why: 'no text becomes code', isForTests: true },
  { name: 'unlayered', pattern: /\bfrom '\.[^']*\.js'|\brequire\(/, allowed: /^\.\.\/test\/architecture|^lib\/xml\/parser\.ts$/, why: 'modules are ours by their .ts name; a package is loaded late only where a start would pay for it', isForTests: true },
  { name: 'unfiltered', pattern: /\bCatalog(Background|Admin)\b|\bOpenCatalog\b|\bcatalog\??\.(background|admin)\b/, allowed: new RegExp(`^catalog/|^app\\.ts$|^(${UNFILTERED.join('|')})`), why: 'what a request shows comes from catalog.seenBy(principal); only work in the background and the Owner see everything' },
  { name: 'policy', pattern: /\bOWNER_POLICY\b/, allowed: /^contract\/profiles\.ts$|^identity\/|^catalog\/index\.ts$/, why: 'the policy is that of the Profile who asks; nobody makes one up' },
];

export const BUDGET = { file: 400, folder: 15, door: 12, function: 60 } as const;

/** What may break a budget, and why. A line that nothing needs any more is a failure, too. */
export const WAIVERS: Record<string, string> = {};
