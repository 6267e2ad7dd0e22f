/** Bounds of requests. This file imports nothing, so that the dashboard can load it. */
/** Requests of a Profile that can be open at a time. */
export const MAX_OPEN_REQUESTS = 20;
/** Longest title that is asked for, and longest word with which an Owner answers. */
export const MAX_REQUEST_WORDS = 120;
/** Maximum number of requests in one reply. */
export const MAX_LISTED_REQUESTS = 200;
/** Minutes that can be asked for or given at once. */
export const MIN_ASKED_MINUTES = 5;
export const MAX_ASKED_MINUTES = 240;
/** Days for which an item is shown that was allowed once. */
export const ITEM_ONCE_DAYS = 7;
