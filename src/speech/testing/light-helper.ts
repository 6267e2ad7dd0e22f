/** For tests: a machine that has only the light detector. */
import { serveHelper } from '../../lib/process/serve.ts';
import { createListenHandler } from '../listen-handler.ts';
import { loadLightDetector } from '../light-detector.ts';

const fails = (): Promise<never> => Promise.reject(new Error('libonnxruntime.so.1: cannot open shared object file'));
serveHelper(
  createListenHandler([
    { name: 'neural', load: fails },
    { name: 'light', load: loadLightDetector },
  ]),
);
