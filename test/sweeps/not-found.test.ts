import { describe, expect, test } from 'vitest';
import { endpoints } from '../../contract/openapi.ts';
import { prefixOf } from '../support/every-endpoint.ts';

/** What a path names, by the prefix of its id. */
const codes: Record<string, string> = {
  acct: 'account_not_found',
  cmt: 'comment_not_found',
  dlv: 'webhook_delivery_not_found',
  evt: 'provider_event_not_found',
  file: 'file_not_found',
  hook: 'webhook_endpoint_not_found',
  inv: 'invitation_not_found',
  ise: 'intake_session_not_found',
  job: 'job_not_found',
  key: 'api_key_not_found',
  mac: 'macro_not_found',
  view: 'saved_view_not_found',
  app: 'app_not_found',
  mem: 'member_not_found',
  ntf: 'notification_not_found',
  oinv: 'invitation_not_found',
  ord: 'order_not_found',
  rvl: 'review_link_not_found',
  sess: 'session_not_found',
  tpl: 'template_not_found',
  user: 'operator_not_found',
  wkey: 'worker_key_not_found',
};

describe('404 with the code of what the path names', () => {
  const named = endpoints.filter(({ params }) => params).map((line) => [`${line.method} ${line.path}`, line] as const);
  test.each(named)('%s', (_, line) => {
    const numbered = line.path.includes('{number}') && 'catalog_version_not_found';
    const ofApp = line.path.includes('/connected-apps/') && 'connected_app_not_found';
    expect(line.errors[404]?.[0]).toBe(numbered || ofApp || codes[prefixOf(line) ?? '']);
  });

  test('not_found means that there is no such route, so no endpoint lists it', () => {
    expect(endpoints.filter(({ errors }) => errors[404]?.includes('not_found'))).toEqual([]);
  });
});
