/** For tests: a machine that cannot load the detector. */
import { serveHelper } from '../../lib/process/serve.ts';
import type { ListenReply } from '../messages.ts';

serveHelper((): ListenReply => ({ is: 'missing', detail: 'libonnxruntime.so.1: cannot open shared object file' }));
