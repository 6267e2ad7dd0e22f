/**
 * The built dashboard, held in memory: a few hundred kilobytes that never change while the server runs,
 * packed once for browsers that take gzip or Brotli.
 *
 * Only files that were in the folder at the first use are served, by their exact names; no later request reaches the
 * disk. Without a built dashboard every page says what to run.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Failure } from '../lib/failure.ts';
import { listFolder, readBounded } from '../lib/files.ts';

/** One file as it is sent. */
export interface WebFile {
  type: string;
  bytes: Uint8Array;
  packed: { br?: Uint8Array; gzip?: Uint8Array };
  etag: string;
  /** Its name changes with its content, so a browser may keep it for good. */
  isHashed: boolean;
}
export interface WebFiles {
  /** The one document behind every page. */
  document(): Promise<WebFile>;
  /** Returns a file by its path: `assets/x.js`, `app/icon.svg`, `worker.js`. Undefined if there is none. */
  file(path: string): Promise<WebFile | undefined>;
  isBuilt(): Promise<boolean>;
}

const LARGEST = 16 * 1024 * 1024;
const MAX_FILES = 2_000;
const FOLDERS = ['assets', 'app'];
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  woff: 'font/woff',
  ttf: 'font/ttf',
};
/** Types that become smaller when they are compressed. */
const PACKABLE = /^text\/|^application\/(?:json|manifest|wasm)|svg/;
/** `index-yQNXVZ4m.js`: the builder puts eight characters of a digest before the ending. */
const HASHED = /-[A-Za-z0-9_-]{8}\.[a-z0-9]{1,8}$/;

const NOT_BUILT = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Matinee</title></head>
<body><h1>The dashboard is not built yet</h1><p>The server is running. Run <code>npm run build</code> in its folder and start it again.</p></body>
</html>
`;

/** `folder` is where the build is, an absolute path. It is read at the first use; a read that failed is tried again. */
export function createWebFiles({ folder }: { folder: string }): WebFiles {
  let loading: Promise<ReadonlyMap<string, WebFile>> | undefined;
  const files = () =>
    (loading ??= load(folder).catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  let without: Promise<WebFile> | undefined;
  return {
    document: async () =>
      (await files()).get('index.html') ?? (without ??= webFile('index.html', Buffer.from(NOT_BUILT))),
    file: async (path) => (path === 'index.html' ? undefined : (await files()).get(path)),
    isBuilt: async () => (await files()).has('index.html'),
  };
}

async function load(folder: string): Promise<ReadonlyMap<string, WebFile>> {
  const paths: string[] = (await namesIn(folder)).filter((name) => name === 'index.html' || name === 'worker.js');
  for (const below of FOLDERS) for (const name of await namesIn(`${folder}/${below}`)) paths.push(`${below}/${name}`);
  if (paths.length > MAX_FILES) throw new Error('too many files in the built dashboard');
  const read = async (path: string): Promise<[string, WebFile]> => [
    path,
    await webFile(path, await readBounded(`${folder}/${path}`, LARGEST)),
  ];
  return new Map(await Promise.all(paths.map(read)));
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await listFolder(folder)).filter(({ kind, isOdd }) => kind === 'file' && !isOdd).map(({ name }) => name);
  } catch (error) {
    if (error instanceof Failure && error.kind === 'missing') return [];
    throw error;
  }
}

async function webFile(path: string, bytes: Buffer): Promise<WebFile> {
  const type = TYPES[/\.([a-z0-9]{1,11})$/i.exec(path)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream';
  const packed = PACKABLE.test(type) ? await pack(bytes) : {};
  return {
    type,
    bytes,
    packed,
    etag: createHash('sha256').update(bytes).digest('base64url').slice(0, 27),
    isHashed: path.startsWith('assets/') && HASHED.test(path),
  };
}

/** The best packing of a megabyte takes seconds, which the first visitor would wait; a quick one is a tenth larger. */
const QUICK_OVER = 256 * 1024;

async function pack(bytes: Buffer): Promise<WebFile['packed']> {
  const [quality, level] = bytes.length > QUICK_OVER ? [5, 6] : [10, 9];
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
    promisify(gzip)(bytes, { level }),
  ]);
  return { ...(br.length < bytes.length && { br }), ...(gz.length < bytes.length && { gzip: gz }) };
}
