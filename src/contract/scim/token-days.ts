/** Longest life of a token of the directory, in days. This file imports nothing, so that the dashboard can load it. */
export const MAX_TOKEN_DAYS = 90;
