/** Running the server, as a domain: tasks, events, diagnostics, health, and the care of the database. */
import { activityDomain } from '../activity/domain.ts';
import { expiryDaysOf } from '../contract/findings.ts';
import { opsFindings } from '../contract/ops/findings.ts';
import type { Catalog } from '../catalog/index.ts';
import { catalogDomain } from '../catalog/domain.ts';
import { domain } from '../domain.ts';
import { listsDomain } from '../lists/domain.ts';
import { requestsDomain } from '../requests/domain.ts';
import { identityDomain } from '../identity/domain.ts';
import {
  createActivityReading,
  createDatabaseCare,
  createDiagnostics,
  createExpiring,
  createOps,
  createRestart,
  createRoomCheck,
  laterFindings,
} from './index.ts';
import { opsRoutes } from './routes.ts';
import { opsSettings } from './settings.ts';

const FOLDERS = ['paths.data', 'paths.cache', 'paths.media'] as const;

/** Returns the titles of items; of an episode with its show and number. */
async function titlesOf(
  seen: Pick<ReturnType<Catalog['seenBy']>, 'cards'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const cards = await seen.cards(ids);
  return new Map(
    cards.map(({ id, title, show, season, episode }) => {
      const number = season !== undefined && episode !== undefined ? ` S${season} E${episode}` : '';
      return [id, show ? `${show.title}${number}: ${title}` : title];
    }),
  );
}

export const opsDomain = domain({
  name: 'ops',
  uses: [activityDomain, identityDomain, catalogDomain, listsDomain, requestsDomain],
  settings: opsSettings,
  findings: opsFindings,
  open: async (foundation, { activity, identity, catalog, lists, requests }) => {
    const { version, db, file, data, bus, clock, log, config, ffmpeg, processes, ioPool, tasks } = foundation;
    const care = await createDatabaseCare({ db, file, folder: data, clock, log });
    const room = (path: string) => ioPool.forLibrary(path).run(() => foundation.room(path));
    const hasRoom = createRoomCheck({ read: () => room(data), now: () => clock.monotonic() });
    const expiring = createExpiring({
      findings: foundation.findings,
      daysOf: expiryDaysOf,
      activity,
      clock,
      failed: (error) => log.fault('activity.failed', error),
    });
    const ops = createOps({
      bus,
      tasks,
      clock,
      diagnostics: createDiagnostics({
        version,
        engine: db.engine,
        clock,
        ffmpeg,
        processes,
        programs: () => foundation.programs().map((program) => ({ ...program, program: config.get(program.setting) })),
        room,
        folders: () => {
          const rows = config.all();
          const titleOf = (setting: string): string => rows.find(({ key }) => key === setting)?.title ?? setting;
          return FOLDERS.map((setting) => ({ setting, title: titleOf(setting), path: config.get(setting) }));
        },
        findings: foundation.findings,
      }),
      restart: createRestart({
        restarter: foundation.restarter,
        config,
        tasks,
        isStarted: foundation.isStarted,
        clock,
      }),
      activity: createActivityReading({
        log: activity,
        names: {
          nameOf: identity.operations.nameOf,
          librariesOf: (by) => new Map(catalog.libraries(by).map(({ id, name }) => [id, name])),
          titlesOf: (by, ids) => titlesOf(catalog.seenBy(by), ids),
        },
      }),
      isReady: async () => foundation.isStarted() && (await hasRoom()),
      audience: {
        policyOf: identity.policyOf,
        watchedBy: catalog.watching.versionOf,
        listedBy: lists.versionOf,
        requestedBy: requests.versionOf,
        isOwner: (profile) => identity.profiles().some(({ id, role }) => id === profile && role === 'owner'),
        noticesOf: activity.notices.versionOf,
        takeVisibleChanges: catalog.takeVisibleChanges,
      },
    });
    return {
      door: ops,
      routes: opsRoutes({ ops, serverName: () => config.get('server.name'), mounted: foundation.mounted }),
      tasks: care.tasks,
      findings: async () => [...(await care.findings()), ...laterFindings(config)],
      startBackground: () => {
        care.start((name) => void tasks.start(name).catch((error: unknown) => log.fault('check.not-started', error)));
        expiring.start();
      },
      close: () => {
        expiring.close();
        care.close();
      },
    };
  },
});
