/** Requests and results of starting programs; `../process.ts` documents the guarantees. */
import type { Readable } from 'node:stream';
import type { Log } from '../log.ts';
import type { HelperFault } from './failure.ts';

/** Priority: playback, then requests of a person, then background work. */
export const PRIORITIES = ['playback', 'interactive', 'background'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** `full`: only the given inputs are visible and there is no network. `limits`: prlimit or setpriv. */
export type Sandbox = 'full' | 'limits' | 'none';

/** An open file. It is closed here once the program has it. */
export interface OpenInput {
  readonly fd: number;
  close(): Promise<void>;
}

/**
 * Path at which a program finds the file of `openInput`: opened there it can be read at any position, unlike a pipe.
 */
export const INPUT_PATH = '/dev/fd/0';

/** Path at which a program finds the file of `openSecondInput`. */
export const SECOND_INPUT_PATH = '/dev/fd/3';

/** One program to run. Nothing here ever meets a shell. */
export interface Command {
  /** A bare name, looked up on the fixed path, or an absolute path. */
  program: string;
  args: readonly string[];
  /**
   * Given to standard input, which is then closed. Without it standard input is empty. Pieces are asked for as the
   * program reads them; when they fail, the program is ended.
   */
  input?: Uint8Array | AsyncIterable<Uint8Array>;
  /**
   * Opens the file that becomes standard input, when the turn of the program has come. The program reaches it as
   * `INPUT_PATH`, whatever happens to its name meanwhile, and needs no `reads` for it.
   */
  openInput?: () => Promise<OpenInput>;
  /**
   * Opens a second file, which the program reaches as `SECOND_INPUT_PATH`. Its extra pipes then begin at descriptor 4.
   */
  openSecondInput?: () => Promise<OpenInput>;
  /** Devices that it may use; those that do not exist are left out. */
  devices?: readonly string[];
  /** Absolute paths that the program may read; in the full sandbox nothing else of the disk's data is there. */
  reads?: readonly string[];
  /** Absolute folders that it may write besides its private temporary folder. */
  writes?: readonly string[];
  /** Wall clock from its start. */
  timeoutMs: number;
  /** Time in which neither output stream may be silent while its output is read; the program is killed after it. */
  quietMs?: number;
  /** Called with each piece of standard error as it arrives. */
  hear?(chunk: Buffer): void;
  /** Bytes of standard output; more is a failure (default 8 MiB). Of standard error the end is kept. */
  outputLimit?: number;
  /** Address space in bytes (default 2 GiB). */
  memoryLimit?: number | 'unlimited';
  /** Processor seconds (default: the wall clock times four). */
  cpuSeconds?: number;
  /** The largest file it may write, in bytes (default 64 MiB). */
  fileLimit?: number;
  priority?: Priority;
  /** 0..19; background work runs at 10 unless said otherwise. */
  nice?: number;
  /** Threads of a program that uses OpenMP, such as tesseract. */
  threads?: number;
}

export interface ProcessOutcome {
  stdout: Buffer;
  /** The end of standard error, at most 16 KiB. */
  stderr: string;
}

/** A program under way whose output is read as it comes. */
export interface RunningProcess {
  pid: number;
  /** Ends with an error when the program failed or was ended. Reading slowly slows the program down. */
  stdout: Readable;
  /** Its private working folder, gone once it has ended; null where none could be made. */
  folder: string | null;
  /** Further pipes: `fd 3` is `pipes[0]` and so on, as many as `extraPipes` asked for. */
  pipes: readonly Readable[];
  /** Resolves when it ended well; rejects with a ProcessFailure. */
  done: Promise<{ stderr: string }>;
  /** Ends it and everything it started. */
  stop(): void;
}

export interface StartCommand extends Command {
  /** Pipes besides standard output that it writes to, as file descriptors 3, 4, … */
  extraPipes?: number;
  /**
   * Its reader stops it for minutes by not reading, when it needs no processor. It has no turn in the queue, where it
   * would keep others from starting; there is a separate limit for all of them, beyond which it is refused as `busy`.
   */
  isHeldByReader?: boolean;
}

export interface HelperNeeds {
  /** For the log: `probe`. */
  name: string;
  /** The module to run: it calls `serveHelper` of `lib/process/serve.ts`. */
  module: URL;
  args?: readonly string[];
  /** Processes side by side, each with one request at a time inside (default 1). */
  children?: number;
  /** Requests handed to one child ahead of time (default 8). */
  ahead?: number;
  /** Time in ms for which children have work before one more is started (default 100). */
  busyMs?: number;
  /** How long one request may take from when the child gets to it. */
  deadlineMs: number;
  /** How long a request may take whose caller has left, where that is less. Then the child is replaced. */
  abandonedMs?: number;
  /** Resident memory above which the child is replaced (default 512 MiB). */
  memoryLimit?: number;
  /** Time without a request after which the child ends (default 60 s). */
  idleMs?: number;
  /**
   * Files and folders it may read; left out it may read all. It may never write, start programs or use add-ons unless
   * told.
   */
  reads?: readonly string[];
  isAddonAllowed?: boolean;
  /** Requests and replies hold typed arrays, which JSON cannot carry. */
  isBinary?: boolean;
}

/** A Node process that answers requests, is limited, and is replaced when it dies or hangs. */
export interface Helper {
  /**
   * Asks for an answer (both are JSON, unless the helper is binary). Rejects with HelperFailure: `reason` `crashed`,
   * `hung` or `memory` means that this request caused it, so its file should be marked; `failed` is an error it
   * reported. `settled` is called once when no child is at the request any more, which after an abort is later than the
   * rejection, with the fault if there was one.
   */
  ask<T>(request: unknown, signal?: AbortSignal, settled?: (fault: HelperFault | undefined) => void): Promise<T>;
  /** Starts a child ahead of a request that is likely to come, unless one runs. It ends as an idle one does. */
  warm(): void;
  stats(): { children: number; waiting: number; answered: number; replaced: number };
  close(): Promise<void>;
}

export interface ProcessesNeeds {
  log: Log;
  /** Folder for private working folders; old ones are removed at the start. */
  temporary: string;
  /** Programs at the same time (default: the processors, at least 2); playback may exceed it by half. */
  most?: number;
  /** Programs that are held by their readers, at the same time (default 64). */
  mostHeld?: number;
  /** Folders in which programs are looked up (default: the usual six). */
  path?: string;
  /** Returns the module to run in place of the source of a helper (default: the source). */
  helperModule?: (source: URL) => URL;
}

export interface Processes {
  /** Runs it to its end and collects its output. Rejects with a ProcessFailure. */
  run(command: Command, signal?: AbortSignal): Promise<ProcessOutcome>;
  /** Starts it once the queue allows, and streams its output. */
  start(command: StartCommand, signal?: AbortSignal): Promise<RunningProcess>;
  startHelper(needs: HelperNeeds): Helper;
  /** The absolute path of a program, or null when it is not installed. */
  locate(program: string): string | null;
  sandbox(): Sandbox;
  /** Running and waiting programs, for diagnostics. */
  stats(): { running: number; waiting: number };
  /** Ends everything within a second and waits for it. */
  close(): Promise<void>;
}
