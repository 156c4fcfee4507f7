import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import { ownAddress, pathTo, useAddress } from '../../ui/page/address.ts';
import { Entry } from '../../ui/page/entry.tsx';
import { SignUpForm } from './sign-up-form.tsx';

export function SignUp() {
  const [{ next }] = useAddress<'next'>();
  return (
    <Entry
      title="Create an account"
      lead="You can look around at once; ordering needs a plan."
      below={
        <>
          Already have an account? <Link to={pathTo(customerPages.signIn, {}, next ? { next } : {})}>Sign in</Link>
        </>
      }
    >
      <SignUpForm onSignedUp={() => location.assign(ownAddress(next, location.origin))} />
    </Entry>
  );
}
