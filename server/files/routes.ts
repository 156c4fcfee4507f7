import * as archives from '../../contract/files/archives.ts';
import * as files from '../../contract/files/files.ts';
import * as uploadPages from '../../contract/files/upload-pages.ts';
import * as uploads from '../../contract/files/uploads.ts';
import { route } from '../http/handle.ts';
import { completeUpload } from './complete-upload.ts';
import { completePageUpload } from './complete-page-upload.ts';
import { copyFile } from './copy-file.ts';
import { createArchive } from './create-archive.ts';
import { createDownload } from './create-download.ts';
import { createPoster } from './create-poster.ts';
import { createTextFile } from './create-text-file.ts';
import { deleteFile } from './delete-file.ts';
import { downloadFile } from './download-file.ts';
import { listFiles } from './list-files.ts';
import { openArchive } from './open-archive.ts';
import { presignUpload } from './presign-upload.ts';
import { readFile } from './read-file.ts';
import { readUploadPage } from './read-upload-page.ts';
import { startPageUpload } from './start-page-upload.ts';

export const fileRoutes = [
  route(presignUpload, uploads.presignUpload),
  route(createTextFile, uploads.createTextFile),
  route(completeUpload, uploads.completeUpload),
  route(readUploadPage, uploadPages.readUploadPage),
  route(startPageUpload, uploadPages.startPageUpload),
  route(completePageUpload, uploadPages.completePageUpload),
  route(copyFile, uploads.copyFile),
  route(createPoster, uploads.createPoster),
  route(listFiles, files.listFiles),
  route(readFile, files.readFile),
  route(deleteFile, files.deleteFile),
  route(downloadFile, files.downloadFile),
  route(createDownload, files.createDownload),
  route(openArchive, archives.openArchive),
  route(createArchive, archives.createArchive),
];
