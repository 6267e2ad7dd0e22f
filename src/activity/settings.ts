/** Settings of the activity log: how long its entries are kept. */
import { duration, LOGGING, retentionSamples, setting, type SettingTypesOf } from '../config/index.ts';

export const activitySettings = [
  setting({
    key: 'logging.audit_retention',
    env: 'SERVICE_AUDIT_RETENTION',
    group: LOGGING,
    title: 'Keep the audit log for',
    type: duration({ min: '1s', zero: false }),
    default: '8760h',
    restart: true,
    doc: 'How long the record of who changed what is kept.',
    samples: retentionSamples,
  }),
  setting({
    key: 'logging.playback_retention',
    env: 'SERVICE_PLAYBACK_RETENTION',
    group: LOGGING,
    title: 'Keep the watch history for',
    type: duration({ min: '1s', zero: false }),
    default: '2160h',
    restart: true,
    doc: 'How long the record of what was played is kept.',
    samples: retentionSamples,
  }),
] as const;

declare module '../config/setting.ts' {
  interface SettingTypes extends SettingTypesOf<typeof activitySettings> {}
}
