/** The built dashboard as a domain. */
import { domain } from '../domain.ts';
import { createWebFiles } from './index.ts';
import { pageRoutes } from './routes.ts';

export const webFilesDomain = domain({
  name: 'web-files',
  uses: [],
  open: async ({ dashboard }) => {
    const files = createWebFiles({ folder: dashboard });
    return { door: files, routes: pageRoutes(files) };
  },
});
