/**
 * One child of a helper: a Node process that may only read, answers one request after the other, and whose
 * death is laid to the request that it was at.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { HelperFault } from './failure.ts';
import { launch } from './launch.ts';
import type { LaunchedProcess } from './launch.ts';
import type { HelperReply, HelperRequest } from './serve.ts';
import type { HelperNeeds } from './types.ts';
import { NO_REPORTS, wrap } from './wrap.ts';
import type { Tools } from './wrap.ts';

/** A request as the parent keeps it. */
export interface HelperJob {
  request: unknown;
  /** Its caller has left. */
  isAbandoned?: boolean;
  settle(result: { reply: unknown } | { reason: HelperFault; detail?: string }): void;
}

export interface Child {
  /** Requests handed over and not answered. */
  readonly load: number;
  readonly isReady: boolean;
  give(job: HelperJob): void;
  /** Lets it end by itself; used when it is idle. */
  dismiss(): void;
  kill(): Promise<void>;
}

export interface ChildEnd {
  /** Requests to be asked again of another child, in order. The one it died of is not among them. */
  left: HelperJob[];
  wasReady: boolean;
  /** It was asked to exit, because it was idle. */
  wasDismissed: boolean;
  answered: number;
  /** Resolves when a process ends that the kernel does not let end yet. */
  leaving: Promise<void> | undefined;
}

export interface ChildNeeds {
  helper: HelperNeeds & { tools: Tools; path: string; temporary: string };
  onReady(): void;
  onAnswer(): void;
  onEnd(end: ChildEnd): void;
}

const READY_MS = 15_000;
const MIB = 1024 ** 2;
/** The whole package: the helper's module and what it imports. */
const PACKAGE = fileURLToPath(new URL('../../../', import.meta.url));
/** Paths that it may read. The packages may be elsewhere, behind a link. */
const CODE = [PACKAGE, ...elsewhere(`${PACKAGE}node_modules`)].map((folder) => `${folder}*`);

function elsewhere(folder: string): string[] {
  try {
    const real = realpathSync(folder);
    return real === folder ? [] : [`${real}/`];
  } catch {
    return [];
  }
}

/** The child's argument list: Node's own permission model allows it only to read. */
function argvOf({
  tools,
  reads,
  isAddonAllowed,
  memoryLimit = 512 * MIB,
  module,
  args = [],
}: ChildNeeds['helper']): string[] {
  const node = ['--no-warnings', `--max-old-space-size=${Math.floor(memoryLimit / MIB / 2)}`, '--permission'];
  for (const path of reads === undefined ? ['*'] : [...CODE, ...reads]) node.push(`--allow-fs-read=${path}`);
  if (isAddonAllowed === true) node.push('--allow-addons');
  // Node reserves far more address space than it uses, so its memory is watched instead of limited.
  return wrap(tools, {
    program: process.execPath,
    args: [...node, fileURLToPath(module), ...args],
    limits: { files: 256, file: 0 },
    nice: 5,
    view: null,
  });
}

/** Starts a child. It takes requests at once and is handed them when it is ready. */
export async function startChild(needs: ChildNeeds): Promise<Child> {
  const { helper } = needs;
  // A helper writes nothing, so it has no folder to write to: /dev/null is none.
  const env = { ...NO_REPORTS, PATH: helper.path, LANG: 'C.UTF-8', HOME: '/dev/null', TMPDIR: '/dev/null' };
  const launched = await launch({
    argv: argvOf(helper),
    cwd: helper.temporary,
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: helper.isBinary === true ? 'advanced' : 'json',
  });
  const { child } = launched;
  const jobs = new Map<number, HelperJob>();
  let [lastId, answered, isReady, headSince, isGone, wasDismissed] = [0, 0, false, performance.now(), false, false];
  let why: HelperFault = 'crashed';

  child.on('message', (message: HelperReply) => {
    headSince = performance.now();
    if ('ready' in message) {
      isReady = true;
      return needs.onReady();
    }
    const job = jobs.get(message.id);
    jobs.delete(message.id);
    answered += 1;
    job?.settle('reply' in message ? { reply: message.reply } : { reason: 'failed', detail: message.error });
    needs.onAnswer();
  });

  const deadlineOf = (head: HelperJob | undefined): number =>
    head?.isAbandoned === true ? Math.min(helper.deadlineMs, helper.abandonedMs ?? Infinity) : helper.deadlineMs;
  let wasLate = false;
  const watching = setInterval(
    () => {
      const [head] = jobs.values();
      const isLate = performance.now() - headSince > (isReady ? deadlineOf(head) : READY_MS);
      const isFat = residentBytes(launched.pid) > (helper.memoryLimit ?? 512 * MIB);
      if (isReady && jobs.size === 0) headSince = performance.now();
      // Looked at twice: when it was this process that stood still, the answer has been read by the second time.
      else if (isLate && wasLate) stopFor('hung');
      wasLate = isLate;
      if (isFat) stopFor('memory');
    },
    Math.max(20, Math.min(500, helper.deadlineMs / 4, (helper.abandonedMs ?? Infinity) / 4)),
  );
  const stopFor = (reason: HelperFault): void => {
    why = reason;
    launched.end('timeout', false);
  };

  child.once('exit', () => {
    isGone = true;
  });
  const disconnected = child.connected
    ? new Promise((resolve) => child.once('disconnect', resolve))
    : Promise.resolve();
  // Replies may still be in the channel when the process has ended: both ends decide what was answered.
  const ended = Promise.all([launched.exit, disconnected]).then(() => {
    clearInterval(watching);
    const [culprit, ...left] = jobs.values();
    if (isReady) culprit?.settle({ reason: why });
    else if (culprit) left.unshift(culprit);
    needs.onEnd({ left, wasReady: isReady, wasDismissed, answered, leaving: launched.leaving() });
  });

  return {
    get load() {
      // One that is going takes no more.
      return isGone ? Infinity : jobs.size;
    },
    get isReady() {
      return isReady;
    },
    give: (job) =>
      hand(launched, jobs, ++lastId, job, () => {
        if (jobs.size === 1) headSince = performance.now();
      }),
    dismiss: () => {
      isGone = true;
      wasDismissed = true;
      if (child.connected) child.disconnect();
    },
    kill: async () => {
      launched.end('closed', false);
      await ended;
    },
  };
}

function hand(
  { child }: LaunchedProcess,
  jobs: Map<number, HelperJob>,
  id: number,
  job: HelperJob,
  then: () => void,
): void {
  jobs.set(id, job);
  then();
  const message: HelperRequest = { id, request: job.request };
  // A channel that broke means that the child is ending; its end hands the job on.
  if (child.connected) child.send(message, () => {});
}

/** Resident bytes by the kernel's count; 0 where it cannot be asked. */
function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1] ?? 0) * 4096;
  } catch {
    return 0;
  }
}
