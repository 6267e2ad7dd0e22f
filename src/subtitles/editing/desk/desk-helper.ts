/** The process that reckons with large subtitles. */
import { serveHelper } from '../../../lib/process/serve.ts';
import { answer } from './answer.ts';
import type { DeskRequest } from './messages.ts';

serveHelper((request) => answer(request as DeskRequest));
