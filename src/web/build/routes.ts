/**
 * Makes `virtual:routes`: the method, path and field names of every endpoint, read from the contract while
 * building. The schemas stay here; only this table travels to the browser.
 */
import type { Plugin } from 'vite';
import { api } from '../../contract/api.ts';
import { routesOf } from '../../contract/kernel/client.ts';

const NAME = 'virtual:routes';
const RESOLVED = `\0${NAME}`;

export const routes = (): Plugin => ({
  name: 'matinee-routes',
  resolveId: (id) => (id === NAME ? RESOLVED : null),
  load: (id) => (id === RESOLVED ? `export const routes = ${JSON.stringify(routesOf(api))};` : null),
});
