/** Subtitle management: what is there, what is missing, and where more comes from. Owners only. */
import { z } from 'zod';
import { byId, Id, integer, Language, LanguageCode, Seconds, Time } from '../kernel/common.ts';
import { SUBTITLE_ROLES } from '../catalog/items.ts';
import { endpoint } from '../kernel/endpoint.ts';

export const PROVIDERS = ['subtitles_a', 'subtitles_b', 'subtitles_c'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** One reason that speaks for or against a match; points add up to the score. */
export const Evidence = z
  .strictObject({ kind: z.string(), detail: z.string(), points: z.number() })
  .meta({ id: 'Evidence' });
export type Evidence = z.output<typeof Evidence>;

export const MATCHES = ['verified', 'unverified', 'embedded', 'found'] as const;

export const LanguageState = z
  .strictObject({
    language: LanguageCode,
    role: z.enum(SUBTITLE_ROLES),
    installed: z
      .strictObject({
        source: z.string().meta({
          description:
            'embedded, sidecar, the provider it came from, or how it was made here: edited, imported, draft.',
        }),
        score: z.number().min(0).max(100).optional(),
        match: z.enum(MATCHES),
        installedAt: Time.optional(),
        managed: z.boolean().meta({ description: 'Whether this server wrote it.' }),
        format: z.string(),
        hidden: z.boolean(),
      })
      .optional(),
    evidence: z.array(Evidence),
    originalAvailable: z.boolean(),
    restorable: z.boolean(),
    replaceable: z.boolean(),
    lastSearch: Time.optional(),
    nextRetry: Time.optional(),
    reason: z.string().optional(),
  })
  .meta({ id: 'SubtitleLanguageState' });
export type LanguageState = z.output<typeof LanguageState>;

export const PROVIDER_STATES = ['not-configured', 'untested', 'connected', 'limited', 'unavailable'] as const;
export const ProviderState = z
  .strictObject({
    name: z.enum(PROVIDERS),
    state: z.enum(PROVIDER_STATES),
    configured: z.boolean(),
    lastSuccess: Time.optional(),
    remaining: z.int().optional(),
    resetAt: Time.optional(),
    lastError: z.string().optional(),
    nextRetry: Time.optional(),
  })
  .meta({ id: 'SubtitleProvider' });
export type ProviderState = z.output<typeof ProviderState>;

export const SubtitleItem = z
  .strictObject({
    id: Id,
    title: z.string(),
    kind: z.enum(['movie', 'episode']),
    year: z.int().optional(),
    context: z.string().optional().meta({ description: 'Of an episode: S01E02 · its name.' }),
    file: z.string().meta({ description: 'Relative to its library.' }),
    modified: Time,
    ready: z.boolean(),
    missing: z.array(LanguageCode),
    languages: z.array(LanguageState),
  })
  .meta({ id: 'SubtitleItem' });

const owner = { role: 'owner', via: 'admin', recent: true } as const;

/** What was done to the subtitle of an item in a language, the newest first. */
export const ACTS = ['fetched', 'upgraded', 'applied', 'restored', 'hidden'] as const;
/** Who did it. A key acts for the Owner who made it; the server acts by itself in its batches. */
export const Actor = z
  .strictObject({
    is: z.enum(['person', 'key', 'server']),
    profile: Id.optional(),
    name: z.string().optional().meta({ description: 'Of the Profile, as it was then.' }),
  })
  .meta({ id: 'SubtitleActor' });
export type Actor = z.output<typeof Actor>;

export const HistoryEntry = z
  .strictObject({
    at: Time,
    act: z.enum(ACTS),
    by: Actor.optional().meta({ description: 'Left out of what was done before this was written down.' }),
    language: LanguageCode,
    role: z.enum(SUBTITLE_ROLES),
    source: z.string(),
    score: z.number().min(0).max(100).optional(),
    detail: z
      .string()
      .optional()
      .meta({ description: 'What was done, in a few words: shifted by 1.5 s, credits removed.' }),
  })
  .meta({ id: 'SubtitleHistoryEntry' });
export type HistoryEntry = z.output<typeof HistoryEntry>;

/** Listening takes its time, and is done for one video at a time: a person's before what the server does by itself. */
export const ListeningView = z
  .strictObject({
    state: z.enum(['waiting', 'listening']),
    progress: z.number().min(0).max(1).optional(),
    waitsFor: z.string().optional().meta({ description: 'The title of what is listened to now.' }),
  })
  .meta({ id: 'SubtitleListening' });

const BATCH = { least: 1, most: 50 } as const;
/** The body of a bounded batch. */
const batch = z.strictObject({
  language: Language.optional().meta({ description: 'Left out: every configured language.' }),
  limit: z
    .int()
    .min(BATCH.least)
    .max(BATCH.most)
    .optional()
    .meta({ description: 'How many items at most; 10 when left out.' }),
});
export const OUTCOMES = ['written', 'upgraded', 'kept', 'nothing', 'refused', 'failed', 'skipped'] as const;
const BatchResult = z
  .strictObject({ id: Id, language: LanguageCode, outcome: z.enum(OUTCOMES), reason: z.string().optional() })
  .meta({ id: 'SubtitleBatchResult' });

export const subtitles = {
  inventory: endpoint({
    method: 'GET',
    path: '/api/v1/subtitle-library',
    summary: 'Subtitle inventory and coverage',
    access: { role: 'owner', via: 'library' },
    query: z.strictObject({
      view: z.enum(['summary', 'wanted', 'library']).default('library').meta({
        description: 'summary: the counts without items; wanted: items that lack a subtitle; library: all items.',
      }),
      q: z.string().min(1).max(128).optional().meta({ description: 'Words of the title.' }),
      status: z
        .enum(['all', 'ready', 'wanted', 'checking', 'unavailable'])
        .default('all')
        .meta({ description: 'Only items in this state.' }),
      kind: z.enum(['all', 'movie', 'episode']).default('all').meta({ description: 'Only items of this kind.' }),
      sort: z
        .enum(['title', 'modified', 'wanted', 'searched'])
        .default('title')
        .meta({ description: 'wanted: what lacks most first; searched: what was looked for last first.' }),
      language: Language.optional(),
      library: Id.optional(),
      page: integer(1, 1_000_000).default(1).meta({ description: 'Number of the page, from 1.' }),
      limit: integer(1, 200).default(40).meta({ description: 'Items on a page.' }),
    }),
    result: z
      .strictObject({
        languages: z.array(LanguageCode).meta({ description: 'The configured languages; empty until one is chosen.' }),
        total: z.int().min(0),
        ready: z.int().min(0),
        wanted: z.int().min(0),
        pending: z.int().min(0),
        unavailable: z.int().min(0),
        coverage: z.number().min(0).max(100),
        byLanguage: z.array(z.strictObject({ language: LanguageCode, ready: z.int().min(0), wanted: z.int().min(0) })),
        byLibrary: z
          .array(
            z.strictObject({
              library: Id,
              name: z.string(),
              total: z.int().min(0),
              languages: z.array(
                z.strictObject({ language: LanguageCode, ready: z.int().min(0), wanted: z.int().min(0) }),
              ),
            }),
          )
          .meta({ description: 'Coverage of each library with films or shows, by configured language.' }),
        present: z
          .array(z.strictObject({ language: LanguageCode, items: z.int().min(0) }))
          .meta({ description: 'Every language in which there is text, and in how many items.' }),
        providers: z.array(ProviderState),
        page: z.int().min(1),
        pages: z.int().min(0),
        matched: z.int().min(0),
        items: z.array(SubtitleItem),
      })
      .meta({ id: 'SubtitleLibrary' }),
    fails: ['missing'],
  }),
  item: endpoint({
    method: 'GET',
    path: '/api/v1/subtitle-library/{id}',
    summary: 'One item of the subtitle inventory, with what was done to its subtitles',
    access: { role: 'owner', via: 'library' },
    params: byId,
    result: z
      .strictObject({
        ...SubtitleItem.shape,
        configured: z.array(LanguageCode),
        duration: Seconds.optional(),
        listening: ListeningView.optional(),
        history: z.array(HistoryEntry),
      })
      .meta({ id: 'SubtitleItemDetail' }),
    fails: ['missing'],
  }),
  fetch: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/{id}/fetch',
    summary: 'Fetch a subtitle for one scanned item; {} uses the configured language',
    access: owner,
    params: byId,
    body: z.strictObject({ language: Language.optional() }),
    result: z
      .strictObject({
        language: LanguageCode,
        source: z.string(),
        score: z.number().min(0).max(100),
        match: z.enum(MATCHES),
        evidence: z.array(Evidence),
        file: z.string(),
      })
      .meta({ id: 'FetchedSubtitle' }),
    status: 201,
    fails: ['missing', 'conflict', 'unavailable'],
  }),
  fetchWanted: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/fetch-wanted',
    summary: 'Fetch for a bounded number of items that lack a subtitle; success does not mean that each received one',
    access: owner,
    body: batch,
    result: z
      .strictObject({
        attempted: z.int().min(0),
        written: z.int().min(0),
        failed: z.int().min(0),
        results: z.array(BatchResult),
      })
      .meta({ id: 'SubtitleBatch' }),
    fails: ['conflict', 'unavailable'],
  }),
  maintain: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/maintain',
    summary: 'Fill what is missing and consider safe upgrades, for a bounded number of items',
    access: owner,
    body: batch,
    result: z
      .strictObject({
        attempted: z.int().min(0),
        added: z.int().min(0),
        upgraded: z.int().min(0),
        failed: z.int().min(0),
        results: z.array(BatchResult),
      })
      .meta({ id: 'SubtitleMaintenance' }),
    fails: ['conflict', 'unavailable'],
  }),
  testProviders: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-providers/test',
    summary: 'Check the configured provider credentials',
    access: owner,
    result: z
      .strictObject({ attempted: z.int().min(0), connected: z.int().min(0), providers: z.array(ProviderState) })
      .meta({ id: 'ProviderTest' }),
  }),
};
