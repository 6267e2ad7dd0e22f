/**
 * Makes `virtual:routes`: the method, path and field names of every endpoint, read from the contract while
 * building. The schemas stay here; only this table travels to the browser.
 */
import type { Plugin } from 'vite';
import { api } from '../../contract/api.ts';
import { routesOf } from '../../contract/kernel/client.ts';

export const ROUTES = 'virtual:routes';
const RESOLVED = `\0${ROUTES}`;

/** Returns the source of the module. */
export const routesModule = (): string => `export const routes = ${JSON.stringify(routesOf(api))};`;

export const routes = (): Plugin => ({
  name: 'matinee-routes',
  resolveId: (id) => (id === ROUTES ? RESOLVED : null),
  load: (id) => (id === RESOLVED ? routesModule() : null),
});
