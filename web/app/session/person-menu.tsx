import { Menu, UnstyledButton } from '@mantine/core';
import { IconLogout } from '../../ui/look/icons.ts';
import type { ReactNode } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { useOperation } from '../api.ts';
import { initials } from '../../ui/thread/story.ts';
import { useSession } from './session.tsx';
import { forgetSignedIn } from './was-signed-in.ts';

export function PersonMenu({ children }: { children: ReactNode }) {
  const { user } = useSession();
  const signOut = useOperation('signOut');
  const leave = () => {
    forgetSignedIn();
    signOut.mutate({}, { onSettled: () => location.assign(customerPages.signIn) });
  };
  return (
    <Menu position="top-start" width="target">
      <Menu.Target>
        <UnstyledButton className="nav-link" w="100%" px={8} fw={400}>
          <span className="avatar" aria-hidden>
            {initials(user.name)}
          </span>
          {user.name}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        {children}
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={leave}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
