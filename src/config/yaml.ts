/**
 * The YAML file: `version: 1` and nested keys (`mode` under `playback`), read as untrusted text.
 *
 * YAML 1.2, core schema, one document. Refused: unknown and repeated keys, tags, directives of other
 * versions, anything that is no plain tree, more than 100 aliases or 10,000 nodes once they are
 * followed. A number given for a text is taken as it was written, so `0123` stays `0123`.
 * Messages name keys and lines and never quote the file.
 */
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from 'yaml';
import { settingLabel, printable, type Fault } from './faults.ts';
import { InvalidValue, refuse, type AnySetting, type SettingKey } from './setting.ts';
import type { SettingSet } from './setting-set.ts';
import { trustedHttps } from './types/trusted-https.ts';

export interface YamlTexts {
  texts: Map<SettingKey, string>;
  /** Secrets that are to be read from a file: the path as it was written. */
  files: Map<SettingKey, string>;
}

const FILE_SUFFIX = '_file';
const MAX_ALIASES = 100;
const MAX_NODES = 10_000;
const DEEPEST = 16;

/** Returns every key that holds others: `playback`, `integrations`, `integrations.oidc`. */
const branchesOf = ({ all }: SettingSet): ReadonlySet<string> =>
  new Set(
    all
      .flatMap(({ key }) => key.split('.').map((_, at, parts) => parts.slice(0, at).join('.')))
      .filter((key) => key !== ''),
  );

/** Reads the text of the file. Faults are added to `faults`; what is good is returned all the same. */
export function readYaml(settings: SettingSet, text: string, faults: Fault[]): YamlTexts {
  const found: YamlTexts = { texts: new Map(), files: new Map() };
  const document = parsed(text, faults);
  if (!document) return found;
  try {
    const walk = walker(document);
    const top = walk.node(document.contents);
    if (!isMap(top)) refuse('must be a mapping that starts with version: 1');
    const entries = walk.entries(top, '', faults);
    const version = entries.get('version');
    entries.delete('version');
    if (!isScalar(version) || version.value !== 1)
      faults.push({ where: 'version', reason: 'the YAML file must say version: 1' });
    branch({ entries, prefix: '' }, { settings, branches: branchesOf(settings), walk, found, faults });
  } catch (error) {
    if (error instanceof InvalidValue) faults.push({ where: 'the YAML file', reason: error.message });
    else if (error instanceof RangeError) faults.push({ where: 'the YAML file', reason: 'is nested too deeply' });
    else throw error;
  }
  return found;
}

function parsed(text: string, faults: Fault[]): Document.Parsed | undefined {
  const lineCounter = new LineCounter();
  let document: Document.Parsed;
  try {
    // Repeated keys are found by the walk: the library compares every key with every other.
    document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      merge: false,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'error',
      lineCounter,
    });
  } catch (error) {
    // Thousands of brackets exhaust the parser's stack.
    faults.push({
      where: 'the YAML file',
      reason: error instanceof RangeError ? 'is nested too deeply' : 'is not valid YAML',
    });
    return undefined;
  }
  for (const { code, pos } of [...document.errors, ...document.warnings].slice(0, 10)) {
    faults.push({
      where: `the YAML file, line ${lineCounter.linePos(pos[0]).line}`,
      reason: `is not valid YAML (${code.toLowerCase().replaceAll('_', ' ')})`,
    });
  }
  if (document.errors.length + document.warnings.length > 0) return undefined;
  if (document.directives.yaml.version !== '1.2' || Object.keys(document.directives.tags).length > 1) {
    faults.push({ where: 'the YAML file', reason: 'must not have directives' });
    return undefined;
  }
  return document;
}

type Walk = ReturnType<typeof walker>;

/** Follows aliases and counts what is met, so that a small file cannot stand for a huge one. */
function walker(document: Document.Parsed) {
  let aliases = 0;
  let nodes = 0;
  const node = (given: unknown): Node | null => {
    if (++nodes > MAX_NODES) refuse('has too many entries');
    if (isAlias(given)) {
      if (++aliases > MAX_ALIASES) refuse('uses too many aliases');
      return node(given.resolve(document) ?? refuse('is not valid YAML: an alias stands for nothing'));
    }
    if (given === null || given === undefined) return null;
    if (!isScalar(given) && !isMap(given) && !isSeq(given)) return refuse('must be plain values, lists and mappings');
    if (given.tag !== undefined) refuse('must not use tags');
    return given;
  };
  const entries = (map: Node, at: string, faults: Fault[]): Map<string, Node | null> => {
    const all = new Map<string, Node | null>();
    for (const pair of isMap(map) ? map.items : []) {
      const key = node(pair.key);
      if (!isScalar(key) || typeof key.value !== 'string') refuse('must have plain text for every key');
      const name = at === '' ? key.value : `${at}.${key.value}`;
      if (all.has(key.value)) faults.push({ where: printable(name), reason: 'is there twice in the YAML file' });
      all.set(key.value, node(pair.value));
    }
    return all;
  };
  /** A plain JavaScript value, for lists and the one setting that is an object. */
  const plain = (given: Node | null, depth = 0): unknown => {
    if (depth > DEEPEST) refuse('is nested too deeply');
    if (isSeq(given)) return given.items.map((item) => plain(node(item), depth + 1));
    if (isMap(given)) {
      const faults: Fault[] = [];
      const members = [...entries(given, '', faults)].map(([name, value]) => [name, plain(value, depth + 1)] as const);
      if (faults.length > 0) refuse('must not have the same key twice');
      return Object.fromEntries(members);
    }
    return isScalar(given) ? given.value : null;
  };
  return { node, entries, plain };
}

interface Context {
  settings: SettingSet;
  branches: ReadonlySet<string>;
  walk: Walk;
  found: YamlTexts;
  faults: Fault[];
}

function branch({ entries, prefix }: { entries: Map<string, Node | null>; prefix: string }, context: Context): void {
  const { settings, branches, walk, found, faults } = context;
  for (const [name, value] of entries) {
    const key = prefix === '' ? name : `${prefix}.${name}`;
    // A dot inside one name would let two spellings of a key hide each other.
    const isDotted = name.includes('.');
    const one = isDotted ? undefined : settings.of(key);
    const secret = isDotted || !name.endsWith(FILE_SUFFIX) ? undefined : settings.of(key.slice(0, -FILE_SUFFIX.length));
    if (one) leaf(one, walk, value, found.texts, faults);
    else if (secret) file(secret, value, found, faults);
    else if (isDotted || !branches.has(key)) faults.push({ where: printable(key), reason: 'is not a known key' });
    else if (isMap(value)) branch({ entries: walk.entries(value, key, faults), prefix: key }, context);
    else if (!isScalar(value) || value.value !== null) faults.push({ where: key, reason: 'must hold other keys' });
  }
}

function leaf(one: AnySetting, walk: Walk, value: Node | null, texts: Map<SettingKey, string>, faults: Fault[]): void {
  try {
    texts.set(one.key, leafText(one, walk, value));
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error;
    faults.push({ where: settingLabel(one), reason: error.message, broken: one.key });
  }
}

function leafText(one: AnySetting, walk: Walk, value: Node | null): string {
  if (value === null || (isScalar(value) && (value.value === null || value.value === ''))) return '';
  if (one.type.kind === 'list') return isSeq(value) ? JSON.stringify(walk.plain(value)) : refuse('must be a YAML list');
  if (one.type === trustedHttps && isMap(value)) return JSON.stringify(walk.plain(value));
  if (!isScalar(value)) return refuse('must be a single value');
  return typeof value.value === 'string' ? value.value : (value.source ?? String(value.value));
}

function file(one: AnySetting, value: Node | null, found: YamlTexts, faults: Fault[]): void {
  const where = `${one.key}${FILE_SUFFIX}`;
  if (!one.secret) faults.push({ where, reason: `is not allowed, because ${one.key} is not a secret` });
  else if (value === null || (isScalar(value) && (value.value === null || value.value === ''))) return;
  else if (!isScalar(value) || typeof value.value !== 'string')
    faults.push({ where, reason: 'must be the path of a file', broken: one.key });
  else found.files.set(one.key, value.value);
}
