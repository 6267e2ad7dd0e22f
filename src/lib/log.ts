/**
 * The log: one JSON object a line, in which secrets, titles and paths never appear.
 *
 * An event is a fixed word of ours and its fields are numbers, flags and short texts. Free text about media has no
 * place in it, so fields with names that would carry it are dropped. What still looks like a token is blotted out
 * at the sink, whichever way it came in. Control characters are escaped by JSON, so a line is always one line.
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
  /** Logs something unexpected: the error's name, code and stack without its message, which could quote anything. */
  fault(event: string, error: unknown, fields?: Fields): void;
  /** A log that adds `fields` to every line, such as a request's id. */
  child(fields: Fields): Log;
}

export interface RootLog extends Log {
  /** Takes effect for every child at once. */
  setLevel(level: Level): void;
}
