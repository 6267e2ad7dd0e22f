/** The process that listens: one audio track at a time, from samples to a curve. It opens nothing but its detector. */
import { serveHelper } from '../../lib/process/serve.ts';
import { createAnswer } from './answer.ts';
import { loadDetector } from './detector.ts';
import { loadLightDetector } from './light.ts';

serveHelper(
  createAnswer([
    { name: 'neural', load: loadDetector },
    { name: 'light', load: loadLightDetector },
  ]),
);
