/** Endpoints of requests, each tied to the operation that does it. */
import { requests as requestEndpoints } from '../contract/requests/requests.ts';
import { implement, type MountedEndpoint } from '../http/handle.ts';
import type { Requests } from './index.ts';

export const requestRoutes = (requests: Requests): MountedEndpoint[] =>
  implement(requestEndpoints, {
    list: (_given, { by }) => requests.list(by),
    ask: (given, { by }) => requests.ask(given, by),
    answer: (given, { by }) => requests.answer(given, by),
    withdraw: ({ id }, { by }) => requests.withdraw(id, by),
    seen: (_given, { by }) => requests.seen(by),
  });
