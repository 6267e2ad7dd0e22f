/** What is not a page, for the server and the service worker. A file of its own: the worker has to be one script. */

/** Paths that are never a page, also where they lead nowhere: programs ask there, and want to be told in JSON. */
export const NOT_PAGES =
  /^\/(?:api|assets|app|media|subtitle|font|trickplay|download|hls|read|healthz|readyz|mcp|worker\.js)(?:\/|$)/;
