/** Endpoints about the service itself, and whether it lives. */
import { about } from '../kernel/describe.ts';
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
    description: 'A short reply that shows that a token works, and where the document of the API is.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    result: z
      .strictObject({
        name: z.string().meta(about('Name of the API.', 'Matinee')),
        version: z.string().meta(about('Version of the API.', API_VERSION)),
        openapi: z.string().meta(about('Address of its document.', '/api/v1/openapi.json')),
      })
      .meta({ id: 'Service', description: 'Name and version of the API.' }),
  }),
  document: endpoint({
    method: 'GET',
    path: '/api/v1/openapi.json',
    summary: 'The OpenAPI 3.1 document of every versioned route',
    description: 'Returns this document, as the running server has it.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    result: z.looseObject({}).meta(
      about('An OpenAPI 3.1 document.', {
        openapi: '3.1.0',
        info: { title: 'Matinee', version: API_VERSION },
        paths: {},
      }),
    ),
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
