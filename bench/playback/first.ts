/**
 * From asking for a plan to the last byte of the first copied segment, as a player does it: plan, master playlist,
 * media playlist and segment, one after the other on a kept connection.
 *
 * Each film is asked for the first time. After a start the process that reads indexes does not run yet, and the
 * server has not run this code before: with and without a request for the item first, as its page makes.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync } from 'node:fs';
import { Agent } from 'node:http';
import { median, report } from '../report.ts';
import { film } from './films.ts';
import { BROWSER, type House, openHouse, pause } from './house.ts';
import { fetched } from './player.ts';

const COPIES = 5;
const AIM_MS = 60;
/** Time on the page of a film before pressing play. */
const READING_MS = 1_000;

/** Index and identity belong to the bytes, so every film is a separate file. */
export function copies(path: string): string[] {
  return Array.from({ length: COPIES }, (_, n) => {
    const copy = path.replace(/\.mkv$/, `-copy${n}.mkv`);
    if (!existsSync(copy)) copyFileSync(path, copy);
    return copy;
  });
}

export async function benchFirst(): Promise<void> {
  const paths = copies(film('mkv'));
  const house = await openHouse(Object.fromEntries(paths.map((path, n) => [`Film ${n}`, path])));
  try {
    const names = [...house.films.keys()];
    const [reading = '', ...others] = names;
    await firstOf(house, reading);
    const warm = [];
    for (const name of others) warm.push(await firstOf(house, name));
    const alone = median(paths.map(copiedByFfmpeg));
    tell(
      'plan to the first copied segment',
      warm,
      `ffmpeg -c copy of the same 4 s ${alone.toFixed(0)} ms, ` +
        `${(median(warm.map(({ all }) => all)) / alone).toFixed(2)} ×`,
    );

    const cold = [];
    const looked = [];
    for (const name of names) {
      await house.restart();
      cold.push(await firstOf(house, name));
      await house.restart();
      await fetched(new Agent(), new URL(`/api/v1/items/${house.films.get(name)}`, house.server.url), {
        authorization: `Bearer ${house.token}`,
      });
      await pause(READING_MS);
      looked.push(await firstOf(house, name));
    }
    tell('plan to the first copied segment, right after a start, the item was looked at', looked);
    tell('plan to the first copied segment, right after a start, first request of all', cold);
  } finally {
    await house.close();
  }
}

interface Times {
  plan: number;
  playlists: number;
  segment: number;
  all: number;
}
function tell(what: string, times: readonly Times[], note?: string): void {
  const of = (part: keyof Times): string => median(times.map((one) => one[part])).toFixed(0);
  const all = median(times.map((one) => one.all));
  report({
    what,
    figure: `${all.toFixed(0)} ms`,
    aim: `${AIM_MS} ms`,
    met: all <= AIM_MS,
    note: [
      `plan ${of('plan')}, playlists ${of('playlists')}, segment ${of('segment')} ms; from ` +
        `${Math.min(...times.map((one) => one.all)).toFixed(0)} to ` +
        `${Math.max(...times.map((one) => one.all)).toFixed(0)} ms`,
      note,
    ]
      .filter(Boolean)
      .join('; '),
  });
}

async function firstOf({ server, token, films }: House, name: string): Promise<Times> {
  const agent = new Agent({ keepAlive: true });
  const get = async (path: string, headers = {}): Promise<Buffer> => {
    const { status, bytes } = await fetched(agent, new URL(path, server.url), headers);
    assert.equal(status, 200);
    return bytes;
  };
  const began = performance.now();
  const plan = JSON.parse(
    String(await get(`/api/v1/items/${films.get(name)}/playback?${BROWSER}`, { authorization: `Bearer ${token}` })),
  ) as { mode: string; urls: { hls: string } };
  assert.equal(plan.mode, 'remux');
  const planned = performance.now();
  const [folder = ''] = plan.urls.hls.split('master.m3u8');
  const master = String(await get(plan.urls.hls));
  const playlist = String(await get(folder + (/^v\d+\.m3u8.*$/m.exec(master)?.[0] ?? '')));
  const listed = performance.now();
  await get(folder + (/^v\d+-0\.m4s.*$/m.exec(playlist)?.[0] ?? ''));
  const done = performance.now();
  agent.destroy();
  return { plan: planned - began, playlists: listed - planned, segment: done - listed, all: done - began };
}

function copiedByFfmpeg(path: string): number {
  const began = performance.now();
  execFileSync(
    'ffmpeg',
    [
      '-nostdin',
      '-v',
      'quiet',
      '-i',
      path,
      '-t',
      '4',
      '-c',
      'copy',
      '-f',
      'mp4',
      '-movflags',
      'frag_keyframe+empty_moov+default_base_moof',
      'pipe:1',
    ],
    { maxBuffer: 2 ** 28 },
  );
  return performance.now() - began;
}
