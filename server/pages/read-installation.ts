import type { AnswerOf } from '../../contract/endpoint.ts';
import { maxFileBytes } from '../../contract/files/file-types.ts';
import type { readInstallation as endpoint } from '../../contract/studio/installation.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { takenTypes } from '../files/endings.ts';
import { mailboxPath } from './sandbox-mail.ts';

type Dependencies = {
  isCopy: boolean;
  config: { apiKeyLead: string; maxStoredBytes: number; smtpUrl: string | null };
  publicUrl: string;
  provider: { livemode: boolean };
  build: string | null;
  catalog: Catalog;
};

export const readInstallation = ({
  isCopy,
  config,
  provider,
  build,
  publicUrl,
  catalog,
}: Dependencies): AnswerOf<typeof endpoint> => ({
  status: 200,
  body: {
    installation: {
      build,
      studio: catalog.studio,
      livemode: provider.livemode,
      api_key_lead: config.apiKeyLead,
      mailbox: isCopy ? null : mailboxPath(config.smtpUrl, publicUrl),
      file_types: takenTypes(catalog.fileTypes),
      limits: { file_bytes: maxFileBytes, stored_bytes: config.maxStoredBytes },
    },
  },
});
