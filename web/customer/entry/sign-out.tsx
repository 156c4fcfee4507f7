import { useOperation } from '../../app/api.ts';

/** For somebody else than the person who is signed in. */
export function SignOut({ children, onSignedOut }: { children: string; onSignedOut: () => void }) {
  const signOut = useOperation('signOut');
  return (
    <button type="button" className="link-button" onClick={() => signOut.mutate({}, { onSuccess: onSignedOut })}>
      {children}
    </button>
  );
}
