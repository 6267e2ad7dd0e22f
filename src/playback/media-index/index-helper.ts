/** The process that reads media files: their indexes, and the clusters of Matroska segments. */
import { serveHelper } from '../../lib/process/serve.ts';
import { answerQuestion } from './answer.ts';
import type { MediaQuestion } from './messages.ts';

// Doubt is an ordinary outcome here, and its stack would cost more than the reading.
Error.stackTraceLimit = 0;

serveHelper((question) => answerQuestion(question as MediaQuestion));
