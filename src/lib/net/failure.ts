/** Failures of outbound requests, in words that may be shown. */
import { Failure } from '../failure.ts';

/**
 * `address` the address is not allowed · `unresolved` no such host · `unreachable` no connection · `tls` the
 * certificate does not hold · `timeout` · `too-large` · `redirect` a redirect that is not allowed · `broken`
 * the reply is not proper HTTP, or its compression is not · `aborted` the caller went away.
 */
export type NetFault =
  | 'address'
  | 'unresolved'
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'too-large'
  | 'redirect'
  | 'broken'
  | 'aborted';

const WORDS: Record<NetFault, string> = {
  address: 'the address of the service is not allowed',
  unresolved: 'the service has no address',
  unreachable: 'the service cannot be reached',
  tls: 'the certificate of the service is not valid',
  timeout: 'the service did not answer in time',
  'too-large': 'the reply of the service is too large',
  redirect: 'the service redirects to a place that is not allowed',
  broken: 'the reply of the service is broken',
  aborted: 'the request was cancelled',
};

/** A request that brought no reply. `detail` is for the log and holds no address and no secret. */
export class NetFailure extends Failure {
  readonly fault: NetFault;
  readonly detail: string;

  constructor(fault: NetFault, detail = '', cause?: unknown) {
    super(
      'unavailable',
      WORDS[fault],
      { reason: fault === 'aborted' ? 'work-cancelled' : 'service-unreachable' },
      cause === undefined ? undefined : { cause },
    );
    this.name = 'NetFailure';
    this.fault = fault;
    this.detail = detail;
  }
}
