/** Says a setting in the language of the dashboard. */
import type { SettingRow } from '../../../contract/config/configuration.ts';
import { settingTexts } from '../../messages/server-settings.ts';

/** Returns the row with its translated words; those without a translation stay as the server says them. */
export function translatedSetting(row: SettingRow): SettingRow {
  const { labels, ...text } = settingTexts.settings[row.key] ?? {};
  return {
    ...row,
    ...text,
    groupTitle: settingTexts.groups[row.group] ?? row.groupTitle,
    ...(row.labels && { labels: { ...row.labels, ...labels } }),
  };
}
