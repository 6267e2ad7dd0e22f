/** Speech detection as a domain. */
import { catalogDomain } from '../catalog/domain.ts';
import { domain } from '../domain.ts';
import { createSpeech } from './index.ts';

export const speechDomain = domain({
  name: 'speech',
  uses: [catalogDomain],
  open: async ({ processes, ffmpeg, cache, clock, log }) => {
    const speech = createSpeech({ processes, ffmpeg, cache, clock, log });
    return { door: speech, close: speech.close };
  },
});
