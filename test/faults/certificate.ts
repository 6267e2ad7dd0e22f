/** Child of the crash tests of certificates: obtains one, killed at a point of its way. Prints its serial number. */
import { X509Certificate } from 'node:crypto';
import { armCrash, isCrashPoint } from '../../src/lib/crash.ts';
import { createInstance, type InstancePlace } from '../../src/remote/certificates/testing-instance.ts';

const [place = '', point = '', file] = process.argv.slice(2);
if (isCrashPoint(point)) armCrash(point, 1, file);
const instance = createInstance(JSON.parse(place) as InstancePlace);
await instance.certificates.start();
await instance.until(({ state }) => state === 'issued');
const { chain = '' } = instance.certificates.current() ?? {};
const count = (path: string): number => instance.asked.filter((one) => one.startsWith(path)).length;
process.stdout.write(
  JSON.stringify({
    serial: new X509Certificate(chain).serialNumber,
    orders: count('POST /order-plz 201'),
    proofs: count('POST /chalZ'),
  }),
);
await instance.close();
