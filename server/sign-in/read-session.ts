import type { readSession as endpoint } from '../../contract/people/sessions.ts';
import { csrfToken } from '../http/csrf.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { showId } from '../lib/id.ts';
import type { Signer } from '../lib/signer.ts';
import { showUser } from './person.ts';
import { showView } from './view.ts';

export function readSession(
  { signer }: { signer: Signer },
  { caller }: Request<typeof endpoint>,
): AnswerOf<typeof endpoint> {
  const { userId, sessionId, accountId, accountName, suspendedSince, operatorRole, role, view } = caller;
  return {
    status: 200,
    body: {
      user: {
        ...showUser({ ...caller, id: userId }),
        operator: operatorRole !== null,
        operator_role: operatorRole,
        second_factor: caller.secondFactor,
        name_needed: caller.nameNeeded,
      },
      account:
        accountId === null
          ? null
          : {
              id: showId('acct', accountId),
              name: accountName ?? '',
              suspended_since: suspendedSince?.toISOString() ?? null,
            },
      role,
      view: view && showView(view),
      session_id: showId('sess', sessionId),
      ...(caller.byCookie ? { csrf_token: csrfToken(signer, sessionId) } : {}),
    },
  };
}
