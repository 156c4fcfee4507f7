import type { readUploadPage as endpoint } from '../../contract/files/upload-pages.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { findUploadPage } from './upload-page.ts';

export async function readUploadPage(
  { db }: { db: Db },
  { body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { account_name, requested_by, expires_at, file } = await findUploadPage(db, body.token);
  const { file_name } = file;
  return {
    status: 200,
    body: { upload_page: { account_name, requested_by, file_name, expires_at: expires_at.toISOString() } },
  };
}
