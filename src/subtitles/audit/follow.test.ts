/** When the timing audit begins without being asked: after scans, while the setting is on and something is due. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { until } from '../../../test/until.ts';
import { createBus } from '../../lib/bus.ts';
import { createAudit, type AuditNeeds } from './audit.ts';

test('the audit begins after a scan only if the setting is on and something is due', async () => {
  const bus = createBus((error) => assert.fail(String(error)));
  const begun: string[] = [];
  const state = { isOn: false, due: 1, looks: 0, marked: 0 };
  const audit = createAudit({
    audits: {
      markOutdated: async () => void state.marked++,
      countDue: async (libraries: readonly string[]) => {
        assert.deepEqual(libraries, ['l'], 'only libraries that can be reached');
        return state.due;
      },
    },
    config: {
      get: () => {
        state.looks++;
        return state.isOn;
      },
      on: () => () => {},
    },
    bus,
    libraries: () => [
      { id: 'l', isOnline: true },
      { id: 'away', isOnline: false },
    ],
    catalog: { libraries: () => [] },
    calm: { quietMs: 1, mostMs: 1 },
    log: { fault: (_code: string, error: unknown) => assert.fail(String(error)) },
  } as unknown as AuditNeeds);
  const stop = await audit.follow((task) => void begun.push(task));
  assert.equal(state.marked, 1, 'judgements of an earlier method are made again');
  /** Announces a scan, and waits until the audit has looked. */
  const scan = async (): Promise<void> => {
    const before = state.looks;
    bus.announce('catalog.changed');
    await until('a look', () => state.looks > before);
    await setImmediate();
  };
  await scan();
  assert.deepEqual(begun, [], 'the setting is off');
  const [task] = audit.tasks;
  assert.equal(task?.every?.(), undefined);
  state.isOn = true;
  state.due = 0;
  await scan();
  assert.deepEqual(begun, [], 'nothing is due');
  state.due = 3;
  await scan();
  assert.deepEqual(begun, ['audit']);
  assert.equal(task?.every?.(), 86_400_000, 'what was left is continued daily');
  stop();
});
