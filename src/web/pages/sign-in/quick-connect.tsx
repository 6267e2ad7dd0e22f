/**
 * Signs this device in with a code that a person approves on another one: for a TV without a keyboard, and for a
 * Profile without a password.
 */
import { useEffect, useState } from 'preact/hooks';
import { call, CallFailed, sentence } from '../../data/client.ts';
import { isAway } from '../../data/place.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Notice } from '../../kit/states/states.tsx';
import { deviceName } from '../../lib/device.ts';
import { accountWords as m } from '../../messages/account.ts';
import { Qr } from '../../parts/factor/qr.tsx';
import css from './quick-connect.module.css';
import { repeat, later } from '../../lib/pending-work.ts';

const POLL_MS = 2_000;
const LOOPBACK = /^(localhost|127\.|\[::1\])/;
type Begun = Awaited<ReturnType<typeof call.quickConnect.begin>>;

/**
 * The page of the account with the code filled in, for a phone; none at an address that only this device has, and none
 * away from home, where nothing is approved.
 */
const linkFor = (code: string): string | undefined =>
  LOOPBACK.test(location.hostname) || isAway() ? undefined : `${location.origin}/account?code=${code}`;
const timeLeft = (expiresAt: string): string => {
  const seconds = Math.max(0, Math.ceil((Date.parse(expiresAt) - Date.now()) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

/** Asks for a code, and then whether it was approved. The code is withdrawn when the page is left. */
function useCode(onSignedIn: () => Promise<void>) {
  const [begun, setBegun] = useState<Begun>();
  const [error, setError] = useState<string>();
  const [left, setLeft] = useState('');
  const [round, setRound] = useState(0);
  useEffect(() => {
    let secret: string | undefined;
    let isLeft = false;
    let stopPolling: (() => void) | undefined;
    let expiresAt: string | undefined;
    const stopClock = repeat(1000, () => expiresAt !== undefined && setLeft(timeLeft(expiresAt)));
    const fail = (failure: unknown) => {
      setBegun(undefined);
      setError(failure instanceof CallFailed && failure.reason === 'no-such-code' ? m.codeExpired : sentence(failure));
    };
    const poll = async (given: Begun): Promise<void> => {
      const reply = await call.quickConnect.token({ secret: given.secret, transport: 'cookie' }).catch(
        // A server that does not answer may be restarting: the code is asked about again.
        (failure: unknown) => {
          if (failure instanceof CallFailed && (failure.status === 0 || failure.status >= 500)) return 'later' as const;
          throw failure;
        },
      );
      if (isLeft) return;
      if (reply === 'later' || 'state' in reply)
        stopPolling = later(POLL_MS, () => void poll(given).catch(fail), { isBackground: true });
      else {
        secret = undefined;
        await onSignedIn();
      }
    };
    const begin = async () => {
      const given = await call.quickConnect.begin({ device: deviceName(navigator.userAgent) });
      ({ secret, expiresAt } = given);
      if (isLeft) return withdraw();
      setLeft(timeLeft(expiresAt));
      setBegun(given);
      setError(undefined);
      return poll(given);
    };
    const withdraw = () => {
      if (secret !== undefined) void call.quickConnect.cancel({ secret }).catch(() => undefined);
    };
    void begin().catch(fail);
    return () => {
      isLeft = true;
      stopClock();
      stopPolling?.();
      withdraw();
    };
  }, [round]);
  return { begun, error, left, again: () => setRound((before) => before + 1) };
}

export const SignInByCode = ({ onSignedIn, onBack }: { onSignedIn: () => Promise<void>; onBack: () => void }) => {
  const { begun, error, left, again } = useCode(onSignedIn);
  const link = begun && linkFor(begun.code);
  return (
    <div className={css.connect}>
      {error !== undefined && <Notice tone="warn">{error}</Notice>}
      {begun && (
        <>
          <p>{isAway() ? m.enterThisCodeAtHome : m.enterThisCodeElsewhere}</p>
          <p className={css.code} aria-label={m.codeIs({ code: [...begun.code].join(' ') })} role="img">
            {begun.code.slice(0, 3)} {begun.code.slice(3)}
          </p>
          <p className="muted" role="status">
            {m.waitingForApproval}
          </p>
          <p className="muted small" aria-live="off">
            {m.expiresIn({ time: left })}
          </p>
          {link !== undefined && (
            <div className={css.qr}>
              <Qr text={link} label={m.qrCodeToApprove} />
            </div>
          )}
        </>
      )}
      <div className={css.actions}>
        {error !== undefined && (
          <Button look="primary" isLarge onClick={again}>
            {m.getANewCode}
          </Button>
        )}
        <Button look="quiet" isLarge onClick={onBack}>
          {isAway() ? m.cancel : m.useAPassword}
        </Button>
      </div>
    </div>
  );
};
