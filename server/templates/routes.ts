import * as templates from '../../contract/ordering/templates.ts';
import { route } from '../http/handle.ts';
import { createTemplate } from './create-template.ts';
import { deleteTemplate } from './delete-template.ts';
import { listTemplates } from './list-templates.ts';
import { replaceTemplate } from './replace-template.ts';

export const templateRoutes = [
  route(listTemplates, templates.listTemplates),
  route(createTemplate, templates.createTemplate),
  route(replaceTemplate, templates.replaceTemplate),
  route(deleteTemplate, templates.deleteTemplate),
];
