/**
 * The authorization matrix, read from the mounted endpoints. Committed, so that a change of policy is seen in review.
 */
import type { MountedEndpoint } from './handle.ts';
import { hasHead } from './methods.ts';

/** The routes that the public listener has. Committed, so that each one is reviewed. */
export const publicRoutes = (mounted: readonly MountedEndpoint[]): string =>
  matrix(mounted.filter(({ endpoint }) => endpoint.reach === 'everywhere'));

const HEAD = '# surface method path | who | sign-in method | further conditions\n';

export const matrix = (mounted: readonly MountedEndpoint[]): string =>
  HEAD +
  mounted
    .map(({ endpoint }) => {
      const { method, path, access, surface, result } = endpoint;
      const at = `${surface.name} ${method}${hasHead(endpoint) ? '/HEAD' : ''} ${path}`;
      if (access === 'public') return `${at} | anyone | - | ${endpoint.anyOrigin ? 'any origin' : '-'}`;
      if ('service' in access) return `${at} | ${access.service} | token | -`;
      const more = [
        'socket' in result && 'socket',
        access.recent && 'recent',
        endpoint.sameOrigin && 'same origin',
        access.enrolling && 'while enrolling',
        access.anyHour && 'at any hour',
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
