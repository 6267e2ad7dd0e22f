/**
 * The architecture rules as tables: who may import whom, what is kept where, how large things grow, and every
 * waiver with its reason. `check.ts` applies them; `../architecture.test.ts` proves that each one bites.
 */

/** The floors below the domains, low to high. A folder imports only those before it in its list. */
const FLOOR = ['contract', 'lib'] as const;
const CUES = 'cues';
const CONFIG = 'config';

/** The part of a domain's value that says who may import whom. */
export interface Graph {
  readonly name: string;
  readonly uses: readonly { readonly name: string }[];
}

/**
 * Imports allowed between folders, as the domains' values declare them. `http` is open to a domain's routes.ts alone.
 */
export const mayImport = (domains: readonly Graph[]): Record<string, readonly string[]> => ({
  contract: [],
  lib: ['contract'],
  [CUES]: FLOOR,
  http: FLOOR,
  web: ['contract'],
  ...Object.fromEntries(
    domains.map(({ name, uses }) => [
      name,
      [...FLOOR, CUES, ...(name === CONFIG ? [] : [CONFIG]), ...uses.map((used) => used.name)],
    ]),
  ),
});

/**
 * Floors inside a folder, low to high. A part imports only parts of lower floors; parts of the same floor do not
 * import each other. `pages/*` makes every folder of `pages` a separate part. Files directly in the folder are above
 * all floors.
 */
export const FLOORS: Record<string, readonly (readonly string[])[]> = {
  web: [['messages'], ['lib'], ['data'], ['kit'], ['parts'], ['pages/*', 'player', 'workbench'], ['app']],
};
/** Parts that no floor imports, and that import no floor. */
export const APART: Record<string, readonly string[]> = { web: ['build', 'worker', 'style'] };

const IMPURE = String.raw`(^|/)store(\.ts$|/)|^lib/(db|files|process|net|tasks|ffmpeg)/`;
/** Folders that may not import everything that their domain may. */
export const INNER: readonly { name: string; folder: RegExp; never: RegExp; why: string }[] = [
  {
    name: 'naming',
    folder: /^catalog\/naming\//,
    never: new RegExp(`^(?!contract/|lib/)|${IMPURE}`),
    why: 'naming is pure: it reads names and tags, and knows no store',
  },
  {
    name: 'pure',
    folder: /^(cues|subtitles\/choosing|playback\/plan)\//,
    never: new RegExp(IMPURE),
    why: 'this folder is pure: no store, file, process, task or network',
  },
];

/**
 * Modules that load no domain, whatever they import. The configuration, the commands on a stopped server and most tests
 * import one of them, and a domain loads every other one that it uses.
 */
export const LIGHT: readonly string[] = ['settings.ts', 'migrations.ts', 'catalog/testing/world.ts'];

export interface Ban {
  name: string;
  /** Read against the code of a file, comments left out. */
  pattern: RegExp;
  allowed: RegExp;
  why: string;
  /** Tests are exempt: they make files and start processes to break things. */
  isForTests?: true;
  /** It holds for the dashboard, too. */
  isForWeb?: true;
}

const HELPERS = 'catalog/(probe/testing/|core/scan/directory-reader\\.ts$)';

/**
 * Modules that a domain's `domain.ts` hands the catalogue without a filter: they show results to no one, or to Owners
 * only. No routes.ts is among them, and a test says that every endpoint of `subtitles` is the Owner's.
 */
export const UNFILTERED = [
  // Hands it on to those below.
  'playback/domain\\.ts$',
  'subtitles/(?!routes\\.ts)',
  'metadata/(?!routes\\.ts)',
  'dialogue/(domain|index|indexing)\\.ts$',
  'playback/extras\\.ts$',
  'playback/markers/analysis/',
  'playback/loudness/background\\.ts$',
  'playback/trickplay/background\\.ts$',
  'playback/media-index/walk/background\\.ts$',
] as const;

/** Modules that parse JSON of files, requests, settings, programs and providers. */
const JSON_FROM_OUTSIDE: readonly string[] = [
  'catalog/kinds/audiobook/metadata\\.ts',
  'catalog/core/snapshot/format\\.ts',
  'config/(belonging|samples)\\.ts',
  'config/types/basic\\.ts',
  'http/json\\.ts',
  'identity/passkeys/judge\\.ts',
  'remote/fault\\.ts',
  'scim/syntax\\.ts',
  'metadata/client\\.ts',
  'metadata/kept-pages\\.ts',
  'ops/database-care\\.ts',
  'playback/hardware/kept\\.ts',
  'playback/trickplay/pack\\.ts',
  'subtitles/drafts/whisper-result\\.ts',
  'subtitles/providers/(login-c|outbound)\\.ts',
  'supporter/index\\.ts',
];

export const BANS: readonly Ban[] = [
  {
    name: 'process',
    pattern: /from 'node:(child_process|cluster|worker_threads)'/,
    allowed: /^lib\/(process|db)\//,
    why: 'processes are started in lib/process, which bounds and ends them; threads are in lib/db',
  },
  // scan/directory-reader.ts runs in a separate process that may hang on a dead share and be killed; probe/testing
  // makes
  // clips for tests.
  {
    name: 'files',
    pattern: /from 'node:fs(\/promises)?'/,
    allowed: new RegExp(`^lib/|^${HELPERS}`),
    why: 'files are touched in lib/, which writes them whole and follows no link',
  },
  {
    name: 'environment',
    pattern:
      /\bprocess\??\.env\b|\bprocess(\?\.)?\[|\benv\b[^}]*\}\s*=\s*process\b|import ([^']*\benv\b[^']*|\*) from 'node:process'/,
    allowed: /^config\/environment\.ts$|^lib\/process\/testing-helper\.ts$|^lib\/io-pool\.ts$/,
    why:
      'the environment is read in config/, which validates it (lib/io-pool reads only the size of the thread pool, ' +
      'which no setting can change)',
  },
  {
    name: 'xml signatures',
    pattern: /['"](xml-crypto|@xmldom\/xmldom)['"]/,
    allowed: /^lib\/xml\/(testing-)?signature\.ts$|^\.\.\/test\/architecture/,
    why: 'signatures of XML are verified in one file, which leaves the library no choice of algorithm or key',
    isForTests: true,
  },
  {
    name: 'seeds',
    pattern: /from 'fast-check'/,
    allowed: /^\.\.\/test\/(fast-check\.ts$|architecture)/,
    why: 'tests draw their input through test/fast-check.ts, with the seed of the run',
    isForTests: true,
  },
  {
    name: 'for tests',
    pattern: /\b(hashingCost|HASHING_COST|makeNew)\b|\bcreateHashing\((?!\))/,
    allowed:
      /^(app|domain)\.ts$|^identity\/(core|domain|index|passwords\/hashing)\.ts$|^lib\/db\/(index|sqlite|types|upgrade)\.ts$/,
    why: 'the cost of a hash and copied databases are for tests: no setting and no module of a server has them',
  },
  { name: 'framework', pattern: /from 'fastify'/, allowed: /^http\//, why: 'only http/ knows the web framework' },
  {
    name: 'network',
    pattern: /from '(undici|node:(http|https|http2|tls|dgram|dns|dns\/promises))'|\bfetch\(\s*['"`]https?:/,
    allowed: /^lib\/net\/|^http\//,
    why: 'the network is reached through lib/net, which guards addresses and sizes; http/ listens',
  },
  {
    name: 'socket',
    pattern:
      /import (?!type\b)\{[^}]*\b(createConnection|createServer|connect|Socket|Server)\b[^}]*\} from 'node:net'|import \* from 'node:net'/,
    allowed: /^lib\/net\/|^http\//,
    why: 'sockets are opened in lib/net and http/ alone',
  },
  {
    name: 'sql',
    pattern:
      /\.(selectFrom|insertInto|updateTable|deleteFrom|createTable|alterTable|dropTable)\(|\bsql(<[^>]*>)?`|\b(CREATE|ALTER|DROP) (TABLE|INDEX)\b/,
    allowed: /\/store\.ts$|\/store\/|^lib\/db\/|^lib\/tasks\/store\.ts$/,
    why: "SQL is in a domain's store.ts, or its store folder",
  },
  {
    name: 'status',
    pattern: /\.(code|status|writeHead)\(\s*[1-5]\d\d\b/,
    allowed: /^http\//,
    why: 'statuses come from the STATUS table',
  },
  {
    name: 'engine',
    pattern: /from '(kysely|node:sqlite|pg|@electric-sql\/pglite)'/,
    allowed: /^lib\/db\/|\/store\.ts$|\/store\/|^lib\/tasks\/store\.ts$/,
    why: 'the database is known to stores and lib/db',
  },
  {
    name: 'log',
    pattern: /from 'pino'|\bconsole\.\w+\(/,
    allowed: /^lib\/log\.ts$|^main\.ts$|^web\//,
    why: 'lib/log keeps secrets and titles out of what is written',
  },
  {
    name: 'eval',
    pattern: /\beval\(|new Function\(|from 'node:vm'/,
    allowed: /^\.\.\/test\/architecture/,
    why: 'no text becomes code',
    isForTests: true,
  },
  {
    name: 'unlayered',
    pattern: /\bfrom '\.[^']*\.js'|\brequire\(|\bcreateRequire\b|\bgetBuiltinModule\b/,
    allowed: /^\.\.\/test\/(architecture|flows\/axe\.ts$)|^lib\/xml\/(parser|(testing-)?signature)\.ts$/,
    why: 'modules are ours by their .ts name; a package is loaded late only where a start would pay for it',
    isForTests: true,
  },
  {
    name: 'sentence',
    pattern:
      /\bmessage\??\.(includes|match|matchAll|search|startsWith|endsWith|indexOf|localeCompare)\(|\bmessage\s*[!=]==?\s*(?!undefined|null)['"`\w]|[!=]==?\s*(\w+\.)?message\b|\.(test|exec|includes|has|get)\((\w+\.)*message\s*[),]|\bswitch\s*\((\w+\.)*message\b|\[(\w+\.)+message\]|\.reason\b\)?\.(includes|match|search|startsWith|endsWith|indexOf)\(|\.(test|exec)\((\w+\.)*reason\b|\.cause\s*[!=]==?\s*(?!\s|=|undefined)|\{\s*cause: ['"`A-Z]/,
    allowed: /^$/,
    why: 'programs decide by the kind and the reason of a failure: its sentence is for people and changes',
    isForWeb: true,
  },
  {
    name: 'server-sentence',
    pattern:
      /\b(e|err|error|errors|failure|failed|fault|caught|thrown|reason|answer)\??\.message\b|\bmessage\b[^={}]*\}\s*=\s*(error|failure|failed)\b|\bas \{[^}]*\berror\??:/,
    allowed: /^(?!web\/)|^web\/data\/client\.ts$|^web\/build\//,
    why: 'the dashboard shows a failure by its reason: sentence() and failureIn() of data/client.ts',
    isForWeb: true,
  },
  {
    name: 'timer',
    pattern: /\b(setTimeout|setInterval|requestIdleCallback)\b/,
    allowed: /^(?!web\/)|^web\/lib\/pending-work\.ts$|^web\/build\//,
    why: 'timers of the dashboard are set by later() of lib/pending-work.ts, which knows when the page is done',
    isForWeb: true,
  },
  {
    name: 'access',
    pattern: /\brole: '\w+',\s*via: '\w+'|\bconst \w+: Access\b|\bsatisfies Access\b/,
    allowed: /^(?!contract\/)|^contract\/kernel\/(access|endpoint)\.ts$/,
    why: 'policies of access have one name each, in contract/kernel/access.ts',
  },
  {
    name: 'unfiltered',
    pattern: /\bCatalog(Background|Admin)\b|\bOpenCatalog\b|\bcatalog\??\.(background|admin)\b/,
    allowed: new RegExp(`^catalog/|^(${UNFILTERED.join('|')})`),
    why:
      'what a request shows comes from catalog.seenBy(principal); only work in the background and the Owner see ' +
      'everything',
  },
  {
    name: 'policy',
    pattern: /\bOWNER_POLICY\b/,
    allowed: /^contract\/identity\/profiles\.ts$|^identity\/|^catalog\/index\.ts$/,
    why: 'the policy is that of the Profile who asks; nobody makes one up',
  },
  {
    name: 'rows',
    pattern: /\bJSON\s*\.\s*parse\b/,
    allowed: new RegExp(`/store\\.ts$|/store/|^(lib|web)/|^(${JSON_FROM_OUTSIDE.join('|')})$`),
    why:
      'a store returns parsed objects; JSON from elsewhere (a file, a request, a program) is read in the listed ' +
      'modules',
  },
];

/**
 * Layouts mirror themselves in right-to-left languages when styles say start and end. Read against styles and
 * components.
 */
export const PHYSICAL: readonly { name: string; pattern: RegExp; allowed: RegExp }[] = [
  {
    name: 'property',
    pattern:
      /(^|[{;\s])((scroll-)?(margin|padding)-(left|right)|border-(left|right)(-\w+)?|border-(top|bottom)-(left|right)-radius|left|right)\s*:(?=[^;{}]*[;}])/,
    allowed: /\.tsx?$/,
  },
  {
    name: 'value',
    pattern:
      /\b(text-align|float|clear)\s*:\s*(left|right)\b|\b(background-position|transform-origin|object-position)\s*:[^;}]*\b(left|right)\b|\bto (left|right)\b/,
    allowed: /\.tsx?$/,
  },
  {
    // The third and the first value may differ; the fourth and the second may not.
    name: 'shorthand',
    pattern:
      /(^|[{;\s])(margin|padding|inset|border-(width|color|style))\s*:\s*((?:[^\s;(}]|\((?:[^()]|\([^()]*\))*\))+)\s+((?:[^\s;(}]|\((?:[^()]|\([^()]*\))*\))+)\s+((?:[^\s;(}]|\((?:[^()]|\([^()]*\))*\))+)\s+(?!\5\s*[;}])[^\s;}]/,
    allowed: /\.tsx?$/,
  },
  {
    name: 'component',
    pattern: /\b(margin|padding|border)(Left|Right)\b|\btextAlign: '(left|right)'|style=\{\{[^}]*\b(left|right):/,
    // Time runs from left to right in every language.
    allowed: /\.css$|^web\/player\/parts\/bar\.tsx$/,
  },
];

/** Lines as the formatter lays them out. A closure counts with all that is in it, without blank lines and comments. */
export const BUDGET = { file: 400, closure: 100, door: 12 } as const;

/** Tables of words and drawings, whose lines may be of any width, next to what the formatter leaves alone. */
export const TABLES: readonly string[] = [
  'demo/motifs.ts',
  'src/contract/kernel/language-tags.ts',
  'src/catalog/kinds/names-table.ts',
  'src/cues/formats/entities.ts',
  'src/identity/passwords/words.ts',
  'src/lib/language/codes.ts',
  'src/lib/release/words.ts',
  'src/web/messages/de',
  'src/web/messages/en',
];

/** Waivers of rules, with reasons. An unused waiver is a failure too. */
export const WAIVERS: Record<string, string> = {};

/**
 * Files and closures over their budget, with their lines, which may only become fewer. Tables of test cases are named
 * for good.
 */
export const OVERSIZED: Record<string, number> = {
  '../test/stand-ins/subtitles-b.ts fakeProviderB': 138,
  'catalog/kinds/names-table.ts': 938,
};
