import './first-reads.ts';
import { customerPages } from '../../contract/pages.ts';
import { start } from '../app/start.tsx';
import { takeReviewToken, takeUploadToken } from './fragment-tokens.ts';
import { router } from './routes.tsx';
import './account/account.css';
import './jobs/jobs.css';
import './ordering/ordering.css';
import './ordering/draft/draft.css';

if (location.pathname === customerPages.guestReview) takeReviewToken();
if (location.pathname === customerPages.upload) takeUploadToken();
void start(router);
