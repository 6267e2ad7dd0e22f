/** The catalogue as a domain. */
import { activityDomain } from '../activity/domain.ts';
import { catalogFindings } from '../contract/catalog/findings.ts';
import { domain } from '../domain.ts';
import { identityDomain } from '../identity/domain.ts';
import { catalogMigrations, createCatalog } from './index.ts';
import { catalogRoutes, type CatalogRouteNeeds } from './routes.ts';
import { catalogSettings } from './settings.ts';

/** Facts about playing an item, which a domain above supplies. */
type PlaybackFacts = CatalogRouteNeeds['played'];

const NOTHING_PLAYED: PlaybackFacts = {
  reported: () => undefined,
  creditsOf: async () => undefined,
  markersOf: async () => [],
  expect: () => {},
};

export const catalogDomain = domain({
  name: 'catalog',
  uses: [activityDomain, identityDomain],
  settings: catalogSettings,
  migrations: catalogMigrations,
  programs: [
    { setting: 'binaries.ffmpeg', feature: 'Subtitle tracks and pictures from videos', isNeeded: true },
    { setting: 'binaries.ffprobe', feature: 'Reading unusual media files', isNeeded: true },
  ],
  findings: catalogFindings,
  open: async ({ db, bus, clock, log, config, processes, ffmpeg, ioPool, tasks, review }, { activity, identity }) => {
    const catalog = await createCatalog({ db, bus, clock, log, config, processes, ffmpeg, ioPool });
    const played = { ...NOTHING_PLAYED };
    // An item that was hidden, rated otherwise or taken away with its library ends the streams that show it.
    bus.on('catalog.changed', review.now);
    return {
      door: {
        ...catalog,
        /** Takes over facts about playing; called once, by the domain that plays. */
        usePlayback: (facts: PlaybackFacts) => void Object.assign(played, facts),
      },
      routes: catalogRoutes({
        catalog,
        admin: catalog.admin,
        config,
        identity: identity.operations.profiles,
        deviceOf: identity.operations.sessions.deviceOf,
        recorded: activity.recorded,
        played,
      }),
      tasks: catalog.tasks,
      findings: catalog.findings,
      start: () =>
        catalog.start(
          (library, isFull) =>
            void tasks
              .start(isFull ? 'scan' : 'scan-changes', { library }, { evenIfRunning: true })
              .catch((error: unknown) => log.fault('scan.not-started', error)),
        ),
      close: catalog.close,
      forgetProfile: catalog.watching.forgetProfile,
    };
  },
});
