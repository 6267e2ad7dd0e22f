/**
 * Helper process that turns samples into a curve, one audio track at a time. It opens only the files of its detector.
 */
import { serveHelper } from '../lib/process/serve.ts';
import { createListenHandler } from './listen-handler.ts';
import { loadDetector } from './neural-detector.ts';
import { loadLightDetector } from './light-detector.ts';

serveHelper(
  createListenHandler([
    { name: 'neural', load: loadDetector },
    { name: 'light', load: loadLightDetector },
  ]),
);
