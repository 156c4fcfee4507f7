import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import { type Output, useOperation } from '../../app/api.ts';
import { Entry } from '../../ui/page/entry.tsx';
import { Failure } from '../../ui/page/page.tsx';
import { Asker, Host, isProgram, isThisComputer } from './who-asks.tsx';

/** Own words for each code: the address of the page is written by strangers. */
const reasons: Record<string, string> = {
  request_over: 'Its request is no longer valid.',
  consent_required: 'It wanted access without asking you on this page.',
  invalid_client: 'This service does not know it. If it wants a client id, ask the studio for one.',
  unreadable_document:
    'Its description could not be read at its address. Try again in a minute; if that does not help, tell the makers of the app.',
  unauthorized_client: 'It is not let in by a browser.',
  client_disabled: 'The studio has ended it. Ask the studio for another client id.',
  invalid_redirect:
    'It wants your browser back at an address that is not registered for it. If the studio gave you its client id, ask the studio to add the address.',
  invalid_scope: 'It asks for a right that does not exist here.',
  invalid_target: 'It asks for access to another service.',
};

type Props = { code: string | undefined; wish?: Output<'readConnection'> | undefined };

/** Nothing leads away from here but the button, which names where it leads. */
export function RefusedApp({ code = '', wish }: Props) {
  const decide = useOperation('decideConnection', ({ redirect_to: to }) => to !== null && location.assign(to));
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : 'Its request is not one that can be answered.';
  return (
    <Entry title="This app cannot be connected" below={<Link to={customerPages.home}>Go to your jobs</Link>}>
      {wish && (
        <Asker>
          {wish.app.name}
          {wish.app.host !== null && <Host>{wish.app.host}</Host>}
        </Asker>
      )}
      <p className="note turn">{reason} Nothing was let in.</p>
      {decide.error && <Failure error={decide.error} />}
      {wish && (
        <Button
          variant="default"
          loading={decide.isPending}
          onClick={() => decide.mutate({ body: { request: wish.request, allow: false } })}
        >
          Back to {placeOf(wish.redirect_host ?? '')}
        </Button>
      )}
    </Entry>
  );
}

/** The host, or words for an address that has none. */
const placeOf = (place: string): string =>
  isThisComputer(place) || isProgram(place) ? 'the program on this computer' : place;
