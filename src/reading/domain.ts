/** Reading books as a domain. */
import { catalogDomain } from '../catalog/domain.ts';
import { domain } from '../domain.ts';
import { createBookReader } from '../lib/books/reader.ts';
import { createReading } from './index.ts';
import { readingRoutes } from './routes.ts';

export const readingDomain = domain({
  name: 'reading',
  uses: [catalogDomain],
  open: async ({ processes }, { catalog }) => {
    const books = createBookReader({ processes });
    const reading = createReading({ catalog, books });
    return { door: {}, routes: readingRoutes({ reading, catalog }), close: books.close };
  },
});
