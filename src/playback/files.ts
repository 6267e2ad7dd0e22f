/** The files of items, opened for players and for downloads: each as the caller may see it. */
import type { Catalog } from '../catalog/index.ts';
import type { Principal } from '../contract/kernel/principal.ts';
import { Failure } from '../lib/failure.ts';
import { type KeptFiles, type OpenFile, unchanging } from '../lib/files.ts';
import type { CutTracks } from './cuts.ts';
import {
  downloadName,
  etagOf,
  fileName,
  extensionOfFile,
  playableFile,
  openMedia,
  type FileChoice,
} from './opening.ts';
import { mediaTypeOf } from './plan/codecs.ts';
import { videoOf } from './plan/support.ts';

/** An open media file. The caller that received it closes it. */
export interface OpenMedia {
  file: OpenFile;
  type: string;
  /** Its seconds, where they are known. */
  duration?: number | undefined;
  filename?: string;
}

export interface Files {
  /**
   * Opens the file of an item. Fails as missing where it may not be seen, and as unavailable while it is away.
   * `expected` is the byte that will probably be read first.
   */
  media(by: Principal, which: FileChoice, expected?: number): Promise<OpenMedia>;
  /** As `media`, with a name to keep it by. Fails as forbidden where the Profile may not download. */
  download(by: Principal, which: FileChoice): Promise<OpenMedia>;
  /** Whether a caller may still have the bytes of an item, for replies that are open. */
  isAllowed(by: Principal, id: string, purpose: 'play' | 'download'): boolean;
}

export function createFiles({
  catalog,
  kept,
  cuts,
}: {
  catalog: Pick<Catalog, 'seenBy' | 'root'>;
  kept: KeptFiles;
  cuts: CutTracks;
}): Files {
  return {
    media: async (by, which, expected) => {
      const file = await playableFile(catalog.seenBy(by), which);
      const type = mediaTypeOf({
        container: file.info?.container,
        extension: extensionOfFile(file),
        hasVideo: !file.info || videoOf(file.info) !== undefined,
      });
      const open = file.window ? cuts.open(file) : openMedia(catalog, file, file.relative, { kept, expected });
      return { file: await open, type, duration: file.info?.duration };
    },
    download: async (by, which) => {
      if (!by.policy.download)
        throw new Failure('forbidden', 'this Profile may not download', { reason: 'downloads-not-allowed' });
      const seen = catalog.seenBy(by);
      const [file, subject] = await Promise.all([playableFile(seen, which), seen.subject(which.id)]);
      const parts = subject?.files.filter(({ id }) => id === file.id).length ?? 1;
      // A photo keeps the name of its file, because it has no title.
      const name = subject
        ? downloadName(subject, extensionOfFile(file), parts > 1 ? { number: file.part } : undefined)
        : fileName(file.relative);
      return {
        file: file.window ? await cuts.open(file) : unchanging(await openMedia(catalog, file, file.relative)),
        type: 'application/octet-stream',
        filename: name,
      };
    },
    isAllowed: (by, id, purpose) => (purpose === 'play' || by.policy.download) && catalog.seenBy(by).isSeen(id),
  };
}

/** Returns what validates the bytes of an open media file. */
export const validatorsOf = ({ file }: OpenMedia): { etag: string; modified: number } => ({
  etag: etagOf(file),
  modified: file.mtimeMs,
});
