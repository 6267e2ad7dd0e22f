/**
 * Playback's door: the bytes of an item, its subtitles, and the plan that leads to them.
 *
 * Every call begins with the catalogue as the caller may see it; what that does not show is missing here too.
 */
import type { Catalog } from '../catalog/index.ts';
import { tracksOf } from '../catalog/index.ts';
import type { Principal } from '../contract/principal.ts';
import type { Clock } from '../lib/clock.ts';
import type { Migration } from '../lib/db/index.ts';
import type { Ffmpeg } from '../lib/ffmpeg/index.ts';
import { Failure, found } from '../lib/failure.ts';
import { createKeptFiles, type OpenFile } from '../lib/files.ts';
import type { Log } from '../lib/log.ts';
import type { Subtitles } from '../subtitles/index.ts';
import { markerMigrations } from './markers/store.ts';
import { downloadName, etagOf, extensionOf, fileOf, openIn, type Which } from './opening.ts';
import { mediaTypeOf } from './plan/codecs.ts';
import { videoOf } from './plan/decide.ts';
import { type Choices, type MakeTicket, makePlan, type Plan } from './plan/make.ts';
import type { Client } from './plan/types.ts';
import { createSubtitleCache } from './subtitle/cache.ts';
import { createExtractor } from './subtitle/extract.ts';
import { createPictures } from './subtitle/pictures.ts';
import { serveSubtitle, type SubtitleQuery, type SubtitleReply } from './subtitle/serve.ts';

export { createMarkers, type Markers } from './markers/index.ts';
export { createMarkerStore } from './markers/store.ts';
export { etagOf } from './opening.ts';
export type { MakeTicket, Plan, Ticket } from './plan/make.ts';
export { readCapabilities } from './plan/names.ts';
export { createTrickplay, type Trickplay } from './trickplay/index.ts';
export type { SubtitleReply } from './subtitle/serve.ts';

export const playbackMigrations: readonly Migration[] = [...markerMigrations];

export interface PlaybackNeeds {
  catalog: Pick<Catalog, 'seenBy' | 'root'>;
  ffmpeg: Pick<Ffmpeg, 'extractText' | 'extractPictures' | 'probe'>;
  log: Log;
  /** The server's folder for what can be made again (`paths.cache`). */
  cache: string;
  makeTicket: MakeTicket;
  convert: Subtitles['delivery']['convert'];
  toPgs: Subtitles['delivery']['toPgs'];
  /** Languages that a Profile likes to hear, the best first. */
  likedAudio?: ((by: Principal) => Promise<readonly string[]> | readonly string[]) | undefined;
  /** What extracted and converted subtitles may take on the disk; 512 MiB unless said otherwise. */
  mostCached?: number;
  /** Clock by which the check of an open file's name expires; the system's unless given. */
  clock?: Pick<Clock, 'monotonic'> | undefined;
}

/** An open media file. Whoever has it closes it. */
export interface OpenMedia {
  file: OpenFile;
  type: string;
  filename?: string;
}
type By = Principal;

export interface Playback {
  /**
   * Opens the file of an item. Fails as missing where it may not be seen, and as unavailable while it is away.
   * `expected` is the byte that will probably be read first.
   */
  media(by: By, which: Which, expected?: number): Promise<OpenMedia>;
  /** As `media`, with a name to keep it by. Fails as forbidden where the Profile may not download. */
  download(by: By, which: Which): Promise<OpenMedia>;
  subtitle(by: By, query: SubtitleQuery, signal: AbortSignal): Promise<SubtitleReply>;
  /** Whether a caller may still have the bytes of an item, for replies that are open. */
  isAllowed(by: By, id: string, purpose: 'play' | 'download'): boolean;
  plan(by: By, id: string, can: Client, choices: Choices): Promise<Plan>;
  close(): void;
}

export function createPlayback({ catalog, ffmpeg, log, cache: folder, makeTicket, convert, toPgs, likedAudio, mostCached, clock }: PlaybackNeeds): Playback {
  const kept = createKeptFiles({ ...(clock && { clock }) });
  const extractor = createExtractor({ ffmpeg });
  const making = new Map<string, Promise<Buffer>>();
  const cache = createSubtitleCache({ folder: `${folder}/subtitles`, log, ...(mostCached !== undefined && { mostBytes: mostCached }) });
  const pictures = createPictures({ catalog, ffmpeg, toPgs, cache });

  return {
    media: async (by, which, expected) => {
      const file = await fileOf(catalog.seenBy(by), which);
      const type = mediaTypeOf({ container: file.info?.container, extension: extensionOf(file.relative), hasVideo: !file.info || videoOf(file.info) !== undefined });
      return { file: await openIn(catalog, file, file.relative, { kept, expected }), type };
    },
    download: async (by, which) => {
      if (!by.policy.download) throw new Failure('forbidden', 'this Profile may not download');
      const seen = catalog.seenBy(by);
      const [file, subject] = await Promise.all([fileOf(seen, which), seen.subject(which.id)]);
      const parts = subject?.files.filter(({ id }) => id === file.id).length ?? 1;
      const name = downloadName(found(subject, 'no such item'), extensionOf(file.relative), parts > 1 ? { number: file.part } : undefined);
      return { file: await openIn(catalog, file, file.relative), type: 'application/octet-stream', filename: name };
    },
    isAllowed: (by, id, purpose) => (purpose === 'play' || by.policy.download) && catalog.seenBy(by).isSeen(id),
    subtitle: (by, query, signal) => serveSubtitle({ catalog, extractor, pictures, cache, convert, making }, catalog.seenBy(by), query, signal),
    plan: async (by, id, can, choices) => {
      const seen = catalog.seenBy(by);
      const [item, file, subject, liked] = await Promise.all([seen.item(id), fileOf(seen, { id, version: choices.version, part: choices.part }), seen.subject(id), likedAudio?.(by) ?? []]);
      return makePlan({ item: found(item, 'no such item'), file, tracks: tracksOf(file, subject?.sidecars ?? []), can, choices, liked, by, makeTicket });
    },
    close: () => {
      kept.close();
      extractor.close();
      pictures.close();
    },
  };
}

/** What validates the bytes of an open media file. */
export const validatorsOf = ({ file }: OpenMedia): { etag: string; modified: number } => ({ etag: etagOf(file), modified: file.mtimeMs });
