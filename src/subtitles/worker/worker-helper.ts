/** The process that reads, changes and writes large subtitles. */
import { serveHelper } from '../../lib/process/serve.ts';
import { answer } from './answer.ts';
import type { WorkRequest } from './messages.ts';

serveHelper((request) => answer(request as WorkRequest));
