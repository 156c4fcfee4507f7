import { IconArrowsLeftRight, IconBuildingStore, IconLock } from '../../ui/look/icons.ts';
import { Box, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Output, operationQuery } from '../../app/api.ts';
import { Mark } from '../../ui/shell/mark.tsx';
import { AppLetter } from '../developer/app-letter.tsx';
import { SignOut } from './sign-out.tsx';

type Props = { wish: Output<'readConnection'>; code?: string | undefined };

/** The checked address tells who asks. The name is only what the app claims. */
export const WhoAsks = ({ wish: { app, redirect_host: to }, code }: Props) => (
  <Box
    component="header"
    className="stack"
    m="0 -28px 4px"
    p="0 28px 20px"
    style={{ gap: 6, borderBottom: '1px solid var(--line)' }}
  >
    <Group gap={14} mb={10} c="var(--third)" aria-hidden>
      <AppLetter name={app.name} large />
      <IconArrowsLeftRight size={16} />
      <Mark size={44} />
    </Group>
    <h1 tabIndex={-1} className="breaks">
      {app.name} asks for access
    </h1>
    {app.host !== null && (
      <Asker>
        <IconLock size={16} aria-hidden />
        <span>
          <Host>{app.host}</Host>, address checked
        </span>
      </Asker>
    )}
    {app.set_up_by_studio && (
      <Asker>
        <IconBuildingStore size={16} aria-hidden /> Set up by this studio
      </Asker>
    )}
    {code !== undefined && (
      <>
        <Box component="p" className="mono" fz={28} lts="0.08em">
          {`${code.slice(0, 4)}-${code.slice(4)}`}
        </Box>
        <p className="small second">Allow it only if your own terminal shows this code.</p>
      </>
    )}
    {!app.checked && <p className="note turn">Anybody can choose this name: no address was checked.</p>}
    {to !== null && to !== app.host && (
      <p className="small second">
        Afterwards your browser goes to {isThisComputer(to) ? 'a program on this computer' : to}
        {isProgram(to) && ', a program on this computer'}.
      </p>
    )}
  </Box>
);

export const Asker = ({ children }: { children: ReactNode }) => (
  <Box component="p" className="icon-line second breaks" display="flex" style={{ gap: 8 }}>
    {children}
  </Box>
);

export const Host = ({ children }: { children: string }) => (
  <Box component="span" className="mono ink" fz={14}>
    {children}
  </Box>
);

export const isThisComputer = (host: string): boolean => /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host);

/** A scheme that the program registered with the system, with what follows it. */
export const isProgram = (place: string): boolean => /^[a-z][a-z0-9.-]*:(\/\/|$)/.test(place);

/** Below the decision, because it is made in this person's name. */
export function NotYou({ onSignedOut }: { onSignedOut: () => void }) {
  const person = useQuery(operationQuery('readSession')).data?.user;
  if (!person) return null;
  return (
    <span className="small">
      {person.name}, {person.email} · <SignOut onSignedOut={onSignedOut}>Not you?</SignOut>
    </span>
  );
}
