import { fragmentToken } from '../../ui/page/fragment-token.ts';

export const { take: takeReviewToken, read: reviewToken } = fragmentToken('atelier-review-token');
