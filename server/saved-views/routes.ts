import * as savedViews from '../../contract/desk/saved-views.ts';
import { route } from '../http/handle.ts';
import { createSavedView } from './create-saved-view.ts';
import { deleteSavedView } from './delete-saved-view.ts';
import { listSavedViews } from './list-saved-views.ts';
import { replaceSavedView } from './replace-saved-view.ts';

export const savedViewRoutes = [
  route(listSavedViews, savedViews.listSavedViews),
  route(createSavedView, savedViews.createSavedView),
  route(replaceSavedView, savedViews.replaceSavedView),
  route(deleteSavedView, savedViews.deleteSavedView),
];
