/** Steps of the first run that follow the first Owner and the second factor, in order. */
export const WELCOME_STEPS = ['libraries', 'subtitles', 'scan'] as const;
