import { customerPages, deskPages } from '../../contract/pages.ts';
import type { EndedKey } from '../http/caller.ts';
import { challenge, type Door } from './challenge.ts';
import { Refusal } from '../http/refusal.ts';

/** An app whose token expired refreshes it; one whose grant ended asks its person again. */
function endedApp(publicUrl: string, door: Door, because: EndedKey['because']): Refusal {
  const ended = because === 'expired' ? 'expired' : 'was ended';
  return new Refusal('unauthenticated', {
    message: `The access of this app ${ended}.`,
    action: `Use the refresh token. If that is refused, ask your user to connect the app again at ${publicUrl}.`,
    headers: {
      'www-authenticate': challenge(publicUrl, door, { error: 'invalid_token', description: `The access ${ended}` }),
    },
  });
}

export function endedKey(publicUrl: string, door: Door, { kind, because, at }: EndedKey): Refusal {
  if (kind === 'app') return endedApp(publicUrl, door, because);
  const [key, maker, page] =
    kind === 'api_key'
      ? ['API key', 'An owner or admin of the account', customerPages.keys]
      : ['worker key', 'An operator of the studio', deskPages.workers];
  const ended = because === 'expired' ? 'expired' : 'was revoked';
  return new Refusal('unauthenticated', {
    message: `This ${key} ${ended}${at ? ` on ${at.toISOString()}` : ''}.`,
    action: `${maker} can make a new one at ${new URL(page, publicUrl).href}.`,
    headers: {
      'www-authenticate': challenge(publicUrl, door, { error: 'invalid_token', description: `The ${key} ${ended}` }),
    },
  });
}
