import type { AnswerOf } from '../../contract/endpoint.ts';
import { maxFileBytes } from '../../contract/file-types.ts';
import type { readInstallation as endpoint } from '../../contract/installation.ts';
import { mailboxPath } from './sandbox-mail.ts';

type Parts = {
  config: { apiKeyLead: string; maxStoredBytes: number; smtpUrl: string | null };
  publicUrl: string;
  provider: { livemode: boolean };
  build: string | null;
};

/** What pages and agents need to know about this installation before sign-in. */
export const readInstallation = ({ config, provider, build, publicUrl }: Parts): AnswerOf<typeof endpoint> => ({
  status: 200,
  body: {
    installation: {
      build,
      livemode: provider.livemode,
      api_key_lead: config.apiKeyLead,
      mailbox: mailboxPath(config.smtpUrl, publicUrl),
      limits: { file_bytes: maxFileBytes, stored_bytes: config.maxStoredBytes },
    },
  },
});
