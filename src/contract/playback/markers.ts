/** Markers of an item (intro, recap, commercials, outro, credits) and the analysis that detects them. */
import { EXAMPLE_EPISODE } from '../catalog/examples.ts';
import { about, byItem, EXAMPLE_IDS, idOf, rarely } from '../kernel/describe.ts';
import { z } from 'zod';
import { LIBRARY_READERS, OWNERS, OWNER_READERS } from '../kernel/access.ts';
import { Card } from '../catalog/cards.ts';
import { Id, list, paging, Seconds, lineOfText } from '../kernel/common.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { Task } from '../ops/operations.ts';

export const MARKER_KINDS = ['intro', 'recap', 'commercial', 'outro', 'credits'] as const;
export type MarkerKind = (typeof MARKER_KINDS)[number];
/** Sources of markers, highest priority first. A marker replaces markers from sources later in the list. */
export const MARKER_SOURCES = ['user', 'chapter', 'sidecar', 'analysis'] as const;
export type MarkerSource = (typeof MARKER_SOURCES)[number];

const Kind = z.enum(MARKER_KINDS).meta(about('Kind of marker.', 'credits'));
const EpisodeKind = Kind.meta({ examples: ['intro'] });
const Place = Seconds.max(1_000_000);

export const Marker = z
  .strictObject({
    kind: Kind,
    start: Seconds.meta(about('Start in seconds.', 6640)),
    end: Seconds.meta(about('End in seconds.', 6805.3)),
    source: z.enum(MARKER_SOURCES).meta({
      description: 'Origin: set by an Owner, a chapter name, an edit list (EDL) next to the video, or the analysis.',
    }),
    state: z
      .enum(['published', 'suggested'])
      .meta({ description: 'Suggested markers are shown only to Owners and are never skipped.' }),
    confidence: z.number().min(0).max(1).optional().meta({
      description: 'Confidence of the analysis: fraction of the season that has the same passage.',
      examples: [],
    }),
    label: z.string().optional().meta(about('Name for people, for a marker that an Owner named.', 'Closing titles')),
  })
  .meta({ id: 'Marker', description: 'Passage of an item: intro, recap, commercial, outro or credits.' });
export type Marker = z.output<typeof Marker>;

const Markers = z
  .strictObject({ markers: z.array(Marker).meta(about('Markers in order of their start.')) })
  .meta({ id: 'Markers', description: 'Markers of an item.' });

export const markers = {
  markers: endpoint({
    method: 'GET',
    path: '/api/v1/items/{id}/markers',
    summary: 'List the markers of an item',
    description: 'Returns what players can skip. Suggestions are listed for Owners only.',
    access: LIBRARY_READERS,
    reach: 'everywhere',
    params: byItem,
    result: Markers,
    fails: ['no-such-item'],
  }),
  setMarker: endpoint({
    method: 'PUT',
    path: '/api/v1/items/{id}/markers',
    summary: 'Set a marker. It replaces the marker of its kind; a commercial replaces the commercials that it overlaps',
    description: 'Players offer to skip it from then on.',
    access: OWNERS,
    params: byItem,
    body: z.strictObject({
      kind: Kind,
      start: Place.meta({ description: 'Start in seconds.', examples: [6640] }),
      end: Place.meta({ description: 'End in seconds, after the start.', examples: [6805.3] }),
      label: lineOfText(100).optional().meta(about('Name for people.', 'Closing titles')),
    }),
    result: Markers,
    fails: ['marker-range', 'no-such-item', 'too-many-markers'],
  }),
  removeMarkers: endpoint({
    method: 'DELETE',
    path: '/api/v1/items/{id}/markers',
    summary:
      'Remove all markers of a kind. The analysis, chapters and edit lists do not restore them until the file changes',
    description: 'Players no longer skip that kind in this item.',
    access: OWNERS,
    params: byItem,
    query: z.strictObject({ kind: Kind }),
    result: NOTHING,
    fails: ['no-such-item'],
  }),
};

export const markerAnalysis = {
  read: endpoint({
    method: 'GET',
    path: '/api/v1/marker-analysis',
    summary: 'Get the progress of the search for intros and credits',
    description: 'Says how far the search is, and how many suggestions wait for a decision.',
    access: OWNER_READERS,
    result: z
      .strictObject({
        state: z.enum(['idle', 'running', 'waiting', 'unavailable']).meta({
          description:
            'waiting: not begun, or paused, because something is played, the libraries are scanned, or other work in ' +
            'the background comes first; unavailable: a required program is not installed.',
          examples: ['running'],
        }),
        done: z
          .int()
          .min(0)
          .meta({ description: 'Files analysed by the present run, or by the last one.', examples: [3] }),
        total: z.int().min(0).meta(about('Files that the run analyses.', 8)),
        suggested: z
          .int()
          .min(0)
          .meta({ description: 'Number of markers that wait for an Owner to confirm or reject them.', examples: [5] }),
        error: z.string().optional().meta(rarely('Why the last run failed, for people.')),
      })
      .meta({ id: 'MarkerAnalysis', description: 'Progress of the search for intros and credits.' }),
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/v1/marker-analysis',
    summary:
      'Start the search for intros and credits in an item and its season, a show, a library, or in all new files',
    description: 'Episodes of a season are compared with each other. What is found is suggested to Owners.',
    access: OWNERS,
    body: z.strictObject({
      item: Id.optional().meta(rarely('Only this item and its season.')),
      show: idOf('show', 'Only this show.').optional(),
      library: Id.optional().meta(rarely('Only this library.')),
    }),
    result: Task.meta({
      examples: [
        {
          id: EXAMPLE_IDS.task,
          name: 'marker-analysis',
          title: 'Find intros and credits',
          state: 'queued',
          progress: 0,
          createdAt: '2026-11-21T18:30:00.000Z',
        },
      ],
    }),
    status: 202,
    fails: ['no-such-item', 'no-such-show', 'analysis-not-possible', 'too-many-tasks'],
  }),
};

export const SUGGESTION_DECISIONS = ['confirm', 'reject', 'undo'] as const;
export type SuggestionDecision = (typeof SUGGESTION_DECISIONS)[number];

const Suggestion = z
  .strictObject({
    item: Card.meta({ examples: [EXAMPLE_EPISODE] }),
    kind: EpisodeKind,
    markers: z.array(Marker.pick({ start: true, end: true, confidence: true })).meta({
      description: 'All markers of this kind that were found in the item.',
      examples: [[{ start: 12.5, end: 71, confidence: 0.9 }]],
    }),
  })
  .meta({
    id: 'MarkerSuggestion',
    description: 'Markers of one kind that were found in an item, and wait for a decision.',
  });

export const markerSuggestions = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/marker-suggestions',
    summary: 'List suggested markers that no Owner has confirmed or rejected, grouped by season',
    description: 'Returns suggestions a page at a time, so that an Owner can decide about a season at once.',
    access: OWNER_READERS,
    query: z.strictObject(paging),
    result: list(Suggestion).meta({ id: 'MarkerSuggestions', description: 'Page of suggested markers.' }),
  }),
  decide: endpoint({
    method: 'POST',
    path: '/api/v1/marker-suggestions',
    summary:
      'Confirm or reject suggestions, or undo a decision. A confirmed marker counts as set by an Owner; a ' +
      'rejected kind is not suggested again until the file changes',
    description: 'Decides about several suggestions in one request.',
    access: OWNERS,
    body: z.strictObject({
      decision: z
        .enum(SUGGESTION_DECISIONS)
        .meta({ description: 'Decision about all of them.', examples: ['confirm'] }),
      suggestions: z
        .array(z.strictObject({ item: idOf('episode', 'Id of the item.'), kind: EpisodeKind }))
        .min(1)
        .max(200)
        .meta(about('The suggestions, by item and kind.')),
    }),
    result: z
      .strictObject({
        decided: z
          .int()
          .min(0)
          .meta({
            description:
              'Number of suggestions changed. Suggestions that were already decided or no longer exist are not ' +
              'counted.',
            examples: [1],
          }),
      })
      .meta({ id: 'MarkerDecision', description: 'Result of a decision about suggestions.' }),
    fails: ['no-such-item'],
  }),
};
