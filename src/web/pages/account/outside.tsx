/** The identities that this Profile signs in with, one of each protocol: linked after it was shown, and removed. */
import { useState } from 'preact/hooks';
import type { OutsideProtocolName } from '../../../contract/identity/outside.ts';
import { call, sentence } from '../../data/client.ts';
import { isOwnOrigin, type OfferedProvider, offeredProviders, PROTOCOLS, protocolName } from '../../data/outside.ts';
import { readAgain, useAsk, type Reply } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { confirm } from '../../kit/layers/confirm.tsx';
import { Dialog } from '../../kit/layers/dialog.tsx';
import { runWithToast } from '../../kit/layers/run.ts';
import { toast } from '../../kit/layers/toast.tsx';
import { ErrorState, Notice, Pending } from '../../kit/states/states.tsx';
import { hrefOf } from '../../lib/navigation/addresses.ts';
import { go, leaveTo, useQueryParams } from '../../lib/navigation/navigate.ts';
import { protocolIn } from '../../lib/outside-result.ts';
import { directoryWords } from '../../messages/directory.ts';
import { accountWords as m } from '../../messages/account.ts';
import { rich } from '../../messages/rich.ts';
import { AccountPart } from './part.tsx';
import css from './account.module.css';

type Linked = Reply<'oidc', 'linked'>;
type Identity = Reply<'oidc', 'shown'>;

const stay = () => go(hrefOf({ page: 'account' }), { replace: true });

const IdentityFacts = ({ identity: { name, subject, issuer } }: { identity: Identity }) => (
  <dl className={css.facts}>
    {name !== undefined && (
      <>
        <dt>{m.nameThere}</dt>
        <dd>
          <bdi>{name}</bdi>
        </dd>
      </>
    )}
    <dt>{m.identifierThere}</dt>
    <dd>
      <bdi>{subject}</bdi>
    </dd>
    <dt>{m.identityProvider}</dt>
    <dd>
      <bdi>{issuer}</bdi>
    </dd>
  </dl>
);

interface ConfirmLinkProps {
  protocol: OutsideProtocolName;
  flow: string;
  profile: string;
}
/** Shows the identity that the provider has confirmed. Nothing is linked before its button is pressed. */
const ConfirmLink = ({ protocol, flow, profile }: ConfirmLinkProps) => {
  const { data, error } = useAsk(protocol, 'shown', { flow });
  const [failed, setFailed] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const link = async () => {
    setBusy(true);
    setFailed(undefined);
    try {
      await call[protocol].confirm({ flow });
      toast({ message: m.linked });
      readAgain(protocol);
      stay();
    } catch (failure) {
      setFailed(sentence(failure));
      setBusy(false);
    }
  };
  const actions = (
    <>
      <Button look="quiet" onClick={stay}>
        {m.cancel}
      </Button>
      {data && failed === undefined && (
        <Button look="primary" isBusy={isBusy} onClick={() => void link()}>
          {m.link}
        </Button>
      )}
    </>
  );
  return (
    <Dialog title={m.linkThisIdentity} onClose={stay} actions={actions} isFirm>
      {!data ? (
        error ? (
          <ErrorState title={m.linkHasEnded} error={error} />
        ) : (
          <Pending />
        )
      ) : (
        <>
          <p className="muted">{m.whoeverSignsInWithIt({ profile })}</p>
          <IdentityFacts identity={data} />
          {failed !== undefined && <Notice tone="danger">{failed}</Notice>}
        </>
      )}
    </Dialog>
  );
};

interface LinkedIdentityProps {
  protocol: OutsideProtocolName;
  linked: NonNullable<Linked['linked']>;
}
const LinkedIdentity = ({ protocol, linked }: LinkedIdentityProps) => {
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    const isSure = await confirm({
      title: m.removeTheLink,
      says: m.sessionsOfTheIdentityEnd,
      action: m.removeLink,
      isDanger: true,
    });
    if (!isSure) return;
    setBusy(true);
    await runWithToast(() => call[protocol].unlink({}), m.linkRemoved);
    readAgain(protocol);
    setBusy(false);
  };
  return (
    <>
      {!linked.usable && <Notice tone="warn">{m.linkIsOfAnotherProvider}</Notice>}
      <IdentityFacts identity={linked.identity} />
      {linked.directory ? (
        <p className="muted">{directoryWords.linkedByDirectory}</p>
      ) : (
        <Button isBusy={isBusy} onClick={() => void remove()}>
          {m.removeLink}
        </Button>
      )}
    </>
  );
};

const LinkButton = ({ provider }: { provider: OfferedProvider }) => {
  const [isBusy, setBusy] = useState(false);
  const isHere = isOwnOrigin(provider);
  const leave = async () => {
    setBusy(true);
    const isLeaving = await runWithToast(async () => {
      const { url } = await call[provider.protocol].link({});
      leaveTo(url);
    });
    if (!isLeaving) setBusy(false);
  };
  return isHere ? (
    <Button isBusy={isBusy} onClick={() => void leave()}>
      {m.linkWith({ provider: provider.name })}
    </Button>
  ) : (
    <p>
      {rich(m.toLinkOpen, {
        address: (
          <a className="link" href={`${provider.origin}${hrefOf({ page: 'account' })}`}>
            {provider.origin}
          </a>
        ),
      })}
    </p>
  );
};

/** Shown where a provider is set up or a link is left, for each protocol. */
export const OutsideParts = ({ profile }: { profile: string }) => {
  const query = useQueryParams();
  const flow = query.get('link');
  const replies = { oidc: useAsk('oidc', 'linked', {}).data, saml: useAsk('saml', 'linked', {}).data };
  const providers = offeredProviders({ oidc: replies.oidc?.provider, saml: replies.saml?.provider });
  const shown = PROTOCOLS.filter((protocol) => replies[protocol]?.provider ?? replies[protocol]?.linked);
  return (
    <>
      {shown.map((protocol) => {
        const linked = replies[protocol]?.linked;
        const provider = providers.find((one) => one.protocol === protocol);
        return (
          <AccountPart
            key={protocol}
            title={shown.length > 1 ? `${m.identityProvider}: ${protocolName(protocol)}` : m.identityProvider}
            {...(provider && { says: m.signInThrough({ provider: provider.name }) })}
          >
            {linked ? (
              <LinkedIdentity protocol={protocol} linked={linked} />
            ) : (
              provider && <LinkButton provider={provider} />
            )}
            {flow !== null && /^[0-9a-f]{16}$/.test(flow) && protocolIn(query) === protocol && (
              <ConfirmLink protocol={protocol} flow={flow} profile={profile} />
            )}
          </AccountPart>
        );
      })}
    </>
  );
};
