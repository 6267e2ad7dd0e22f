/**
 * Loading, first step: the environment and the YAML file, before any database is open.
 *
 * Every fault is gathered, so that one start shows them all; then nothing is opened. Only rules that
 * no saved setting could satisfy are judged here: the others wait until what Owners saved is known.
 */
import { dirname, join, resolve as resolvePath } from 'node:path';
import { type Clock, systemClock } from '../lib/clock.ts';
import { Failure } from '../lib/failure.ts';
import { readBounded } from '../lib/files.ts';
import { FILE_VARIABLE, PREFIX, type Environment } from './environment.ts';
import { ConfigurationRefused, settingLabel, printable, readable, type Fault } from './faults.ts';
import { isManaged, isOutsideOnly, viewOf, type Layers } from './layers.ts';
import { judgeWhole } from './rules.ts';
import type { AnySetting, SettingKey, SettingValue } from './setting.ts';
import type { SettingSet } from './setting-set.ts';
import { readYaml, type YamlTexts } from './yaml.ts';

/** Settings that are known before the database is open. */
export interface Boot {
  /** The value by environment, YAML or default: final for paths.data and database.url, and for what is managed. */
  get<K extends SettingKey>(key: K): SettingValue<K>;
  readonly layers: Omit<Layers, 'owner'>;
}

/** Reads a file of at most `mostBytes`; fails for anything but an ordinary file. */
export type ReadFile = (path: string, mostBytes: number) => Promise<Uint8Array>;

export interface BootNeeds {
  /** All settings that there are. */
  settings: SettingSet;
  env: Environment;
  /** Judge every rule, as if no Owner had saved anything. */
  isWhole?: boolean;
  readFile?: ReadFile;
  clock?: Clock;
}

const SECRET_BYTES = 16 * 1024;
const YAML_BYTES = 512 * 1024;
const YAML_NAME = 'service.yaml';
const FILE_SUFFIX = '_FILE';

/** Throws `ConfigurationRefused` with every fault. */
export async function loadBoot({
  settings,
  env,
  isWhole = false,
  readFile = readBounded,
  clock = systemClock,
}: BootNeeds): Promise<Boot> {
  const faults: Fault[] = [];
  const environment = await readEnvironment({ settings, env, readFile, faults });
  const yaml = await readYamlLayer({ settings, env, environment, readFile, faults });
  const layers = { settings, environment, yaml };
  const result: Layers = { ...layers, owner: new Map() };
  const isFinal = (key: SettingKey): boolean => isWhole || isOutsideOnly(key) || isManaged(result, key);
  const verdicts = judgeWhole(viewOf(result), { now: clock.now() }, faults).filter(({ keys }) => keys.every(isFinal));
  faults.push(...verdicts.map(({ fault }) => fault));
  if (faults.length > 0) throw new ConfigurationRefused(faults);
  return { get: viewOf(result).get, layers };
}

/** Blank means unset; around a value that is no secret, blanks mean nothing. */
const tidy = (one: AnySetting, text: string): string => (text.trim() === '' ? '' : one.secret ? text : text.trim());

function accept(one: AnySetting, given: string, into: Map<SettingKey, string>, faults: Fault[]): void {
  const text = tidy(one, given);
  if (text === '') return;
  const kept = readable(faults, one, settingLabel(one), text);
  if (kept !== undefined) into.set(one.key, kept);
}

interface Reading extends Pick<BootNeeds, 'settings' | 'env'> {
  readFile: ReadFile;
  faults: Fault[];
}

async function readEnvironment({ settings, env, readFile, faults }: Reading): Promise<Map<SettingKey, string>> {
  refuseUnknown(settings, env, faults);
  const layer = new Map<SettingKey, string>();
  for (const one of settings.all) {
    const direct = env[one.env] ?? '';
    const file = one.secret ? (env[one.env + FILE_SUFFIX] ?? '') : '';
    if (file.trim() === '') accept(one, direct, layer, faults);
    else if (direct.trim() !== '')
      faults.push({
        where: settingLabel(one),
        reason: `cannot be set together with ${one.env}${FILE_SUFFIX}`,
        broken: one.key,
      });
    else
      await acceptFile({
        one,
        path: resolvePath(file),
        variable: one.env + FILE_SUFFIX,
        into: layer,
        readFile,
        faults,
      });
  }
  return layer;
}

function refuseUnknown(settings: SettingSet, env: Environment, faults: Fault[]): void {
  for (const name of Object.keys(env).sort()) {
    if (!name.startsWith(PREFIX) || name === FILE_VARIABLE || settings.ofEnv(name)) continue;
    const of = name.endsWith(FILE_SUFFIX) ? settings.ofEnv(name.slice(0, -FILE_SUFFIX.length)) : undefined;
    if (of?.secret === true) continue;
    faults.push(
      of
        ? { where: `${of.key} (${name})`, reason: 'is not allowed, because only a secret may come from a file' }
        : { where: printable(name), reason: 'is not a known variable' },
    );
  }
}

async function acceptFile({
  one,
  path,
  variable,
  into,
  readFile,
  faults,
}: {
  one: AnySetting;
  path: string;
  variable: string;
  into: Map<SettingKey, string>;
  readFile: ReadFile;
  faults: Fault[];
}): Promise<void> {
  const where = `${one.key} (${variable})`;
  const text = await readText(path, SECRET_BYTES, readFile);
  if (typeof text === 'object') {
    faults.push({ where, reason: text.problem, broken: one.key });
    return;
  }
  const bare = withoutLineEnd(text);
  if (bare.trim() === '') faults.push({ where, reason: 'names a file that is empty', broken: one.key });
  else accept(one, bare, into, faults);
}

/** Editors and `echo` end a file with a line break that is not part of the secret. */
function withoutLineEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end--;
  return text.slice(0, end);
}

async function readText(
  path: string,
  mostBytes: number,
  readFile: ReadFile,
): Promise<string | { problem: string; isMissing: boolean }> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path, mostBytes));
    return text.includes('\0') ? { problem: 'names a file that is not text', isMissing: false } : text;
  } catch (error) {
    if (error instanceof TypeError) return { problem: 'names a file that is not text', isMissing: false };
    if (!(error instanceof Failure)) return { problem: 'names a file that cannot be read', isMissing: false };
    if (error.kind === 'missing') return { problem: 'names a file that is not there', isMissing: true };
    return {
      problem: `names what cannot be read as an ordinary file of at most ${mostBytes / 1024} KiB`,
      isMissing: false,
    };
  }
}

/** The file that the environment names, or `service.yaml` in the data folder if there is one. */
async function readYamlLayer({
  settings,
  env,
  environment,
  readFile,
  faults,
}: Reading & { environment: ReadonlyMap<SettingKey, string> }): Promise<Map<SettingKey, string>> {
  const named = (env[FILE_VARIABLE] ?? '').trim();
  const data = environment.get('paths.data') ?? settings.declared('paths.data').default;
  const path = named === '' ? join(data, YAML_NAME) : resolvePath(named);
  const layer = new Map<SettingKey, string>();
  const text = await readText(path, YAML_BYTES, readFile);
  if (typeof text === 'object') {
    if (named !== '' || !text.isMissing)
      faults.push(
        named === ''
          ? {
              where: 'paths.data (SERVICE_DATA_DIR)',
              reason:
                `this folder cannot be read by this user, or ${YAML_NAME} in it cannot be read as an ordinary file ` +
                `of at most ${YAML_BYTES / 1024} KiB of text`,
            }
          : { where: FILE_VARIABLE, reason: text.problem },
      );
    return layer;
  }
  await acceptYaml({
    settings,
    given: readYaml(settings, text, faults),
    folder: dirname(path),
    into: layer,
    readFile,
    faults,
  });
  return layer;
}

async function acceptYaml({
  settings,
  given,
  folder,
  into,
  readFile,
  faults,
}: {
  settings: SettingSet;
  given: YamlTexts;
  folder: string;
  into: Map<SettingKey, string>;
  readFile: ReadFile;
  faults: Fault[];
}): Promise<void> {
  for (const one of settings.all) {
    const text = given.texts.get(one.key) ?? '';
    const file = given.files.get(one.key);
    if (file === undefined) accept(one, text, into, faults);
    else if (text.trim() !== '')
      faults.push({ where: settingLabel(one), reason: `cannot be set together with ${one.key}_file`, broken: one.key });
    else
      await acceptFile({
        one,
        path: resolvePath(folder, file),
        variable: `${one.key}_file in YAML`,
        into,
        readFile,
        faults,
      });
  }
}
