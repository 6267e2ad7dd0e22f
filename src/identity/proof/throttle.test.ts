/** The throttle as tables of attempts over a monotonic clock. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountBucket, createThrottle, deviceBucket, networkBuckets, type Bucket } from './throttle.ts';

function ticking() {
  const at = { now: 0 };
  return { at, clock: { now: () => 0, monotonic: () => at.now } };
}
const wait = (work: () => unknown): number => {
  try {
    work();
    return 0;
  } catch (error) {
    const { kind, members } = error as { kind: string; members: { retryAfterSeconds: number } };
    assert.equal(kind, 'throttled');
    return members.retryAfterSeconds;
  }
};

const networks: [address: string, keys: string[]][] = [
  ['192.168.1.20', ['net 192.168.1']],
  ['192.168.1.99', ['net 192.168.1']],
  ['::ffff:192.168.1.20', ['net 192.168.1']],
  ['2001:db8:1:2:3:4:5:6', ['net 2001:db8:1:2', 'site 2001:db8:1']],
  ['2001:0DB8:0001:0002::9', ['net 2001:db8:1:2', 'site 2001:db8:1']],
  ['2001:db8::1', ['net 2001:db8:0:0', 'site 2001:db8:0']],
  ['fe80::1%eth0', ['net fe80:0:0:0', 'site fe80:0:0']],
  ['::1', ['net 0:0:0:0', 'site 0:0:0']],
  ['64:ff9b::192.0.2.1', ['net 64:ff9b:0:0', 'site 64:ff9b:0']],
];
for (const [address, keys] of networks)
  test(`the network of ${address}`, () =>
    assert.deepEqual(
      networkBuckets(address).map(({ key }) => key),
      keys,
    ));

test('a network fails ten times, then gets one attempt a minute', () => {
  const { at, clock } = ticking();
  const throttle = createThrottle({ clock });
  const take = () => throttle.take(networkBuckets('192.168.1.20'));
  for (let i = 0; i < 10; i++) assert.equal(wait(take), 0);
  assert.equal(wait(take), 60);
  at.now += 59_000;
  assert.equal(wait(take), 1);
  at.now += 1_000;
  assert.equal(wait(take), 0);
  assert.equal(wait(take), 60);
  assert.equal(
    wait(() => throttle.take(networkBuckets('192.168.2.20'))),
    0,
  );
  at.now += 600_000;
  for (let i = 0; i < 10; i++) assert.equal(wait(take), 0);
  assert.equal(wait(take), 60);
});

test('a site of IPv6 holds four times as many as one of its networks', () => {
  const { clock } = ticking();
  const throttle = createThrottle({ clock });
  for (let net = 0; net < 4; net++) for (let i = 0; i < 10; i++) throttle.take(networkBuckets(`2001:db8:1:${net}::1`));
  assert.equal(
    wait(() => throttle.take(networkBuckets('2001:db8:1:77::1'))),
    15,
  );
  assert.equal(
    wait(() => throttle.take(networkBuckets('2001:db8:2:77::1'))),
    0,
  );
});

test('an account waits longer after each failure, fifteen minutes at most, and is never locked', () => {
  const { at, clock } = ticking();
  const throttle = createThrottle({ clock });
  const take = () => throttle.take([accountBucket('ada')]);
  for (let i = 0; i < 10; i++) assert.equal(wait(take), 0);
  for (const seconds of [30, 60, 120, 240, 480, 900, 900, 900]) {
    assert.equal(wait(take), seconds);
    at.now += seconds * 1_000 - 1;
    assert.equal(wait(take), 1);
    at.now += 1;
    assert.equal(wait(take), 0);
  }
  // Half an hour alone, and it starts afresh.
  at.now += 30 * 60_000;
  for (let i = 0; i < 10; i++) assert.equal(wait(take), 0);
  assert.equal(wait(take), 30);
});

test('asking while refused does not make the wait longer', () => {
  const { at, clock } = ticking();
  const throttle = createThrottle({ clock });
  const take = () => throttle.take([accountBucket('ada')]);
  for (let i = 0; i < 10; i++) take();
  for (let i = 0; i < 1_000; i++) assert.equal(wait(take), 30);
  at.now += 30_000;
  assert.equal(wait(take), 0);
});

test('attempts side by side are counted before they end', () => {
  const { clock } = ticking();
  const throttle = createThrottle({ clock });
  const outcomes = Array.from({ length: 50 }, () => wait(() => throttle.take([accountBucket('ada')])));
  assert.equal(outcomes.filter((seconds) => seconds === 0).length, 10);
});

test('a success gives back only its own attempt', () => {
  const { at, clock } = ticking();
  const throttle = createThrottle({ clock });
  const buckets: Bucket[] = [...networkBuckets('192.168.1.20'), accountBucket('ada')];
  for (let i = 0; i < 9; i++) throttle.take(buckets);
  for (let i = 0; i < 5; i++) {
    const attempt = throttle.take(buckets);
    attempt.refund();
    attempt.refund();
  }
  throttle.take(buckets);
  assert.equal(
    wait(() => throttle.take(buckets)),
    60,
  );
  // An account that is full stays full through a success after its wait.
  const account = [accountBucket('bob')];
  for (let i = 0; i < 10; i++) throttle.take(account);
  at.now += 30_000;
  throttle.take(account).refund();
  assert.equal(
    wait(() => throttle.take(account)),
    0,
  );
  assert.equal(
    wait(() => throttle.take(account)),
    60,
  );
});

test('a refused attempt counts in no bucket', () => {
  const { clock } = ticking();
  const throttle = createThrottle({ clock });
  for (let i = 0; i < 10; i++) throttle.take([deviceBucket('a')]);
  for (let i = 0; i < 20; i++)
    assert.equal(
      wait(() => throttle.take([accountBucket('ada'), deviceBucket('a')])),
      60,
    );
  assert.equal(
    wait(() => throttle.take([accountBucket('ada')])),
    0,
  );
});

test('strangers who exhaust an account and a network leave a known device alone', () => {
  const { clock } = ticking();
  const throttle = createThrottle({ clock });
  for (let i = 0; i < 100; i++) wait(() => throttle.take([...networkBuckets('192.168.1.20'), accountBucket('ada')]));
  assert.equal(
    wait(() => throttle.take([deviceBucket('sofa')])),
    0,
  );
});

test('memory is bounded, and those who are refused are kept', () => {
  const { clock } = ticking();
  const throttle = createThrottle({ clock, most: 1_000 });
  for (let i = 0; i < 10; i++) throttle.take([accountBucket('ada')]);
  for (let i = 0; i < 5_000; i++) throttle.take([accountBucket(`stranger ${i}`)]);
  assert.equal(throttle.size, 1_000);
  assert.equal(
    wait(() => throttle.take([accountBucket('ada')])),
    30,
  );
  assert.equal(throttle.refused(), 1);
});
