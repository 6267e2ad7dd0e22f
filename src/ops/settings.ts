/** Settings of backups. */
import {
  duration,
  longText,
  path,
  pathSamples,
  positiveInteger,
  secret,
  setting,
  settingGroup,
  type SettingTypesOf,
} from '../config/index.ts';

const backupGroup = settingGroup('backup', 'Backup');

export const opsSettings = [
  setting({
    key: 'backup.directory',
    env: 'SERVICE_BACKUP_DIR',
    group: backupGroup,
    title: 'Backup folder',
    type: path,
    default: '/backups',
    restart: true,
    doc: 'Folder for encrypted backups.',
    samples: pathSamples,
    until: 'Encrypted backups',
  }),
  setting({
    key: 'backup.key',
    env: 'SERVICE_BACKUP_KEY',
    group: backupGroup,
    title: 'Passphrase',
    type: secret({ min: 16, max: 4096 }),
    belongsTo: [],
    restart: true,
    doc: 'Passphrase that backups are encrypted with. Without it no backup is made.',
    samples: () => ({
      good: [longText(16), longText(4096), 'correct horse battery staple', 'é'.repeat(16)],
      bad: [longText(15), longText(4097), `${longText(16)}\n`, 'é'.repeat(15)],
    }),
    until: 'Encrypted backups',
  }),
  setting({
    key: 'backup.interval',
    env: 'SERVICE_BACKUP_INTERVAL',
    group: backupGroup,
    title: 'Time between backups',
    type: duration({ min: '1m', zero: true }),
    default: '24h',
    restart: true,
    doc: 'Time between two backups.',
    samples: () => ({ good: ['24h', '0', '1m'], bad: ['59s', '-24h', '1d'] }),
    until: 'Encrypted backups',
  }),
  setting({
    key: 'backup.retention',
    env: 'SERVICE_BACKUP_RETENTION',
    group: backupGroup,
    title: 'Backups to keep',
    type: positiveInteger(10_000),
    default: '7',
    restart: true,
    doc: 'How many backups are kept.',
    samples: () => ({
      good: ['1', '7', '10000'],
      bad: ['0', '-1', '1.5', '07', '1e3', '10001', 'all', '+7', '99999999999999999999'],
    }),
    until: 'Encrypted backups',
  }),
] as const;

declare module '../config/setting.ts' {
  interface SettingTypes extends SettingTypesOf<typeof opsSettings> {}
}
