/**
 * Every refusal of the subtitle routes, through the whole server: who may not call, what is not understood, what the
 * house knows to be wrong. After all of it no provider was asked anything, no file in the libraries or in the data
 * folder is another one, and nothing is written down about any subtitle. What is planted at the end turns it red.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { isForProfiles } from '../../src/contract/kernel/endpoint.ts';
import { subtitles as library } from '../../src/contract/subtitles/library.ts';
import { workbench } from '../../src/contract/subtitles/workbench.ts';
import type { Reply, Who } from '../world.ts';
import { until } from '../until.ts';
import { BASE, films, openRefusalWorld, type RefusalWorld, snapshotOf, SRT } from './refusal-world.ts';

const routes = [...Object.values(library), ...Object.values(workbench)];

let opened: RefusalWorld;
let { house, standIns, callers, ids } = {} as RefusalWorld;
before(async () => {
  opened = await openRefusalWorld();
  ({ house, standIns, callers, ids } = opened);
});
after(() => opened.close());

const asked = () =>
  [standIns.subtitles_a, standIns.subtitles_b, standIns.subtitles_c].map(({ requests }) => requests.length);

type Refusal = readonly [
  what: string,
  method: string,
  url: string,
  body: unknown,
  status: number,
  said?: RegExp,
  headers?: Record<string, string>,
];
async function refuses(who: Who, [what, method, url, body, status, said, headers]: Refusal): Promise<Reply> {
  const reply = await house.call(who, method, url, body, headers);
  const seen = `${what}: ${JSON.stringify([method, url, body, reply.status, reply.body]).slice(0, 400)}`;
  assert.equal(reply.status, status, seen);
  assert.equal(typeof reply.body['error'], 'string', seen);
  if (said) assert.match(String(reply.body['error']), said, seen);
  assert.ok(!/\/(?:tmp|home|root|work)\//.test(reply.text), `${seen}: a path`);
  return reply;
}
/** Runs requests, and checks that no provider was asked and no file or row changed. */
async function untouched(work: () => Promise<void>): Promise<void> {
  const was = await snapshotOf(house);
  await work();
  assert.deepEqual(asked(), [0, 0, 0], 'no provider was asked anything');
  assert.equal(await snapshotOf(house), was, 'nothing was touched');
}

/** Returns a valid body of an operation. */
const rightBody = (path: string): Record<string, unknown> => {
  const language = 'en';
  if (/\/(?:preview|apply)$/.test(path)) return { language, fingerprint: 'missing', text: SRT };
  if (path.endsWith('/draft')) return { language, method: 'ocr' };
  if (path.endsWith('/replacement')) return { replaceable: false, language };
  if (path.endsWith('/cleanup/preview')) return { enabled: true, languages: [language], forced: 'keep' };
  if (path.endsWith('/cleanup'))
    return { enabled: true, languages: [language], forced: 'keep', digest: 'a'.repeat(64) };
  if (path.endsWith('/test')) return {};
  return { language };
};
const rightQuery = (path: string): string =>
  path.endsWith('/export')
    ? '?language=en&format=srt'
    : path.endsWith('/inspect') || path.endsWith('/installed') || path.endsWith('/draft')
      ? '?language=en'
      : '';
const posts = routes.filter(({ method }) => method === 'POST');
const gets = routes.filter(({ method }) => method === 'GET');
const at = (path: string, id = ids['Bare (2001)']) => path.replace('{id}', id);

test('whoever may not call', () =>
  untouched(async () => {
    for (const { method, path, access } of routes) {
      const url = at(path) + (method === 'GET' ? rightQuery(path) : '');
      const body = method === 'POST' ? rightBody(path) : undefined;
      assert.ok(isForProfiles(access));
      const { via } = access;
      await refuses(callers.nobody, ['nobody', method, url, body, 401]);
      for (const who of ['viewer', 'key stream', 'key write', 'key download'] as const)
        await refuses(callers[who], [who, method, url, body, 403]);
      if (via === 'admin') await refuses(callers['key library'], ['a key that may only read', method, url, body, 403]);
      if (access.recent) {
        const { body: said } = await refuses(callers['owner stale'], ['no fresh proof', method, url, body, 403]);
        assert.equal(said['stepUpRequired'], true);
      }
    }
  }));

test('what is no body, or another one', () =>
  untouched(async () => {
    for (const { path } of posts) {
      const url = at(path);
      const right = rightBody(path);
      const text = JSON.stringify(right);
      const broken: Refusal[] = [
        ['half of it', 'POST', url, text.slice(0, -1), 400],
        ['an array', 'POST', url, '[]', 400],
        ['nothing', 'POST', url, 'null', 400],
        ['two of them', 'POST', url, `${text}${text}`, 400],
        ['more behind it', 'POST', url, `${text}x`, 400],
        ['an unknown field', 'POST', url, { ...right, path: '/etc/passwd' }, 400],
        ['a prototype', 'POST', url, `{"__proto__":{},${text.slice(1)}`, 400],
        ['another kind of text', 'POST', url, text, 400, /./, { 'content-type': 'text/plain' }],
        ['a repeated field', 'POST', url, '{"language":"en","Language":"en"}', 400],
        ['too large', 'POST', url, JSON.stringify({ ...right, filler: 'x'.repeat(1_100_000) }), 413],
        ['a query', 'POST', `${url}?language=en`, right, 400],
      ];
      for (const refusal of broken) await refuses(callers['key all'], refusal);
    }
  }));

test('languages and limits that are none', () =>
  untouched(async () => {
    const tags = ['', 'x', 'english', 'xx', '../en', 'en/../..', 'e n', 'en\u0000', 'a'.repeat(65)];
    for (const { path, body } of posts) {
      if (!('language' in body.shape)) continue;
      for (const language of [...tags, 7, null, ['en'], {}])
        await refuses(callers['key all'], [
          'a language that is none',
          'POST',
          at(path),
          { ...rightBody(path), language },
          400,
        ]);
    }
    for (const { path, query } of gets) {
      if (!('language' in query.shape)) continue;
      for (const language of tags)
        await refuses(callers['key all'], [
          'a language that is none',
          'GET',
          `${at(path)}?${rightQuery(path)
            .replace(/^\?/, '')
            .replace(/language=en&?/, '')}&language=${encodeURIComponent(language)}`.replace('?&', '?'),
          undefined,
          400,
        ]);
    }
    for (const name of ['fetch-wanted', 'maintain']) {
      for (const limit of [0, 51, -1, 1.5, '10', null, [], 1e9])
        await refuses(callers['key all'], ['a limit that is none', 'POST', `${BASE}/${name}`, { limit }, 400]);
    }
    for (const languages of [[], ['xx'], ['english'], 'en', [7], Array.from({ length: 65 }, () => 'en')]) {
      await refuses(callers['key all'], [
        'languages that are none',
        'POST',
        '/api/v1/subtitles/cleanup/preview',
        { enabled: true, languages, forced: 'keep' },
        400,
      ]);
    }
  }));

test('queries that are repeated, unknown or wrong', () =>
  untouched(async () => {
    for (const { path, query } of gets) {
      const url = at(path) + rightQuery(path);
      const join1 = url.includes('?') ? '&' : '?';
      await refuses(callers['key all'], ['an unknown parameter', 'GET', `${url}${join1}path=x`, undefined, 400]);
      if (Object.keys(query.shape).length > 0 && url.includes('language='))
        await refuses(callers['key all'], ['a repeated parameter', 'GET', `${url}&language=de`, undefined, 400]);
    }
    const id = ids['Covered (2002)'];
    for (const format of ['', 'ass', 'SRT', '../srt'])
      await refuses(callers['key all'], [
        'a format that is none',
        'GET',
        `${BASE}/${id}/export?language=en&format=${encodeURIComponent(format)}`,
        undefined,
        400,
      ]);
    for (const [name, value] of [
      ['view', 'x'],
      ['status', 'x'],
      ['kind', 'x'],
      ['sort', 'x'],
      ['page', '0'],
      ['limit', '201'],
      ['limit', 'x'],
      ['q', ''],
      ['q', 'ä'.repeat(100)],
      ['library', 'x'],
    ] as const) {
      await refuses(callers['key all'], [
        `a wrong ${name}`,
        'GET',
        `${BASE}?${name}=${encodeURIComponent(value)}`,
        undefined,
        400,
      ]);
    }
  }));

test('ids that are none, or of nothing', () =>
  untouched(async () => {
    for (const { method, path } of routes) {
      if (!path.includes('{id}')) continue;
      const body = method === 'POST' ? rightBody(path) : undefined;
      const query = method === 'GET' || method === 'DELETE' ? rightQuery(path) : '';
      for (const id of ['x', 'AAAAAAAAAAAAAAAA', 'aaaaaaaaaaaaaaa', '%2Fetc%2Fpasswd', 'Bare%20(2001).mkv'])
        await refuses(callers['key all'], ['no id', method, at(path, id) + query, body, 400]);
      await refuses(callers['key all'], ['an id of nothing', method, at(path, '0123456789abcdef') + query, body, 404]);
    }
  }));

test('what the house knows to be wrong', () =>
  untouched(async () => {
    const [bare, covered, frozen, taken, inside] = films.map((film) => `${BASE}/${ids[film]}`);
    const missing = { language: 'en', fingerprint: 'missing', text: SRT };
    const stale = { language: 'en', fingerprint: 'b'.repeat(64), offsetMilliseconds: 100 };
    const list: Refusal[] = [
      ['covered by a file', 'POST', `${covered}/fetch`, {}, 409, /already/],
      ['covered by a text inside', 'POST', `${inside}/fetch`, { language: 'EN' }, 409, /already/],
      ['frozen', 'POST', `${frozen}/fetch`, {}, 409, /frozen/],
      ['a file of that name', 'POST', `${taken}/fetch`, {}, 409, /already exists/],
      ['nothing preserved', 'POST', `${bare}/restore`, {}, 409],
      ["nothing preserved of somebody's own", 'POST', `${covered}/restore`, { language: 'en' }, 409],
      ['no subtitle there', 'POST', `${bare}/replacement`, { replaceable: false }, 409],
      ['nothing to export', 'GET', `${bare}/export?language=en&format=srt`, undefined, 404],
      ['no original', 'GET', `${bare}/export?language=en&format=original`, undefined, 404],
      ['an apply without a fingerprint', 'POST', `${covered}/apply`, { language: 'en', offsetMilliseconds: 100 }, 400],
      ['a stale apply', 'POST', `${covered}/apply`, stale, 409],
      ['an apply to what is not there', 'POST', `${bare}/apply`, stale, 409],
      ['an apply over what came meanwhile', 'POST', `${covered}/apply`, missing, 409],
      ['a stale preview', 'POST', `${covered}/preview`, stale, 409],
      ['a fingerprint that is none', 'POST', `${covered}/apply`, { ...stale, fingerprint: 'x' }, 400],
      ['two sources', 'POST', `${bare}/preview`, { ...missing, data: 'AAAA' }, 400],
      [
        'two timings',
        'POST',
        `${covered}/preview`,
        { language: 'en', offsetMilliseconds: 1, automaticSync: true },
        400,
        /at most one of offsetMilliseconds/,
      ],
      ['too far', 'POST', `${covered}/preview`, { language: 'en', offsetMilliseconds: 120_001 }, 400],
      [
        'anchors in no order',
        'POST',
        `${covered}/preview`,
        {
          language: 'en',
          anchors: [
            { atMilliseconds: 5, offsetMilliseconds: 1 },
            { atMilliseconds: 5, offsetMilliseconds: 2 },
          ],
        },
        400,
        /in order of time/,
      ],
      [
        'too many anchors',
        'POST',
        `${covered}/preview`,
        {
          language: 'en',
          anchors: Array.from({ length: 9 }, (_, n) => ({ atMilliseconds: n, offsetMilliseconds: 1 })),
        },
        400,
      ],
      ['no such rate', 'POST', `${covered}/preview`, { language: 'en', framerate: { from: 0, to: 25 } }, 400],
      ['an unknown encoding', 'POST', `${bare}/preview`, { language: 'en', data: 'AAAA', encoding: 'utf-7' }, 400],
      ['no base64', 'POST', `${bare}/preview`, { language: 'en', data: '%%%' }, 400],
      [
        'a draft that is not there',
        'POST',
        `${bare}/apply`,
        { language: 'en', fingerprint: 'missing', draftId: '0123456789abcdef' },
        404,
      ],
      ['nothing to draft from', 'POST', `${bare}/draft`, { language: 'en', method: 'ocr' }, 409],
      ['no model', 'POST', `${bare}/draft`, { language: 'en', method: 'transcription' }, 409],
      ['a method that is none', 'POST', `${bare}/draft`, { language: 'en', method: 'magic' }, 400],
      [
        'a cancel of nothing',
        'POST',
        `${bare}/draft`,
        { language: 'en', action: 'cancel', draftId: '0123456789abcdef' },
        409,
      ],
      ['no sound', 'POST', `${bare}/audio`, {}, 409],
      [
        'a plan of another time',
        'POST',
        '/api/v1/subtitles/cleanup',
        { enabled: true, languages: ['en'], forced: 'keep', digest: 'a'.repeat(64) },
        409,
      ],
      ['no digest', 'POST', '/api/v1/subtitles/cleanup', { enabled: true, languages: ['en'], forced: 'keep' }, 400],
      ['a task that takes nothing', 'POST', '/api/v1/tasks/subtitle-upkeep', { library: '0123456789abcdef' }, 400],
    ];
    for (const refusal of list) await refuses(callers['key all'], refusal);
  }));

test('a second one of what is going on', async () => {
  const all = [standIns.subtitles_a, standIns.subtitles_b, standIns.subtitles_c];
  const bare = `${BASE}/${ids['Bare (2001)']}`;
  for (const [path, others] of [
    [`${bare}/fetch`, [`${bare}/fetch`]],
    [`${BASE}/fetch-wanted`, [`${BASE}/fetch-wanted`, `${BASE}/maintain`, `${bare}/fetch`]],
  ] as const) {
    for (const standIn of all) standIn.fault({ fault: 'hang', on: 'search' });
    const first = house.call(callers['key all'], 'POST', path, path.endsWith('wanted') ? { limit: 5 } : {});
    await until('each provider to be asked', () => all.every(({ requests }) => requests.length === 1));
    for (const other of others)
      await refuses(callers['key all'], ['at the same time', 'POST', other, {}, 409, /already|running/]);
    assert.deepEqual(asked(), [1, 1, 1], 'the second asked nobody');
    for (const standIn of all) standIn.drop();
    assert.equal((await first).status, 503);
    for (const standIn of all) standIn.reset();
    // The pauses that this brought are over by then.
    house.clock.pass(3 * 3_600_000);
  }
});

test('the same walk fails when a provider is asked or a file appears', async () => {
  await assert.rejects(
    untouched(
      async () =>
        void (await house
          .call(callers['key all'], 'POST', `${BASE}/${ids['Bare (2001)']}/replacement`, { replaceable: false })
          .then(() => writeFile(join(house.media, 'stray.srt'), 'x'))),
    ),
    /nothing was touched/,
  );
  await assert.rejects(
    untouched(
      async () => void (await house.call(callers['key all'], 'POST', `${BASE}/${ids['Bare (2001)']}/fetch`, {})),
    ),
    /no provider was asked anything/,
  );
});
