/** Devices are named as their people would. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { deviceName } from './device.ts';
import { speak } from '../messages/catalogue.ts';

before(() => speak(['en']));

test('browsers and systems are told apart', () => {
  assert.equal(
    deviceName('Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'),
    'Firefox on Linux',
  );
  assert.equal(
    deviceName(
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 ' +
        'Safari/537.36 Edg/126.0',
    ),
    'Edge on Windows',
  );
  assert.equal(
    deviceName(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
        'Version/17.5 Mobile/15E148 Safari/604.1',
    ),
    'Safari on iPhone',
  );
  assert.equal(
    deviceName(
      'Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) 76.0.3809.146/6.0 TV ' +
        'Safari/537.36',
    ),
    'Safari on TV',
  );
  assert.equal(deviceName(''), 'Browser');
});
