import * as macros from '../../contract/desk/macros.ts';
import { route } from '../http/handle.ts';
import { createMacro } from './create-macro.ts';
import { deleteMacro } from './delete-macro.ts';
import { listMacros } from './list-macros.ts';
import { replaceMacro } from './replace-macro.ts';

export const macroRoutes = [
  route(listMacros, macros.listMacros),
  route(createMacro, macros.createMacro),
  route(replaceMacro, macros.replaceMacro),
  route(deleteMacro, macros.deleteMacro),
];
