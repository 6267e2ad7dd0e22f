/**
 * The configuration in use: typed reading for every domain, and the changes an Owner makes.
 *
 * Two results are kept. What is *saved* is what the next start will use; what is *running* differs
 * from it only in settings that wait for a restart. A change is judged as a whole result before
 * anything is written, written durably, and only then taken up and told to listeners.
 */
import type { SettingRow } from '../contract/config/configuration.ts';
import type { Bus } from '../lib/bus.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { crashPoint } from '../lib/crash.ts';
import type { CommitCursor, Database } from '../lib/db/index.ts';
import { Failure, found } from '../lib/failure.ts';
import { isThere, sweepStray } from '../lib/files.ts';
import { createLock } from '../lib/lock.ts';
import type { Log } from '../lib/log.ts';
import { secretsToBind, secretsToClear, withHosts } from './belonging.ts';
import { ConfigurationRefused, type Fault } from './faults.ts';
import { isManaged, isOutsideOnly, resolve, viewOf, type Layers } from './layers.ts';
import type { Boot } from './load.ts';
import { loadOwner } from './owner.ts';
import { createRunningSettings } from './running.ts';
import { rulesBrokenBy, judgeWhole } from './rules.ts';
import { openSealer, type Sealer } from './seal.ts';
import { keptText, InvalidValue, type AnySetting, type SettingKey, type SettingValue } from './setting.ts';
import { configStore, type OwnerRow } from './store.ts';
import { changedBy, createPendingSettings, type OwnerTexts } from './pending.ts';
import type { LibrarySetting } from './types/libraries.ts';

export interface SavedChange {
  /** Whether a saved value waits for a restart. */
  restartRequired: boolean;
  /** Keys of secrets that were removed, because the address they belong to names another host now. */
  cleared?: string[];
}

/** Returns what records the change of a setting, in the transaction that writes it. */
export type RecordSetting = (change: { key: SettingKey; isReset: boolean }) => CommitCursor;

export interface ChangeOptions {
  /**
   * Whether the change takes effect at once, also for settings that otherwise wait for a restart: for operations that
   * are ready for it.
   */
  isInForce?: boolean;
  recorded?: RecordSetting | undefined;
  /** Kind of failure where the change does not go together with other settings. Default: `invalid`. */
  refusal?: 'invalid' | 'conflict';
}

export interface Config {
  /** The running value; undefined for a setting that has no default and is not set. */
  get<K extends SettingKey>(key: K): SettingValue<K>;
  /** The running libraries: those listed, or paths.media as one of mixed kind. */
  libraries(): readonly LibrarySetting[];
  /** Keys of settings whose saved value waits for a restart. */
  pending(): SettingKey[];
  /** Returns the texts that would save the running values of the settings that wait for a restart. */
  inForce(): OwnerTexts;
  /** Returns why a start from `boot` would refuse what is saved, one line for each fault. */
  faultsFrom(boot: Boot): string[];
  /** Whether only a person may change a setting, and no API key. */
  isPersonOnly(key: string): boolean;
  /** One row a setting, in the order of the user guide. Shows what is saved; secrets are never in it. */
  all(): SettingRow[];
  /**
   * Saves one setting from its text; a blank text resets it. Fails as `missing` (no such key), `conflict`
   * (read-only here) or `invalid` (the text, or what the whole would become).
   */
  save(key: string, text: string, recorded?: RecordSetting): Promise<SavedChange>;
  /**
   * Changes one setting from its saved value; no other change comes in between. `next` receives that value
   * (undefined: not set) and returns the text to save. Fails as `save` does, and as `conflict` where entries of a
   * list exclude each other.
   */
  change<K extends SettingKey>(
    key: K,
    next: (saved: SettingValue<K>) => string,
    more?: ChangeOptions,
  ): Promise<SavedChange>;
  /** Saves several settings as one change, for those that only make sense together. */
  saveAll(changes: Readonly<Record<string, string>>, more?: ChangeOptions): Promise<SavedChange>;
  /**
   * Forgets what an Owner saved. Fails as `missing`, or as `conflict` when read-only here or still needed by another.
   */
  reset(key: string, recorded?: RecordSetting): Promise<SavedChange>;
  /** Hears of each new running value of a live setting. Returns the function that stops listening. */
  on<K extends SettingKey>(key: K, listener: (value: SettingValue<K>) => void): () => void;
}

export interface ConfigNeeds {
  boot: Boot;
  db: Database;
  /** Texts that saved settings are put back to before they are read; blank removes what was saved. */
  putBack?: OwnerTexts | undefined;
  bus?: Bus;
  log?: Log;
  clock?: Clock;
}

/** Adds what Owners saved, checks the whole, and throws `ConfigurationRefused` with every fault there is. */
export async function createConfig(needs: ConfigNeeds): Promise<Config> {
  const { boot, clock = systemClock } = needs;
  const { settings } = boot.layers;
  const store = configStore(needs.db);
  const folder = boot.get('paths.data');
  // Nothing writes there yet, so leftovers are those of a process that was killed while it made its key file.
  if (await isThere(folder)) await sweepStray(folder);
  const sealer = openSealer({ folder });
  const faults: Fault[] = [];
  const putBack = new Map([...(needs.putBack ?? [])].map(([key, text]) => [settings.declared(key), text]));
  const rows = (await store.all()).filter(({ key }) => needs.putBack?.has(key as SettingKey) !== true);
  const { owner, foreign } = await loadOwner({ rows, layers: boot.layers, sealer, faults });
  for (const key of foreign) needs.log?.warn('config.secret.of-another-host', { key });
  const start = changedBy({ ...boot.layers, owner }, putBack);
  faults.push(...judgeWhole(viewOf(start), { now: clock.now() }, faults).map(({ fault }) => fault));
  if (faults.length > 0) throw new ConfigurationRefused(faults);
  if (putBack.size > 0) await store.write(await sealedRows([...putBack], start, sealer), clock.now());

  let saved = start;
  const running = createRunningSettings({ settings, start, saved: () => saved, clock, log: needs.log });
  const lock = createLock();
  const { isPending, ...pending } = createPendingSettings({ boot, running: running.texts, saved: () => saved, clock });

  /** `of` is called under the lock, so what it reads from `saved` is still true when its changes are written. */
  const change = (
    of: () => ReadonlyMap<AnySetting, string>,
    { refusal = 'invalid', isInForce = false, recorded }: ChangeOptions = {},
  ): Promise<SavedChange> =>
    lock.run(async () => {
      const asked = of();
      const cleared = secretsToClear(saved, changedBy(saved, asked), new Set([...asked.keys()].map(({ key }) => key)));
      const changes = new Map([...asked, ...cleared.map((one) => [one, ''] as const)]);
      const result = changedBy(saved, changes);
      const keys = [...changes.keys()];
      const [first] = rulesBrokenBy(viewOf(result), { now: clock.now(), saving: new Set(keys.map(({ key }) => key)) });
      if (first) throw refused(refusal, `${first.keys[0]} ${first.fault.reason}`);
      const bound = secretsToBind(result, new Set(keys.map(({ key }) => key))).map(
        (one) => [one, result.owner.get(one.key) ?? ''] as const,
      );
      const rows = await sealedRows([...changes, ...bound], result, sealer);
      crashPoint('config.save.judged');
      await store.write(rows, clock.now(), async (tx) => {
        for (const [{ key }, text] of changes) await recorded?.({ key, isReset: text === '' })(tx);
      });
      crashPoint('config.save.written');
      saved = result;
      running.takeUp(keys, isInForce);
      needs.bus?.announce('config.changed');
      return {
        restartRequired: keys.some(({ key }) => isPending(key)),
        ...(cleared.length > 0 && { cleared: cleared.map(({ key }) => key) }),
      };
    });

  const { get } = running;
  return {
    get,
    libraries: () => get('libraries') ?? [{ name: 'Media', path: get('paths.media'), kind: 'mixed' }],
    all: () => settings.all.map((one) => row(one, saved, isPending(one.key))),
    ...pending,
    isPersonOnly: (key) => settings.of(key)?.personOnly === true,
    save: (key, text, recorded) => change(() => accepted(saved, { [key]: text }), { recorded }),
    change: (key, next, more) => {
      const of = () => {
        editable(saved, key);
        return accepted(saved, { [key]: next(viewOf(saved).get(key)) }, 'conflict');
      };
      return change(of, more);
    },
    saveAll: (changes, more) => change(() => accepted(saved, changes), more),
    reset: (key, recorded) => change(() => new Map([[editable(saved, key), '']]), { refusal: 'conflict', recorded }),
    on: running.on,
  };
}

/** Returns the rows to write: secrets sealed, with the hosts that they belong to. */
const sealedRows = (
  changes: readonly (readonly [AnySetting, string])[],
  layers: Layers,
  sealer: Sealer,
): Promise<OwnerRow[]> =>
  Promise.all(
    changes.map(async ([one, text]) => ({
      key: one.key,
      text: text !== '' && one.secret ? await sealer.seal(one.key, withHosts(one, layers, text)) : text,
      sealed: one.secret,
    })),
  );

function editable(layers: Layers, key: string): AnySetting {
  const one = found(layers.settings.of(key), 'no such setting', 'no-such-setting');
  if (isManaged(layers, one.key))
    throw new Failure('conflict', 'this setting is set by the environment or the YAML file and is read-only here', {
      reason: 'setting-managed',
    });
  if (isOutsideOnly(one.key))
    throw new Failure(
      'conflict',
      'this setting is needed before saved ones are read, so only the environment or the YAML file can set it',
      { reason: 'setting-at-start-only' },
    );
  return one;
}

const refused = (kind: 'invalid' | 'conflict', message: string): Failure =>
  kind === 'conflict'
    ? new Failure('conflict', message, { reason: 'setting-clash' })
    : new Failure('invalid', message, { reason: 'setting-invalid' });

/**
 * Returns the changes with their texts in the form that is kept. `clash` is the kind of failure for entries of a list
 * that exclude each other.
 */
function accepted(
  layers: Layers,
  changes: Readonly<Record<string, string>>,
  clash: 'invalid' | 'conflict' = 'invalid',
): Map<AnySetting, string> {
  return new Map(
    Object.entries(changes).map(([key, text]) => {
      const one = editable(layers, key);
      if (text.trim() === '') return [one, ''];
      try {
        return [one, keptText(one.type, one.secret ? text : text.trim())];
      } catch (error) {
        if (error instanceof InvalidValue)
          throw refused(error.isClash ? clash : 'invalid', `${one.key} ${error.message}`);
        throw error;
      }
    }),
  );
}

function row(one: AnySetting, layers: Layers, pending: boolean): SettingRow {
  const { text, source } = resolve(layers, one.key);
  const { key, env, secret, restart, type } = one;
  return {
    key,
    env,
    ...(!secret && text !== '' && { value: text }),
    ...(!secret && one.default !== '' && { default: one.default }),
    source,
    managed: isManaged(layers, key) || isOutsideOnly(key),
    secret,
    configured: text !== '',
    restart,
    pending,
    type: type.kind,
    ...(type.allowed && { allowed: [...type.allowed] }),
    ...(one.belongsTo.length > 0 && { belongsTo: [...one.belongsTo] }),
    group: one.group.id,
    groupTitle: one.group.title,
    ...(one.group.section && { section: one.group.section.id, sectionTitle: one.group.section.title }),
    general: one.general,
    title: one.title,
    summary: one.doc,
    ...(one.labels && { labels: { ...one.labels } }),
    ...(one.unset !== undefined && { unset: one.unset }),
    ...(one.unit && { unit: { ...one.unit } }),
    ...(one.editor !== undefined && { editor: one.editor }),
    ...(one.hint !== undefined && { hint: one.hint }),
    ...(one.page !== undefined && { page: one.page }),
    ...(one.until !== undefined && { until: one.until }),
  };
}
