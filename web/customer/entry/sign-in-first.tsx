import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import { SignInForm } from '../../app/session/sign-in-form.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { Entry } from '../../ui/page/entry.tsx';

/** `next`: where somebody who is new here comes back to with an account. */
type SignInFirstProps = { title: string; next: string; onSignedIn: () => void };

/** Who is to let an app or a program in signs in before they see what it asks for. */
export const SignInFirst = ({ title, next, onSignedIn }: SignInFirstProps) => (
  <Entry
    title={title}
    lead="Then you see who asks, and for what."
    below={
      <>
        New here? <Link to={pathTo(customerPages.signUp, {}, { next })}>Create an account</Link>
      </>
    }
  >
    <SignInForm onSignedIn={onSignedIn} />
  </Entry>
);
