import type { AnswerOf } from '../../contract/endpoint.ts';
import { maxFileBytes } from '../../contract/file-types.ts';
import type { readInstallation as endpoint } from '../../contract/installation.ts';
import { mailboxPath } from './sandbox-mail.ts';

type Dependencies = {
  config: { apiKeyLead: string; maxStoredBytes: number; smtpUrl: string | null };
  publicUrl: string;
  provider: { livemode: boolean };
  build: string | null;
};

export const readInstallation = ({ config, provider, build, publicUrl }: Dependencies): AnswerOf<typeof endpoint> => ({
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
