/** The log keeps secrets, titles and paths to itself, and stays one JSON object a line. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { createLog, withoutTokens } from './log.ts';

const capture = (level: 'debug' | 'info' = 'info') => {
  const raw: string[] = [];
  const log = createLog({ level, write: (line) => void raw.push(line) });
  return { log, raw, lines: () => raw.map((line) => JSON.parse(line) as Record<string, unknown>) };
};

test('a line is one JSON object with level, time and event', () => {
  const { log, raw, lines } = capture();
  log.info('server.listening', { port: 8096, isSecure: false, host: undefined });
  const { time, ...rest } = lines()[0] ?? {};
  assert.deepEqual(rest, { level: 'info', event: 'server.listening', port: 8096, isSecure: false });
  assert.match(String(time), /^\d{4}-\d\d-\d\dT.*Z$/);
  log.warn('odd', { note: 'a\nb\u0000\u001b[31m"' });
  assert.equal(raw[1]?.split('\n').length, 2);
  assert.ok([...(raw[1] ?? '')].every((letter) => letter >= ' ' || letter === '\n'));
  assert.equal(lines()[1]?.['note'], 'a\nb\u0000\u001b[31m"');
});

test('tokens are blotted out wherever they came in', () => {
  const { log, raw } = capture();
  const token = 'mat_ses_Zm9vYmFyYmF6cXV4';
  log.info(`event-${token}`, { note: `x ${token} y`, sessionToken: 'plain', [token]: 'as a name' });
  log.info('a', { note: 'Authorization: Bearer abcdefghijk', other: 'https://me:hunter2@example.org/a' });
  log.child({ note: token }).warn('b');
  log.info('c', { password: 'correct horse', mfaCode: 123456, apiKey: 'k', cookie: 'c=1' });
  const all = raw.join('');
  for (const secret of ['Zm9vYmFy', 'plain', 'abcdefghijk', 'hunter2', 'correct', '123456', 'c=1'])
    assert.equal(all.includes(secret), false, secret);
  for (const line of raw) JSON.parse(line);
});

test('the sink is what blots: without it the token is there', () => {
  const line = JSON.stringify({ note: 'mat_key_0123456789' });
  assert.notEqual(withoutTokens(line), line);
  assert.equal(withoutTokens('format_name=matroska ms_ x'), 'format_name=matroska ms_ x');
});

test('titles and paths are not written', () => {
  const { log, raw, lines } = capture();
  log.info('a', {
    title: 'The Film',
    path: '/media/x',
    fileName: 'x.mkv',
    reason: 'open /media/The Film.mkv failed',
    place: 'C:\\films\\x',
    count: 3,
    files: 12,
  });
  log.info('b', { route: '/api/v1/items/{id}' });
  assert.equal(/The Film|\/media|x\.mkv|films/.test(raw[0] ?? ''), false);
  assert.equal(lines()[0]?.['count'], 3);
  assert.equal(lines()[0]?.['files'], 12);
  assert.equal(lines()[1]?.['route'], '/api/v1/items/{id}');
});

test('long values are cut, odd values and our own names are dropped', () => {
  const { log, lines } = capture();
  log.info('a', {
    note: 'x'.repeat(5000),
    event: 'other',
    level: 'error',
    ratio: Number.NaN,
    deep: { a: 1 } as unknown as string,
  });
  const { time: _, ...rest } = lines()[0] ?? {};
  assert.equal(String(rest['note']).length, 1025);
  assert.deepEqual(Object.keys(rest).sort(), ['event', 'level', 'note']);
  assert.equal(rest['event'], 'a');
});

test('the level changes for children that exist already', () => {
  const { log, lines } = capture();
  const child = log.child({ request: 'abc' });
  child.debug('hidden');
  log.setLevel('debug');
  child.debug('seen');
  log.setLevel('error');
  child.warn('hidden again');
  assert.deepEqual(
    lines().map((l) => [l['event'], l['request']]),
    [['seen', 'abc']],
  );
});

test('a fault tells where and never what it quoted', () => {
  const { log, raw, lines } = capture();
  const cause = new RangeError('inner secret');
  log.fault(
    'http.failed',
    Object.assign(new TypeError('cannot open /media/The Film.mkv\n    at all times', { cause }), { code: 'EIO' }),
    { status: 500 },
  );
  const [line] = lines();
  assert.equal(line?.['error'], 'TypeError');
  assert.equal(line?.['code'], 'EIO');
  assert.equal(line?.['causes'], 'RangeError');
  assert.match(String(line?.['stack']), /src\/lib\/log\.test\.ts:\d+/);
  assert.equal(/The Film|secret|\/media/.test(raw.join('')), false);
  assert.equal((raw[0] ?? '').includes(process.cwd()), false);
});

/**
 * Runs a program with a log on standard output; returns its lines, the number of writes that brought them, and the
 * number of syncs.
 */
const written = (program: string): { events: unknown[]; writes: number; syncs: number } => {
  const count =
    `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module'; const real = fs.writeSync; let ` +
    'writes = 0; fs.writeSync = (fd, ...rest) => { if (fd === 1) writes++; return real(fd, ...rest); }; const sync ' +
    '= fs.fsyncSync; let syncs = 0; fs.fsyncSync = (fd) => { syncs++; sync(fd); }; syncBuiltinESMExports(); ' +
    `process.once('exit', () => process.stderr.write(writes + ' ' + syncs));`;
  const script =
    `${count} const { createLog } = await import('./src/lib/log.ts'); const log = createLog({ level: 'info' }); ` +
    `${program}`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    cwd: new URL('../..', import.meta.url),
    encoding: 'utf8',
  });
  return {
    events: stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { event: unknown }).event),
    writes: Number(stderr.split(' ')[0]),
    syncs: Number(stderr.split(' ')[1]),
  };
};

test('ordinary lines are written together, and none is lost when the process exits', { timeout: 60_000 }, () => {
  const { events, writes } = written(`for (let i = 0; i < 50; i++) log.info('n' + i); process.exit(0);`);
  assert.deepEqual(
    events,
    Array.from({ length: 50 }, (_, i) => `n${i}`),
  );
  assert.ok(writes <= 2, `${writes} writes`);
});

test('a line waits for others, and not for the end', { timeout: 60_000 }, () => {
  // It ends by a kill as soon as its own output was written.
  const { events } = written(
    'const again = fs.writeSync; fs.writeSync = (...all) => { const done = again(...all); if (all[0] === 1) ' +
      `process.kill(process.pid, 'SIGKILL'); return done; }; syncBuiltinESMExports(); log.info('a'); ` +
      'setInterval(() => {}, 1_000);',
  );
  assert.deepEqual(events, ['a']);
});

test('a warning is written at once, after all that came before it', { timeout: 60_000 }, () => {
  for (const say of [`log.warn('late')`, `log.error('late')`, `log.fault('late', new Error('x'))`]) {
    assert.deepEqual(written(`log.info('early'); ${say}; process.kill(process.pid, 'SIGKILL');`).events, [
      'early',
      'late',
    ]);
  }
});

test('the main thread never waits for the disk that the log is on', { timeout: 60_000 }, () => {
  const { events, syncs } = written(
    `log.info('a'); log.warn('b'); setTimeout(() => { log.info('c'); setTimeout(() => process.exit(0), 200); }, 200);`,
  );
  assert.deepEqual(events, ['a', 'b', 'c']);
  assert.equal(syncs, 0);
});
