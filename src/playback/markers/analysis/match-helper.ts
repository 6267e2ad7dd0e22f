/** The process that compares the fingerprints of episodes. */
import { serveHelper } from '../../../lib/process/serve.ts';
import { match, type MatchLimits, type Passage } from './match.ts';

export interface MatchRequest {
  one: Int32Array;
  others: readonly Int32Array[];
  limits: MatchLimits;
}
/** For each of the others. */
export type MatchReply = Passage[][];

serveHelper((request): MatchReply => {
  const { one, others, limits } = request as MatchRequest;
  return others.map((other) => match(one, other, limits));
});
