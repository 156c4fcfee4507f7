import { useAddress } from '../../ui/page/address.ts';

/** `review`: a file. `comment`: what is selected first. `compare`: the number of an earlier delivery. */
export const useReviewAddress = () => useAddress<'review' | 'comment' | 'compare'>();

/** Opens the review over the page of the job. Back closes it. */
export function useOpenReview() {
  const [, set] = useReviewAddress();
  return (review: string, more: { comment?: string; compare?: string } = {}) =>
    set({ review, ...more }, { replace: false });
}
