/** The providers that the suite is run with, and the faults of their servers. */
import { createNet } from '../../src/lib/net.ts';
import { createSubtitlesA } from '../../src/subtitles/providers/subtitles-a.ts';
import { createSubtitlesB } from '../../src/subtitles/providers/subtitles-b.ts';
import { createSubtitlesC } from '../../src/subtitles/providers/subtitles-c.ts';
import { KEY_A, KEY_B, KEY_C, PASSWORD_C, USER_C } from '../stand-ins/index.ts';
import { type Case } from './provider.ts';

/** Network of the tests. */
export const net = createNet({ version: '0.1.0' });

const anyServer = [
  ['500', 'unavailable'],
  ['502', 'unavailable'],
  ['503', 'unavailable'],
  ['reset', 'unavailable'],
  ['redirect-off-host', 'hostile'],
  ['forbidden-page', 'unavailable'],
  ['too-large', 'hostile'],
  ['gzip-bomb', 'hostile'],
] as const;
const anyArchive = [
  ['zip-nested', 'not-found'],
  ['zip-slip', 'hostile'],
  ['zip-absolute', 'hostile'],
  ['zip-backslash', 'hostile'],
  ['zip-link', 'hostile'],
  ['zip-bomb', 'hostile'],
  ['zip-lies', 'hostile'],
  ['zip-many', 'hostile'],
  ['zip-repeats', 'hostile'],
  ['zip-encrypted', 'hostile'],
  ['zip-truncated', 'hostile'],
  ['zip-empty', 'hostile'],
  ['zip-none', 'not-found'],
  ['zip-wrong-episode', 'not-found'],
  ['zip-parts', 'not-found'],
  ['rar', 'hostile'],
  ['seven-zip', 'hostile'],
  ['program', 'hostile'],
  ['empty-file', 'hostile'],
  ['html', 'hostile'],
] as const;
const onFile = [...anyServer, ...anyArchive].map(([fault, kind]) => [fault, 'file', kind] as const);
const onSearch = anyServer.map(([fault, kind]) => [fault, 'search', kind] as const);
const badJson = (['html', 'truncated', 'empty-body', 'error-200', 'bad-request'] as const).map(
  (fault) => [fault, 'search', 'unavailable'] as const,
);

export const CASE_A: Case = {
  name: 'subtitles_a',
  secrets: [KEY_A],
  make: ({ url, net: through, clock, withoutSettings, timeoutMs }) =>
    createSubtitlesA({
      settings: withoutSettings ? {} : { url, apiKey: KEY_A },
      net: through,
      clock,
      sleep: clock.sleep,
      timeoutMs,
    }),
  calls: { search: ['search'], download: ['file'] },
  hasAccount: true,
  faults: [
    ...onSearch,
    ...onFile,
    ...badJson,
    ['rate-limited', 'search', 'rate-limited'],
    ['rate-limited-date', 'search', 'rate-limited'],
    ['quota', 'search', 'quota'],
    ['quota-200', 'search', 'quota'],
    ['quota', 'file', 'quota'],
    ['quota-200', 'file', 'quota'],
    ['quota-500', 'file', 'quota'],
    ['unauthorized', 'search', 'bad-credentials'],
    ['unauthorized', 'file', 'bad-credentials'],
    ['forbidden', 'search', 'bad-credentials'],
    ['rate-limited', 'file', 'rate-limited'],
    ['rate-limited-date', 'file', 'rate-limited'],
    ['payment', 'search', 'payment-required'],
    ['not-acceptable', 'search', 'unavailable'],
    ['not-acceptable', 'file', 'unavailable'],
    ['forbidden', 'file', 'bad-credentials'],
    ['payment', 'file', 'payment-required'],
    ['expired-link', 'file', 'gone'],
    ['invalid-file', 'file', 'not-found'],
    ['error-200', 'file', 'unavailable'],
    ['redirect-loop', 'search', 'unavailable'],
    ['truncated', 'file', 'unavailable'],
  ],
};

export const CASE_B: Case = {
  name: 'subtitles_b',
  secrets: [KEY_B],
  make: ({ url, net: through, clock, withoutSettings, timeoutMs }) =>
    createSubtitlesB({
      settings: withoutSettings ? {} : { url, apiKey: KEY_B, personalUse: true },
      net: through,
      clock,
      sleep: clock.sleep,
      timeoutMs,
    }),
  calls: { search: ['search', 'list'], download: ['file'] },
  hasAccount: false,
  faults: [
    ...onSearch,
    ...onFile,
    ...badJson,
    ...[...anyServer, ...badJson.map(([fault]) => [fault, 'unavailable'] as const)].map(
      ([fault, kind]) => [fault, 'list', kind] as const,
    ),
    ...(['search', 'list', 'file'] as const).flatMap((on) => [
      ['rate-limited', on, 'rate-limited'] as const,
      ['rate-limited-date', on, 'rate-limited'] as const,
      ['quota', on, 'rate-limited'] as const,
      ['unauthorized', on, 'bad-credentials'] as const,
      ['forbidden', on, 'bad-credentials'] as const,
      ['payment', on, 'payment-required'] as const,
      ['not-acceptable', on, 'unavailable'] as const,
      ['expired-link', on, 'gone'] as const,
    ]),
    ['invalid-file', 'file', 'not-found'],
    ['error-200', 'file', 'unavailable'],
    ['truncated', 'file', 'unavailable'],
    ['redirect-loop', 'search', 'unavailable'],
    ['redirect-loop', 'list', 'unavailable'],
  ],
};

export const CASE_C: Case = {
  name: 'subtitles_c',
  secrets: [KEY_C, PASSWORD_C, USER_C],
  make: ({ url, net: through, clock, memory, withoutSettings, timeoutMs }) =>
    createSubtitlesC({
      settings: withoutSettings ? {} : { url, apiKey: KEY_C, username: USER_C, password: PASSWORD_C },
      net: through,
      clock,
      memory,
      sleep: clock.sleep,
      timeoutMs,
    }),
  calls: { search: ['search'], download: ['login', 'grant', 'file'] },
  hasAccount: true,
  faults: [
    ...onSearch,
    ...onFile,
    ...badJson,
    ...(['html', 'truncated', 'empty-body', 'error-200', '503'] as const).map(
      (fault) => [fault, 'grant', 'unavailable'] as const,
    ),
    ...(['html', 'truncated', '503'] as const).map((fault) => [fault, 'login', 'unavailable'] as const),
    ['rate-limited', 'search', 'rate-limited'],
    ['rate-limited-date', 'search', 'rate-limited'],
    ['rate-limited', 'login', 'rate-limited'],
    ['rate-limited', 'grant', 'rate-limited'],
    ['quota', 'grant', 'quota'],
    ['quota-200', 'grant', 'quota'],
    ['invalid-file', 'grant', 'not-found'],
    ['payment', 'grant', 'payment-required'],
    ['unauthorized', 'search', 'bad-credentials'],
    ['forbidden', 'search', 'bad-credentials'],
    ['forbidden', 'login', 'bad-credentials'],
    ['unauthorized', 'login', 'bad-credentials'],
    ['rate-limited-date', 'grant', 'rate-limited'],
    ['unauthorized', 'file', 'unavailable'],
    ['forbidden', 'file', 'unavailable'],
    ['payment', 'file', 'payment-required'],
    ['not-acceptable', 'grant', 'not-found'],
    ['gzip-bomb', 'grant', 'hostile'],
    ['too-large', 'login', 'hostile'],
    ['expired-link', 'file', 'gone'],
    ['foreign-link', 'grant', 'hostile'],
    ['redirect-off-host', 'grant', 'hostile'],
    ['redirect-loop', 'search', 'unavailable', 2],
  ],
};
