import * as files from '../../contract/files.ts';
import { route } from '../http/handle.ts';
import { completeUpload } from './complete-upload.ts';
import { createDownload } from './create-download.ts';
import { deleteFile } from './delete-file.ts';
import { downloadFile } from './download-file.ts';
import { listFiles } from './list-files.ts';
import { presignUpload } from './presign-upload.ts';
import { readFile } from './read-file.ts';

export const fileRoutes = [
  route(presignUpload, files.presignUpload),
  route(completeUpload, files.completeUpload),
  route(listFiles, files.listFiles),
  route(readFile, files.readFile),
  route(deleteFile, files.deleteFile),
  route(downloadFile, files.downloadFile),
  route(createDownload, files.createDownload),
];
