/** The dashboard's addresses: every page is the one document, everything else a file by its exact name. */
import { page } from '../contract/dashboard/document.ts';
import { PAGES } from '../contract/dashboard/pages.ts';
import { type Body, type Handler, implement, type MountedEndpoint } from '../http/handle.ts';
import { DRAWING_POLICY } from '../http/headers.ts';
import { found } from '../lib/failure.ts';
import type { WebFile, WebFiles } from './index.ts';

/** The file that the dashboard's build makes of `player/captions/drawn/styled-worker.ts`. */
const DRAWING_WORKER = /^styled-worker-[A-Za-z0-9_-]{8}\.js$/;
const YEAR_S = 31_536_000;
const body = ({ type, bytes, packed, etag, isHashed }: WebFile): Body => ({
  type,
  bytes,
  packed,
  etag,
  cache: isHashed ? `public, max-age=${YEAR_S}, immutable` : 'no-cache',
});

export function pageRoutes(files: WebFiles): MountedEndpoint[] {
  const document = async (): Promise<Body> => body(await files.document());
  const file = async (path: string): Promise<Body> =>
    body(found(await files.file(path), 'no such file', 'no-such-file'));
  const documents = Object.fromEntries(Object.keys(PAGES).map((name) => [name, document]));
  const asset: Handler<typeof page.asset> = ({ file: name }, call) => {
    if (DRAWING_WORKER.test(name)) call.header('content-security-policy', DRAWING_POLICY);
    return file(`assets/${name}`);
  };
  const root: Handler<typeof page.root> = ({ file: name }) => file(`app/${name}`);
  const worker: Handler<typeof page.worker> = () => file('worker.js');
  return implement(page, { ...documents, asset, root, worker });
}
