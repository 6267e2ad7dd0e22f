/** State of a form that asks for a code of the second factor: the code, what was wrong with it, and sending it. */
import { useState } from 'preact/hooks';
import { sentence } from '../../data/client.ts';

/** Returns the state of the form. `send` gets the code as the server reads it; if it throws, the form stays. */
export function useCodeForm(send: (code: string) => Promise<void>) {
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await send(code.trim().toLowerCase());
    } catch (failure) {
      setError(sentence(failure));
      setBusy(false);
    }
  };
  return { code, setCode, error, isBusy, submit };
}
