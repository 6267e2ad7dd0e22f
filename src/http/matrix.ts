/**
 * The authorization matrix, read from the mounted endpoints. Committed, so that a change of policy is seen in review.
 */
import type { Mounted } from './handle.ts';

/** The routes that the public listener has. Committed, so that each one is reviewed. */
export const publicRoutes = (mounted: readonly Mounted[]): string =>
  matrix(mounted.filter(({ endpoint }) => endpoint.reach === 'everywhere'));

const HEAD = '# surface method path | who | way in | further conditions\n';

export const matrix = (mounted: readonly Mounted[]): string =>
  HEAD +
  mounted
    .map(({ endpoint: { method, path, access, surface, result } }) => {
      // A stream of events has no HEAD: there is nothing to say of it beforehand.
      const at = `${surface.name} ${method}${method === 'GET' && !('events' in result) ? '/HEAD' : ''} ${path}`;
      if (access === 'public') return `${at} | anyone | - | -`;
      const more = [
        access.recent && 'recent',
        access.enrolling && 'while enrolling',
        access.link && `link for ${access.link}${access.linkBy === undefined ? '' : ` by ${access.linkBy}`}`,
      ].filter(Boolean);
      return (
        `${at} | ${access.role} | ` +
        `${access.via === 'session' ? 'session only' : `session or key with ${access.via}`} | ` +
        `${more.join(', ') || '-'}`
      );
    })
    .sort()
    .join('\n') +
  '\n';
