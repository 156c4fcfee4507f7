import { Link } from '@tanstack/react-router';
import { customerPages } from '../../contract/pages.ts';
import { queryClient } from '../api.ts';
import { ownPath } from '../session.tsx';
import { pathTo, useAddress } from '../ui/address.ts';
import { Entry } from '../ui/entry.tsx';
import { SignInForm } from '../ui/sign-in-form.tsx';

export function SignIn() {
  const [{ next }] = useAddress<'next'>();
  const goOn = () => {
    queryClient.clear();
    location.assign(ownPath(next ?? null));
  };
  return (
    <Entry
      title="Sign in"
      lead="Order work, follow it, approve it."
      below={
        <>
          New here? <Link to={pathTo(customerPages.signUp, {}, next ? { next } : {})}>Create an account</Link>, or see{' '}
          <Link to={customerPages.catalog}>what the studio makes</Link>.
        </>
      }
    >
      <SignInForm onSignedIn={goOn} />
      <Link to={customerPages.forgotPassword} className="small">
        Forgot your password?
      </Link>
    </Entry>
  );
}
