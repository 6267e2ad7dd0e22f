/** Says a setting in the language of the dashboard. */
import type { SettingRow } from '../../../contract/config/configuration.ts';
import { settingTexts } from '../../messages/server-settings.ts';

/** Returns the row with its translated words; those without a translation stay as the server says them. */
export function translatedSetting(row: SettingRow): SettingRow {
  const { labels, ...text } = settingTexts.settings[row.key] ?? {};
  const { group, section, sectionTitle, until } = row;
  return {
    ...row,
    ...text,
    groupTitle: settingTexts.groups[group] ?? row.groupTitle,
    ...(section !== undefined && { sectionTitle: settingTexts.groups[section] ?? sectionTitle }),
    ...(until !== undefined && { until: settingTexts.features?.[until] ?? until }),
    ...(row.labels && { labels: { ...row.labels, ...labels } }),
  };
}
