/** Pictures that people upload. This file imports nothing, so that the dashboard can load it. */
export const MAX_UPLOAD_BYTES = 16 * 1024 * 1024;
export const UPLOAD_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif', 'image/tiff'] as const;
