/** Diagnostics: what the server found out about itself and its machine, each finding with what to do about it. */
import type { Finding } from '../contract/findings.ts';
import type { OpsFinding } from '../contract/ops/findings.ts';
import { type Clock, iso } from '../lib/clock.ts';
import type { Engine } from '../lib/db/index.ts';
import { Failure } from '../lib/failure.ts';
import type { Ffmpeg } from '../lib/ffmpeg/index.ts';
import type { Log } from '../lib/log.ts';
import type { Processes } from '../lib/process.ts';
import { type Room, roomFinding, type FolderSetting } from './disk.ts';

export interface DiagnosticsNeeds {
  version: string;
  engine: Engine;
  clock: Clock;
  ffmpeg: Ffmpeg;
  processes: Processes;
  /** Programs by the setting that names them; those that an optional feature needs say which. */
  programs(): readonly { setting: string; program: string; feature: string; isNeeded: boolean }[];
  folders(): readonly { setting: FolderSetting; title: string; path: string }[];
  /** Room on the disk of a folder. Fails when the disk does not answer in time. */
  room(path: string): Promise<Room>;
  /** Returns the findings of the domains. */
  findings(): Promise<Finding[]>;
}

export interface Diagnostics {
  read(): Promise<{
    version: string;
    node: string;
    engine: Engine;
    startedAt: string;
    memoryBytes: number;
    sandbox: 'full' | 'limits' | 'none';
    findings: Finding[];
  }>;
}

export function createDiagnostics(needs: DiagnosticsNeeds): Diagnostics {
  const startedAt = iso(needs.clock.now());
  return {
    read: async () => ({
      version: needs.version,
      node: process.version,
      engine: needs.engine,
      startedAt,
      memoryBytes: process.memoryUsage.rss(),
      sandbox: needs.processes.sandbox(),
      findings: (await Promise.all([programs(needs), folders(needs), sandbox(needs), needs.findings()])).flat(),
    }),
  };
}

/**
 * Returns the findings of each part of the server. One that cannot say how it is, because the database is damaged for
 * example, is itself a finding, and keeps nothing from the others.
 */
export async function findingsOfParts(
  parts: ReadonlyMap<string, { findings?(): Promise<Finding[]> | Finding[] }>,
  log: Pick<Log, 'fault'>,
): Promise<Finding[]> {
  const all = [...parts].map(async ([part, one]): Promise<Finding[]> => {
    try {
      return (await one.findings?.()) ?? [];
    } catch (error) {
      log.fault('diagnostics.part-failed', error, { part });
      const why = error instanceof Failure ? error.message : 'an unexpected error';
      const sentence = `This part of the server could not be checked (${why}). The log has the details.`;
      return [
        { level: 'error', code: 'part-unchecked', subject: part, sentence, values: { part, why } } satisfies OpsFinding,
      ];
    }
  });
  return (await Promise.all(all)).flat();
}

function programs({ processes, programs: all }: DiagnosticsNeeds): OpsFinding[] {
  return all().map(({ setting, program, feature, isNeeded }): OpsFinding =>
    processes.locate(program) === null
      ? {
          level: isNeeded ? 'error' : 'warning',
          code: 'program-missing',
          subject: feature,
          sentence:
            `${program} is not installed, so ${feature[0]?.toLowerCase()}${feature.slice(1)} does not work. ` +
            'Install it, or set where it is.',
          values: { program, feature },
          setting,
        }
      : {
          level: 'ok',
          code: 'program-installed',
          subject: feature,
          sentence: `${program} is installed.`,
          values: { program, feature },
        },
  );
}

async function folders({ folders: all, room }: DiagnosticsNeeds): Promise<OpsFinding[]> {
  return Promise.all(
    all().map(async ({ setting, title, path }): Promise<OpsFinding> => {
      try {
        return { ...roomFinding(setting, await room(path)), subject: title };
      } catch {
        return {
          level: 'error',
          code: 'folder-unreachable',
          subject: title,
          sentence: 'This folder cannot be reached.',
          values: { folder: setting },
          setting,
        };
      }
    }),
  );
}

function sandbox({ processes }: DiagnosticsNeeds): OpsFinding[] {
  const kind = processes.sandbox();
  if (kind === 'full')
    return [
      {
        level: 'ok',
        code: 'sandbox-full',
        subject: 'Sandbox',
        sentence: 'Media programs see only the file they work on, and no network.',
        values: {},
      },
    ];
  if (kind === 'limits')
    return [
      {
        level: 'ok',
        code: 'sandbox-limits',
        subject: 'Sandbox',
        sentence: 'Media programs run with limits. Installing bubblewrap would also hide all other files from them.',
        values: {},
      },
    ];
  return [
    {
      level: 'warning',
      code: 'sandbox-none',
      subject: 'Sandbox',
      sentence: 'Media programs run without limits by the system, because neither prlimit nor setpriv is installed.',
      values: {},
    },
  ];
}
