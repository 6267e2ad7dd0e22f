/** Requests for a plan: links for callers who need them, tracks, position, and withheld facts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MediaInfo } from '../../catalog/index.ts';
import { OWNER_POLICY } from '../../contract/identity/profiles.ts';
import { playback } from '../../contract/playback/plan.ts';
import { makePrincipal } from '../../http/testing.ts';
import { playbackRoutes } from '../routes.ts';
import { ID, openTestMedia, type Media, makeSidecar, makeStream } from '../testing.ts';
import { audioFor } from './item.ts';
import { audiosOf } from './support.ts';

const STREAMS = [
  makeStream(0, 'video', 'h264', { profile: 'High', level: 40, width: 1920, height: 1080 }),
  makeStream(1, 'audio', 'aac', { profile: 'LC', channels: 2, language: 'eng', default: true }),
  makeStream(2, 'audio', 'ac3', { channels: 6, language: 'fre', title: 'Version française' }),
  makeStream(3, 'audio', 'aac', { channels: 2, language: 'eng', commentary: true }),
  makeStream(4, 'subtitle', 'subrip', { language: 'eng', default: true }),
  makeStream(5, 'subtitle', 'hdmv_pgs_subtitle', { language: 'fre' }),
];
const PLAN = `/api/v1/items/${ID}/playback`;
const BROWSER = 'videoCodecs=h264,vp9&audioCodecs=aac,opus&containers=mp4,webm&hdrFormats=';

async function planned(m: Media, query = '', headers: Record<string, string> = {}) {
  const reply = await m.get(`${PLAN}${query === '' ? '' : `?${query}`}`, headers);
  const body: unknown = await reply.json();
  return { status: reply.status, plan: reply.status === 200 ? playback.plan.result.parse(body) : undefined, body };
}

async function film(t: Parameters<typeof openTestMedia>[0], more: Parameters<typeof openTestMedia>[1] = {}) {
  const m = await openTestMedia(t, {
    info: {
      container: 'matroska',
      size: 1000,
      duration: 60,
      streams: STREAMS,
      chapters: [
        { start: 0, end: 30 },
        { start: 30, end: 60, title: 'Later' },
      ],
    },
    ...more,
  });
  m.sidecars = [
    makeSidecar('Film.de.srt', { language: 'de' }),
    makeSidecar('Film.es.sup', { language: 'es', format: 'sup' }),
  ];
  return m;
}

test('a token gets signed links, a cookie plain ones', async (t) => {
  const m = await film(t);
  const { plan } = await planned(m);
  assert.deepEqual(plan?.urls, {
    media: `/media/${ID}?ticket=ticket-media-aa&session=${plan?.session}`,
    download: `/download/${ID}?ticket=ticket-download-aa`,
  });
  assert.equal(plan?.linksExpireAt, '2030-01-01T00:00:00.000Z');
  assert.deepEqual(
    plan?.subtitles.map(({ key, url }) => [key, url]),
    [
      ['f0', `/subtitle/${ID}?track=f0&format=vtt&ticket=ticket-subtitle-aa`],
      ['f1', `/subtitle/${ID}?track=f1&format=original&ticket=ticket-subtitle-aa`],
      ['s4', `/subtitle/${ID}?track=s4&format=vtt&ticket=ticket-subtitle-aa`],
      ['s5', undefined],
    ],
  );
  const cookie = await fetch(`http://127.0.0.1:${m.road.port}${PLAN}?version=${m.file.id}`, {
    headers: { cookie: 'matinee=owner' },
  });
  const own = playback.plan.result.parse(await cookie.json());
  assert.deepEqual(own.urls, {
    media: `/media/${ID}?version=${m.file.id}&session=${own.session}`,
    download: `/download/${ID}?version=${m.file.id}`,
  });
  assert.equal(own.linksExpireAt, undefined);
  assert.equal(own.subtitles[0]?.url, `/subtitle/${ID}?track=f0&format=vtt&version=${m.file.id}`);
});

test('no link is given that would be refused', async (t) => {
  const m = await film(t);
  m.road.tokens.set(
    'careful',
    makePrincipal({ credential: '5'.repeat(16), role: 'viewer', policy: { ...OWNER_POLICY, download: false } }),
  );
  m.road.tokens.set('key', makePrincipal({ credential: '6'.repeat(16), via: new Set(['stream']) }));
  m.road.tokens.set('reader', makePrincipal({ credential: '7'.repeat(16), via: new Set(['library']) }));
  for (const who of ['careful', 'key'])
    assert.deepEqual(
      Object.keys((await planned(m, '', { authorization: `Bearer ${who}` })).plan?.urls ?? {}),
      ['media'],
      who,
    );
  assert.equal((await planned(m, '', { authorization: 'Bearer reader' })).status, 403);
  m.file.available = false;
  assert.deepEqual(
    [(await planned(m)).status, (await planned(m)).body],
    [503, { error: 'this library cannot be reached', reason: 'library-offline' }],
  );
});

test('the plan has the method, the audio, and the position', async (t) => {
  const m = await film(t);
  m.userData.position = 12.5;
  const { plan } = await planned(m, BROWSER);
  assert.deepEqual([plan?.mode, plan?.reasons.map(({ code }) => code)], ['remux', ['container-not-supported']]);
  assert.deepEqual(
    [plan?.container, plan?.type, plan?.duration, plan?.position, plan?.next],
    ['matroska', 'video/x-matroska; codecs="avc1.640028,mp4a.40.2"', 60, 12.5, '9'.repeat(16)],
  );
  assert.deepEqual(plan?.audio, [
    {
      index: 1,
      codec: 'aac',
      language: 'en',
      title: 'English · stereo',
      channels: 2,
      default: true,
      selected: true,
      action: 'copy',
    },
    {
      index: 2,
      codec: 'ac3',
      language: 'fr',
      title: 'French · Version française · 5.1',
      channels: 6,
      default: false,
      selected: false,
      action: 'convert',
    },
    {
      index: 3,
      codec: 'aac',
      language: 'en',
      title: 'English · commentary · stereo',
      channels: 2,
      default: false,
      selected: false,
      action: 'copy',
    },
  ]);
  const ticket = 'ticket=ticket-media-aa';
  assert.deepEqual(plan?.chapters, [
    { start: 0, end: 30, title: 'Chapter 1', image: `/trickplay/${ID}/chapter-0.jpg?${ticket}` },
    { start: 30, end: 60, title: 'Later', image: `/trickplay/${ID}/chapter-1.jpg?${ticket}` },
  ]);
  assert.equal(plan?.trickplay, `/trickplay/${ID}/index.vtt?${ticket}`);
  assert.deepEqual(
    [plan?.parts, plan?.version?.why, plan?.autoplay, plan?.showSubtitles, plan?.autoSkip],
    [[{ part: 1, start: 0, duration: 60 }], 'only', true, undefined, []],
  );
  const again = (await planned(m, BROWSER)).plan;
  assert.match(plan?.session ?? '', /^[A-Za-z0-9_-]{8,64}$/);
  assert.notEqual(plan?.session, again?.session);
  assert.equal((await planned(m, 'start=3')).plan?.position, 3);
});

test('a choice of tracks is heard, and one that is not there refused', async (t) => {
  const m = await film(t);
  const french = (await planned(m, 'audio=2&maxAudioChannels=2')).plan;
  assert.deepEqual(
    [french?.mode, french?.reasons.map(({ code }) => code), french?.audio.find(({ selected }) => selected)?.index],
    ['remux', ['audio-channels', 'audio-track'], 2],
  );
  assert.deepEqual(
    (await planned(m, 'subtitle=s5')).plan?.reasons.map(({ code }) => code),
    ['subtitle-burn-in'],
  );
  assert.deepEqual((await planned(m, 'subtitle=s4')).plan?.reasons, []);
  assert.deepEqual(
    [
      (await planned(m, 'audio=9')).status,
      (await planned(m, 'subtitle=s9')).status,
      (await planned(m, 'audio=0')).status,
    ],
    [404, 404, 404],
  );
  for (const query of [
    'audio=x',
    'subtitle=9',
    'videoCodecs=h264;x',
    'videoCodecs=h264,,vp9',
    'maxHeight=0',
    'colour=red',
  ])
    assert.equal((await planned(m, query)).status, 400, query);
});

test('a Profile hears its language where the file has it', async (t) => {
  const m = await film(t, { needs: { likedAudio: async () => ['ja', 'fr'] } });
  const { plan } = await planned(m, BROWSER.replace('aac,', 'aac,ac3,'));
  assert.deepEqual(
    [plan?.audio.find(({ selected }) => selected)?.index, plan?.type],
    [2, 'video/x-matroska; codecs="avc1.640028,ac-3"'],
  );
  const of = (liked: string[]) => audioFor(audiosOf(m.file.info), liked)?.index;
  assert.deepEqual([of([]), of(['ja']), of(['en']), of(['fr', 'en'])], [1, 1, 1, 2]);
});

test('a file that could not be examined has its link and a reason', async (t) => {
  const m = await film(t);
  m.file.info = undefined;
  const { plan } = await planned(m);
  assert.deepEqual(
    [plan?.mode, plan?.reasons.map(({ code }) => code), plan?.audio, plan?.type],
    ['direct', ['not-analysed'], [], undefined],
  );
  assert.ok(plan?.urls.media);
});

test('who may not have media converted is told why nothing is left', async (t) => {
  const m = await film(t);
  m.road.tokens.set(
    'careful',
    makePrincipal({ credential: '5'.repeat(16), role: 'viewer', policy: { ...OWNER_POLICY, transcode: false } }),
  );
  const as = { authorization: 'Bearer careful' };
  assert.equal((await planned(m, BROWSER, as)).plan?.mode, 'remux');
  const { status, body } = await planned(m, `${BROWSER}&audio=2`, as);
  assert.equal(status, 403);
  assert.deepEqual(body, {
    error: 'this item cannot be played here',
    reason: 'no-way',
    reasons: [
      { code: 'container-not-supported', detail: 'This player does not open Matroska files.' },
      { code: 'audio-codec-not-supported', stream: 2, detail: 'This player does not play Dolby Digital sound.' },
      { code: 'audio-track', stream: 2, detail: 'The chosen sound is not the one that the file starts with.' },
      { code: 'policy-transcode', detail: 'This Profile may not have media converted.' },
    ],
  });
  // Tracks that cannot be delivered are not listed.
  assert.deepEqual(
    (await planned(m, BROWSER, as)).plan?.audio.map(({ index }) => index),
    [1, 3],
  );
  assert.deepEqual(
    (await planned(m, BROWSER)).plan?.audio.map(({ index, action }) => [index, action]),
    [
      [1, 'copy'],
      [2, 'convert'],
      [3, 'copy'],
    ],
  );
});

test('settings take effect at the next plan', async (t) => {
  const settings: Record<string, unknown> = {};
  const m = await film(t, { settings });
  const seen = async (query = BROWSER) => {
    const { plan, status } = await planned(m, query);
    return [plan?.mode ?? status, plan?.qualities[0]?.id, plan?.autoplay, plan?.showSubtitles, plan?.autoSkip.join()];
  };
  const AC3 = `${BROWSER}&audio=2`;
  assert.deepEqual(await seen(), ['remux', 'original', true, undefined, '']);
  Object.assign(settings, {
    'playback.autoplay': false,
    'playback.subtitles': 'off',
    'playback.auto_skip': ['intro', 'credits'],
  });
  assert.deepEqual(await seen(), ['remux', 'original', false, false, 'intro,credits']);
  assert.equal((await seen(AC3))[0], 'remux');
  settings['playback.mode'] = 'direct';
  assert.deepEqual([(await seen())[0], (await seen(AC3))[0]], ['remux', 403]);
  settings['playback.mode'] = 'compatible';
  assert.deepEqual([(await seen())[0], (await seen(''))[0]], ['remux', 'remux']);
  settings['playback.mode'] = undefined;
  settings['transcoding.tone_map'] = false;
  m.file.info = {
    ...(m.file.info as MediaInfo),
    streams: [makeStream(0, 'video', 'h264', { width: 1920, height: 1080, hdr: 'hdr10' })],
  };
  assert.equal((await seen())[0], 403);
  settings['transcoding.tone_map'] = undefined;
  assert.equal((await seen())[0], 'transcode');
});

test('clients away from home have a separate limit', async (t) => {
  const m = await film(t, {
    settings: { 'playback.remote_bitrate': 4_000_000 },
    info: { container: 'mp4', size: 60_000_000, duration: 60, streams: STREAMS.slice(0, 2) },
  });
  const route = playbackRoutes(m.playback).find(({ endpoint }) => endpoint.path.endsWith('/playback'));
  const from = async (network: 'local' | 'public') => {
    const plan = (await route?.handler(
      { id: ID } as never,
      { by: makePrincipal(), from: { network }, signal: new AbortController().signal } as never,
    )) as Awaited<ReturnType<typeof m.playback.plan>>;
    return plan.reasons.map(({ code }) => code);
  };
  assert.deepEqual([await from('local'), await from('public')], [[], ['bitrate']]);
});

test('a client that draws pictures gets them, and the others have them drawn into the video', async (t) => {
  const m = await film(t);
  const of = async (query: string) =>
    (await planned(m, query)).plan?.subtitles.map(({ key, delivery, url }) => [
      key,
      delivery,
      /format=(\w+)/.exec(url ?? '')?.[1],
    ]);
  assert.deepEqual(await of(''), [
    ['f0', 'text', 'vtt'],
    ['f1', 'burn', 'original'],
    ['s4', 'text', 'vtt'],
    ['s5', 'burn', undefined],
  ]);
  assert.deepEqual(await of('subtitleFormats=vtt,ass,pgs'), [
    ['f0', 'text', 'vtt'],
    ['f1', 'picture', 'sup'],
    ['s4', 'text', 'vtt'],
    ['s5', 'picture', 'sup'],
  ]);
  assert.deepEqual(await of('subtitleFormats=ass'), [
    ['f0', 'text', 'ass'],
    ['f1', 'burn', 'original'],
    ['s4', 'text', 'ass'],
    ['s5', 'burn', undefined],
  ]);
  assert.equal((await planned(m, 'subtitleFormats=srt')).status, 400);
  assert.equal((await planned(m, 'subtitle=s5&subtitleFormats=pgs')).plan?.mode, 'direct');
  const burned = (await planned(m, 'subtitle=s5&quality=original')).plan;
  assert.deepEqual(
    [burned?.mode, burned?.video],
    ['transcode', { action: 'convert', codec: 'h264', width: 1920, height: 1080, bitrate: 200_000, toneMap: false }],
  );
  assert.equal((await planned(m, 'quality=4k')).status, 404);
  assert.equal((await planned(m, 'quality=')).status, 400);
});
