/** Online metadata as a domain. */
import { catalogDomain } from '../catalog/domain.ts';
import { domain } from '../domain.ts';
import { createMetadataClient } from './client.ts';
import { createMetadata } from './index.ts';
import { createPersonSource } from './person-source.ts';
import { metadataRoutes } from './routes.ts';
import { metadataSettings } from './settings.ts';

const DAY_MS = 86_400_000;

export const metadataDomain = domain({
  name: 'metadata',
  uses: [catalogDomain],
  settings: metadataSettings,
  open: async ({ clock, log, config, net, cache }, { catalog }) => {
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
      catalog: catalog.background,
      preferences: () => ({
        language: config.get('metadata.language') ?? 'en',
        country: config.get('metadata.country'),
      }),
    });
    const persons = createPersonSource({
      client,
      clock,
      log,
      folder: `${cache}/people`,
      language: () => config.get('metadata.language') ?? 'en',
    });
    catalog.usePersonSource(persons);
    const sweeping = setInterval(
      () => void persons.sweep().catch((error) => log.fault('metadata.people', error)),
      DAY_MS,
    );
    sweeping.unref();
    return {
      door: metadata,
      routes: metadataRoutes(metadata),
      startBackground: persons.sweep,
      close: () => {
        clearInterval(sweeping);
        persons.close();
      },
    };
  },
});
