/** PagePictures of comics in the width of a screen. A page that is not wider is sent as it is stored. */
import { Failure } from '../lib/failure.ts';
import type { BookBytes } from '../lib/books/questions.ts';
import { createLimit } from '../lib/limit.ts';
import { loadPictureReader } from '../lib/picture-reader.ts';

const MAX_PIXELS = 100_000_000;
const TIMEOUT_SECONDS = 20;
const PAGES_AT_ONCE = 2;
/** JPEG: at the size of a screen it is made in a third of the time of WebP. */
const QUALITY = 82;

export interface PagePictures {
  /** Loads the picture library, which takes as long as a page: a comic that is opened soon asks for its first one. */
  warm(): void;
  resized(page: BookBytes, width: number | undefined): Promise<BookBytes>;
}

export function createPages(): PagePictures {
  const limit = createLimit(PAGES_AT_ONCE);
  return {
    warm: () => {
      // A failure is that of the page that needs it.
      loadPictureReader().catch(() => {});
    },
    resized: async (page, width) => {
      if (width === undefined) return page;
      const sharp = await loadPictureReader();
      return limit(async () => {
        try {
          const picture = sharp(page.bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 });
          const { width: own } = await picture.metadata();
          if (own <= width) return page;
          const bytes = await picture
            .rotate()
            .resize({ width })
            .flatten({ background: '#fff' })
            .jpeg({ quality: QUALITY })
            .timeout({ seconds: TIMEOUT_SECONDS })
            .toBuffer();
          return { type: 'image/jpeg', bytes };
        } catch (error) {
          throw new Failure('missing', 'this page cannot be read', { reason: 'picture-unreadable' }, { cause: error });
        }
      });
    },
  };
}
