/**
 * Loads the picture library with the first picture: it is a tenth of what the server holds, and a start does not need
 * it. Pictures are read and written in its threads, outside the main thread.
 */

type Sharp = typeof import('sharp').default;

/** Image loaders that are allowed, by their names in the library: JPEG, PNG, WebP, GIF, AVIF and TIFF. */
const READERS = [
  'VipsForeignLoadJpeg',
  'VipsForeignLoadPng',
  'VipsForeignLoadWebp',
  'VipsForeignLoadNsgif',
  'VipsForeignLoadHeif',
  'VipsForeignLoadTiff',
] as const;

let loading: Promise<Sharp> | undefined;

export async function loadPictureReader(): Promise<Sharp> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // One picture takes some ten milliseconds on one core; both cores would leave nothing for playing.
    sharp.concurrency(1);
    sharp.cache(false);
    // A drawing or document may be named poster.jpg, and must not reach the reader of such files.
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: [...READERS] });
    return sharp;
  });
  return loading;
}
