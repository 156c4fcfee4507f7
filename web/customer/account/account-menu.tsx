import { Menu, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { IconMail, IconPlus } from '../../ui/look/icons.ts';
import { useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { operationQuery, useOperation } from '../../app/api.ts';
import { useSession } from '../../app/session/session.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { roleWords } from '../../ui/job/words.ts';
import { notify, sayFailure } from '../../ui/page/page.tsx';
import { hasStopped, planWords } from './plan-words.ts';
import { part } from '../../ui/page/part.tsx';

const OpenAnotherAccount = part(() => import('./open-another-account.tsx'), 'OpenAnotherAccount');

export function AccountMenu() {
  const { account, plans, role } = useSession();
  const navigate = useNavigate();
  const accounts = useQuery(operationQuery('listMyAccounts'));
  const invitations = useQuery(operationQuery('listMyInvitations')).data?.invitations ?? [];
  const [opening, setOpening] = useState(false);
  // The whole page belongs to the previous account.
  const switchAccount = useOperation('switchAccount', () => location.assign('/'));
  const others = accounts.data?.accounts.filter(({ id }) => id !== account.id) ?? [];
  const change = (id: string) =>
    switchAccount.mutate({ path: { id } }, { onError: (error) => notify(sayFailure(error).title) });
  return (
    <>
      <Menu position="bottom-start" width="target">
        <Menu.Target>
          <UnstyledButton className="nav-select">
            <span className="one-line">{account.name}</span>
            <small className={hasStopped(plans) ? 'turn' : undefined}>
              {role === 'reviewer' ? roleWords[role] : planWords(plans)}
            </small>
            {invitations.length > 0 && (
              <span
                className="count"
                role="img"
                aria-label={invitations.length === 1 ? 'One invitation' : `${invitations.length} invitations`}
              >
                {invitations.length}
              </span>
            )}
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {others.length > 0 && <Menu.Label>Switch to</Menu.Label>}
          {others.map(({ id, name }) => (
            <Menu.Item key={id} onClick={() => change(id)}>
              {name}
            </Menu.Item>
          ))}
          {invitations.length > 0 && <Menu.Label>You are invited to</Menu.Label>}
          {invitations.map(({ id, account_name: name }) => (
            <Menu.Item
              key={id}
              leftSection={<IconMail size={16} />}
              onClick={() => void navigate({ to: pathTo(customerPages.invitation, { id }) })}
            >
              {name}
            </Menu.Item>
          ))}
          {others.length + invitations.length > 0 && <Menu.Divider />}
          <Menu.Item leftSection={<IconPlus size={16} />} onClick={() => setOpening(true)}>
            Open another account
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {opening && <OpenAnotherAccount onClose={() => setOpening(false)} />}
    </>
  );
}
