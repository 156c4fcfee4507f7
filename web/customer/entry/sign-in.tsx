import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import { queryClient } from '../../app/api.ts';
import { ownAddress, pathTo, useAddress } from '../../ui/page/address.ts';
import { Entry } from '../../ui/page/entry.tsx';
import { SignInForm } from '../../app/session/sign-in-form.tsx';

export function SignIn() {
  const [{ next }] = useAddress<'next'>();
  const goOn = () => {
    queryClient.clear();
    location.assign(ownAddress(next, location.origin));
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
