import * as operatorInvitations from '../../../contract/desk/operator-invitations.ts';
import * as operators from '../../../contract/desk/operators.ts';
import { route } from '../../http/handle.ts';
import { acceptOperatorInvitation } from './accept-operator-invitation.ts';
import { cancelOperatorInvitation } from './cancel-operator-invitation.ts';
import { inviteOperator } from './invite-operator.ts';
import { listOperatorInvitations } from './list-operator-invitations.ts';
import { listOperators } from './list-operators.ts';
import { readMailedOperatorInvitation } from './read-mailed-operator-invitation.ts';
import { removeOperator } from './remove-operator.ts';
import { updateOperator } from './update-operator.ts';

export const operatorRoutes = [
  route(listOperators, operators.listOperators),
  route(updateOperator, operators.updateOperator),
  route(removeOperator, operators.removeOperator),
  route(inviteOperator, operatorInvitations.inviteOperator),
  route(listOperatorInvitations, operatorInvitations.listOperatorInvitations),
  route(cancelOperatorInvitation, operatorInvitations.cancelOperatorInvitation),
  route(readMailedOperatorInvitation, operatorInvitations.readMailedOperatorInvitation),
  route(acceptOperatorInvitation, operatorInvitations.acceptOperatorInvitation),
];
