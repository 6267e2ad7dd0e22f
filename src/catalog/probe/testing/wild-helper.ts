/** A helper for the tests of the probe: it behaves well or badly, depending on the name of the file. */

import { serveHelper } from '../../../lib/process/serve.ts';
import type { HelperAnswer } from '../helper.ts';
import { bareStream } from '../shape.ts';

serveHelper((question) =>
  (question as { paths: string[] }).paths.map((path): HelperAnswer => {
    if (path.includes('spin')) for (;;);
    if (path.includes('die')) process.kill(process.pid, 'SIGKILL');
    if (path.includes('fault')) throw new Error('a fault of the reader');
    if (path.includes('doubt')) return { uncertain: 'told to', container: 'matroska' };
    return {
      info: { container: 'mp4', duration: 1, size: 1, streams: [bareStream(0, 'video', path)], chapters: [], tags: {} },
    };
  }),
);
