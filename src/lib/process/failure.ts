/** Failures of programs, in words that may be shown; the details are for the log. */
import type { ReasonOf } from '../../contract/failures.ts';
import { Failure } from '../failure.ts';

/**
 * Why: `missing` not installed · `timeout` wall clock · `quiet` no output for too long · `output` too much of
 * it · `exit` a code other than 0 · `signal` ended by a signal from elsewhere or by a limit · `aborted` the
 * caller went away · `closed` the server stops · `busy` too many wait.
 */
export type ProcessFault =
  | 'missing'
  | 'timeout'
  | 'quiet'
  | 'output'
  | 'exit'
  | 'signal'
  | 'aborted'
  | 'closed'
  | 'busy';

const WORDS: Record<ProcessFault, string> = {
  missing: 'is not installed',
  timeout: 'did not finish in time',
  quiet: 'stopped making progress',
  output: 'produced too much output',
  exit: 'failed',
  signal: 'was ended',
  aborted: 'was cancelled',
  closed: 'was stopped with the server',
  busy: 'has too much work waiting',
};

const REASONS: Partial<Record<ProcessFault, ReasonOf<'unavailable'>>> = {
  missing: 'program-missing',
  aborted: 'work-cancelled',
  closed: 'stopping',
  busy: 'too-busy',
};

/** A program that did not do its work. Uncaught, the caller of the server sees 503 with a plain sentence. */
export class ProcessFailure extends Failure {
  readonly program: string;
  readonly fault: ProcessFault;
  readonly code: number | null;
  readonly signal: string | null;
  /** The last lines of standard error, bounded. They may hold paths: for the log, never for a reply. */
  readonly lines: readonly string[];

  constructor(
    program: string,
    fault: ProcessFault,
    details: { code?: number | null; signal?: string | null; stderr?: string; cause?: unknown } = {},
  ) {
    const name = program.slice(program.lastIndexOf('/') + 1);
    super(
      'unavailable',
      `${name} ${WORDS[fault]}`,
      { reason: REASONS[fault] ?? 'program-failed' },
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.name = 'ProcessFailure';
    this.program = name;
    this.fault = fault;
    this.code = details.code ?? null;
    this.signal = details.signal ?? null;
    this.lines = (details.stderr ?? '')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(-10)
      .map((line) => line.slice(0, 400));
  }
}

/**
 * `crashed`, `hung`, `memory`: this request caused it. `failed`: the helper reported it. `aborted`, `closed`: no fault.
 */
export type HelperFault = 'crashed' | 'hung' | 'memory' | 'failed' | 'aborted' | 'closed';

const HELPER_WORDS: Record<HelperFault, string> = {
  crashed: 'stopped on this request',
  hung: 'did not answer this request in time',
  memory: 'needed too much memory for this request',
  failed: 'could not answer this request',
  aborted: 'was cancelled',
  closed: 'was stopped with the server',
};

/** A request that a helper did not answer. */
export class HelperFailure extends Failure {
  readonly helper: string;
  readonly fault: HelperFault;
  /** Report of the helper about a `failed` request, for the log. */
  readonly detail: string;

  constructor(helper: string, fault: HelperFault, detail = '') {
    super('unavailable', `the ${helper} helper ${HELPER_WORDS[fault]}`, {
      reason: fault === 'closed' ? 'stopping' : fault === 'aborted' ? 'work-cancelled' : 'helper-failed',
    });
    this.name = 'HelperFailure';
    this.helper = helper;
    this.fault = fault;
    this.detail = detail.slice(0, 1000);
  }

  /** Whether this request killed or hung the helper, so that its subject should be marked. */
  get isCulprit(): boolean {
    return this.fault === 'crashed' || this.fault === 'hung' || this.fault === 'memory';
  }
}
