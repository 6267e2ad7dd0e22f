/** Sources: the files of what is played, found through what the caller may see, and known by their identity. */
import type { Catalog, PlayableFile } from '../catalog/index.ts';
import { Failure } from '../lib/failure.ts';
import { type FileLocation, inRoot, type KeptFiles, type OpenFile } from '../lib/files.ts';
import type { CutTracks } from './cuts.ts';
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

export function createSources({
  catalog,
  kept,
  cuts,
}: {
  catalog: Pick<Catalog, 'root'>;
  kept: KeptFiles;
  cuts: CutTracks;
}): Sources {
  /** The file as it is now, open, with what says whether it is still the same. */
  const openNow = async (file: PlayableFile): Promise<{ open: OpenFile; identity: string; media: FileLocation }> => {
    if (file.window) {
      const { open, path, identity } = await cuts.cached(file);
      return { open, identity, media: path };
    }
    const open = await openMedia(catalog, file, file.relative, { kept });
    return { open, identity: etagOf(open), media: inRoot(await catalog.root(file.root), file.relative) };
  };
  return {
    of: async (file, planned) => {
      const { info } = file;
      if (!info) throw new Failure('conflict', 'this file has not been analysed', { reason: 'not-analysed' });
      const now = await openNow(file);
      const { identity, media } = now;
      await now.open.close();
      if (planned !== undefined && planned !== identity) throw changed();
      return {
        identity,
        info,
        media,
        open: async () => {
          const later = await openNow(file);
          if (later.identity === identity) return later.open;
          await later.open.close();
          throw changed();
        },
      };
    },
  };
}
