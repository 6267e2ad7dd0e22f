/** The process that reads, changes and writes large subtitles. */
import { serveHelper } from '../../lib/process/serve.ts';
import { handleRequest } from './handle-request.ts';
import type { WorkRequest } from './messages.ts';

serveHelper((request) => handleRequest(request as WorkRequest));
