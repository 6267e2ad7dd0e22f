/** Signs in another device with the code that it shows. The device is named before anything is approved. */
import { useEffect, useState } from 'preact/hooks';
import type { WaitingDevice } from '../../../contract/identity/quick-connect.ts';
import { call, sentence } from '../../data/client.ts';
import { useAll, useAsk } from '../../data/query.ts';
import { useIsOwner, useMe } from '../../data/session.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Field, Select, Switch } from '../../kit/forms/field.tsx';
import { Dialog } from '../../kit/layers/dialog.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { Notice } from '../../kit/states/states.tsx';
import { ago } from '../../lib/format.ts';
import { useQueryParams } from '../../lib/navigation/navigate.ts';
import { accountWords as m } from '../../messages/account.ts';
import css from './account.module.css';

/** The Profiles that the caller may sign the device in as, the caller first. */
function useChoices(isOutside: boolean): { value: string; label: string }[] {
  const me = useMe();
  const isOwner = useIsOwner();
  const { data } = useAll('profiles', 'list', {}, { enabled: isOwner });
  if (!me) return [];
  const { id, name } = me.profile;
  const others = (data?.items ?? []).filter(({ role, policy }) => role === 'viewer' && (!isOutside || policy.remote));
  return [{ value: id, label: m.nameYourself({ name }) }, ...others.map((one) => ({ value: one.id, label: one.name }))];
}

const Approve = ({ code, device, onClose }: { code: string; device: WaitingDevice; onClose: () => void }) => {
  const isOutside = device.network === 'public';
  const name = device.device ?? m.aDevice;
  const choices = useChoices(isOutside);
  const [chosen, setChosen] = useState<string>();
  const mayStay = useAsk('setup', 'state', {}).data?.staySignedIn === true && !isOutside;
  const [remember, setRemember] = useState(false);
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const profile = chosen ?? choices[0]?.value;
  const approve = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await call.quickConnect.approve({
        code,
        remember: mayStay && remember,
        ...(chosen !== undefined && { profile: chosen }),
      });
      toast({ message: m.deviceIsSignedIn({ device: name }) });
      onClose();
    } catch (failure) {
      setError(sentence(failure));
      setBusy(false);
    }
  };
  const actions = (
    <>
      <Button look="quiet" onClick={onClose}>
        {m.cancel}
      </Button>
      <Button look="primary" isBusy={isBusy} onClick={() => void approve()}>
        {m.signIn}
      </Button>
    </>
  );
  return (
    <Dialog title={m.signInDevice({ device: name })} onClose={onClose} actions={actions}>
      {error !== undefined && <Notice tone="warn">{error}</Notice>}
      {isOutside && <Notice tone="warn">{m.theDeviceIsNotAtHome}</Notice>}
      <p>{m.deviceAsked({ when: ago(device.createdAt) })}</p>
      <p className="muted">{m.approveOnlyWhatYouSee}</p>
      <br />
      {choices.length > 1 && (
        <Select label={m.signInAs} value={profile ?? ''} choices={choices} onValue={(value) => setChosen(value)} />
      )}
      {mayStay && <Switch label={m.staysThere} hint={m.staysThereSays} checked={remember} onValue={setRemember} />}
    </Dialog>
  );
};

export const Connect = () => {
  const scanned = useQueryParams().get('code')?.replace(/\D/g, '') ?? '';
  const [code, setCode] = useState('');
  const [device, setDevice] = useState<WaitingDevice>();
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const digits = code.replace(/\D/g, '');
  const look = async (asked: string) => {
    setBusy(true);
    setError(undefined);
    try {
      setDevice(await call.quickConnect.preview({ code: asked }));
    } catch (failure) {
      setError(sentence(failure));
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => {
    if (scanned.length !== 6) return;
    setCode(scanned);
    void look(scanned);
  }, [scanned]);
  const submit = (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    if (digits.length === 6) void look(digits);
    else setError(m.enterSixDigits);
  };
  const close = () => {
    setDevice(undefined);
    setCode('');
  };
  return (
    <form className={css.narrow} onSubmit={submit}>
      <Field
        label={m.code}
        hint={m.theCodeOnTheDevice}
        value={code}
        onValue={setCode}
        inputMode="numeric"
        autoComplete="off"
        error={error}
        required
      />
      <Button type="submit" isBusy={isBusy}>
        {m.continue}
      </Button>
      {device && <Approve code={digits} device={device} onClose={close} />}
    </form>
  );
};
