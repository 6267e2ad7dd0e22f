/**
 * Visits a server that has just been started on the demo library: `node tools/container/visit.ts URL`. Creates the
 * Owner, waits for the scan, plays a film to ffprobe, and fetches a subtitle that is written next to the film.
 */
import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

const FILM = 'Tide Tables';
const WAIT_LIMIT_MS = 180_000;
/** Titles of the demo's films, at least. */
const MIN_TITLES = 8;
/** A player that does not read Matroska, so that the film is repacked while it plays. */
const PLAYER = 'containers=mp4&videoCodecs=h264&audioCodecs=aac';

const [url = ''] = process.argv.slice(2);

async function ask<T>(
  method: string,
  path: string,
  { token, body }: { token?: string; body?: object } = {},
): Promise<T> {
  const reply = await fetch(url + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as T;
}

/** Returns what `look` finds, as soon as it finds it. */
async function waitFor<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const since = Date.now(); Date.now() - since < WAIT_LIMIT_MS; await delay(500)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`there is no ${what}`);
}

interface Listed {
  id: string;
  title: string;
}

const { token } = await ask<{ token: string }>('POST', '/api/v1/setup', {
  body: { name: 'Owner', password: 'four warm brown bread rolls' },
});
const films = await waitFor('scanned library', async () => {
  const { items } = await ask<{ items: Listed[] }>('GET', '/api/v1/library?view=movies&limit=50', { token });
  return items.length >= MIN_TITLES && items.some(({ title }) => title === FILM) ? items : undefined;
});
console.log(`${films.length} films are scanned.`);
const id = films.find(({ title }) => title === FILM)?.id ?? '';
// The server reads the tracks of a film after the scan.
await waitFor('track in the film', async () => {
  const { subtitles } = await ask<{ subtitles: unknown[] }>('GET', `/api/v1/items/${id}`, { token });
  return subtitles.length > 0 ? true : undefined;
});

const plan = await ask<{ mode: string; urls: { media?: string; hls?: string } }>(
  'GET',
  `/api/v1/items/${id}/playback?${PLAYER}`,
  { token },
);
const address = url + (plan.urls.hls ?? plan.urls.media ?? '');
const probed = execFileSync(
  'ffprobe',
  ['-v', 'error', '-count_frames', '-show_entries', 'stream=codec_name,nb_read_frames', '-of', 'csv=p=0', address],
  { encoding: 'utf8' },
);
const streams = new Map(probed.split('\n').map((line) => line.split(',') as [string, string]));
if (Number(streams.get('h264')) < 500 || !streams.has('aac')) throw new Error(`the film does not play: ${probed}`);
console.log(`A film plays (${plan.mode}): ${streams.get('h264')} pictures were decoded.`);

const fetched = await ask<{ source: string; file: string }>('POST', `/api/v1/subtitle-library/${id}/fetch`, {
  token,
  body: { language: 'en' },
});
console.log(`A subtitle is fetched (${fetched.source}): ${fetched.file}`);
