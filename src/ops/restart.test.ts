/** A restart is refused for good reasons, and its reply names the new address. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SettingRow } from '../contract/config/configuration.ts';
import { systemClock as clock } from '../lib/clock.ts';
import { task, type TaskStatus } from '../lib/tasks/index.ts';
import { createRestart, NO_RESTARTER, type RestartNeeds } from './restart.ts';

const copy = task({ name: 'copy', title: 'Copy', summary: 'Copies', holdsRestart: true, run: async () => {} });
const scan = task({ name: 'scan', title: 'Scan', summary: 'Scans', run: async () => {} });
const status = (name: string, state: TaskStatus['state']): TaskStatus => ({
  id: '1',
  number: 1,
  name,
  title: name,
  state,
  progress: 0,
  createdAt: 0,
});

function fakeServer({
  running = [],
  faults = [],
  isStarted = true,
  saved = { listen: '127.0.0.1:80', 'tls.enabled': 'false' },
}: {
  running?: TaskStatus[];
  faults?: string[];
  isStarted?: boolean;
  saved?: Record<string, string>;
} = {}) {
  let begun = 0;
  const needs: RestartNeeds = {
    restarter: { run: '4f1c0a9be27d6358', load: async () => ({}) as never, begin: () => void begun++ },
    config: {
      all: () => Object.entries(saved).map(([key, value]) => ({ key, value }) as SettingRow),
      get: ((key: string) => (key === 'listen' ? { host: '127.0.0.1', port: 80 } : false)) as never,
      pending: () => [],
      faultsFrom: () => faults,
    },
    tasks: { list: async () => running, declarations: [copy, scan] as never },
    isStarted: () => isStarted,
    clock,
  };
  return { restart: createRestart(needs), begun: () => new Promise<number>((done) => setImmediate(() => done(begun))) };
}

test('a task that must not be interrupted, a fault and a start hold a restart back; other tasks do not', async () => {
  for (const [of, kind, reason] of [
    [{ running: [status('copy', 'running')] }, 'conflict', 'restart-held'],
    [{ faults: ['listen (SERVICE_LISTEN): must be an address'] }, 'conflict', 'restart-refused'],
    [{ isStarted: false }, 'unavailable', 'not-ready'],
  ] as const) {
    const { restart, begun } = fakeServer(of as Parameters<typeof fakeServer>[0]);
    await assert.rejects(restart.request(), { kind, reason });
    assert.equal(await begun(), 0, reason);
  }
  const { restart, begun } = fakeServer({ running: [status('scan', 'running'), status('copy', 'done')] });
  await restart.request();
  assert.equal(await begun(), 1);
});

test('a refusal leaves the way open, and one that was taken closes it', async () => {
  const running = [status('copy', 'running')];
  const { restart, begun } = fakeServer({ running });
  await assert.rejects(restart.request(), { reason: 'restart-held' });
  running.length = 0;
  await restart.request();
  await assert.rejects(restart.request(), { reason: 'restart-running' });
  assert.equal(await begun(), 1);
});

test('the reply says where the server moves, and nothing while it stays', async () => {
  const of = async (saved: Record<string, string>) => (await fakeServer({ saved }).restart.request()).moves;
  assert.equal(await of({ listen: '0.0.0.0:80', 'tls.enabled': '0' }), undefined);
  assert.deepEqual(await of({ listen: '[::1]:8443', 'tls.enabled': '1' }), { scheme: 'https', port: 8443 });
});

test('a server that cannot restart itself says so', async () => {
  const { restart } = fakeServer();
  assert.equal(restart.state().run, '4f1c0a9be27d6358');
  const none = createRestart({ restarter: NO_RESTARTER, isStarted: () => true, clock } as never);
  await assert.rejects(none.request(), { kind: 'unavailable', reason: 'restart-unavailable' });
});
