/**
 * Reads the header of a whisper.cpp model: whether it is one, its architecture, and the speech detector in the same
 * folder.
 *
 * The file begins with `ggml` (0x67676d6c, little-endian) and eleven 32-bit numbers: vocabulary; context, state, heads
 * and layers of the audio half; the same of the text half; pitches; number format.
 */
import { Failure } from '../../lib/failure.ts';
import { listFolder, openForReading } from '../../lib/files.ts';

export interface WhisperModel {
  path: string;
  /** Bytes. */
  size: number;
  /** `small`, `base.en`, `large.v3.turbo`. */
  architecture: string;
  isEnglishOnly: boolean;
  /** Path of a speech detector in the same folder. */
  detector?: string;
}

const MAGIC = 0x67676d6c;
const HEADER_BYTES = 48;
const BY_LAYERS: ReadonlyMap<number, string> = new Map([
  [4, 'tiny'],
  [6, 'base'],
  [12, 'small'],
  [24, 'medium'],
]);
const LARGE_LAYERS = 32;

/** Reads a model file. Throws `Failure('conflict')`, with a sentence for the user, if it cannot be used. */
export async function readModel(path: string | undefined): Promise<WhisperModel> {
  if (path === undefined)
    throw new Failure('conflict', 'no transcription model is configured', { reason: 'model-not-configured' });
  if (!path.startsWith('/'))
    throw new Failure('conflict', 'the transcription model is not given by its absolute path', {
      reason: 'model-unusable',
    });
  const { size, header } = await headerOf(path);
  const architecture = header && architectureOf(header);
  if (architecture === undefined)
    throw new Failure('conflict', 'the transcription model is not a model of whisper.cpp', {
      reason: 'model-unusable',
    });
  const detector = await detectorNextTo(path);
  return {
    path,
    size,
    architecture,
    isEnglishOnly: architecture.endsWith('.en'),
    ...(detector !== undefined && { detector }),
  };
}

async function headerOf(path: string): Promise<{ size: number; header: Buffer | undefined }> {
  const header = Buffer.alloc(HEADER_BYTES);
  try {
    const file = await openForReading(path);
    const got = await file.read(header, 0).finally(() => file.close());
    return { size: file.size, header: got === HEADER_BYTES ? header : undefined };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(
      'conflict',
      error.kind === 'missing' ? 'the transcription model is missing' : 'the transcription model cannot be read',
      { reason: 'model-unusable' },
      { cause: error },
    );
  }
}

function architectureOf(header: Buffer): string | undefined {
  if (header.readUInt32LE(0) !== MAGIC) return undefined;
  const [vocabulary, audioLayers, textLayers, pitches] = [
    header.readInt32LE(4),
    header.readInt32LE(20),
    header.readInt32LE(36),
    header.readInt32LE(40),
  ];
  if (audioLayers === LARGE_LAYERS) {
    if (textLayers === 4) return 'large.v3.turbo';
    // Nothing in the header distinguishes the first two versions.
    return pitches === 128 ? 'large.v3' : 'large.v2';
  }
  const name = BY_LAYERS.get(audioLayers);
  // An English-only model has one entry less in its vocabulary.
  return name !== undefined && vocabulary < 51_865 ? `${name}.en` : name;
}

async function detectorNextTo(path: string): Promise<string | undefined> {
  const folder = path.slice(0, path.lastIndexOf('/')) || '/';
  const entries = await listFolder(folder).catch(() => []);
  const [name] = entries
    .filter((one) => (one.kind === 'file' || one.kind === 'link') && /^ggml-silero[\w.-]*\.bin$/.test(one.name))
    .map((one) => one.name)
    .sort()
    .toReversed();
  return name === undefined ? undefined : `${folder === '/' ? '' : folder}/${name}`;
}

/** Whether a model has the configured architecture. The first two large versions look alike. */
export const isSameArchitecture = (has: string, configured: string): boolean =>
  has === configured || (has === 'large.v2' && configured === 'large.v1');

/** Languages that whisper knows, by its own codes. */
const KNOWN = new Set(
  (
    'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la ' +
    'mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be ' +
    'tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su yue'
  ).split(' '),
);
const WHISPER_CODES: Readonly<Record<string, string>> = { nb: 'no', jv: 'jw', fil: 'tl', iw: 'he', in: 'id' };

/** Returns whisper's code for a primary language subtag; undefined if it does not know the language. */
export function whisperLanguage(base: string): string | undefined {
  const code = WHISPER_CODES[base] ?? base;
  return KNOWN.has(code) ? code : undefined;
}
