/**
 * Paths that are not pages, for the server and the service worker. A separate file, because the worker is one script.
 */

/** Paths below which no address is a page, even an unknown one: programs call them and expect errors in JSON. */
export const NOT_PAGES =
  /^\/(?:api|assets|app|media|subtitle|font|trickplay|download|hls|read|healthz|readyz|mcp|oidc|saml|scim|worker\.js)(?:\/|$)/;
