/** All settings of the server: those that the domains declare, in the order of the domains. */
import { settingSet } from './config/index.ts';
import { DOMAINS } from './domains.ts';

export const SETTINGS = settingSet(DOMAINS.flatMap(({ settings }) => settings));
