/** Markers of an item (intro, recap, commercials, outro, credits), and the analysis that finds them. */
import { z } from 'zod';
import { byId, Id, Seconds, text } from '../common.ts';
import { endpoint, NOTHING } from '../endpoint.ts';
import { Task } from '../operations.ts';

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
    source: z.enum(MARKER_SOURCES).meta({ description: 'Who set it: an Owner, the name of a chapter, an edit list next to the video, or the analysis.' }),
    state: z.enum(['published', 'suggested']).meta({ description: 'Suggested markers are shown to Owners only, and never skipped.' }),
    confidence: z.number().min(0).max(1).optional().meta({ description: 'Of the analysis: the part of the season that has the same passage.' }),
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
    summary: 'Remove the markers of a kind. No analysis, chapter or edit list brings them back while the file is the same',
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
        state: z.enum(['idle', 'running', 'waiting', 'unavailable']).meta({ description: 'Waiting: something is being played. Unavailable: a program that it needs is not installed.' }),
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
    summary: 'Search for intros and credits: of one item and its season, a show, a library, or of everything that is new',
    access: owner,
    body: z.strictObject({ item: Id.optional(), show: Id.optional(), library: Id.optional() }),
    result: Task,
    status: 202,
    fails: ['missing', 'conflict'],
  }),
};
