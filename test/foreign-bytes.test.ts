/**
 * Readers of foreign bytes: where each one runs, and the test that feeds it damaged and hostile input.
 *
 * A library that parses archives, documents, pictures or tags runs in a helper process only, which is ended when it
 * crashes, loops or grows. This is checked on the modules that the server loads. Readers of ours that the main process
 * uses are bounded in size and linear.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));
const PROBE = 'catalog/probe/helper.ts';
const BOOKS = 'lib/books/helper.ts';
const PHOTOS = 'catalog/core/photo-pictures/helper.ts';
const SAML = 'identity/outside/saml/verify-helper.ts';

interface Reader {
  /** Input that it reads. */
  of: string;
  module: string;
  /** Libraries that it uses, and that nothing in the main process may load. */
  libraries?: readonly string[];
  /** Helper processes that load it. None: it runs in the main process, and `bound` says what it is given at most. */
  helpers: readonly string[];
  bound?: string;
  /** File and name of the test with damaged and hostile input. */
  fuzz: readonly [file: string, name: string];
}
const READERS: readonly Reader[] = [
  {
    of: 'tags of sound',
    module: 'catalog/probe/audio/read.ts',
    libraries: ['music-metadata'],
    helpers: [PROBE],
    fuzz: ['catalog/probe/audio/audio.test.ts', 'hostile bytes end in a result, within the limits'],
  },
  {
    of: 'tags of FLAC, by the quick reader',
    module: 'catalog/probe/audio/flac.ts',
    helpers: [PROBE],
    fuzz: ['catalog/probe/audio/flac.test.ts', 'of a damaged file it returns what the library returns, or nothing'],
  },
  {
    of: 'tags of MP3, by the quick reader',
    module: 'catalog/probe/audio/mp3.ts',
    helpers: [PROBE],
    fuzz: ['catalog/probe/audio/mp3.test.ts', 'of a damaged tag it returns what the library returns, or nothing'],
  },
  {
    of: 'tags of MP4, by the quick reader',
    module: 'catalog/probe/audio/mp4.ts',
    helpers: [PROBE],
    fuzz: ['catalog/probe/audio/mp4.test.ts', 'of a damaged file it returns what the library returns, or nothing'],
  },
  {
    of: 'comments of Opus and Vorbis, by the quick reader',
    module: 'catalog/probe/audio/ogg.ts',
    helpers: [PROBE],
    fuzz: ['catalog/probe/audio/ogg.test.ts', 'of a damaged file it returns what the library returns, or nothing'],
  },
  {
    of: 'headers of MP4',
    module: 'catalog/probe/mp4/file.ts',
    helpers: [PROBE],
    fuzz: ['catalog/probe/fuzz.test.ts', 'a file with random changes is read or left to ffprobe'],
  },
  {
    of: 'headers of Matroska',
    module: 'catalog/probe/matroska/file.ts',
    helpers: [PROBE],
    fuzz: ['catalog/probe/fuzz.test.ts', 'a file with random changes is read or left to ffprobe'],
  },
  {
    of: 'headers and EXIF of pictures',
    module: 'catalog/probe/photo/read.ts',
    helpers: [PROBE, PHOTOS],
    fuzz: ['catalog/probe/photo/read.test.ts', 'a file cut or changed anywhere is read within limits'],
  },
  {
    of: 'HEIC',
    module: 'catalog/core/photo-pictures/heic.ts',
    libraries: ['libheif-js'],
    helpers: [PHOTOS],
    fuzz: [
      'catalog/core/photo-pictures/pictures.test.ts',
      'a HEIC file cut or changed anywhere is refused or shown, and the next one is shown',
    ],
  },
  {
    of: 'previews of raw photos',
    module: 'catalog/core/photo-pictures/shrink.ts',
    helpers: [PHOTOS],
    fuzz: [
      'catalog/core/photo-pictures/pictures.test.ts',
      'a raw file cut or changed anywhere is refused or shown, and the next one is shown',
    ],
  },
  {
    of: 'EPUB and comics in zip archives',
    module: 'lib/books/read.ts',
    helpers: [BOOKS],
    fuzz: ['lib/books/books.test.ts', 'damaged books are refused, whatever byte is damaged'],
  },
  {
    of: 'comics in RAR and 7z archives',
    module: 'lib/books/packed.ts',
    libraries: ['libarchive-wasm'],
    helpers: [PROBE, BOOKS],
    fuzz: ['lib/books/packed.test.ts', 'damaged archives are refused, whatever is cut or changed'],
  },
  {
    of: 'PDF',
    module: 'lib/books/pdf.ts',
    libraries: ['mupdf'],
    helpers: [PROBE, BOOKS],
    fuzz: ['lib/books/pdf.test.ts', 'damaged PDFs fail their own question only, whatever byte is damaged'],
  },
  {
    of: 'answers of SAML',
    module: 'identity/outside/saml/verify.ts',
    helpers: [SAML],
    fuzz: ['identity/outside/saml/rogue-documents.test.ts', 'of the rogue documents none opens a session'],
  },
  {
    of: 'NFO files',
    module: 'catalog/naming/nfo.ts',
    helpers: [],
    bound: 'MAX_INLINE_TEXT_BYTES in catalog/probe/texts.ts; longer ones are read in the helper',
    fuzz: ['catalog/naming/nfo.test.ts', 'any bytes have a result'],
  },
  {
    of: 'lyrics',
    module: 'catalog/naming/lyrics.ts',
    helpers: [],
    bound: 'MAX_INLINE_TEXT_BYTES in catalog/probe/texts.ts; longer ones are read in the helper',
    fuzz: ['catalog/naming/lyrics.test.ts', 'any text has lines within the limits, in the order of their times'],
  },
  {
    of: 'cue sheets',
    module: 'catalog/naming/cue-sheet.ts',
    helpers: [],
    bound: 'MAX_CUE_BYTES in catalog/naming/cue-sheet.ts',
    fuzz: ['catalog/naming/cue-sheet.test.ts', 'hostile text ends in a sheet within the limits'],
  },
  {
    of: 'package files next to audiobooks',
    module: 'lib/books/epub.ts',
    helpers: [],
    bound: 'MAX_LOOSE_PACKAGE in lib/books/epub.ts',
    fuzz: ['lib/books/loose-package.test.ts', 'random edits of it are read or refused'],
  },
  {
    of: 'XMP next to photos',
    module: 'catalog/probe/photo/xmp.ts',
    helpers: [],
    bound: 'MAX_SIDECAR in catalog/kinds/photo/draft.ts',
    fuzz: ['catalog/probe/photo/read.test.ts', 'an XMP packet of any text has facts within their bounds'],
  },
];

/** Imports that Node performs: not those of types. The first group is static, the second one dynamic. */
const IMPORT = /(?:^|\n)(?:import|export)\s+(?!type\b)(?:[^'";]*?from\s+)?'([^']+)'|import\('([^']+)'\)/g;

/** Returns the modules and packages that a module loads, at once or later. */
function loadedFrom(entry: string): ReadonlySet<string> {
  const loaded = new Set<string>();
  const load = (path: string): void => {
    const name = relative(SRC, path);
    if (loaded.has(name) || !existsSync(path)) return;
    loaded.add(name);
    for (const [, own, late] of readFileSync(path, 'utf8').matchAll(IMPORT)) {
      const from = own ?? late ?? '';
      if (from.startsWith('.')) load(join(dirname(path), from));
      else loaded.add(from.split('/')[0] ?? '');
    }
  };
  load(join(SRC, entry));
  return loaded;
}

test('libraries that parse foreign bytes, and readers of helpers, are not loaded by the main process', () => {
  const main = loadedFrom('main.ts');
  assert.ok(main.has('catalog/index.ts') && main.has('fastify'), 'the main process is what is looked at');
  for (const { of, module, libraries = [], helpers } of READERS) {
    for (const library of libraries) assert.ok(!main.has(library), `${of}: ${library}`);
    assert.equal(main.has(module), helpers.length === 0, `${of}: ${module}`);
    for (const helper of helpers) {
      const loaded = loadedFrom(helper);
      assert.ok(loaded.has(module), `${helper} loads ${module}`);
      for (const library of libraries) assert.ok(loaded.has(library), `${helper} loads ${library}`);
    }
  }
});

test('each reader has a bound that exists and a test with damaged input', () => {
  for (const { of, bound, helpers, fuzz } of READERS) {
    const [file, name] = fuzz;
    assert.ok(readFileSync(join(SRC, file), 'utf8').includes(name), `${of}: ${file} has "${name}"`);
    if (helpers.length > 0) continue;
    const [constant, , place = ''] = /^(\w+) (in) ([\w./-]+)/.exec(bound ?? '')?.slice(1) ?? [];
    assert.ok(readFileSync(join(SRC, place), 'utf8').includes(`${constant} =`), `${of}: ${place} has ${constant}`);
  }
});
