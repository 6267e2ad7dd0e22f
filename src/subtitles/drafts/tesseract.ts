/**
 * Tesseract: which of its languages are installed, and reading prepared pictures with it.
 *
 * Many pictures go into one run as the pages of one TIFF on its standard input, because a start costs more than a
 * picture. Nothing is written to the disk. A picture that ends the program is found and left unread. What is not
 * installed is a Failure of kind `conflict` whose sentence says what to install.
 */
import { Failure } from '../../lib/failure.ts';
import { alpha3, baseLanguage, languageName } from '../../lib/languages.ts';
import { ProcessFailure, type Processes } from '../../lib/process.ts';
import { type Page, tiffOf } from '../../cues/index.ts';
import { type RecognisedLine, parseTesseractTable } from './recognised-text.ts';

export interface Tesseract {
  /**
   * The names of the data to read a language with (`eng`). Fails as `conflict` when tesseract or the data is missing.
   */
  model(language: string, signal: AbortSignal): Promise<string>;
  /** The lines of each page, in that order; of one that cannot be read, none. */
  recognise(pages: readonly Page[], model: string, signal: AbortSignal): Promise<RecognisedLine[][]>;
}

/**
 * Where tesseract's name is not the three letters of ISO 639-2. Tried in this order; the first is the one to install.
 */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  zh: ['chi_sim', 'chi_tra'],
  'zh-tw': ['chi_tra', 'chi_sim'],
  'zh-hk': ['chi_tra', 'chi_sim'],
  'zh-mo': ['chi_tra', 'chi_sim'],
  'zh-hant': ['chi_tra', 'chi_sim'],
  yue: ['chi_tra', 'chi_sim'],
  nb: ['nor'],
  nn: ['nor'],
  tl: ['fil', 'tgl'],
  fil: ['fil', 'tgl'],
  ku: ['kmr', 'kur'],
  'sr-latn': ['srp_latn'],
  sh: ['hrv', 'srp_latn'],
  'az-cyrl': ['aze_cyrl'],
  'uz-cyrl': ['uzb_cyrl'],
  kmr: ['kmr'],
};

/** The data that a language may be read with, the best first. */
export function modelsOf(language: string): readonly string[] {
  const parts = language.split('-');
  for (let length = parts.length; length > 0; length--) {
    const found = NAMES[parts.slice(0, length).join('-')];
    if (found) return found;
  }
  return [alpha3(baseLanguage(language))];
}

const PACKAGE = 'tesseract-ocr';

export function createTesseract({
  processes,
  program,
}: {
  processes: Pick<Processes, 'run'>;
  program: () => string;
}): Tesseract {
  let installed: { program: string; names: Promise<ReadonlySet<string>> } | undefined;

  async function names(isFresh: boolean, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const name = program();
    if (isFresh || installed?.program !== name) installed = { program: name, names: listed(processes, name, signal) };
    const { names: asked } = installed;
    asked.catch(() => {
      installed = undefined;
    });
    return asked;
  }

  return {
    async model(language, signal) {
      const wanted = modelsOf(language);
      const find = (have: ReadonlySet<string>): string | undefined => wanted.find((name) => have.has(name));
      // Somebody may have installed it since: what is missing is asked for again.
      const model = find(await names(false, signal)) ?? find(await names(true, signal));
      if (model === undefined)
        throw new Failure(
          'conflict',
          `tesseract has no data for ${languageName(language)}: install the package ` +
            `${PACKAGE}-${(wanted[0] ?? '').replaceAll('_', '-')}`,
          { reason: 'tool-not-installed' },
        );
      return model;
    },

    async recognise(pages, model, signal) {
      const out: RecognisedLine[][] = pages.map(() => []);
      for (const isBlock of [false, true]) {
        const alike = [...pages.entries()].filter(([, page]) => page.isBlock === isBlock);
        if (alike.length === 0) continue;
        const run = { processes, program: program(), model };
        const read = await readSafely(
          { ...run, layout: isBlock ? 'block' : 'line' },
          alike.map(([, page]) => page),
          signal,
        );
        for (const [n, [at]] of alike.entries()) out[at] = read[n] ?? [];
        // A word of two or three bars (`Il...`) is no line to it; asked for less, it looks closer.
        const empty = isBlock ? [] : alike.filter((_, n) => read[n]?.length === 0);
        const again =
          empty.length === 0
            ? []
            : await readSafely(
                { ...run, layout: 'letter' },
                empty.map(([, page]) => page),
                signal,
              );
        for (const [n, [at]] of empty.entries())
          out[at] = (again[n] ?? []).filter((line) => line.every(({ confidence }) => confidence >= SURE));
      }
      return out;
    },
  };
}

interface Run {
  processes: Pick<Processes, 'run'>;
  program: string;
  model: string;
  layout: keyof typeof SEGMENTATION;
}

/** How tesseract numbers what a page is said to hold: one block of lines, one line, one letter. */
const SEGMENTATION = { block: '6', line: '7', letter: '10' } as const;
/** So sure (0 to 1) a second look must be, that what is no text does not become one. */
const SURE = 0.5;

/** When a run fails, one of its pages did it, and is undefined; when three in a row fail alone, it is not the pages. */
async function readSafely(
  run: Run,
  pages: readonly Page[],
  signal: AbortSignal,
): Promise<(RecognisedLine[] | undefined)[]> {
  try {
    return await read(run, pages, signal);
  } catch (error) {
    if (pages.length < 2 || !isOfInput(error)) throw error;
  }
  const out: (RecognisedLine[] | undefined)[] = [];
  let failed = 0;
  for (const page of pages) {
    try {
      out.push(...(await read(run, [page], signal)));
      failed = 0;
    } catch (error) {
      failed++;
      if (failed === 3 || !isOfInput(error)) throw error;
      out.push(undefined);
    }
  }
  return out;
}

const isOfInput = (error: unknown): boolean =>
  error instanceof ProcessFailure && ['exit', 'signal', 'timeout', 'quiet', 'output'].includes(error.fault);

async function listed(
  processes: Pick<Processes, 'run'>,
  program: string,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  try {
    const { stdout, stderr } = await processes.run(
      { program, args: ['--list-langs'], timeoutMs: 15_000, fileLimit: 0, threads: 1 },
      signal,
    );
    // Older ones say it on standard error.
    return new Set(
      `${stdout.toString('utf8')}\n${stderr}`
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => /^[A-Za-z_]{2,40}$/.test(line)),
    );
  } catch (error) {
    if (error instanceof ProcessFailure && error.fault === 'missing')
      throw new Failure(
        'conflict',
        `tesseract is not installed: install the package ${PACKAGE}`,
        { reason: 'tool-not-installed' },
        { cause: error },
      );
    throw error;
  }
}

/** The page's number in the table is that of the picture. */
async function read(
  { processes, program, model, layout }: Run,
  pages: readonly Page[],
  signal: AbortSignal,
): Promise<RecognisedLine[][]> {
  const args = [
    'stdin',
    'stdout',
    '-l',
    model,
    '--psm',
    SEGMENTATION[layout],
    '--dpi',
    '150',
    '-c',
    'tessedit_create_tsv=1',
  ];
  const { stdout } = await processes.run(
    {
      program,
      args,
      input: tiffOf(pages),
      threads: 1,
      timeoutMs: 30_000 + pages.length * 4_000,
      fileLimit: 0,
      outputLimit: 16 * 1024 * 1024,
      priority: 'background',
    },
    signal,
  );
  const lines = parseTesseractTable(stdout.toString('utf8'), pages.length);
  return layout === 'block' ? lines : lines.map((page) => (page.length > 1 ? [page.flat()] : page));
}
