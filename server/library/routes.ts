import * as keeping from '../../contract/files/keeping.ts';
import * as library from '../../contract/files/library.ts';
import { route } from '../http/handle.ts';
import { countLibrary } from './count-library.ts';
import { createLibraryArchive } from './create-library-archive.ts';
import { keepJobFiles } from './keep-job-files.ts';
import { listLibrary } from './list-library.ts';

export const libraryRoutes = [
  route(listLibrary, library.listLibrary),
  route(countLibrary, library.countLibrary),
  route(createLibraryArchive, library.createLibraryArchive),
  route(keepJobFiles, keeping.keepJobFiles),
];
