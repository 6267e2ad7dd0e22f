/** The dashboard's own files: the document, its scripts and styles, and what makes it installable. */
import { z } from 'zod';
import { endpoint } from '../kernel/endpoint.ts';
import { PAGE } from '../kernel/surface.ts';
import { PAGES } from './pages.ts';

/** The dashboard reads the query of its addresses; the server takes any. */
const anything = z.looseObject({});
const path = (address: string) => {
  const names = [...address.matchAll(/\{(\w+)\}/g)].map((m) => m[1] ?? '');
  return z.strictObject(Object.fromEntries(names.map((name) => [name, z.string().regex(/^[a-z0-9-]{1,64}$/)])));
};
const document = (address: string) =>
  endpoint({
    method: 'GET',
    path: address,
    surface: PAGE,
    summary: 'The dashboard',
    access: 'public',
    reach: 'everywhere',
    // The reader has a frame, and any page becomes that of the reader without being loaded again.
    frames: true,
    params: path(address),
    query: anything,
    result: { bytes: ['text/html; charset=utf-8'], ranged: true },
  });
const file = z.strictObject({ file: z.string().regex(/^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,127}$/) });

export const page = {
  ...Object.fromEntries(Object.entries(PAGES).map(([name, address]) => [name, document(address)])),
  asset: endpoint({
    method: 'GET',
    path: '/assets/{file}',
    surface: PAGE,
    summary: 'A script, style, font or picture of the dashboard',
    access: 'public',
    reach: 'everywhere',
    params: file,
    query: anything,
    result: { bytes: ['*/*'], ranged: true },
    fails: ['no-such-file'],
  }),
  root: endpoint({
    method: 'GET',
    path: '/app/{file}',
    surface: PAGE,
    summary: 'The manifest and icons of the dashboard',
    access: 'public',
    reach: 'everywhere',
    params: file,
    query: anything,
    result: { bytes: ['*/*'], ranged: true },
    fails: ['no-such-file'],
  }),
  worker: endpoint({
    method: 'GET',
    path: '/worker.js',
    surface: PAGE,
    summary: 'The service worker of the dashboard',
    access: 'public',
    reach: 'everywhere',
    query: anything,
    result: { bytes: ['text/javascript; charset=utf-8'], ranged: true },
    fails: ['no-such-file'],
  }),
};
