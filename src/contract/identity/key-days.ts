/** Lives of API keys in days, apart from their endpoint: the dashboard offers them. */
export const KEY_DAYS = [7, 30, 90, 365] as const;
export const DEFAULT_KEY_DAYS = 30;
