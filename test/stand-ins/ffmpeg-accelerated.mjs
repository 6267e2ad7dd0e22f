/**
 * Stands in for an ffmpeg with accelerators: the argument set of each is understood, held to its rules, and done by
 * libx264 or libx265 of the real ffmpeg. How it misbehaves is in `behaviours.json` next to it, by accelerator.
 *
 * `{mode}` is `ok`, `absent` (no such device), `denied`, `no-driver`, `dies` (after `frames` pictures), `crashes` (a signal, after as
 * many), `no-idr` (no keyframe but the first), `green`, `no-headers` (parameter sets in no keyframe), `hangs` (says
 * nothing), `stalls` (says nothing more after `frames` pictures), `garbage` (bytes that are no video), `wrong-size`, `no-encoder`, `no-decoder`, `no-tone-map`. An accelerator that is not named there is `absent`.
 * Each accelerated run is noted in `runs.log`, a line each.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';

const here = new URL('.', import.meta.url);
const behaviours = JSON.parse(readFileSync(new URL('behaviours.json', here), 'utf8'));
const REAL = '/usr/bin/ffmpeg';
const args = process.argv.slice(2);
const fail = (message, code = 1) => {
  process.stderr.write(`${message}\n`);
  process.exit(code);
};
const after = (name, from = 0) => {
  const at = args.indexOf(name, from);
  return at < 0 ? undefined : args[at + 1];
};

const ENCODER = /^(h264|hevc|av1|vp9)_(vaapi|qsv|nvenc|videotoolbox|rkmpp|v4l2m2m|amf|mf)$/;
const [, codec, family] = ENCODER.exec(after('-c:v') ?? '') ?? [];
const hwaccel = after('-hwaccel');
const name = family === undefined ? hwaccel : family === 'nvenc' ? 'cuda' : family;
const { mode, frames = 30 } = behaviours[name] ?? { mode: 'absent' };
try {
  appendFileSync(new URL('runs.log', here), `${name} ${codec ?? 'decode'}\n`);
} catch {
  // A sandbox shows this folder without letting it be written.
}

// What each set must have.
const ON_DEVICE = ['vaapi', 'qsv', 'cuda'];
if (ON_DEVICE.includes(name)) {
  const device = after('-init_hw_device') ?? '';
  if (
    !device.startsWith(`${name}=d`) ||
    hwaccel !== name ||
    after('-hwaccel_output_format') !== name ||
    after('-filter_hw_device') !== 'd'
  )
    fail(`the set of ${name} is not complete`);
  if (name !== 'cuda' && !/\/renderD\d+$/.test(device)) fail(`no device for ${name}`);
}
if (codec !== undefined && ['qsv', 'amf'].includes(name) && after('-forced_idr') !== '1')
  fail('keyframes are not forced to be IDR');
// Names of levels differ between the encoders, and where one is not known, `4.0` is the number 4.
if (codec !== undefined && !/^\d{2,3}$/.test(after('-level:v') ?? '31'))
  fail(`no level of ${codec}_${family}: ${after('-level:v')}`);
const allowed = (after('-codec_whitelist') ?? '').split(',');
if (['qsv', 'rkmpp'].includes(name) && !allowed.includes(`h264_${name}`)) fail(`Codec (h264_${name}) not on whitelist`);
const wanted = after('-vf') ?? after('-filter_complex') ?? '';
if (name === 'qsv' && /hwupload(?!=extra_hw_frames=\d)/.test(wanted)) fail('QSV requires a fixed frame pool size');
if (/scale_rkrga=(?!\S*force_original_aspect_ratio=disable)/.test(wanted)) fail('the size would not be exact');
if (name === 'cuda' && /scale_cuda=format=yuv420p,hwdownload,format=(?!yuv420p)/.test(wanted))
  fail('Invalid output format nv12 for hwframe download.');
if (codec !== undefined && name === 'cuda' && after('-forced-idr') !== '1') fail('keyframes are not forced to be IDR');

if (mode === 'absent')
  fail(
    `[AVHWDeviceContext @ 0x1] ${name === 'vaapi' ? 'No VA display found for device /dev/dri/renderD128.' : 'Cannot open the device: No such device'}\nDevice creation failed: -22.`,
  );
if (mode === 'denied') fail('[AVHWDeviceContext @ 0x1] Cannot open DRM render node: Permission denied');
if (mode === 'no-driver') fail('Cannot load libcuda.so.1');
if (mode === 'no-encoder' && codec !== undefined) fail(`Unknown encoder '${codec}_${family}'`);
if (mode === 'hangs') setInterval(() => {}, 1000);
else if (mode === 'garbage') {
  process.stdout.write(Buffer.alloc(200_000, 'no video at all '));
} else if (codec === undefined) {
  if (mode === 'no-decoder') fail('Impossible to convert between the formats supported by the filter');
  run(withoutDevice(args));
} else {
  run(encoding());
}

function withoutDevice(all) {
  const out = [];
  for (let i = 0; i < all.length; i++) {
    if (
      ['-init_hw_device', '-filter_hw_device', '-hwaccel', '-hwaccel_device', '-hwaccel_output_format'].includes(all[i])
    )
      i += 1;
    else if (all[i - 1] === '-vf' || all[i - 1] === '-filter_complex') out.push(filters(all[i]));
    else out.push(all[i]);
  }
  return out;
}

function filters(graph) {
  const mapped =
    'zscale=tin=smpte2084:min=2020_ncl:pin=2020:rin=limited:t=linear:npl=100,format=gbrpf32le,zscale=p=709,tonemap=tonemap=hable:desat=0,zscale=t=709:m=709:r=limited,format=yuv420p';
  if (mode === 'no-tone-map' && graph.includes('tonemap_')) fail('No mastering display data from input');
  return graph
    .replaceAll(/format=nv12\|p010\|\w+,hwupload(=[\w=]+)?|format=nv12\|drm_prime,hwupload/g, 'null')
    .replaceAll(/hwupload(=[\w=]+)?/g, 'null')
    .replaceAll('hwdownload', 'null')
    .replaceAll(/tonemap_vaapi=[\w=:]+/g, mapped)
    .replaceAll(
      /(?:scale_vaapi|vpp_qsv|scale_cuda|scale_rkrga)=(?:w=(\d+):h=(\d+):)?format=(\w+)/g,
      (_, w, h, format) =>
        `${w === undefined ? '' : `scale=w=${w}:h=${h},`}format=${format.startsWith('p010') ? 'p010le' : 'yuv420p'}`,
    );
}

function encoding() {
  const all = withoutDevice(args);
  const from = all.indexOf('-c:v');
  const force = all.indexOf('-force_key_frames');
  const kept = [];
  for (let i = from + 2; i < force; i++) {
    if (
      [
        '-maxrate',
        '-bufsize',
        '-g',
        '-bf',
        '-level:v',
        '-color_primaries',
        '-color_trc',
        '-colorspace',
        '-color_range',
      ].includes(all[i])
    )
      kept.push(all[i], all[i + 1]);
  }
  const x264 = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-crf',
    '20',
    '-profile:v',
    'high',
    '-8x8dct',
    '1',
    '-sc_threshold',
    '0',
    '-forced-idr',
    '1',
  ];
  const x265 = [
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-forced-idr',
    '1',
    '-tag:v',
    'hvc1',
    '-x265-params',
    'scenecut=0:open-gop=0:bframes=0:keyint=9999:min-keyint=1:log-level=error',
  ];
  const grid = mode === 'no-idr' ? ['-force_key_frames', '0'] : [all[force], all[force + 1]];
  const out = [...all.slice(0, from), ...(codec === 'hevc' ? x265 : x264), ...kept, ...grid, ...all.slice(force + 2)];
  const graph = out.indexOf('-vf') + 1;
  if (mode === 'no-headers') out.splice(out.indexOf('-bsf:v'), 2);
  if (mode === 'green') out[graph] = `${out[graph]},format=yuv420p,lutyuv=y=0:u=0:v=0`;
  if (mode === 'wrong-size') out[graph] = `${out[graph]},scale=w=160:h=90,format=yuv420p`;
  if (mode === 'dies' || mode === 'crashes' || mode === 'stalls')
    out.splice(out.length - 1, 0, '-frames:v', String(frames));
  return out;
}

function run(list) {
  const child = spawn(REAL, list, { stdio: ['inherit', 'inherit', 'inherit', 'inherit'] });
  child.on('error', () => fail('the real ffmpeg could not be started', 127));
  child.on('exit', (code, signal) => {
    if (mode === 'dies') fail('[h264 @ 0x1] Failed to end picture encode issue: 18 (internal decoding error).', 1);
    if (mode === 'crashes') process.kill(process.pid, 'SIGSEGV');
    if (mode === 'stalls') return void setInterval(() => {}, 1000);
    process.exit(signal === null ? code : 1);
  });
}
