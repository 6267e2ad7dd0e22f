/** Markers of an item (intro, recap, commercials, outro, credits) and the analysis that detects them. */
import { z } from 'zod';
import { LIBRARY_READERS, OWNERS, OWNER_READERS } from '../kernel/access.ts';
import { Card } from '../catalog/cards.ts';
import { byId, Id, list, paging, Seconds, lineOfText } from '../kernel/common.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { Task } from '../ops/operations.ts';

export const MARKER_KINDS = ['intro', 'recap', 'commercial', 'outro', 'credits'] as const;
export type MarkerKind = (typeof MARKER_KINDS)[number];
/** Sources of markers, highest priority first. A marker replaces markers from sources later in the list. */
export const MARKER_SOURCES = ['user', 'chapter', 'sidecar', 'analysis'] as const;
export type MarkerSource = (typeof MARKER_SOURCES)[number];

const Kind = z.enum(MARKER_KINDS).meta({ description: 'Kind of marker.', examples: ['intro'] });
const Place = Seconds.max(1_000_000);

export const Marker = z
  .strictObject({
    kind: Kind,
    start: Seconds,
    end: Seconds,
    source: z.enum(MARKER_SOURCES).meta({
      description: 'Origin: set by an Owner, a chapter name, an edit list (EDL) next to the video, or the analysis.',
    }),
    state: z
      .enum(['published', 'suggested'])
      .meta({ description: 'Suggested markers are shown only to Owners and are never skipped.' }),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: 'Confidence of the analysis: fraction of the season that has the same passage.' }),
    label: z.string().optional(),
  })
  .meta({ id: 'Marker' });
export type Marker = z.output<typeof Marker>;

const Markers = z.strictObject({ markers: z.array(Marker) }).meta({ id: 'Markers' });

export const markers = {
  markers: endpoint({
    method: 'GET',
    path: '/api/v1/items/{id}/markers',
    summary: 'List the markers of an item',
    access: LIBRARY_READERS,
    params: byId,
    result: Markers,
    fails: ['no-such-item'],
  }),
  setMarker: endpoint({
    method: 'PUT',
    path: '/api/v1/items/{id}/markers',
    summary: 'Set a marker. It replaces the marker of its kind; a commercial replaces the commercials that it overlaps',
    access: OWNERS,
    params: byId,
    body: z.strictObject({
      kind: Kind,
      start: Place.meta({ description: 'Start in seconds.', examples: [0.5] }),
      end: Place.meta({ description: 'End in seconds, after the start.', examples: [1.5] }),
      label: lineOfText(100).optional(),
    }),
    result: Markers,
    fails: ['marker-range', 'no-such-item', 'too-many-markers'],
  }),
  removeMarkers: endpoint({
    method: 'DELETE',
    path: '/api/v1/items/{id}/markers',
    summary:
      'Remove all markers of a kind. The analysis, chapters and edit lists do not restore them until the file changes',
    access: OWNERS,
    params: byId,
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
    access: OWNER_READERS,
    result: z
      .strictObject({
        state: z.enum(['idle', 'running', 'waiting', 'unavailable']).meta({
          description: 'waiting: paused during playback; unavailable: a required program is not installed.',
        }),
        done: z.int().min(0).meta({ description: 'Files analysed by the present run, or by the last one.' }),
        total: z.int().min(0),
        suggested: z
          .int()
          .min(0)
          .meta({ description: 'Number of markers that wait for an Owner to confirm or reject them.' }),
        error: z.string().optional(),
      })
      .meta({ id: 'MarkerAnalysis' }),
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/v1/marker-analysis',
    summary:
      'Start the search for intros and credits in an item and its season, a show, a library, or in all new files',
    access: OWNERS,
    body: z.strictObject({ item: Id.optional(), show: Id.optional(), library: Id.optional() }),
    result: Task,
    status: 202,
    fails: ['no-such-item', 'no-such-show', 'analysis-not-possible'],
  }),
};

export const SUGGESTION_DECISIONS = ['confirm', 'reject', 'undo'] as const;
export type SuggestionDecision = (typeof SUGGESTION_DECISIONS)[number];

const Suggestion = z
  .strictObject({
    item: Card,
    kind: Kind,
    markers: z
      .array(Marker.pick({ start: true, end: true, confidence: true }))
      .meta({ description: 'All markers of this kind that were found in the item.' }),
  })
  .meta({ id: 'MarkerSuggestion' });

export const markerSuggestions = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/marker-suggestions',
    summary: 'List suggested markers that no Owner has confirmed or rejected, grouped by season',
    access: OWNER_READERS,
    query: z.strictObject(paging),
    result: list(Suggestion).meta({ id: 'MarkerSuggestions' }),
  }),
  decide: endpoint({
    method: 'POST',
    path: '/api/v1/marker-suggestions',
    summary:
      'Confirm or reject suggestions, or undo a decision. A confirmed marker counts as set by an Owner; a ' +
      'rejected kind is not suggested again until the file changes',
    access: OWNERS,
    body: z.strictObject({
      decision: z.enum(SUGGESTION_DECISIONS).meta({ examples: ['confirm'] }),
      suggestions: z
        .array(z.strictObject({ item: Id, kind: Kind }))
        .min(1)
        .max(200),
    }),
    result: z
      .strictObject({
        decided: z.int().min(0).meta({
          description:
            'Number of suggestions changed. Suggestions that were already decided or no longer exist are not counted.',
        }),
      })
      .meta({ id: 'MarkerDecision' }),
    fails: ['no-such-item'],
  }),
};
