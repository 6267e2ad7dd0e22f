/** Facts of a release that names state: resolution, source, codecs. */
import type { Release } from '../../../lib/release-name.ts';
import type { Guess } from '../../naming/types.ts';

/** Returns the facts that a file's name states, completed by those of its folder's name. */
export function releaseFacts(own: Release, folder?: Release): Guess['release'] {
  const out: { -readonly [K in keyof Guess['release']]: Guess['release'][K] } = {
    hdr: own.hdr.length > 0 ? own.hdr : (folder?.hdr ?? []),
    languages: own.languages.length > 0 ? own.languages : (folder?.languages ?? []),
    flags: own.flags.length > 0 ? own.flags : (folder?.flags ?? []),
  };
  for (const key of [
    'resolution',
    'source',
    'codec',
    'audio',
    'channels',
    'group',
    'service',
    'edition',
    'threeD',
  ] as const) {
    const value = own[key] ?? folder?.[key];
    if (value !== undefined) out[key] = value;
  }
  const depth = own.bitDepth ?? folder?.bitDepth;
  if (depth !== undefined) out.bitDepth = depth;
  return out;
}
