/**
 * Lists the damage to a server's data after a crash and the next start.
 *
 * Every acknowledged write is there; what was on its way is there or not, whole; a subtitle is complete or absent; no
 * leftover of a writer lies about; the database holds together; and a scan finds everything once. What it finds is
 * then taken as settled, so that the next crash is judged by it.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isStray } from '../../src/lib/files.ts';
import { madeLines } from '../stand-ins/fixtures.ts';
import { ask, type Child } from './child.ts';
import { DURATION, type Entry, type Household, idle, listed, scan, shownNow } from './household.ts';

/** Files that the server keeps in its data folder; anything else is a leftover. */
const OWN_DATA =
  /^(matinee\.db(-wal|-shm|\.lock|\.lock-journal)?|before-upgrade|before-upgrade\/\d{8}T\d{9}Z-[a-z0-9-]+\.db|secret\.key|[a-z]+\.key|set-up\.txt|database-check\.json|verified|verified\/\d{8}T\d{9}Z\.db|tls|tls\/certificate\.pem|subtitles\/[0-9a-f]{2}\/[0-9a-f]{64})$/;

export async function damage(house: Household, child: Child): Promise<string[]> {
  const found: string[] = [];
  found.push(...(await acknowledgedLost(house, child)));
  if (house.ledger.token !== undefined) {
    await idle(house, child);
    await scan(house, child);
    found.push(
      ...(await scannedWrong(house, child)),
      ...textsWrong(house),
      ...(await followed(() => subtitlesWrong(house, child))),
    );
    // The cache of pictures is swept when the first of them is made.
    for (const { id } of (await listed(house, child, 'movies')).slice(0, 1))
      await house.ask(child, 'GET', `/api/v1/art/${id}?kind=thumb&width=160`);
  }
  found.push(...filesWrong(house));
  return found.length === 0 ? [] : [...found, ...complaintsOf(child)];
}

/** The part of `damage` that needs no server. */
export const filesWrong = (house: Household): string[] => [
  ...leftovers(house),
  ...databaseWrong(join(house.data, 'matinee.db')),
  ...preservedWrong(house),
];

/** Errors in the server's log, which explain the damage that was found. */
const complaintsOf = (child: Child): string[] => {
  const lines = child
    .output()
    .split('\n')
    .filter((line) => /"level":"(?:error|warn|fatal)"/.test(line));
  return lines.slice(-20).map((line) => `the server said ${line}`);
};

/** Every preserved subtitle is unchanged, and there are no others. */
export function preservedWrong({ data }: Pick<Household, 'data'>): string[] {
  const referenced = new Set<string>();
  const add = (json: unknown): void => {
    if (typeof json !== 'object' || json === null) return;
    for (const [key, value] of Object.entries(json)) {
      if ((key === 'content' || key === 'delivered') && typeof value === 'string') referenced.add(value);
      add(value);
    }
  };
  const db = new DatabaseSync(join(data, 'matinee.db'), { readOnly: true });
  try {
    for (const { preserved, delivered, content } of db
      .prepare('select preserved, delivered, content from subtitle_installed')
      .all()) {
      const kept = JSON.parse(String(preserved)) as { self?: unknown };
      // The replaced bytes are preserved as well, so that they can be restored.
      add([kept, { delivered, ...(kept.self !== undefined && kept.self !== null && { content }) }]);
    }
    for (const { before } of db.prepare('select "before" from subtitle_history where "before" is not null').all())
      referenced.add(String(before));
  } finally {
    db.close();
  }
  const folder = join(data, 'subtitles');
  const there = existsSync(folder) ? walk(folder).filter((path) => !isStray(basename(path))) : [];
  const good = new Set(
    there
      .filter(
        (path) =>
          createHash('sha256')
            .update(readFileSync(join(folder, path)))
            .digest('hex') === basename(path),
      )
      .map((path) => basename(path)),
  );
  return [
    ...[...referenced].filter((content) => !good.has(content)).map((content) => `preserved bytes ${content} are lost`),
    ...there.filter((path) => !good.has(basename(path))).map((path) => `preserved bytes ${path} are damaged`),
    ...[...good].filter((content) => !referenced.has(content)).map((content) => `bytes ${content} are kept for nobody`),
  ];
}

/**
 * The inventory follows the catalogue once it is quiet; a slow machine is given the time, which costs a sound one
 * nothing.
 */
async function followed(look: () => Promise<string[]>): Promise<string[]> {
  let found = await look();
  for (let i = 0; i < 1_200 && found.length > 0; i++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    found = await look();
  }
  return found;
}

/** Whether what is there is what was acknowledged, or what was on its way; and settles on it. */
function settled<T>(what: string, entry: Entry<T>, is: T | undefined): string[] {
  const good = [entry.acknowledged, ...entry.underway];
  if (!good.includes(is))
    return [
      `${what}: is ${String(is)}, acknowledged was ` +
        `${String(entry.acknowledged)}${entry.underway.length > 0 ? `, on its way ${entry.underway.join()}` : ''}`,
    ];
  entry.acknowledged = is;
  entry.underway = [];
  return [];
}

async function acknowledgedLost(house: Household, child: Child): Promise<string[]> {
  const { ledger } = house;
  const found: string[] = [];
  const setup = await ask<{ required: boolean }>(child, 'GET', '/api/v1/setup');
  if (ledger.token === undefined) {
    // Killed before the answer: it is made or not, and without its token no request is possible.
    return setup.status === 200 ? [] : ['set-up does not answer'];
  }
  if (setup.body.required) return ['the Owner is gone'];
  const me = await ask<{ profile: { id: string } }>(child, 'GET', '/api/v1/me', { token: ledger.token });
  if (me.status !== 200 || me.body.profile.id !== ledger.profile) found.push(`the session is gone: ${me.status}`);
  if (ledger.key) {
    const keys = await ask<{ items: { id: string }[] }>(child, 'GET', '/api/v1/api-keys', { token: ledger.token });
    if (keys.status !== 200 || !keys.body.items.some(({ id }) => id === ledger.key?.id))
      found.push(`the API key is gone: ${keys.status}`);
    const asked = await ask(child, 'GET', '/api/v1/me', { token: ledger.key.secret });
    if (asked.status !== 200) found.push(`the API key is refused: ${asked.status}`);
  }
  const { body } = await house.ask<{ settings: { key: string; value?: string; source: string }[] }>(
    child,
    'GET',
    '/api/v1/configuration',
  );
  for (const [key, entry] of ledger.configuration) {
    const row = body.settings.find((one) => one.key === key);
    found.push(...settled(`setting ${key}`, entry, row?.source === 'owner' ? row.value : undefined));
  }
  for (const [item, entry] of ledger.progress) {
    const { status, body: is } = await house.ask<{ userData?: { position: number } }>(
      child,
      'GET',
      `/api/v1/items/${item}`,
    );
    const position = is.userData?.position;
    found.push(
      ...(status === 200
        ? settled(
            `progress of ${item}`,
            entry,
            position === 0 && entry.acknowledged === undefined ? undefined : position,
          )
        : [`item ${item} answers ${status}`]),
    );
  }
  return found;
}

async function scannedWrong(house: Household, child: Child): Promise<string[]> {
  const movies = (await listed(house, child, 'movies')).map(({ title }) => title).sort();
  const found =
    movies.join('|') === [...house.films].sort().join('|')
      ? []
      : [`${movies.length} films listed, ${new Set(movies).size} of them different, ${house.films.length} there`];
  const shows = await listed(house, child, 'shows');
  if (shows.length !== (house.episodes > 0 ? 1 : 0)) found.push(`${shows.length} shows listed`);
  for (const { id } of shows) {
    const { body } = await house.ask<{ seasons: { episodes: { episode?: number }[] }[] }>(
      child,
      'GET',
      `/api/v1/shows/${id}`,
    );
    const numbers = body.seasons.flatMap(({ episodes }) => episodes.map(({ episode }) => episode));
    if (numbers.join() !== Array.from({ length: house.episodes }, (_, n) => n + 1).join())
      found.push(`episodes ${numbers.join()} of ${house.episodes}`);
  }
  const unplaced = await house.ask<{ total: number }>(child, 'GET', '/api/v1/library/unplaced');
  if (unplaced.body.total !== 0) found.push(`${unplaced.body.total} files without a place`);
  return found;
}

interface Inventory {
  items: {
    id: string;
    file: string;
    languages: { language: string; installed?: { source: string; managed: boolean } }[];
  }[];
  pages: number;
}

async function subtitlesWrong(house: Household, child: Child): Promise<string[]> {
  const found: string[] = [];
  const installed = new Map<string, { source: string; managed: boolean }>();
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { status, body } = await house.ask<Inventory>(
      child,
      'GET',
      `/api/v1/subtitle-library?limit=200&page=${page}`,
    );
    if (status !== 200) return [`the inventory answers ${status}`];
    pages = body.pages;
    for (const { id, languages } of body.items)
      for (const { language, installed: is } of languages) if (language === 'en' && is) installed.set(id, is);
  }
  const there = textsIn(house);
  for (const [item, entry] of house.ledger.fetched) {
    const file = entry.acknowledged;
    const is = installed.get(item);
    // Another role is another name.
    const names = file === undefined ? [] : [basename(file), basename(file).replace('.en.srt', '.en.sdh.srt')];
    if (file !== undefined && !there.some((path) => names.includes(basename(path))))
      found.push(`the fetched subtitle of ${item} is gone`);
    if (file !== undefined && is?.managed !== true)
      found.push(`the state of the fetched subtitle of ${item} is lost: ${JSON.stringify(is)}`);
    entry.underway = [];
  }
  for (const [item, entry] of house.ledger.shown)
    found.push(...settled(`the subtitle of ${item}`, entry, (await shownNow(house, child, item))?.value));
  if (installed.size !== there.length)
    found.push(`${there.length} subtitles there, ${installed.size} in the inventory`);
  return found;
}

const textsIn = ({ media }: Household): string[] => walk(media).filter((path) => path.endsWith('.srt'));

function textsWrong(house: Household): string[] {
  return textsIn(house).flatMap((path) => {
    const wrong = textWrong(readFileSync(join(house.media, path), 'utf8'));
    return wrong === undefined ? [] : [`${path}: ${wrong}`];
  });
}

/** Compared as text: how a subtitle is written is the server's affair, that all of it is there is ours. */
function textWrong(text: string): string | undefined {
  const spoken = (of: string) => of.replaceAll(/\s+/g, ' ').trim();
  const blocks = text
    .replaceAll('\r\n', '\n')
    .replace('\ufeff', '')
    .trim()
    .split(/\n{2,}/);
  const said = blocks.map((block) => spoken(block.split('\n').slice(2).join(' ')));
  const expected = madeLines({ language: 'en', hearingImpaired: false, forced: false }, DURATION).map((line) =>
    spoken(line.text),
  );
  const isTimed = blocks.every((block) => /^\d+\n\d\d:\d\d:\d\d,\d{3} --> \d\d:\d\d:\d\d,\d{3}\n/.test(block));
  if (!isTimed) return 'not a whole SubRip file';
  return said.join('|') === expected.join('|') ? undefined : `${said.length} lines of ${expected.length}`;
}

/** Every file below a folder, by its path from there. */
export function walk(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

export function leftovers(house: Household): string[] {
  const found = [house.media, house.data, house.cache].flatMap((folder) =>
    walk(folder)
      .filter((path) => isStray(basename(path)) || path.endsWith('.part'))
      .map((path) => `leftover ${basename(folder)}/${path}`),
  );
  found.push(
    ...walk(house.data)
      .filter((path) => !OWN_DATA.test(path) && !isStray(basename(path)))
      .map((path) => `leftover data/${path}`),
  );
  found.push(
    ...walk(house.media)
      .filter((path) => !/\.(mp4|srt)$/.test(path) && !isStray(basename(path)))
      .map((path) => `leftover media/${path}`),
  );
  return found;
}

export function databaseWrong(file: string): string[] {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const said = db
      .prepare('pragma integrity_check')
      .all()
      .map((row) => String(row['integrity_check']));
    return said.join() === 'ok' ? [] : [`the database: ${said.join('; ')}`];
  } finally {
    db.close();
  }
}
