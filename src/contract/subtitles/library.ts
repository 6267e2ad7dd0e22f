/** Subtitle management: the inventory, fetching from providers, and the state of the providers. Owners only. */
import { FETCHING_SUBTITLE, FETCHING_SUBTITLES } from './reasons.ts';
import { z } from 'zod';
import { LIBRARY_OWNERS, OWNERS } from '../kernel/access.ts';
import { byId, Id, integer, Language, LanguageCode, Seconds, Time } from '../kernel/common.ts';
import { SUBTITLE_ROLES } from '../catalog/items.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { PROVIDER_NAMES } from './providers.ts';

/** Source of the text that a restore without options brings back. */
export const RestoresTo = z
  .enum(['video', 'file'])
  .optional()
  .meta({
    description:
      'Source of what a restore without options brings back: the text inside the video, or a preserved file. ' +
      'Missing while restorable is false.',
  });

/** One reason for or against a match. The points of all reasons add up to the score. */
export const Evidence = z
  .strictObject({ kind: z.string(), detail: z.string(), points: z.number() })
  .meta({ id: 'Evidence' });
export type Evidence = z.output<typeof Evidence>;

export const MATCHES = ['verified', 'unverified', 'embedded', 'found'] as const;

/** A subtitle as people want it: its language and its kind. */
export const WantedSubtitle = z
  .strictObject({ language: LanguageCode, role: z.enum(SUBTITLE_ROLES) })
  .meta({ id: 'WantedSubtitle' });
export type WantedSubtitle = z.output<typeof WantedSubtitle>;
const WantedCount = z.strictObject({ ...WantedSubtitle.shape, ready: z.int().min(0), wanted: z.int().min(0) });

export const LanguageState = z
  .strictObject({
    language: LanguageCode,
    role: z.enum(SUBTITLE_ROLES),
    installed: z
      .strictObject({
        source: z.string().meta({
          description:
            'embedded, sidecar, the name of a provider, or how it was made on this server: edited, imported, draft.',
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
    restoresTo: RestoresTo,
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
    name: z.enum(PROVIDER_NAMES),
    title: z.string().meta({ description: 'Its name for people.', examples: ['SubDL'] }),
    state: z.enum(PROVIDER_STATES),
    configured: z.boolean(),
    restartPending: z.literal(true).optional().meta({
      description: 'Its saved settings are not those in use: they take effect after a restart.',
    }),
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
    context: z.string().optional().meta({ description: 'Number and title of an episode: S01E02 · The Storm.' }),
    file: z.string().meta({ description: 'Relative to its library.' }),
    modified: Time,
    ready: z.boolean(),
    missing: z.array(LanguageCode).meta({ description: 'Languages that lack a wanted kind.' }),
    lacks: z.array(WantedSubtitle).meta({ description: 'Wanted subtitles that the item lacks, by language and kind.' }),
    languages: z.array(LanguageState),
  })
  .meta({ id: 'SubtitleItem' });

/** Changes that the history of an item records. */
export const ACTS = ['fetched', 'upgraded', 'applied', 'restored', 'hidden', 'deleted'] as const;
/** Author of a change. An API key acts for the Owner who created it; the server acts on its own in batches. */
export const Actor = z
  .strictObject({
    is: z.enum(['person', 'key', 'server']),
    profile: Id.optional(),
    name: z.string().optional().meta({ description: 'Name of the Profile at the time.' }),
  })
  .meta({ id: 'SubtitleActor' });
export type Actor = z.output<typeof Actor>;

export const SubtitleHistoryEntry = z
  .strictObject({
    at: Time,
    act: z.enum(ACTS),
    by: Actor.optional().meta({ description: 'Missing in entries of versions that did not record it.' }),
    language: LanguageCode,
    role: z.enum(SUBTITLE_ROLES),
    source: z.string(),
    score: z.number().min(0).max(100).optional(),
    detail: z
      .string()
      .optional()
      .meta({ description: 'Short description of the change, such as: shifted by 1.5 s, credits removed.' }),
  })
  .meta({ id: 'SubtitleHistoryEntry' });
export type SubtitleHistoryEntry = z.output<typeof SubtitleHistoryEntry>;

/** State of the audio analysis. One video is analysed at a time; requests of people run before the server's own. */
export const ListeningView = z
  .strictObject({
    state: z.enum(['waiting', 'listening']),
    progress: z.number().min(0).max(1).optional(),
    waitsFor: z.string().optional().meta({ description: 'Title of the video that is being analysed now.' }),
  })
  .meta({ id: 'SubtitleListening' });

const BATCH = { least: 1, most: 50 } as const;
/** Body of a batch request. */
const batch = z.strictObject({
  language: Language.optional().meta({
    description: 'Only this language, in the kinds that are wanted of it. Default: everything that is wanted.',
  }),
  limit: z
    .int()
    .min(BATCH.least)
    .max(BATCH.most)
    .optional()
    .meta({ description: 'Maximum number of items. Default: 10.' }),
});
export const OUTCOMES = ['written', 'upgraded', 'kept', 'nothing', 'refused', 'failed', 'skipped'] as const;
const BatchResult = z
  .strictObject({
    id: Id,
    language: LanguageCode,
    role: z.enum(SUBTITLE_ROLES),
    outcome: z.enum(OUTCOMES),
    reason: z.string().optional(),
  })
  .meta({ id: 'SubtitleBatchResult' });

export const subtitles = {
  inventory: endpoint({
    method: 'GET',
    path: '/api/v1/subtitle-library',
    summary: 'List the subtitle inventory and coverage',
    access: LIBRARY_OWNERS,
    query: z.strictObject({
      view: z.enum(['summary', 'wanted', 'library']).default('library').meta({
        description: 'summary: counts without items. wanted: items that lack a subtitle. library: all items.',
      }),
      q: z.string().min(1).max(128).optional().meta({ description: 'Words of the title to search for.' }),
      status: z
        .enum(['all', 'ready', 'wanted', 'checking', 'unavailable'])
        .default('all')
        .meta({ description: 'Only items in this state.' }),
      kind: z.enum(['all', 'movie', 'episode']).default('all').meta({ description: 'Only items of this kind.' }),
      sort: z.enum(['title', 'modified', 'wanted', 'searched']).default('title').meta({
        description: 'wanted: items that lack the most languages first. searched: most recently searched items first.',
      }),
      language: Language.optional(),
      library: Id.optional(),
      page: integer(1, 1_000_000).default(1).meta({ description: 'Number of the page, from 1.' }),
      limit: integer(1, 200).default(40).meta({ description: 'Items on a page.' }),
    }),
    result: z
      .strictObject({
        languages: z
          .array(LanguageCode)
          .meta({ description: 'The wanted languages, the default one first. Empty until one is chosen.' }),
        wants: z
          .array(WantedSubtitle)
          .meta({ description: 'Every wanted language and kind, those wanted only in some libraries last.' }),
        total: z.int().min(0),
        ready: z.int().min(0),
        wanted: z.int().min(0),
        pending: z.int().min(0),
        unavailable: z.int().min(0),
        coverage: z.number().min(0).max(100),
        byLanguage: z.array(z.strictObject({ language: LanguageCode, ready: z.int().min(0), wanted: z.int().min(0) })),
        byWanted: z.array(WantedCount).meta({ description: 'Coverage by wanted language and kind.' }),
        byLibrary: z
          .array(
            z.strictObject({
              library: Id,
              name: z.string(),
              total: z.int().min(0),
              languages: z.array(
                z.strictObject({ language: LanguageCode, ready: z.int().min(0), wanted: z.int().min(0) }),
              ),
              wants: z.array(WantedCount),
            }),
          )
          .meta({
            description: 'Coverage of each library with films or shows, by language and by kind, of what it wants.',
          }),
        present: z
          .array(z.strictObject({ language: LanguageCode, items: z.int().min(0) }))
          .meta({ description: 'Every language with text subtitles, and the number of items that have it.' }),
        providers: z.array(ProviderState),
        page: z.int().min(1),
        pages: z.int().min(0),
        matched: z.int().min(0),
        items: z.array(SubtitleItem),
      })
      .meta({ id: 'SubtitleLibrary' }),
    fails: ['no-such-subtitle-library'],
  }),
  item: endpoint({
    method: 'GET',
    path: '/api/v1/subtitle-library/{id}',
    summary: 'Return one item of the subtitle inventory, with the history of its subtitles',
    access: LIBRARY_OWNERS,
    params: byId,
    result: z
      .strictObject({
        ...SubtitleItem.shape,
        configured: z.array(LanguageCode).meta({ description: 'Languages that are wanted in its library.' }),
        wants: z.array(WantedSubtitle).meta({ description: 'Languages and kinds that are wanted in its library.' }),
        duration: Seconds.optional(),
        listening: ListeningView.optional(),
        history: z.array(SubtitleHistoryEntry),
      })
      .meta({ id: 'SubtitleItemDetail' }),
    fails: ['no-such-item'],
  }),
  fetch: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/{id}/fetch',
    summary: 'Fetch a subtitle for one item; {} uses the configured language',
    access: OWNERS,
    params: byId,
    body: z.strictObject({
      language: Language.optional(),
      role: z
        .enum(SUBTITLE_ROLES)
        .optional()
        .meta({ description: 'Kind of the subtitle. Default: normal, for which one for the hard of hearing will do.' }),
    }),
    result: z
      .strictObject({
        language: LanguageCode,
        role: z.enum(SUBTITLE_ROLES),
        source: z.string(),
        score: z.number().min(0).max(100),
        match: z.enum(MATCHES),
        evidence: z.array(Evidence),
        file: z.string(),
      })
      .meta({ id: 'FetchedSubtitle' }),
    status: 201,
    fails: FETCHING_SUBTITLE,
  }),
  fetchWanted: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/fetch-wanted',
    summary:
      'Fetch subtitles for a limited number of items that lack one; success does not mean that each received one',
    access: OWNERS,
    body: batch,
    result: z
      .strictObject({
        attempted: z.int().min(0),
        written: z.int().min(0),
        failed: z.int().min(0),
        results: z.array(BatchResult),
      })
      .meta({ id: 'SubtitleBatch' }),
    fails: FETCHING_SUBTITLES,
  }),
  maintain: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/maintain',
    summary: 'Fetch missing subtitles and consider safe upgrades for a limited number of items',
    access: OWNERS,
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
    fails: FETCHING_SUBTITLES,
  }),
  testProviders: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-providers/test',
    summary: 'Check the configured provider credentials',
    access: OWNERS,
    result: z
      .strictObject({ attempted: z.int().min(0), connected: z.int().min(0), providers: z.array(ProviderState) })
      .meta({ id: 'ProviderTest' }),
  }),
};
