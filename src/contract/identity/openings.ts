/** How Profiles open on household devices. This file imports nothing, so that the dashboard can load it. */
export const OPENINGS = ['nothing', 'pin', 'password'] as const;
export const MAX_HOUSEHOLD_PROFILES = 32;
