/**
 * Everything that a Viewer can ask about the libraries of `every-kind.ts`, and the replies in a form that is the same
 * each time: for `hidden-items.test.ts`.
 */
import { createHash } from 'node:crypto';
import { LIBRARIES } from './every-kind.ts';
import { isForViewers, isRead, type KnownIds, nameOf, readsOf, type Request } from './viewer-requests.ts';
import type { Reply, Who, World } from './world.ts';

/** Words in all names of what the child sees, and of what is hidden from it in each way. */
export const SEEN = 'Kindly';
export const HIDDEN = { inLibraryOfOthers: 'Veiled', aboveTheAge: 'Grown', byHand: 'Secret' } as const;
export const WORDS = [SEEN, ...Object.values(HIDDEN)];
/** Endpoints that are not called, and why. Each has to be mounted. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'GET /api/v1/events': 'a stream, which is compared by what it sends while things arrive',
  'GET /api/v1/quick-connect/{code}': 'names a device; wrong codes are slowed down, so that no reply comes twice',
  'POST /api/v1/quick-connect/{code}': 'names a device; wrong codes are slowed down, so that no reply comes twice',
};
/** Endpoints that are called and refuse everything here, and why. Each other one of the library has to reply. */
export const REFUSING: Readonly<Record<string, string>> = {
  'GET /api/v1/playback-sessions/{id}': 'each plan makes a session with another id',
  'GET /api/v1/profiles/{id}/picture': 'no Profile here has a picture',
  'GET /hls/{id}/{file}': 'each plan makes a session with another id; policy-streams.test.ts has streams',
  'GET /font/{id}/{number}': 'no film here has a font inside',
};

/** Queries worth asking in addition to what a declaration requires. */
const queriesFor = (ids: KnownIds): Readonly<Record<string, readonly string[]>> => {
  const words = [...WORDS, HIDDEN.byHand.slice(0, 2), 'o', 'shared director', 'umbrella', 'part'];
  const searches = words.map((word) => `q=${encodeURIComponent(word)}`);
  const views = ['all', 'list', 'unwatched', 'continue', 'history', ...Object.values(LIBRARIES)];
  const libraries = (ids['library'] ?? []).map((id) => `library=${id}`);
  const genres = WORDS.map((word) => `genre=${word}%20genre`);
  return {
    '/api/v1/library': [
      ...searches,
      ...libraries,
      ...genres,
      ...views.flatMap((view) => [`view=${view}`, `view=${view}&limit=2`]),
      ...['added', 'year', 'released', 'rating', 'duration', 'random&seed=5'].map((sort) => `sort=${sort}`),
      ...(ids['volumes'] ?? []).map((series) => `view=audiobooks&series=${series}`),
      ...(ids['series'] ?? []).map((series) => `view=books&series=${series}`),
      ...(ids['folder'] ?? []).map((folder) => `view=photos&folder=${folder}`),
      ...WORDS.flatMap((word) => [`artist=${word}%20Band`, `view=photos&camera=Ricoh%20${word}%20Camera`]),
      'rating=NC-17',
      'year=2001',
      'language=en',
      'letter=s',
    ],
    '/api/v1/items': [`ids=${Object.values(ids).flat().slice(0, 90).join()}`],
    '/api/v1/library/recent': ['', ...libraries, 'limit=2'],
    '/api/v1/library/next-up': ['', 'rewatch=true'],
    '/api/v1/people': searches,
    '/api/v1/search/dialogue': [...searches, 'q=harbour&limit=1', 'q=lighthouse', 'q=sang&source=lyrics'],
    '/api/v1/collections': ['', ...searches],
    '/api/v1/people/{id}': ['', 'limit=1'],
    '/api/v1/items/{id}/playback': ['containers=mp4,flac&videoCodecs=h264&audioCodecs=aac,flac'],
    '/api/v1/art/{id}': ['', 'kind=backdrop', 'kind=thumb', 'kind=logo'],
    '/subtitle/{id}': ['language=en'],
    '/api/v1/books/{id}/reader/search': WORDS.map((word) => `q=${word}`),
  };
};

/**
 * Headers that differ from one reply to the next, whatever is in the library. Whether a reply names the newest event
 * depends on the stream that was open a moment ago, and the number on the events that the Profile was sent; these are
 * compared separately.
 */
const CHANGING = new Set(['x-request-id', 'date', 'last-event-id']);
/**
 * Returns the text of a reply, without ids and signatures that are made for it. `known` are ids that stay. Of bytes it
 * has the digest.
 */
function said({ status, text, headers }: Reply, known: ReadonlySet<string>): string {
  const made = (all: string) =>
    all
      .replaceAll(/mat_tkt_[\w-]+/g, '<ticket>')
      .replaceAll(/(?<![0-9a-f])[0-9a-f]{16}(?![0-9a-f])/g, (id) => (known.has(id) ? id : '<made>'));
  const kept = Object.entries(headers).filter(([name]) => !CHANGING.has(name));
  const isText = /json|text|xml|html/.test(String(headers['content-type']));
  const body = isText ? made(text) : createHash('sha256').update(text).digest('hex');
  return `${status} ${made(JSON.stringify(kept.sort()))} ${body}`;
}

/** A Profile's own lists are paged as they were when the first page was read, so that cursors have that time. */
const isPagedByTime = ({ url }: Request): boolean => /view=(?:list|continue|history)|\/history/.test(url);

export type Replies = Map<Request, { status: number; said: string }>;
export interface Asker {
  house: World;
  kid: Who;
}
/** Sends requests of the child, and reads the second page of lists that say that there is one. */
export async function repliesTo(
  { house, kid }: Asker,
  requests: readonly Request[],
  known: ReadonlySet<string>,
): Promise<Replies> {
  const replies: Replies = new Map();
  for (const request of requests) {
    const { method, url, body } = request;
    const reply = await house.call(kid, method, url, body);
    const cursor = reply.body['nextCursor'];
    const isMasked = typeof cursor === 'string' && isPagedByTime(request);
    const text = isMasked ? reply.text.replace(cursor, '<cursor>') : reply.text;
    const next =
      typeof cursor === 'string'
        ? (await house.call(kid, method, `${url}&cursor=${encodeURIComponent(cursor)}`)).text
        : '';
    replies.set(request, { status: reply.status, said: said({ ...reply, text }, known) + next });
    // Marking many items is undone at once.
    const { id } = reply.body;
    if (url === CHANGES && typeof id === 'string') await house.call(kid, 'DELETE', `${CHANGES}/${id}`);
  }
  return replies;
}
const [CHANGES, PREVIEW] = ['/api/v1/watching/changes', '/api/v1/smart-playlists/preview'];

/** Returns everything that a Viewer can read about what the child sees, and what marks all of it. */
export function everyRequest(mounted: World['mounted'], ids: KnownIds): Request[] {
  const reads = mounted.flatMap(({ endpoint }) =>
    isForViewers(endpoint) && isRead(endpoint) && LEFT_OUT[nameOf(endpoint)] === undefined
      ? readsOf(endpoint, ids, queriesFor(ids))
      : [],
  );
  const marks = ['watched', 'listed'].flatMap((mark): Request[] =>
    ['show', 'album', 'series', 'movie'].map((sort) => ({
      name: `POST ${CHANGES}`,
      method: 'POST',
      url: CHANGES,
      body: { ids: ids[sort], mark },
    })),
  );
  const previews = WORDS.map((word) => ({
    name: `POST ${PREVIEW}`,
    method: 'POST',
    url: PREVIEW,
    body: { rules: { match: 'any', rules: rulesFor(word) } },
  }));
  return [...reads, ...marks, ...previews];
}
export const rulesFor = (word: string) => [
  { field: 'title', is: 'contains', value: word },
  { field: 'genre', is: 'is', value: `${word} genre` },
  { field: 'person', is: 'is', value: `${word} Actor` },
];

/** Leaves out all but one of the requests to an endpoint that are refused in the same words. */
export function withoutRepeatedRefusals(replies: Replies): Request[] {
  const refused = new Set<string>();
  return [...replies].flatMap(([request, { status, said: words }]) => {
    const key = `${request.url.replaceAll(/[0-9a-f]{16}/g, '')} ${words}`;
    if (status < 400 || !refused.has(key)) return refused.add(key) && [request];
    return [];
  });
}
