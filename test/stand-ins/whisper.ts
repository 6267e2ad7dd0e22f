/**
 * Puts the stand-in of `whisper-cli` into a folder where a sandboxed server can start it, and makes model files that
 * say what it hears.
 */
import { chmod, copyFile, link, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface HeardSegment {
  /** ms. */
  from: number;
  to: number;
  text: string;
  /** Confidence of each word. Default: 0.9. */
  p?: readonly number[];
}
export interface Behaviour {
  segments: readonly HeardSegment[];
  /** The architecture in the file's header. */
  type?: 'tiny' | 'base' | 'small' | 'medium' | 'small.en';
  /** Output of the program instead. */
  said?: string;
  mode?:
    | 'ok'
    | 'crash'
    | 'hang'
    | 'stuck'
    | 'broken'
    | 'other'
    | 'no-file'
    | 'refuse'
    | 'old'
    | 'damaged'
    | 'odd'
    | 'wait';
}

export interface WhisperStandIn {
  program: string;
  /** Writes a model that hears this, each time again. */
  model(behaviour: Behaviour): Promise<string>;
  /** If it is next to the model, the program detects speech first. */
  detector(): Promise<string>;
}

const LAYERS = { tiny: 4, base: 6, small: 12, medium: 24 } as const;

export async function installWhisper(folder: string): Promise<WhisperStandIn> {
  const [bin, models] = [join(folder, 'bin'), join(folder, 'models')];
  await mkdir(bin, { recursive: true });
  await mkdir(models, { recursive: true });
  const node = join(bin, 'node');
  // A sandbox shows the folder of the program alone, so Node has to be in it.
  await link(process.execPath, node).catch(() => copyFile(process.execPath, node));
  await copyFile(fileURLToPath(new URL('whisper-cli', import.meta.url)), join(bin, 'whisper-cli.mjs'));
  const program = join(bin, 'whisper-cli');
  await writeFile(program, `#!/bin/sh\nexec '${node}' '${join(bin, 'whisper-cli.mjs')}' "$@"\n`);
  await chmod(program, 0o755);
  return {
    program,
    model: async ({ type = 'small', ...behaviour }) => {
      const header = Buffer.alloc(48);
      const [name, english] = type.split('.') as ['tiny' | 'base' | 'small' | 'medium', string?];
      const numbers = [
        0x67676d6c,
        english === undefined ? 51_865 : 51_864,
        1500,
        768,
        12,
        LAYERS[name],
        448,
        768,
        12,
        LAYERS[name],
        80,
        1,
      ];
      for (const [n, number] of numbers.entries()) header.writeInt32LE(number, n * 4);
      const path = join(models, 'ggml-model.bin');
      await writeFile(path, Buffer.concat([header, Buffer.from(JSON.stringify({ type, ...behaviour }))]));
      return path;
    },
    detector: async () => {
      const path = join(models, 'ggml-silero-v5.1.2.bin');
      const head = Buffer.alloc(8);
      head.writeInt32LE(0x67676d6c);
      head.writeInt32LE('silero-16k'.length, 4);
      await writeFile(path, Buffer.concat([head, Buffer.from('silero-16k')]));
      return path;
    },
  };
}
