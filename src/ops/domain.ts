/** Running the server, as a domain: tasks, events, diagnostics, health, and the care of the database. */
import { opsFindings } from '../contract/ops/findings.ts';
import { catalogDomain } from '../catalog/domain.ts';
import { domain } from '../domain.ts';
import { listsDomain } from '../lists/domain.ts';
import { requestsDomain } from '../requests/domain.ts';
import { identityDomain } from '../identity/domain.ts';
import {
  createDatabaseCare,
  createDiagnostics,
  createOps,
  createRestart,
  createRoomCheck,
  laterFindings,
} from './index.ts';
import { opsRoutes } from './routes.ts';
import { opsSettings } from './settings.ts';

const FOLDERS = ['paths.data', 'paths.cache', 'paths.media'] as const;

export const opsDomain = domain({
  name: 'ops',
  uses: [identityDomain, catalogDomain, listsDomain, requestsDomain],
  settings: opsSettings,
  findings: opsFindings,
  open: async (foundation, { identity, catalog, lists, requests }) => {
    const { version, db, file, data, bus, clock, log, config, ffmpeg, processes, ioPool, tasks } = foundation;
    const care = await createDatabaseCare({ db, file, folder: data, clock, log });
    const room = (path: string) => ioPool.forLibrary(path).run(() => foundation.room(path));
    const hasRoom = createRoomCheck({ read: () => room(data), now: () => clock.monotonic() });
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
      isReady: async () => foundation.isStarted() && (await hasRoom()),
      audience: {
        policyOf: identity.policyOf,
        watchedBy: catalog.watching.versionOf,
        listedBy: lists.versionOf,
        requestedBy: requests.versionOf,
        takeVisibleChanges: catalog.takeVisibleChanges,
      },
    });
    return {
      door: ops,
      routes: opsRoutes({ ops, serverName: () => config.get('server.name'), mounted: foundation.mounted }),
      tasks: care.tasks,
      findings: async () => [...(await care.findings()), ...laterFindings(config)],
      startBackground: () =>
        care.start((name) => void tasks.start(name).catch((error: unknown) => log.fault('check.not-started', error))),
      close: care.close,
    };
  },
});
