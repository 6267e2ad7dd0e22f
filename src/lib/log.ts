/**
 * The log: one JSON object a line, in which secrets, titles and paths never appear.
 *
 * An event is a fixed word of ours and its fields are numbers, flags and short texts. Free text about media has no
 * place in it: fields whose name would carry it are dropped, and what looks like a path is blotted out. What still
 * looks like a token is blotted out at the sink, on the finished line, whichever way it came in. Control characters
 * are escaped by JSON, so a line is always one line.
 */
import { pino } from 'pino';

export const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type Level = (typeof LEVELS)[number];

export type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Log {
  /** `event` is a name of ours such as `task.failed`, never built from input. */
  debug(event: string, fields?: Fields): void;
  info(event: string, fields?: Fields): void;
  warn(event: string, fields?: Fields): void;
  error(event: string, fields?: Fields): void;
  /** Logs something unexpected: the error's name, code and frames without its message, which could quote anything. */
  fault(event: string, error: unknown, fields?: Fields): void;
  /** A log that adds `fields` to every line, such as a request's id. */
  child(fields: Fields): Log;
}

export interface RootLog extends Log {
  /** Takes effect for every child at once. */
  setLevel(level: Level): void;
}

/** The longest text of a field, in UTF-16 units. */
const LONGEST = 1024;
/** The deepest frames of a stack that are kept. */
const FRAMES = 12;
const HIDDEN = '[hidden]';

const SECRET_NAME =
  /token|secret|passw|passphrase|authori[sz]ation|cookie|api_?-?key|credential|private_?-?key|otp|mfa|recovery|signature/i;
const FREE_TEXT_NAME =
  /title|path|file|folder|directory|filename|query|search|url|uri|address|username|email|overview|cue/i;
/** A path and all that follows it: names have spaces, so the end of a path cannot be found. */
const PATH = /(?:^|[\s'"`(=:,])(?:file:)?(?:\/|[A-Za-z]:\\|\\\\)\S[\s\S]*/;
/**
 * Our own tokens by their prefix, what follows a scheme of authorization, JSON web tokens, and user:password@ in an
 * address.
 */
const TOKEN =
  /\b(?:mat|ms)_[A-Za-z0-9_-]{6,}|\b(?:Bearer|Basic)\s[A-Za-z0-9+/=._~-]{6,}|\beyJ[A-Za-z0-9_-]{8,}[A-Za-z0-9_.-]*|(?<=:\/\/)[^\s/@"]{1,200}@/g;

/** Blots out what looks like a token in a text that leaves the process. */
export const withoutTokens = (text: string): string => text.replace(TOKEN, HIDDEN);

/** Treatment of a field by its name. Names are ours and few, so each is tested once. */
const names = new Map<string, { isSecret: boolean; isFreeText: boolean }>();
const MAX_NAMES = 1_000;
function nameOf(name: string): { isSecret: boolean; isFreeText: boolean } {
  const known = names.get(name);
  if (known) return known;
  const facts = { isSecret: SECRET_NAME.test(name), isFreeText: FREE_TEXT_NAME.test(name) };
  if (names.size < MAX_NAMES) names.set(name, facts);
  return facts;
}

function clean(name: string, value: string | number | boolean): string | number | boolean {
  if (nameOf(name).isSecret) return HIDDEN;
  if (typeof value !== 'string') return value;
  const short = value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
  // A route is a template of ours, `/api/v1/items/{id}`, and no path of the machine.
  return name === 'route' ? short : short.replace(PATH, '[path]');
}

const OURS = new Set(['level', 'time', 'event']);

function allowed(fields: Fields): Record<string, string | number | boolean> {
  const out: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(fields)) {
    const isPlain =
      typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
    if (!isPlain || OURS.has(name) || (typeof value === 'string' && nameOf(name).isFreeText)) continue;
    out[name.slice(0, 64)] = clean(name, value);
  }
  return out;
}

/** `at work (src/lib/x.ts:1:2)`: where in our own code, without saying where that is installed. */
function frame(line: string): string {
  const text = line.trim().slice(0, 400);
  const root = Math.max(
    text.lastIndexOf('/src/'),
    text.lastIndexOf('/dist/server/'),
    text.lastIndexOf('/node_modules/'),
    text.lastIndexOf('/test/'),
  );
  if (root < 0) return text.includes('node:') ? text : 'at elsewhere';
  const open = text.lastIndexOf('(');
  return `${open > 0 ? text.slice(0, open + 1) : 'at '}${text.slice(root + 1)}`;
}

function describe(error: unknown): Record<string, string | number> {
  if (!(error instanceof Error)) return { error: typeof error };
  const { code, errcode } = error as Error & { code?: unknown; errcode?: unknown };
  const causes: string[] = [];
  for (let at = error.cause; at instanceof Error && causes.length < 4; at = at.cause) causes.push(at.name);
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s{1,8}at /.test(line));
  return {
    error: error.name.slice(0, 100),
    ...(typeof code === 'string' && { code: code.slice(0, 100) }),
    ...(typeof errcode === 'number' && { errcode }),
    ...(causes.length > 0 && { causes: causes.join(' < ') }),
    stack: frames.slice(0, FRAMES).map(frame).join('\n'),
  };
}

/** Longest time that a line below `warn` waits for others, in milliseconds. */
const FLUSH_AFTER_MS = 50;
/** Characters that are written at once, however young they are. */
const FLUSH_LENGTH = 8_192;

/**
 * Returns standard output as the stream that lines are written to, and the function that writes what waits.
 *
 * A write to a pipe costs 0.3 ms of the main thread, most of it to wake the reader. Lines below `warn` are therefore
 * written together, at most 50 ms late, and when the process exits; only a kill can lose them.
 */
function createOutput(): { stream: { write(line: string): void }; flush(): void } {
  const out = pino.destination({ dest: 1, sync: true, minLength: FLUSH_LENGTH });
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    try {
      // Not `flushSync`, which also syncs: where output goes to a file, the main thread would wait for its disk.
      out.flush();
    } catch {
      // A log without a reader is no reason to stop.
    }
  };
  out.on('error', () => {});
  process.once('exit', flush);
  const write = (line: string): void => {
    out.write(line);
    timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref();
  };
  return { stream: { write }, flush };
}

/** Starts the log. Lines go to standard output unless `write` takes them. */
export function createLog(options: { level: Level; write?: (line: string) => void }): RootLog {
  const { stream, flush } = options.write ? { stream: { write: options.write }, flush: () => {} } : createOutput();
  // The gate is ours and not pino's, whose children keep the level they were born with.
  let least = LEVELS.indexOf(options.level);
  const sink = pino(
    {
      level: 'debug',
      base: null,
      messageKey: 'event',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: withoutTokens },
    },
    stream,
  );

  const make = (bound: Record<string, string | number | boolean>): Log => {
    const say =
      (level: Level) =>
      (event: string, fields: Fields = {}): void => {
        if (LEVELS.indexOf(level) < least) return;
        sink[level]({ ...bound, ...allowed(fields) }, event);
        if (level === 'warn' || level === 'error') flush();
      };
    return {
      debug: say('debug'),
      info: say('info'),
      warn: say('warn'),
      error: say('error'),
      fault: (event, error, fields = {}) => {
        // The frames are cleaned by `describe`; `allowed` would take them for paths.
        if (LEVELS.indexOf('error') < least) return;
        sink.error({ ...bound, ...allowed(fields), ...describe(error) }, event);
        flush();
      },
      child: (fields) => make({ ...bound, ...allowed(fields) }),
    };
  };
  return { ...make({}), setLevel: (level) => void (least = LEVELS.indexOf(level)) };
}

/** A log that says nothing, for tests and for what runs before there is one. */
export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  fault: () => {},
  child: () => silentLog,
};
