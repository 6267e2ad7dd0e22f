/** Sources: the files of what is played, found through what the caller may see, and known by their identity. */
import type { Catalog, PlayableFile } from '../catalog/index.ts';
import { Failure } from '../lib/failure.ts';
import { inRoot, type KeptFiles } from '../lib/files.ts';
import { etagOf, openMedia } from './opening.ts';
import type { MediaSource } from './rendition.ts';

/** The bytes that were planned are not there any more: a new plan plays what is there now. */
export const changed = (): Failure =>
  new Failure('conflict', 'the file was replaced or changed; play it again', { reason: 'changed' });

export interface Sources {
  /**
   * Opens the file as it is now; with `identity`, fails as `conflict` when it is another one by now. Fails as
   * `unavailable` while its library is away.
   */
  of(file: PlayableFile, identity?: string): Promise<MediaSource>;
}

export function createSources({ catalog, kept }: { catalog: Pick<Catalog, 'root'>; kept: KeptFiles }): Sources {
  return {
    of: async (file, planned) => {
      const { info } = file;
      if (!info) throw new Failure('conflict', 'this file has not been analysed', { reason: 'not-analysed' });
      const now = await openMedia(catalog, file, file.relative, { kept });
      const identity = etagOf(now);
      await now.close();
      if (planned !== undefined && planned !== identity) throw changed();
      return {
        identity,
        info,
        media: inRoot(await catalog.root(file.root), file.relative),
        open: async () => {
          const open = await openMedia(catalog, file, file.relative, { kept });
          if (etagOf(open) === identity) return open;
          await open.close();
          throw changed();
        },
      };
    },
  };
}
