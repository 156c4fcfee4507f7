import { Navigate } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';

/** The list of files became the library. */
export const OldAddress = () => <Navigate to={customerPages.library} replace />;
