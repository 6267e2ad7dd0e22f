/**
 * Transcribes speech with whisper.cpp's `whisper-cli`, which reads a WAV file and writes its result as JSON.
 *
 * Everything that can be checked is checked before anything starts. The program can read only its model and the audio
 * and write only to one folder. It is ended when the draft is cancelled, when it makes no progress for too long, and
 * with the server.
 */
import { availableParallelism } from 'node:os';
import type { PlayableFile } from '../../catalog/index.ts';
import type { DraftNote } from '../../contract/subtitles/draft-notes.ts';
import type { SubtitlesFinding } from '../../contract/subtitles/findings.ts';
import { Failure } from '../../lib/failure.ts';
import type { Ffmpeg, Media } from '../../lib/ffmpeg/index.ts';
import { ensurePrivateFolder, freeSpace, inRoot, readBounded, removeFolder, type Root } from '../../lib/files.ts';
import { newId } from '../../lib/ids.ts';
import { baseLanguage, languageName, parseLanguage } from '../../lib/languages.ts';
import { ProcessFailure, type Processes } from '../../lib/process.ts';
import type { SubtitleDocument } from '../../cues/index.ts';
import { audioTrackFor } from '../../speech/index.ts';
import { cuesFromSpeech } from './speech-cues.ts';
import { isSameArchitecture, readModel, whisperLanguage, type WhisperModel } from './whisper-model.ts';
import { readWhisperResult } from './whisper-result.ts';

export interface TranscribeNeeds {
  processes: Pick<Processes, 'start' | 'locate'>;
  ffmpeg: Pick<Ffmpeg, 'writeAudio' | 'probe'>;
  /** Returns the current settings. */
  settings(): { program: string; model: string | undefined; architecture: string };
  /** A private folder for temporary files. */
  folder: string;
  /** How long the program may print nothing, in milliseconds. */
  quietMs?: number;
}
export interface Transcription {
  document: SubtitleDocument;
  words: { cue: number; text: string; confidence: number }[];
  confidence: number[];
  /** Warnings for the user. */
  notes: DraftNote[];
}
/** Everything that was checked before the transcription starts. */
export interface TranscriptionPlan {
  file: PlayableFile;
  root: Root;
  stream: number;
  /** Whisper's code of the language. */
  code: string;
  program: string;
  model: WhisperModel;
  notes: DraftNote[];
}
export interface Transcriber {
  /**
   * Checks everything needed. Throws `Failure('conflict')` if the program, the model or audio in that language is
   * missing.
   */
  prepare(of: { file: PlayableFile; root: Root; language: string }): Promise<TranscriptionPlan>;
  /** Transcribes the audio. Throws a Failure with a sentence for the user if the program fails. */
  transcribe(
    plan: TranscriptionPlan,
    listening: { progress?(part: number): void; signal: AbortSignal },
  ): Promise<Transcription>;
  /** Returns problems of the configuration, for diagnostics. */
  findings(): Promise<SubtitlesFinding[]>;
  /** Removes temporary files of a killed process. */
  sweep(): Promise<void>;
}

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Size of the audio: one channel, 16 bits, 16,000 samples per second. */
const BYTES_PER_SECOND = 32_000;
const MAX_THREADS = 8;
const MAX_RESULT_BYTES = 64 * MIB;
const MAX_QUIET_MS = 30 * MINUTE_MS;
/** Share of the progress for extracting the audio, 0 to 1. */
const EXTRACTION_SHARE = 0.05;

export function createTranscriber({
  processes,
  ffmpeg,
  settings,
  folder,
  quietMs = MAX_QUIET_MS,
}: TranscribeNeeds): Transcriber {
  return {
    prepare: async ({ file, root, language }) => {
      const { program, model: path, architecture } = settings();
      if (processes.locate(program) === null) throw toolNotInstalledFailure();
      const model = await readModel(path);
      const code = whisperLanguage(baseLanguage(language));
      if (code === undefined) throw unknownLanguage(language);
      if (model.isEnglishOnly && code !== 'en') throw languageUnsupportedFailure();
      const notes: DraftNote[] = isSameArchitecture(model.architecture, architecture)
        ? []
        : [{ reason: 'model-not-as-set', values: { model: model.architecture, architecture } }];
      return { file, root, stream: streamIn(file, language), code, program, model, notes };
    },
    transcribe: async (plan, { progress = () => {}, signal }) => {
      const own = `${folder}/${newId()}`;
      await ensurePrivateFolder(own);
      try {
        return transcriptionOf(
          plan,
          await transcribeAudio({ processes, ffmpeg, quietMs }, plan, { folder: own, progress, signal }),
        );
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ProcessFailure && error.program !== 'ffmpeg')
          throw new Failure('unavailable', sentenceOf(error, plan), { reason: 'program-failed' }, { cause: error });
        throw error;
      } finally {
        await removeFolder(own);
      }
    },
    findings: () => findingsOf(settings()),
    sweep: () => removeFolder(folder),
  };
}

/** Extracts the audio and runs the program on it. Returns its result file. */
async function transcribeAudio(
  { processes, ffmpeg, quietMs }: Required<Pick<TranscribeNeeds, 'processes' | 'ffmpeg' | 'quietMs'>>,
  plan: TranscriptionPlan,
  { folder, progress, signal }: { folder: string; progress(part: number): void; signal: AbortSignal },
): Promise<Buffer> {
  const { file, root, stream, model, program, code } = plan;
  const seconds = file.info?.duration ?? 0;
  const sound = `${folder}/sound.wav`;
  const result = `${folder}/heard`;
  const media = inRoot(root, file.relative);
  const zero = file.info?.container === 'mpegts' ? await startOf(ffmpeg, media, signal) : 0;
  const mostBytes = Math.ceil((seconds + 600) * BYTES_PER_SECOND) + MIB;
  if ((await freeSpace(folder)).free < mostBytes) throw noRoomInCacheFailure();
  await ffmpeg.writeAudio(
    {
      media,
      to: sound,
      stream,
      zero,
      mostBytes,
      progress: (at) => progress(EXTRACTION_SHARE * Math.min(1, seconds > 0 ? at / seconds : 0)),
    },
    signal,
  );
  const threads = Math.max(1, Math.min(MAX_THREADS, availableParallelism() - 1));
  const timeoutMs = Math.min(48 * HOUR_MS, 10 * MINUTE_MS + seconds * 30_000);
  const running = await processes.start(
    {
      program,
      timeoutMs,
      quietMs,
      threads,
      args: [
        '-m',
        model.path,
        '-f',
        sound,
        '-l',
        code,
        '-oj',
        '-ojf',
        '-of',
        result,
        '-np',
        '-pp',
        '-t',
        String(threads),
        ...(model.detector === undefined ? [] : ['--vad', '-vm', model.detector]),
      ],
      reads: [
        model.path,
        ...(model.detector === undefined ? [] : [model.detector]),
        ...installFolder(processes.locate(program)),
      ],
      writes: [folder],
      outputLimit: MAX_RESULT_BYTES,
      fileLimit: MAX_RESULT_BYTES,
      memoryLimit: 8 * GIB + 4 * model.size,
      cpuSeconds: (timeoutMs / 1000) * (threads + 1),
      priority: 'background',
      hear: progressIn((part) => progress(EXTRACTION_SHARE + (1 - EXTRACTION_SHARE) * part)),
    },
    signal,
  );
  // The printed text is also in the result file.
  running.stdout.resume();
  const { stderr } = await running.done;
  return readBounded(`${result}.json`, MAX_RESULT_BYTES).catch((error: unknown) => {
    // The program prints most errors and exits with 0.
    const isOld = /^error: unknown (?:argument|language)/m.test(stderr);
    const why = isOld
      ? 'the program for transcription does not know an option or language: install a newer version'
      : 'the transcription ended without a result';
    throw error instanceof Failure
      ? new Failure('unavailable', why, { reason: 'program-failed' }, { cause: error })
      : error;
  });
}

/** Returns problems of the configuration. Without a configured model, transcription is not used and there is none. */
async function findingsOf({
  model: path,
  architecture,
}: ReturnType<TranscribeNeeds['settings']>): Promise<SubtitlesFinding[]> {
  if (path === undefined) return [];
  const about = { level: 'warning', subject: 'Transcription' } as const;
  try {
    const model = await readModel(path);
    if (isSameArchitecture(model.architecture, architecture)) return [];
    return [
      {
        ...about,
        code: 'transcription-model-different',
        sentence: `The model is ${model.architecture}, and the setting says ${architecture}.`,
        values: { model: model.architecture, architecture },
        setting: 'subtitles.transcription_architecture',
      },
    ];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [
      {
        ...about,
        code: 'transcription-model-unusable',
        sentence: `${error.message[0]?.toUpperCase() ?? ''}${error.message.slice(1)}.`,
        values: { why: error.message },
        setting: 'subtitles.transcription_model',
      },
    ];
  }
}

/** Returns the folder around the `bin` of a program that was unpacked or compiled, because its libraries are there. */
function installFolder(program: string | null): string[] {
  const parts = (program ?? '').split('/');
  const isOwn = parts.length >= 5 && parts.at(-2) === 'bin' && parts[1] !== 'usr';
  return isOwn ? [parts.slice(0, -2).join('/')] : [];
}

const FAULT_SENTENCES: Partial<Record<ProcessFailure['fault'], string>> = {
  missing: 'the program for transcription is not installed',
  timeout: 'the transcription did not finish in time',
  quiet: 'the transcription stopped making progress',
};
/** Exit codes of the program. */
const [NO_MODEL, AUDIO_NOT_READ] = [3, 10];

function sentenceOf({ fault, code }: ProcessFailure, { model }: TranscriptionPlan): string {
  if (fault === 'exit' && code === NO_MODEL)
    return 'the program for transcription cannot load the model: it may be damaged';
  if (fault === 'exit' && code === AUDIO_NOT_READ && model.detector !== undefined)
    return 'the program for transcription cannot use the speech detector next to the model: it may be damaged';
  return FAULT_SENTENCES[fault] ?? 'the program for transcription failed';
}

function transcriptionOf({ notes, model }: TranscriptionPlan, bytes: Buffer): Transcription {
  const result = readWhisperResult(bytes, { isCut: model.detector !== undefined });
  if (!result)
    throw new Failure('unavailable', 'the result of the transcription cannot be read', { reason: 'program-failed' });
  const { cues, words, confidence, repeated } = cuesFromSpeech(result.segments);
  if (cues.length === 0) throw noTextRecognisedFailure();
  const used = result.architecture ?? model.architecture;
  return {
    document: { format: 'srt', cues, warnings: [] },
    words,
    confidence,
    notes: [
      ...notes,
      ...(used === model.architecture
        ? []
        : [{ reason: 'model-not-as-named' as const, values: { used, model: model.architecture } }]),
      ...(repeated > 0 ? [{ reason: 'cues-repeat' as const, values: { count: repeated } }] : []),
    ],
  };
}

/** Returns the audio stream in this language, or else one without a stated language. */
function streamIn({ info }: PlayableFile, language: string): number {
  const audio = (info?.streams ?? []).filter(({ type }) => type === 'audio');
  if (!info || audio.length === 0)
    throw new Failure('conflict', 'this video has no audio', { reason: 'no-audio-track' });
  const tagOf = ({ languageTag, language: code }: (typeof audio)[number]): string | undefined =>
    parseLanguage(languageTag ?? code ?? '');
  const isIn = (tag: string | undefined): boolean => tag !== undefined && baseLanguage(tag) === baseLanguage(language);
  const fitting = audio.filter((stream) => isIn(tagOf(stream)));
  const unknown = audio.filter((stream) => tagOf(stream) === undefined);
  const track = audioTrackFor({ ...info, streams: fitting.length > 0 ? fitting : unknown }, language);
  if (typeof track !== 'number')
    throw new Failure('conflict', 'none of the audio of this video is in that language', { reason: 'no-audio-track' });
  return track;
}

/**
 * Returns a parser of the progress output, `whisper_print_progress_callback: progress =  35%`, in chunks of any size.
 */
function progressIn(report: (part: number) => void): (chunk: Buffer) => void {
  let rest = '';
  return (chunk) => {
    rest = (rest + chunk.toString('latin1')).slice(-200);
    const at = [...rest.matchAll(/progress\s{0,4}=\s{0,4}(\d{1,3})%/g)].at(-1);
    if (at) report(Math.min(1, Number(at[1]) / 100));
  };
}

/** Returns the time stamp of a file's beginning in seconds. Transport streams begin anywhere. */
async function startOf(ffmpeg: Pick<Ffmpeg, 'probe'>, media: Media, signal: AbortSignal): Promise<number> {
  const start = Number((await ffmpeg.probe(media, signal)).format.start_time ?? 0);
  return Number.isFinite(start) && start > 0 ? start : 0;
}

const noRoomInCacheFailure = (): Failure =>
  new Failure('unavailable', 'there is not enough space in the cache folder for the audio of this video', {
    reason: 'no-room-in-cache',
  });
const toolNotInstalledFailure = (): Failure =>
  new Failure('conflict', 'the program for transcription is not installed', { reason: 'tool-not-installed' });
const languageUnsupportedFailure = (): Failure =>
  new Failure('conflict', 'the transcription model only supports English', { reason: 'language-unsupported' });
const noTextRecognisedFailure = (): Failure =>
  new Failure('conflict', 'no speech was recognised in this video', {
    reason: 'no-text-recognised',
  });
const unknownLanguage = (language: string): Failure =>
  new Failure('conflict', `the transcription does not support ${languageName(language)}`, {
    reason: 'language-unsupported',
  });
