/** Subtitle management: the inventory, fetching from providers, and the state of the providers. Owners only. */
import { ReportedFailure } from '../failures.ts';
import { about, byItem, idOf, rarely } from '../kernel/describe.ts';
import { FETCHING_SUBTITLE, FETCHING_SUBTITLES, LISTING_CANDIDATES } from './reasons.ts';
import { z } from 'zod';
import { LIBRARY_OWNERS, OWNERS } from '../kernel/access.ts';
import { Id, integer, Language, LanguageCode, Seconds } from '../kernel/common.ts';
import { SUBTITLE_ROLES } from '../catalog/subtitle-roles.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { FetchBody, SubtitleCandidates } from './candidates.ts';
import { AskedPart } from './parts.ts';
import {
  Evidence,
  MATCHES,
  WantedSubtitle,
  WantedCount,
  ProviderState,
  SubtitleItem,
  SubtitleHistoryEntry,
  ListeningView,
  batchBody,
  BatchResult,
} from './states.ts';

export const subtitles = {
  inventory: endpoint({
    method: 'GET',
    path: '/api/v1/subtitle-library',
    summary: 'List the subtitle inventory and coverage',
    description:
      'Returns films and episodes with what is installed and what is missing, and the coverage of the ' +
      'whole library. It asks no provider.',
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
      language: Language.optional().meta(about('Counts and filters by this language only.', 'en')),
      library: idOf('library', 'Only items of this library.').optional(),
      page: integer(1, 1_000_000).default(1).meta({ description: 'Number of the page, from 1.' }),
      limit: integer(1, 200).default(40).meta({ description: 'Items on a page.' }),
    }),
    result: z
      .strictObject({
        languages: z.array(LanguageCode).meta({
          description: 'The wanted languages, the default one first. Empty until one is chosen.',
          examples: [['en']],
        }),
        wants: z
          .array(WantedSubtitle)
          .meta({ description: 'Every wanted language and kind, those wanted only in some libraries last.' }),
        total: z.int().min(0).meta(about('Number of films and episodes.', 318)),
        ready: z.int().min(0).meta(about('Items that lack nothing that is wanted.', 301)),
        wanted: z.int().min(0).meta(about('Items that lack a subtitle which can be searched for.', 12)),
        pending: z.int().min(0).meta(about('Items that are still being looked at.', 0)),
        unavailable: z.int().min(0).meta(about('Items whose file cannot be reached at present.', 5)),
        coverage: z.number().min(0).max(100).meta(about('Part of the items that is ready, in percent.', 94.7)),
        byLanguage: z
          .array(
            z.strictObject({
              language: LanguageCode.meta(about('Language.', 'en')),
              ready: z.int().min(0).meta(about('Number of items that have it.', 301)),
              wanted: z.int().min(0).meta(about('Number of items that lack it.', 17)),
            }),
          )
          .meta(about('Coverage by wanted language and kind.')),
        byWanted: z.array(WantedCount).meta({ description: 'Coverage by wanted language and kind.' }),
        byLibrary: z
          .array(
            z.strictObject({
              library: idOf('library', 'Id of the library.'),
              name: z.string().meta(about('Name of the library.', 'Films')),
              total: z.int().min(0).meta(about('Number of its films and episodes.', 318)),
              languages: z
                .array(
                  z.strictObject({
                    language: LanguageCode.meta(about('Language.', 'en')),
                    ready: z.int().min(0).meta(about('Number of items that have it.', 301)),
                    wanted: z.int().min(0).meta(about('Number of items that lack it.', 17)),
                  }),
                )
                .meta(about('Coverage by wanted language and kind.')),
              wants: z.array(WantedCount).meta(about('Coverage by wanted language and kind.')),
            }),
          )
          .meta({
            description: 'Coverage of each library with films or shows, by language and by kind, of what it wants.',
          }),
        present: z
          .array(
            z.strictObject({
              language: LanguageCode.meta(about('Language.', 'en')),
              items: z.int().min(0).meta(about('Number of items that have it.', 301)),
            }),
          )
          .meta({ description: 'Every language with text subtitles, and the number of items that have it.' }),
        providers: z.array(ProviderState).meta(about('State of the providers.')),
        page: z.int().min(1).meta(about('Number of this page, from 1.', 1)),
        pages: z.int().min(0).meta(about('Number of pages.', 1)),
        matched: z.int().min(0).meta(about('Number of items that match the query, on all pages.', 1)),
        items: z.array(SubtitleItem).meta(about('Items of this page.')),
      })
      .meta({ id: 'SubtitleLibrary', description: 'Inventory of the subtitles, with coverage.' }),
    fails: ['no-such-subtitle-library'],
  }),
  item: endpoint({
    method: 'GET',
    path: '/api/v1/subtitle-library/{id}',
    summary: 'Return one item of the subtitle inventory, with the history of its subtitles',
    description: 'Returns what the page of one item needs, without asking a provider.',
    access: LIBRARY_OWNERS,
    params: byItem,
    result: z
      .strictObject({
        ...SubtitleItem.shape,
        configured: z
          .array(LanguageCode)
          .meta({ description: 'Languages that are wanted in its library.', examples: [['en']] }),
        wants: z.array(WantedSubtitle).meta({ description: 'Languages and kinds that are wanted in its library.' }),
        duration: Seconds.optional().meta(about('Length of the video in seconds.', 6805.3)),
        listening: ListeningView.optional().meta(rarely('State of the analysis of its sound, while it is running.')),
        history: z.array(SubtitleHistoryEntry).meta(about('Changes to its subtitles, newest first.')),
      })
      .meta({
        id: 'SubtitleItemDetail',
        description: 'Film or episode with the state and the history of its subtitles.',
      }),
    fails: ['no-such-item'],
  }),
  fetch: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/{id}/fetch',
    summary: 'Fetch a subtitle for one item; {} uses the configured language',
    description:
      'Looks for an embedded text track first, then asks all configured providers, and installs the best candidate ' +
      'that passes the safety checks. With candidate, it installs that one after the checks, or makes a draft of it ' +
      'if install is false (200). 503 says by its reason why nothing was installed: none-trusted means that there ' +
      'are candidates to choose from, and asking again would find the same.',
    access: OWNERS,
    params: byItem,
    body: FetchBody,
    result: z
      .strictObject({
        language: LanguageCode.meta(about('Language of the subtitle.', 'en')),
        role: z.enum(SUBTITLE_ROLES).meta(about('Kind of the subtitle.', 'normal')),
        source: z.string().meta(about('Where it comes from: a provider, or embedded.', 'subtitles_a')),
        score: z.number().min(0).max(100).meta(about('Score of the match, from 0 to 100.', 92)),
        match: z.enum(MATCHES).meta(about('Whether it was checked against the speech or the file.', 'verified')),
        evidence: z.array(Evidence).meta(about('Reasons for and against the match.')),
        file: z
          .string()
          .optional()
          .meta(
            about(
              'File that was written, relative to its library. Missing for a draft.',
              'Charade (1963)/Charade (1963) - 1080p.en.srt',
            ),
          ),
        draftId: Id.optional().meta(rarely('The draft that was made of the candidate.')),
        parts: z
          .array(
            z.strictObject({
              part: z.int().min(0).meta(about('Number of the part, from 1.', 1)),
              file: z
                .string()
                .optional()
                .meta(rarely('File that was written, relative to its library. Missing if there was none.')),
              source: z.string().optional().meta(about('Where it comes from: a provider, or embedded.', 'subtitles_a')),
              match: z.enum(MATCHES).optional().meta(about('Whether it was checked against the speech or the file.')),
              reason: ReportedFailure.optional().meta(rarely('Why no file was written, as a code.')),
              error: z.string().optional().meta(rarely('Why no file was written, as a sentence fragment for people.')),
            }),
          )
          .optional()
          .meta(
            rarely(
              'What was done for each part of a film in several files. The members above are about the first part ' +
                'that received a subtitle.',
            ),
          ),
      })
      .meta({ id: 'FetchedSubtitle', description: 'Subtitle that a fetch has installed.' }),
    status: 201,
    orElse: 200,
    fails: FETCHING_SUBTITLE,
  }),
  candidates: endpoint({
    method: 'GET',
    path: '/api/v1/subtitle-library/{id}/candidates',
    summary: 'List the subtitles that the providers offer for an item',
    description:
      'Asks all providers that may be asked now and lists what they offer, the best first, with the reason why a ' +
      'candidate would be refused. Installs nothing. A list is kept for ten minutes.',
    access: OWNERS,
    params: byItem,
    query: z.strictObject({
      part: AskedPart,
      language: Language.optional().meta(about('Language to list. Default: the first configured one.', 'en')),
      role: z.enum(SUBTITLE_ROLES).optional().meta(about('Kind of the subtitle. Default: normal.', 'normal')),
    }),
    result: SubtitleCandidates,
    fails: LISTING_CANDIDATES,
  }),
  fetchWanted: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/fetch-wanted',
    summary:
      'Fetch subtitles for a limited number of items that lack one; success does not mean that each received one',
    description: 'Goes through items that lack a subtitle, the longest not searched first.',
    access: OWNERS,
    body: batchBody,
    result: z
      .strictObject({
        attempted: z.int().min(0).meta(about('Number of searches.', 1)),
        written: z.int().min(0).meta(about('Number of subtitles that were installed.', 1)),
        failed: z.int().min(0).meta(about('Number of searches that failed.', 0)),
        results: z.array(BatchResult).meta(about('Results, search by search.')),
      })
      .meta({ id: 'SubtitleBatch', description: 'Result of a batch of searches.' }),
    fails: FETCHING_SUBTITLES,
  }),
  maintain: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-library/maintain',
    summary: 'Fetch missing subtitles and consider safe upgrades for a limited number of items',
    description:
      'Does what the nightly task does: fetches what is missing and replaces a fetched subtitle by a ' +
      'clearly better one. A file of yours is not replaced.',
    access: OWNERS,
    body: batchBody,
    result: z
      .strictObject({
        attempted: z.int().min(0).meta(about('Number of searches.', 1)),
        added: z.int().min(0).meta(about('Number of missing subtitles that were installed.', 1)),
        upgraded: z.int().min(0).meta(about('Number of subtitles that were replaced by a better one.', 0)),
        failed: z.int().min(0).meta(about('Number of searches that failed.', 0)),
        results: z.array(BatchResult).meta(about('Results, search by search.')),
      })
      .meta({ id: 'SubtitleMaintenance', description: 'Result of the upkeep of subtitles.' }),
    fails: FETCHING_SUBTITLES,
  }),
  testProviders: endpoint({
    method: 'POST',
    path: '/api/v1/subtitle-providers/test',
    summary: 'Check the configured provider credentials',
    description: 'Signs in to each configured provider, and returns the state of all of them. It fetches nothing.',
    access: OWNERS,
    result: z
      .strictObject({
        attempted: z.int().min(0).meta(about('Number of providers that were asked.', 1)),
        connected: z.int().min(0).meta(about('Number of providers that can be used.', 1)),
        providers: z.array(ProviderState).meta(about('State of all providers.')),
      })
      .meta({ id: 'ProviderTest', description: 'Result of a check of the subtitle providers.' }),
  }),
};
