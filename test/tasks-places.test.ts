/**
 * Long tasks wait while a film plays, and keep no other task from starting: the scan that a person asks for runs to its
 * end meanwhile.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { done, fakeStreaming, isCut, makeLongFilm } from './streaming.ts';
import { until } from './until.ts';

const SRT = '1\n00:00:00,500 --> 00:00:01,500\nGood evening.\n';
const server = fakeStreaming({
  fill: async (media) => {
    await makeLongFilm(media, 'Films', 'Film (2020)');
    await writeFile(join(media, 'Films/Film (2020)/Film (2020).en.srt'), SRT);
  },
  count: 1,
});
const { ask, open, viewer } = server;

const start = async (name: string): Promise<string> => String((await done(ask('POST', `/tasks/${name}`, {})))['id']);
const read = (id: string) => done(ask('GET', `/tasks/${id}`));
const ended = (id: string) => until('its end', async () => (await read(id))['state'] === 'done');

test('a scan and previews are done while four long tasks wait for the end of a film', async () => {
  const kim = await viewer('Kim');
  const { session, urls } = await server.plan(server.film, '', kim.token);
  const stream = await open(urls.media);
  await until('the inventory', async () => (await done(ask('GET', '/subtitle-audit')))['pending'] === 1);
  const held: string[] = [];
  for (const name of ['marker-analysis', 'dialogue-index', 'audit', 'loudness']) held.push(await start(name));
  for (const id of held)
    await until('why it waits', async () => {
      const { detail, remarks } = await read(id);
      return (
        /waiting while something is played/.test(String(detail)) &&
        JSON.stringify(remarks).includes('waiting-for-playback')
      );
    });
  assert.equal((await done(ask('GET', '/marker-analysis')))['state'], 'waiting');
  await ended(await start('scan'));
  await ended(await start('preview-pictures'));
  for (const id of held) assert.match(String((await read(id))['state']), /^(queued|running)$/);
  await done(ask('DELETE', `/playback-sessions/${session}`, undefined, kim.token));
  assert.equal(await isCut(stream), true);
  for (const id of held) await ended(id);
});

test('long tasks that wait end with the server, and continue after its next start', async () => {
  const kim = await viewer('Kim again');
  const plan = () => server.plan(server.film, '', kim.token);
  const stream = await open((await plan()).urls.media);
  const id = await start('marker-analysis');
  await until('why it waits', async () => /waiting while/.test(String((await read(id))['detail'])));
  await server.restart();
  assert.equal(await isCut(stream), true);
  await ended(id);
});
