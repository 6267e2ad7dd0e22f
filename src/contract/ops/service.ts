/** Endpoints about the service itself, and whether it lives. */
import { z } from 'zod';
import { LIBRARY_READERS } from '../kernel/access.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { HEALTH } from '../kernel/surface.ts';

export const API_VERSION = '1.0.0';

export const service = {
  describe: endpoint({
    method: 'GET',
    path: '/api/v1',
    summary: 'The API name, its version, and where its document is',
    access: LIBRARY_READERS,
    result: z.strictObject({ name: z.string(), version: z.string(), openapi: z.string() }).meta({ id: 'Service' }),
  }),
  document: endpoint({
    method: 'GET',
    path: '/api/v1/openapi.json',
    summary: 'The OpenAPI 3.1 document of every versioned route',
    access: LIBRARY_READERS,
    result: z.looseObject({}),
  }),
};

const state = z.strictObject({ status: z.literal('ok') });

export const health = {
  alive: endpoint({
    method: 'GET',
    path: '/healthz',
    surface: HEALTH,
    summary: 'Whether the process answers',
    access: 'public',
    result: state,
  }),
  ready: endpoint({
    method: 'GET',
    path: '/readyz',
    surface: HEALTH,
    summary: 'Whether the server can do its work',
    access: 'public',
    result: state,
    fails: ['not-ready'],
  }),
};
