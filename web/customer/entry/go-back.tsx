type Props = {
  allowed: boolean;
  /** Opens the program, where the browser can. It was tried already, but a browser may ask first. */
  to?: string;
};

export const decidedTitle = (allowed: boolean): string => (allowed ? 'The program is connected' : 'Denied');

/** For a program that goes on outside the browser, so this page stays. */
export const GoBack = ({ allowed, to }: Props) => (
  <p>
    {allowed ? 'Go back to it: it goes on by itself.' : 'Nothing was let in.'} You can close this page.
    {to !== undefined && (
      <>
        {' '}
        If the program does not come up, <a href={to}>open it</a>.
      </>
    )}
  </p>
);
