/**
 * Words for what the server declares: settings, tasks and the like. The server says them in English, once, with the
 * declaration; a translation is kept here by the key of the declaration. What has none is shown as the server says it.
 */

/** The words of a setting. Those of its values are there where the declaration has some. */
export interface SettingText {
  title: string;
  summary: string;
  labels?: Readonly<Record<string, string>>;
  unset?: string;
  hint?: string;
}

/** The words of a task. */
export interface TaskText {
  title: string;
  summary: string;
}
