/** The endpoints of readers, each tied to the operation that does it. */
import type { Catalog } from '../catalog/index.ts';
import { bookBytes, reader } from '../contract/reading/reader.ts';
import { type Body, type Call, implement, type MountedEndpoint, type RangedFile } from '../http/handle.ts';
import { FRAMED_HEADERS } from '../http/headers.ts';
import { Failure } from '../lib/failure.ts';
import type { NumberedChoice, Reading } from './index.ts';

const YEAR_S = 31_536_000;
/** An address with the version of the file in it never means other bytes. */
const cacheFor = (v: string | undefined): string =>
  v === undefined ? 'private, no-cache' : `private, max-age=${YEAR_S}, immutable`;

export interface ReadingRouteNeeds {
  reading: Reading;
  catalog: Pick<Catalog, 'seenBy' | 'watching'>;
}

export const readingRoutes = ({ reading, catalog }: ReadingRouteNeeds): MountedEndpoint[] => [
  ...implement(reader, {
    open: async (which, { by, signal }) => {
      const { kind, parts, ...book } = await reading.open(by, which, signal);
      const place = await catalog.watching.reading.place(by.profile, which.id);
      return { ...book, kind, parts, ...(kind !== 'epub' && { pages: parts }), place };
    },
    search: async (asked, { by, signal }) => {
      const items = await reading.search(by, asked, signal);
      return { items, total: items.length };
    },
    text: (which, { by, signal }) => reading.text(by, which, signal),
    place: async ({ id }, { by }) => {
      await reading.shape(by, id);
      return catalog.watching.reading.place(by.profile, id);
    },
    progress: async ({ id, ...report }, { by }) => {
      const { isPaged, parts } = await reading.shape(by, id);
      if (parts !== undefined && report.part >= parts)
        throw new Failure('missing', 'no such part', { reason: 'no-such-part' });
      return catalog.watching.reading.progress(by.profile, id, report, { isPaged, parts: parts ?? 1 });
    },
  }),
  ...implement(bookBytes, {
    file: async (which, call): Promise<RangedFile> => {
      onlyWhileSeen(catalog, which.id, call);
      const { file, type } = await reading.file(call.by, which);
      const etag = [file.size, Math.round(file.mtimeMs * 1000), file.ino].map((n) => n.toString(36)).join('-');
      call.header('cache-control', cacheFor(undefined));
      return {
        type,
        etag,
        modified: file.mtimeMs,
        size: file.size,
        read: (into, position) => file.read(into, position),
        close: () => file.close(),
      };
    },
    part: async (which, call) => {
      for (const [name, value] of Object.entries(FRAMED_HEADERS)) call.header(name, value);
      return bytesOf(await reading.part(call.by, which, call.signal), which);
    },
    asset: async (which, call) => bytesOf(await reading.asset(call.by, which, call.signal), which),
    page: async (which, call) => bytesOf(await reading.page(call.by, which, call.signal), which),
  }),
];

/** Bytes of a book are of one size, and cached by their version. */
const bytesOf = (
  { type, bytes, etag }: { type: string; bytes: Uint8Array; etag: string },
  { v }: NumberedChoice,
): Body => ({ type, bytes, etag, cache: cacheFor(v) });

const onlyWhileSeen = (catalog: Pick<Catalog, 'seenBy'>, id: string, call: Call): void =>
  call.onlyWhile((by) => catalog.seenBy(by).isSeen(id));
