import { Dialog } from '../../ui/dialog/dialog.tsx';
import { SignInForm } from './sign-in-form.tsx';

type Props = { email: string; onSignedIn: (as: { email: string }) => void; onClose: () => void };

export const SignInAgain = ({ email, onSignedIn, onClose }: Props) => (
  <Dialog opened onClose={onClose} title="Please sign in again" closeOnClickOutside={false}>
    <div className="stack">
      <p className="second">Your session has ended. What you typed is still here.</p>
      <SignInForm email={email} onSignedIn={onSignedIn} />
    </div>
  </Dialog>
);
