/** Roles of subtitles. Apart from items, so that helper processes which check subtitles do not load the whole API. */
export const SUBTITLE_ROLES = ['normal', 'forced', 'sdh'] as const;
