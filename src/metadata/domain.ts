/** Online metadata as a domain. */
import { catalogDomain } from '../catalog/domain.ts';
import { domain } from '../domain.ts';
import { debounce } from '../lib/coalesce.ts';
import { createMetadataClient } from './client.ts';
import { createMetadata, metadataMigrations } from './index.ts';
import { createPersonSource } from './person-source.ts';
import { metadataRoutes } from './routes.ts';
import { createSetSource } from './set-source.ts';
import { metadataSettings } from './settings.ts';
import { metadataTasks, REFRESH_TASK } from './tasks.ts';

/** A scan writes many batches: new items are looked up once none came for `QUIET_MS`, at the latest after the other. */
const QUIET_MS = 1500;
const MAX_WAIT_MS = 20_000;

const DAY_MS = 86_400_000;

export const metadataDomain = domain({
  name: 'metadata',
  uses: [catalogDomain],
  settings: metadataSettings,
  migrations: metadataMigrations,
  open: async ({ db, bus, clock, log, config, net, tasks, cache }, { catalog }) => {
    const client = createMetadataClient({
      net,
      clock,
      log,
      url: config.get('integrations.metadata.url'),
      imageUrl: config.get('integrations.metadata.image_url'),
      token: config.get('integrations.metadata.token'),
    });
    const metadata = createMetadata({
      client,
      db,
      clock,
      log,
      catalog: catalog.background,
      preferencesOf: (library) => {
        const { language, country, internet = true } = catalog.background.optionsOf(library);
        return {
          language: language ?? config.get('metadata.language') ?? 'en',
          country: country ?? config.get('metadata.country'),
          isAskedFor: internet,
        };
      },
    });
    catalog.useOfferedPictures(metadata.offered);
    catalog.useRefusedItems(metadata.refused);
    const keptIn = (folder: string) => ({
      ...{ client, clock, log, folder: `${cache}/${folder}` },
      language: () => config.get('metadata.language') ?? 'en',
    });
    const persons = createPersonSource(keptIn('people'));
    const sets = createSetSource(keptIn('sets'));
    catalog.usePersonSource(persons);
    catalog.useSetSource(sets);
    const sweep = async () => {
      for (const pages of [persons, sets]) await pages.sweep();
    };
    const sweeping = setInterval(() => void sweep().catch((error) => log.fault('metadata.pages', error)), DAY_MS);
    sweeping.unref();
    let isClosed = false;
    const startIfDue = async (): Promise<void> => {
      if (await metadata.upkeep.hasDue()) await tasks.start(REFRESH_TASK, {}, { evenIfRunning: true });
    };
    const look = debounce(
      () =>
        void startIfDue().catch((error: unknown) => {
          if (!isClosed) log.fault('metadata.not-started', error);
        }),
      { quietMs: QUIET_MS, mostMs: MAX_WAIT_MS },
    );
    return {
      door: metadata,
      routes: metadataRoutes(metadata),
      tasks: metadataTasks({ client, refresh: metadata.upkeep, clock }),
      startBackground: async () => {
        if (client.isConfigured) {
          bus.on('catalog.changed', look.ask);
          look.ask();
        }
        await sweep();
      },
      close: () => {
        isClosed = true;
        look.stop();
        clearInterval(sweeping);
        persons.close();
        sets.close();
      },
    };
  },
});
