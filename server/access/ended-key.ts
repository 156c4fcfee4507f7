import { customerPages, deskPages } from '../../contract/pages.ts';
import type { EndedKey } from '../http/caller.ts';
import { Refusal } from '../http/refusal.ts';

export function endedKey(publicUrl: string, { kind, because, at }: EndedKey): Refusal {
  const [key, maker, page] =
    kind === 'api_key'
      ? ['API key', 'An owner or admin of the account', customerPages.keys]
      : ['worker key', 'An operator of the studio', deskPages.workers];
  const ended = because === 'expired' ? 'expired' : 'was revoked';
  return new Refusal('unauthenticated', {
    message: `This ${key} ${ended}${at ? ` on ${at.toISOString()}` : ''}.`,
    action: `${maker} can make a new one at ${new URL(page, publicUrl).href}.`,
    headers: { 'www-authenticate': `Bearer error="invalid_token", error_description="The ${key} ${ended}"` },
  });
}
