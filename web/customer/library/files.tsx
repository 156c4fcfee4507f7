import { Navigate } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';

/** The list of files became the library. */
export const Files = () => <Navigate to={customerPages.library} replace />;
