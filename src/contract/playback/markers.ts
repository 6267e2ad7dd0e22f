/** Markers of an item (intro, recap, commercials, outro, credits), and the analysis that finds them. */
import { z } from 'zod';
import { Card } from '../catalog/cards.ts';
import { byId, Id, list, paging, Seconds, text } from '../kernel/common.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { Task } from '../ops/operations.ts';

export const MARKER_KINDS = ['intro', 'recap', 'commercial', 'outro', 'credits'] as const;
export type MarkerKind = (typeof MARKER_KINDS)[number];
/** Sources of markers. A marker replaces those of sources further down the list. */
export const MARKER_SOURCES = ['user', 'chapter', 'sidecar', 'analysis'] as const;
export type MarkerSource = (typeof MARKER_SOURCES)[number];

const Kind = z.enum(MARKER_KINDS).meta({ description: 'Kind of passage.', examples: ['intro'] });
const Place = Seconds.max(1_000_000);

export const Marker = z
  .strictObject({
    kind: Kind,
    start: Seconds,
    end: Seconds,
    source: z.enum(MARKER_SOURCES).meta({
      description: 'Who set it: an Owner, the name of a chapter, an edit list next to the video, or the analysis.',
    }),
    state: z
      .enum(['published', 'suggested'])
      .meta({ description: 'Suggested markers are shown to Owners only, and never skipped.' }),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: 'Of the analysis: the part of the season that has the same passage.' }),
    label: z.string().optional(),
  })
  .meta({ id: 'Marker' });
export type Marker = z.output<typeof Marker>;

const Markers = z.strictObject({ markers: z.array(Marker) }).meta({ id: 'Markers' });

const owner = { role: 'owner', via: 'admin', recent: true } as const;

export const markers = {
  markers: endpoint({
    method: 'GET',
    path: '/api/v1/items/{id}/markers',
    summary: 'Passages of an item that can be skipped',
    access: { role: 'viewer', via: 'library' },
    params: byId,
    result: Markers,
    fails: ['missing'],
  }),
  setMarker: endpoint({
    method: 'PUT',
    path: '/api/v1/items/{id}/markers',
    summary: 'Set a marker by hand. It replaces the one of its kind; a commercial replaces those that it overlaps',
    access: owner,
    params: byId,
    body: z.strictObject({
      kind: Kind,
      start: Place.meta({ description: 'Where it begins, in seconds.', examples: [0.5] }),
      end: Place.meta({ description: 'Where it ends, in seconds; after the start.', examples: [1.5] }),
      label: text(100).optional(),
    }),
    result: Markers,
    fails: ['missing', 'conflict'],
  }),
  removeMarkers: endpoint({
    method: 'DELETE',
    path: '/api/v1/items/{id}/markers',
    summary:
      'Remove the markers of a kind. No analysis, chapter or edit list brings them back while the file is the same',
    access: owner,
    params: byId,
    query: z.strictObject({ kind: Kind }),
    result: NOTHING,
    fails: ['missing'],
  }),
};

export const markerAnalysis = {
  read: endpoint({
    method: 'GET',
    path: '/api/v1/marker-analysis',
    summary: 'How far the search for intros and credits is',
    access: { role: 'owner', via: 'admin' },
    result: z
      .strictObject({
        state: z.enum(['idle', 'running', 'waiting', 'unavailable']).meta({
          description: 'Waiting: something is being played. Unavailable: a program that it needs is not installed.',
        }),
        done: z.int().min(0).meta({ description: 'Files analysed by the run under way, or by the last one.' }),
        total: z.int().min(0),
        suggested: z.int().min(0).meta({ description: 'Markers that wait for an Owner to accept or remove them.' }),
        error: z.string().optional(),
      })
      .meta({ id: 'MarkerAnalysis' }),
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/v1/marker-analysis',
    summary:
      'Search for intros and credits: of one item and its season, a show, a library, or of everything that is new',
    access: owner,
    body: z.strictObject({ item: Id.optional(), show: Id.optional(), library: Id.optional() }),
    result: Task,
    status: 202,
    fails: ['missing', 'conflict'],
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
      .meta({ description: 'All of this kind that were found in the item.' }),
  })
  .meta({ id: 'MarkerSuggestion' });

export const markerSuggestions = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/marker-suggestions',
    summary:
      'Markers that the analysis found and did not publish, season by season, as long as no Owner has decided about them',
    access: { role: 'owner', via: 'admin' },
    query: z.strictObject(paging),
    result: list(Suggestion).meta({ id: 'MarkerSuggestions' }),
  }),
  decide: endpoint({
    method: 'POST',
    path: '/api/v1/marker-suggestions',
    summary:
      'Confirm or reject suggestions, or undo that. Confirmed ones become markers set by an Owner; a rejected kind does not come back while the file is the same',
    access: owner,
    body: z.strictObject({
      decision: z.enum(SUGGESTION_DECISIONS).meta({ examples: ['confirm'] }),
      suggestions: z
        .array(z.strictObject({ item: Id, kind: Kind }))
        .min(1)
        .max(200),
    }),
    result: z
      .strictObject({
        decided: z
          .int()
          .min(0)
          .meta({ description: 'How many were changed; the others were decided before, or are gone.' }),
      })
      .meta({ id: 'MarkerDecision' }),
    fails: ['missing'],
  }),
};
