/** Online metadata as a domain. */
import { catalogDomain } from '../catalog/domain.ts';
import { domain } from '../domain.ts';
import { createMetadataClient } from './client.ts';
import { createMetadata } from './index.ts';
import { metadataRoutes } from './routes.ts';
import { metadataSettings } from './settings.ts';

export const metadataDomain = domain({
  name: 'metadata',
  uses: [catalogDomain],
  settings: metadataSettings,
  open: async ({ clock, log, config, net }, { catalog }) => {
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
    return { door: metadata, routes: metadataRoutes(metadata) };
  },
});
