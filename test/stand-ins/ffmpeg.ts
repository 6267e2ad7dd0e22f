/**
 * Puts the stand-in of an ffmpeg with accelerators where a sandboxed server can start it, next to a folder of devices.
 */
import { chmod, copyFile, link, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AcceleratorName } from '../../src/lib/ffmpeg/encode/index.ts';
import { childrenOf } from '../processes.ts';
import { until } from '../until.ts';

type Mode =
  | 'ok'
  | 'absent'
  | 'denied'
  | 'no-driver'
  | 'dies'
  | 'crashes'
  | 'no-idr'
  | 'green'
  | 'no-headers'
  | 'hangs'
  | 'stalls'
  | 'garbage'
  | 'wrong-size'
  | 'no-encoder'
  | 'no-decoder'
  | 'no-tone-map';
export type Behaviours = Partial<Record<AcceleratorName, { mode: Mode; frames?: number }>>;

/** Ends an encoder that hangs. Its trial lasts for as long as a test looks at it. */
export async function endHung(): Promise<void> {
  const pid = await until(
    'the encoder that hangs',
    () => childrenOf(process.pid).find(({ command }) => command.some((part) => part.endsWith(MODULE)))?.pid,
  );
  process.kill(pid, 'SIGKILL');
}

export interface AcceleratedFfmpeg {
  program: string;
  /** Folder of devices: one of each kind. */
  devices: string;
  /** From now on. */
  behave(behaviours: Behaviours): Promise<void>;
}

const MODULE = 'ffmpeg-accelerated.mjs';
/** One of Rockchip is missing: it was built without. */
const LISTED = [
  'h264_vaapi',
  'h264_qsv',
  'h264_nvenc',
  'h264_videotoolbox',
  'h264_v4l2m2m',
  'h264_amf',
  'h264_mf',
  'hevc_vaapi',
];
const DEVICES = ['dri/renderD128', 'nvidia0', 'mpp_service', 'video10'];

export async function installFfmpeg(folder: string): Promise<AcceleratedFfmpeg> {
  const [bin, devices] = [join(folder, 'bin'), join(folder, 'dev')];
  await mkdir(bin, { recursive: true });
  await mkdir(join(devices, 'dri'), { recursive: true });
  for (const name of DEVICES) await writeFile(join(devices, name), '');
  const node = join(bin, 'node');
  // A sandbox shows the folder of the program alone, so Node has to be in it.
  await link(process.execPath, node).catch(() => copyFile(process.execPath, node));
  const module = join(bin, MODULE);
  await copyFile(fileURLToPath(new URL(MODULE, import.meta.url)), module);
  const program = join(bin, 'ffmpeg');
  await writeFile(
    program,
    [
      '#!/bin/sh',
      'case " $* " in',
      `  *" -encoders "*) /usr/bin/ffmpeg "$@" | grep -vE '_(vaapi|qsv|nvenc|v4l2m2m|amf|mf|rkmpp|videotoolbox) ` +
        `'; printf ' V..... %s  stand-in\\n' ${LISTED.join(' ')} ;;`,
      '  *" -hwaccel "*|*_vaapi\\ *|*_qsv\\ *|*_nvenc\\ *|*_v4l2m2m\\ *|*_amf\\ *|*_mf\\ *|*_rkmpp\\ ' +
        `*|*_videotoolbox\\ *) exec '${node}' '${module}' "$@" ;;`,
      '  *) exec /usr/bin/ffmpeg "$@" ;;',
      'esac',
      '',
    ].join('\n'),
  );
  await chmod(program, 0o755);
  const behave = (behaviours: Behaviours): Promise<void> =>
    writeFile(join(bin, 'behaviours.json'), JSON.stringify(behaviours));
  await behave({});
  return { program, devices, behave };
}
