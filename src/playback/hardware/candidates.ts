/**
 * Which accelerators may be on this machine, and why each of the others is not. Devices are found here, and never taken
 * from a request.
 */
import type { TrialReason } from '../../contract/playback/trial-reasons.ts';
import { isUsableDevice, listFolder } from '../../lib/files.ts';
import type { AcceleratorName } from '../plan/types.ts';
import type { AcceleratorCandidate } from './types.ts';

/** The order of `auto`. */
export const PREFERRED: readonly AcceleratorName[] = [
  'cuda',
  'qsv',
  'vaapi',
  'videotoolbox',
  'rkmpp',
  'amf',
  'mf',
  'v4l2m2m',
];

export interface DeviceLocation {
  platform: string;
  /** Folder of device files: `/dev`. */
  devices: string;
}

/** A candidate, or one that cannot be there and why. */
export type CheckedCandidate = AcceleratorCandidate & { missing?: TrialReason };

/** Whether the device is there. One that may not be used is there, and says which it is. */
export const isFound = ({
  missing,
  device,
}: {
  missing?: TrialReason | undefined;
  device?: string | undefined;
}): boolean => missing === undefined || device !== undefined;

/** Every accelerator at least once, in the order of `auto`; one that has several devices, once for each. */
export async function findAccelerators({ platform, devices }: DeviceLocation): Promise<CheckedCandidate[]> {
  const [names, nodes] = await Promise.all([namesIn(devices), namesIn(`${devices}/dri`)]);
  const render = nodes
    .filter((name) => /^renderD\d{1,4}$/.test(name))
    .toSorted()
    .map((name) => `${devices}/dri/${name}`);
  const nvidia = names.flatMap((name) => /^nvidia(\d{1,2})$/.exec(name)?.[1] ?? []).toSorted();
  const onNodes = (name: AcceleratorName): Promise<CheckedCandidate[]> =>
    Promise.all(
      render.map(async (device): Promise<CheckedCandidate> => {
        if (await isUsableDevice(device)) return { name, device };
        return { name, device, missing: { reason: 'device-forbidden', values: { device } } };
      }),
    );
  const only =
    (wanted: string, system: string) =>
    (name: AcceleratorName): CheckedCandidate[] => [
      platform === wanted ? { name } : { name, missing: { reason: 'other-system', values: { system } } },
    ];
  const withFile =
    (pattern: RegExp, missing: TrialReason['reason'] & `no-${string}-device`) =>
    (name: AcceleratorName): CheckedCandidate[] => [
      names.some((one) => pattern.test(one)) ? { name } : { name, missing: { reason: missing, values: {} } },
    ];
  const finders: Readonly<
    Record<AcceleratorName, (name: AcceleratorName) => CheckedCandidate[] | Promise<CheckedCandidate[]>>
  > = {
    cuda: (name) =>
      nvidia.length > 0 ? nvidia.map((device) => ({ name, device })) : withFile(/^dxg$/, 'no-nvidia-device')(name),
    qsv: onNodes,
    vaapi: onNodes,
    videotoolbox: only('darwin', 'macOS'),
    rkmpp: withFile(/^mpp_service$/, 'no-rockchip-device'),
    amf: (name) => (platform === 'win32' ? [{ name }] : onNodes(name)),
    mf: only('win32', 'Windows'),
    v4l2m2m: withFile(/^video\d{1,3}$/, 'no-video-device'),
  };
  const all = await Promise.all(
    PREFERRED.map(async (name): Promise<CheckedCandidate[]> => {
      const found = await finders[name](name);
      return found.length > 0 ? found : [{ name, missing: { reason: 'no-graphics-device', values: {} } }];
    }),
  );
  return all.flat();
}

/** A folder that is not there has no devices. */
const namesIn = async (folder: string): Promise<string[]> => {
  try {
    return (await listFolder(folder)).map(({ name }) => name);
  } catch {
    return [];
  }
};
