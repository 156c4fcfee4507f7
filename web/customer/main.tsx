import './first-reads.ts';
import { customerPages } from '../../contract/pages.ts';
import { start } from '../app/start.tsx';
import { takeUploadToken } from './entry/upload-token.ts';
import { takeReviewToken } from './review/review-token.ts';
import { router } from './routes.tsx';
import './account/account.css';
import './jobs/jobs.css';
import './ordering/ordering.css';
import './ordering/draft/draft.css';

if (location.pathname === customerPages.guestReview) takeReviewToken();
if (location.pathname === customerPages.upload) takeUploadToken();
void start(router);
