/**
 * The timing audit of a small library: a subtitle that fits, a late one, one in another language, and one inside a
 * video that is early. The misfits are reviewed, fixed and put back.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { passes } from '../until.ts';
import { violations } from './axe.ts';
import { closeAll, type Home, openView, settled } from './browser.ts';
import { inTheme, openSettledHome, signIn } from './places.ts';
import { encodeSpeech, type Line, makeSpeech, srtOf } from './spoken-film.ts';

const run = promisify(execFile);
/** Long enough for the evidence. */
const MINUTES = 5;
const LATE_SECONDS = 2.5;
const EARLY_SECONDS = 3;
const GERMAN = [
  'Wir warten hier schon seit heute Morgen.',
  'Niemand hat mir gesagt, dass die Fähre Verspätung hat.',
  'Ich dachte, du kennst den Weg zum Hafen.',
  'Meine Schwester hat mir von diesem Haus geschrieben.',
];

let home: Home;
let lines: Line[];
const pathOf = (title: string, ending: string): string => join(home.media, stemOf(title) + ending);
const stemOf = (title: string): string => `Films/${title}/${title}`;

before(async () => {
  ({ home } = await openSettledHome({ prepare: ({ media }) => makeTales(media) }));
});
after(closeAll);

/** Makes four films with the same speech, each with other bytes. */
async function makeTales(media: string): Promise<void> {
  const speech = makeSpeech(MINUTES);
  lines = speech.lines;
  const first = join(media, 'speech.mkv');
  await encodeSpeech(first, speech.samples);
  const inside = join(media, 'inside.srt');
  await writeFile(inside, srtOf(lines, -EARLY_SECONDS));
  for (const title of ['Fitting Tale (2011)', 'Foreign Tale (2012)', 'Inner Tale (2013)', 'Late Tale (2014)']) {
    const file = `${join(media, stemOf(title))}.mkv`;
    await mkdir(dirname(file), { recursive: true });
    const text = title.startsWith('Inner') ? ['-i', inside, '-map', '0', '-map', '1', '-c:s', 'srt'] : [];
    const named = ['-metadata', `title=${title}`, ...(text.length > 0 ? ['-metadata:s:s:0', 'language=eng'] : [])];
    await run('ffmpeg', [
      '-nostdin',
      '-v',
      'error',
      '-y',
      '-i',
      first,
      ...text,
      '-c:v',
      'copy',
      '-c:a',
      'copy',
      ...named,
      file,
    ]);
  }
  await writeFile(join(media, `${stemOf('Fitting Tale (2011)')}.en.srt`), srtOf(lines));
  const german = lines.map((line, n) => ({ ...line, text: GERMAN[n % GERMAN.length] ?? '' }));
  await writeFile(join(media, `${stemOf('Foreign Tale (2012)')}.en.srt`), srtOf(german));
  await writeFile(join(media, `${stemOf('Late Tale (2014)')}.en.srt`), srtOf(lines, LATE_SECONDS));
  await Promise.all([rm(first), rm(inside)]);
}

test('the audit of a small library: misfits are found, previewed, fixed and put back', async (t) => {
  const view = await openView(home);
  t.after(() => view.close());
  await signIn(view, home);
  const { page } = view;
  const region = (name: string | RegExp) => page.getByRole('region', { name });
  const late = pathOf('Late Tale (2014)', '.en.srt');
  const inner = pathOf('Inner Tale (2013)', '.en.srt');
  const original = readFileSync(late);

  await page.goto('/subtitles/timing');
  await settled(page);
  await page.getByRole('heading', { name: 'No subtitle has been checked yet' }).waitFor();
  await page.getByRole('button', { name: 'Check now' }).click();
  const fixes = region('Fixes');
  await region('Checking the timing').getByRole('button', { name: 'Cancel' }).waitFor();
  await fixes
    .getByText('2.5 s late')
    .or(fixes.getByText(/2\.[45]\d s late/))
    .waitFor();
  await region('Check timing').waitFor();
  await fixes.getByText(/(?:3\.0\d|2\.9\d) s early/).waitFor();
  const others = region('Subtitles that moving cannot fix');
  await others.getByText('The name says English, and the text is in German.').waitFor();
  assert.match(
    (await others.getByRole('link', { name: /^Choose another: Foreign Tale/ }).getAttribute('href')) ?? '',
    /choose=en/,
  );
  assert.equal(await page.getByText('Fitting Tale').count(), 0);

  // The films were judged in any order; now the first preview is open. It shows what moves and the first lines at
  // both times, and writes nothing.
  await page.reload();
  await settled(page);
  const opener = (name: RegExp) => fixes.getByRole('button', { name, expanded: true });
  await opener(/^Inner Tale/).waitFor();
  await fixes.getByText(/^All \d+ lines move (?:3\.0\d|2\.9\d) s later\.$/).waitFor();
  const rows = fixes.getByRole('table', { name: 'Lines now and after the fix' }).getByRole('row');
  assert.match(await rows.nth(1).innerText(), new RegExp(lines[0]?.text.slice(0, 20) ?? ''));
  await fixes.getByText('The video stays as it is.').waitFor();

  await fits(page);

  // All at once leaves out the file of the user.
  await fixes.getByText('Apply all leaves out 1 file of yours.').waitFor();
  await fixes.getByRole('button', { name: 'Apply 1 fix' }).click();
  await region('Fixed').getByRole('button', { name: 'Undo: Inner Tale (2013), English' }).waitFor();
  assert.ok(existsSync(inner));
  assert.deepEqual(readFileSync(late), original, 'a file of the user needs a decision about this file');

  // That decision, by keyboard.
  const late1 = fixes.getByRole('button', { name: /^Late Tale/ });
  if ((await late1.getAttribute('aria-expanded')) === 'false') await late1.press('Enter');
  await fixes.getByText(/^All \d+ lines move 2\.[45]\d s earlier\.$/).waitFor();
  await fixes.getByRole('button', { name: 'Apply: Late Tale (2014), English' }).press('Enter');
  await region('Fixed').getByRole('button', { name: 'Undo: Late Tale (2014), English' }).waitFor();
  const start = /--> /.exec(readFileSync(late, 'utf8'));
  assert.ok(start && !readFileSync(late).equals(original));

  await region('Fixed').getByRole('button', { name: 'Undo all 2' }).click();
  await passes(() => assert.deepEqual(readFileSync(late), original, 'byte for byte'));
  await passes(() => assert.ok(!existsSync(inner), 'the text inside the video is used again'));
  await region('Fixed').waitFor({ state: 'detached' });

  // The overview and the card of the item say it, as soon as it was judged again.
  await page.goto('/subtitles');
  await region(/subtitles do not fit their videos/)
    .getByText(/s late$/)
    .waitFor();
  await region(/subtitles do not fit their videos/)
    .getByRole('link', { name: 'Late Tale (2014)' })
    .click();
  await settled(page);
  await page.getByText(/2\.[45]\d s late/).waitFor();
  await page.getByRole('link', { name: 'Review fixes' }).click();
  await region('Fixes').waitFor();
});

/** On a phone and a desk, in the dark and the light: axe finds nothing, and nothing sticks out. */
async function fits(page: Page): Promise<void> {
  for (const [width, theme] of [
    [360, 'light'],
    [1280, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await inTheme(page, theme);
    assert.deepEqual(await violations(page), [], `${width} px`);
    const out = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    assert.equal(out, 0, `${width} px`);
  }
}
