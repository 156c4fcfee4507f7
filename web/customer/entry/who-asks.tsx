import { IconArrowsLeftRight, IconBuildingStore, IconLock } from '../../ui/look/icons.ts';
import { useQuery } from '@tanstack/react-query';
import { type Output, operationQuery, useOperation } from '../../app/api.ts';
import { Mark } from '../../ui/shell/mark.tsx';
import { AppLetter } from '../developer/app-letter.tsx';

type Props = { wish: Output<'readConnection'>; code?: string | undefined };

/** The checked address tells who asks. The name is only what the app claims. */
export const WhoAsks = ({ wish: { app, redirect_host: to }, code }: Props) => (
  <header className="consent-who">
    <div className="consent-faces" aria-hidden>
      <AppLetter name={app.name} large />
      <IconArrowsLeftRight size={16} />
      <Mark size={44} />
    </div>
    <h1 tabIndex={-1}>{app.name} asks for access</h1>
    {app.host !== null && (
      <p className="consent-host">
        <IconLock size={16} aria-hidden />
        <span>
          <span className="mono">{app.host}</span>, address checked
        </span>
      </p>
    )}
    {app.set_up_by_studio && (
      <p className="consent-host">
        <IconBuildingStore size={16} aria-hidden /> Set up by this studio
      </p>
    )}
    {code !== undefined && (
      <>
        <p className="consent-code mono">{`${code.slice(0, 4)}-${code.slice(4)}`}</p>
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
  </header>
);

export const isThisComputer = (host: string): boolean => /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host);

/** A scheme that the program registered with the system, with what follows it. */
export const isProgram = (place: string): boolean => /^[a-z][a-z0-9.-]*:(\/\/|$)/.test(place);

/** Below the decision, because it is made in this person's name. */
export function NotYou({ onSignedOut }: { onSignedOut: () => void }) {
  const signOut = useOperation('signOut');
  const person = useQuery(operationQuery('readSession')).data?.user;
  if (!person) return null;
  return (
    <span className="small">
      {person.name}, {person.email} ·{' '}
      <button type="button" className="link-button" onClick={() => signOut.mutate({}, { onSuccess: onSignedOut })}>
        Not you?
      </button>
    </span>
  );
}
