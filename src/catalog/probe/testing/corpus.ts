/**
 * Small media files of many kinds, made with ffmpeg, for comparing the header reader with ffprobe.
 *
 * Promise: each row is made once and kept by its arguments under node_modules/.cache, so that a
 * second run makes nothing, and processes that ask at the same time share the rows. Only tests import this.
 */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tryLock } from '../../../../test/prepared.ts';

const run = promisify(execFile);

export interface Row {
  name: string;
  args: readonly string[];
  /** Whether the header reader is expected to read it; otherwise it may also leave it to ffprobe. */
  isRead: boolean;
}

const video = (rate: string, size = '192x108', length = 1): string[] => ['-f', 'lavfi', '-i', `testsrc=s=${size}:r=${rate}:d=${length}`];
const tone = (channels = 2, rate = 48000, length = 1): string[] => [
  '-f', 'lavfi', '-i', `sine=f=440:r=${rate}:d=${length},aformat=channel_layouts=${['', 'mono', 'stereo', '2.1', '4.0', '5.0', '5.1', '6.1', '7.1'][channels] ?? 'stereo'}`,
];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const h265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:pools=none'];
const av1 = ['-c:v', 'libsvtav1', '-preset', '12'];

const both = (name: string, args: readonly string[], isRead = true): Row[] => [
  { name: `${name}.mkv`, args, isRead }, { name: `${name}.mp4`, args, isRead },
];

const rates: Row[] = ['24000/1001', '24', '25', '30000/1001', '50', '60000/1001', '12'].flatMap((rate) =>
  both(`rate-${rate.replace('/', '-')}`, [...video(rate), ...h264]));

const pictures: Row[] = [
  ...both('h264-main', [...video('25'), ...h264, '-profile:v', 'main', '-level', '3.1']),
  ...both('h264-baseline', [...video('25'), ...h264, '-profile:v', 'baseline']),
  ...both('h264-10', [...video('25'), '-c:v', 'libx264', '-preset', 'medium', '-pix_fmt', 'yuv420p10le']),
  ...both('h264-422', [...video('25'), '-c:v', 'libx264', '-preset', 'medium', '-pix_fmt', 'yuv422p']),
  ...both('h264-444', [...video('25'), '-c:v', 'libx264', '-preset', 'medium', '-pix_fmt', 'yuv444p']),
  ...both('h264-full', [...video('25'), '-c:v', 'libx264', '-preset', 'medium', '-pix_fmt', 'yuvj420p']),
  ...both('h264-odd-size', [...video('25', '322x178'), ...h264]),
  ...both('h264-interlaced', [...video('25'), ...h264, '-flags', '+ilme+ildct', '-x264opts', 'tff=1'], false),
  ...both('sar', [...video('25', '720x576'), '-vf', 'setsar=64/45', ...h264]),
  ...both('sar-43', [...video('25', '144x108'), '-vf', 'setsar=4/3', ...h264]),
  ...both('hevc-main', [...video('25'), ...h265, '-pix_fmt', 'yuv420p', '-tag:v', 'hvc1']),
  ...both('hevc-10', [...video('24000/1001'), ...h265, '-pix_fmt', 'yuv420p10le']),
  ...both('hevc-odd', [...video('25', '330x182'), ...h265, '-pix_fmt', 'yuv420p']),
  ...both('hevc-444', [...video('25'), ...h265, '-pix_fmt', 'yuv444p']),
  ...both('hevc-12', [...video('25'), ...h265, '-pix_fmt', 'yuv420p12le']),
  ...both('hevc-hdr10', [...video('24'), ...h265.slice(0, -1), 'log-level=none:pools=none:hdr10=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc', '-pix_fmt', 'yuv420p10le']),
  ...both('hevc-hlg', [...video('50'), ...h265.slice(0, -1), 'log-level=none:pools=none:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc', '-pix_fmt', 'yuv420p10le']),
  { name: 'hevc-named.mkv', args: [...video('25'), ...h265, '-pix_fmt', 'yuv420p10le', '-metadata:s:v', `title=${'D'.repeat(36)}`], isRead: true },
  ...both('av1', [...video('25'), ...av1]),
  ...both('av1-10', [...video('25'), ...av1, '-pix_fmt', 'yuv420p10le', '-color_trc', 'smpte2084', '-color_primaries', 'bt2020', '-colorspace', 'bt2020nc']),
  { name: 'av1-opus.webm', args: [...video('30'), ...tone(), ...av1, '-c:a', 'libopus'], isRead: true },
  { name: 'vp8-vorbis.webm', args: [...video('30'), ...tone(), '-c:v', 'libvpx', '-c:a', 'libvorbis'], isRead: true },
  { name: 'vp9-opus.webm', args: [...video('30'), ...tone(), '-c:v', 'libvpx-vp9', '-cpu-used', '8', '-pix_fmt', 'yuv420p', '-c:a', 'libopus'], isRead: true },
  { name: 'vp9-10.webm', args: [...video('30'), '-c:v', 'libvpx-vp9', '-cpu-used', '8', '-pix_fmt', 'yuv420p10le'], isRead: true },
  { name: 'vp9-444.webm', args: [...video('30'), '-c:v', 'libvpx-vp9', '-cpu-used', '8', '-pix_fmt', 'yuv444p'], isRead: true },
  { name: 'vp9.mp4', args: [...video('30'), '-c:v', 'libvpx-vp9', '-cpu-used', '8', '-pix_fmt', 'yuv420p'], isRead: true },
  ...both('mpeg4', [...video('25'), '-c:v', 'mpeg4'], false),
  { name: 'mpeg2.mkv', args: [...video('25'), '-c:v', 'mpeg2video'], isRead: false },
  { name: 'xvid.avi', args: [...video('25'), ...tone(), '-c:v', 'mpeg4', '-vtag', 'XVID', '-c:a', 'libmp3lame'], isRead: false },
  { name: 'h264.ts', args: [...video('25'), ...tone(), ...h264, '-c:a', 'aac'], isRead: false },
  { name: 'rotated.mp4', args: [...video('25'), ...h264, '-metadata:s:v', 'rotate=90'], isRead: true },
  { name: 'rotated-180.mov', args: [...video('25'), ...h264, '-metadata:s:v', 'rotate=180'], isRead: true },
  { name: 'vfr.mkv', args: [...video('25'), '-vf', "select='not(mod(n,3))'", '-vsync', 'vfr', ...h264], isRead: true },
  { name: 'vfr.mp4', args: [...video('25'), '-vf', "select='gt(mod(n,3),0)'", '-vsync', 'vfr', ...h264], isRead: true },
  { name: 'prores.mov', args: [...video('25'), '-c:v', 'prores_ks'], isRead: false },
];

const sound = (name: string, args: readonly string[], ends: readonly string[], isRead = true): Row[] =>
  ends.map((end) => ({ name: `${name}.${end}`, args, isRead }));

const sounds: Row[] = [
  ...[1, 2, 3, 5, 6].flatMap((channels) => sound(`aac-${channels}`, [...tone(channels), '-c:a', 'aac'], ['mkv', 'm4a', 'mov'], channels !== 3)),
  ...sound('aac-8', [...tone(8), '-c:a', 'aac'], ['mkv'], false),
  ...sound('aac-22', [...tone(2, 22050), '-c:a', 'aac'], ['mkv', 'm4a'], false),
  ...[1, 2, 5, 6].flatMap((channels) => sound(`ac3-${channels}`, [...tone(channels), '-c:a', 'ac3'], ['mkv', 'mp4'])),
  ...[1, 2, 6].flatMap((channels) => sound(`eac3-${channels}`, [...tone(channels), '-c:a', 'eac3'], ['mkv', 'mp4'])),
  ...sound('ac3-441', [...tone(2, 44100), '-c:a', 'ac3', '-b:a', '448k'], ['mkv', 'mp4']),
  ...[1, 2, 6, 8].flatMap((channels) => sound(`opus-${channels}`, [...tone(channels), '-c:a', 'libopus', ...(channels > 2 ? ['-mapping_family', '1'] : [])], ['mkv', 'mp4'])),
  ...[1, 2, 6].flatMap((channels) => sound(`vorbis-${channels}`, [...tone(channels, 44100), '-c:a', 'libvorbis'], ['mkv'])),
  ...[1, 2, 6, 8].flatMap((channels) => sound(`flac-${channels}`, [...tone(channels), '-c:a', 'flac', '-strict', '-2'], ['mkv', 'mp4'], channels <= 2)),
  ...sound('flac-24', [...tone(2, 96000), '-c:a', 'flac', '-sample_fmt', 's32', '-strict', '-2'], ['mkv', 'mp4']),
  ...sound('dts', [...tone(6), '-c:a', 'dca', '-strict', '-2'], ['mkv']),
  ...sound('dts-2', [...tone(2), '-c:a', 'dca', '-strict', '-2'], ['mkv']),
  ...sound('mp3', [...tone(2, 44100), '-c:a', 'libmp3lame'], ['mkv', 'mp4']),
  ...sound('mp3-vbr', [...tone(1, 22050), '-c:a', 'libmp3lame', '-q:a', '2'], ['mkv', 'mp4']),
  ...sound('mp2', [...tone(2, 48000), '-c:a', 'mp2'], ['mkv']),
  ...[1, 2, 5, 6].flatMap((channels) => sound(`truehd-${channels}`, [...tone(channels), '-c:a', 'truehd', '-strict', '-2'], ['mkv'], channels !== 1)),
  ...sound('truehd-96', [...tone(6, 96000), '-c:a', 'truehd', '-strict', '-2'], ['mkv']),
  ...[1, 2, 6].flatMap((channels) => sound(`pcm16-${channels}`, [...tone(channels), '-c:a', 'pcm_s16le'], ['mkv', 'mov'], channels <= 2)),
  ...sound('pcm24', [...tone(), '-c:a', 'pcm_s24le'], ['mkv']),
  ...sound('alac', [...tone(), '-c:a', 'alac'], ['m4a', 'mkv'], false),
];

/** Rows that use the prepared inputs: a subtitle, chapters, a font and a picture. */
const combined = (inputs: Inputs): Row[] => {
  const film = [...video('24000/1001'), ...tone(), '-i', inputs.srt, '-i', inputs.chapters];
  const named = [
    '-metadata:s:a:0', 'language=jpn', '-metadata:s:a:0', 'title=Main feature', '-metadata:s:s:0', 'language=ger',
    '-metadata', 'title=A film', '-metadata', 'artist=Somebody', '-metadata', 'date=2012', '-metadata', 'comment=Für alle',
    '-metadata', 'show=Series', '-metadata', 'season_number=2', '-metadata', 'episode_sort=7', '-metadata', 'track=3/9', '-metadata', 'genre=Drama',
  ];
  const maps = ['-map', '0', '-map', '1', '-map', '2', '-map_metadata', '3', '-map_chapters', '3'];
  const codecs = [...h264, '-c:a', 'aac'];
  return [
    { name: 'film-srt.mkv', args: [...film, ...maps, ...codecs, '-c:s', 'srt', ...named], isRead: true },
    { name: 'film-ass.mkv', args: [...film, ...maps, ...codecs, '-c:s', 'ass', ...named, '-disposition:s:0', 'forced+hearing_impaired', '-disposition:a:0', 'default+comment+original'], isRead: true },
    { name: 'film-vtt.mkv', args: [...film, ...maps, ...codecs, '-c:s', 'webvtt', '-disposition:s:0', '0'], isRead: true },
    { name: 'film-vtt.webm', args: [...film, ...maps, '-c:v', 'libvpx', '-c:a', 'libopus', '-c:s', 'webvtt'], isRead: true },
    { name: 'film.mp4', args: [...film, ...maps, ...codecs, '-c:s', 'mov_text', ...named], isRead: true },
    { name: 'film-fast.mp4', args: [...film, ...maps, ...codecs, '-c:s', 'mov_text', ...named, '-movflags', '+faststart'], isRead: true },
    { name: 'film.m4v', args: [...film, '-map', '0', '-map', '1', '-map_metadata', '3', ...codecs, ...named], isRead: true },
    { name: 'film.mov', args: [...film, ...maps, ...codecs, '-c:s', 'mov_text', ...named], isRead: true },
    { name: 'camera.mp4', args: [...video('25'), ...h264, '-metadata', 'creation_time=2025-08-16T12:00:05Z'], isRead: true },
    { name: 'camera.mov', args: [...video('25'), ...h264, '-metadata', 'creation_time=2025-08-16T12:00:05Z', '-metadata', 'location=+48.1333+011.5667/'], isRead: true },
    { name: 'phone.mov', args: [...video('25'), ...h264, '-metadata', 'creation_time=2025-08-16T12:00:05Z', '-metadata', 'com.apple.quicktime.creationdate=2025-08-16T14:00:05+0200', '-metadata', 'com.apple.quicktime.model=iPhone 15', '-metadata', 'com.apple.quicktime.location.ISO6709=+48.1333+011.5667+519.000/', '-movflags', 'use_metadata_tags'], isRead: true },
    { name: 'film-frag.mp4', args: [...film, '-map', '0', '-map', '1', ...codecs, '-movflags', '+frag_keyframe+empty_moov'], isRead: false },
    { name: 'film-dash.mp4', args: [...video('25'), ...h264, '-g', '5', '-movflags', '+frag_keyframe+default_base_moof+dash'], isRead: false },
    { name: 'film.3gp', args: [...video('25'), ...tone(1, 44100), ...h264, '-c:a', 'aac'], isRead: true },
    { name: 'fonts.mkv', args: [...video('25'), ...h264, '-attach', inputs.font, '-metadata:s:t', 'mimetype=application/x-truetype-font', '-metadata:s:t', 'title=The font'], isRead: true },
    { name: 'cover.mkv', args: [...video('25'), ...h264, '-attach', inputs.picture, '-metadata:s:t', 'mimetype=image/jpeg', '-metadata:s:t', 'filename=cover.jpg'], isRead: true },
    { name: 'cover.m4a', args: [...tone(), '-i', inputs.picture, '-map', '0', '-map', '1', '-c:a', 'aac', '-c:v', 'copy', '-disposition:v:0', 'attached_pic', '-metadata', 'title=Song', '-metadata', 'album=Album', '-metadata', 'track=4'], isRead: true },
    { name: 'cover-png.mp4', args: [...video('25'), '-i', inputs.png, '-map', '0', '-map', '1', ...h264, '-c:v:1', 'copy', '-disposition:v:1', 'attached_pic'], isRead: true },
    { name: 'two-audio.mkv', args: [...video('25'), ...tone(6), ...tone(2), '-map', '0', '-map', '1', '-map', '2', ...h264, '-c:a:0', 'ac3', '-c:a:1', 'aac', '-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=fre', '-disposition:a:0', 'default', '-disposition:a:1', '0'], isRead: true },
    { name: 'two-audio.mp4', args: [...video('25'), ...tone(6), ...tone(2), '-map', '0', '-map', '1', '-map', '2', ...h264, '-c:a:0', 'ac3', '-c:a:1', 'aac', '-metadata:s:a:1', 'language=fre'], isRead: true },
    { name: 'delayed.mkv', args: [...video('25'), '-itsoffset', '0.7', ...tone(), ...h264, '-c:a', 'aac'], isRead: true },
    { name: 'delayed.mp4', args: [...video('25'), '-itsoffset', '0.7', ...tone(), ...h264, '-c:a', 'aac'], isRead: true },
    { name: 'cut.mp4', args: ['-ss', '0.5', '-i', inputs.clip, '-c', 'copy'], isRead: true },
    { name: 'live.webm', args: [...video('30'), '-c:v', 'libvpx', '-live', '1'], isRead: false },
    { name: 'sized.mkv', args: [...video('25'), ...tone(), ...h264, '-c:a', 'aac', '-reserve_index_space', '4096', '-cluster_size_limit', '2000'], isRead: true },
    { name: 'timecode.mov', args: [...video('25'), ...h264, '-timecode', '01:00:00:00'], isRead: true },
    { name: 'qt-tags.mov', args: [...video('25'), ...h264, '-movflags', 'use_metadata_tags', '-metadata', 'title=Free', '-metadata', 'x=1'], isRead: false },
  ];
};

interface Inputs { srt: string; chapters: string; font: string; picture: string; png: string; clip: string }

const ffmpeg = ['-nostdin', '-v', 'error', '-y'];

const prepare = async (folder: string): Promise<Inputs> => {
  const at = (name: string): string => join(folder, name);
  writeFileSync(at('a.srt'), '1\n00:00:00,100 --> 00:00:00,900\nGuten Tag\n\n');
  writeFileSync(at('chapters.txt'), ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=400\ntitle=One\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=400\nEND=700\ntitle=Zwei ü\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=700\nEND=1000\ntitle=Three\n');
  writeFileSync(at('font.ttf'), Buffer.alloc(200_000, 7));
  for (const name of ['cover.jpg', 'cover.png']) {
    if (!existsSync(at(name))) await run('ffmpeg', [...ffmpeg, '-f', 'lavfi', '-i', 'testsrc=s=64x96', '-frames:v', '1', at(name)]);
  }
  if (!existsSync(at('clip.mp4'))) await run('ffmpeg', [...ffmpeg, ...video('25', '192x108', 2), ...h264, '-g', '10', at('clip.mp4')]);
  return { srt: at('a.srt'), chapters: at('chapters.txt'), font: at('font.ttf'), picture: at('cover.jpg'), png: at('cover.png'), clip: at('clip.mp4') };
};

/** A Dolby Vision record of 24 bytes: version 1.0, level 6, base layer and metadata. */
const dolbyVision = (profile: number, compatibility: number): string => String.fromCharCode(1, 0, profile << 1, 0x35, compatibility << 4).padEnd(24, '\0');
/** The box that says that pixels are square, and one of the same size that holds the beginning of a Dolby Vision record. */
const square = 'pasp\0\0\0\x01\0\0\0\x01';
const boxed = (profile: number, compatibility: number, name = 'dvcC'): string => `${name}${dolbyVision(profile, compatibility).slice(0, 8)}`;
/** The name of a Matroska track, and a BlockAdditionMapping of the same size. */
const nameLength = 36;
const trackName = `Sn${String.fromCharCode(0x80 | nameLength)}${'D'.repeat(nameLength)}`;
const mapped = (profile: number, compatibility: number, name = 'dvcC'): string => `\x41\xe4${String.fromCharCode(0x80 | nameLength)}\x41\xe7\x84${name}\x41\xed\x98${dolbyVision(profile, compatibility)}\xec\x80`;

/** Copies of files with some boxes renamed: kinds of tracks that ffmpeg does not write. */
const renamed: readonly { of?: string; name: string; names: Readonly<Record<string, string>>; isRead: boolean }[] = [
  { name: 'captions.mp4', names: { tx3g: 'c608', sbtl: 'clcp' }, isRead: true },
  { name: 'metadata-track.mp4', names: { tx3g: 'mebx', sbtl: 'meta' }, isRead: true },
  { name: 'ttml.mp4', names: { tx3g: 'stpp', sbtl: 'subt' }, isRead: false },
  { name: 'webvtt.mp4', names: { tx3g: 'wvtt', sbtl: 'text' }, isRead: false },
  { name: 'unknown-video.mp4', names: { avc1: 'zzz1' }, isRead: false },
  { name: 'inband.mp4', names: { avc1: 'avc3' }, isRead: true },
  { of: 'hevc-hdr10.mp4', name: 'dolby-8-1.mp4', names: { [square]: boxed(8, 1, 'dvvC') }, isRead: true },
  { of: 'hevc-hlg.mp4', name: 'dolby-8-4.mp4', names: { [square]: boxed(8, 4, 'dvvC') }, isRead: true },
  { of: 'hevc-10.mp4', name: 'dolby-5.mp4', names: { [square]: boxed(5, 0), hev1: 'dvhe' }, isRead: true },
  { of: 'hevc-named.mkv', name: 'dolby-7.mkv', names: { [trackName]: mapped(7, 6) }, isRead: true },
  { of: 'hevc-named.mkv', name: 'dolby-8-4.mkv', names: { [trackName]: mapped(8, 4, 'dvvC') }, isRead: true },
  { of: 'hevc-named.mkv', name: 'additions.mkv', names: { [trackName]: mapped(8, 4, 'hdrp') }, isRead: true },
];

const rename = async (from: readonly CorpusFile[]): Promise<CorpusFile[]> => {
  const made: CorpusFile[] = [];
  for (const { of = 'film.mp4', name, names, isRead } of renamed) {
    const film = from.find((one) => one.name === of);
    if (film === undefined) continue;
    const path = `${film.path.slice(0, -of.length)}${name}`;
    let content = readFileSync(film.path).toString('latin1');
    for (const [old, other] of Object.entries(names)) {
      if (old.length !== other.length || !content.includes(old)) throw new Error(`${name} cannot be made of ${of}`);
      content = content.replaceAll(old, other);
    }
    writeFileSync(`${path}.${process.pid}`, content, 'latin1');
    renameSync(`${path}.${process.pid}`, path);
    made.push({ name, args: [], isRead, path, reply: await remembered(path) });
  }
  return made;
};

export interface CorpusFile extends Row {
  path: string;
  /** ffprobe's reply of the file. */
  reply: unknown;
}

/** Returns ffprobe's JSON reply as the comparison needs it. */
export const probeFile = async (path: string): Promise<unknown> => {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-show_format', '-show_streams', '-show_chapters', '-of', 'json', `file:${path}`], { maxBuffer: 16e6 });
  return JSON.parse(stdout);
};

const remembered = async (path: string): Promise<unknown> => {
  const kept = `${path}.json`;
  if (!existsSync(kept)) {
    writeFileSync(`${kept}.${process.pid}`, JSON.stringify(await probeFile(path)));
    renameSync(`${kept}.${process.pid}`, kept);
  }
  return JSON.parse(readFileSync(kept, 'utf8'));
};

/** Makes files that are missing. Returns by name the rows whose encoder is missing here. */
export const makeCorpus = async (): Promise<{ made: CorpusFile[]; missing: string[] }> => {
  const folder = join(import.meta.dirname, '../../../../node_modules/.cache/probe-corpus');
  mkdirSync(folder, { recursive: true });
  const rows = [...rates, ...pictures, ...sounds, ...combined(await prepare(folder))];
  const made: CorpusFile[] = [];
  const missing: string[] = [];
  const queue = [...rows];
  const work = async (): Promise<void> => {
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
      const key = createHash('sha256').update(JSON.stringify([row.name, row.args])).digest('hex').slice(0, 12);
      const path = join(folder, `${key}-${row.name}`);
      const lock = existsSync(`${path}.json`) ? undefined : tryLock(join(folder, `${key}.lock`));
      if (!lock && !existsSync(`${path}.json`)) {
        // Another process is making it.
        queue.push(row);
        await new Promise((resolve) => setTimeout(resolve, 20));
        continue;
      }
      try {
        if (!existsSync(path)) {
          const part = join(folder, `part-${process.pid}-${key}-${row.name}`);
          await run('ffmpeg', [...ffmpeg, ...row.args, '-threads', '1', part], { timeout: 60_000 });
          renameSync(part, path);
        }
        made.push({ ...row, path, reply: await remembered(path) });
      } catch (error) {
        missing.push(`${row.name}: ${error instanceof Error ? error.message.split('\n')[1] ?? error.message : String(error)}`);
      } finally {
        lock?.close();
      }
    }
  };
  await Promise.all([work(), work()]);
  made.push(...(await rename(made)));
  return { made, missing };
};
