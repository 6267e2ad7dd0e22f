/**
 * Runs tesseract: lists its installed languages and reads prepared pictures.
 *
 * A run reads many pictures, as the pages of one TIFF on its standard input, because starting the program takes longer
 * than reading a picture. Nothing is written to disk. A picture that crashes the program is identified and left unread.
 * If something is not installed, the methods throw `Failure('conflict')` with the package to install.
 */
import { Failure } from '../../lib/failure.ts';
import { alpha3, baseLanguage, languageName } from '../../lib/languages.ts';
import { ProcessFailure, type Processes } from '../../lib/process.ts';
import { type Page, tiffOf } from '../../cues/index.ts';
import { type RecognisedLine, parseTesseractTable } from './recognised-text.ts';

export interface Tesseract {
  /**
   * Returns the name of the installed data for a language (`eng`). Throws `Failure('conflict')` if tesseract or the
   * data is missing.
   */
  model(language: string, signal: AbortSignal): Promise<string>;
  /** Returns the lines of each page in order; none for a page that cannot be read. */
  recognise(pages: readonly Page[], model: string, signal: AbortSignal): Promise<RecognisedLine[][]>;
}

/**
 * Names of tesseract's data that are not the ISO 639-2 code, in order of preference. The first is the one to install.
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

/** Returns the names of the data that can read a language, the best first. */
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
  let installed: { program: string; installedNames: Promise<ReadonlySet<string>> } | undefined;

  async function installedNames(isFresh: boolean, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const name = program();
    if (isFresh || installed?.program !== name)
      installed = { program: name, installedNames: listLanguages(processes, name, signal) };
    const { installedNames: asked } = installed;
    asked.catch(() => {
      installed = undefined;
    });
    return asked;
  }

  return {
    async model(language, signal) {
      const wanted = modelsOf(language);
      const find = (have: ReadonlySet<string>): string | undefined => wanted.find((name) => have.has(name));
      // The data may have been installed in the meantime, so missing data is looked for again.
      const model = find(await installedNames(false, signal)) ?? find(await installedNames(true, signal));
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
        // Tesseract does not see a line in a word of two or three bars (`Il...`), so such pictures are read again as
        // single letters.
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
          out[at] = (again[n] ?? []).filter((line) =>
            line.every(({ confidence }) => confidence >= MIN_SECOND_CONFIDENCE),
          );
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

/** Tesseract's numbers for the expected layout of a page: a block of lines, one line, or one letter. */
const SEGMENTATION = { block: '6', line: '7', letter: '10' } as const;
/** Minimum confidence (0 to 1) of the second reading, so that no text is invented. */
const MIN_SECOND_CONFIDENCE = 0.5;

/**
 * Reads pages. If a run fails, reads each page alone, and leaves out the one that fails. Throws after three failures in
 * a row, because the pages are then not the cause.
 */
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

async function listLanguages(
  processes: Pick<Processes, 'run'>,
  program: string,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  try {
    const { stdout, stderr } = await processes.run(
      { program, args: ['--list-langs'], timeoutMs: 15_000, fileLimit: 0, threads: 1 },
      signal,
    );
    // Older versions print the list to standard error.
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

/** Runs tesseract once. The page number in its table is the index of the picture. */
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
