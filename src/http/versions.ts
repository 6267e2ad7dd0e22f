/** Conditions of requests to endpoints whose replies are versions of something: If-Match and If-None-Match. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../contract/kernel/endpoint.ts';
import { Failure } from '../lib/failure.ts';
import type { Call } from './handle.ts';

/** Ends a read whose caller has this version already: 304. */
export class NotModified extends Error {}

/** The two calls of a handler about versions, and whether it made one. */
export interface Versioning extends Pick<Call, 'version' | 'madeVersion'> {
  /** Throws where the handler of a conditional endpoint said nothing of a version. */
  requireVersion(): void;
}

/** Characters of an entity tag (RFC 9110, section 8.8.3). */
const TAG = /^[\x21\x23-\x7e]{1,128}$/;

/** Makes the calls for one request. */
export function createVersioning(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): Versioning {
  const isWeak = endpoint.surface.validators === 'weak';
  let isSaid = false;
  const etag = (tag: string): string => {
    if (!endpoint.conditional) throw new Error('a version without `conditional` in the declaration');
    if (!TAG.test(tag)) throw new Error('a version that no ETag can have');
    isSaid = true;
    return isWeak ? `W/"${tag}"` : `"${tag}"`;
  };
  return {
    version(tag) {
      const own = tag === undefined ? undefined : etag(tag);
      isSaid = true;
      if (own !== undefined) reply.header('etag', own);
      const { 'if-match': match, 'if-none-match': noneMatch } = request.headers;
      // A strong comparison takes no weak tag for the same bytes; SCIM means its weak ones by If-Match.
      const isMatched = match === undefined || isListed(match, own, isWeak);
      const isKnown = noneMatch !== undefined && isListed(noneMatch, own, true);
      if (isMatched && isKnown && endpoint.method === 'GET') throw new NotModified();
      if (!isMatched || isKnown)
        throw new Failure('precondition', 'this has changed', { reason: 'precondition-failed' });
    },
    madeVersion: (tag) => void reply.header('etag', etag(tag)),
    requireVersion() {
      if (endpoint.conditional && !isSaid) throw new Error('a conditional endpoint without a version');
    },
  };
}

/** Whether a list of tags has one; `*` means any version that there is. */
function isListed(list: string, own: string | undefined, isWeak: boolean): boolean {
  if (own === undefined) return false;
  if (list.trim() === '*') return true;
  const bare = (tag: string) => (isWeak ? tag.replace(/^W\//, '') : tag);
  return list.split(',').some((tag) => bare(tag.trim()) === bare(own));
}
